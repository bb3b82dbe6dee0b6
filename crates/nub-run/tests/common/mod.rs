//! What several tests need: recorded data, and searches run to their end with a function as the test.
#![allow(dead_code, reason = "every test uses a part of it")]

pub(crate) mod tree;

use nub_core::{Edit, Search};
use nub_run::{
    Counts, Finished, Interrupt, Observer, ObserverError, Outcome, Reduction, RunSettings, Settled, Source,
    test::ClosureTest,
};
use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

/// One of the recordings in `tests/data`.
pub(crate) fn data(name: &str) -> serde_json::Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let mut json = String::new();
    let file = fs::File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    flate2::read::GzDecoder::new(file).read_to_string(&mut json).unwrap();
    serde_json::from_str(&json).unwrap()
}

/// The folder with other people's material (recorded runs on real inputs), which is not part of the repository. Without
/// it the tests that need it do nothing, except in continuous integration, where they fail.
pub(crate) fn shared() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let path = std::env::var_os("NUB_SHARED").map_or(beside, PathBuf::from);
    if path.join("fidelity").is_dir() {
        return Some(path);
    }
    assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "no recordings at {}; set NUB_SHARED", path.display());
    eprintln!("skipped: no recordings at {}; set NUB_SHARED", path.display());
    None
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
