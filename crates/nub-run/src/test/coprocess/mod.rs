//! A program that answers for many candidates: one process per worker.
//!
//! Starting a process takes most of a millisecond, starting an interpreter dozens, starting a virtual machine hundreds;
//! querying a process that is already running takes microseconds. The protocol is as small as it can be. Each line on
//! the program's standard input is the path of a candidate; for each, the program writes one line to its standard
//! output: `1` (interesting), `0` (not) or `?` (no answer). Its standard error is shown when it fails.
//!
//! Four things can go wrong:
//!
//! - It *crashes* (or closes its output, or answers something else). It is killed with all its descendants, restarted,
//!   and asked once more; the candidate is unresolved only if that fails too. After many crashes in a row without a
//!   single outcome, the run stops.
//! - It *hangs*. It is killed after the time-out, and the candidate is unresolved. It is not asked again, since it
//!   would hang again.
//! - It *answers without being asked*. Such an answer would be taken for the answer to the next question, so this
//!   counts as a crash, even though the last answer was fine.
//! - Its outcome is *no longer needed*. It cannot be interrupted without losing the time spent on starting it, so nub
//!   waits for the stale outcome, but no longer than a restart would take (and at least a tenth of a second). So at
//!   most twice the unavoidable time is lost. A process that has not given its first outcome yet gets more time:
//!   killing it would mean starting over, perhaps for ever.

mod process;

use super::{
    Cancel, Details, Report, Runner, Setup, Stop, Test,
    descendants::{Children, StartError, wait_for},
    predicate::signal_name,
    program,
    program::quote,
    scratch::{Placed, WorkerDirectory},
};
use crate::{Outcome, Unresolved};
use nub_core::Content;
use process::{Answer, Coprocess, Crash, Question};
use rustix::process::Signal;
use std::{
    ffi::{OsStr, OsString},
    io,
    os::unix::{ffi::OsStrExt, process::ExitStatusExt},
    path::Path,
    process::ExitStatus,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

const SHELL: &str = "/bin/sh";
/// How long it may take to exit after its input has ended.
const FAREWELL: Duration = Duration::from_millis(100);
/// The run stops after this many crashes in a row without an outcome.
const HOPELESS: u32 = 20;

/// A test that queries a long-lived process.
#[derive(Clone, Debug)]
pub struct CoprocessTest {
    setup: Setup,
    command: OsString,
    name: OsString,
    /// The slowest start of any worker's process, up to its first outcome, in nanoseconds. 0 if there is none yet.
    startup: Arc<AtomicU64>,
    detailed: bool,
}

impl CoprocessTest {
    /// `command` is run by the shell, in nub's own working directory, with `TMPDIR` set.
    pub fn new(setup: &Setup, command: &OsStr) -> io::Result<Self> {
        let has_newline = |text: &OsStr| text.as_bytes().contains(&b'\n');
        if has_newline(setup.scratch.path().as_os_str()) {
            let what = "the path of the directory for candidates contains a line break, which the protocol of \
                        co-processes does not allow (choose another place with --temp-dir)";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let mut name = setup.name.clone();
        if has_newline(&name) {
            name = OsString::from("input");
            if let Some(extension) = Path::new(&setup.name).extension().filter(|extension| !has_newline(extension)) {
                name.push(".");
                name.push(extension);
            }
        }
        Ok(Self { setup: setup.clone(), command: shell_line(command), name, startup: Arc::default(), detailed: false })
    }

    /// The same test with [`Report::details`]: what it recently printed on standard error.
    #[must_use]
    pub fn detailed(&self) -> Self {
        Self { detailed: true, ..self.clone() }
    }

    /// A shell command that asks the co-process about a candidate, for the user to run by hand.
    pub fn shell_command(&self, candidate: &Path) -> String {
        format!("printf '%s\\n' {} | sh -c {}", quote(candidate.as_os_str()), quote(&self.command))
    }
}

/// The line for the shell. A simple command replaces the shell, which saves a process; `exec` would break anything else
/// (`cd x && y`, `VAR=1 x`, `while …`).
fn shell_line(command: &OsStr) -> OsString {
    let bytes = command.as_bytes().trim_ascii();
    let first = bytes.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let special = |bytes: &[u8], set: &[u8]| bytes.iter().any(|byte| set.contains(byte));
    const KEYWORDS: [&[u8]; 9] = [b"exec", b"if", b"while", b"until", b"for", b"case", b"!", b"cd", b"."];
    let complex = special(bytes, b";&|<>()\n#`") || special(first, b"={}$") || KEYWORDS.contains(&first);
    let mut line = OsString::from(if complex || bytes.is_empty() { "" } else { "exec " });
    line.push(command);
    line
}

impl Test for CoprocessTest {
    fn runner(&self, worker: usize) -> io::Result<Box<dyn Runner + '_>> {
        Ok(Box::new(CoprocessRunner {
            test: self,
            directory: self.setup.scratch.worker(worker, &self.name)?,
            children: Children::open(),
            process: None,
            crashes: 0,
            request: Vec::new(),
            buffer: vec![0; 64 << 10],
        }))
    }
}

struct CoprocessRunner<'a> {
    test: &'a CoprocessTest,
    directory: WorkerDirectory,
    children: Children,
    process: Option<Coprocess>,
    /// The number of crashes in a row.
    crashes: u32,
    request: Vec<u8>,
    buffer: Vec<u8>,
}

impl Runner for CoprocessRunner<'_> {
    fn run(&mut self, candidate: &dyn Content, cancel: &Cancel) -> Result<Report, Stop> {
        if cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        let placed = self.directory.place(candidate)?;
        let result = self.run_placed(&placed, cancel);
        self.directory.clear(&placed);
        result
    }
}

impl CoprocessRunner<'_> {
    fn run_placed(&mut self, placed: &Placed, cancel: &Cancel) -> Result<Report, Stop> {
        self.request.clear();
        self.request.extend_from_slice(placed.file.as_os_str().as_bytes());
        self.request.push(b'\n');
        let start = Instant::now();
        let mut asked_before = false;
        loop {
            let asked = Instant::now();
            let (outcome, not_started) = match self.ask(asked, cancel)? {
                Answer::Outcome(outcome) => {
                    self.crashes = 0;
                    // Only the time of this question: a crash before it is no reason to allow others more time.
                    self.test.setup.time.observe(outcome, asked.elapsed());
                    (outcome, None)
                }
                Answer::TimedOut => (Outcome::Unresolved(Unresolved::TimedOut), None),
                Answer::Cancelled { busy } => {
                    if busy {
                        self.discard();
                    }
                    return Err(Stop::Cancelled);
                }
                Answer::Crashed(crash) => {
                    let message = self.bury(crash);
                    self.crashes += 1;
                    if self.crashes >= HOPELESS {
                        let what = format!("the co-process failed {HOPELESS} times in a row");
                        return Err(Stop::Fatal { what, source: io::Error::other(message) });
                    }
                    if cancel.is_cancelled() {
                        return Err(Stop::Cancelled);
                    }
                    if !asked_before {
                        asked_before = true;
                        continue;
                    }
                    (Outcome::Unresolved(Unresolved::NotStarted), Some(message))
                }
            };
            let elapsed = start.elapsed();
            let details = (self.test.detailed || not_started.is_some())
                .then(|| Box::new(Details { stderr: self.stderr(), not_started, ..Details::default() }));
            if outcome == Outcome::Unresolved(Unresolved::TimedOut) {
                self.discard();
            }
            return Ok(Report { outcome, elapsed, details });
        }
    }

    /// Sends the request and waits for the outcome.
    fn ask(&mut self, asked: Instant, cancel: &Cancel) -> Result<Answer, Stop> {
        let limit = self.test.setup.time.current();
        let process = match &mut self.process {
            Some(process) => process,
            empty => match Coprocess::start(self.test, self.directory.tmp()) {
                Ok(process) => empty.insert(process),
                Err(StartError::Program(error)) => {
                    let message = program::diagnose(Path::new(SHELL), &error);
                    return Ok(Answer::Crashed(Crash::NotStarted(message)));
                }
                Err(StartError::System(source)) => {
                    let what = "cannot start the co-process (fewer --jobs may help)".to_owned();
                    return Err(Stop::Fatal { what, source });
                }
            },
        };
        let grace = process.grace(&self.test.startup);
        let question = Question { request: &self.request, cancel, asked, limit, grace };
        let answer = process
            .ask(&question, &mut self.children, &mut self.buffer)
            .map_err(|source| Stop::Fatal { what: "cannot talk to the co-process".to_owned(), source })?;
        if process.fresh && matches!(answer, Answer::Outcome(_) | Answer::Cancelled { busy: false }) {
            process.fresh = false;
            let took = u64::try_from(process.started.elapsed().as_nanos()).unwrap_or(u64::MAX);
            self.test.startup.fetch_max(took, Ordering::Relaxed);
        }
        Ok(answer)
    }

    fn stderr(&mut self) -> Vec<u8> {
        let Some(process) = &mut self.process else { return Vec::new() };
        process.stderr.finish(&mut self.buffer);
        process.stderr.kept.text().into_owned()
    }

    /// Removes what is left of a crashed process, and describes the crash.
    fn bury(&mut self, crash: Crash) -> String {
        let mut stderr = Vec::new();
        let mut status = None;
        if let Some(mut process) = self.process.take() {
            // It may be just about to exit; if it were killed, its exit status would be lost.
            let _ = wait_for(process.family.pidfd(), Some(FAREWELL));
            status = process.family.end(&mut self.children);
            process.stderr.finish(&mut self.buffer);
            stderr = process.stderr.kept.text().into_owned();
        }
        self.directory.clear_tmp();
        let why = match crash {
            Crash::Ended => describe(status),
            Crash::Said(what) | Crash::NotStarted(what) => what,
        };
        let command = self.test.command.to_string_lossy();
        let command = command.strip_prefix("exec ").unwrap_or(&command);
        match String::from_utf8_lossy(stderr.trim_ascii()) {
            nothing if nothing.is_empty() => format!("`{command}`: {why}; it printed nothing on standard error"),
            stderr => format!("`{command}`: {why}; it printed on standard error:\n{stderr}"),
        }
    }

    /// Kills the process and its descendants, and removes their temporary files.
    fn discard(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.family.end(&mut self.children);
        }
        self.directory.clear_tmp();
    }
}

fn describe(status: Option<ExitStatus>) -> String {
    match (status.and_then(|s| s.code()), status.and_then(|s| s.signal())) {
        (Some(code), _) => format!("it ended with exit code {code}"),
        (None, Some(signal)) if signal != Signal::KILL.as_raw() => format!("it was killed by {}", signal_name(signal)),
        // Perhaps killed by us.
        _ => "it closed its standard output".to_owned(),
    }
}

impl Drop for CoprocessRunner<'_> {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            process.stdin = None;
            let _ = wait_for(process.family.pidfd(), Some(FAREWELL));
        }
        self.discard();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_commands_replace_the_shell() {
        for (command, line) in [
            ("python3 worker.py --fast", "exec python3 worker.py --fast"),
            ("./worker 'a b'", "exec ./worker 'a b'"),
            ("cd x && ./worker", "cd x && ./worker"),
            ("VAR=1 ./worker", "VAR=1 ./worker"),
            ("while read x; do echo 0; done", "while read x; do echo 0; done"),
            ("exec ./worker", "exec ./worker"),
            ("a | b", "a | b"),
            ("", ""),
        ] {
            assert_eq!(shell_line(OsStr::new(command)), line);
        }
    }
}
