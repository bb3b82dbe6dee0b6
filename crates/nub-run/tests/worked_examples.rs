//! Worked examples of the literature that need a cache.

mod common;

use common::run;
use nub_core::{Granularity, ListAlgorithm, ListMinimizer, ListSettings, Order, TextPhase, TextSearch};
use nub_run::{CacheKind, CacheSettings, RunSettings, Source};

const BOTH: CacheSettings =
    CacheSettings { kind: CacheKind::Content, interesting: true, evict: false, per_phase: false };
const UNINTERESTING: CacheSettings =
    CacheSettings { kind: CacheKind::Content, interesting: false, evict: true, per_phase: false };

/// Runs ddmin on characters, one test at a time. Each line is a candidate with its outcome, in the thesis' notation: ✗
/// is interesting, ✓ is not, and those in brackets are not tests but cache hits. The last line is the result.
fn steps(
    text: &str,
    settings: ListSettings,
    cache: CacheSettings,
    is_interesting: impl Fn(&str) -> bool + Send + Sync,
) -> Vec<String> {
    let algorithm = ListAlgorithm { minimizer: ListMinimizer::Ddmin, star: false, settings };
    let search = TextSearch::new([TextPhase { granularity: Granularity::Char, algorithm }], text.as_bytes());
    let utf8 = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let settings = RunSettings { jobs: 1, cache, ordered: true };
    let (finished, recorder) = run(search, settings, |bytes| is_interesting(&utf8(bytes)));
    let mut steps: Vec<String> = recorder
        .trace
        .iter()
        .map(|(_, outcome, source, text)| {
            let step = format!("{} {}", utf8(text), if outcome.is_interesting() { '✗' } else { '✓' });
            if *source == Source::Cache { format!("({step})") } else { step }
        })
        .collect();
    let hits = steps.iter().filter(|step| step.starts_with('(')).count();
    assert_eq!((finished.counts.cache_hits, finished.counts.tests), (hits, steps.len() - hits));
    steps.push(utf8(&finished.best.content.to_vec()));
    steps
}

/// Vince, *Enhancements of Automated Test Case Reduction*, Table 4.1.
#[test]
fn ten_tests_and_one_cache_hit() {
    let is_interesting = |text: &str| text.contains('2') && text.contains('4');
    for cache in [BOTH, UNINTERESTING, CacheSettings::default()] {
        let steps = steps("12345", ListSettings::default(), cache, is_interesting);
        let expected =
            ["12 ✓", "345 ✓", "123 ✓", "1245 ✗", "145 ✓", "245 ✗", "2 ✓", "45 ✓", "24 ✗", "(2 ✓)", "4 ✓", "24"];
        assert_eq!(steps, expected, "{cache:?}");
    }
}

/// Section 4.1.1 of the thesis: can an interesting outcome be asked for again? One candidate at a time, never: a
/// candidate is shorter than the best, and everything found interesting was the best once. Removing either of two equal
/// characters gives the same text, but after the first is gone, the second is a different question.
#[test]
fn one_at_a_time_an_interesting_text_is_never_asked_for_again() {
    let single = ListSettings { complements: Order::Forward, ..ListSettings::default() };
    for cache in [UNINTERESTING, BOTH] {
        let steps = steps("aab", single, cache, |text| text.contains("ab"));
        assert_eq!(steps, ["ab ✗", "b ✓", "a ✓", "ab"], "{cache:?}");
    }
}

/// In a window it can: both candidates are interesting and equal, and the second one waits for the first.
#[test]
fn equal_texts_of_one_window_are_tested_once() {
    let window = ListSettings {
        complements: Order::Forward,
        split_factor: nub_core::SplitFactor::Infinite,
        window: 3,
        ..ListSettings::default()
    };
    for cache in [UNINTERESTING, BOTH] {
        let steps = steps("aab", window, cache, |text| text.contains("ab"));
        assert_eq!(steps, ["ab ✗", "(ab ✗)", "aa ✓", "b ✓", "a ✓", "ab"], "{cache:?}");
    }
    // The configurations are different, though.
    let cache = CacheSettings { kind: CacheKind::Config, ..BOTH };
    let steps = steps("aab", window, cache, |text| text.contains("ab"));
    assert_eq!(steps, ["ab ✗", "ab ✗", "aa ✓", "b ✓", "a ✓", "ab"]);
}

/// Of several interesting candidates of a window only the first becomes the best. Another one, smaller than that, can be
/// asked for again later if equal units make it so: here `aa`, the first two of five or the last two of the last three.
/// If only uninteresting outcomes are stored it is tested again, to the same effect.
#[test]
fn an_interesting_text_that_was_not_taken_is_tested_again_unless_it_is_stored() {
    let window = ListSettings { complements: Order::Forward, window: 2, ..ListSettings::default() };
    let is_interesting = |text: &str| text.len() > 1;
    assert_eq!(
        steps("aaaaa", window, UNINTERESTING, is_interesting),
        ["aaa ✗", "aa ✗", "aa ✗", "a ✓", "(a ✓)", "(a ✓)", "aa"]
    );
    assert_eq!(
        steps("aaaaa", window, BOTH, is_interesting),
        ["aaa ✗", "aa ✗", "(aa ✗)", "a ✓", "(a ✓)", "(a ✓)", "aa"]
    );
}
