//! Runs a reduction.

pub mod best;
mod cache;
mod fingerprint;
pub mod journal;
mod outcome;
mod pool;
mod scheduler;
mod speculate;
pub mod test;

pub use cache::{Cache, CacheKind, CacheSettings, Key};
pub use fingerprint::{Fingerprint, ParseFingerprintError};
pub use outcome::{Outcome, Unresolved};
pub use scheduler::{Counts, Finished, Interrupt, Observer, ObserverError, Run, RunError, RunSettings, Tested};
pub use speculate::{Job, Settled, SettledCandidate, Source, Speculate, Ticket};
