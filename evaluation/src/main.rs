//! Measures nub. `cargo run --release -p nub-evaluation -- NAME` runs one experiment, prints its tables and writes them
//! to `evaluation/results/NAME.md`; `run` (or the script `evaluation/run`) runs them all, or groups of them.
//!
//! To add an experiment, add a file with a function that fills a [`Report`], and a line to [`EXPERIMENTS`].

mod antlr;
mod batch;
mod cache_memory;
mod candidate_cost;
mod cases;
mod chart;
mod coprocess;
mod effects;
mod engine;
mod fidelity;
mod greeddy;
mod lists;
mod machine;
mod measure;
mod million_lines;
mod native;
mod parse;
mod random;
mod report;
mod scaling;
mod synthetic;
mod throughput;
mod tree_candidate_cost;
mod validity;
mod xml;

use anyhow::{Result, bail, ensure};
use report::Report;
use std::process::ExitCode;

/// A question, and the function that answers it.
struct Experiment {
    name: &'static str,
    /// Its group: `evaluation/run --GROUP`.
    group: Group,
    question: &'static str,
    run: fn(&mut Report) -> Result<()>,
}

/// The topic of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    /// Are the published algorithms reproduced exactly?
    Fidelity,
    /// What do the algorithms of the literature achieve?
    Effects,
    /// How does nub compare with other tools on real failures?
    Peers,
    /// What would more workers achieve?
    Scaling,
    /// What does nub itself cost?
    Speed,
    /// How good are the parsers?
    Parsers,
}

impl Group {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Fidelity, "fidelity"),
        (Self::Effects, "effects"),
        (Self::Peers, "peers"),
        (Self::Scaling, "scaling"),
        (Self::Speed, "speed"),
        (Self::Parsers, "parsers"),
    ];
}

const EXPERIMENTS: [Experiment; 19] = [
    Experiment {
        name: "fidelity",
        group: Group::Fidelity,
        question: "Are the recorded runs of the reference tools reproduced, candidate by candidate?",
        run: fidelity::run,
    },
    Experiment {
        name: "effects",
        group: Group::Effects,
        question: "What do fixed points and hoisting achieve, and does it match the thesis?",
        run: effects::run,
    },
    Experiment {
        name: "greeddy",
        group: Group::Effects,
        question: "Does GreeDDy\\* need fewer tests than ddmin\\* with the same window?",
        run: greeddy::run,
    },
    Experiment {
        name: "cache-memory",
        group: Group::Effects,
        question: "How much memory do the outcome caches take?",
        run: cache_memory::run,
    },
    Experiment {
        name: "lists",
        group: Group::Effects,
        question: "How many tests does each list minimiser need, and for what result?",
        run: lists::run,
    },
    Experiment {
        name: "engine",
        group: Group::Peers,
        question: "Does nub beat the algorithms of the thesis in size and tests, on its inputs, with a real engine?",
        run: engine::run,
    },
    Experiment {
        name: "peers",
        group: Group::Peers,
        question: "How small do nub and other reducers make real failures, in how many tests, and how soon?",
        run: cases::peers::run,
    },
    Experiment {
        name: "cases",
        group: Group::Peers,
        question: "How small do the algorithms of the papers make real failures, and in how many tests?",
        run: cases::run,
    },
    Experiment {
        name: "ablation",
        group: Group::Peers,
        question: "Does each pass of the plan earn its place?",
        run: cases::ablation::run,
    },
    Experiment {
        name: "scaling",
        group: Group::Scaling,
        question: "How much sooner does a reduction finish with more workers, and how many tests are wasted?",
        run: scaling::run,
    },
    Experiment {
        name: "candidate-cost",
        group: Group::Speed,
        question: "How much processor time does a candidate cost nub itself?",
        run: candidate_cost::run,
    },
    Experiment {
        name: "tree-candidate-cost",
        group: Group::Speed,
        question: "How much processor time does a candidate of a tree cost, compared with a copy of its bytes?",
        run: tree_candidate_cost::run,
    },
    Experiment {
        name: "million-lines",
        group: Group::Speed,
        question: "How long does it take to reduce a million lines, and how much memory?",
        run: million_lines::run,
    },
    Experiment {
        name: "throughput",
        group: Group::Speed,
        question: "How much slower are tests under nub than in a bare loop?",
        run: throughput::run,
    },
    Experiment {
        name: "coprocess",
        group: Group::Speed,
        question: "How long does a co-process take to answer?",
        run: coprocess::run,
    },
    Experiment {
        name: "parse",
        group: Group::Parsers,
        question: "How long does it take to get from bytes to a prepared tree, and how much memory?",
        run: parse::run,
    },
    Experiment {
        name: "validity",
        group: Group::Parsers,
        question: "Do the edits that a grammar allows really leave a file well-formed?",
        run: validity::run,
    },
    Experiment {
        name: "antlr",
        group: Group::Parsers,
        question: "How much faster and smaller is our engine for ANTLR grammars than ANTLR's Java parsers?",
        run: antlr::run,
    },
    Experiment {
        name: "xml",
        group: Group::Parsers,
        question: "How long does it take to reduce 10 MB of XML, and how much memory?",
        run: xml::run,
    },
];

fn main() -> Result<ExitCode> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.split_first() {
        // Not an experiment, but the test that some experiments give to a reducer.
        Some((name, words)) if name == "observe" => return cases::observe::run(words),
        Some((name, options)) if name == "run" => batch::run(options)?,
        Some((name, options)) => match EXPERIMENTS.iter().find(|experiment| experiment.name == name) {
            Some(experiment) => run(experiment, options)?,
            None => bail!("there is no experiment {name}\n\n{}", usage()),
        },
        None => bail!("{}", usage()),
    }
    Ok(ExitCode::SUCCESS)
}

fn run(experiment: &Experiment, options: &[String]) -> Result<()> {
    ensure!(!cfg!(debug_assertions), "only optimised code is worth measuring: use cargo run --release");
    let mut report = Report::new(experiment.name, experiment.question, options);
    (experiment.run)(&mut report)?;
    report.finish()
}

fn usage() -> String {
    let lines = EXPERIMENTS.iter().map(|experiment| format!("  {:20}{}\n", experiment.name, experiment.question));
    format!(
        "usage: nub-evaluation NAME [OPTIONS], where NAME is one of\n{}\
         or: nub-evaluation run {}, for all of them or for groups",
        lines.collect::<String>(),
        batch::OPTIONS
    )
}
