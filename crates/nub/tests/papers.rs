//! `nub --preset papers --algorithm 'ddmin*' --granularity line+char -j1 TEST INPUT` *is* the published run, and so is
//! `nub --preset papers --algorithm 'hoistr*+hddhr*' --tree TREE -j1 TEST INPUT`, also with `--grammar` in place of `--tree`.

mod common;

use common::{Place, has};
use nub_recorded::shared;
use serde_json::Value;
use std::{fs, path::Path};

/// A co-process that answers from a recording: one word per candidate, 16 digits of its hash and the outcome. What the
/// recording does not have, but is known to be interesting (the original, the result), is given by its whole hash.
const WORKER: &str = "\
import hashlib, sys
recorded = {word[:16]: word[16:] for word in open(sys.argv[1]).read().split()}
known = sys.argv[2:]
for path in sys.stdin:
    word = hashlib.sha256(open(path[:-1], 'rb').read()).hexdigest()
    print(1 if word in known else {'F': 1, 'P': 0}[recorded[word[:16]]], flush=True)
";

/// Runs nub as published on the recorded cases, for each variant with the options that `options` gives for it, and compares
/// with the recording.
fn check(variants: &[(&str, &str)], options: impl Fn(&Value, &Path) -> Vec<String>) {
    let Some(shared) = shared().unwrap() else { return };
    if !has("python3") {
        return;
    }
    let fidelity = shared.join("fidelity");
    for case in ["3483", "3433"] {
        let recording = fs::read_to_string(fidelity.join(format!("jrts/{case}.json"))).unwrap();
        let recording: Value = serde_json::from_str(&recording).unwrap();
        for (variant, algorithm) in variants {
            let expected = &recording["variants"][variant];
            let place = Place::new("input.js", recording["input"].as_str().unwrap());
            place.write("worker.py", WORKER);
            place.write("sequence", expected["sequence"].as_str().unwrap());
            let hash = |of: &Value| of.as_str().unwrap().to_owned();
            let (original, result) = (hash(&recording["input_sha256"]), hash(&expected["out_sha256"]));
            let worker = format!("python3 worker.py sequence {original} {result}");
            let mut args = options(&recording, &fidelity);
            args.extend(["--preset", "papers", "--algorithm", algorithm, "-j1", "--json"].map(str::to_owned));
            args.extend(["input.js".to_owned(), "--worker".to_owned(), worker]);
            let finish = place.nub_ok(&args).last("finish");
            let name = format!("{case} {variant}");
            let result = String::from_utf8(place.read("input.js")).unwrap();
            assert_eq!(result, expected["output"].as_str().unwrap(), "{name}");
            assert_eq!(finish["tests"], expected["tests"], "{name}");
            assert_eq!(finish["cache_hits"], expected["cache_hits"], "{name}");
            assert_eq!(finish["not_started"], 0, "{name}: a candidate is not in the recording");
        }
    }
}

#[test]
fn recorded_runs_are_reproduced_by_the_command() {
    for (suffix, granularity) in [("both", "line+char"), ("line", "line")] {
        let (star, once) = (format!("ddminstar_{suffix}"), format!("ddmin_{suffix}"));
        let variants = [(star.as_str(), "ddmin*"), (once.as_str(), "ddmin")];
        check(&variants, |_, _| vec!["--granularity".to_owned(), granularity.to_owned()]);
    }
}

const TREE_VARIANTS: [(&str, &str); 5] = [
    ("hdd", "hdd*"),
    ("hoist_hddh", "hoist*+hddh*"),
    ("hddrh", "hddhr*"),
    ("hoist_hddrh", "hoistr*+hddhr*"),
    ("hoist_coarse_hddr", "hoistr*+coarse-hddr*"),
];

/// From the grammar and the input to the published result, with nothing of the reference tool between.
#[test]
fn recorded_runs_are_reproduced_from_the_grammar() {
    check(&TREE_VARIANTS, |_, fidelity| {
        let grammar = |file: &str| fidelity.join("../grammars/javascript-2022").join(file).display().to_string();
        let (lexer, parser) = (grammar("JavaScriptLexer.g4"), grammar("JavaScriptParser.g4"));
        vec!["--grammar".to_owned(), lexer, parser, "--start".to_owned(), "program".to_owned()]
    });
}

#[test]
fn recorded_runs_on_trees_are_reproduced_by_the_command() {
    check(&TREE_VARIANTS, |recording, fidelity| {
        let tree = fidelity.join(recording["tree"].as_str().unwrap());
        vec!["--tree".to_owned(), tree.to_str().unwrap().to_owned()]
    });
}
