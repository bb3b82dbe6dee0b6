//! From the names on the command line to the stages of a search.

use crate::{
    args::{AlgorithmArgs, OrderName, Preset, names},
    grammar,
    structure::{Preparations, Structure},
};
use anyhow::{Result, bail};
use nub_core::{
    Analyse, Effort, Granularity, ListAlgorithm, ListMinimizer, ListSettings, Phase, Stage, TextPhase, Traversal,
    passes::{PASSES, Pass},
    tree::Spacing,
};
use nub_run::{CacheKind, CacheSettings};
use serde_json::json;
use std::{
    collections::HashSet,
    io::{self, Write as _},
    sync::Arc,
};

/// A plan: what is tried, in which order, and what is remembered of it.
#[derive(Clone)]
pub struct Plan {
    /// The stages of the search.
    pub stages: Vec<Stage>,
    /// What is remembered.
    pub cache: CacheSettings,
    /// Whether nub asks about the empty input on its own account.
    pub check_empty: bool,
    /// Whether every commit must be smaller than the one before.
    pub ordered: bool,
    /// The name of the algorithm, for people.
    pub algorithm: String,
    /// The name of the granularity, for people.
    pub granularity: String,
    /// The name of the language, for people.
    pub language: String,
    /// How hard to try.
    pub effort: Effort,
    /// What knows the input well enough to format the result, if the plan is nub's own.
    pub formatter: Option<Arc<dyn Analyse>>,
    description: Vec<String>,
    /// What decides the trees of a grammar of the user.
    grammar: Option<serde_json::Value>,
}

/// What is done with an input of a known language: the largest parts, then what passes can do, until both are at an end;
/// then every single node, token and character, and from the beginning if that has helped.
const TREE_PLAN: &str = "largest+unwrap+pairs+mentions+parameters+inline+merge+identifiers+numbers+strings+smallest+\
                         blanks+again+hddhr*+ddmin*+windows+digits+lower+again+tokens+again";

/// What is done with a text in no known language: the same with what its layout shows.
const TEXT_PLAN: &str = "largest+unwrap+repeats+columns+numbers+identifiers+again+ddmin*+windows+digits+lower+again";

/// What is done with binary data: blocks and bytes with everything around them repaired, then bytes as they are.
const BINARY_PLAN: &str = "binary+ddmin*";

/// The plan for an input, without those passes that nobody wants.
fn default_plan(args: &AlgorithmArgs, structure: &Structure) -> Result<String> {
    let plan = match structure {
        Structure::Language(_) | Structure::Xml | Structure::Grammar(_) => TREE_PLAN,
        Structure::Outline => TEXT_PLAN,
        Structure::Binary => BINARY_PLAN,
        _ => "ddmin*",
    };
    let plan = match args.effort.unwrap_or_default() {
        Effort::Quick => plan.split_inclusive("again").next().unwrap_or(plan).to_owned(),
        Effort::Normal => plan.to_owned(),
        Effort::Thorough => plan.replace("+windows+", "+windows+combinations+"),
    };
    let names: Vec<&str> = plan.split('+').collect();
    let known = |name: &&str| names.contains(name) && *name != "again";
    let (without, only): (Vec<&str>, Vec<&str>) =
        args.passes.iter().map(String::as_str).partition(|name| name.starts_with('-'));
    let without: Vec<&str> = without.into_iter().map(|name| &name[1..]).collect();
    if let Some(unknown) = without.iter().chain(&only).find(|name| !known(name)) {
        let all: Vec<&str> = names.iter().copied().filter(|name| known(name)).collect();
        bail!("no pass {unknown:?} in the plan for this input; there are {}", all.join(", "));
    }
    let wanted = |name: &&str| !without.contains(name) && (only.is_empty() || only.contains(name) || *name == "again");
    let plan: Vec<&str> = names.iter().copied().filter(wanted).collect();
    Ok(plan.join("+"))
}

impl Plan {
    /// The plan that the arguments ask for.
    ///
    /// The published experiments (`--preset papers`) skip subsets, try complements backward and split as Zeller does,
    /// by 2: nub's defaults for lists as well. Their trees are flattened, squeezed and rid of what cannot be removed,
    /// likewise. What the preset changes is the spacing between tokens, that each phase on a tree has a content cache of
    /// its own that keeps everything, that candidates need not be smaller, and that nub keeps its own questions to itself.
    pub fn new(args: &AlgorithmArgs, structure: &Structure) -> Result<Self> {
        let text_only = args.granularity.is_some() || args.list_minimizer.is_some();
        let algorithm = match (&args.algorithm, args.list_minimizer, structure) {
            (Some(algorithm), ..) => algorithm.clone(),
            (None, Some(minimizer), _) => format!("{}*", minimizer.name()),
            (None, None, _) if !text_only && args.preset.is_none() => default_plan(args, structure)?,
            (None, None, _) => "ddmin*".to_owned(),
        };
        let steps = parse_steps(&algorithm, args)?;
        let uses_tree = steps.iter().any(|step| {
            matches!(step, Step::Tree(_) | Step::Closures | Step::Largest | Step::Pass(_) | Step::AllPass(_))
        });
        let granularity = args.granularity.clone().unwrap_or_else(|| {
            let binary = steps.iter().any(|step| matches!(step, Step::Binary(_)));
            let default = if uses_tree {
                "token+char"
            } else if binary {
                "byte"
            } else {
                "line+char"
            };
            default.to_owned()
        });
        let granularities = granularity.split('+').map(parse_granularity).collect::<Result<Vec<_>>>()?;
        let papers = args.preset == Some(Preset::Papers);
        let spacing = args.spacing.unwrap_or(match (papers, structure) {
            (
                false,
                Structure::Language(_)
                | Structure::Xml
                | Structure::Grammar(_)
                | Structure::Text
                | Structure::Outline
                | Structure::Binary,
            ) => Spacing::Original,
            // A recorded tree does not say what was between its tokens.
            _ => Spacing::Picireny,
        });
        let mut stages = Vec::new();
        for step in steps {
            stages.push(match step {
                Step::Text(algorithm) => {
                    let passes =
                        granularities.iter().map(|&granularity| TextPhase { granularity, algorithm }).collect();
                    // Who asks for an algorithm by its name gets just that, and an outline knows no errors.
                    let errors = args.algorithm.is_none() && uses_tree && !matches!(structure, Structure::Outline);
                    let analyser = if errors { structure.analyser(args.hidden()) } else { None };
                    match analyser {
                        Some(analyser) => Stage::ValidText(passes, analyser),
                        None => Stage::Text(passes),
                    }
                }
                Step::Tokens(algorithm) => {
                    let passes = [TextPhase { granularity: Granularity::Token, algorithm }].into();
                    match structure.analyser(args.hidden()) {
                        Some(analyser) => Stage::AllText(passes, analyser),
                        None => Stage::Text(passes),
                    }
                }
                Step::Closures | Step::Largest | Step::Pass(_) | Step::AllPass(_) => {
                    match (structure.analyser(args.hidden()), step) {
                        (Some(analyser), Step::Pass(pass)) => Stage::Pass(pass, analyser),
                        (Some(analyser), Step::AllPass(pass)) => Stage::AllPass(pass, analyser),
                        (Some(analyser), Step::Closures) => Stage::Closures(analyser),
                        (Some(analyser), _) => Stage::Largest(analyser),
                        (None, _) => bail!("{algorithm} needs the grammar of the input: name its --language"),
                    }
                }
                Step::Binary(algorithm) => Stage::Binary(algorithm),
                Step::Again => Stage::Again,
                Step::Tree(phases) => {
                    let Some(parser) = structure.parser(Preparations::new(args)) else {
                        bail!("{algorithm} needs the structure of the input: name its --language, or give a --tree");
                    };
                    Stage::Tree {
                        parser,
                        phases: phases.into(),
                        spacing,
                        smaller: !papers && spacing == Spacing::Original,
                    }
                }
            });
        }
        let published_tree = papers && uses_tree;
        let cache = CacheSettings {
            kind: args.cache.unwrap_or(if published_tree { CacheKind::Content } else { CacheKind::ContentHash }),
            interesting: args.cache_interesting || published_tree,
            evict: !args.no_cache_eviction && !published_tree,
            per_phase: published_tree,
        };
        let description = stages.iter().map(|stage| describe(stage, args)).collect();
        let ordered = !uses_tree || spacing == Spacing::Original && !papers;
        let language = structure.name().to_owned();
        let grammar = args.grammar.is_given().then(|| grammar::settings(&args.grammar)).transpose()?;
        let check_empty = !papers;
        let effort = args.effort.unwrap_or_default();
        let own = args.algorithm.is_none() && uses_tree && !papers;
        let formatter = if own { structure.analyser(args.hidden()) } else { None };
        Ok(Self {
            stages,
            cache,
            check_empty,
            ordered,
            effort,
            formatter,
            algorithm,
            granularity,
            language,
            description,
            grammar,
        })
    }

    /// Refuses names that no input makes sense of, before anything is read.
    pub fn check_names(args: &AlgorithmArgs) -> Result<()> {
        if let Some(granularity) = &args.granularity {
            granularity.split('+').try_for_each(|name| parse_granularity(name).map(drop))?;
        }
        args.algorithm.as_ref().map_or(Ok(()), |algorithm| parse_steps(algorithm, args).map(drop))
    }

    /// Whether any stage works on the structure of the input.
    pub fn uses_structure(&self) -> bool {
        self.stages.iter().any(|stage| !matches!(stage, Stage::Text(_) | Stage::Binary(_) | Stage::Again))
    }

    /// What nothing of can go from a result of this plan: which minimality a complete search has established.
    pub fn minimal(&self) -> Vec<&'static str> {
        if self.effort == Effort::Quick {
            return vec![];
        }
        // Rounds end when no stage changes anything; without rounds only the last stage has seen the result.
        let rounds = matches!(self.stages.last(), Some(Stage::Again));
        let stages = if rounds { &self.stages[..] } else { &self.stages[self.stages.len().saturating_sub(1)..] };
        let mut minimal = vec![];
        for stage in stages {
            match stage {
                Stage::Tree { phases, .. } if phases.last().is_some_and(Phase::is_tree_minimal) => {
                    minimal.push("node");
                }
                Stage::Text(passes) | Stage::ValidText(passes, _) | Stage::AllText(passes, _) => {
                    let units = if rounds { &passes[..] } else { &passes[passes.len().saturating_sub(1)..] };
                    // The last iteration of one-pass DD* has removed nothing, not even one unit.
                    let minimal_units = units.iter().filter(|pass| match pass.algorithm.minimizer {
                        ListMinimizer::Ddmin => true,
                        ListMinimizer::OnePass => pass.algorithm.star,
                        _ => false,
                    });
                    minimal.extend(minimal_units.map(|pass| pass.granularity.name()));
                }
                _ => {}
            }
        }
        let mut seen = HashSet::new();
        minimal.retain(|unit| seen.insert(*unit));
        minimal
    }

    /// Whether some candidates may have been left out because they do not parse.
    pub fn leaves_out(&self) -> bool {
        self.effort != Effort::Thorough && self.stages.iter().any(|stage| matches!(stage, Stage::ValidText(..)))
    }

    /// Everything that decides the course of the search, for the journal.
    pub fn settings(&self) -> serde_json::Value {
        json!({
            "algorithm": self.algorithm,
            "granularity": self.granularity,
            "language": self.language,
            "grammar": self.grammar,
            "effort": self.effort.name(),
            "stages": self.description,
            "cache": self.cache.kind.name(),
            "cache-interesting": self.cache.interesting,
            "cache-eviction": self.cache.evict,
        })
    }
}

/// Lists the passes.
pub fn passes(out: &mut Vec<u8>) -> io::Result<()> {
    for (name, about) in [
        ("closures", "keeps what the failure reaches, by definitions and uses of names"),
        ("tokens", "removes tokens and runs of them, also if that makes syntax errors, in case the test accepts those"),
        ("largest", "removes the largest parts first, with their separators, or puts a part in their place"),
    ] {
        writeln!(out, "{name:<14} {about}")?;
    }
    for pass in PASSES {
        writeln!(out, "{:<14} {}", pass.name, pass.about)?;
    }
    writeln!(out, "{:<14} removes blocks and bytes of binary data, and keeps sizes and counts right", "binary")?;
    writeln!(out, "\nThe default on a known language: {TREE_PLAN}")?;
    writeln!(out, "The default on other text: {TEXT_PLAN}")?;
    writeln!(out, "The default on binary data: {BINARY_PLAN}")
}

fn describe(stage: &Stage, args: &AlgorithmArgs) -> String {
    match stage {
        Stage::Text(passes) => format!("{passes:?}"),
        Stage::AllText(passes, _) => format!("all {passes:?}"),
        Stage::ValidText(passes, _) => format!("valid {passes:?}"),
        Stage::Closures(_) => format!("closures {:?}", args.hidden()),
        Stage::Largest(_) => format!("largest {:?}", args.hidden()),
        Stage::Pass(pass, _) => format!("{} {:?}", pass.name, args.hidden()),
        Stage::AllPass(pass, _) => format!("all {} {:?}", pass.name, args.hidden()),
        Stage::Binary(algorithm) => format!("binary {algorithm:?}"),
        Stage::Again => "again".to_owned(),
        Stage::Tree { phases, spacing, smaller, .. } => {
            format!("{phases:?} {spacing:?} {:?} smaller: {smaller}", Preparations::new(args))
        }
    }
}

/// A part of a sequence of algorithms: names of tree algorithms that follow each other work on one tree.
enum Step {
    Text(ListAlgorithm),
    Tokens(ListAlgorithm),
    Tree(Vec<Phase>),
    Closures,
    Largest,
    Pass(Pass),
    AllPass(Pass),
    Binary(ListAlgorithm),
    Again,
}

fn parse_steps(algorithm: &str, args: &AlgorithmArgs) -> Result<Vec<Step>> {
    let reversed_dfs = Traversal::Nodes { pop_first: false, append_reversed: false };
    let minimizer = args.list_minimizer.unwrap_or_default();
    let list = ListAlgorithm { minimizer, star: false, settings: list_settings(minimizer, args) };
    let (order, traversal) = (args.hoist_order.unwrap_or_default(), args.traversal.unwrap_or(reversed_dfs));
    let mut steps: Vec<Step> = Vec::new();
    for name in algorithm.split('+') {
        match (Phase::named(name, list, order, traversal), steps.last_mut()) {
            (Some(phases), Some(Step::Tree(before))) => before.extend(phases),
            (Some(phases), _) => steps.push(Step::Tree(phases)),
            (None, _) if name == "tokens" => {
                // Hardly any can go at this stage, and one-pass DD wastes the fewest tests on finding that out. What is
                // left of a statement without its tokens goes as a run, before anything is parsed again.
                let minimizer = args.list_minimizer.unwrap_or(ListMinimizer::OnePass);
                let settings = list_settings(minimizer, args);
                steps.push(Step::Tokens(ListAlgorithm { minimizer, star: true, settings }));
                steps.extend(PASSES.into_iter().find(|pass| pass.name == "windows").map(Step::AllPass));
            }
            (None, _) if name == "closures" => steps.push(Step::Closures),
            (None, _) if name == "largest" => steps.push(Step::Largest),
            (None, _) if name == "binary" => steps.push(Step::Binary(ListAlgorithm { star: true, ..list })),
            (None, _) if name == "again" => steps.push(Step::Again),
            (None, _) if PASSES.iter().any(|pass| pass.name == name) => {
                steps.extend(PASSES.into_iter().find(|pass| pass.name == name).map(Step::Pass));
            }
            (None, _) => steps.push(Step::Text(parse_algorithm(name, args)?)),
        }
    }
    Ok(steps)
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
            "unknown algorithm {name:?}: expected one of {}, hdd, hddr, hddh, hddhr, hoist, hoistr (also coarse-…), each \
             with or without *, or hdd-plus, or several joined with +",
            names(ListMinimizer::ALL.map(ListMinimizer::name))
        );
    };
    if let Some(other) = args.list_minimizer.filter(|&other| other != minimizer) {
        bail!("--algorithm {name} and --list-minimizer {} contradict each other: leave one out", other.name());
    }
    Ok(ListAlgorithm { minimizer, star, settings: list_settings(minimizer, args) })
}

fn list_settings(minimizer: ListMinimizer, args: &AlgorithmArgs) -> ListSettings {
    let order = |name: Option<OrderName>, default| name.map_or(default, |name| name.with_seed(args.seed));
    let defaults = ListSettings::default();
    ListSettings {
        split: args.split.unwrap_or(defaults.split),
        split_factor: args.split_factor.unwrap_or(defaults.split_factor),
        subsets: order(args.subsets, defaults.subsets),
        complements: order(args.complements, defaults.complements),
        complements_first: args.complements_first,
        window: args.window.map_or(minimizer.default_window(), usize::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::Parser;

    fn plan(args: &[&str]) -> Result<Plan> {
        Plan::new(&Cli::parse_from([&["nub", "t", "i"], args].concat()).reduce.algorithm, &Structure::Text)
    }

    /// The passes of a plan that is all text.
    fn passes(plan: &Plan) -> Vec<TextPhase> {
        let passes = plan.stages.iter().flat_map(|stage| match stage {
            Stage::Text(passes) => passes.to_vec(),
            _ => panic!("a stage on a tree"),
        });
        passes.collect()
    }

    #[test]
    fn the_default_on_text_uses_its_outline() {
        let plan = |args: &[&str]| {
            let args = Cli::parse_from([&["nub", "t", "i"], args].concat()).reduce.algorithm;
            Plan::new(&args, &Structure::Outline).unwrap()
        };
        assert_eq!((&*plan(&[]).algorithm, &*plan(&[]).granularity), (TEXT_PLAN, "token+char"));
        assert!(plan(&[]).uses_structure());
        for args in [
            &["--granularity", "line"][..],
            &["--algorithm", "greeddy"],
            &["--list-minimizer", "ddmin"],
            &["--preset", "papers"],
        ] {
            assert!(!plan(args).uses_structure(), "{args:?}");
        }
    }

    #[test]
    fn the_default_is_the_best_published_setting_without_a_structure() {
        let plan = plan(&[]).unwrap();
        let granularities: Vec<_> = passes(&plan).iter().map(|pass| pass.granularity).collect();
        assert_eq!(granularities, [Granularity::Line, Granularity::Char]);
        assert!(
            passes(&plan).iter().all(|pass| pass.algorithm.star && pass.algorithm.minimizer == ListMinimizer::Ddmin)
        );
        assert!(plan.check_empty);
    }

    #[test]
    fn binary_data_has_a_plan_of_its_own_unless_somebody_says_otherwise() {
        let plan = |args: &[&str]| {
            let args = Cli::parse_from([&["nub", "t", "i"], args].concat()).reduce.algorithm;
            Plan::new(&args, &Structure::Binary).unwrap()
        };
        let default = plan(&[]);
        assert!(matches!(default.stages[..], [Stage::Binary(_), Stage::Text(_)]));
        assert_eq!(default.granularity, "byte");
        assert_eq!(passes(&plan(&["--granularity", "line+char"])).len(), 2);
        assert_eq!(passes(&plan(&["--algorithm", "ddmin"])).len(), 2);
    }

    #[test]
    fn sequences_of_algorithms_and_granularities() {
        let plan = plan(&["--algorithm", "greeddy+ddmin*", "--granularity", "token+byte", "--window", "3"]).unwrap();
        let passes = passes(&plan);
        let all: Vec<_> = passes
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
        assert!(passes.iter().all(|pass| pass.algorithm.settings.window == 3));
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
