//! Turns the options of the command line into a plan.

use crate::{
    args::{AlgorithmArgs, OrderName, Preset, names},
    front_end::grammar_settings,
    settings::Usage,
};
use anyhow::Result;
use nub_core::{
    FrontEnd, Granularity, Knowledge, ListSettings, Options, Plan, PlanError, PlanSearch, Preparations, Selection,
    registry, tree::Spacing,
};
use nub_run::{CacheKind, CacheSettings};
use serde_json::{Value, json};
use std::{
    io::{self, Write as _},
    sync::Arc,
};

/// How an input is reduced: the plan, the front end that parses it, and the cache.
#[derive(Clone, Debug)]
pub struct Strategy {
    pub plan: Plan,
    pub front_end: Arc<dyn FrontEnd>,
    pub cache: CacheSettings,
    /// Whether nub itself tests the empty input.
    pub check_empty: bool,
    /// Whether every commit must be smaller than the one before.
    pub ordered: bool,
    /// Whether the result is formatted at the end: with every default plan that uses a structure.
    pub formats: bool,
    /// What determines the trees of a user's grammar.
    grammar: Option<Value>,
}

impl Strategy {
    /// The strategy that the arguments ask for.
    ///
    /// The published experiments (`--preset papers`) skip subsets, try complements backward, and split as Zeller does, by
    /// 2: the same as nub's defaults for lists. Their trees are flattened, squeezed and freed of nodes that cannot be
    /// removed, like nub's. The preset changes the spacing between tokens, gives each phase on a tree its own content
    /// cache that keeps everything, tests candidates that are not smaller, and skips nub's test of the empty input.
    pub fn new(args: &AlgorithmArgs, front_end: Arc<dyn FrontEnd>) -> Result<Self> {
        let papers = args.preset == Some(Preset::Papers);
        let options = options(args, front_end.knowledge())?;
        let plan = plan(args, front_end.knowledge(), &options)?;
        plan.check(&*front_end).map_err(|error| usage(&error))?;
        let uses_tree = plan.uses_structure();
        let published_tree = papers && uses_tree;
        let cache = CacheSettings {
            kind: args.cache.unwrap_or(if published_tree { CacheKind::Content } else { CacheKind::ContentHash }),
            interesting: args.cache_interesting || published_tree,
            evict: !args.no_cache_eviction && !published_tree,
            per_phase: published_tree,
        };
        let ordered = !uses_tree || options.spacing == Spacing::Original && !papers;
        let formats = args.algorithm.is_none() && uses_tree && !papers;
        let grammar = args.grammar.is_given().then(|| grammar_settings(&args.grammar)).transpose()?;
        Ok(Self { plan, front_end, cache, check_empty: !papers, ordered, formats, grammar })
    }

    /// The search for a small version of `original`.
    pub fn search(&self, original: Arc<[u8]>) -> PlanSearch {
        PlanSearch::new(self.plan.clone(), Arc::clone(&self.front_end), original)
    }

    /// Everything that determines the course of the search, for the journal.
    pub fn settings(&self) -> Value {
        json!({
            "algorithm": self.plan.name(),
            "granularity": self.plan.granularity(),
            "plan": self.plan.spelling(),
            "language": self.front_end.name(),
            "grammar": self.grammar,
            "cache": self.cache.kind.name(),
            "cache-interesting": self.cache.interesting,
            "cache-eviction": self.cache.evict,
        })
    }
}

/// Refuses names that are wrong for every input, before reading any file.
pub fn check_names(args: &AlgorithmArgs) -> Result<()> {
    let options = options(args, Knowledge::Nothing)?;
    match &args.algorithm {
        Some(algorithm) => Plan::named(algorithm, &options).map(drop).map_err(|error| usage(&error)),
        None => Ok(()),
    }
}

/// Lists everything that can be named in a plan or with `--passes`.
pub fn passes(out: &mut Vec<u8>) -> io::Result<()> {
    for entry in registry().iter().filter(|entry| !entry.is_list() && !entry.is_tree()) {
        writeln!(out, "{:<14} {}", entry.name, entry.about)?;
    }
    for (input, knowledge) in [
        ("a known language", Knowledge::Grammar),
        ("other text", Knowledge::Layout),
        ("binary data", Knowledge::Binary),
    ] {
        let blank = if knowledge == Knowledge::Grammar { "\n" } else { "" };
        writeln!(out, "{blank}The default on {input}: {}", Plan::standard_names(knowledge))?;
    }
    Ok(())
}

fn usage(error: &PlanError) -> anyhow::Error {
    Usage(error.to_string()).into()
}

/// The default plan, unless the user asks for an algorithm, a granularity, a list minimiser or a preset.
fn plan(args: &AlgorithmArgs, knowledge: Knowledge, options: &Options) -> Result<Plan> {
    let own = args.granularity.is_none() && args.list_minimizer.is_none() && args.preset.is_none();
    match (&args.algorithm, args.list_minimizer) {
        (Some(algorithm), _) => Plan::named(algorithm, options),
        (None, Some(minimizer)) => Plan::named(&format!("{}*", minimizer.name()), options),
        (None, None) if own => Plan::standard(knowledge, options),
        (None, None) => Plan::named("ddmin*", options),
    }
    .map_err(|error| usage(&error))
}

fn options(args: &AlgorithmArgs, knowledge: Knowledge) -> Result<Options> {
    let defaults = Options::default();
    let papers = args.preset == Some(Preset::Papers);
    let order = |name: Option<OrderName>, default| name.map_or(default, |name| name.with_seed(args.seed));
    // A recorded tree does not contain the text between its tokens.
    let published_spacing = papers || knowledge == Knowledge::Tree;
    let spacing = args.spacing.unwrap_or(if published_spacing { Spacing::Picireny } else { Spacing::Original });
    let (without, only): (Vec<String>, Vec<String>) =
        args.passes.iter().cloned().partition(|name| name.starts_with('-'));
    Ok(Options {
        minimizer: args.list_minimizer,
        list: ListSettings {
            split: args.split.unwrap_or(defaults.list.split),
            split_factor: args.split_factor.unwrap_or(defaults.list.split_factor),
            subsets: order(args.subsets, defaults.list.subsets),
            complements: order(args.complements, defaults.list.complements),
            complements_first: args.complements_first,
            ..defaults.list
        },
        window: args.window.map(usize::from),
        granularities: args.granularity.as_deref().map(granularities).transpose()?,
        hoist_order: args.hoist_order.unwrap_or(defaults.hoist_order),
        traversal: args.traversal.unwrap_or(defaults.traversal),
        preparations: Preparations {
            flatten: !args.no_flatten,
            squeeze: !args.no_squeeze,
            skip_unremovable: !args.no_skip_unremovable,
        },
        smaller: !papers && spacing == Spacing::Original,
        spacing,
        hidden: args.hidden(),
        effort: args.effort.unwrap_or_default(),
        selection: Selection { only, without: without.iter().map(|name| name[1..].to_owned()).collect() },
        ..defaults
    })
}

fn granularities(names: &str) -> Result<Vec<Granularity>> {
    names.split('+').map(granularity).collect()
}

fn granularity(name: &str) -> Result<Granularity> {
    Granularity::from_name(name).ok_or_else(|| {
        let known = names(Granularity::ALL.map(Granularity::name));
        Usage(format!("unknown granularity {name:?}: expected one of {known}, or several joined with +")).into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::Parser;
    use nub_core::{BinaryData, PlainText, Unknown};

    fn strategy(args: &[&str], front_end: impl FrontEnd + 'static) -> Result<Strategy> {
        Strategy::new(&Cli::parse_from([&["nub", "t", "i"], args].concat()).reduce.algorithm, Arc::new(front_end))
    }

    fn names(args: &[&str], front_end: impl FrontEnd + 'static) -> (String, String) {
        let plan = strategy(args, front_end).unwrap().plan;
        (plan.name().to_owned(), plan.granularity())
    }

    #[test]
    fn the_default_on_text_uses_its_outline() {
        let plan = strategy(&[], PlainText).unwrap().plan;
        assert_eq!((plan.name(), &*plan.granularity()), (Plan::standard_names(Knowledge::Layout), "token+char"));
        assert!(plan.uses_structure());
        for args in [
            &["--granularity", "line"][..],
            &["--algorithm", "greeddy"],
            &["--list-minimizer", "ddmin"],
            &["--preset", "papers"],
        ] {
            assert!(!strategy(args, PlainText).unwrap().plan.uses_structure(), "{args:?}");
        }
    }

    #[test]
    fn without_a_structure_the_default_is_the_best_published_setting() {
        assert_eq!(names(&[], Unknown), ("ddmin*".to_owned(), "line+char".to_owned()));
        assert!(strategy(&[], Unknown).unwrap().check_empty);
    }

    #[test]
    fn binary_data_has_its_own_plan_unless_the_user_names_one() {
        assert_eq!(names(&[], BinaryData), ("binary+ddmin*".to_owned(), "byte".to_owned()));
        assert_eq!(names(&["--granularity", "line+char"], BinaryData).0, "ddmin*");
        assert_eq!(names(&["--algorithm", "ddmin"], BinaryData), ("ddmin".to_owned(), "line+char".to_owned()));
    }

    #[test]
    fn every_parameter_is_part_of_the_settings() {
        let settings = |args: &[&str]| strategy(args, Unknown).unwrap().settings();
        let default = settings(&["--algorithm", "greeddy"]);
        for args in [
            ["--window", "3"],
            ["--split", "balanced"],
            ["--split-factor", "3"],
            ["--subsets", "forward"],
            ["--complements", "forward"],
            ["--granularity", "byte"],
            ["--cache", "none"],
        ] {
            assert_ne!(settings(&[&["--algorithm", "greeddy"][..], &args].concat()), default, "{args:?}");
        }
    }

    #[test]
    fn contradictions_and_unknown_names_are_refused() {
        for wrong in [
            &["--algorithm", "hdd"][..],
            &["--algorithm", "ddmin**"],
            &["--algorithm", ""],
            &["--granularity", "word"],
            &["--granularity", "line+"],
            &["--algorithm", "ddmin", "--list-minimizer", "greeddy"],
        ] {
            assert!(strategy(wrong, Unknown).is_err(), "{wrong:?}");
        }
    }
}
