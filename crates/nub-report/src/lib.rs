//! The report of a reduction: how it went, on one page.
//!
//! [`page`] is a pure function from a [`Run`] to HTML. A run consists of the contents of its journal (a
//! [`Header`](nub_run::journal::Header) and a [`History`](nub_run::journal::History)) and of the original and the
//! result, if they still exist. Nothing here reads a file, a clock or a random number: the same run gives the same
//! page.
//!
//! The page needs no network, no other file and no script; the script it contains only adds read-outs to the curves. A
//! policy in its head forbids everything else, so an input that contains HTML could do nothing even if it were not
//! escaped. The page also works on a phone, in dark mode and on paper.
//!
//! ```
//! use nub_report::{Run, Text, page};
//! use nub_run::journal::{Header, History};
//!
//! let original = b"int a;\nint b;\n";
//! let run = Run {
//!     header: Header::new("/home/me/crash.c", original),
//!     history: History::default(),
//!     original: Text::Known(original.to_vec()),
//!     result: Text::Missing("`crash.min.c` has been changed since".to_owned()),
//!     resumable: true,
//! };
//! assert!(page(&run).starts_with("<!DOCTYPE html>"));
//! ```
//!
//! There is one file for each part of the page: `curve` (size over tests, size over time), `table` (steps), `histogram`
//! (how long tests took), `kept` (which parts of the original are left: an alignment) and `pane` (how they are shown),
//! `data` (all numbers again, for programs), `page` (everything in order).
#![cfg_attr(test, allow(clippy::single_range_in_vec_init, reason = "many tests expect lists of ranges"))]

mod colour;
mod curve;
mod data;
mod escape;
mod histogram;
mod kept;
mod numbers;
mod page;
mod pane;
mod run;
mod scale;
mod table;
mod tokens;

pub use kept::{Kept, kept};
pub use numbers::bytes;
pub use page::page;
pub use run::{Run, Text};
pub use tokens::count_tokens;

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
