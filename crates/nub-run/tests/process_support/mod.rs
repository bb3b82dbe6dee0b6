//! Shared by the tests with real processes.
#![allow(dead_code, unreachable_pub)]

use nub_run::{
    Outcome,
    test::{Cancel, Limits, ProcessTest, Report, Run, Scratch, Setup, Stop, Test, Timeout, processes_of},
};
use std::{
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

/// A run with a scratch directory, and a separate directory in which tests can leave notes. When it is dropped, no
/// process of the run may be left, and no file in the scratch directory.
pub struct Place {
    pub run: Arc<Run>,
    pub scratch: Arc<Scratch>,
    pub notes: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self {
            run: Run::begin(),
            scratch: Arc::new(Scratch::create(None, 0).unwrap()),
            notes: tempfile::tempdir().unwrap(),
        }
    }

    pub fn setup(&self, limits: Limits) -> Setup {
        Setup::new(&self.run, &self.scratch, OsStr::new("/some/where/input.c"), limits)
    }

    /// A shell script that finds the candidate in `$1`, and the directory for notes in `$N`.
    pub fn script(&self, body: &str) -> ProcessTest {
        self.script_with(body, generous())
    }

    pub fn script_with(&self, body: &str, limits: Limits) -> ProcessTest {
        ProcessTest::script(&self.setup(limits), OsStr::new("sh"), self.shell_args(body))
    }

    pub fn shell_args(&self, body: &str) -> Vec<OsString> {
        let body = format!("N='{}'\n{body}", self.notes.path().display());
        ["-c", &body, "script"].map(OsString::from).to_vec()
    }

    pub fn note(&self, name: &str) -> PathBuf {
        self.notes.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.note(name)).unwrap_or_else(|error| panic!("note {name}: {error}")).trim().to_owned()
    }

    /// The process ID that a test noted.
    pub fn process(&self, name: &str) -> i32 {
        self.read(name).parse().unwrap()
    }

    pub fn left(&self) -> Vec<i32> {
        processes_of(self.run.id()).unwrap()
    }

    /// All files in the scratch directory.
    pub fn files(&self) -> Vec<PathBuf> {
        fn visit(directory: &Path, files: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() && !path.is_symlink() {
                    visit(&path, files);
                    let name = path.file_name().unwrap().to_str().unwrap();
                    if !(name == "tmp" || name.starts_with('w')) {
                        files.push(path);
                    }
                } else {
                    files.push(path);
                }
            }
        }
        let mut files = Vec::new();
        visit(self.scratch.path(), &mut files);
        files
    }

    /// Checks that nothing is left.
    pub fn check(&self) {
        let left = self.left();
        let describe = |pid: &i32| fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        assert!(left.is_empty(), "processes left: {:?}", left.iter().map(describe).collect::<Vec<_>>());
        let files = self.files();
        assert!(files.is_empty(), "files left: {files:?}");
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if !thread::panicking() {
            self.check();
        }
    }
}

/// A time limit that no test here should ever reach.
pub fn generous() -> Limits {
    Limits { timeout: Timeout::Fixed(Duration::from_secs(60)), memory: None }
}

pub fn time_limit(milliseconds: u64) -> Limits {
    Limits { timeout: Timeout::Fixed(Duration::from_millis(milliseconds)), memory: None }
}

pub fn try_run(test: &dyn Test, candidate: &[u8]) -> Result<Report, Stop> {
    test.runner(0).unwrap().run(&candidate.to_vec(), &Cancel::new().unwrap())
}

pub fn run(test: &dyn Test, candidate: &[u8]) -> Report {
    try_run(test, candidate).unwrap()
}

pub fn outcome(test: &dyn Test, candidate: &[u8]) -> Outcome {
    run(test, candidate).outcome
}

pub fn is_alive(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}

pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(30), "timed out waiting for {what}");
        thread::sleep(Duration::from_millis(2));
    }
}
