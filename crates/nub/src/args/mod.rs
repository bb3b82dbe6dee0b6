//! The command line.

mod isolate;
mod values;

use crate::settings::Usage;
use clap::{Args, Parser, Subcommand, ValueEnum};
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
The test gets the path of a candidate as its last argument, finds it in its working directory under the input's own \
name, and on standard input. Exit code 0 means: still interesting.

Exit codes:
  0    reduced (or already as small as it gets)
  1    the original input is not interesting
  2    wrong usage
  3    the empty input is interesting: the test is probably wrong (--allow-empty to insist)
  4    the result was interesting, but is not when tested again: the test is flaky
  5    a file, a disk or a process failed; the best result so far is intact
  129, 130, 143   ended by SIGHUP, SIGINT (Ctrl-C), SIGTERM; the best result so far is in place

Examples:
  nub ./still-crashes.sh crash.c
  nub crash.c --stderr 'internal compiler error' -- gcc -O2 -c {}
  nub big.json -o small.json --signal SEGV -- ./parser {}
  nub --resume ./still-crashes.sh crash.c";

/// Reduces INPUT to the smallest text for which TEST still succeeds.
#[derive(Debug, Parser)]
#[command(
    name = "nub",
    version,
    about,
    after_help = AFTER_HELP,
    override_usage = "nub [OPTIONS] TEST INPUT\n       nub [OPTIONS] INPUT -- COMMAND {}\n       nub [OPTIONS] INPUT --worker COMMAND\n       nub --resume",
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub reduce: ReduceArgs,
}

/// What nub does besides reducing.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print a script that completes nub's arguments in your shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
    /// List the languages whose structure nub knows
    Languages,
    /// List the passes that nub makes over an input whose structure it knows
    Passes,
    /// Show the tree that nub sees in a file
    Parse(ParseArgs),
    /// Make the page that --report makes from a journal, also from that of an interrupted or a running reduction
    Report {
        /// The journal, e.g. crash.c.nub-journal
        journal: PathBuf,
        /// Write the page here (- for standard output) [default: JOURNAL.html]
        #[arg(short, long, value_name = "FILE.html")]
        output: Option<PathBuf>,
    },
    /// Reduce the same input in two ways, and say how they differ; the input stays as it is
    Compare(CompareArgs),
    /// Say what a finished reduction would have been like with more workers, from its journal
    Simulate(SimulateArgs),
    /// Find what makes the difference between an input that passes and one that fails
    Isolate(Box<IsolateArgs>),
    /// Look for mistakes in a grammar
    Grammar {
        #[command(subcommand)]
        command: GrammarCommand,
    },
}

/// What nub does with a grammar.
#[derive(Debug, Subcommand)]
pub enum GrammarCommand {
    /// Say what is wrong with it, what can never be matched, how its predicates are treated, and what its conflicts are
    Check {
        /// The grammar: one file, or lexer and parser
        #[arg(required_unless_present = "yacc", value_name = "FILE.g4")]
        files: Vec<PathBuf>,
        /// The YACC grammar
        #[arg(long, value_name = "FILE.y", conflicts_with_all = ["files", "predicates"])]
        yacc: Option<PathBuf>,
        /// The lex file that goes with it
        #[arg(long, value_name = "FILE.l", requires = "yacc")]
        lex: Option<PathBuf>,
        /// The rule that inputs are parsed with
        #[arg(long, value_name = "RULE")]
        start: Option<String>,
        /// What predicates mean, as for a reduction
        #[arg(long, value_name = "FILE")]
        predicates: Option<PathBuf>,
    },
}

/// Everything about a comparison.
#[derive(Clone, Debug, Args)]
pub struct CompareArgs {
    /// One way: an algorithm as for --algorithm, `default`, or options, e.g. '--effort quick'
    #[arg(allow_hyphen_values = true)]
    pub a: String,
    /// The other way
    #[arg(allow_hyphen_values = true)]
    pub b: String,
    /// The file to reduce
    pub input: PathBuf,
    /// The test, as for a reduction
    #[arg(long, value_name = "TEST", required_unless_present = "worker")]
    pub test: Option<PathBuf>,
    /// Instead of a test: a co-process, as for a reduction
    #[arg(long, value_name = "COMMAND", conflicts_with = "test")]
    pub worker: Option<OsString>,
    /// Tests at a time; with more than one the number of tests depends on chance [default: 1]
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Everything about virtual workers.
#[derive(Clone, Debug, Args)]
pub struct SimulateArgs {
    /// The journal of a reduction that has come to its end (keep one with --journal); best of one with -j1
    pub journal: PathBuf,
    /// How many workers to simulate
    #[arg(
        short,
        long,
        value_name = "N,...",
        value_delimiter = ',',
        default_value = "1,2,4,8,16,32,64",
        value_parser = clap::value_parser!(u16).range(1..=10_000)
    )]
    pub jobs: Vec<u16>,
    /// How many times as long tests take if there are several at once, on your machine
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    pub slower: f64,
    /// Print one JSON object per number of workers
    #[arg(long)]
    pub json: bool,
}

/// Everything about showing a tree.
#[derive(Clone, Debug, Args)]
pub struct ParseArgs {
    /// The file
    pub input: Option<PathBuf>,
    /// Its language [default: what its name and contents say]
    #[arg(long, value_name = "NAME")]
    pub language: Option<String>,
    /// How to print it
    #[arg(long = "as", value_name = "HOW", value_enum, default_value_t = TreeFormat::Indented)]
    pub format: TreeFormat,
    /// Print it as ANTLR does, before nub makes its own tree of it: the same as --as lisp
    #[arg(long)]
    pub tree: bool,
    #[command(flatten)]
    pub grammar: GrammarArgs,
}

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Your own grammar")]
pub struct GrammarArgs {
    /// The ANTLR v4 grammar of INPUT: one .g4 file, or lexer and parser
    #[arg(long, value_name = "FILE.g4", num_args = 1.., conflicts_with = "language")]
    pub grammar: Vec<PathBuf>,

    /// Several grammars, and which parts of INPUT belong to which, as Picireny describes them (docs/grammars.md)
    #[arg(long = "format", value_name = "FILE.json", conflicts_with_all = ["language", "grammar"])]
    pub description: Option<PathBuf>,

    /// The YACC grammar of INPUT; its tokens are those of --lex, or defined in its third section (docs/grammars.md)
    #[arg(long, value_name = "FILE.y", conflicts_with_all = ["language", "grammar", "description"])]
    pub yacc: Option<PathBuf>,

    /// The lex file that goes with --yacc
    #[arg(long, value_name = "FILE.l")]
    pub lex: Option<PathBuf>,

    /// The rule of the grammar that INPUT is parsed with [default: its first one, or the one of %start]
    #[arg(long, value_name = "RULE")]
    pub start: Option<String>,

    /// What stands in the place of removed rules and tokens, where you know better: a JSON object, name to text
    #[arg(long, value_name = "FILE")]
    pub replacements: Option<PathBuf>,

    /// What predicates of the grammar mean, where nub does not know: lines of `text = true`, `false` or an expression
    #[arg(long, value_name = "FILE")]
    pub predicates: Option<PathBuf>,
}

impl GrammarArgs {
    /// Whether there is one.
    pub fn is_given(&self) -> bool {
        !self.grammar.is_empty() || self.description.is_some() || self.yacc.is_some()
    }

    /// Refuses what says something about a grammar if there is none.
    pub fn check(&self) -> Result<(), Usage> {
        let alone = self.start.is_some() || self.replacements.is_some() || self.predicates.is_some();
        if alone && !self.is_given() {
            let message = "--start, --replacements and --predicates go with --grammar, --format or --yacc";
            return Err(Usage(message.to_owned()));
        }
        if self.lex.is_some() && self.yacc.is_none() {
            return Err(Usage("--lex goes with --yacc: which grammar are its tokens for?".to_owned()));
        }
        if self.predicates.is_some() && self.yacc.is_some() {
            return Err(Usage("--predicates go with --grammar or --format: a YACC grammar has none".to_owned()));
        }
        Ok(())
    }

    /// Takes back what clap has taken for grammars: `--grammar A.g4 B.g4 TEST INPUT` has two.
    fn give_back(&mut self) -> Vec<PathBuf> {
        let is_grammar = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "g4");
        let grammars = self.grammar.iter().position(|path| !is_grammar(path)).unwrap_or(self.grammar.len()).max(1);
        self.grammar.split_off(grammars.min(self.grammar.len()))
    }
}

impl Cli {
    /// The command line of this process.
    pub fn read() -> Self {
        let mut cli = Self::parse();
        cli.sort_out();
        cli
    }

    /// The command line of another process, if it can be understood.
    pub fn recall(words: &[String]) -> Option<Self> {
        let mut cli = Self::try_parse_from(words).ok()?;
        cli.sort_out();
        Some(cli)
    }

    /// Puts arguments where they belong that stand behind `--grammar` without belonging to it.
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

/// Everything about one reduction.
#[derive(Clone, Debug, Args)]
pub struct ReduceArgs {
    /// The test: a program that exits with 0 if the candidate is interesting
    #[arg(value_name = "TEST")]
    pub first: Option<PathBuf>,

    /// The file to reduce
    #[arg(value_name = "INPUT")]
    pub second: Option<PathBuf>,

    /// Instead of TEST: a command, run without a shell; {} is the candidate's path
    #[arg(last = true, value_name = "COMMAND")]
    pub test_command: Vec<OsString>,

    #[command(flatten)]
    pub condition: ConditionArgs,
    #[command(flatten)]
    pub running: RunningArgs,
    /// Accept a test that finds the empty input interesting
    #[arg(long, help_heading = "How tests are run")]
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
#[command(next_help_heading = "What is interesting (with -- COMMAND; all conditions given must hold)")]
pub struct ConditionArgs {
    /// Exits with this code
    #[arg(long, value_name = "N", value_parser = predicate::parse_exit_code, requires = "test_command")]
    pub exit_code: Option<i32>,

    /// Is ended by this signal (SEGV, SIGABRT, 11, …)
    #[arg(long, value_name = "SIGNAL", value_parser = predicate::parse_signal, requires = "test_command", conflicts_with = "exit_code")]
    pub signal: Option<i32>,

    /// Prints something on standard output that matches this regular expression
    #[arg(long, value_name = "REGEX", requires = "test_command")]
    pub stdout: Vec<String>,

    /// Prints something on standard error that matches
    #[arg(long, value_name = "REGEX", requires = "test_command")]
    pub stderr: Vec<String>,

    /// Prints something on either that matches
    #[arg(long, value_name = "REGEX", requires = "test_command")]
    pub output_matches: Vec<String>,

    /// Prints nothing that matches: keeps the reduction from slipping to another failure
    #[arg(long, value_name = "REGEX", requires = "test_command")]
    pub output_lacks: Vec<String>,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "How tests are run")]
pub struct RunningArgs {
    /// Tests at a time; the result is the same for any number [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,

    /// Instead of TEST: a co-process that reads one path per line and answers 1, 0 or ? per line
    #[arg(long, value_name = "COMMAND", conflicts_with = "test_command")]
    pub worker: Option<OsString>,

    /// How long one test may take: seconds, or 500ms, 2m, or auto (ten times the slowest interesting run, 5 s to 300 s)
    #[arg(long, value_name = "TIME", default_value = "auto", value_parser = parse_timeout)]
    pub timeout: Timeout,

    /// How much address space each process of a test may use, e.g. 2G [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory_limit: Option<u64>,

    /// Where candidates are written [default: $TMPDIR, /dev/shm if suitable, /tmp]
    #[arg(long, value_name = "DIR")]
    pub temp_dir: Option<PathBuf>,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Where the result goes")]
pub struct OutputArgs {
    /// Write the result here (- for standard output) and leave INPUT as it is [default: replace INPUT, keep INPUT.orig]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Replace INPUT without keeping INPUT.orig; an interrupted reduction cannot be resumed
    #[arg(long, conflicts_with = "output")]
    pub no_backup: bool,

    /// Leave the result without line breaks and indentation of its own
    #[arg(long)]
    pub no_format: bool,

    /// In the end, tell how it went on a page to look at in a browser (docs/report.md)
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Interruptions")]
pub struct JournalArgs {
    /// Continue an interrupted run exactly where it was
    #[arg(long)]
    pub resume: bool,

    /// Forget an interrupted run and start again with what the input holds now
    #[arg(long, conflicts_with = "resume")]
    pub restart: bool,

    /// Keep the journal in this file [default: beside the result, removed at the end]
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,

    /// Keep no journal; an interrupted run cannot be resumed
    #[arg(long, conflicts_with_all = ["journal", "resume", "restart"])]
    pub no_journal: bool,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "What is shown")]
pub struct ScreenArgs {
    /// Show nothing but errors and warnings
    #[arg(short, long, conflicts_with_all = ["verbose", "json"])]
    pub quiet: bool,

    /// Show every new best and every pass; twice: every candidate
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,

    /// Print one JSON object per event on standard output (docs/json-events.md)
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Algorithms (nobody needs these to reduce a file)")]
pub struct AlgorithmArgs {
    /// On text: ddmin, greeddy, onepass, probdd, wprobdd, cdd, wddmin, dfs, bfs, heaviest. On trees: hdd, hddr, hddh,
    /// hddhr, hoist, hoistr, each also coarse-…, and hdd-plus. With or without * for a fixed point. Beyond the papers:
    /// largest, a pass from `nub passes`, again. Joined with + for a sequence, e.g. 'hoistr*+hddhr*' [default: a plan
    /// that fits the input]
    #[arg(long, value_name = "NAME")]
    pub algorithm: Option<String>,

    /// How hard to try: quick stops when nothing large goes any more, thorough tests what does not parse, too, and
    /// combinations of tokens [default: normal]
    #[arg(long, value_name = "HOW", value_parser = parse_effort, conflicts_with_all = ["algorithm", "preset", "granularity", "list_minimizer"])]
    pub effort: Option<Effort>,

    /// Only these passes of the plan, e.g. largest,blanks; or all but these, e.g. -lower,-digits (see `nub passes`)
    #[arg(long, value_name = "NAMES", value_delimiter = ',', allow_hyphen_values = true, conflicts_with_all = ["algorithm", "preset", "granularity", "list_minimizer"])]
    pub passes: Vec<String>,

    /// The language of INPUT: a name from `nub languages`, auto, text for what its layout shows, or none for
    /// lines and characters [default: auto]
    #[arg(long, value_name = "NAME", conflicts_with = "tree")]
    pub language: Option<String>,

    /// Reduce this tree of INPUT, in JSON, instead of parsing INPUT
    #[arg(long, value_name = "FILE", requires = "algorithm", conflicts_with_all = ["grammar", "description", "yacc"])]
    pub tree: Option<PathBuf>,

    #[command(flatten, next_help_heading = "Your own grammar")]
    pub grammar: GrammarArgs,

    /// line, char, byte, token, or several in sequence, e.g. token+char [default: line+char; token+char after
    /// algorithms on a structure]
    #[arg(long, value_name = "UNITS")]
    pub granularity: Option<String>,

    /// What minimises lists where the algorithm does not say: any of those on text [default: ddmin]
    #[arg(long, value_name = "NAME", value_parser = parse_minimizer)]
    pub list_minimizer: Option<ListMinimizer>,

    /// Every parameter as in the published experiments
    #[arg(long, value_enum)]
    pub preset: Option<Preset>,

    /// In which order hddr and its kin visit nodes: dfs, reversed-dfs, bfs or reversed-bfs [default: reversed-dfs]
    #[arg(long, value_name = "ORDER", value_parser = parse_traversal)]
    pub traversal: Option<Traversal>,

    /// In which order descendants are hoisted: preorder or furthest [default: preorder]
    #[arg(long, value_name = "ORDER", value_parser = parse_hoist_order)]
    pub hoist_order: Option<HoistOrder>,

    /// What stands between tokens: original or picireny [default: original]
    #[arg(long, value_name = "HOW", value_parser = parse_spacing)]
    pub spacing: Option<Spacing>,

    /// Where comments are: in the gaps between tokens, where they go with what follows them, or nodes of their own
    /// [default: gaps; with a grammar of your own: nodes]
    #[arg(long, value_name = "WHERE", value_parser = parse_hidden)]
    pub hidden: Option<Hidden>,

    /// Do not turn recursive rules into lists
    #[arg(long)]
    pub no_flatten: bool,

    /// Do not shorten chains of only children
    #[arg(long)]
    pub no_squeeze: bool,

    /// Also try to remove what is replaced by itself
    #[arg(long)]
    pub no_skip_unremovable: bool,

    /// How lists are cut: zeller or balanced [default: zeller]
    #[arg(long, value_name = "HOW", value_parser = parse_split)]
    pub split: Option<Split>,

    /// Into how many parts a part is cut: 2 or more, or inf [default: 2]
    #[arg(long, value_name = "N", value_parser = parse_split_factor)]
    pub split_factor: Option<SplitFactor>,

    /// In which order subsets are tried: forward, backward, random or skip [default: skip]
    #[arg(long, value_name = "ORDER", value_parser = parse_order)]
    pub subsets: Option<OrderName>,

    /// In which order complements are tried: forward, backward, random or skip [default: backward]
    #[arg(long, value_name = "ORDER", value_parser = parse_order)]
    pub complements: Option<OrderName>,

    /// Try complements before subsets
    #[arg(long)]
    pub complements_first: bool,

    /// The seed of the random orders
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// How many candidates are tested together, whatever the number of jobs [default: 1 for ddmin and
    /// wddmin, 4 for greeddy; the others have none]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub window: Option<u16>,

    /// What outcomes are remembered by: none, config, content or content-hash [default: content-hash]
    #[arg(long, value_name = "KIND", value_parser = parse_cache)]
    pub cache: Option<CacheKind>,

    /// Remember interesting outcomes too (config and content)
    #[arg(long)]
    pub cache_interesting: bool,

    /// Do not forget outcomes of candidates that are larger than the best
    #[arg(long)]
    pub no_cache_eviction: bool,
}

impl AlgorithmArgs {
    /// What becomes of comments and the like. The hidden tokens of a grammar of the user may be anything, also directives
    /// that matter, so they may go one by one; but not in the published experiments.
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
    /// As ANTLR prints it, nested lists of what the parser has found; only with --grammar or --yacc
    Lisp,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }
}
