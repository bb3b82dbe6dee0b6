//! What every list minimiser and every search over a text promises, whatever the test says and whatever the settings.

mod oracle;

use nub_core::{
    Batch, Configuration, Ddmin, Edit, Granularity, ListAlgorithm, ListMinimizer, ListSettings, Order, Search,
    SplitFactor, TextPhase, TextSearch, Weights, drive,
};
use oracle::{Oracle, algorithm, any_oracle, monotone, settings};
use proptest::{collection::vec, prelude::*, sample::select};
use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant},
};

/// The largest list of units.
const MAX: usize = 24;

fn accepts(oracle: &Oracle, configuration: &Configuration) -> bool {
    oracle.accepts(&configuration.units().collect::<Vec<_>>())
}

/// A number of units, and something that decides about them.
fn problem<O: Strategy<Value = Oracle>>(oracle: fn(u32) -> O) -> impl Strategy<Value = (usize, Oracle)> {
    (0..=MAX, oracle(MAX as u32)).prop_map(|(n, oracle)| (n, oracle.on(0..n as u32)))
}

/// A candidate that a search asked about.
#[derive(Debug, PartialEq)]
struct Asked {
    label: String,
    what: Configuration,
    interesting: bool,
}

/// A batch in a form that can be compared.
fn comparable(batch: Option<Batch<Configuration>>) -> Option<Vec<(String, Configuration)>> {
    batch.map(|batch| batch.into_iter().map(|candidate| (candidate.label.to_string(), candidate.what)).collect())
}

fn is_subset(part: &Configuration, whole: &Configuration) -> bool {
    part.units().all(|unit| whole.contains(unit))
}

/// Drives a search to its end, and checks at every step what the contract of [`Search`] says.
fn audit(search: &mut impl Search<Proposal = Configuration>, window: usize, oracle: &Oracle) -> Vec<Asked> {
    let mut asked = vec![];
    let mut named = HashMap::new();
    // Between two successes there are at most two candidates for every part of every granularity; there is at most one
    // success, and one iteration of the whole, for every unit.
    let limit = 16 * (search.current().len() + 2).pow(3);
    loop {
        let before = search.current();
        let batch = comparable(search.propose());
        assert_eq!(batch, comparable(search.propose()), "the same until it is answered");
        assert_eq!(before, search.current(), "to propose is not to decide");
        let Some(batch) = batch else { return asked };

        assert!((1..=window).contains(&batch.len()), "a window of {window}, but {batch:?}");
        for (label, what) in &batch {
            assert!(!what.is_empty(), "{label} is empty");
            assert!(what.len() < before.len() && is_subset(what, &before), "{label} {what:?} of {before:?}");
            let same = named.entry(label.clone()).or_insert_with(|| what.clone());
            assert_eq!(same, what, "{label} is the name of two things");
        }
        let interesting: Vec<usize> = (0..batch.len()).filter(|&i| accepts(oracle, &batch[i].1)).collect();

        // What others do with a copy is no concern of the original.
        for lie in [vec![], (0..batch.len()).collect()] {
            let mut copy = search.clone();
            copy.answer(&lie);
            copy.propose();
            copy.answer(&[0]);
        }
        assert_eq!(before, search.current(), "a clone is independent");
        assert_eq!(Some(&batch), comparable(search.propose()).as_ref(), "a clone is independent");

        search.answer(&interesting);
        let expected = interesting.first().map_or(&before, |&first| &batch[first].1);
        assert_eq!(&search.current(), expected, "the first of the interesting, or what it was");

        for (i, (label, what)) in batch.into_iter().enumerate() {
            asked.push(Asked { label, what, interesting: interesting.contains(&i) });
        }
        assert!(asked.len() < limit, "does not end");
    }
}

/// Units of very different weights: most are light, a few are as heavy as all others together.
fn weights(n: usize) -> Weights {
    Weights::new((0..n as u32).map(|unit| [0, 1, 2, 3, 5, 40, 500][oracle::hash(n as u64, &[unit]) as usize % 7]))
}

/// Runs an algorithm on `0..n`, audited.
fn minimize(algorithm: ListAlgorithm, n: usize, oracle: &Oracle) -> (Vec<Asked>, Configuration) {
    let mut search = algorithm.start(Configuration::full(n), weights(n));
    let asked = audit(&mut search, algorithm.settings.window, oracle);
    (asked, search.current())
}

/// Whether the minimiser alone, without a `*`, ends in a 1-minimal result, whatever the test.
fn promises_1_minimality(minimizer: ListMinimizer) -> bool {
    matches!(minimizer, ListMinimizer::Ddmin | ListMinimizer::Greeddy | ListMinimizer::Wddmin)
}

/// How many tests of a list of `n` units are allowed, whatever the test. (GreeDDy's windows may cost more than ddmin.)
fn most_tests(minimizer: ListMinimizer, n: usize) -> usize {
    match minimizer {
        ListMinimizer::Ddmin => n * n + 3 * n,
        ListMinimizer::Greeddy => 4 * (n * n + 3 * n),
        ListMinimizer::Wddmin => n * n + 6 * n,
        ListMinimizer::OnePass => 3 * n,
        ListMinimizer::ProbDd | ListMinimizer::Cdd => 4 * n,
        ListMinimizer::WProbDd => 10 * n,
        ListMinimizer::Dfs | ListMinimizer::Bfs | ListMinimizer::Heaviest => 2 * n,
    }
}

/// A unit whose removal alone leaves something interesting.
fn superfluous(result: &Configuration, oracle: &Oracle) -> Option<u32> {
    result.units().find(|&unit| result.len() > 1 && accepts(oracle, &result.without(unit, unit + 1)))
}

/// The candidates of an iteration, without its number in their labels.
fn of_iteration(asked: &[Asked], iteration: &str) -> Vec<(String, Configuration)> {
    let inside = |asked: &Asked| Some((asked.label.strip_prefix(iteration)?.to_owned(), asked.what.clone()));
    asked.iter().filter_map(inside).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_result_is_an_interesting_part_of_the_input(algorithm in algorithm(), (n, oracle) in problem(any_oracle)) {
        let (asked, result) = minimize(algorithm, n, &oracle);
        prop_assert!(accepts(&oracle, &result));
        prop_assert!(is_subset(&result, &Configuration::full(n)));
        let seen = asked.iter().any(|asked| asked.interesting && asked.what == result);
        prop_assert!(seen || result.len() == n, "never tested: {result:?}");
        if algorithm.minimizer == ListMinimizer::Ddmin {
            let labels: HashSet<&String> = asked.iter().map(|asked| &asked.label).collect();
            prop_assert_eq!(labels.len(), asked.len(), "every step is made once");
        }
    }

    /// ddmin and its next of kin do not end before a run in which every part is one unit, and in the last run nothing is
    /// interesting. So all that 1-minimality takes is that the complements are tried: in any order and any window. The
    /// others promise as much only if they are repeated.
    #[test]
    fn the_result_is_1_minimal_if_complements_are_tried(algorithm in algorithm(), (n, oracle) in problem(any_oracle)) {
        prop_assume!(algorithm.settings.complements != Order::Skip);
        let star = algorithm.star || !promises_1_minimality(algorithm.minimizer);
        let algorithm = ListAlgorithm { star, ..algorithm };
        let (_, result) = minimize(algorithm, n, &oracle);
        prop_assert_eq!(superfluous(&result, &oracle), None, "in {:?}", result);
    }

    #[test]
    fn star_ends_in_a_fixed_point(algorithm in algorithm(), (n, oracle) in problem(any_oracle)) {
        let algorithm = ListAlgorithm { star: true, ..algorithm };
        let (asked, result) = minimize(algorithm, n, &oracle);
        let mut again = algorithm.start(result.clone(), weights(n));
        let asked_again = audit(&mut again, algorithm.settings.window, &oracle);
        prop_assert_eq!(&again.current(), &result);
        // Moreover, the last iteration was the same already. (It asked nothing if only one unit was left.)
        if result.len() > 1 {
            let last = asked.last().and_then(|last| last.label.split_inclusive('_').next()).unwrap_or("i0_");
            prop_assert_eq!(of_iteration(&asked_again, "i0_"), of_iteration(&asked, last));
        }
        prop_assert!(asked_again.iter().all(|asked| asked.label.starts_with("i0_") && !asked.interesting));
    }

    #[test]
    fn every_iteration_of_star_is_the_algorithm_itself(algorithm in algorithm(), (n, oracle) in problem(any_oracle)) {
        let once = minimize(ListAlgorithm { star: false, ..algorithm }, n, &oracle).0;
        let star = minimize(ListAlgorithm { star: true, ..algorithm }, n, &oracle).0;
        prop_assert_eq!(of_iteration(&star, "i0_"), of_iteration(&once, "i0_"));
    }

    #[test]
    fn greeddy_with_a_window_of_1_is_ddmin(settings in settings(), star: bool, (n, oracle) in problem(any_oracle)) {
        let settings = ListSettings { window: 1, subsets: Order::Skip, ..settings };
        let [ddmin, greeddy] = [ListMinimizer::Ddmin, ListMinimizer::Greeddy].map(|minimizer| {
            minimize(ListAlgorithm { minimizer, star, settings }, n, &oracle)
        });
        prop_assert_eq!(ddmin, greeddy);
    }

    /// Monotone tests have nothing that hides: what is not needed goes, and nothing else.
    #[test]
    fn exactly_the_needed_units_of_a_monotone_test_are_left(
        algorithm in algorithm(),
        needed in prop::collection::btree_set(0u32..MAX as u32, 1..8),
    ) {
        prop_assume!(algorithm.settings.complements != Order::Skip);
        let oracle = |c: &Configuration| needed.iter().all(|&unit| c.contains(unit));
        let mut search = algorithm.start(Configuration::full(MAX), weights(MAX));
        drive(&mut search, |candidate| oracle(&candidate.what));
        prop_assert_eq!(search.current(), Configuration::from_units(needed.iter().copied()));
    }

    /// Zeller and Hildebrandt, section 3.2: at most |c|² + 3|c| tests. Half of them are complements.
    #[test]
    fn ddmin_stays_below_its_worst_case(
        forward: bool,
        subsets in select(vec![Order::Skip, Order::Forward, Order::Backward]),
        complements_first: bool,
        (n, oracle) in prop_oneof![problem(monotone), problem(any_oracle).boxed()],
    ) {
        let complements = if forward { Order::Forward } else { Order::Backward };
        let settings = ListSettings { subsets, complements, complements_first, ..ListSettings::default() };
        let asked = drive(&mut Ddmin::new(settings, Configuration::full(n)), |c| accepts(&oracle, &c.what));
        let worst = n * n + 3 * n;
        let worst = if subsets == Order::Skip { worst / 2 } else { worst };
        prop_assert!(asked <= worst, "{asked} tests of {n} units, but at most {worst} are allowed");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Also with lists of hundreds of units, which the others have not: a bound shows in the long run.
    #[test]
    fn no_minimiser_asks_more_than_it_may(
        minimizer in select(&ListMinimizer::ALL[..]),
        complements in select(vec![Order::Forward, Order::Backward]),
        n in prop_oneof![0..=MAX, MAX..300],
        (_, oracle) in problem(any_oracle),
    ) {
        let oracle = oracle.on(0..n as u32);
        let settings = ListSettings { complements, window: minimizer.default_window(), ..ListSettings::default() };
        for weights in [Weights::equal(), weights(n)] {
            let mut search = minimizer.start(settings, Configuration::full(n), &weights);
            let asked = drive(&mut search, |c| accepts(&oracle, &c.what));
            prop_assert!(asked <= most_tests(minimizer, n), "{asked} tests of {n} units");
        }
    }
}

/// Tests that refuse everything, or nothing, are the extremes of what is asked.
#[test]
fn everything_or_nothing() {
    for minimizer in ListMinimizer::ALL {
        for n in (0..70).chain([100, 257, 1000]) {
            for weights in [Weights::equal(), weights(n)] {
                let settings = ListSettings { window: minimizer.default_window(), ..ListSettings::default() };
                let start = || minimizer.start(settings, Configuration::full(n), &weights);
                let (mut search, mut other) = (start(), start());
                let refused = drive(&mut search, |_| false);
                assert_eq!(search.current().len(), n);
                assert!(refused <= most_tests(minimizer, n), "{minimizer:?}: {refused} tests of {n} units");
                drive(&mut other, |_| true);
                assert_eq!(other.current().len(), n.min(1), "{minimizer:?}");
            }
        }
    }
}

/// Why the 1-minimality above asks for complements: the third unit is superfluous, and no subset says so.
#[test]
fn subsets_alone_do_not_make_a_result_1_minimal() {
    let settings =
        ListSettings { subsets: Order::Forward, complements: Order::Skip, window: 1, ..ListSettings::default() };
    let mut search = Ddmin::new(settings, Configuration::full(3));
    drive(&mut search, |candidate| candidate.what.contains(0) && candidate.what.contains(1));
    assert_eq!(search.current(), Configuration::full(3));
}

/// Bytes with everything in them that a text should not have: stray parts of characters, NUL, all kinds of line ends.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = select(vec![
        &b"a"[..],
        b"b1",
        b" ",
        b"\n",
        b"\r\n",
        b"\r",
        b"\0",
        b"\xff",
        b"\xc3",
        b"\xe2\x80",
        b"\"x y\"",
        b"'",
        b"->",
        "é".as_bytes(),
        "😀".as_bytes(),
        "\u{2028}".as_bytes(),
    ]);
    vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

fn is_subsequence(part: &[u8], whole: &[u8]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|byte| rest.any(|other| other == byte))
}

fn values(bytes: &[u8]) -> Vec<u32> {
    bytes.iter().map(|&byte| u32::from(byte)).collect()
}

/// What holds for every state of a text, whoever proposes it.
fn check_edit(edit: &Edit, passes: &[TextPhase]) -> Vec<u8> {
    let text = edit.content.to_vec();
    assert_eq!(edit.content.len(), text.len());
    assert_eq!(edit.content.is_empty(), text.is_empty());
    assert_eq!(edit.weight, text.len() as u64);
    assert!(edit.units <= text.len(), "no unit is empty");
    assert_eq!(&*edit.step, passes[edit.scope as usize].granularity.name());
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_text_loses_bytes_and_nothing_else(
        input in bytes(),
        oracle in any_oracle(256),
        passes in vec((select(&Granularity::ALL[..]), algorithm()), 1..4),
    ) {
        let passes: Vec<TextPhase> =
            passes.into_iter().map(|(granularity, algorithm)| TextPhase { granularity, algorithm }).collect();
        let oracle = oracle.on(values(&input));
        let mut search = TextSearch::new(&passes[..], &input[..]);
        let mut scope = 0;
        while let Some(batch) = search.propose() {
            let before = check_edit(&search.current(), &passes);
            let mut interesting = vec![];
            for (i, candidate) in batch.iter().enumerate() {
                let text = check_edit(&candidate.what, &passes);
                prop_assert!(!text.is_empty() && text.len() < before.len() && is_subsequence(&text, &before));
                let pass = format!("a{}_i", candidate.what.scope);
                prop_assert!(candidate.label.as_str().starts_with(&pass), "{} in {pass}", candidate.label);
                prop_assert!(candidate.what.scope >= scope, "passes come one after the other");
                scope = candidate.what.scope;
                if oracle.accepts(&values(&text)) {
                    interesting.push(i);
                }
            }
            search.answer(&interesting);
        }
        let result = check_edit(&search.current(), &passes);
        prop_assert!(is_subsequence(&result, &input));
        prop_assert!(oracle.accepts(&values(&result)));

        let last = passes[passes.len() - 1];
        let promised = last.algorithm.star || promises_1_minimality(last.algorithm.minimizer);
        if promised && last.granularity == Granularity::Byte && last.algorithm.settings.complements != Order::Skip {
            for i in 0..result.len() {
                let without = [&result[..i], &result[i + 1..]].concat();
                prop_assert!(without.is_empty() || !oracle.accepts(&values(&without)), "byte {i} of {result:?}");
            }
        }
    }

    /// Two states of one scope are the same configuration if and only if they say so.
    #[test]
    fn configurations_of_one_scope_are_told_apart(input in bytes(), algorithm in algorithm(), oracle in any_oracle(256)) {
        let oracle = oracle.on(values(&input));
        let pass = TextPhase { granularity: Granularity::Byte, algorithm };
        let (mut texts, mut lists) = (TextSearch::new([pass], &input[..]), algorithm.start(Configuration::full(input.len()), Weights::equal()));
        let mut identities = HashMap::new();
        while let Some(batch) = texts.propose() {
            let units = lists.propose().unwrap_or_default();
            prop_assert_eq!(batch.len(), units.len(), "a text of bytes is a list of bytes");
            for (text, units) in batch.iter().zip(units) {
                let mut identity = vec![];
                text.what.content.identify(&mut |bytes| identity.extend_from_slice(bytes));
                prop_assert_eq!(identities.entry(identity).or_insert_with(|| units.what.clone()), &units.what);
            }
            let is = |i: &usize| oracle.accepts(&values(&batch[*i].what.content.to_vec()));
            let interesting: Vec<usize> = (0..batch.len()).filter(is).collect();
            texts.answer(&interesting);
            lists.answer(&interesting);
        }
        let mut different: Vec<Vec<u32>> = identities.values().map(|c| c.units().collect()).collect();
        let identified = different.len();
        different.sort_unstable();
        different.dedup();
        prop_assert_eq!(different.len(), identified, "one configuration has one identity");
    }
}

const MILLION: usize = 1_000_000;

/// Ten needed units, spread so that no two of them share a part for long.
fn ten_of_a_million() -> Vec<u32> {
    (0..10).map(|i| i * 99_991 + 12_345).collect()
}

#[test]
fn ten_units_of_a_million_are_found_in_a_few_hundred_proposals() {
    let needed = ten_of_a_million();
    for minimizer in ListMinimizer::ALL {
        let settings = ListSettings { window: minimizer.default_window(), ..ListSettings::default() };
        let mut search = minimizer.start(settings, Configuration::full(MILLION), &Weights::equal());
        let mut runs = 0;
        let asked = drive(&mut search, |candidate| {
            runs = runs.max(candidate.what.runs().len());
            needed.iter().all(|&unit| candidate.what.contains(unit))
        });
        assert_eq!(search.current(), Configuration::from_units(needed.iter().copied()));
        // In each of the 20 granularities every needed unit keeps its own part and frees its neighbour's: at most four
        // complements for each of the ten.
        assert!(asked <= 20 * 4 * 10, "{minimizer:?}: {asked} proposals");
        // Time and memory follow the runs, not the units: one for each that is needed, and one on each side of it.
        assert!(runs <= 21, "{minimizer:?}: {runs} runs");
    }
}

/// A scheduler clones the search once per open test, so a clone must not copy parts, units or orders. If it copied any
/// of the three here, a million clones would take a quarter of an hour instead of a fraction of a second; there is no
/// way to count what is copied without unsafe code, so the clock decides, with all the patience it can afford.
#[test]
fn a_clone_does_not_copy_a_million_parts() {
    let text: Vec<u8> = b"x\n".repeat(MILLION);
    for minimizer in ListMinimizer::ALL {
        let settings = ListSettings {
            split_factor: SplitFactor::Infinite,
            complements: Order::Random(1),
            window: 2,
            ..ListSettings::default()
        };
        let algorithm = ListAlgorithm { minimizer, star: true, settings };
        let mut search = TextSearch::new([TextPhase { granularity: Granularity::Line, algorithm }], &text[..]);
        // Both of the first window: GreeDDy is now about to combine them.
        search.propose();
        search.answer(&[0, 1]);
        let start = Instant::now();
        for i in 0..MILLION {
            std::hint::black_box(search.clone());
            let late = i % 1000 == 0 && start.elapsed() > Duration::from_secs(20);
            assert!(!late, "{minimizer:?}: {i} clones in {:?}", start.elapsed());
        }
    }
}
