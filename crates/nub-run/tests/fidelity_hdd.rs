//! The reference HDD, HDDr and hoisting, candidate by candidate: recorded runs of Picireny on random and real trees.

mod common;
mod shared;

use common::{data, hex, order, run, tree};
use nub_core::{
    HoistOrder, ListAlgorithm, ListMinimizer, ListSettings, Phase, Split, SplitFactor, Traversal, TreeSearch,
    tree::{Spacing, Tree, prepare},
};
use nub_run::{CacheKind, CacheSettings, RunSettings, Source};
use serde_json::Value;
use sha2::{Digest, Sha256};
use shared::shared;
use std::{collections::HashMap, fs, path::Path, sync::Arc};

fn phases(options: &Value, star: &str) -> Vec<Phase> {
    let traversal = match options["hdd"].as_str() {
        Some("hdd") => Traversal::Levels,
        Some("hddr") => Traversal::Nodes { pop_first: false, append_reversed: false },
        other => panic!("unknown traversal {other:?}"),
    };
    let settings = ListSettings {
        split: Split::Zeller,
        split_factor: match options["granularity"].as_u64() {
            Some(factor) => SplitFactor::By(factor as usize),
            None => SplitFactor::Infinite,
        },
        subsets: order(&options["subset_iterator"]),
        complements: order(&options["complement_iterator"]),
        complements_first: false,
        window: 1,
    };
    let list = ListAlgorithm { minimizer: ListMinimizer::Ddmin, star: false, settings };
    let phase = |name: &Value| {
        let name = name.as_str().unwrap();
        Phase {
            traversal,
            prune: name.contains("prune").then_some(list),
            hoist: name.contains("hoist").then_some(HoistOrder::Preorder),
            coarse: name.contains("coarse"),
            star: options[star].as_bool().unwrap(),
        }
    };
    options["phases"].as_array().unwrap().iter().map(phase).collect()
}

fn prepared(json: &Value, flatten: bool, squeeze: bool, skip_unremovable: bool) -> Tree {
    let mut tree = tree::read(json);
    if flatten {
        prepare::flatten_recursion(&mut tree);
    }
    if squeeze {
        prepare::squeeze(&mut tree);
    }
    if skip_unremovable {
        prepare::skip_unremovable(&mut tree);
    }
    tree
}

fn settings(options: &Value, jobs: usize) -> RunSettings {
    let kind = CacheKind::from_name(options["cache"].as_str().unwrap()).unwrap();
    let cache = CacheSettings { kind, interesting: true, evict: false, per_phase: true };
    RunSettings { jobs, cache, ordered: false }
}

fn is_interesting(oracle: &Value, text: &[u8]) -> bool {
    let text: String = String::from_utf8_lossy(text).split_whitespace().collect();
    let needed = oracle["need"].as_array().unwrap().iter().all(|need| text.contains(need.as_str().unwrap()));
    needed && (oracle["balanced"] == false || is_balanced(&text))
}

fn is_balanced(text: &str) -> bool {
    let mut open = vec![];
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => open.push(c),
            ')' | ']' | '}' => {
                let partner = match c {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                if open.pop() != Some(partner) {
                    return false;
                }
            }
            _ => {}
        }
    }
    open.is_empty()
}

fn check_cases(cases: &Value, file: &str, tree_json: impl Fn(&Value) -> Value) -> usize {
    let cases = cases["cases"].as_array().unwrap();
    for (number, case) in cases.iter().enumerate() {
        let (options, expect) = (&case["options"], &case["expect"]);
        let option = |name: &str| options[name].as_bool().unwrap();
        let tree = prepared(&tree_json(case), option("flatten"), option("squeeze"), option("skip_unremovable"));
        let place = format!("{file} case {number}: {options}");
        assert_eq!(
            hex(&Sha256::digest(tree::write(&tree))),
            expect["preprocessed_sha256"].as_str().unwrap(),
            "{place}"
        );
        let tree = Arc::new(tree);
        let mut sequential = None;
        for jobs in [1, 3] {
            let search = TreeSearch::new(phases(options, "star"), Arc::clone(&tree), Spacing::Picireny);
            let (finished, recorder) =
                run(search, settings(options, jobs), |text| is_interesting(&case["oracle"], text));
            let result = String::from_utf8(finished.end.content.to_vec()).unwrap();
            let mut hash = Sha256::new();
            let mut texts = vec![];
            for (_, outcome, source, text) in &recorder.trace {
                if *source != Source::Cache {
                    let letter = if outcome.is_interesting() { "F" } else { "P" };
                    hash.update([letter.as_bytes(), text, b"\0"].concat());
                    texts.push(format!("{letter}{}", String::from_utf8_lossy(text)));
                }
            }
            let decided: Vec<_> = recorder
                .trace
                .iter()
                .map(|(label, outcome, _, text)| (label.clone(), *outcome, text.clone()))
                .collect();
            if let Some(sequential) = &sequential {
                assert_eq!(&decided, sequential, "{place}, {jobs} jobs");
                continue;
            }
            sequential = Some(decided);
            let first: Vec<&str> =
                expect["first_texts"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
            assert_eq!(texts[..first.len().min(texts.len())], first, "{place}");
            assert_eq!(result, expect["result"].as_str().unwrap(), "{place}");
            assert_eq!(finished.counts.tests as u64, expect["tests"].as_u64().unwrap(), "{place}");
            assert_eq!(finished.counts.cache_hits as u64, expect["cache_hits"].as_u64().unwrap(), "{place}");
            assert_eq!(hex(&hash.finalize()), expect["sha256"].as_str().unwrap(), "{place}");
        }
    }
    cases.len()
}

#[test]
fn random_trees() {
    let cases = data("hdd_random.json.gz");
    assert_eq!(check_cases(&cases, "hdd_random", |case| case["tree_json"].clone()), 600);
}

fn load(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    // Parse trees of real programs nest deeper than the parser of JSON likes by default.
    let mut json = serde_json::Deserializer::from_str(&text);
    json.disable_recursion_limit();
    serde::Deserialize::deserialize(&mut json).unwrap()
}

#[test]
fn real_trees() {
    let Some(shared) = shared() else { return };
    let cases = load(&shared.join("fidelity/hdd_real.json"));
    let tree =
        |case: &Value| load(&shared.join(format!("fidelity/trees/{}.tree.json", case["tree"].as_str().unwrap())));
    assert_eq!(check_cases(&cases, "hdd_real", tree), 112);
}

/// Tables 7.3–7.10 of Vince's thesis on the inputs whose runs were recorded.
#[test]
fn javascript_engine_failures() {
    let Some(shared) = shared() else { return };
    let mut runs = 0;
    for entry in fs::read_dir(shared.join("fidelity/jrts")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let case = load(&path);
        let json = load(&shared.join("fidelity").join(case["tree"].as_str().unwrap()));
        for (name, variant) in case["variants"].as_object().unwrap() {
            let options = &variant["options"];
            if options["hdd"].is_null() {
                continue;
            }
            let place = format!("{} {name}", case["case"]);
            let option = |name: &str| options[name].as_bool().unwrap();
            let tree = prepared(&json, option("flatten_recursion"), option("squeeze_tree"), option("skip_unremovable"));
            let recorded: HashMap<&str, bool> = variant["sequence"]
                .as_str()
                .unwrap()
                .split_whitespace()
                .map(|word| (&word[..16], word.ends_with('F')))
                .collect();
            let word = |bytes: &[u8]| hex(&Sha256::digest(bytes)[..8]);
            let (finished, recorder) = run(
                TreeSearch::new(phases(options, "hdd_star"), Arc::new(tree), Spacing::Picireny),
                settings(options, 1),
                |bytes| *recorded.get(word(bytes).as_str()).unwrap_or_else(|| panic!("{place}: not in the recording")),
            );
            let tested = recorder.trace.iter().filter(|(_, _, source, _)| *source != Source::Cache);
            let words = tested.map(|(_, outcome, _, text)| {
                format!("{}{}", word(text), if outcome.is_interesting() { 'F' } else { 'P' })
            });
            assert_eq!(words.collect::<Vec<_>>().join(" "), variant["sequence"].as_str().unwrap(), "{place}");
            let output = finished.end.content.to_vec();
            assert_eq!(String::from_utf8_lossy(&output), variant["output"].as_str().unwrap(), "{place}");
            assert_eq!(finished.counts.tests as u64, variant["tests"].as_u64().unwrap(), "{place}");
            assert_eq!(finished.counts.cache_hits as u64, variant["cache_hits"].as_u64().unwrap(), "{place}");
            runs += 1;
        }
    }
    assert!(runs >= 160, "only {runs} runs were found");
}
