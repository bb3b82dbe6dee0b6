//! Certificates of minimality: every claim of a plan is checked by brute force.

use nub_core::{
    Effort, Granularity, Knowledge, ListAlgorithm, ListMinimizer, ListSettings, Options, Order, Plan, PlanSearch,
    Search, Split, SplitFactor, TextPhase, TextSearch, Unknown, drive,
};
use proptest::{prelude::*, sample::select};
use std::sync::Arc;

/// Every text that lacks a single unit. ddmin that goes straight to single units proposes just these if all are refused.
fn without_one(granularity: Granularity, text: &[u8]) -> Vec<Vec<u8>> {
    let settings = ListSettings { split_factor: SplitFactor::Infinite, ..ListSettings::default() };
    let algorithm = ListAlgorithm { settings, ..ListAlgorithm::default() };
    let mut search = TextSearch::new([TextPhase { granularity, algorithm }], text);
    let mut texts = vec![];
    drive(&mut search, |candidate| {
        texts.push(candidate.what.content.to_vec());
        false
    });
    texts
}

/// Accepts texts that contain what is needed; unless monotone, it refuses some of them by a hash.
fn oracle(needed: u8, monotone: bool, seed: u64, original: &[u8]) -> impl Fn(&[u8]) -> bool {
    move |text| {
        let hash = text.iter().fold(seed, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        text == original || text.contains(&needed) && (monotone || hash >> 32 & 3 != 0)
    }
}

fn settings() -> impl Strategy<Value = ListSettings> {
    let order = || select(vec![Order::Forward, Order::Backward, Order::Skip, Order::Random(7)]);
    let factor = select(vec![SplitFactor::By(2), SplitFactor::By(3), SplitFactor::Infinite]);
    (select(vec![Split::Zeller, Split::Balanced]), factor, order(), order(), any::<bool>(), 1..5usize).prop_map(
        |(split, split_factor, subsets, complements, complements_first, window)| ListSettings {
            split,
            split_factor,
            subsets,
            complements,
            complements_first,
            window,
        },
    )
}

fn reduce(plan: &Plan, input: &[u8], is_interesting: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut search = PlanSearch::new(plan.clone(), Arc::new(Unknown), input);
    drive(&mut search, |candidate| is_interesting(&candidate.what.content.to_vec()));
    search.current().content.to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_claim_holds(
        input in "[abc \n]{1,24}",
        needed in select(vec![b'a', b'b', b'\n']),
        monotone: bool,
        seed: u64,
        settings in settings(),
        minimizers in (select(&ListMinimizer::ALL[..]), select(&ListMinimizer::ALL[..])),
        stars in (any::<bool>(), any::<bool>()),
        shape in 0..4usize,
        granularities in prop::collection::vec(select(&Granularity::ALL[..]), 1..3),
        effort in select(&Effort::ALL[..]),
    ) {
        let input = input.into_bytes();
        prop_assume!(input.contains(&needed));
        let is_interesting = oracle(needed, monotone, seed, &input);
        let star = |star| if star { "*" } else { "" };
        let (first, second) = (minimizers.0.name(), minimizers.1.name());
        let names = match shape {
            0 => format!("{first}{}", star(stars.0)),
            1 => format!("{first}{}+again", star(stars.0)),
            2 => format!("{first}{}+{second}{}", star(stars.0), star(stars.1)),
            _ => format!("{first}{}+{second}{}+again", star(stars.0), star(stars.1)),
        };
        let (window, granularities) = (Some(settings.window), Some(granularities));
        let options = Options { list: settings, window, granularities, effort, ..Options::default() };
        let plan = Plan::named(&names, &options).unwrap();
        let result = reduce(&plan, &input, &is_interesting);
        prop_assert!(is_interesting(&result));
        for unit in plan.minimality(Knowledge::Nothing).units {
            let granularity = Granularity::from_name(unit).unwrap();
            for text in without_one(granularity, &result) {
                prop_assert!(!is_interesting(&text), "{}: a {unit} can be removed from {result:?}: {text:?}", plan.spelling());
            }
        }
    }
}

/// Claims must not only be true: they must be made where they can be.
#[test]
fn claims_are_made_where_they_hold() {
    let units =
        |names: &str, options: &Options| Plan::named(names, options).unwrap().minimality(Knowledge::Nothing).units;
    let options = Options::default();
    for name in ["ddmin", "greeddy", "wddmin", "ddmin*", "greeddy*", "onepass*", "heaviest*", "cdd*"] {
        assert_eq!(units(name, &options), ["char"], "{name}: the last phase has seen the result");
    }
    for name in ["onepass", "probdd", "heaviest", "dfs"] {
        assert!(units(name, &options).is_empty(), "{name} has a promise only from monotone tests");
        assert_eq!(
            units(&format!("{name}+again"), &options),
            ["line", "char"],
            "{name}: the last round changed nothing"
        );
    }
    assert!(
        units("ddmin*+again+onepass", &options).is_empty(),
        "what comes after the last round has not been repeated"
    );
    // The command that claimed to have tried every character when it had tried nothing.
    let list = ListSettings { subsets: Order::Forward, complements: Order::Skip, ..ListSettings::default() };
    for name in ["ddmin*", "greeddy", "wddmin*", "onepass*+again"] {
        assert!(units(name, &Options { list, ..Options::default() }).is_empty(), "{name} without complements");
    }
    let quick = Options { effort: Effort::Quick, ..Options::default() };
    assert!(units("ddmin*+again", &quick).is_empty(), "a step may have given up");
    assert_eq!(units("ddmin*", &quick), ["char"], "without rounds, no step gives up");
}
