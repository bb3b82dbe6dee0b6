//! What several tests need: searches run to their end with a function as the test.
#![allow(dead_code, reason = "every test uses a part of it")]

use nub_core::{Edit, Search};
use nub_run::{
    Counts, Finished, Interrupt, Observer, ObserverError, Outcome, Reduction, RunSettings, Settled, Source,
    test::ClosureTest,
};

/// What was settled, in order: label, outcome, source, text.
pub(crate) type Trace = Vec<(String, Outcome, Source, Vec<u8>)>;

/// Keeps everything that is settled.
#[derive(Default)]
pub(crate) struct Recorder {
    pub(crate) trace: Trace,
    pub(crate) bests: Vec<Vec<u8>>,
}

impl Observer for Recorder {
    fn settled(&mut self, settled: &Settled, _: &Counts) -> Result<(), ObserverError> {
        for candidate in &settled.candidates {
            let text = candidate.edit.content.to_vec();
            self.trace.push((candidate.label.to_string(), candidate.outcome, candidate.source, text));
        }
        self.bests.extend(settled.committed.as_ref().map(|best| best.content.to_vec()));
        Ok(())
    }
}

/// Runs a search to its end; `is_interesting` is asked from several threads if there are several jobs.
pub(crate) fn run<S: Search<Proposal = Edit> + Send>(
    search: S,
    settings: RunSettings,
    is_interesting: impl Fn(&[u8]) -> bool + Send + Sync,
) -> (Finished, Recorder) {
    let mut recorder = Recorder::default();
    let test = ClosureTest(|bytes: &[u8]| match is_interesting(bytes) {
        true => Outcome::Interesting,
        false => Outcome::Uninteresting,
    });
    let finished = Reduction::new(search, settings, &mut recorder).run(&test, &Interrupt::new()).unwrap();
    assert!(finished.complete);
    (finished, recorder)
}
