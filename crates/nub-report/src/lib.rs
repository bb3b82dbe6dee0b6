//! The report of a reduction: how it went, on one page.
//!
//! [`page`] is a pure function from a [`Run`] to HTML. A run is what its journal tells (a
//! [`Header`](nub_run::journal::Header) and a [`History`](nub_run::journal::History)) with the original and the result,
//! if they are still there. Nothing here reads a file, looks at a clock or draws a random number: the same run makes the
//! same page.
//!
//! The page needs no network, no other file and no script: a script only adds what a pointer reads off the curves. A
//! policy in its head forbids it everything else, so an input that contains HTML cannot do anything even if it were not
//! escaped. It is meant to be read on a phone, in the dark and on paper, too.
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
//! One file per thing on the page: `curve` (size over tests, size over time), `table` (steps), `histogram` (how long
//! tests took), `kept` (what of the original is left: an alignment) and `pane` (how that is shown), `data` (all numbers
//! once more, for programs), `page` (all of it in order).
#![cfg_attr(test, allow(clippy::single_range_in_vec_init, reason = "lists of ranges are what many tests expect"))]

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
pub use page::page;
pub use run::{Run, Text};
pub use tokens::count_tokens;

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
