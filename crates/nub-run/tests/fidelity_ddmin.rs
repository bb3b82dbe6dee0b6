//! The reference ddmin, candidate by candidate: recorded runs of Picire on synthetic tests and on failures of a real
//! JavaScript engine.

mod common;
mod shared;

use common::{data, hex, order, run};
use nub_core::{Granularity, ListAlgorithm, ListMinimizer, ListSettings, Split, SplitFactor, TextPass, TextSearch};
use nub_run::{CacheKind, CacheSettings, Outcome, RunSettings, Source};
use serde_json::Value;
use sha2::{Digest, Sha256};
use shared::shared;
use std::{collections::HashMap, fs};

/// The options of a recorded run.
fn algorithm(options: &Value, star: &str) -> ListAlgorithm {
    let settings = ListSettings {
        split: match options["split"].as_str() {
            Some("zeller") => Split::Zeller,
            Some("balanced") => Split::Balanced,
            other => panic!("unknown split {other:?}"),
        },
        split_factor: match options["granularity"].as_u64() {
            Some(factor) => SplitFactor::By(factor as usize),
            None => SplitFactor::Infinite,
        },
        subsets: order(&options["subset_iterator"]),
        complements: order(&options["complement_iterator"]),
        complements_first: options["subset_first"] == false,
        window: 1,
    };
    ListAlgorithm { minimizer: ListMinimizer::Ddmin, star: options[star].as_bool().unwrap(), settings }
}

fn units(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|unit| unit.as_u64().unwrap() as u32).collect()
}

/// Each case with one job, and again with several: the same candidates, in the same order.
fn check_synthetic(file: &str, cache: impl Fn(CacheKind) -> CacheSettings) -> usize {
    let cases = data(file);
    let cases = cases["cases"].as_array().unwrap();
    for (number, case) in cases.iter().enumerate() {
        // Units are the characters of a text, or lines that spell their own numbers.
        let text = case["text"].as_str();
        let n = case["n"].as_u64().unwrap();
        let unit_text = |unit: u32| match text {
            Some(text) => text.chars().nth(unit as usize).unwrap().to_string(),
            None => format!("{unit}\n"),
        };
        let granularity = if text.is_some() { Granularity::Char } else { Granularity::Line };
        let input: String = (0..n as u32).map(unit_text).collect();

        let is_interesting = |bytes: &[u8]| {
            let candidate = std::str::from_utf8(bytes).unwrap();
            if text.is_some() {
                case["need"].as_array().unwrap().iter().all(|need| {
                    candidate.matches(need[0].as_str().unwrap()).count() >= need[1].as_u64().unwrap() as usize
                })
            } else {
                let kept: Vec<u32> = candidate.lines().map(|line| line.parse().unwrap()).collect();
                units(&case["keep"]).iter().all(|unit| kept.contains(unit))
                    && case["deps"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(units)
                        .all(|d| !kept.contains(&d[0]) || kept.contains(&d[1]))
            }
        };

        let kind = CacheKind::from_name(case["cache"].as_str().unwrap()).unwrap();
        for jobs in [1, 3] {
            let passes = [TextPass { granularity, algorithm: algorithm(case, "star") }];
            let search = TextSearch::new(passes, input.as_bytes());
            let settings = RunSettings { jobs, cache: cache(kind), ordered: true };
            let (finished, recorder) = run(search, settings, is_interesting);

            let expect = &case["expect"];
            let result: String = units(&expect["result"]).into_iter().map(unit_text).collect();
            let place = format!("{file} case {number}, {jobs} jobs");
            assert_eq!(String::from_utf8(finished.best.content.to_vec()).unwrap(), result, "{place}");
            if jobs > 1 {
                assert_eq!(
                    finished.counts.decisive as u64,
                    expect["tests"].as_u64().unwrap() + expect["cache_hits"].as_u64().unwrap(),
                    "{place}"
                );
                continue;
            }
            let lines: Vec<String> = recorder
                .trace
                .iter()
                .filter(|(_, _, source, _)| *source != Source::Cache)
                .map(|(label, outcome, ..)| {
                    let letter = if *outcome == Outcome::Interesting { 'F' } else { 'P' };
                    format!("{}:{letter}", label.strip_prefix("a0_").unwrap())
                })
                .collect();
            if let Some(trace) = expect["trace"].as_array() {
                assert_eq!(lines, trace.iter().map(|line| line.as_str().unwrap()).collect::<Vec<_>>(), "{place}");
            }
            assert_eq!(finished.counts.tests as u64, expect["tests"].as_u64().unwrap(), "{place}");
            assert_eq!(finished.counts.cache_hits as u64, expect["cache_hits"].as_u64().unwrap(), "{place}");
            let fails = recorder
                .trace
                .iter()
                .filter(|(_, outcome, source, _)| outcome.is_interesting() && *source != Source::Cache)
                .count();
            assert_eq!(fails as u64, expect["fails"].as_u64().unwrap(), "{place}");
            let hashed: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
            assert_eq!(hex(&Sha256::digest(hashed)), expect["sha256"].as_str().unwrap(), "{place}");
        }
    }
    cases.len()
}

#[test]
fn picire_head() {
    let cases = check_synthetic("ddmin_head.json.gz", |kind| CacheSettings {
        kind,
        interesting: false,
        evict: true,
        per_phase: false,
    });
    assert_eq!(cases, 840);
}

#[test]
fn picire_21_8() {
    let cases = check_synthetic("ddmin_21.8.json.gz", |kind| CacheSettings {
        kind,
        interesting: true,
        evict: false,
        per_phase: false,
    });
    assert_eq!(cases, 393);
}

/// Tables 5.1–5.3 of Vince's thesis on the inputs whose runs were recorded: a candidate that is not in the recording, or
/// not at its place, is a difference.
#[test]
fn javascript_engine_failures() {
    let Some(shared) = shared() else { return };
    let published: Value =
        serde_json::from_str(&fs::read_to_string(shared.join("fidelity/published.json")).unwrap()).unwrap();
    let mut runs = 0;
    for entry in fs::read_dir(shared.join("fidelity/jrts")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let case: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let input = case["input"].as_str().unwrap();
        for (name, variant) in case["variants"].as_object().unwrap() {
            let options = &variant["options"];
            let granularities: &[Granularity] = match options["atom"].as_str() {
                Some("line") => &[Granularity::Line],
                Some("char") => &[Granularity::Char],
                Some("both") => &[Granularity::Line, Granularity::Char],
                _ => continue,
            };
            let place = format!("{} {name}", case["case"]);
            let mut words = HashMap::new();
            for word in variant["sequence"].as_str().unwrap().split_whitespace() {
                words.insert(word[..16].to_owned(), word.ends_with('F'));
            }
            let word = |bytes: &[u8]| hex(&Sha256::digest(bytes)[..8]);
            let algorithm = algorithm(options, "dd_star");
            let passes: Vec<TextPass> =
                granularities.iter().map(|&granularity| TextPass { granularity, algorithm }).collect();
            let cache =
                CacheSettings { kind: CacheKind::ContentHash, interesting: false, evict: true, per_phase: false };
            let (finished, recorder) = run(
                TextSearch::new(passes, input.as_bytes()),
                RunSettings { jobs: 1, cache, ordered: true },
                |bytes| *words.get(&word(bytes)).unwrap_or_else(|| panic!("{place}: not in the recording")),
            );
            let sequence: Vec<String> = recorder
                .trace
                .iter()
                .filter(|(_, _, source, _)| *source != Source::Cache)
                .map(|(_, outcome, _, text)| {
                    format!("{}{}", word(text), if outcome.is_interesting() { 'F' } else { 'P' })
                })
                .collect();
            assert_eq!(sequence.join(" "), variant["sequence"].as_str().unwrap(), "{place}");
            let output = finished.best.content.to_vec();
            assert_eq!(String::from_utf8_lossy(&output), variant["output"].as_str().unwrap(), "{place}");
            assert_eq!(hex(&Sha256::digest(&output)), variant["out_sha256"].as_str().unwrap(), "{place}");
            assert_eq!(finished.counts.tests as u64, variant["tests"].as_u64().unwrap(), "{place}");
            assert_eq!(finished.counts.cache_hits as u64, variant["cache_hits"].as_u64().unwrap(), "{place}");
            check_published(&published, &case, name, finished.counts.tests, &output);
            runs += 1;
        }
    }
    assert!(runs >= 40, "only {runs} runs were found");
}

/// The numbers in the thesis itself, where it has them.
fn check_published(published: &Value, case: &Value, variant: &str, tests: usize, output: &[u8]) {
    let (table, size) = match variant.split_once('_') {
        Some((_, "line")) => ("5.2 line: ddmin, ddmin*", "nonws"),
        Some((_, "both")) => ("5.3 line then char: ddmin, ddmin*", "nonws"),
        Some((_, "char")) => ("5.1 char: ddmin, ddmin*", "chars"),
        _ => return,
    };
    let row = &published[table][format!("jerry-{}", case["case"].as_str().unwrap())];
    let algorithm = if variant.starts_with("ddminstar") { "star" } else { "ddmin" };
    let text = String::from_utf8_lossy(output);
    let measured = match size {
        "nonws" => text.chars().filter(|c| !c.is_whitespace()).count(),
        _ => text.chars().count(),
    };
    // Case 3376 depends on the length of a file name, so that only its recording counts.
    if case["case"] != "3376" {
        assert_eq!(row[format!("{algorithm}_tests")].as_u64(), Some(tests as u64), "{table} {row} {variant}");
        assert_eq!(row[format!("{algorithm}_{size}")].as_u64(), Some(measured as u64), "{table} {row} {variant}");
    }
}
