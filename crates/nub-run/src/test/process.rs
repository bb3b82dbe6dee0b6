//! A user's program as the test: one process per candidate.
//!
//! There are two forms. A *script* receives the path of the candidate as its last argument and answers with its exit
//! code. A *command* has `{}` in the place of the path, and built-in [conditions](Predicate) examine how it ended and
//! what it printed.
//!
//! Both can find the candidate in three ways, so that tests written for other reducers work unchanged: as an argument,
//! in the working directory under its own name, and on standard input.
//!
//! A worker waits for its child in one `poll`: on the child (as a file descriptor, so there is no signal handler and
//! nothing to race with), on the pipes, on the cancel flag, and on the clock. Then the whole
//! [family](super::descendants) of the child is killed, always: a test that is over must leave nothing running.

use super::{
    Cancel, Details, Limits, Report, Run, Runner, Scratch, Stop, Test, TimeLimit,
    capture::Captured,
    descendants::{Children, Family, StartError, poll_until},
    predicate::{Ending, Predicate},
    program::{self, First},
    scratch::{Placed, WorkerDirectory, base_name},
};
use crate::{Outcome, Unresolved};
use nub_core::Content;
use rustix::event::{PollFd, PollFlags};
use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io,
    os::unix::{
        ffi::{OsStrExt, OsStringExt},
        process::ExitStatusExt,
    },
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

/// How often to reap orphans during a long test.
const HOUSEKEEPING: Duration = Duration::from_secs(1);
/// How many bytes are read from a pipe at a time.
const BUFFER: usize = 256 << 10;

/// The exit code that means "cannot be tested", as in `git bisect run`.
const SKIP: i32 = 125;

/// What every test that runs outside this process needs.
#[derive(Clone, Debug)]
pub struct Setup {
    pub(super) run: Arc<Run>,
    pub(super) scratch: Arc<Scratch>,
    pub(super) name: OsString,
    pub(super) time: Arc<TimeLimit>,
    pub(super) memory: Option<u64>,
}

impl Setup {
    /// `input` is the input's path or name; candidates get its last component.
    pub fn new(run: &Arc<Run>, scratch: &Arc<Scratch>, input: &OsStr, limits: Limits) -> Self {
        Self {
            run: Arc::clone(run),
            scratch: Arc::clone(scratch),
            name: base_name(input),
            time: Arc::new(TimeLimit::new(limits.timeout)),
            memory: limits.memory,
        }
    }

    /// The current limit on the time of a test.
    pub fn time_limit(&self) -> &TimeLimit {
        &self.time
    }
}

/// A test that runs a program for every candidate.
#[derive(Clone, Debug)]
pub struct ProcessTest {
    setup: Setup,
    program: PathBuf,
    args: Vec<Argument>,
    /// `None` for a script.
    predicate: Option<Arc<Predicate>>,
    detailed: bool,
    /// Whether exit code 125 means that there is no answer.
    skips: bool,
}

/// The text between the places where the path of the candidate is inserted.
#[derive(Clone, Debug)]
struct Argument(Vec<OsString>);

impl Argument {
    /// An argument with `{}` in it.
    fn template(text: &OsStr) -> Self {
        let mut pieces = Vec::new();
        let mut rest = text.as_bytes();
        while let Some(at) = rest.windows(2).position(|pair| pair == b"{}") {
            pieces.push(OsString::from_vec(rest[..at].to_vec()));
            rest = &rest[at + 2..];
        }
        pieces.push(OsString::from_vec(rest.to_vec()));
        Self(pieces)
    }

    fn with(&self, path: &Path) -> OsString {
        let mut pieces = self.0.iter();
        let mut whole = pieces.next().cloned().unwrap_or_default();
        for piece in pieces {
            whole.push(path);
            whole.push(piece);
        }
        whole
    }
}

impl ProcessTest {
    /// A script: it receives `args` and then the path of the candidate; exit code 0 means interesting.
    ///
    /// A name without `/` is looked up in the working directory first and then in `PATH`.
    pub fn script(setup: &Setup, program: &OsStr, args: Vec<OsString>) -> Self {
        let mut args: Vec<_> = args.into_iter().map(|arg| Argument(vec![arg])).collect();
        args.push(Argument(vec![OsString::new(), OsString::new()]));
        let program = program::resolve(program, First::WorkingDirectory);
        Self { setup: setup.clone(), program, args, predicate: None, detailed: false, skips: false }
    }

    /// A command: every `{}` in its `args` stands for the absolute path of the candidate; `predicate` decides.
    pub fn command(setup: &Setup, program: &OsStr, args: &[OsString], predicate: Predicate) -> Self {
        let args = args.iter().map(|arg| Argument::template(arg)).collect();
        let program = program::resolve(program, First::SearchPath);
        Self {
            setup: setup.clone(),
            program,
            args,
            predicate: Some(Arc::new(predicate)),
            detailed: false,
            skips: false,
        }
    }

    /// The same test with [`Report::details`]: slower, since it reads everything that is printed.
    #[must_use]
    pub fn detailed(&self) -> Self {
        Self { detailed: true, ..self.clone() }
    }

    /// The same test, except that exit code 125 means no answer, as in `git bisect run`, unless it makes the candidate
    /// interesting.
    #[must_use]
    pub fn skipping(self) -> Self {
        Self { skips: true, ..self }
    }

    /// A shell command that runs the test on a candidate, for the user to run by hand.
    pub fn shell_command(&self, candidate: &Path) -> String {
        let directory = candidate.parent().unwrap_or(Path::new("/"));
        let mut line =
            format!("cd {} && {}", program::quote(directory.as_os_str()), program::quote(self.program.as_os_str()));
        for arg in &self.args {
            line.push(' ');
            line.push_str(&program::quote(&arg.with(candidate)));
        }
        line.push_str(" < ");
        line.push_str(&program::quote(candidate.as_os_str()));
        line
    }

    fn judge(&self, status: Option<ExitStatus>, stdout: &[u8], stderr: &[u8]) -> Outcome {
        let ending =
            status.and_then(|status| status.code().map(Ending::Exited).or_else(|| status.signal().map(Ending::Killed)));
        let outcome = match (ending, &self.predicate) {
            // It could not be reaped: something else in this process waits for all children.
            (None, _) => Outcome::Unresolved(Unresolved::Killed),
            (Some(ending), Some(predicate)) => predicate.judge(ending, stdout, stderr),
            (Some(Ending::Exited(0)), None) => Outcome::Interesting,
            (Some(Ending::Exited(_)), None) => Outcome::Uninteresting,
            (Some(Ending::Killed(_)), None) => Outcome::Unresolved(Unresolved::Killed),
        };
        match outcome {
            Outcome::Uninteresting if self.skips && ending == Some(Ending::Exited(SKIP)) => {
                Outcome::Unresolved(Unresolved::Skipped)
            }
            outcome => outcome,
        }
    }
}

impl Test for ProcessTest {
    fn runner(&self, worker: usize) -> io::Result<Box<dyn Runner + '_>> {
        let reads = |needs: fn(&Predicate) -> bool| self.detailed || self.predicate.as_deref().is_some_and(needs);
        Ok(Box::new(ProcessRunner {
            test: self,
            directory: self.setup.scratch.worker(worker, &self.setup.name)?,
            previous: None,
            children: Children::open(),
            reads_stdout: reads(Predicate::needs_stdout),
            reads_stderr: reads(Predicate::needs_stderr),
            null: File::options().write(true).open("/dev/null")?,
            buffer: Vec::new(),
        }))
    }
}

struct ProcessRunner<'a> {
    test: &'a ProcessTest,
    directory: WorkerDirectory,
    /// The previous candidate. Its files are removed while the next test runs: that takes as long as writing them, and
    /// now it delays nothing.
    previous: Option<Placed>,
    children: Children,
    reads_stdout: bool,
    reads_stderr: bool,
    /// Duplicated for each child, which is cheaper than opening it twice each time.
    null: File,
    buffer: Vec<u8>,
}

/// Why a worker stopped waiting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wakeup {
    Exited,
    TimedOut,
    Cancelled,
}

impl Runner for ProcessRunner<'_> {
    fn run(&mut self, candidate: &dyn Content, cancel: &Cancel) -> Result<Report, Stop> {
        if cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        let placed = self.directory.place(candidate)?;
        let result = self.run_placed(&placed, cancel);
        self.directory.clear_tmp();
        self.clear_previous();
        self.previous = Some(placed);
        result
    }
}

impl Drop for ProcessRunner<'_> {
    fn drop(&mut self) {
        self.clear_previous();
    }
}

impl ProcessRunner<'_> {
    fn clear_previous(&mut self) {
        if let Some(previous) = self.previous.take() {
            self.directory.clear(&previous);
        }
    }

    fn run_placed(&mut self, placed: &Placed, cancel: &Cancel) -> Result<Report, Stop> {
        let setup = &self.test.setup;
        let mut command = self.command(placed)?;
        let limit = setup.time.current();
        let start = Instant::now();
        let mut family = match Family::start(&setup.run, &mut command, Some(&placed.directory), setup.memory) {
            Ok(family) => family,
            Err(StartError::Program(error)) => {
                let not_started = Some(program::diagnose(&self.test.program, &error));
                let details = Some(Box::new(Details { not_started, ..Details::default() }));
                let outcome = Outcome::Unresolved(Unresolved::NotStarted);
                return Ok(Report { outcome, elapsed: start.elapsed(), details });
            }
            Err(StartError::System(source)) => {
                let what = format!("cannot start {} (fewer --jobs may help)", self.test.program.display());
                return Err(Stop::Fatal { what, source });
            }
        };
        // Closes our copies of the child's descriptors.
        drop(command);
        self.clear_previous();
        let unreadable = |source| Stop::Fatal { what: "cannot read what the test prints".to_owned(), source };
        let mut stdout = family.head().stdout.take().map(Captured::new).transpose().map_err(unreadable)?;
        let mut stderr = family.head().stderr.take().map(Captured::new).transpose().map_err(unreadable)?;
        if (stdout.is_some() || stderr.is_some()) && self.buffer.is_empty() {
            self.buffer = vec![0; BUFFER];
        }
        let wakeup =
            wait(&family, [&mut stdout, &mut stderr], cancel, start, limit, &mut self.children, &mut self.buffer)
                .map_err(|source| Stop::Fatal { what: "cannot wait for the test".to_owned(), source })?;
        let elapsed = start.elapsed();
        let status = family.end(&mut self.children);
        // Only now: what is in the pipes is all that there will ever be.
        for pipe in [&mut stdout, &mut stderr].into_iter().flatten() {
            pipe.finish(&mut self.buffer);
        }
        if wakeup == Wakeup::Cancelled {
            return Err(Stop::Cancelled);
        }
        let stdout = stdout.as_ref().map(|pipe| pipe.kept.text()).unwrap_or_default();
        let stderr = stderr.as_ref().map(|pipe| pipe.kept.text()).unwrap_or_default();
        let outcome = match wakeup {
            Wakeup::TimedOut => Outcome::Unresolved(Unresolved::TimedOut),
            _ => self.test.judge(status, &stdout, &stderr),
        };
        setup.time.observe(outcome, elapsed);
        let details = self.test.detailed.then(|| {
            Box::new(Details {
                exit_code: status.and_then(|status| status.code()),
                signal: status.and_then(|status| status.signal()),
                stdout: stdout.into_owned(),
                stderr: stderr.into_owned(),
                not_started: None,
            })
        });
        Ok(Report { outcome, elapsed, details })
    }

    fn command(&self, placed: &Placed) -> Result<Command, Stop> {
        let output = |read: bool| {
            if read {
                return Ok(Stdio::piped());
            }
            let null = self.null.try_clone();
            null.map(Stdio::from).map_err(|source| Stop::Fatal { what: "cannot start a test".to_owned(), source })
        };
        // The environment is inherited rather than listed: the standard library copies it on every start either way,
        // and a list would have to be copied once more for every command.
        let mut command = Command::new(&self.test.program);
        command
            .args(self.test.args.iter().map(|arg| arg.with(&placed.file)))
            .current_dir(&placed.directory)
            .env("TMPDIR", self.directory.tmp())
            .stdin(self.directory.open(placed)?)
            .stdout(output(self.reads_stdout)?)
            .stderr(output(self.reads_stderr)?);
        Ok(command)
    }
}

/// Waits until the test ends, times out or is cancelled, and reads its output meanwhile.
fn wait(
    family: &Family,
    mut pipes: [&mut Option<Captured>; 2],
    cancel: &Cancel,
    start: Instant,
    limit: Duration,
    children: &mut Children,
    buffer: &mut [u8],
) -> io::Result<Wakeup> {
    let mut housekeeping = HOUSEKEEPING;
    loop {
        let elapsed = start.elapsed();
        if elapsed >= limit {
            return Ok(Wakeup::TimedOut);
        }
        if elapsed >= housekeeping {
            family.housekeeping(children);
            housekeeping = elapsed + HOUSEKEEPING;
        }
        let left = limit.min(housekeeping).saturating_sub(elapsed);
        let ready = {
            // A pipe that does not exist is replaced by the child's descriptor, to keep the positions.
            let polled = |fd| PollFd::from_borrowed_fd(fd, PollFlags::IN);
            let [out, err] = pipes.each_ref().map(|pipe| pipe.as_ref().and_then(Captured::fd));
            let mut fds = [
                polled(family.pidfd()),
                polled(cancel.fd()),
                polled(out.unwrap_or(family.pidfd())),
                polled(err.unwrap_or(family.pidfd())),
            ];
            let count = if out.is_some() || err.is_some() { 4 } else { 2 };
            poll_until(&mut fds[..count], Some(left))?;
            fds.map(|fd| !fd.revents().is_empty())
        };
        if ready[0] {
            return Ok(Wakeup::Exited);
        }
        if ready[1] && cancel.is_cancelled() {
            return Ok(Wakeup::Cancelled);
        }
        for (pipe, ready) in pipes.iter_mut().zip(&ready[2..]) {
            if let (true, Some(pipe)) = (*ready, pipe.as_mut()) {
                pipe.take(buffer);
            }
        }
    }
}
