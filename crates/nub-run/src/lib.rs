//! Runs a reduction: takes a search from `nub-core` and a test, and handles everything between them.
//!
//! A search proposes candidates one batch after the other; a test says whether each is interesting. This crate runs the
//! tests in parallel, remembers their outcomes, and saves every result the moment it is found. The result is the same
//! for any number of parallel jobs.
//!
//! - [`Speculate`] runs a search ahead of its outcomes and settles them in the order of the sequential algorithm. It is
//!   pure: it has no clock, so its result cannot depend on timing.
//! - [`Reduction`] drives it with worker threads. A [`Cache`] saves tests; an [`Observer`] is notified of every event,
//!   in order.
//! - [`simulate`] drives it with virtual workers: how would this run do with a thousand of them?
//! - [`journal`] records every outcome, so that a run can be resumed without repeating a test.
//! - [`best`] keeps the best result so far in a file that is complete at any moment.
//! - [`mod@test`] contains the tests: processes, co-processes and functions, with their directories, limits and
//!   descendants.
//!
//! ```
//! use nub_core::{Granularity, ListAlgorithm, TextPhase, TextSearch};
//! use nub_run::{Interrupt, Outcome, Reduction, RunSettings, test::ClosureTest};
//!
//! let phase = TextPhase { granularity: Granularity::Char, algorithm: ListAlgorithm::default() };
//! let search = TextSearch::new([phase], *b"the quick brown fox");
//! let test = ClosureTest(|bytes: &[u8]| match bytes.contains(&b'q') {
//!     true => Outcome::Interesting,
//!     false => Outcome::Uninteresting,
//! });
//! let settings = RunSettings { jobs: 4, ..RunSettings::default() };
//! let finished = Reduction::new(search, settings, &mut ()).run(&test, &Interrupt::new())?;
//! assert_eq!(finished.best.content.to_vec(), b"q");
//! # Ok::<(), nub_run::RunError>(())
//! ```

pub mod best;
mod cache;
mod fingerprint;
pub mod journal;

mod pool;
mod scheduler;
mod simulate;
mod speculate;
pub mod test;

pub use cache::{Cache, CacheKind, CacheSettings, Key};
pub use fingerprint::{Fingerprint, ParseFingerprintError};
pub use nub_core::{Outcome, Unresolved};
pub use scheduler::{Counts, Finished, Interrupt, Observer, ObserverError, Reduction, RunError, RunSettings, Tested};
pub use simulate::{Simulated, VirtualTest, simulate};
pub use speculate::{Job, Settled, SettledCandidate, Source, Speculate, Ticket};

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
