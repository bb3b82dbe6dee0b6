//! When to stop looking ahead (Parr, Harwell and Fisher 2014, §5.5).

use super::config::Config;
use rustc_hash::FxHashMap;

/// A set of alternatives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Alts(Vec<u64>);

impl Alts {
    pub(super) fn insert(&mut self, alt: u32) {
        let word = alt as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (alt % 64);
    }

    pub(super) fn contains(&self, alt: u32) -> bool {
        self.0.get(alt as usize / 64).is_some_and(|word| word >> (alt % 64) & 1 != 0)
    }

    pub(super) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub(super) fn min(&self) -> Option<u32> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(u32::try_from(word * 64).unwrap_or(0) + self.0[word].trailing_zeros())
    }
}

/// The alternatives that share a state and a stack, by state and stack.
fn conflicting(configs: &[Config]) -> FxHashMap<(u32, u32), Alts> {
    let mut sets: FxHashMap<(u32, u32), Alts> = FxHashMap::default();
    for config in configs {
        sets.entry((config.state, config.context)).or_default().insert(config.alt);
    }
    sets
}

/// All alternatives.
pub(super) fn alternatives(configs: &[Config]) -> Alts {
    let mut alts = Alts::default();
    for config in configs {
        alts.insert(config.alt);
    }
    alts
}

/// Whether SLL prediction must give up: some alternatives can no longer be told apart, and no state was reached by one
/// alternative only. The caller handles sets that are entirely at the ends of rules.
pub(super) fn sll_conflict(configs: &[Config]) -> bool {
    if alone_somewhere(configs) {
        return false;
    }
    conflicting(configs).values().any(|alts| alts.len() > 1)
}

/// Whether some state was reached by one alternative only.
fn alone_somewhere(configs: &[Config]) -> bool {
    let mut states: FxHashMap<u32, (u32, bool)> = FxHashMap::default();
    for config in configs {
        let entry = states.entry(config.state).or_insert((config.alt, true));
        entry.1 &= entry.0 == config.alt;
    }
    states.values().any(|&(_, alone)| alone)
}

/// The alternative that full prediction chooses, if every conflict has the same smallest alternative.
pub(super) fn single_viable(configs: &[Config]) -> Option<u32> {
    let mut single = None;
    for alts in conflicting(configs).values() {
        let smallest = alts.min();
        if single.is_some() && single != smallest {
            return None;
        }
        single = smallest;
    }
    single
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_alternatives_may_be_large() {
        let mut alts = Alts::default();
        for alt in [300, 65] {
            alts.insert(alt);
        }
        assert_eq!((alts.min(), alts.len(), alts.contains(300), alts.contains(64)), (Some(65), 2, true, false));
    }

    #[test]
    fn a_state_of_one_alternative_keeps_sll_going() {
        let (one, two) = (Config::new(5, 1, 0), Config::new(5, 2, 0));
        assert!(sll_conflict(&[one, two]));
        assert!(!sll_conflict(&[one, two, Config::new(6, 2, 0)]));
        assert_eq!(single_viable(&[one, two]), Some(1));
        assert_eq!(single_viable(&[one, two, Config::new(6, 2, 0)]), None);
    }
}
