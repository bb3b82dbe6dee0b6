//! Random tests and random settings, for the property tests of this crate and of `nub-run`.
#![allow(dead_code, reason = "each test file uses only a part of it")]

use nub_core::{ListAlgorithm, ListMinimizer, ListSettings, Order, Split, SplitFactor};
use proptest::{collection::vec, prelude::*};

/// Decides whether a list of values is interesting: if all conditions hold, or if it is the whole input, which a search
/// may rely on.
///
/// Only the first condition is monotone (any superset of an interesting list is interesting). The papers assume
/// monotone tests; no compiler is one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Oracle {
    whole: Vec<u32>,
    /// The values that must be kept.
    needed: Vec<u32>,
    /// The first value needs the second: a use and its definition.
    depends: Vec<(u32, u32)>,
    /// The two values may not both be kept.
    forbidden: Vec<(u32, u32)>,
    /// The number of kept values must have this remainder: modulus and remainder.
    parity: Option<(usize, usize)>,
    /// A seed, and how many per cent of all lists it accepts, at random.
    hash: Option<(u64, u64)>,
}

impl Oracle {
    /// The same conditions for the input `whole`, which is always interesting.
    pub(crate) fn on(mut self, whole: impl IntoIterator<Item = u32>) -> Self {
        self.whole = whole.into_iter().collect();
        self
    }

    pub(crate) fn accepts(&self, values: &[u32]) -> bool {
        let kept = |value: &u32| values.contains(value);
        let conditions = self.needed.iter().all(|needed| kept(needed) || !self.whole.contains(needed))
            && self.depends.iter().all(|(a, b)| !kept(a) || kept(b))
            && self.forbidden.iter().all(|(a, b)| a == b || !(kept(a) && kept(b)))
            && self.parity.is_none_or(|(modulus, rest)| values.len() % modulus == rest)
            && self.hash.is_none_or(|(seed, percent)| hash(seed, values) % 100 < percent);
        conditions || values == self.whole
    }
}

/// FNV-1a with a final mix. Any function will do if it is the same in every process.
pub(crate) fn hash(seed: u64, values: &[u32]) -> u64 {
    let mixed = values.iter().fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, &value| {
        (hash ^ (u64::from(value) + 1)).wrapping_mul(0x0100_0000_01b3)
    });
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 7
}

/// Oracles that need some of the values `0..values`.
pub(crate) fn monotone(values: u32) -> impl Strategy<Value = Oracle> {
    vec(0..values, 0..6).prop_map(|needed| Oracle { needed, ..Oracle::default() })
}

/// Monotone, nearly monotone, and random oracles.
pub(crate) fn any_oracle(values: u32) -> impl Strategy<Value = Oracle> {
    let pairs = |n| vec((0..values, 0..values), n);
    prop_oneof![
        monotone(values),
        (monotone(values), pairs(1..8)).prop_map(|(oracle, depends)| Oracle { depends, ..oracle }),
        (monotone(values), pairs(1..3)).prop_map(|(oracle, forbidden)| Oracle { forbidden, ..oracle }),
        (monotone(values), 2..4usize, 0..2usize)
            .prop_map(|(oracle, modulus, rest)| Oracle { parity: Some((modulus, rest)), ..oracle }),
        (any::<u64>(), 10..50u64).prop_map(|hash| Oracle { hash: Some(hash), ..Oracle::default() }),
        (monotone(values), pairs(0..4), any::<u64>(), 30..90u64).prop_map(|(oracle, depends, seed, percent)| Oracle {
            depends,
            hash: Some((seed, percent)),
            ..oracle
        }),
    ]
}

fn order() -> impl Strategy<Value = Order> {
    prop_oneof![Just(Order::Forward), Just(Order::Backward), Just(Order::Skip), any::<u64>().prop_map(Order::Random)]
}

pub(crate) fn settings() -> impl Strategy<Value = ListSettings> {
    let split = prop_oneof![Just(Split::Zeller), Just(Split::Balanced)];
    let factor = prop_oneof![4 => (2..9usize).prop_map(SplitFactor::By), 1 => Just(SplitFactor::Infinite)];
    (split, factor, order(), order(), any::<bool>(), 1..7usize).prop_map(
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

pub(crate) fn algorithm() -> impl Strategy<Value = ListAlgorithm> {
    let minimizer = proptest::sample::select(&ListMinimizer::ALL[..]);
    (minimizer, any::<bool>(), settings()).prop_map(|(minimizer, star, settings)| ListAlgorithm {
        minimizer,
        star,
        settings,
    })
}
