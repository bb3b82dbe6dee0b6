//! Two tests that together say whether a candidate is on the failing side, on the passing side, or on neither.

use super::{Cancel, Report, Runner, Stop, Test};
use crate::{Outcome, Unresolved};
use nub_core::Content;
use std::io;

/// The runners of the second test are numbered from here: two with the same number would share a directory.
const SECOND: usize = 1 << 16;

/// Adds a separate test for the passing side. Without one, every candidate that does not fail counts as passing, even
/// if it fails in another way.
///
/// A candidate is interesting if the first test accepts it. Otherwise it is uninteresting if the second test accepts
/// it, and unresolved if not.
#[derive(Clone, Debug)]
pub struct PassesIf<F, P> {
    /// Accepts a candidate that fails as it should.
    pub fails: F,
    /// Accepts a candidate on the passing side.
    pub passes: P,
}

impl<F: Test, P: Test> Test for PassesIf<F, P> {
    fn runner(&self, worker: usize) -> io::Result<Box<dyn Runner + '_>> {
        Ok(Box::new(Both { fails: self.fails.runner(worker)?, passes: self.passes.runner(worker + SECOND)? }))
    }
}

struct Both<'a> {
    fails: Box<dyn Runner + 'a>,
    passes: Box<dyn Runner + 'a>,
}

impl Runner for Both<'_> {
    fn run(&mut self, candidate: &dyn Content, cancel: &Cancel) -> Result<Report, Stop> {
        let first = self.fails.run(candidate, cancel)?;
        if first.outcome != Outcome::Uninteresting {
            return Ok(first);
        }
        let second = self.passes.run(candidate, cancel)?;
        let outcome = match second.outcome {
            Outcome::Interesting => Outcome::Uninteresting,
            Outcome::Uninteresting => Outcome::Unresolved(Unresolved::Skipped),
            unresolved @ Outcome::Unresolved(_) => unresolved,
        };
        Ok(Report { outcome, elapsed: first.elapsed + second.elapsed, details: second.details.or(first.details) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::ClosureTest;

    #[test]
    fn candidates_on_neither_side_are_unresolved() {
        let contains = |byte: u8| {
            ClosureTest(move |text: &[u8]| match text.contains(&byte) {
                true => Outcome::Interesting,
                false if text.contains(&b'!') => Outcome::Unresolved(Unresolved::TimedOut),
                false => Outcome::Uninteresting,
            })
        };
        let test = PassesIf { fails: contains(b'x'), passes: contains(b'o') };
        let mut runner = test.runner(0).unwrap();
        let cancel = Cancel::new().unwrap();
        let mut outcome = |text: &str| runner.run(&text.as_bytes().to_vec(), &cancel).unwrap().outcome;
        assert_eq!(outcome("x"), Outcome::Interesting);
        assert_eq!(outcome("xo"), Outcome::Interesting, "the failing side takes precedence");
        assert_eq!(outcome("o"), Outcome::Uninteresting);
        assert_eq!(outcome(""), Outcome::Unresolved(Unresolved::Skipped));
        assert_eq!(outcome("!"), Outcome::Unresolved(Unresolved::TimedOut));
    }
}
