//! Cutting a configuration into subsets, and removing some of them.

use crate::{Configuration, Unit};
use std::fmt;
use std::sync::Arc;

/// How a configuration of `len` units is cut into `n` nearly equal subsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Split {
    /// As in Zeller's original program: each subset takes its share of the remaining units, so smaller ones come first.
    #[default]
    Zeller,
    /// Subset `i` ends at `len * (i + 1) / n`: smaller and larger subsets alternate.
    Balanced,
}

/// The factor by which granularity increases: the `2` in "n := 2n".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitFactor {
    /// Each subset is cut into this many, at least 2.
    By(usize),
    /// Each subset is cut into single units at once.
    Infinite,
}

impl Split {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zeller => "zeller",
            Self::Balanced => "balanced",
        }
    }
}

impl fmt::Display for SplitFactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::By(factor) => write!(f, "{factor}"),
            Self::Infinite => f.write_str("infinity"),
        }
    }
}

impl SplitFactor {
    /// Whether splitting by this factor makes progress.
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
/// Only the first unit of each subset is stored, so removing one subset leaves the others unchanged.
#[derive(Clone, Debug)]
pub(crate) struct Partition {
    configuration: Configuration,
    starts: Arc<[Unit]>,
}

impl Partition {
    /// All units in one subset (no subset, if there are no units).
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

    /// The same units, cut afresh into `factor` times as many subsets, but never into more subsets than units.
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

    /// ∇k, everything but Δk. With several `k`, which must be ascending, everything but all of those subsets.
    pub(crate) fn complement(&self, ks: &[usize]) -> Configuration {
        self.configuration.without_all(ks.iter().map(|&k| self.interval(k)))
    }

    /// `configuration`, which is a part of this one, without Δk.
    pub(crate) fn without_part(&self, configuration: &Configuration, k: usize) -> Configuration {
        let (from, to) = self.interval(k);
        configuration.without(from, to)
    }

    /// The subsets that are left in `configuration`, which must contain all or none of the units of each subset.
    #[must_use]
    pub(crate) fn of(&self, configuration: Configuration) -> Self {
        let starts = self.starts.iter().copied().filter(|&start| configuration.contains(start)).collect();
        Self { configuration, starts }
    }

    /// The subsets that are left when those at `ks`, which must be ascending, are removed.
    #[must_use]
    pub(crate) fn without(&self, ks: &[usize]) -> Self {
        let mut removed = ks.iter().copied().peekable();
        let starts = self
            .starts
            .iter()
            .enumerate()
            .filter(|&(k, _)| removed.next_if_eq(&k).is_none())
            .map(|(_, &s)| s)
            .collect();
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
            removed in prop::collection::btree_set(0usize..8, 1..4),
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

            let removed: Vec<usize> = removed.into_iter().filter(|&k| k < p.len()).collect();
            let rest = p.without(&removed);
            let expected: Vec<Unit> =
                (0..p.len()).filter(|k| !removed.contains(k)).flat_map(|k| p.subset(k).units().collect::<Vec<_>>()).collect();
            prop_assert_eq!(rest.configuration().units().collect::<Vec<_>>(), expected);
            prop_assert_eq!(rest.len(), p.len() - removed.len());
            prop_assert_eq!(p.of(rest.configuration().clone()).starts, rest.starts.clone());
            prop_assert_eq!(p.without_part(p.configuration(), 0), p.complement(&[0]));
            let kept: Vec<Configuration> = (0..p.len()).filter(|k| !removed.contains(k)).map(|k| p.subset(k)).collect();
            prop_assert_eq!((0..rest.len()).map(|k| rest.subset(k)).collect::<Vec<_>>(), kept);
        }
    }
}
