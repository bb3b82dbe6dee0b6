//! Tests: what decides whether a candidate is interesting.
//!
//! A [`Test`] hands out one [`Runner`] per worker; a runner runs one candidate at a time and can be cancelled from
//! another thread.

use crate::Outcome;
use nub_core::Content;
use std::{io, time::Duration};

mod cancel;
mod capture;
mod closure;
mod coprocess;
mod descendants;
mod gate;
mod guardian;
mod mark;
mod passes;
pub mod predicate;
mod process;
mod program;
mod remove;
mod scratch;
mod timeout;

pub use cancel::Cancel;
pub use closure::ClosureTest;
pub use coprocess::CoprocessTest;
pub use descendants::Run;
pub use guardian::{Guardian, guardian_main};
pub use mark::processes_of;
pub use passes::PassesIf;
pub use predicate::Predicate;
pub use process::{ProcessTest, Setup};
pub use program::quote as shell_quote;
pub use scratch::Scratch;
pub use timeout::{TimeLimit, Timeout};

/// What a test may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// How long it may run.
    pub timeout: Timeout,
    /// How many bytes of address space each of its processes may have. No limit if `None`.
    pub memory: Option<u64>,
}

/// A way to decide whether candidates are interesting, shared by all workers.
pub trait Test: Send + Sync {
    /// What the worker with this number runs candidates with. Called once per worker, on the worker's own thread.
    fn runner(&self, worker: usize) -> io::Result<Box<dyn Runner + '_>>;
}

/// One worker's private means of running candidates: its directory, its co-process.
pub trait Runner {
    /// Runs one candidate to its outcome. [`Stop::Cancelled`] when `cancel` was triggered before the outcome was known;
    /// by the time this returns, nothing that was started for the candidate is alive. Its files are gone, at the latest,
    /// when the next candidate is tested or the runner is dropped.
    fn run(&mut self, candidate: &dyn Content, cancel: &Cancel) -> Result<Report, Stop>;
}

/// What one execution of a test gave.
#[derive(Clone, Debug)]
pub struct Report {
    /// The outcome.
    pub outcome: Outcome,
    /// How long the test ran.
    pub elapsed: Duration,
    /// How it ended and what it printed, where that was asked for.
    pub details: Option<Box<Details>>,
}

/// How a test ended and what it printed: what a user needs to see when the original is not interesting.
#[derive(Clone, Debug, Default)]
pub struct Details {
    /// The exit code, if it exited.
    pub exit_code: Option<i32>,
    /// The signal that ended it, if one did.
    pub signal: Option<i32>,
    /// Standard output, bounded.
    pub stdout: Vec<u8>,
    /// Standard error, bounded.
    pub stderr: Vec<u8>,
    /// Why it could not be started, if it could not.
    pub not_started: Option<String>,
}

/// Why a run has no outcome.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// Nobody needs the outcome any more.
    #[error("cancelled")]
    Cancelled,
    /// The candidate could not be set up (no space, no permission): not the test's fault, and no reason to go on.
    #[error("{what}: {source}")]
    Fatal {
        /// What was being done, with which file.
        what: String,
        /// What the system said.
        source: io::Error,
    },
}
