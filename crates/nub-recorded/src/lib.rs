//! Recorded runs of the reference tools, to verify that nub's implementations of their algorithms are exact.
//!
//! A [`Recording`] has an input or a tree, the options of the run, an [`Oracle`] that gives the recorded outcomes, and
//! the results of the run. [`Recording::repeat`] runs nub's implementation against it and lists the differences, of
//! which there should be none.
//!
//! ```
//! use nub_recorded::{Set, synthetic};
//!
//! let recording = &synthetic(Set::DdminHead)?[0];
//! let repetition = recording.repeat(1)?;
//! assert!(repetition.differences.is_empty());
//! assert_eq!(repetition.tests, recording.expected.tests);
//! # Ok::<(), anyhow::Error>(())
//! ```

mod options;
mod oracle;
mod recording;
mod search;
mod sets;
mod shared;

pub use oracle::Oracle;
pub use recording::{Expected, Recording, Repetition};
pub use search::RecordedSearch;
pub use sets::{Case, Set, javascript, real_trees, small, small_json, synthetic};
pub use shared::published;

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
