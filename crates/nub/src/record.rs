//! Records everything that happens during a run, in this order: in the journal, in the file of the best result, on the
//! screen. So whatever the user has seen is on disk, and a run can be resumed from whatever is on disk.

use crate::{
    screen::{Event, Screen, outcome_name},
    settings::Side,
};
use anyhow::Context;
use nub_run::{
    Counts, Fingerprint, Observer, ObserverError, Outcome, Settled, SettledCandidate, Source, Tested, Unresolved,
    best::BestFile,
    journal::{self, Decision, Executed, Journal, Known},
};
use std::{sync::Arc, time::Instant};

/// The observer of a run.
pub struct Recorder<'a> {
    pub journal: Option<Journal>,
    /// `None` if the result goes to standard output at the end.
    pub best: Option<BestFile>,
    /// The file of the passing side; `None` if this is not an isolation.
    pub passing: Option<BestFile>,
    pub screen: &'a mut dyn Screen,
    /// When this session started.
    pub started: Instant,
    /// The current step.
    pub step: Arc<str>,
    /// Whether the test can be started regardless of the candidate. A candidate may crash a co-process.
    pub always_starts: bool,
    /// The size of the best so far.
    pub size: usize,
}

impl Observer for Recorder<'_> {
    fn tested(&mut self, test: &Tested<'_>, _: &Counts) -> Result<(), ObserverError> {
        // The test did start before. To continue would only record that nothing is interesting.
        if self.always_starts && test.outcome == Outcome::Unresolved(Unresolved::NotStarted) {
            let why = test.details.and_then(|details| details.not_started.as_deref());
            return Err(format!("the test can no longer be run: {}", why.unwrap_or("it does not start")).into());
        }
        let bytes = test.edit.content.len();
        if let Some(journal) = &mut self.journal {
            let number = journal.executed(Executed {
                fingerprint: Fingerprint::of(&*test.edit.content),
                outcome: test.outcome,
                bytes,
                started: test.started.saturating_duration_since(self.started),
                duration: test.elapsed,
            });
            debug_assert_eq!(number, test.number, "the journal and the scheduler number the tests alike");
        }
        let (outcome, seconds) = (outcome_name(test.outcome), test.elapsed.as_secs_f64());
        self.screen.show(&Event::Test { number: test.number, outcome, bytes, seconds });
        Ok(())
    }

    fn settled(&mut self, settled: &Settled, counts: &Counts) -> Result<(), ObserverError> {
        if let Some(journal) = &mut self.journal {
            let decisions: Vec<Decision<'_>> = settled.candidates.iter().map(decision).collect();
            journal.decided(&decisions).context("nub cannot continue without its journal")?;
            if settled.committed.is_some() || settled.passing.is_some() {
                // The best file survives a power cut; a journal that lags behind it would make the file grow again.
                journal.sync()?;
            }
        }
        if let (Some(file), Some(best)) = (&mut self.best, &settled.committed) {
            file.write(&*best.content)?;
        }
        if let (Some(file), Some(passing)) = (&mut self.passing, &settled.passing) {
            file.write(&*passing.content)?;
        }
        self.show(settled, counts);
        Ok(())
    }
}

impl Recorder<'_> {
    fn show(&mut self, settled: &Settled, counts: &Counts) {
        for candidate in &settled.candidates {
            let edit = &candidate.edit;
            if self.step != edit.step {
                self.step = Arc::clone(&edit.step);
                self.screen.show(&Event::Step { step: &edit.step, bytes: self.size });
            }
            self.screen.show(&Event::Decide {
                label: candidate.label.as_str(),
                outcome: outcome_name(candidate.outcome),
                bytes: edit.content.len(),
                units: edit.units,
                cached: candidate.source == Source::Cache,
            });
        }
        if self.passing.is_some() {
            return self.show_sides(settled, counts);
        }
        if let Some(best) = &settled.committed {
            self.size = best.content.len();
            let found = settled.candidates.iter().find(|candidate| candidate.outcome.is_interesting());
            self.screen.show(&Event::Best {
                bytes: self.size,
                units: best.units,
                step: &best.step,
                label: found.map_or("", |candidate| candidate.label.as_str()),
                counts: counts.into(),
            });
        }
    }

    /// Shows the sides of an isolation that changed.
    fn show_sides(&mut self, settled: &Settled, counts: &Counts) {
        for (side, edit) in [(Side::Passing, &settled.passing), (Side::Failing, &settled.committed)] {
            let Some(edit) = edit else { continue };
            if side == Side::Failing {
                self.size = edit.content.len();
            }
            self.screen.show(&Event::Narrow {
                side: side.name(),
                bytes: edit.content.len(),
                differences: settled.left,
                step: &edit.step,
                label: settled.candidates.first().map_or("", |candidate| candidate.label.as_str()),
                counts: counts.into(),
            });
        }
    }
}

fn decision(candidate: &SettledCandidate) -> Decision<'_> {
    let edit = &candidate.edit;
    let source = match candidate.source {
        Source::Test(number) => journal::Source::Executed(number),
        Source::Cache => {
            journal::Source::Cached(Known { fingerprint: Fingerprint::of(&*edit.content), outcome: candidate.outcome })
        }
    };
    Decision { label: candidate.label.as_str(), step: &edit.step, units: edit.units, bytes: edit.content.len(), source }
}
