//! The arguments of `nub isolate`.

use super::{ConditionArgs, GrammarArgs, JournalArgs, RunningArgs, ScreenArgs};
use clap::{Args, ValueEnum};
use nub_run::test::predicate::{PredicateError, parse_exit_code};
use std::{ffi::OsString, path::PathBuf};

const AFTER_HELP: &str = "\
The test is run as for a reduction: it gets the path of a candidate, a mixture of the two files, and exits with 0 if the \
candidate fails as FAILING does. Exit code 125, a time-out or a crash of the test mean that there is no answer; any other \
exit code that it passes. With -- COMMAND a candidate passes if COMMAND exits with 0 and the conditions do not hold. What \
does not parse, if both files do, is not tested: it neither fails nor passes.

The two files are not changed. Two others that differ in hardly anything, of which one passes and one fails, are written \
to FAILING.passing and FAILING.failing; if there are such files already, nub does not begin. With -o PREFIX they are \
PREFIX.passing and PREFIX.failing, and replaced. The difference between them is printed as a unified diff.

Exit codes:
  0    isolated
  1    PASSING does not pass, or FAILING does not fail, or they are the same
  2    wrong usage
  4    a side of the result says something else when it is tested again: the test is flaky
  5    a file, a disk or a process failed; the sides so far are intact
  129, 130, 143   ended by SIGHUP, SIGINT (Ctrl-C), SIGTERM; the sides so far are in place

Examples:
  nub isolate --passing old.conf --failing new.conf ./still-fails.sh
  nub isolate --passing v1.c --failing v2.c --stderr 'internal compiler error' -- gcc -O2 -c {}
  nub isolate --passing good.json --failing bad.json ./fails.sh --passes-if ./works.sh";

/// Finds what makes the difference: the smallest change with which an input that passes fails.
#[derive(Clone, Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    override_usage = "nub isolate [OPTIONS] --passing PASSING --failing FAILING TEST\n       nub isolate [OPTIONS] --passing PASSING --failing FAILING -- COMMAND {}\n       nub isolate --resume"
)]
pub struct IsolateArgs {
    /// The test: a program that exits with 0 if the candidate fails, with 125 if nobody can tell
    #[arg(value_name = "TEST")]
    pub test: Option<PathBuf>,

    /// An input for which the test does not succeed; it may be empty, or /dev/null
    #[arg(long, value_name = "PASSING")]
    pub passing: Option<PathBuf>,

    /// An input for which it does
    #[arg(long, value_name = "FAILING")]
    pub failing: Option<PathBuf>,

    /// Instead of TEST: a command, run without a shell; {} is the candidate's path
    #[arg(last = true, value_name = "COMMAND")]
    pub test_command: Vec<OsString>,

    /// A second test, that must succeed for a candidate to pass; if neither does, there is no answer
    #[arg(long, value_name = "TEST")]
    pub passes_if: Option<PathBuf>,

    /// With -- COMMAND: what passes exits with this code, and what neither fails nor does so has no answer; or any
    /// [default: 0; any, if COMMAND fails by exiting with 0]
    #[arg(long, value_name = "N", value_parser = parse_passes_exit_code, requires = "test_command")]
    pub passes_exit_code: Option<PassesExitCode>,

    /// What the differences are made of: line, token, char, byte, tree, or several in sequence, the coarser first
    /// [default: tree+token for a known language, line+token for other text, byte for binary data]
    #[arg(long, value_name = "UNITS")]
    pub granularity: Option<String>,

    /// The language of the two files: a name from `nub languages`, auto, or none, to test also what does not parse
    /// [default: auto]
    #[arg(long, value_name = "NAME")]
    pub language: Option<String>,

    #[command(flatten)]
    pub condition: ConditionArgs,
    #[command(flatten)]
    pub running: RunningArgs,

    /// Write the sides to PREFIX.passing and PREFIX.failing, replacing such files [default: FAILING]
    #[arg(short, long, value_name = "PREFIX", help_heading = "Where the result goes")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub journal: JournalArgs,
    #[command(flatten)]
    pub screen: ScreenArgs,

    /// Whether the diff has colours: auto is on a terminal, and not if NO_COLOR is set
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto, help_heading = "What is shown")]
    pub color: ColorChoice,

    #[command(flatten)]
    pub grammar: GrammarArgs,
}

/// The exit code of what passes; `None` for any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassesExitCode(pub Option<i32>);

fn parse_passes_exit_code(text: &str) -> Result<PassesExitCode, PredicateError> {
    if text == "any" { Ok(PassesExitCode(None)) } else { parse_exit_code(text).map(|code| PassesExitCode(Some(code))) }
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    Auto,
    Always,
    Never,
}
