//! One recorded run, and how to repeat it.

use crate::{
    Oracle, RecordedSearch,
    oracle::{hex, word},
};
use anyhow::{Result, ensure};
use nub_core::{Edit, TextPhase, TextSearch};
use nub_core::{
    Phase, TreeSearch,
    tree::{Spacing, Tree},
};
use nub_run::{
    Counts, Interrupt, Observer, ObserverError, Outcome, Reduction, RunSettings, Settled, Source, test::ClosureTest,
};
use sha2::{Digest as _, Sha256};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// A run of a reference tool.
#[derive(Clone)]
pub struct Recording {
    /// Which input.
    pub case: String,
    /// Which algorithm.
    pub variant: String,
    /// What said whether a candidate was interesting.
    pub oracle: Oracle,
    /// What came of it.
    pub expected: Expected,
    pub(crate) subject: Subject,
    pub(crate) settings: RunSettings,
}

/// What was reduced, and how.
#[derive(Clone)]
pub(crate) enum Subject {
    Text { input: Arc<[u8]>, passes: Vec<TextPhase> },
    Tree { tree: Arc<Tree>, phases: Vec<Phase> },
}

/// What came of a recorded run.
#[derive(Clone, Debug)]
pub struct Expected {
    /// Executed tests.
    pub tests: usize,
    /// Candidates that the cache knew.
    pub cache_hits: usize,
    /// What was left.
    pub output: Vec<u8>,
    pub(crate) sequence: Sequence,
}

/// The executed tests, in order.
#[derive(Clone, Debug)]
pub(crate) enum Sequence {
    /// The hash of lines `label:outcome`.
    Labels(String),
    /// The hash of outcomes and texts.
    Texts(String),
    /// The beginning of the hash of each text, with its outcome.
    Words(String),
}

/// What nub did with a recording.
#[derive(Debug)]
pub struct Repetition {
    /// Executed tests.
    pub tests: usize,
    /// Candidates that the cache knew.
    pub cache_hits: usize,
    /// What was left.
    pub output: Vec<u8>,
    /// A hash of all that was decided, with the texts: the same for every number of jobs.
    pub decided: String,
    /// What is not as it was recorded. With several jobs the number of tests is not compared, because lost speculation
    /// is counted too.
    pub differences: Vec<String>,
}

impl Recording {
    /// The search that was recorded, at its beginning.
    pub fn search(&self) -> RecordedSearch {
        match &self.subject {
            Subject::Text { input, passes } => RecordedSearch::Text(TextSearch::new(passes.clone(), Arc::clone(input))),
            Subject::Tree { tree, phases } => {
                RecordedSearch::Tree(TreeSearch::new(phases.clone(), Arc::clone(tree), Spacing::Picireny))
            }
        }
    }

    /// How it was run, with one job.
    pub fn settings(&self) -> RunSettings {
        self.settings
    }

    /// Runs nub in its place.
    ///
    /// # Errors
    /// If the run breaks off, which is no difference but a defect.
    pub fn repeat(&self, jobs: usize) -> Result<Repetition> {
        let unknown = AtomicUsize::new(0);
        let test = ClosureTest(|bytes: &[u8]| match self.oracle.is_interesting(bytes) {
            Some(true) => Outcome::Interesting,
            Some(false) => Outcome::Uninteresting,
            None => {
                unknown.fetch_add(1, Ordering::Relaxed);
                Outcome::Uninteresting
            }
        });
        let mut trace = Trace::default();
        let settings = RunSettings { jobs, ..self.settings };
        let finished = Reduction::new(self.search(), settings, &mut trace).run(&test, &Interrupt::new())?;
        ensure!(finished.complete, "nobody has interrupted it");
        let output = finished.end.content.to_vec();
        let mut differences = vec![];
        let mut compare = |what: &str, ours: String, recorded: String| {
            if ours != recorded {
                differences.push(format!("{what}: {ours}, recorded {recorded}"));
            }
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        compare("result", text(&output), text(&self.expected.output));
        let (tests, cache_hits) = (finished.counts.tests, finished.counts.cache_hits);
        let expected = &self.expected;
        if jobs == 1 {
            compare("tests", tests.to_string(), expected.tests.to_string());
            compare("cache hits", cache_hits.to_string(), expected.cache_hits.to_string());
            let unknown = unknown.into_inner().to_string();
            compare("candidates that are not in the recording", unknown, 0.to_string());
        } else {
            let decisive = expected.tests + expected.cache_hits;
            compare("decisive candidates", finished.counts.decisive.to_string(), decisive.to_string());
        }
        // Which of two equal candidates is the one that is tested depends on the number of jobs.
        if jobs == 1 {
            let (ours, recorded) = match &expected.sequence {
                Sequence::Labels(hash) => (trace.labels(), hash),
                Sequence::Texts(hash) => (trace.texts(), hash),
                Sequence::Words(words) => (trace.words(), words),
            };
            compare("sequence", ours, recorded.clone());
        }
        let decided = hex(&trace.decided.finalize());
        Ok(Repetition { tests, cache_hits, output, decided, differences })
    }
}

/// What was decided.
#[derive(Default)]
struct Trace {
    /// The executed tests that mattered: label, candidate, outcome.
    tested: Vec<(String, Edit, char)>,
    /// Of all candidates.
    decided: Sha256,
}

impl Observer for Trace {
    fn settled(&mut self, settled: &Settled, _: &Counts) -> Result<(), ObserverError> {
        for candidate in &settled.candidates {
            let letter = if candidate.outcome.is_interesting() { 'F' } else { 'P' };
            self.decided.update(format!("{}{letter}", candidate.label));
            self.decided.update(candidate.edit.content.to_vec());
            if candidate.source != Source::Cache {
                self.tested.push((candidate.label.to_string(), candidate.edit.clone(), letter));
            }
        }
        Ok(())
    }
}

impl Trace {
    fn labels(&self) -> String {
        let line = |(label, _, letter): &(String, Edit, char)| {
            // The recorded runs have one pass and do not count it.
            format!("{}:{letter}\n", label.strip_prefix("a0_").unwrap_or(label))
        };
        hex(&Sha256::digest(self.tested.iter().map(line).collect::<String>()))
    }

    fn texts(&self) -> String {
        let mut hash = Sha256::new();
        for (_, edit, letter) in &self.tested {
            hash.update([&[*letter as u8][..], &edit.content.to_vec(), b"\0"].concat());
        }
        hex(&hash.finalize())
    }

    fn words(&self) -> String {
        let words: Vec<String> =
            self.tested.iter().map(|(_, edit, letter)| format!("{}{letter}", word(&edit.content.to_vec()))).collect();
        words.join(" ")
    }
}
