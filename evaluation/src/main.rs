//! Measures nub. `cargo run --release -p nub-evaluation -- NAME` runs one experiment, prints its tables and writes them
//! to `evaluation/results/NAME.md`; `all` runs them all.
//!
//! One more experiment is one more file, with a function that fills a [`Report`], and one more line in [`EXPERIMENTS`].

mod antlr;
mod cache_memory;
mod candidate_cost;
mod cases;
mod coprocess;
mod greeddy;
mod lists;
mod machine;
mod measure;
mod million_lines;
mod native;
mod parse;
mod random;
mod recordings;
mod report;
mod throughput;
mod tree_candidate_cost;
mod validity;
mod xml;

use anyhow::{Result, bail, ensure};
use report::Report;
use std::process::{Command, ExitCode};

/// A question, and what answers it.
struct Experiment {
    name: &'static str,
    question: &'static str,
    run: fn(&mut Report) -> Result<()>,
}

const EXPERIMENTS: [Experiment; 15] = [
    Experiment {
        name: "greeddy",
        question: "Does GreeDDy\\* need fewer tests than the equally windowed ddmin\\*?",
        run: greeddy::run,
    },
    Experiment {
        name: "lists",
        question: "Which list minimiser needs how many tests, and for which result?",
        run: lists::run,
    },
    Experiment {
        name: "candidate-cost",
        question: "How much processor time does a candidate cost nub itself?",
        run: candidate_cost::run,
    },
    Experiment {
        name: "million-lines",
        question: "How long does a million lines take, and how much memory?",
        run: million_lines::run,
    },
    Experiment {
        name: "cache-memory",
        question: "How much memory do the outcome caches take?",
        run: cache_memory::run,
    },
    Experiment {
        name: "throughput",
        question: "How much slower are tests under nub than in a bare loop?",
        run: throughput::run,
    },
    Experiment { name: "coprocess", question: "How long does it take to ask a co-process?", run: coprocess::run },
    Experiment {
        name: "cases",
        question: "How small do the algorithms of the papers get real failures, and in how many tests?",
        run: cases::run,
    },
    Experiment { name: "ablation", question: "Does each pass of the plan earn its place?", run: cases::ablation::run },
    Experiment {
        name: "peers",
        question: "How small do nub and other reducers get real failures, in how many tests, and how soon?",
        run: cases::peers::run,
    },
    Experiment {
        name: "parse",
        question: "How long does it take to get from bytes to a prepared tree, and how much memory?",
        run: parse::run,
    },
    Experiment {
        name: "tree-candidate-cost",
        question: "How much processor time does a candidate of a tree cost, compared with a copy of its bytes?",
        run: tree_candidate_cost::run,
    },
    Experiment {
        name: "validity",
        question: "Are the edits of a tree that its grammar allows really well-formed?",
        run: validity::run,
    },
    Experiment {
        name: "antlr",
        question: "How much faster and smaller than ANTLR's Java parsers is the engine that reads their grammars?",
        run: antlr::run,
    },
    Experiment {
        name: "xml",
        question: "How long does it take to reduce 10 MB of XML, and how much memory?",
        run: xml::run,
    },
];

fn main() -> Result<ExitCode> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.split_first() {
        // Not an experiment, but the test that some of them give to a reducer.
        Some((name, words)) if name == "observe" => return cases::observe::run(words),
        Some((name, [])) if name == "all" => run_all()?,
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

/// Each in a process of its own: what one leaves in memory must not be measured by the next.
fn run_all() -> Result<()> {
    for experiment in &EXPERIMENTS {
        let status = Command::new(std::env::current_exe()?).arg(experiment.name).status()?;
        ensure!(status.success(), "{} failed: {status}", experiment.name);
    }
    Ok(())
}

fn usage() -> String {
    let lines = EXPERIMENTS.iter().map(|experiment| format!("  {:20}{}\n", experiment.name, experiment.question));
    format!("usage: nub-evaluation NAME [OPTIONS], where NAME is all or one of\n{}", lines.collect::<String>())
}
