//! Turns the arguments into a task: the test, the input, and where the result goes.

use crate::{
    algorithm,
    args::{ConditionArgs, IsolateArgs, JournalArgs, PassesExitCode, ReduceArgs, RunningArgs},
};
use anyhow::Result;
use nub_run::test::{
    CoprocessTest, Limits, PassesIf, Predicate, ProcessTest, Run as TestRun, Runner, Scratch, Setup, Test, predicate,
    shell_quote,
};
use std::{
    ffi::{OsStr, OsString},
    fmt, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

/// The command line is wrong.
#[derive(Debug)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (see nub --help)", self.0)
    }
}

impl std::error::Error for Usage {}

fn usage<T>(message: impl Into<String>) -> Result<T> {
    Err(Usage(message.into()).into())
}

/// A run as the arguments describe it, a reduction or an isolation.
pub struct Task {
    /// The file to reduce, or the failing input of an isolation.
    pub input: PathBuf,
    pub test: TestChoice,
    /// The test that must exit with 0 for a candidate to pass.
    pub passes_if: Option<PathBuf>,
    /// Whether exit code 125 means that the candidate is unresolved.
    pub skips: bool,
    pub output: Output,
    pub jobs: usize,
    pub limits: Limits,
    pub temp_dir: Option<PathBuf>,
    pub journal: JournalChoice,
    /// Where the report goes, if there is to be one.
    pub report: Option<PathBuf>,
}

/// The test, as the user chose it.
pub enum TestChoice {
    Script(PathBuf),
    Command(Vec<OsString>, Predicate),
    Worker(OsString),
}

/// Where the result goes.
pub enum Output {
    InPlace { backup: bool },
    File(PathBuf),
    Stdout,
}

/// Where the journal is.
pub struct JournalChoice {
    /// Its path; `None` for no journal.
    pub path: Option<PathBuf>,
    /// Where an interrupted run would have left its journal.
    pub unfinished: PathBuf,
    /// Whether the original will still exist if this run is interrupted.
    pub resumable: bool,
    /// Whether to keep it when the run is complete.
    pub keep: bool,
    pub resume: bool,
    pub restart: bool,
}

impl Task {
    pub fn new(args: &ReduceArgs) -> Result<Self> {
        let (test, input) = positions(args)?;
        let output = match &args.output.output {
            None => Output::InPlace { backup: !args.output.no_backup },
            Some(path) if path.as_os_str() == "-" => Output::Stdout,
            Some(path) => Output::File(path.clone()),
        };
        if args.screen.json && matches!(output, Output::Stdout) {
            return usage("--json and -o - both write to standard output: write the result to a file");
        }
        let beside = match &output {
            Output::File(path) => path,
            Output::InPlace { .. } | Output::Stdout => &input,
        };
        let journal = JournalChoice::new(&args.journal, beside, !args.output.no_backup);
        algorithm::check_names(&args.algorithm)?;
        let task = Self::with(&args.running, test, input, output, journal);
        Ok(Self { report: args.output.report.clone(), ..task })
    }

    /// The task of an isolation.
    pub fn isolation(args: &IsolateArgs) -> Result<Self> {
        let Some(failing) = args.failing.clone() else {
            return usage("the failing input is missing: give --failing FILE");
        };
        if args.passing.is_none() {
            return usage("the passing input is missing: give --passing FILE, or --passing /dev/null for an empty one");
        }
        let test = match (&args.test, &args.running.worker, &args.test_command[..]) {
            (Some(test), None, []) => TestChoice::Script(test.clone()),
            (None, Some(worker), []) => TestChoice::Worker(worker.clone()),
            (None, None, command @ [_, ..]) => {
                let mut predicate = condition(&args.condition)?;
                // A candidate for which the command exits with 0 passes, unless that is the condition for failing.
                let usual = (!predicate.is_success()).then_some(0);
                predicate.passes = args.passes_exit_code.map_or(usual, |PassesExitCode(code)| code);
                TestChoice::Command(command.to_vec(), predicate)
            }
            (None, None, []) => {
                return usage("the TEST is missing: `nub isolate --passing PASSING --failing FAILING TEST`");
            }
            _ => return usage("give only one of TEST, --worker and -- COMMAND"),
        };
        let prefix = args.output.as_ref().unwrap_or(&failing);
        if prefix.as_os_str() == "-" {
            return usage("an isolation has two results, which cannot both go to standard output: give -o a PREFIX");
        }
        let output = Side::Failing.path(prefix);
        let journal = JournalChoice::new(&args.journal, &output, true);
        let task = Self::with(&args.running, test, failing, Output::File(output), journal);
        Ok(Self { passes_if: args.passes_if.clone(), skips: true, ..task })
    }

    fn with(running: &RunningArgs, test: TestChoice, input: PathBuf, output: Output, journal: JournalChoice) -> Self {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        Self {
            test,
            passes_if: None,
            skips: false,
            output,
            jobs: running.jobs.map_or_else(cores, usize::from),
            limits: Limits { timeout: running.timeout, memory: running.memory_limit },
            temp_dir: running.temp_dir.clone(),
            journal,
            report: None,
            input,
        }
    }

    /// A hint for the most common mistake: swapping TEST and INPUT.
    pub fn swapped_hint(&self) -> &'static str {
        let executable = |path: &Path| path.metadata().is_ok_and(|file| file.is_file() && file.mode() & 0o111 != 0);
        match &self.test {
            TestChoice::Script(test) if test.is_file() && !executable(test) && executable(&self.input) => {
                "\nAre the arguments the other way round? The TEST comes first, then the INPUT."
            }
            _ => "",
        }
    }

    /// The name of the place where the result goes.
    pub fn output_name(&self) -> String {
        match &self.output {
            Output::InPlace { .. } => self.input.display().to_string(),
            Output::File(path) => path.display().to_string(),
            Output::Stdout => "standard output".to_owned(),
        }
    }
}

impl JournalChoice {
    /// `beside` is the result. A run whose original is not kept cannot be resumed, so it gets a journal only if the user asks
    /// for one.
    fn new(args: &JournalArgs, beside: &Path, resumable: bool) -> Self {
        let unfinished = args.journal.clone().unwrap_or_else(|| default_journal(beside));
        let useful = resumable || args.resume || args.journal.is_some();
        Self {
            path: (useful && !args.no_journal).then(|| unfinished.clone()),
            unfinished,
            resumable,
            keep: args.journal.is_some(),
            resume: args.resume,
            restart: args.restart,
        }
    }
}

/// One of the two results of an isolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Passing,
    Failing,
}

impl Side {
    /// Its name in messages and events.
    pub fn name(self) -> &'static str {
        match self {
            Self::Passing => "passing",
            Self::Failing => "failing",
        }
    }

    /// The file it is written to: `PREFIX.passing` or `PREFIX.failing`.
    pub fn path(self, prefix: &Path) -> PathBuf {
        with_suffix(prefix, &format!(".{}", self.name()))
    }
}

/// The journal of a run whose result is `path`.
pub fn default_journal(path: &Path) -> PathBuf {
    with_suffix(path, ".nub-journal")
}

/// A path with a suffix appended.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Decides which positional argument is the test and which the input.
fn positions(args: &ReduceArgs) -> Result<(TestChoice, PathBuf)> {
    match (&args.first, &args.second, &args.running.worker, &args.test_command[..]) {
        (Some(test), Some(input), None, []) => Ok((TestChoice::Script(test.clone()), input.clone())),
        (Some(input), None, Some(worker), []) => Ok((TestChoice::Worker(worker.clone()), input.clone())),
        (Some(input), None, None, command @ [_, ..]) => {
            Ok((TestChoice::Command(command.to_vec(), condition(&args.condition)?), input.clone()))
        }
        (Some(_), Some(_), ..) | (Some(_), None, Some(_), [_, ..]) => usage(
            "give only one of TEST, --worker and -- COMMAND; with the latter two, INPUT is the only other argument",
        ),
        (Some(only), None, None, []) => usage(format!(
            "only {} is given, but nub needs a TEST and an INPUT: `nub TEST INPUT` or `nub INPUT -- COMMAND {{}}`",
            only.display()
        )),
        (None, ..) => usage("nub needs a TEST and an INPUT: `nub TEST INPUT` or `nub INPUT -- COMMAND {}`"),
    }
}

fn condition(args: &ConditionArgs) -> Result<Predicate> {
    let regexes = |patterns: &[String]| {
        patterns.iter().map(|pattern| predicate::parse_regex(pattern)).collect::<Result<Vec<_>, _>>()
    };
    let predicate = || -> Result<_, predicate::PredicateError> {
        Ok(Predicate {
            exit_code: args.exit_code,
            signal: args.signal,
            stdout: regexes(&args.stdout)?,
            stderr: regexes(&args.stderr)?,
            output: regexes(&args.output_matches)?,
            not_output: regexes(&args.output_lacks)?,
            passes: None,
        })
    };
    predicate().or_else(|error| usage(error.to_string()))
}

impl fmt::Display for TestChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Script(path) => write!(f, "{}", path.display()),
            Self::Worker(command) => write!(f, "--worker {}", shell_quote(command)),
            Self::Command(command, predicate) => {
                let words: Vec<String> = command.iter().map(|word| shell_quote(word)).collect();
                f.write_str(&words.join(" "))?;
                let regexes = [
                    ("stdout", &predicate.stdout),
                    ("stderr", &predicate.stderr),
                    ("output-matches", &predicate.output),
                    ("output-lacks", &predicate.not_output),
                ];
                for (name, regexes) in regexes {
                    for regex in regexes {
                        write!(f, " --{name} {}", shell_quote(OsStr::new(regex.as_str())))?;
                    }
                }
                if let Some(code) = predicate.exit_code {
                    write!(f, " --exit-code {code}")?;
                }
                if let Some(signal) = predicate.signal {
                    write!(f, " --signal {}", predicate::signal_name(signal))?;
                }
                if let Some(code) = predicate.passes {
                    write!(f, " --passes-exit-code {code}")?;
                }
                Ok(())
            }
        }
    }
}

/// The chosen test, ready to run.
pub enum ReadyTest {
    Process(ProcessTest),
    Coprocess(CoprocessTest),
    /// A test for failing and another for passing.
    PassesIf(Box<PassesIf<ReadyTest, ProcessTest>>),
}

impl Test for ReadyTest {
    fn runner(&self, worker: usize) -> io::Result<Box<dyn Runner + '_>> {
        self.as_test().runner(worker)
    }
}

impl ReadyTest {
    /// Prepares the test; its candidates are written to `scratch`.
    pub fn new(task: &Task, run: &Arc<TestRun>, scratch: &Arc<Scratch>) -> io::Result<(Self, Setup)> {
        let setup = Setup::new(run, scratch, task.input.as_os_str(), task.limits);
        let process = |test: ProcessTest| Self::Process(if task.skips { test.skipping() } else { test });
        let script = |path: &Path| ProcessTest::script(&setup, path.as_os_str(), vec![]);
        let mut test = match &task.test {
            TestChoice::Script(path) => process(script(path)),
            TestChoice::Command(command, predicate) => {
                process(ProcessTest::command(&setup, &command[0], &command[1..], predicate.clone()))
            }
            TestChoice::Worker(command) => Self::Coprocess(CoprocessTest::new(&setup, command)?),
        };
        if let Some(passes) = &task.passes_if {
            test = Self::PassesIf(Box::new(PassesIf { fails: test, passes: script(passes) }));
        }
        Ok((test, setup))
    }

    /// The same test, reporting details of how it ended.
    pub fn detailed(&self) -> Self {
        match self {
            Self::Process(test) => Self::Process(test.detailed()),
            Self::Coprocess(test) => Self::Coprocess(test.detailed()),
            Self::PassesIf(both) => {
                let both = PassesIf { fails: both.fails.detailed(), passes: both.passes.detailed() };
                Self::PassesIf(Box::new(both))
            }
        }
    }

    pub fn as_test(&self) -> &dyn Test {
        match self {
            Self::Process(test) => test,
            Self::Coprocess(test) => test,
            Self::PassesIf(test) => &**test,
        }
    }

    /// A shell command that runs the test on a file by hand.
    pub fn shell_command(&self, candidate: &Path) -> String {
        match self {
            Self::Process(test) => test.shell_command(candidate),
            Self::Coprocess(test) => test.shell_command(candidate),
            Self::PassesIf(both) => both.fails.shell_command(candidate),
        }
    }
}
