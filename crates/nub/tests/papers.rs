//! `nub --preset papers --algorithm 'ddmin*' --granularity line+char -j1 TEST INPUT` *is* the published run, and so is
//! `nub --preset papers --algorithm 'hoistr*+hddhr*' --tree TREE -j1 TEST INPUT`, also with `--grammar` in place of `--tree`.

mod common;

use common::Place;
use nub_recorded::small_json;
use nub_testing::{program, repository, shared};
use serde_json::Value;
use std::{fs, path::PathBuf};

/// A co-process that answers from a recording: one word per candidate, with 16 digits of its hash and the outcome. The
/// original and the result, which are interesting but not in the recording, are given by their whole hashes.
const WORKER: &str = "\
import hashlib, sys
recorded = {word[:16]: word[16:] for word in open(sys.argv[1]).read().split()}
known = sys.argv[2:]
for path in sys.stdin:
    word = hashlib.sha256(open(path[:-1], 'rb').read()).hexdigest()
    print(1 if word in known else {'F': 1, 'P': 0}[recorded[word[:16]]], flush=True)
";

/// A program, what the reference tools did with it, and where its tree and its grammar are.
struct Recorded {
    runs: Value,
    tree: PathBuf,
    grammar: Vec<PathBuf>,
}

impl Recorded {
    /// Runs nub as published, for each variant with the given options, and compares with the recording.
    fn check(&self, variants: &[(&str, &str)], options: &[String]) {
        for (variant, algorithm) in variants {
            let expected = &self.runs["variants"][variant];
            let place = Place::new("input.js", self.runs["input"].as_str().unwrap());
            place.write("worker.py", WORKER);
            place.write("sequence", expected["sequence"].as_str().unwrap());
            let hash = |of: &Value| of.as_str().unwrap().to_owned();
            let (original, result) = (hash(&self.runs["input_sha256"]), hash(&expected["out_sha256"]));
            let worker = format!("python3 worker.py sequence {original} {result}");
            let mut args = options.to_vec();
            args.extend(["--preset", "papers", "--algorithm", algorithm, "-j1", "--json"].map(str::to_owned));
            args.extend(["input.js".to_owned(), "--worker".to_owned(), worker]);
            let finish = place.nub_ok(&args).last("finish");
            let name = format!("{} {variant}", self.runs["case"]);
            let result = String::from_utf8(place.read("input.js")).unwrap();
            assert_eq!(result, expected["output"].as_str().unwrap(), "{name}");
            assert_eq!(finish["tests"], expected["tests"], "{name}");
            assert_eq!(finish["cache_hits"], expected["cache_hits"], "{name}");
            assert_eq!(finish["not_started"], 0, "{name}: a candidate is not in the recording");
        }
    }

    fn check_text(&self, granularities: &[(&str, &str)], algorithms: &[(&str, &str)]) {
        for (suffix, granularity) in granularities {
            let variants = algorithms.iter().map(|(name, algorithm)| (format!("{name}_{suffix}"), *algorithm));
            for (variant, algorithm) in variants {
                self.check(&[(&variant, algorithm)], &["--granularity".to_owned(), (*granularity).to_owned()]);
            }
        }
    }

    /// From the grammar and the input to the published result, without help from the reference tool.
    fn check_grammar(&self) {
        let mut options = vec!["--grammar".to_owned()];
        options.extend(self.grammar.iter().map(|path| path.display().to_string()));
        options.extend(["--start", "program"].map(str::to_owned));
        self.check(&TREE_VARIANTS, &options);
    }

    fn check_tree(&self) {
        self.check(&TREE_VARIANTS, &["--tree".to_owned(), self.tree.display().to_string()]);
    }
}

const GRANULARITIES: [(&str, &str); 2] = [("both", "line+char"), ("line", "line")];

const TREE_VARIANTS: [(&str, &str); 5] = [
    ("hdd", "hdd*"),
    ("hoist_hddh", "hoist*+hddh*"),
    ("hddrh", "hddhr*"),
    ("hoist_hddrh", "hoistr*+hddhr*"),
    ("hoist_coarse_hddr", "hoistr*+coarse-hddr*"),
];

/// A small script of our own. The released tools have no ddmin\*.
#[test]
fn recorded_runs_on_a_small_script_are_reproduced_by_the_command() {
    if !program("python3") {
        return;
    }
    let [runs, tree] = small_json().unwrap();
    let place = Place::new("tree.json", tree);
    let small = Recorded {
        runs: serde_json::from_str(&runs).unwrap(),
        tree: place.path("tree.json"),
        grammar: vec![repository().join("crates/nub-recorded/data/small/Script.g4")],
    };
    small.check_text(&GRANULARITIES, &[("ddmin", "ddmin")]);
    small.check_tree();
    small.check_grammar();
}

/// Failures of a JavaScript engine. None if the test has to be skipped.
fn published() -> Vec<Recorded> {
    let (Some(fidelity), Some(grammar)) = (shared("fidelity"), shared("grammars/javascript-2022")) else {
        return vec![];
    };
    if !program("python3") {
        return vec![];
    }
    let recorded = |case: &str| {
        let runs = fs::read_to_string(fidelity.join(format!("jrts/{case}.json"))).unwrap();
        let runs: Value = serde_json::from_str(&runs).unwrap();
        let tree = fidelity.join(runs["tree"].as_str().unwrap());
        Recorded {
            runs,
            tree,
            grammar: ["JavaScriptLexer.g4", "JavaScriptParser.g4"].map(|file| grammar.join(file)).to_vec(),
        }
    };
    ["3483", "3433"].map(recorded).into()
}

#[test]
fn recorded_runs_are_reproduced_by_the_command() {
    for recorded in published() {
        recorded.check_text(&GRANULARITIES, &[("ddminstar", "ddmin*"), ("ddmin", "ddmin")]);
    }
}

#[test]
fn recorded_runs_are_reproduced_from_the_grammar() {
    for recorded in published() {
        recorded.check_grammar();
    }
}

#[test]
fn recorded_runs_on_trees_are_reproduced_by_the_command() {
    for recorded in published() {
        recorded.check_tree();
    }
}
