//! A function in this process as the test: for unit tests, simulations and users of the library.

use super::{Cancel, Report, Runner, Stop, Test};
use crate::Outcome;
use nub_core::Content;
use std::{io, time::Instant};

/// A test that calls a function with the bytes of a candidate.
pub struct ClosureTest<F>(pub F);

impl<F: Fn(&[u8]) -> Outcome + Send + Sync> Test for ClosureTest<F> {
    fn runner(&self, _worker: usize) -> io::Result<Box<dyn Runner + '_>> {
        Ok(Box::new(ClosureRunner { test: &self.0, bytes: Vec::new() }))
    }
}

struct ClosureRunner<'a, F> {
    test: &'a F,
    bytes: Vec<u8>,
}

impl<F: Fn(&[u8]) -> Outcome> Runner for ClosureRunner<'_, F> {
    fn run(&mut self, candidate: &dyn Content, cancel: &Cancel) -> Result<Report, Stop> {
        if cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        self.bytes.clear();
        candidate.write(&mut |slice| self.bytes.extend_from_slice(slice));
        let start = Instant::now();
        let outcome = (self.test)(&self.bytes);
        Ok(Report { outcome, elapsed: start.elapsed(), details: None })
    }
}
