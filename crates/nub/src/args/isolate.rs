//! The arguments of `nub isolate`.

use super::{
    ConditionArgs, DISPLAY, GrammarArgs, INPUT_AND_OUTPUT, JournalArgs, LANGUAGE, RunningArgs, ScreenArgs, TEST,
};
use clap::{Args, ValueEnum};
use nub_run::test::predicate::{PredicateError, parse_exit_code};
use std::{ffi::OsString, path::PathBuf};

const AFTER_HELP: &str = "\
`nub isolate --help` shows all options, the exit codes and examples. Documentation: docs/isolate.md";

const AFTER_LONG_HELP: &str = "\
The test runs as in a reduction: it receives the path of a candidate, a mixture of the two files, and exits with 0 if the \
candidate fails as FAILING does. Exit code 125, a time-out or a crash of the test make the candidate unresolved; with any \
other exit code it passes. With -- COMMAND, a candidate passes if COMMAND exits with 0 and the conditions do not hold. If \
both files parse, candidates that do not parse are unresolved without a test.

The two files are not changed. nub writes two others that differ as little as possible, FAILING.passing and \
FAILING.failing; it refuses to start if these files exist. With -o PREFIX it writes PREFIX.passing and PREFIX.failing and \
replaces existing files. The difference between the two is printed as a unified diff.

Exit codes:
  0    isolated
  1    PASSING does not pass, FAILING does not fail, or the two are the same
  2    wrong usage
  4    a side of the result has another outcome when tested again: the test is flaky
  5    a file, a disk or a process failed; the sides so far are intact
  129, 130, 143   ended by SIGHUP, SIGINT (Ctrl-C), SIGTERM; the sides so far are in place

Examples:
  nub isolate --passing old.conf --failing new.conf ./still-fails.sh
  nub isolate --passing v1.c --failing v2.c --stderr 'internal compiler error' -- gcc -O2 -c {}
  nub isolate --passing good.json --failing bad.json ./fails.sh --passes-if ./works.sh
  nub isolate --resume";

/// Find the smallest difference that makes a passing input fail
#[derive(Clone, Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    after_long_help = AFTER_LONG_HELP,
    override_usage = "nub isolate [OPTIONS] --passing PASSING --failing FAILING TEST\n       nub isolate [OPTIONS] --passing PASSING --failing FAILING -- COMMAND {}\n       nub isolate [OPTIONS] --passing PASSING --failing FAILING --worker COMMAND"
)]
pub struct IsolateArgs {
    /// The test: exits with 0 if the candidate fails, with 125 if it is unresolved
    #[arg(value_name = "TEST")]
    pub test: Option<PathBuf>,

    /// An input that passes; it may be empty, or /dev/null
    #[arg(long, value_name = "PASSING", help_heading = INPUT_AND_OUTPUT)]
    pub passing: Option<PathBuf>,

    /// An input that fails
    #[arg(long, value_name = "FAILING", help_heading = INPUT_AND_OUTPUT)]
    pub failing: Option<PathBuf>,

    /// Instead of TEST: a command, run without a shell; {} stands for the candidate's path
    #[arg(last = true, value_name = "COMMAND")]
    pub test_command: Vec<OsString>,

    /// Write PREFIX.passing and PREFIX.failing [default: FAILING]
    ///
    /// Existing files are replaced only with this option.
    #[arg(short, long, value_name = "PREFIX", help_heading = INPUT_AND_OUTPUT)]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub condition: ConditionArgs,

    /// A second test that exits with 0 if a candidate passes; if neither test exits with 0, the candidate is unresolved
    #[arg(long, value_name = "TEST", help_heading = TEST, hide_short_help = true)]
    pub passes_if: Option<PathBuf>,

    /// With -- COMMAND: the exit code of candidates that pass, or any; other candidates that do not fail are unresolved
    /// [default: 0; any, if COMMAND fails by exiting with 0]
    #[arg(long, value_name = "N", value_parser = parse_passes_exit_code, requires = "test_command", help_heading = TEST, hide_short_help = true)]
    pub passes_exit_code: Option<PassesExitCode>,

    #[command(flatten)]
    pub running: RunningArgs,

    #[command(flatten)]
    pub journal: JournalArgs,
    #[command(flatten)]
    pub screen: ScreenArgs,

    /// Colour the diff; auto colours it on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto, help_heading = DISPLAY, hide_short_help = true)]
    pub color: ColorChoice,

    /// The units of the difference: line, token, char, byte, tree, or several in sequence, coarsest first
    /// [default: tree+token for a known language, line+token for other text, byte for binary data]
    #[arg(long, value_name = "UNITS", help_heading = LANGUAGE, hide_short_help = true)]
    pub granularity: Option<String>,

    /// Language of both files (see `nub languages`), auto or none [default: auto]
    ///
    /// With none, candidates that do not parse are tested, too.
    #[arg(long, value_name = "NAME", help_heading = LANGUAGE)]
    pub language: Option<String>,

    #[command(flatten)]
    pub grammar: GrammarArgs,
}

/// The exit code of candidates that pass; `None` for any.
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
