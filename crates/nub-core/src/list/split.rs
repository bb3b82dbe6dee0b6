//! Cutting a configuration into subsets, and what is left when some of them go.

use crate::{Configuration, Unit};
use std::sync::Arc;

/// How a configuration of `len` units is cut into `n` nearly equal subsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Split {
    /// As in Zeller's original program: each subset takes its share of what is left, so the smaller ones come first.
    #[default]
    Zeller,
    /// Subset `i` ends at `len * (i + 1) / n`: smaller and larger ones alternate.
    Balanced,
}

/// By how much granularity increases: the `2` in "n := 2n".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitFactor {
    /// Each subset is cut into this many, at least 2.
    By(usize),
    /// Straight to single units.
    Infinite,
}

impl SplitFactor {
    /// Whether a split by it makes progress at all.
    pub fn is_valid(self) -> bool {
        !matches!(self, Self::By(0 | 1))
    }
}

impl Default for SplitFactor {
    fn default() -> Self {
        Self::By(2)
    }
}

/// A configuration cut into consecutive subsets Δ0 … Δn−1.
///
/// A subset is remembered by its first unit only, so removing one leaves the others as they are.
#[derive(Clone, Debug)]
pub(crate) struct Partition {
    configuration: Configuration,
    starts: Arc<[Unit]>,
}

impl Partition {
    /// Everything in one subset (in none, if there is nothing).
    pub(crate) fn whole(configuration: Configuration) -> Self {
        let starts = configuration.runs().first().map(|run| run.start).into_iter().collect();
        Self { configuration, starts }
    }

    /// Subsets of `size` units, which is at least 1; the last may be smaller.
    pub(crate) fn of_size(configuration: Configuration, size: usize) -> Self {
        let starts = configuration.units_at((0..configuration.len()).step_by(size)).into();
        Self { configuration, starts }
    }

    pub(crate) fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// The number of subsets.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The same units, cut anew into `factor` times as many subsets, but not into more than there are units.
    #[must_use]
    pub(crate) fn split(&self, split: Split, factor: SplitFactor) -> Self {
        let len = self.configuration.len();
        let n = match factor {
            SplitFactor::By(factor) => self.len().saturating_mul(factor).min(len),
            SplitFactor::Infinite => len,
        };
        let mut start = 0;
        let positions = (0..n).map(|i| match split {
            Split::Balanced => (len as u64 * i as u64 / n as u64) as usize,
            Split::Zeller => {
                let this = start;
                start += (len - start) / (n - i);
                this
            }
        });
        let starts = self.configuration.units_at(positions).into();
        Self { configuration: self.configuration.clone(), starts }
    }

    /// The units from the first of Δk to the first of the next subset.
    fn interval(&self, k: usize) -> (Unit, Unit) {
        (self.starts[k], self.starts.get(k + 1).copied().unwrap_or(Unit::MAX))
    }

    /// Δk.
    pub(crate) fn subset(&self, k: usize) -> Configuration {
        let (from, to) = self.interval(k);
        self.configuration.within(from, to)
    }

    /// ∇k, everything but Δk; with several `k`, which must ascend, everything but all of them.
    pub(crate) fn complement(&self, ks: &[usize]) -> Configuration {
        self.configuration.without_all(ks.iter().map(|&k| self.interval(k)))
    }

    /// What is left of `configuration`, which is a part of this one, without Δk.
    pub(crate) fn without_part(&self, configuration: &Configuration, k: usize) -> Configuration {
        let (from, to) = self.interval(k);
        configuration.without(from, to)
    }

    /// The subsets that are left in `configuration`, of which every subset is either a part or no unit is.
    #[must_use]
    pub(crate) fn of(&self, configuration: Configuration) -> Self {
        let starts = self.starts.iter().copied().filter(|&start| configuration.contains(start)).collect();
        Self { configuration, starts }
    }

    /// The subsets that are left when those at `ks`, which must ascend, are removed.
    #[must_use]
    pub(crate) fn without(&self, ks: &[usize]) -> Self {
        let mut gone = ks.iter().copied().peekable();
        let starts =
            self.starts.iter().enumerate().filter(|&(k, _)| gone.next_if_eq(&k).is_none()).map(|(_, &s)| s).collect();
        Self { configuration: self.complement(ks), starts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sizes(p: &Partition) -> Vec<usize> {
        (0..p.len()).map(|k| p.subset(k).len()).collect()
    }

    #[test]
    fn zeller_puts_the_smaller_subsets_first_and_balanced_spreads_them() {
        let whole = Partition::whole(Configuration::full(11));
        assert_eq!(sizes(&whole.split(Split::Zeller, SplitFactor::By(4))), [2, 3, 3, 3]);
        assert_eq!(sizes(&whole.split(Split::Balanced, SplitFactor::By(4))), [2, 3, 3, 3]);
        let whole = Partition::whole(Configuration::full(10));
        assert_eq!(sizes(&whole.split(Split::Zeller, SplitFactor::By(4))), [2, 2, 3, 3]);
        assert_eq!(sizes(&whole.split(Split::Balanced, SplitFactor::By(4))), [2, 3, 2, 3]);
    }

    #[test]
    fn never_more_subsets_than_units() {
        let whole = Partition::whole(Configuration::full(3));
        assert_eq!(sizes(&whole.split(Split::Zeller, SplitFactor::By(8))), [1, 1, 1]);
        assert_eq!(sizes(&whole.split(Split::Zeller, SplitFactor::Infinite)), [1, 1, 1]);
        assert_eq!(Partition::whole(Configuration::full(0)).split(Split::Zeller, SplitFactor::By(2)).len(), 0);
    }

    #[test]
    fn subsets_of_a_size() {
        let units = Configuration::from_units([0, 1, 4, 5, 6, 9, 10]);
        assert_eq!(sizes(&Partition::of_size(units.clone(), 3)), [3, 3, 1]);
        assert_eq!(sizes(&Partition::of_size(units, 9)), [7]);
        assert_eq!(Partition::of_size(Configuration::full(0), 3).len(), 0);
    }

    proptest! {
        #[test]
        fn subsets_partition_and_complements_complement(
            units in prop::collection::btree_set(0u32..200, 1..100),
            factor in 2usize..9,
            balanced: bool,
            again: bool,
            gone in prop::collection::btree_set(0usize..8, 1..4),
        ) {
            let split = if balanced { Split::Balanced } else { Split::Zeller };
            let c = Configuration::from_units(units);
            let mut p = Partition::whole(c.clone()).split(split, SplitFactor::By(factor));
            if again {
                p = p.split(split, SplitFactor::By(factor));
            }
            let concat: Vec<Unit> = (0..p.len()).flat_map(|k| p.subset(k).units().collect::<Vec<_>>()).collect();
            prop_assert_eq!(concat, c.units().collect::<Vec<_>>());
            let s = sizes(&p);
            prop_assert!(s.iter().max().unwrap() - s.iter().min().unwrap() <= 1, "nearly equal: {:?}", s);

            let gone: Vec<usize> = gone.into_iter().filter(|&k| k < p.len()).collect();
            let rest = p.without(&gone);
            let expected: Vec<Unit> =
                (0..p.len()).filter(|k| !gone.contains(k)).flat_map(|k| p.subset(k).units().collect::<Vec<_>>()).collect();
            prop_assert_eq!(rest.configuration().units().collect::<Vec<_>>(), expected);
            prop_assert_eq!(rest.len(), p.len() - gone.len());
            prop_assert_eq!(p.of(rest.configuration().clone()).starts, rest.starts.clone());
            prop_assert_eq!(p.without_part(p.configuration(), 0), p.complement(&[0]));
            let kept: Vec<Configuration> = (0..p.len()).filter(|k| !gone.contains(k)).map(|k| p.subset(k)).collect();
            prop_assert_eq!((0..rest.len()).map(|k| rest.subset(k)).collect::<Vec<_>>(), kept);
        }
    }
}
