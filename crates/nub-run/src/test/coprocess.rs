//! A program that answers for many candidates: one process per worker.
//!
//! Starting a process takes most of a millisecond, starting an interpreter dozens, starting a virtual machine hundreds;
//! asking a process that is already there takes microseconds. The protocol is as small as it can be: for every line on
//! its standard input, which is the path of a candidate, the program writes one line to its standard output: `1`
//! (interesting), `0` (not) or `?` (cannot say). What it writes to standard error is shown when it breaks down.
//!
//! Things go wrong in four ways:
//!
//! - It *crashes* (or closes its output, or answers something else): it is killed with all its descendants and started
//!   again, and asked once more; the candidate is unresolved only if that fails, too. After many crashes without a
//!   single outcome in between, there is no point in going on.
//! - It *hangs*: killed after the time-out; the candidate is unresolved. It is not asked again: it would hang again.
//! - It *talks out of turn*: an answer to nobody would be taken for the answer to the next question, so it counts as a
//!   crash, even though the last answer was fine.
//! - Its outcome is *no longer needed*. It cannot be interrupted without losing what it was started for, so nub waits
//!   for the stale outcome; but not longer than a new start would take (at least a tenth of a second). Whichever comes first,
//!   at most twice the unavoidable time is lost. One that has not given its first outcome yet gets more time: killing
//!   it would mean to start all over again, perhaps for ever.

use super::{
    Cancel, Details, Report, Runner, Setup, Stop, Test,
    capture::{Captured, HeadTail, set_nonblocking},
    descendants::{Children, Family, StartError, poll_until, wait_for},
    predicate::signal_name,
    program,
    program::quote,
    scratch::{Placed, WorkerDirectory},
};
use crate::{Outcome, Unresolved};
use nub_core::Content;
use rustix::{
    event::{PollFd, PollFlags},
    io::Errno,
    process::Signal,
};
use std::{
    ffi::{OsStr, OsString},
    io,
    os::{
        fd::{AsFd as _, OwnedFd},
        unix::{ffi::OsStrExt, process::ExitStatusExt},
    },
    path::Path,
    process::{Command, ExitStatus, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

const SHELL: &str = "/bin/sh";
/// How long a co-process may take, at least, to finish with a candidate that nobody needs any more.
const GRACE: Duration = Duration::from_millis(100);
/// The same for one that has not given any outcome yet, when it is not known how long a start takes.
const FIRST_GRACE: Duration = Duration::from_secs(10);
/// How long it may take to end when its input does.
const FAREWELL: Duration = Duration::from_millis(100);
/// After so many crashes in a row, without a outcome, there is no point in going on.
const HOPELESS: u32 = 20;
/// How much of its standard error is kept.
const STDERR: usize = 8 << 10;
/// No outcome is that long.
const LONGEST_LINE: usize = 4096;
/// How often to look after orphans during a long test.
const HOUSEKEEPING: Duration = Duration::from_secs(1);

/// A test that asks a long-lived process.
#[derive(Clone, Debug)]
pub struct CoprocessTest {
    setup: Setup,
    command: OsString,
    name: OsString,
    /// The slowest start of any worker's process, up to its first outcome, in nanoseconds. 0: none yet.
    startup: Arc<AtomicU64>,
    detailed: bool,
}

impl CoprocessTest {
    /// `command` is run by the shell, in nub's own working directory, with `TMPDIR` set.
    pub fn new(setup: &Setup, command: &OsStr) -> io::Result<Self> {
        let has_newline = |text: &OsStr| text.as_bytes().contains(&b'\n');
        if has_newline(setup.scratch.path().as_os_str()) {
            let what = "the path of the directory for candidates has a line break in it, which the protocol of \
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

    /// The same test with [`Report::details`]: what it printed on standard error of late.
    #[must_use]
    pub fn detailed(&self) -> Self {
        Self { detailed: true, ..self.clone() }
    }

    /// What to type in a shell to ask the co-process about a candidate by hand.
    pub fn shell_command(&self, candidate: &Path) -> String {
        format!("printf '%s\\n' {} | sh -c {}", quote(candidate.as_os_str()), quote(&self.command))
    }
}

/// The line for the shell. A simple command replaces the shell, so that there is one process less; `exec` would break
/// anything else (`cd x && y`, `VAR=1 x`, `while …`).
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
    /// In a row.
    crashes: u32,
    request: Vec<u8>,
    buffer: Vec<u8>,
}

/// What came of a question.
enum Answer {
    Outcome(Outcome),
    TimedOut,
    /// And whether it is still at work on it.
    Cancelled {
        busy: bool,
    },
    Crashed(Crash),
}

/// Why a co-process is of no use any more.
enum Crash {
    /// It ended, or closed its output.
    Ended,
    /// It broke the protocol.
    Said(String),
    NotStarted(String),
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
                    // Of the question alone: a crash before it is no reason to wait longer for others.
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
                        let what = format!("the co-process broke down {HOPELESS} times in a row");
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
        let answer = process
            .ask(&self.request, cancel, asked, limit, grace, &mut self.children, &mut self.buffer)
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

    /// Removes what is left of a crashed process, and tells its story.
    fn bury(&mut self, crash: Crash) -> String {
        let mut stderr = Vec::new();
        let mut status = None;
        if let Some(mut process) = self.process.take() {
            // It may be just about to end; killed, it could not say how.
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
        // Perhaps by us.
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

/// A process that is there.
struct Coprocess {
    /// `None` once it has been told to end.
    stdin: Option<OwnedFd>,
    stdout: OwnedFd,
    stderr: Captured,
    family: Family,
    line: Vec<u8>,
    started: Instant,
    /// No outcome yet.
    fresh: bool,
}

impl Coprocess {
    fn start(test: &CoprocessTest, tmp: &Path) -> Result<Self, StartError> {
        let started = Instant::now();
        let mut command = Command::new(SHELL);
        command.arg("-c").arg(&test.command).env("TMPDIR", tmp);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut family = Family::start(&test.setup.run, &mut command, None, test.setup.memory)?;
        let head = family.head();
        let (Some(stdin), Some(stdout), Some(stderr)) = (head.stdin.take(), head.stdout.take(), head.stderr.take())
        else {
            return Err(StartError::System(io::Error::other("no pipes")));
        };
        let (stdin, stdout) = (OwnedFd::from(stdin), OwnedFd::from(stdout));
        let stderr = set_nonblocking(&stdin)
            .and_then(|()| set_nonblocking(&stdout))
            .and_then(|()| Captured::keeping(stderr, HeadTail::new(0, STDERR)))
            .map_err(StartError::System)?;
        Ok(Self { stdin: Some(stdin), stdout, stderr, family, line: Vec::new(), started, fresh: true })
    }

    /// How long to wait for a outcome nobody needs.
    fn grace(&self, startup: &AtomicU64) -> Duration {
        match (self.fresh, Duration::from_nanos(startup.load(Ordering::Relaxed))) {
            (true, Duration::ZERO) => FIRST_GRACE,
            (true, startup) => (2 * startup).max(GRACE),
            (false, startup) => startup.max(GRACE),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn ask(
        &mut self,
        request: &[u8],
        cancel: &Cancel,
        asked: Instant,
        limit: Duration,
        grace: Duration,
        children: &mut Children,
        buffer: &mut [u8],
    ) -> io::Result<Answer> {
        self.line.clear();
        // An answer that is there before the question is none.
        match rustix::io::read(&self.stdout, &mut *buffer) {
            Ok(0) => return Ok(Answer::Crashed(Crash::Ended)),
            Ok(n) => return Ok(Answer::Crashed(Crash::Said(unasked(&buffer[..n])))),
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let Some(stdin) = &self.stdin else { return Ok(Answer::Crashed(Crash::Ended)) };
        let mut unsent = request;
        let mut cancelled: Option<Duration> = None;
        let mut housekeeping = HOUSEKEEPING;
        loop {
            if !unsent.is_empty() {
                match rustix::io::write(stdin, unsent) {
                    Ok(n) => unsent = &unsent[n..],
                    Err(Errno::AGAIN | Errno::INTR) => {}
                    Err(Errno::PIPE) => return Ok(Answer::Crashed(Crash::Ended)),
                    Err(error) => return Err(error.into()),
                }
            }
            let elapsed = asked.elapsed();
            let until = cancelled.map_or(limit, |since| limit.min(since + grace));
            if elapsed >= until {
                return Ok(if cancelled.is_some() { Answer::Cancelled { busy: true } } else { Answer::TimedOut });
            }
            if elapsed >= housekeeping {
                self.family.housekeeping(children);
                housekeeping = elapsed + HOUSEKEEPING;
            }
            let ready = {
                // What need not be waited for keeps its place as a second look at the process.
                let polled = |fd| PollFd::from_borrowed_fd(fd, PollFlags::IN);
                let process = self.family.pidfd();
                let mut fds = [
                    polled(self.stdout.as_fd()),
                    polled(process),
                    polled(self.stderr.fd().unwrap_or(process)),
                    polled(if cancelled.is_some() { process } else { cancel.fd() }),
                    PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::OUT),
                ];
                let count = if unsent.is_empty() { 4 } else { 5 };
                poll_until(&mut fds[..count], Some(until.min(housekeeping).saturating_sub(elapsed)))?;
                fds.map(|fd| !fd.revents().is_empty())
            };
            if ready[0] || ready[1] {
                match rustix::io::read(&self.stdout, &mut *buffer) {
                    Ok(0) => return Ok(Answer::Crashed(Crash::Ended)),
                    Ok(n) => self.line.extend_from_slice(&buffer[..n]),
                    Err(Errno::INTR) => {}
                    Err(Errno::AGAIN) if ready[1] => return Ok(Answer::Crashed(Crash::Ended)),
                    Err(Errno::AGAIN) => {}
                    Err(error) => return Err(error.into()),
                }
                if let Some(end) = self.line.iter().position(|byte| *byte == b'\n') {
                    return Ok(match parse(&self.line[..end]) {
                        _ if end + 1 < self.line.len() => Answer::Crashed(Crash::Said(unasked(&self.line[end + 1..]))),
                        _ if !unsent.is_empty() => Answer::Crashed(Crash::Said(unasked(&self.line))),
                        None => Answer::Crashed(Crash::Said(not_a_outcome(&self.line[..end]))),
                        Some(_) if cancelled.is_some() => Answer::Cancelled { busy: false },
                        Some(outcome) => Answer::Outcome(outcome),
                    });
                }
                if self.line.len() > LONGEST_LINE {
                    return Ok(Answer::Crashed(Crash::Said(not_a_outcome(&self.line))));
                }
            }
            if ready[2] {
                self.stderr.take(buffer);
            }
            if ready[3] && cancelled.is_none() && cancel.is_cancelled() {
                cancelled = Some(asked.elapsed());
            }
        }
    }
}

fn parse(line: &[u8]) -> Option<Outcome> {
    match line.trim_ascii() {
        b"1" | b"interesting" => Some(Outcome::Interesting),
        b"0" | b"uninteresting" => Some(Outcome::Uninteresting),
        // It ran, but it has no answer: there is no better word for it among ours.
        b"?" | b"unresolved" => Some(Outcome::Unresolved(Unresolved::NotStarted)),
        _ => None,
    }
}

fn not_a_outcome(line: &[u8]) -> String {
    format!("it answered `{}`, which is none of 1, 0 and ?", excerpt(line))
}

fn unasked(bytes: &[u8]) -> String {
    format!("it wrote `{}` to its standard output without being asked", excerpt(bytes))
}

fn excerpt(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(200)];
    format!("{}{}", shown.trim_ascii().escape_ascii(), if shown.len() < bytes.len() { "…" } else { "" })
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

    #[test]
    fn outcomes() {
        assert_eq!(parse(b" 1\r"), Some(Outcome::Interesting));
        assert_eq!(parse(b"uninteresting"), Some(Outcome::Uninteresting));
        assert_eq!(parse(b"?"), Some(Outcome::Unresolved(Unresolved::NotStarted)));
        for wrong in [&b""[..], b"2", b"01", b"yes", b"\xff"] {
            assert_eq!(parse(wrong), None);
        }
    }
}
