//! Sets of units: what a list minimiser works on.

use std::{fmt, sync::Arc};

/// A unit: the position, in the input, of one indivisible piece (a line, a character, a tree node).
pub type Unit = u32;

/// Consecutive units, `start..end`. Like `Range<Unit>`, but `Copy`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Run {
    /// The first unit.
    pub start: Unit,
    /// One past the last unit.
    pub end: Unit,
}

impl Run {
    fn len(self) -> usize {
        (self.end - self.start) as usize
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A set of units in input order, kept as runs of consecutive units.
///
/// A list minimiser cuts large blocks out of a list, so its configurations have few runs, whatever the number of units:
/// a million lines without one block are two runs. Cloning is a reference count; every operation takes time
/// proportional to the runs it keeps.
///
/// ```
/// use nub_core::Configuration;
/// let c = Configuration::full(10).without(2, 5);
/// assert_eq!(format!("{c:?}"), "{0..2, 5..10}");
/// assert_eq!(c.len(), 7);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Configuration {
    runs: Arc<[Run]>,
    len: usize,
}

impl Configuration {
    /// The units `0..n`.
    pub fn full(n: usize) -> Self {
        let end = Unit::try_from(n).expect("an input has fewer than 2^32 units");
        Self::from_runs(if n == 0 { vec![] } else { vec![Run { start: 0, end }] })
    }

    /// The given units, which must ascend.
    pub fn from_units(units: impl IntoIterator<Item = Unit>) -> Self {
        let mut runs = Runs::default();
        for unit in units {
            runs.push(Run { start: unit, end: unit + 1 });
        }
        runs.finish()
    }

    fn from_runs(runs: Vec<Run>) -> Self {
        let len = runs.iter().map(|run| run.len()).sum();
        Self { runs: runs.into(), len }
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no units.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The maximal runs of consecutive units, ascending.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The units, ascending.
    pub fn units(&self) -> impl Iterator<Item = Unit> + '_ {
        self.runs.iter().flat_map(|run| run.start..run.end)
    }

    /// Whether `unit` is one of them.
    pub fn contains(&self, unit: Unit) -> bool {
        let after = self.runs.partition_point(|run| run.end <= unit);
        self.runs.get(after).is_some_and(|run| run.start <= unit)
    }

    /// The units in `from..to`.
    #[must_use]
    pub fn within(&self, from: Unit, to: Unit) -> Self {
        let first = self.runs.partition_point(|run| run.end <= from);
        let mut kept = Runs::default();
        for run in self.runs[first..].iter().take_while(|run| run.start < to) {
            kept.push(Run { start: run.start.max(from), end: run.end.min(to) });
        }
        kept.finish()
    }

    /// The units that are not in `from..to`.
    #[must_use]
    pub fn without(&self, from: Unit, to: Unit) -> Self {
        self.without_all([(from, to)])
    }

    /// The units that are in none of the given `(from, to)` intervals, which must ascend and not overlap.
    ///
    /// This is what every candidate is made with, so the runs between the gaps are copied as a whole.
    #[must_use]
    pub fn without_all(&self, gaps: impl IntoIterator<Item = (Unit, Unit)>) -> Self {
        let mut kept = Vec::with_capacity(self.runs.len() + 1);
        // What is not decided yet: these runs, from this unit on.
        let mut rest = &self.runs[..];
        let mut begin = 0;
        let copy = |kept: &mut Vec<Run>, runs: &[Run], begin: Unit| {
            let copied = kept.len();
            kept.extend_from_slice(runs);
            if let Some(first) = kept.get_mut(copied) {
                first.start = first.start.max(begin);
            }
        };
        for (from, to) in gaps.into_iter().filter(|(from, to)| from < to) {
            copy(&mut kept, &rest[..rest.partition_point(|run| run.start.max(begin) < from)], begin);
            if let Some(cut) = kept.last_mut().filter(|last| last.end > from) {
                cut.end = from;
            }
            rest = &rest[rest.partition_point(|run| run.end <= to)..];
            begin = to;
        }
        copy(&mut kept, rest, begin);
        Self::from_runs(kept)
    }

    /// The units that are in this one, in the other, or in both.
    #[must_use]
    pub(crate) fn union(&self, other: &Self) -> Self {
        let mut all = [&*self.runs, &*other.runs].concat();
        // Two sorted pieces: the stable sort merges them.
        all.sort_by_key(|run| run.start);
        let mut runs: Vec<Run> = Vec::with_capacity(all.len());
        for run in all {
            match runs.last_mut().filter(|last| last.end >= run.start) {
                Some(last) => last.end = last.end.max(run.end),
                None => runs.push(run),
            }
        }
        Self::from_runs(runs)
    }

    /// The units that are not in the other.
    #[must_use]
    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.without_all(other.runs.iter().map(|run| (run.start, run.end)))
    }

    /// The first `n` units, and the others.
    pub(crate) fn split_at(&self, n: usize) -> (Self, Self) {
        if n == 0 || n >= self.len {
            let (all, none) = (self.clone(), Self::full(0));
            return if n == 0 { (none, all) } else { (all, none) };
        }
        let (at, _) = self.interval(n, n + 1);
        (self.within(0, at), self.within(at, Unit::MAX))
    }

    /// The units from the one at position `from` to the one before position `to`, as the interval in which they lie.
    pub(crate) fn interval(&self, from: usize, to: usize) -> (Unit, Unit) {
        debug_assert!(from < to && to <= self.len, "positions of units");
        let (mut start, mut end, mut passed) = (0, 0, 0);
        for run in self.runs.iter() {
            if (passed..passed + run.len()).contains(&from) {
                start = run.start + (from - passed) as Unit;
            }
            passed += run.len();
            if to <= passed {
                end = run.end - (passed - to) as Unit;
                break;
            }
        }
        (start, end)
    }

    /// The units at the given positions of this list, which must ascend: `positions` of `0..len` become units.
    pub(crate) fn units_at(&self, positions: impl IntoIterator<Item = usize>) -> Vec<Unit> {
        let mut runs = self.runs.iter();
        let mut run = runs.next();
        let mut passed = 0;
        positions
            .into_iter()
            .map(|position| {
                while let Some(r) = run.filter(|r| position >= passed + r.len()) {
                    passed += r.len();
                    run = runs.next();
                }
                run.expect("a position is smaller than the length").start + (position - passed) as Unit
            })
            .collect()
    }
}

impl fmt::Debug for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.runs.iter()).finish()
    }
}

/// Collects ascending runs; drops empty ones and joins adjacent ones, so that equal sets have equal runs.
#[derive(Default)]
struct Runs(Vec<Run>);

impl Runs {
    fn push(&mut self, run: Run) {
        if run.start >= run.end {
            return;
        }
        match self.0.last_mut() {
            Some(last) if last.end == run.start => last.end = run.end,
            last => {
                debug_assert!(last.is_none_or(|last| last.end < run.start), "units ascend");
                self.0.push(run);
            }
        }
    }

    fn finish(self) -> Configuration {
        Configuration::from_runs(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(c: &Configuration) -> BTreeSet<Unit> {
        c.units().collect()
    }

    proptest! {
        #[test]
        fn behaves_like_a_set(units in prop::collection::btree_set(0u32..60, 0..40), a in 0u32..60, b in 0u32..60) {
            let c = Configuration::from_units(units.iter().copied());
            let (from, to) = (a.min(b), a.max(b));
            prop_assert_eq!(set(&c), units.clone());
            prop_assert_eq!(c.len(), units.len());
            prop_assert_eq!(set(&c.within(from, to)), units.iter().copied().filter(|u| (from..to).contains(u)).collect());
            prop_assert_eq!(set(&c.without(from, to)), units.iter().copied().filter(|u| !(from..to).contains(u)).collect());
            for unit in 0..60 {
                prop_assert_eq!(c.contains(unit), units.contains(&unit));
            }
            let all: Vec<Unit> = units.iter().copied().collect();
            prop_assert_eq!(c.units_at(0..units.len()), all.clone());
            prop_assert_eq!(c.split_at(0), (Configuration::full(0), c.clone()));
            for position in 1..=units.len() {
                let (first, others) = c.split_at(position);
                prop_assert_eq!(set(&first), all[..position].iter().copied().collect());
                prop_assert_eq!(set(&others), all[position..].iter().copied().collect());
                prop_assert_eq!(c.interval(0, position), (all[0], all[position - 1] + 1));
                prop_assert_eq!(c.interval(position - 1, all.len()), (all[position - 1], all[all.len() - 1] + 1));
            }
        }

        #[test]
        fn two_of_them(a in prop::collection::btree_set(0u32..60, 0..40), b in prop::collection::btree_set(0u32..60, 0..40)) {
            let [one, other] = [&a, &b].map(|units| Configuration::from_units(units.iter().copied()));
            prop_assert_eq!(one.union(&other), Configuration::from_units(&a | &b));
            prop_assert_eq!(one.minus(&other), Configuration::from_units(&a - &b));
        }

        #[test]
        fn several_gaps(units in prop::collection::btree_set(0u32..60, 0..40), cuts in prop::collection::btree_set(0u32..60, 0..8), step in 1usize..3) {
            let c = Configuration::from_units(units.iter().copied());
            let cuts: Vec<Unit> = cuts.into_iter().collect();
            // Every interval between two cuts, so that gaps touch each other, or every other one.
            let gaps: Vec<(Unit, Unit)> = cuts.windows(2).step_by(step).map(|g| (g[0], g[1])).collect();
            let kept = c.without_all(gaps.iter().copied());
            prop_assert_eq!(set(&kept), units.iter().copied().filter(|u| !gaps.iter().any(|g| (g.0..g.1).contains(u))).collect());
            prop_assert_eq!(&kept, &Configuration::from_units(kept.units()), "equal sets have equal runs");
        }
    }
}
