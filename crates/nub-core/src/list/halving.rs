//! Halving: a list minimiser without complements and without a second look.
//!
//! The list is cut in two, and so is every part that cannot go, until nothing is left to cut: at most 2n tests for n
//! units, and log n for one that must stay. Perses minimises lists this way (Sun et al., *Perses: syntax-guided program
//! reduction*, ICSE 2018), depth-first or breadth-first. The result is 1-minimal if the test is monotone; whoever wants
//! that from any test repeats it. The largest part first, by the weight of its units, is ours: bytes go fastest where
//! most of them are.

use crate::{Batch, Candidate, Configuration, Label, Search, Unit, Weights};
use std::{cmp::Reverse, collections::VecDeque, sync::Arc};

/// Which part is tried next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum HalvingOrder {
    /// The one that was cut last, from the right. Parts are cut by the number of their units, as in Perses.
    Depth,
    /// The one that has waited longest, from the right. Parts are cut by the number of their units, as in Perses.
    Breadth,
    /// The heaviest; of equal ones the last in the list, because what is used is mostly defined before. Parts are cut
    /// by weight.
    #[default]
    Heaviest,
}

/// Positions `from..to` of the list.
#[derive(Clone, Copy, Debug)]
struct Part {
    from: Unit,
    to: Unit,
}

impl Part {
    fn len(self) -> usize {
        (self.to - self.from) as usize
    }
}

/// Halving.
///
/// ```text
/// halving(c):  try the halves of c
/// try P:       if c − P is interesting, c := c − P;  else try the halves of P, if it is more than one unit
/// ```
///
/// Where a part is cut depends on nothing but the list, so all parts that can ever be tried, and their order, are known
/// from the beginning: a table of 2n parts, made once. What is left to the search is a place in the table; a part that
/// has gone with a larger one is passed over. So a clone costs nothing, however many parts wait.
///
/// ```
/// use nub_core::{drive, Configuration, Halving, HalvingOrder, Search, Weights};
///
/// let mut search = Halving::new(HalvingOrder::Heaviest, Configuration::full(8), &Weights::equal());
/// let tests = drive(&mut search, |candidate| candidate.what.contains(2));
/// assert_eq!(search.current().units().collect::<Vec<_>>(), [2]);
/// assert_eq!(tests, 4); // 4..8 goes; not 2..4, but 0..2; 3 goes; 2 is all there is
/// ```
#[derive(Clone, Debug)]
pub struct Halving {
    /// What it started with: positions are positions in it.
    list: Configuration,
    best: Configuration,
    parts: Arc<[Part]>,
    /// How many parts have been tried or passed over.
    at: usize,
    or_nothing: bool,
}

impl Halving {
    /// Halving of `configuration`, which must be interesting. Only [`HalvingOrder::Heaviest`] looks at the weights. There
    /// is nothing else to be set: a part is cut in two, and tried from the right.
    ///
    /// Like all list minimisers, it never proposes the empty configuration.
    pub fn new(order: HalvingOrder, configuration: Configuration, weights: &Weights) -> Self {
        let weights = weights.of_positions(&configuration);
        let whole = Part { from: 0, to: configuration.len() as Unit };
        let parts = if whole.len() == 0 { vec![] } else { all_parts(order, whole, &weights) };
        let best = configuration.clone();
        Self { list: configuration, best, parts: parts.into(), at: 0, or_nothing: false }
    }

    /// The units one by one, without larger parts.
    #[must_use]
    pub fn one_by_one(self) -> Self {
        let parts = self.parts.iter().copied().filter(|part| part.len() == 1).collect();
        Self { parts, ..self }
    }

    /// The same, but it asks about the empty configuration, too, and before anything else.
    #[must_use]
    pub fn or_nothing(self) -> Self {
        Self { or_nothing: true, ..self }
    }

    /// What is left without the next part. `None` if that part has gone, or is all there is.
    fn attempt(&self) -> Option<Configuration> {
        let part = self.parts[self.at];
        let (from, to) = self.list.interval(part.from as usize, part.to as usize);
        let may_go = self.best.contains(from) && (self.or_nothing || part.len() < self.best.len());
        may_go.then(|| self.best.without(from, to))
    }
}

/// The whole and all halves of halves, in the order in which they are tried. A part always comes before its own.
fn all_parts(order: HalvingOrder, whole: Part, weights: &Weights) -> Vec<Part> {
    let mut parts = Vec::with_capacity(2 * whole.len());
    let mut waiting = VecDeque::from([whole]);
    while let Some(part) = if order == HalvingOrder::Breadth { waiting.pop_front() } else { waiting.pop_back() } {
        parts.push(part);
        if part.len() > 1 {
            let middle = match order {
                HalvingOrder::Heaviest => weights.middle(part.from, part.to),
                HalvingOrder::Depth | HalvingOrder::Breadth => part.from + (part.to - part.from).div_ceil(2),
            };
            let (left, right) = (Part { to: middle, ..part }, Part { from: middle, ..part });
            waiting.extend(if order == HalvingOrder::Breadth { [right, left] } else { [left, right] });
        }
    }
    if order == HalvingOrder::Heaviest {
        parts.sort_unstable_by_key(|part| Reverse((weights.of(part.from, part.to), part.from)));
    }
    parts
}

impl Search for Halving {
    type Proposal = Configuration;

    fn propose(&mut self) -> Option<Batch<Configuration>> {
        while self.at < self.parts.len() {
            if let Some(what) = self.attempt() {
                return Some(vec![Candidate { label: Label::new(format_args!("h{}", self.at)), what }]);
            }
            self.at += 1;
        }
        None
    }

    fn answer(&mut self, interesting: &[usize]) {
        if self.at < self.parts.len() {
            if let Some(what) = self.attempt().filter(|_| !interesting.is_empty()) {
                self.best = what;
            }
            self.at += 1;
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

    fn trace(mut search: Halving, needed: &[Unit]) -> (Vec<Vec<Unit>>, Vec<Unit>) {
        let mut asked = vec![];
        drive(&mut search, |candidate| {
            asked.push(candidate.what.units().collect());
            needed.iter().all(|&unit| candidate.what.contains(unit))
        });
        (asked, search.current().units().collect())
    }

    fn halving(order: HalvingOrder, weights: &[u64]) -> Halving {
        Halving::new(order, Configuration::full(weights.len()), &Weights::new(weights.iter().copied()))
    }

    #[test]
    fn depth_goes_right_first() {
        let (asked, left) = trace(halving(HalvingOrder::Depth, &[1; 4]).or_nothing(), &[3]);
        assert_eq!(asked, [vec![], vec![0, 1], vec![0, 1, 2], vec![0, 1, 3], vec![3]]);
        assert_eq!(left, [3]);
    }

    #[test]
    fn breadth_goes_level_by_level() {
        let (asked, left) = trace(halving(HalvingOrder::Breadth, &[1; 4]).or_nothing(), &[0]);
        assert_eq!(asked, [vec![], vec![0, 1], vec![], vec![0], vec![]]);
        assert_eq!(left, [0]);
        let (asked, _) = trace(halving(HalvingOrder::Breadth, &[1; 4]), &[0]);
        assert_eq!(asked, [vec![0, 1], vec![0]], "without the empty configuration");
    }

    /// Perses: the left half is the larger one, whatever the units weigh.
    #[test]
    fn depth_and_breadth_cut_by_number() {
        for order in [HalvingOrder::Depth, HalvingOrder::Breadth] {
            let (asked, _) = trace(halving(order, &[100, 1, 1, 1, 1]), &[0, 1, 2, 3, 4]);
            assert_eq!(asked[0], [0, 1, 2]);
        }
    }

    #[test]
    fn the_heaviest_goes_first() {
        let (asked, left) = trace(halving(HalvingOrder::Heaviest, &[1, 1, 100, 1]).or_nothing(), &[1]);
        assert_eq!(asked, [vec![], vec![0, 1], vec![], vec![0], vec![1]]);
        assert_eq!(left, [1]);
    }

    #[test]
    fn a_list_with_gaps() {
        let list = Configuration::from_units([2, 5, 7, 9]);
        let search = Halving::new(HalvingOrder::Heaviest, list, &Weights::new([1, 1, 1, 1, 1, 50, 1, 1, 1, 1]));
        let (asked, left) = trace(search, &[5, 9]);
        assert_eq!(asked, [vec![7, 9], vec![2, 7, 9], vec![2, 5], vec![2, 5, 7], vec![2, 5, 9], vec![5, 9]]);
        assert_eq!(left, [5, 9]);
    }

    #[test]
    fn nothing_to_do() {
        assert!(halving(HalvingOrder::Heaviest, &[]).or_nothing().propose().is_none());
        assert!(halving(HalvingOrder::Depth, &[1]).propose().is_none());
        assert_eq!(trace(halving(HalvingOrder::Heaviest, &[0, 0, 0]), &[1]).1, [1], "weightless units are units");
    }
}
