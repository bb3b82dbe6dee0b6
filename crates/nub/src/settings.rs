//! From arguments to decisions: which test, which input, where the result goes.

use crate::{
    algorithm::Plan,
    args::{AlgorithmArgs, ConditionArgs, ReduceArgs},
};
use anyhow::Result;
use nub_run::test::{
    CoprocessTest, Limits, Predicate, ProcessTest, Run as TestRun, Scratch, Setup, Test, predicate, shell_quote,
};
use serde_json::json;
use std::{
    ffi::{OsStr, OsString},
    fmt, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

/// The command line does not make sense.
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

/// Everything that the arguments say about a reduction.
pub struct Task {
    pub input: PathBuf,
    pub test: TestChoice,
    pub output: Output,
    pub algorithm: AlgorithmArgs,
    pub jobs: usize,
    pub limits: Limits,
    pub temp_dir: Option<PathBuf>,
    pub allow_empty: bool,
    /// Whether the result is to be formatted.
    pub format: bool,
    pub journal: JournalChoice,
    /// Where the report goes, if there is to be one.
    pub report: Option<PathBuf>,
}

/// What decides whether a candidate is interesting.
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
    /// Where an interrupted run would have left its own.
    pub unfinished: PathBuf,
    /// Whether the original will still be there when this run is interrupted.
    pub resumable: bool,
    /// Whether it stays when the reduction is complete.
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
            return usage("--json and -o - both want standard output: write the result to a file");
        }
        let beside = match &output {
            Output::File(path) => path,
            Output::InPlace { .. } | Output::Stdout => &input,
        };
        let unfinished = args.output.journal.clone().unwrap_or_else(|| default_journal(beside));
        // Without its original a reduction cannot be resumed, and then a journal is of use only to who asks for one.
        let useful = !args.output.no_backup || args.output.resume || args.output.journal.is_some();
        let journal = JournalChoice {
            path: (useful && !args.output.no_journal).then(|| unfinished.clone()),
            unfinished,
            resumable: !args.output.no_backup,
            keep: args.output.journal.is_some(),
            resume: args.output.resume,
            restart: args.output.restart,
        };
        Plan::check_names(&args.algorithm).map_err(|error| Usage(error.to_string()))?;
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            test,
            output,
            algorithm: args.algorithm.clone(),
            jobs: args.running.jobs.map_or_else(cores, usize::from),
            limits: Limits { timeout: args.running.timeout, memory: args.running.memory_limit },
            temp_dir: args.running.temp_dir.clone(),
            allow_empty: args.running.allow_empty,
            format: !args.output.no_format,
            journal,
            report: args.output.report.clone(),
            input,
        })
    }

    /// Everything that decides the course of the reduction, the test included, for the journal.
    pub fn settings(&self, plan: &Plan) -> serde_json::Value {
        let mut settings = plan.settings();
        settings["test"] = json!(self.test.to_string());
        settings
    }

    /// The commonest mistake is to give the two files the other way round.
    pub fn swapped_hint(&self) -> &'static str {
        let executable = |path: &Path| path.metadata().is_ok_and(|file| file.is_file() && file.mode() & 0o111 != 0);
        match &self.test {
            TestChoice::Script(test) if test.is_file() && !executable(test) && executable(&self.input) => {
                "\nOr is it the other way round? The TEST comes first, then the INPUT."
            }
            _ => "",
        }
    }

    /// What to call the place of the result.
    pub fn output_name(&self) -> String {
        match &self.output {
            Output::InPlace { .. } => self.input.display().to_string(),
            Output::File(path) => path.display().to_string(),
            Output::Stdout => "standard output".to_owned(),
        }
    }
}

/// The journal of a run whose result is `path`.
pub fn default_journal(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".nub-journal");
    name.into()
}

/// Which of the positional arguments is what.
fn positions(args: &ReduceArgs) -> Result<(TestChoice, PathBuf)> {
    match (&args.first, &args.second, &args.running.worker, &args.test_command[..]) {
        (Some(test), Some(input), None, []) => Ok((TestChoice::Script(test.clone()), input.clone())),
        (Some(input), None, Some(worker), []) => Ok((TestChoice::Worker(worker.clone()), input.clone())),
        (Some(input), None, None, command @ [_, ..]) => {
            Ok((TestChoice::Command(command.to_vec(), condition(&args.condition)?), input.clone()))
        }
        (Some(_), Some(_), ..) | (Some(_), None, Some(_), [_, ..]) => {
            usage("with --worker or -- COMMAND there is no TEST: give the INPUT only")
        }
        (Some(only), None, None, []) => usage(format!(
            "a TEST and an INPUT are needed, and there is only {}: `nub TEST INPUT` or `nub INPUT -- COMMAND {{}}`",
            only.display()
        )),
        (None, ..) => usage("a TEST and an INPUT are needed: `nub TEST INPUT` or `nub INPUT -- COMMAND {}`"),
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
                Ok(())
            }
        }
    }
}

/// The chosen test, ready to run.
pub enum ReadyTest {
    Process(ProcessTest),
    Coprocess(CoprocessTest),
}

impl ReadyTest {
    /// Prepares the test, with the place where its candidates live.
    pub fn new(task: &Task, run: &Arc<TestRun>, scratch: &Arc<Scratch>) -> io::Result<(Self, Setup)> {
        let setup = Setup::new(run, scratch, task.input.as_os_str(), task.limits);
        let test = match &task.test {
            TestChoice::Script(path) => Self::Process(ProcessTest::script(&setup, path.as_os_str(), vec![])),
            TestChoice::Command(command, predicate) => {
                Self::Process(ProcessTest::command(&setup, &command[0], &command[1..], predicate.clone()))
            }
            TestChoice::Worker(command) => Self::Coprocess(CoprocessTest::new(&setup, command)?),
        };
        Ok((test, setup))
    }

    /// The same test, with details of how it ended.
    pub fn detailed(&self) -> Self {
        match self {
            Self::Process(test) => Self::Process(test.detailed()),
            Self::Coprocess(test) => Self::Coprocess(test.detailed()),
        }
    }

    pub fn as_test(&self) -> &dyn Test {
        match self {
            Self::Process(test) => test,
            Self::Coprocess(test) => test,
        }
    }

    /// What to type to run the test on a file by hand.
    pub fn shell_command(&self, candidate: &Path) -> String {
        match self {
            Self::Process(test) => test.shell_command(candidate),
            Self::Coprocess(test) => test.shell_command(candidate),
        }
    }
}
