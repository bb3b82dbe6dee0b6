//! From the names on the command line to the passes of a search.

use crate::args::{AlgorithmArgs, OrderName, Preset, names};
use anyhow::{Result, bail};
use nub_core::{Granularity, ListAlgorithm, ListMinimizer, ListSettings, TextPass};
use nub_run::{CacheKind, CacheSettings};
use serde_json::json;

/// A plan: what is tried, in which order, and what is remembered of it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The passes over the text.
    pub passes: Vec<TextPass>,
    /// What is remembered.
    pub cache: CacheSettings,
    /// Whether nub asks about the empty input on its own account.
    pub check_empty: bool,
    /// The name of the algorithm, for people.
    pub algorithm: String,
    /// The name of the granularity, for people.
    pub granularity: String,
}

impl Plan {
    /// The plan that the arguments ask for.
    ///
    /// The published experiments (`--preset papers`) skip subsets, try complements backward and split as Zeller does,
    /// by 2; for lists of text they use a content cache. These are nub's defaults for lists as well, so that all the
    /// preset changes here is that nub keeps its own questions to itself.
    pub fn new(args: &AlgorithmArgs) -> Result<Self> {
        let algorithm = match (&args.algorithm, args.list_minimizer) {
            (Some(algorithm), _) => algorithm.clone(),
            (None, Some(minimizer)) => format!("{}*", minimizer.name()),
            (None, None) => "ddmin*".to_owned(),
        };
        let granularity = args.granularity.clone().unwrap_or_else(|| "line+char".to_owned());
        let granularities = granularity.split('+').map(parse_granularity).collect::<Result<Vec<_>>>()?;
        let mut passes = Vec::new();
        for name in algorithm.split('+') {
            let algorithm = parse_algorithm(name, args)?;
            passes.extend(granularities.iter().map(|&granularity| TextPass { granularity, algorithm }));
        }
        let cache = CacheSettings {
            kind: args.cache.unwrap_or(CacheKind::ContentHash),
            interesting: args.cache_interesting,
            evict: !args.no_cache_eviction,
            per_phase: false,
        };
        Ok(Self { passes, cache, check_empty: args.preset != Some(Preset::Papers), algorithm, granularity })
    }

    /// Everything that decides the course of the search, for the journal.
    pub fn settings(&self) -> serde_json::Value {
        let passes: Vec<String> = self.passes.iter().map(|pass| format!("{pass:?}")).collect();
        json!({
            "algorithm": self.algorithm,
            "granularity": self.granularity,
            "passes": passes,
            "cache": self.cache.kind.name(),
            "cache-interesting": self.cache.interesting,
            "cache-eviction": self.cache.evict,
        })
    }
}

fn parse_granularity(name: &str) -> Result<Granularity> {
    match Granularity::from_name(name) {
        Some(granularity) => Ok(granularity),
        None => bail!(
            "unknown granularity {name:?}: expected one of {}, or several joined with +",
            names(Granularity::ALL.map(Granularity::name))
        ),
    }
}

fn parse_algorithm(name: &str, args: &AlgorithmArgs) -> Result<ListAlgorithm> {
    let (minimizer, star) = name.strip_suffix('*').map_or((name, false), |name| (name, true));
    let Some(minimizer) = ListMinimizer::from_name(minimizer) else {
        bail!(
            "unknown algorithm {name:?}: expected one of {}, each with or without *, or several joined with +",
            names(ListMinimizer::ALL.map(ListMinimizer::name))
        );
    };
    if let Some(other) = args.list_minimizer.filter(|&other| other != minimizer) {
        bail!("--algorithm {name} and --list-minimizer {} contradict each other: leave one out", other.name());
    }
    let order = |name: Option<OrderName>, default| name.map_or(default, |name| name.with_seed(args.seed));
    let defaults = ListSettings::default();
    let settings = ListSettings {
        split: args.split.unwrap_or(defaults.split),
        split_factor: args.split_factor.unwrap_or(defaults.split_factor),
        subsets: order(args.subsets, defaults.subsets),
        complements: order(args.complements, defaults.complements),
        complements_first: args.complements_first,
        window: args.window.map_or(minimizer.default_window(), usize::from),
    };
    Ok(ListAlgorithm { minimizer, star, settings })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::Parser;

    fn plan(args: &[&str]) -> Result<Plan> {
        Plan::new(&Cli::parse_from([&["nub", "t", "i"], args].concat()).reduce.algorithm)
    }

    #[test]
    fn the_default_is_the_best_published_setting_without_a_grammar() {
        let plan = plan(&[]).unwrap();
        let granularities: Vec<_> = plan.passes.iter().map(|pass| pass.granularity).collect();
        assert_eq!(granularities, [Granularity::Line, Granularity::Char]);
        assert!(plan.passes.iter().all(|pass| pass.algorithm.star && pass.algorithm.minimizer == ListMinimizer::Ddmin));
        assert!(plan.check_empty);
    }

    #[test]
    fn sequences_of_algorithms_and_granularities() {
        let plan = plan(&["--algorithm", "greeddy+ddmin*", "--granularity", "token+byte", "--window", "3"]).unwrap();
        let all: Vec<_> = plan
            .passes
            .iter()
            .map(|pass| (pass.algorithm.minimizer.name(), pass.algorithm.star, pass.granularity.name()))
            .collect();
        let expected = [
            ("greeddy", false, "token"),
            ("greeddy", false, "byte"),
            ("ddmin", true, "token"),
            ("ddmin", true, "byte"),
        ];
        assert_eq!(all, expected);
        assert!(plan.passes.iter().all(|pass| pass.algorithm.settings.window == 3));
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
            assert!(plan(wrong).is_err(), "{wrong:?}");
        }
    }
}
