//! Runs a reduction: a search of `nub-core` on one side, a test on the other, and everything that must not go wrong
//! between them.
//!
//! - [`Speculate`] runs a search ahead of its outcomes and settles them in the order of the sequential algorithm. It is
//!   pure; the result cannot depend on timing because nothing in it knows the time.
//! - [`Reduction`] drives it with worker threads. A [`Cache`] saves tests; an [`Observer`] is told everything, in order.
//! - [`simulate`] drives it with virtual ones: how would this run do with a thousand workers?
//! - [`journal`] writes down every outcome, so that a run can be resumed without repeating a test.
//! - [`best`] keeps the best result so far in a file that is whole at any moment.
//! - [`test`] has the tests: processes, co-processes, functions; their directories, limits and descendants.
//!
//! ```
//! use nub_core::{Granularity, ListAlgorithm, TextPhase, TextSearch};
//! use nub_run::{Interrupt, Outcome, Reduction, RunSettings, test::ClosureTest};
//!
//! let pass = TextPhase { granularity: Granularity::Char, algorithm: ListAlgorithm::default() };
//! let search = TextSearch::new([pass], *b"the quick brown fox");
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
