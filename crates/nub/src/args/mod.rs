//! The command line.

mod isolate;
mod values;

use crate::settings::Usage;
use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum, builder::Resettable};
pub use isolate::{ColorChoice, IsolateArgs, PassesExitCode};
use nub_core::{Effort, Hidden, HoistOrder, ListMinimizer, Split, SplitFactor, Traversal, tree::Spacing};
use nub_run::{
    CacheKind,
    test::{Timeout, predicate},
};
use std::{ffi::OsString, path::PathBuf};
pub use values::{OrderName, names};
use values::{
    parse_cache, parse_effort, parse_hidden, parse_hoist_order, parse_minimizer, parse_order, parse_size,
    parse_spacing, parse_split, parse_split_factor, parse_timeout, parse_traversal,
};

const AFTER_HELP: &str = "\
More: `nub --help` (all options, exit codes, examples), `nub <command> -h`, `nub man`.
Documentation: README.md and docs/";

const AFTER_LONG_HELP: &str = "\
The test receives the path of a candidate as its last argument. The candidate also has the input's name in the test's \
working directory, and is the test's standard input. Exit code 0 means that the candidate is interesting.

Exit codes:
  0    reduced, or already as small as possible
  1    the original input is not interesting
  2    wrong usage
  3    the empty input is interesting, so the test is probably wrong (--allow-empty reduces anyway)
  4    the result was interesting, but is not when tested again: the test is flaky
  5    a file, a disk or a process failed; the best result so far is intact
  129, 130, 143   ended by SIGHUP, SIGINT (Ctrl-C), SIGTERM; the best result so far is in place

Examples:
  nub ./still-crashes.sh crash.c
  nub crash.c --stderr 'internal compiler error' -- gcc -O2 -c {}
  nub big.json -o small.json --signal SEGV -- ./parser {}
  nub --resume";

/// Headings of `--help`.
const TEST: &str = "Test";
const INPUT_AND_OUTPUT: &str = "Input and output";
const RESUMING: &str = "Resuming";
const DISPLAY: &str = "Display";
const PLAN: &str = "Plan";
const LANGUAGE: &str = "Language and grammar";
const ALGORITHMS: &str = "Algorithms (advanced)";

/// The command line of nub.
#[derive(Debug, Parser)]
#[command(
    name = "nub",
    version,
    about = "Reduces INPUT to a small file for which TEST still exits with 0",
    long_about = "Reduces INPUT to a small file that is still interesting: TEST exits with 0 for it, or COMMAND meets the \
                  conditions",
    after_help = AFTER_HELP,
    after_long_help = AFTER_LONG_HELP,
    override_usage = "nub [OPTIONS] TEST INPUT\n       nub [OPTIONS] INPUT -- COMMAND {}\n       nub [OPTIONS] INPUT --worker COMMAND",
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    disable_version_flag = true
)]
pub struct Cli {
    /// Print the version
    #[allow(dead_code, reason = "clap prints the version itself")]
    #[arg(short = 'V', long, action = ArgAction::Version, hide_short_help = true)]
    version: Option<bool>,

    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub reduce: ReduceArgs,
}

/// Everything but a reduction.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find the smallest difference that makes a passing input fail
    Isolate(Box<IsolateArgs>),
    /// Write an HTML report from a journal
    ///
    /// The reduction may be finished, interrupted or still running.
    Report {
        /// The journal, e.g. crash.c.nub-journal
        journal: PathBuf,
        /// Write the page to this file (- for standard output) [default: JOURNAL.html]
        #[arg(short, long, value_name = "FILE.html")]
        output: Option<PathBuf>,
    },
    /// Reduce an input in two ways and compare them; the input is not changed
    Compare(CompareArgs),
    /// Estimate from its journal how long a reduction would take with more workers
    Simulate(SimulateArgs),
    /// Show the tree that nub sees in a file
    Parse(ParseArgs),
    /// Check a grammar for mistakes (nub grammar check)
    Grammar {
        #[command(subcommand)]
        command: GrammarCommand,
    },
    /// List the languages that nub can parse
    Languages,
    /// List the passes by name, and the default plans
    Passes,
    /// Print the manual page
    Man,
    /// Print a completion script for your shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Commands for grammars.
#[derive(Debug, Subcommand)]
pub enum GrammarCommand {
    /// Report errors, rules that can never match, how predicates are treated, and conflicts
    Check {
        /// The ANTLR v4 grammar: one file, or lexer and parser
        #[arg(required_unless_present = "yacc", value_name = "FILE.g4")]
        files: Vec<PathBuf>,
        /// Check this YACC grammar instead
        #[arg(long, value_name = "FILE.y", conflicts_with_all = ["files", "predicates"])]
        yacc: Option<PathBuf>,
        /// The lex file for --yacc
        #[arg(long, value_name = "FILE.l", requires = "yacc")]
        lex: Option<PathBuf>,
        /// The rule to parse inputs with
        #[arg(long, value_name = "RULE")]
        start: Option<String>,
        /// Values for the grammar's predicates, as for a reduction
        #[arg(long, value_name = "FILE")]
        predicates: Option<PathBuf>,
    },
}

/// The arguments of `nub compare`.
#[derive(Clone, Debug, Args)]
pub struct CompareArgs {
    /// The first way: an algorithm as for --algorithm, `default`, or options, e.g. '--effort quick'
    #[arg(allow_hyphen_values = true)]
    pub a: String,
    /// The second way
    #[arg(allow_hyphen_values = true)]
    pub b: String,
    /// The file to reduce
    pub input: PathBuf,
    /// The test, as for a reduction
    #[arg(long, value_name = "TEST", required_unless_present = "worker")]
    pub test: Option<PathBuf>,
    /// A co-process instead of a test, as for a reduction
    #[arg(long, value_name = "COMMAND", conflicts_with = "test")]
    pub worker: Option<OsString>,
    /// Number of tests to run at a time; with more than one, the number of tests varies from run to run
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `nub simulate`.
#[derive(Clone, Debug, Args)]
pub struct SimulateArgs {
    /// The journal of a finished reduction (kept with --journal), preferably one that ran with -j1
    pub journal: PathBuf,
    /// Numbers of workers to simulate
    #[arg(
        short,
        long,
        value_name = "N,...",
        value_delimiter = ',',
        default_value = "1,2,4,8,16,32,64",
        value_parser = clap::value_parser!(u16).range(1..=10_000)
    )]
    pub jobs: Vec<u16>,
    /// How much slower a test is on your machine when several run at once
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    pub slower: f64,
    /// Print one JSON object per number of workers
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `nub parse`.
#[derive(Clone, Debug, Args)]
pub struct ParseArgs {
    /// The file to parse
    pub input: Option<PathBuf>,
    /// The language of the file: a name from `nub languages` [default: detected from its name and contents]
    #[arg(long, value_name = "NAME", help_heading = LANGUAGE)]
    pub language: Option<String>,
    /// Output format
    #[arg(long = "as", value_name = "FORMAT", value_enum, default_value_t = TreeFormat::Indented)]
    pub format: TreeFormat,
    /// Print the parse tree as ANTLR does: the same as --as lisp
    #[arg(long)]
    pub tree: bool,
    #[command(flatten)]
    pub grammar: GrammarArgs,
}

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = LANGUAGE)]
pub struct GrammarArgs {
    /// Parse INPUT with this ANTLR v4 grammar
    ///
    /// Give one .g4 file, or lexer and parser.
    #[arg(long, value_name = "FILE.g4", num_args = 1.., conflicts_with = "language")]
    pub grammar: Vec<PathBuf>,

    /// Grammar rule to parse INPUT with [default: %start or the first rule]
    #[arg(long, value_name = "RULE")]
    pub start: Option<String>,

    /// Parse parts of INPUT with different grammars, described as for Picireny (docs/grammars.md)
    #[arg(long = "format", value_name = "FILE.json", conflicts_with_all = ["language", "grammar"], hide_short_help = true)]
    pub description: Option<PathBuf>,

    /// Parse INPUT with this YACC grammar; its tokens come from --lex or from its third section (docs/grammars.md)
    #[arg(long, value_name = "FILE.y", conflicts_with_all = ["language", "grammar", "description"], hide_short_help = true)]
    pub yacc: Option<PathBuf>,

    /// The lex file for --yacc
    #[arg(long, value_name = "FILE.l", hide_short_help = true)]
    pub lex: Option<PathBuf>,

    /// Replace removed rules and tokens with these texts instead of nub's own: a JSON object from names to texts
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub replacements: Option<PathBuf>,

    /// Values for predicates of the grammar that nub cannot evaluate: lines of `predicate = true`, `= false` or `= EXPRESSION`
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub predicates: Option<PathBuf>,
}

impl GrammarArgs {
    /// Whether the user gave a grammar.
    pub fn is_given(&self) -> bool {
        !self.grammar.is_empty() || self.description.is_some() || self.yacc.is_some()
    }

    /// Refuses options about a grammar if there is no grammar they apply to.
    pub fn check(&self) -> Result<(), Usage> {
        let alone = self.start.is_some() || self.replacements.is_some() || self.predicates.is_some();
        if alone && !self.is_given() {
            let message = "--start, --replacements and --predicates need a grammar: add --grammar, --format or --yacc";
            return Err(Usage(message.to_owned()));
        }
        if self.lex.is_some() && self.yacc.is_none() {
            return Err(Usage("--lex needs --yacc: give the grammar that uses its tokens".to_owned()));
        }
        if self.predicates.is_some() && self.yacc.is_some() {
            return Err(Usage("--predicates needs --grammar or --format: a YACC grammar has no predicates".to_owned()));
        }
        Ok(())
    }

    /// Returns the arguments after `--grammar` that are not grammars: clap takes all of `--grammar A.g4 B.g4 TEST INPUT`.
    fn give_back(&mut self) -> Vec<PathBuf> {
        let is_grammar = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "g4");
        let grammars = self.grammar.iter().position(|path| !is_grammar(path)).unwrap_or(self.grammar.len()).max(1);
        self.grammar.split_off(grammars.min(self.grammar.len()))
    }
}

impl Cli {
    /// The command line of this process.
    pub fn read() -> Self {
        let short = std::env::args_os().take_while(|word| word != "--").any(|word| word == "-h");
        let command = if short { essential(Self::command()) } else { Self::command() };
        let mut cli = Self::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit());
        cli.sort_out();
        cli
    }

    /// The command line of another process, if this version of nub still understands it.
    pub fn recall(words: &[String]) -> Option<Self> {
        let mut cli = Self::try_parse_from(words).ok()?;
        cli.sort_out();
        Some(cli)
    }

    /// Moves arguments that followed `--grammar` to where they belong.
    fn sort_out(&mut self) {
        let reduce = &mut self.reduce;
        for path in reduce.algorithm.grammar.give_back() {
            let place = if reduce.first.is_none() { &mut reduce.first } else { &mut reduce.second };
            *place = Some(path);
        }
        if let Some(Command::Parse(parse)) = &mut self.command {
            parse.input = parse.grammar.give_back().pop().or(parse.input.take());
        }
        if let Some(Command::Isolate(isolate)) = &mut self.command {
            isolate.test = isolate.grammar.give_back().pop().or(isolate.test.take());
        }
    }
}

/// The command line as `-h` shows it. One list of options instead of groups leaves room for all essentials on one screen.
fn essential(command: clap::Command) -> clap::Command {
    let flat = |arg: clap::Arg| arg.help_heading(Resettable::Reset);
    command
        .mut_args(flat)
        .mut_subcommand("isolate", |isolate| isolate.mut_args(flat))
        .mut_subcommand("man", |man| man.hide(true))
        .mut_subcommand("completions", |completions| completions.hide(true))
}

/// The arguments of a reduction.
#[derive(Clone, Debug, Args)]
pub struct ReduceArgs {
    /// The test: a program that exits with 0 if the candidate is interesting
    #[arg(value_name = "TEST", hide_short_help = true)]
    pub first: Option<PathBuf>,

    /// The file to reduce
    #[arg(value_name = "INPUT", hide_short_help = true)]
    pub second: Option<PathBuf>,

    /// Instead of TEST: a command, run without a shell; {} stands for the candidate's path
    #[arg(last = true, value_name = "COMMAND", hide_short_help = true)]
    pub test_command: Vec<OsString>,

    #[command(flatten)]
    pub condition: ConditionArgs,
    #[command(flatten)]
    pub running: RunningArgs,
    /// Reduce even if the test accepts the empty input
    #[arg(long, help_heading = TEST, hide_short_help = true)]
    pub allow_empty: bool,

    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub journal: JournalArgs,
    #[command(flatten)]
    pub screen: ScreenArgs,
    #[command(flatten)]
    pub algorithm: AlgorithmArgs,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Conditions (with -- COMMAND; all conditions given must hold)")]
pub struct ConditionArgs {
    /// COMMAND exits with this code
    #[arg(long, value_name = "N", value_parser = predicate::parse_exit_code, requires = "test_command")]
    pub exit_code: Option<i32>,

    /// COMMAND is killed by this signal (SEGV, SIGABRT, 11, …)
    #[arg(long, value_name = "SIGNAL", value_parser = predicate::parse_signal, requires = "test_command", conflicts_with = "exit_code")]
    pub signal: Option<i32>,

    /// COMMAND's standard output matches this regular expression
    #[arg(long, value_name = "REGEX", requires = "test_command")]
    pub stdout: Vec<String>,

    /// COMMAND's standard error matches
    #[arg(long, value_name = "REGEX", requires = "test_command")]
    pub stderr: Vec<String>,

    /// COMMAND's standard output or standard error matches
    #[arg(long, value_name = "REGEX", requires = "test_command", hide_short_help = true)]
    pub output_matches: Vec<String>,

    /// Neither of them matches; keeps the reduction from slipping to another failure
    #[arg(long, value_name = "REGEX", requires = "test_command", hide_short_help = true)]
    pub output_lacks: Vec<String>,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = TEST)]
pub struct RunningArgs {
    /// Tests at a time; the result does not depend on N [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,

    /// Instead of TEST: a co-process that reads paths and answers 1, 0 or ?
    ///
    /// It reads one path per line and answers with one line each: 1 for interesting, 0 for uninteresting, ? for
    /// unresolved. nub starts one per job.
    #[arg(long, value_name = "COMMAND", conflicts_with = "test_command")]
    pub worker: Option<OsString>,

    /// Time-out per test: seconds, 500ms, 2m or auto [default: auto]
    ///
    /// A test that takes longer is killed, and the candidate is unresolved. auto is ten times the slowest interesting test, but at least 5 s and at most 300 s.
    #[arg(long, value_name = "TIME", default_value = "auto", hide_default_value = true, value_parser = parse_timeout)]
    pub timeout: Timeout,

    /// Limit the address space of each process, e.g. 2G [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory_limit: Option<u64>,

    /// Write candidates to this directory [default: $TMPDIR, /dev/shm if suitable, /tmp]
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub temp_dir: Option<PathBuf>,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = INPUT_AND_OUTPUT)]
pub struct OutputArgs {
    /// Write the result here, or - for standard output [default: INPUT]
    ///
    /// Without this option the result replaces INPUT, and INPUT.orig keeps the original.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Replace INPUT without keeping INPUT.orig; the reduction cannot be resumed if it is interrupted
    #[arg(long, conflicts_with = "output", hide_short_help = true)]
    pub no_backup: bool,

    /// Do not format the result with line breaks and indentation
    #[arg(long, hide_short_help = true)]
    pub no_format: bool,

    /// Write a report of the reduction as an HTML page (docs/report.md)
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = RESUMING)]
pub struct JournalArgs {
    /// Continue an interrupted run exactly where it stopped
    ///
    /// `nub --resume` alone continues the interrupted run in this directory, if there is only one.
    #[arg(long)]
    pub resume: bool,

    /// Discard an interrupted run and start again from the input as it is now
    #[arg(long, conflicts_with = "resume", hide_short_help = true)]
    pub restart: bool,

    /// Write the journal to this file and keep it [default: beside the result, removed at the end]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub journal: Option<PathBuf>,

    /// Write no journal; the run cannot be resumed if it is interrupted
    #[arg(long, conflicts_with_all = ["journal", "resume", "restart"], hide_short_help = true)]
    pub no_journal: bool,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = DISPLAY)]
pub struct ScreenArgs {
    /// Show only errors and warnings
    #[arg(short, long, conflicts_with_all = ["verbose", "json"])]
    pub quiet: bool,

    /// Show every step and every new best; with -vv every candidate
    #[arg(short, long, action = ArgAction::Count)]
    pub verbose: u8,

    /// Print events as JSON on standard output (docs/json-events.md)
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = ALGORITHMS)]
pub struct AlgorithmArgs {
    /// How hard to try: quick, normal or thorough [default: normal]
    ///
    /// quick abandons a step that makes no progress; thorough also tests candidates that do not parse, and combinations
    /// of tokens.
    #[arg(long, value_name = "HOW", value_parser = parse_effort, conflicts_with_all = ["algorithm", "preset", "granularity", "list_minimizer"], help_heading = PLAN)]
    pub effort: Option<Effort>,

    /// Run only these steps of the plan, e.g. largest,blanks, or all but these, e.g. -lower,-digits (see `nub passes`)
    #[arg(long, value_name = "NAMES", value_delimiter = ',', allow_hyphen_values = true, conflicts_with_all = ["algorithm", "preset", "granularity", "list_minimizer"], help_heading = PLAN, hide_short_help = true)]
    pub passes: Vec<String>,

    /// Language of INPUT (see `nub languages`), auto, text or none [default: auto]
    ///
    /// auto detects the language from the name and the contents of INPUT. text uses the layout of INPUT only, none treats
    /// it as lines and characters.
    #[arg(long, value_name = "NAME", conflicts_with = "tree", help_heading = LANGUAGE)]
    pub language: Option<String>,

    /// Reduce this tree of INPUT, in JSON, instead of parsing INPUT
    #[arg(long, value_name = "FILE", requires = "algorithm", conflicts_with_all = ["grammar", "description", "yacc"], help_heading = LANGUAGE, hide_short_help = true)]
    pub tree: Option<PathBuf>,

    /// The algorithm, or several joined with + to run one after another, e.g. 'hoistr*+hddhr*' [default: a plan that
    /// suits the input]
    ///
    /// On text: ddmin, greeddy, onepass, probdd, wprobdd, cdd, wddmin, dfs, bfs, heaviest. On trees: hdd, hddr, hddh,
    /// hddhr, hoist, hoistr, each also with the prefix coarse-, and hdd-plus. A * after the name repeats the algorithm
    /// to a fixed point. Also, beyond the papers: largest, the passes that `nub passes` lists, and again.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub algorithm: Option<String>,

    /// The units: line, token, char or byte, or several in sequence, e.g. token+char [default: line+char; token+char
    /// after algorithms that use the structure]
    #[arg(long, value_name = "UNITS", hide_short_help = true)]
    pub granularity: Option<String>,

    /// The list minimiser where the algorithm names none: any of the algorithms on text [default: ddmin]
    #[arg(long, value_name = "NAME", value_parser = parse_minimizer, hide_short_help = true)]
    pub list_minimizer: Option<ListMinimizer>,

    /// Set all parameters as in the published experiments
    #[arg(long, value_enum, hide_short_help = true)]
    pub preset: Option<Preset>,

    /// The order in which hddr and its variants visit nodes: dfs, reversed-dfs, bfs or reversed-bfs [default:
    /// reversed-dfs]
    #[arg(long, value_name = "ORDER", value_parser = parse_traversal, hide_short_help = true)]
    pub traversal: Option<Traversal>,

    /// The order in which descendants are hoisted: preorder or furthest [default: preorder]
    #[arg(long, value_name = "ORDER", value_parser = parse_hoist_order, hide_short_help = true)]
    pub hoist_order: Option<HoistOrder>,

    /// The spacing between tokens: original or picireny [default: original]
    #[arg(long, value_name = "HOW", value_parser = parse_spacing, hide_short_help = true)]
    pub spacing: Option<Spacing>,

    /// Where comments belong: gaps or nodes [default: gaps; nodes with a grammar of your own]
    ///
    /// gaps keeps them between tokens, where each is removed together with the token that follows it; nodes makes them
    /// nodes that can be removed one by one.
    #[arg(long, value_name = "WHERE", value_parser = parse_hidden, hide_short_help = true)]
    pub hidden: Option<Hidden>,

    /// Do not turn recursive rules into lists
    #[arg(long, hide_short_help = true)]
    pub no_flatten: bool,

    /// Do not shorten chains of only children
    #[arg(long, hide_short_help = true)]
    pub no_squeeze: bool,

    /// Also try to remove nodes whose replacement is the same text
    #[arg(long, hide_short_help = true)]
    pub no_skip_unremovable: bool,

    /// How lists are split: zeller or balanced [default: zeller]
    #[arg(long, value_name = "HOW", value_parser = parse_split, hide_short_help = true)]
    pub split: Option<Split>,

    /// The number of parts to split a part into: 2 or more, or inf [default: 2]
    #[arg(long, value_name = "N", value_parser = parse_split_factor, hide_short_help = true)]
    pub split_factor: Option<SplitFactor>,

    /// The order in which subsets are tried: forward, backward, random or skip [default: skip]
    #[arg(long, value_name = "ORDER", value_parser = parse_order, hide_short_help = true)]
    pub subsets: Option<OrderName>,

    /// The order in which complements are tried: forward, backward, random or skip [default: backward]
    #[arg(long, value_name = "ORDER", value_parser = parse_order, hide_short_help = true)]
    pub complements: Option<OrderName>,

    /// Try complements before subsets
    #[arg(long, hide_short_help = true)]
    pub complements_first: bool,

    /// The seed of the random orders
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true)]
    pub seed: u64,

    /// The number of candidates in a batch, independent of the number of jobs [default: 4 for greeddy, otherwise 1; only
    /// ddmin, wddmin and greeddy have a window]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096), hide_short_help = true)]
    pub window: Option<u16>,

    /// The key of the outcome cache: none, config, content or content-hash [default: content-hash]
    #[arg(long, value_name = "KIND", value_parser = parse_cache, hide_short_help = true)]
    pub cache: Option<CacheKind>,

    /// Cache interesting outcomes too (with config or content)
    #[arg(long, hide_short_help = true)]
    pub cache_interesting: bool,

    /// Keep cached outcomes of candidates that are larger than the best
    #[arg(long, hide_short_help = true)]
    pub no_cache_eviction: bool,

    // The last field, because its heading would apply to the options after it.
    #[command(flatten)]
    pub grammar: GrammarArgs,
}

impl AlgorithmArgs {
    /// Where hidden tokens belong. In a grammar of the user they may be anything, including directives that matter, so
    /// they can be removed one by one; but not in the published experiments.
    pub fn hidden(&self) -> Hidden {
        let one_by_one = self.grammar.is_given() && self.preset.is_none();
        self.hidden.unwrap_or(if one_by_one { Hidden::Nodes } else { Hidden::Gaps })
    }
}

/// A set of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// Those of the published experiments: complements only, backward, zeller, factor 2; the empty input is not tested
    Papers,
}

/// How a tree is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TreeFormat {
    /// One node per line
    Indented,
    /// Nested objects
    Json,
    /// A graph for Graphviz
    Dot,
    /// The parse tree as nested lists, as ANTLR prints it; only with --grammar or --yacc
    Lisp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }
}
