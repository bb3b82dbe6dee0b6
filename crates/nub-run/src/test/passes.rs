//! Two tests that say together whether a candidate fails, passes, or neither.

use super::{Cancel, Report, Runner, Stop, Test};
use crate::{Outcome, Unresolved};
use nub_core::Content;
use std::io;

/// Runners of the second test count from here: two of the same number would share a directory.
const SECOND: usize = 1 << 16;

/// A test of its own for what passes: without one, everything passes that does not fail, even if it fails in another way.
///
/// A candidate is interesting if it is to the first test; if not, it is uninteresting if it is *interesting* to the second,
/// which must succeed, and unresolved otherwise.
#[derive(Clone, Debug)]
pub struct PassesIf<F, P> {
    /// Succeeds if the candidate fails as it should.
    pub fails: F,
    /// Succeeds if the candidate passes.
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
    fn what_neither_fails_nor_passes_is_unresolved() {
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
        assert_eq!(outcome("xo"), Outcome::Interesting, "the failure has the first word");
        assert_eq!(outcome("o"), Outcome::Uninteresting);
        assert_eq!(outcome(""), Outcome::Unresolved(Unresolved::Skipped));
        assert_eq!(outcome("!"), Outcome::Unresolved(Unresolved::TimedOut));
    }
}
