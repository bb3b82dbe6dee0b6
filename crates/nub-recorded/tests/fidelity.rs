//! Repeats the reference ddmin, HDD, HDDr and hoisting candidate by candidate.

use nub_recorded::{Recording, Set, javascript, published, real_trees, small, synthetic};
use nub_testing::shared;
use serde_json::Value;

/// Repeats each run with one job and again with several, which must make the same decisions in the same order.
fn repeat(recordings: &[Recording]) {
    for recording in recordings {
        let place = format!("{} {}", recording.case, recording.variant);
        let [one, three] = [1, 3].map(|jobs| recording.repeat(jobs).unwrap());
        assert!(one.differences.is_empty(), "{place}: {:#?}", one.differences);
        assert!(three.differences.is_empty(), "{place}, three jobs: {:#?}", three.differences);
        assert_eq!(one.decided, three.decided, "{place}");
    }
}

fn repeat_synthetic(set: Set, runs: usize) {
    let recordings = synthetic(set).unwrap();
    assert_eq!(recordings.len(), runs);
    repeat(&recordings);
}

#[test]
fn picire_head() {
    repeat_synthetic(Set::DdminHead, 840);
}

#[test]
fn picire_21_8() {
    repeat_synthetic(Set::Ddmin218, 393);
}

#[test]
fn random_trees() {
    repeat_synthetic(Set::HddRandom, 600);
}

/// A script that fails in a real engine: HDD, HDDr and hoisting on the tree of its grammar, and ddmin on its text.
#[test]
fn a_small_script() {
    let recordings = small().unwrap().recordings;
    assert_eq!(recordings.len(), 18);
    for recording in &recordings {
        // Only decided candidates were recorded.
        let repetition = recording.repeat(1).unwrap();
        assert!(repetition.differences.is_empty(), "{}: {:#?}", recording.variant, repetition.differences);
    }
}

#[test]
fn trees_of_real_programs() {
    let Some(_) = shared("fidelity/hdd_real.json") else { return };
    let recordings = real_trees().unwrap().unwrap();
    assert_eq!(recordings.len(), 112);
    repeat(&recordings);
}

/// Tables 5.1–5.3 and 7.3–7.10 of Vince's thesis on the inputs whose runs were recorded.
#[test]
fn failures_of_a_javascript_engine() {
    let Some(_) = shared("fidelity/jrts") else { return };
    let cases = javascript().unwrap().unwrap();
    let published = published().unwrap().unwrap();
    let mut runs = 0;
    for case in &cases {
        for recording in &case.recordings {
            // Only decided candidates were recorded, so nothing is known about what several jobs would speculate on.
            let repetition = recording.repeat(1).unwrap();
            let place = format!("{} {}", case.number, recording.variant);
            assert!(repetition.differences.is_empty(), "{place}: {:#?}", repetition.differences);
            check_published(&published, &case.number, &recording.variant, repetition.tests, &repetition.output);
            runs += 1;
        }
    }
    assert!(runs >= 200, "only {runs} runs were found");
}

/// Compares with the numbers in the thesis, if they are published.
fn check_published(published: &Value, case: &str, variant: &str, tests: usize, output: &[u8]) {
    let (table, size) = match variant.split_once('_') {
        Some(("ddmin" | "ddminstar", "line")) => ("5.2 line: ddmin, ddmin*", "nonws"),
        Some(("ddmin" | "ddminstar", "both")) => ("5.3 line then char: ddmin, ddmin*", "nonws"),
        Some(("ddmin" | "ddminstar", "char")) => ("5.1 char: ddmin, ddmin*", "chars"),
        _ => return,
    };
    // This case depends on the length of a file name, so only its recording counts.
    if case == "3376" {
        return;
    }
    let row = &published[table][format!("jerry-{case}")];
    let algorithm = if variant.starts_with("ddminstar") { "star" } else { "ddmin" };
    let text = String::from_utf8_lossy(output);
    let measured = text.chars().filter(|c| size == "chars" || !c.is_whitespace()).count();
    assert_eq!(row[format!("{algorithm}_tests")].as_u64(), Some(tests as u64), "{table} {row} {variant}");
    assert_eq!(row[format!("{algorithm}_{size}")].as_u64(), Some(measured as u64), "{table} {row} {variant}");
}
