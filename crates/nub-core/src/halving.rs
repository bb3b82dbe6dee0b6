//! Halving: a list minimiser without complements and without a second look.
//!
//! The list is cut in two, and so is every part that cannot go, until nothing is left to cut: at most 2n tests for n
//! units, and log n for one that must stay. Perses minimises lists this way (Sun et al., *Perses: syntax-guided program
//! reduction*, ICSE 2018), depth-first or breadth-first. The result is not 1-minimal by itself: whoever wants that
//! repeats it. The largest part first, by the weight of its units, is ours: bytes go fastest where most of them are.

use crate::{Batch, Candidate, Configuration, Label, Search, Unit};
use std::sync::Arc;

/// Which part is tried next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum HalvingOrder {
    /// The one that was cut last, from the right.
    Depth,
    /// The one that has waited longest, from the right.
    Breadth,
    /// The heaviest; of equal ones the last in the list, because what is used is mostly defined before.
    #[default]
    Heaviest,
}

/// How heavy the units of a list are.
#[derive(Clone, Debug)]
pub struct Weights {
    /// How heavy the units before each are, all together.
    before: Arc<[u64]>,
}

impl Weights {
    /// Weights of the units 0, 1, …
    pub fn new(weights: impl IntoIterator<Item = u64>) -> Self {
        let mut sum = 0;
        let sums = weights.into_iter().map(|weight| {
            sum += weight;
            sum
        });
        Self { before: std::iter::once(0).chain(sums.collect::<Vec<_>>()).collect() }
    }

    pub(crate) fn of(&self, from: Unit, to: Unit) -> u64 {
        self.before[to as usize] - self.before[from as usize]
    }

    /// Where to cut `from..to`, so that both sides are about equally heavy and neither is empty.
    pub(crate) fn middle(&self, from: Unit, to: Unit) -> Unit {
        let sums = &self.before[from as usize..=to as usize];
        let half = sums[0].midpoint(sums[sums.len() - 1]);
        let above = sums.partition_point(|&sum| sum < half);
        // The sum just below may be closer.
        let closest = if above > 0 && half - sums[above - 1] < sums[above] - half { above - 1 } else { above };
        from + (closest as Unit).clamp(1, to - from - 1)
    }
}

#[derive(Clone, Copy, Debug)]
struct Part {
    from: Unit,
    to: Unit,
}

/// Halving of a list of units 0, 1, …
///
/// ```
/// use nub_core::{drive, Halving, HalvingOrder, Search, Weights};
///
/// let mut search = Halving::new(HalvingOrder::Heaviest, Weights::new([1; 8]));
/// let tests = drive(&mut search, |candidate| candidate.what.contains(2));
/// assert_eq!(search.current().units().collect::<Vec<_>>(), [2]);
/// assert_eq!(tests, 7); // all; a half, a half; a quarter, a quarter; one, one
/// ```
#[derive(Clone, Debug)]
pub struct Halving {
    order: HalvingOrder,
    weights: Weights,
    best: Configuration,
    /// Parts that have not been tried. Shared, because a search is cloned for every candidate.
    parts: Arc<Vec<Part>>,
    tried: usize,
}

impl Halving {
    /// Halving of all units that have a weight; all together first.
    pub fn new(order: HalvingOrder, weights: Weights) -> Self {
        let units = weights.before.len() - 1;
        let whole = Part { from: 0, to: units as Unit };
        let parts = if units == 0 { vec![] } else { vec![whole] };
        Self { order, weights, best: Configuration::full(units), parts: Arc::new(parts), tried: 0 }
    }

    /// All units one by one, the heaviest first.
    pub fn one_by_one(weights: Weights) -> Self {
        let units = (weights.before.len() - 1) as Unit;
        let parts = (0..units).map(|from| Part { from, to: from + 1 }).collect();
        Self { parts: Arc::new(parts), ..Self::new(HalvingOrder::Heaviest, weights) }
    }

    /// The position of the part whose turn it is.
    fn next(&self) -> Option<usize> {
        let last = self.parts.len().checked_sub(1)?;
        Some(match self.order {
            HalvingOrder::Depth => last,
            HalvingOrder::Breadth => 0,
            HalvingOrder::Heaviest => {
                let weight = |&i: &usize| (self.weights.of(self.parts[i].from, self.parts[i].to), self.parts[i].from);
                (0..self.parts.len()).max_by_key(weight)?
            }
        })
    }
}

impl Search for Halving {
    type Proposal = Configuration;

    fn propose(&mut self) -> Option<Batch<Configuration>> {
        let Part { from, to } = self.parts[self.next()?];
        let label = Label::new(format_args!("h{}", self.tried));
        Some(vec![Candidate { label, what: self.best.without(from, to) }])
    }

    fn answer(&mut self, interesting: &[usize]) {
        let Some(next) = self.next() else { return };
        let parts = Arc::make_mut(&mut self.parts);
        let Part { from, to } = parts.remove(next);
        self.tried += 1;
        if !interesting.is_empty() {
            self.best = self.best.without(from, to);
        } else if to - from > 1 {
            let middle = self.weights.middle(from, to);
            let (left, right) = (Part { from, to: middle }, Part { from: middle, to });
            match self.order {
                HalvingOrder::Depth | HalvingOrder::Heaviest => parts.extend([left, right]),
                HalvingOrder::Breadth => parts.extend([right, left]),
            }
        }
    }

    fn current(&self) -> Configuration {
        self.best.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive;

    fn trace(order: HalvingOrder, weights: &[u64], needed: &[Unit]) -> (Vec<Vec<Unit>>, Vec<Unit>) {
        let mut search = Halving::new(order, Weights::new(weights.iter().copied()));
        let mut asked = vec![];
        drive(&mut search, |candidate| {
            asked.push(candidate.what.units().collect());
            needed.iter().all(|&unit| candidate.what.contains(unit))
        });
        (asked, search.current().units().collect())
    }

    #[test]
    fn depth_goes_right_first() {
        let (asked, left) = trace(HalvingOrder::Depth, &[1; 4], &[3]);
        assert_eq!(asked, [vec![], vec![0, 1], vec![0, 1, 2], vec![0, 1, 3], vec![3]]);
        assert_eq!(left, [3]);
    }

    #[test]
    fn breadth_goes_level_by_level() {
        let (asked, left) = trace(HalvingOrder::Breadth, &[1; 4], &[0]);
        assert_eq!(asked, [vec![], vec![0, 1], vec![], vec![0], vec![]]);
        assert_eq!(left, [0]);
    }

    #[test]
    fn the_heaviest_goes_first() {
        let (asked, left) = trace(HalvingOrder::Heaviest, &[1, 1, 100, 1], &[1]);
        assert_eq!(asked, [vec![], vec![0, 1], vec![], vec![0], vec![1]]);
        assert_eq!(left, [1]);
    }

    #[test]
    fn nothing_to_do() {
        assert!(Halving::new(HalvingOrder::Heaviest, Weights::new([])).propose().is_none());
        assert_eq!(trace(HalvingOrder::Heaviest, &[0, 0, 0], &[1]).1, [1], "weightless units are units");
    }
}
