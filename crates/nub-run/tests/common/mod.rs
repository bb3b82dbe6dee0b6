//! What several tests need: recorded data, and searches run to their end with a function as the test.
#![allow(dead_code, reason = "every test uses a part of it")]

pub(crate) mod tree;

use nub_core::{Edit, Order, Search};
use nub_run::{
    Counts, Finished, Interrupt, Observer, ObserverError, Outcome, Reduction, RunSettings, Settled, Source,
    test::ClosureTest,
};
use std::{fs, io::Read, path::Path};

/// One of the recordings in `tests/data`.
pub(crate) fn data(name: &str) -> serde_json::Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let mut json = String::new();
    let file = fs::File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    flate2::read::GzDecoder::new(file).read_to_string(&mut json).unwrap();
    serde_json::from_str(&json).unwrap()
}

/// What was settled, in order: label, verdict, source, text.
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

/// Bytes as the recordings spell them.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An order as the recordings name it.
pub(crate) fn order(value: &serde_json::Value) -> Order {
    match value.as_str() {
        Some("forward") => Order::Forward,
        Some("backward") => Order::Backward,
        Some("skip") => Order::Skip,
        other => panic!("unknown iterator {other:?}"),
    }
}
