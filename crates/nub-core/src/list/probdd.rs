//! Probabilistic delta debugging: Wang, Shen, Chen, Xiong and Zhang, *Probabilistic Delta Debugging*, ESEC/FSE 2021; and
//! its weighted form, WProbDD: Zhou, Xu, Zhang, Tian and Sun, *WDD: Weighted Delta Debugging*, ICSE 2025.

use crate::{Batch, Candidate, Configuration, Label, ListSettings, Order, Search, Unit, Weights};
use std::{
    cmp::Ordering,
    collections::{BinaryHeap, binary_heap::PeekMut},
    sync::Arc,
};

/// Units that are needed with at least this probability are asked about one by one, after all others.
const NEARLY_CERTAIN: f64 = 0.8;

/// The ProbDD algorithm; with weights, WProbDD.
///
/// Every unit x has a probability p(x) that it is needed. What is tried next is what removes most, on average; and what
/// was refused is more probably needed than it was.
///
/// ```text
/// probdd(c):  p(x) := p0 for all x
///             while p(x) < 1 for some x:
///                 D := the first k of all x with p(x) < 1, the largest (1 − p(x)) · weight(x) first;
///                      k such that the expected gain  weight(D) · ∏ (1 − p(x))  is largest
///                 if c − D is interesting:  c := c − D
///                 else, for x in D:         p(x) := p(x) / (1 − ∏ (1 − p(x)))         (Bayes)
/// ```
///
/// A single unit that was refused has p = 1. So every unit that is left was refused alone, and the result is 1-minimal
/// if the test is monotone. Without weights that takes at most 4|c| tests.
///
/// Three things that the papers do not have. The prior is p0 = 2/n, so that the first parts are halves; the papers' 0.1 (and
/// Perses' 0.25) starts with 10 (4) units, however long the list (evaluation/results/lists.md has both). Units that are
/// nearly certain wait for the end and are then asked about one by one; Perses gives up on them. And no unit has a
/// number of its own: as the authors of [`Cdd`](crate::Cdd) observe, units that were refused together stay equally
/// probable, so the units are kept in *classes* of equal probability. A decision takes time in proportion to |D|, the
/// classes and their runs, not to the list. Without weights there are a few classes; with very different weights there
/// are hundreds in a list of thousands, and a decision takes a millisecond.
///
/// Nothing but +, −, ×, ÷ decides, so that the candidates are the same on every machine.
#[derive(Clone, Debug)]
pub struct ProbDd {
    /// The units by rank: the heaviest first, equal ones in the order of the complements.
    ranked: Arc<[Unit]>,
    /// By rank.
    weights: Weights,
    best: Configuration,
    /// What is not certain yet, by ascending probability.
    classes: Arc<Vec<Class>>,
    /// What is tried now. Shared, because a search is cloned for every candidate.
    chosen: Option<Arc<Chosen>>,
    tried: usize,
}

/// The ranks of units that are equally probably needed.
#[derive(Clone, Debug)]
struct Class {
    p: f64,
    ranks: Configuration,
}

/// D.
#[derive(Debug)]
struct Chosen {
    /// How many of each class, always its first.
    taken: Vec<usize>,
    len: usize,
    /// What is left without them.
    rest: Configuration,
}

impl ProbDd {
    /// ProbDD of `configuration`, which must be interesting; WProbDD, if the weights are not equal.
    ///
    /// Of the orders, it knows forward and backward; all others are forward.
    pub fn new(settings: ListSettings, configuration: Configuration, weights: &Weights) -> Self {
        let prior = 2.0 / configuration.len().max(4) as f64;
        Self::with_prior(settings, configuration, weights, prior)
    }

    /// The same, with another p0, between 0 and 1.
    pub fn with_prior(settings: ListSettings, configuration: Configuration, weights: &Weights, prior: f64) -> Self {
        let mut ranked: Vec<Unit> = configuration.units().collect();
        if settings.complements == Order::Backward {
            ranked.reverse();
        }
        ranked.sort_by_key(|&unit| std::cmp::Reverse(weights.of(unit, unit + 1)));
        let by_rank = weights.by(&ranked);
        let p = if prior.is_nan() { 0.5 } else { prior.clamp(f64::EPSILON, 0.5) };
        let class = Class { p, ranks: Configuration::full(ranked.len()) };
        let classes = if configuration.is_empty() { vec![] } else { vec![class] };
        Self {
            ranked: ranked.into(),
            weights: by_rank,
            best: configuration,
            classes: Arc::new(classes),
            chosen: None,
            tried: 0,
        }
    }

    /// The units that are removed next; `None` if every unit is certain.
    fn choose(&self) -> Option<Chosen> {
        let first = self.classes.first()?;
        let mut taken = vec![0; self.classes.len()];
        if first.p >= NEARLY_CERTAIN {
            taken[0] = 1;
        } else {
            for class in self.most_gain() {
                taken[class] += 1;
            }
        }
        let ranks = self.classes.iter().zip(&taken).flat_map(|(class, &n)| class.ranks.units().take(n));
        let mut units: Vec<Unit> = ranks.map(|rank| self.ranked[rank as usize]).collect();
        units.sort_unstable();
        let len = units.len();
        Some(Chosen { taken, len, rest: self.best.minus(&Configuration::from_units(units)) })
    }

    /// The classes of the units of D, in the order in which they are taken.
    fn most_gain(&self) -> Vec<usize> {
        let open = self.classes.iter().take_while(|class| class.p < NEARLY_CERTAIN);
        let mut rest: Vec<_> = open.map(|class| class.ranks.units()).collect();
        let mut next = |class: usize| {
            let (rank, p) = (rest.get_mut(class)?.next()?, self.classes[class].p);
            let weight = self.weights.of(rank, rank + 1) as f64;
            Some(Next { score: (1.0 - p) * weight, p, rank, weight, class })
        };
        let mut heap: BinaryHeap<Next> = (0..self.classes.len()).map_while(&mut next).collect();
        let everything: u64 = self.classes.iter().map(|class| self.weights.of_all(&class.ranks)).sum();
        let (mut weight, mut product, mut most, mut best) = (0.0, 1.0, 0.0, 0);
        let mut order = vec![];
        while let Some(mut top) = heap.peek_mut() {
            order.push(top.class);
            weight += top.weight;
            product *= 1.0 - top.p;
            // The same class goes on at the top, most of the time.
            match next(top.class) {
                Some(next) => *top = next,
                None => drop(PeekMut::pop(top)),
            }
            if weight * product >= most {
                (most, best) = (weight * product, order.len());
            } else if self.weights.are_equal() || everything as f64 * product < most {
                // Whatever comes now, it is less. (Among equal weights the gain rises once and falls once.)
                break;
            }
        }
        order.truncate(best);
        order
    }

    /// Takes D out of its classes. If it was refused, it goes into others; a single unit is certain.
    fn decide(&mut self, chosen: &Chosen, interesting: bool) {
        let mut refused = vec![];
        let mut classes = vec![];
        let mut none_needed = 1.0;
        for (class, &taken) in self.classes.iter().zip(&chosen.taken) {
            // Most classes are not touched, and cost nothing.
            let (gone, ranks) = class.ranks.split_at(taken);
            none_needed *= power(1.0 - class.p, taken);
            refused.push(Class { p: class.p, ranks: gone });
            classes.push(Class { p: class.p, ranks });
        }
        if !interesting && chosen.len > 1 {
            let p = |class: &Class| (class.p / (1.0 - none_needed)).min(1.0);
            classes.extend(refused.into_iter().map(|class| Class { p: p(&class), ..class }));
        }
        classes.retain(|class| !class.ranks.is_empty());
        classes.sort_by(|a, b| a.p.total_cmp(&b.p));
        classes.dedup_by(|next, class| {
            let same = next.p == class.p;
            if same {
                class.ranks = class.ranks.union(&next.ranks);
            }
            same
        });
        self.classes = Arc::new(classes);
    }
}

/// The next unit of a class. The greatest is the one to take.
struct Next {
    score: f64,
    p: f64,
    rank: Unit,
    weight: f64,
    class: usize,
}

impl Ord for Next {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = self.score.total_cmp(&other.score);
        by_score.then(other.p.total_cmp(&self.p)).then(other.rank.cmp(&self.rank))
    }
}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Next {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Next {}

/// `base` to the power of `exponent`: unlike `powi`, the same on every machine.
fn power(mut base: f64, mut exponent: usize) -> f64 {
    let mut result = 1.0;
    while exponent > 0 {
        if exponent % 2 == 1 {
            result *= base;
        }
        base *= base;
        exponent /= 2;
    }
    result
}

impl Search for ProbDd {
    type Proposal = Configuration;

    fn propose(&mut self) -> Option<Batch<Configuration>> {
        loop {
            let chosen = match &self.chosen {
                Some(chosen) => Arc::clone(chosen),
                None => Arc::new(self.choose()?),
            };
            if !chosen.rest.is_empty() {
                let label = Label::new(format_args!("d{}", self.tried));
                let what = chosen.rest.clone();
                self.chosen = Some(chosen);
                return Some(vec![Candidate { label, what }]);
            }
            // Nothing is left without them: no question for a list minimiser, and as good as refused.
            self.decide(&chosen, false);
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        let Some(chosen) = self.chosen.take() else { return };
        self.decide(&chosen, !interesting.is_empty());
        if !interesting.is_empty() {
            self.best = chosen.rest.clone();
        }
        self.tried += 1;
    }

    fn current(&self) -> Configuration {
        self.best.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive;

    /// What each candidate leaves out, and whether that was interesting.
    type Removed = Vec<(Vec<Unit>, bool)>;

    fn trace(prior: f64, weights: &[u64], needed: &[Unit]) -> (Removed, Vec<Unit>) {
        let settings = ListSettings { complements: Order::Forward, ..ListSettings::default() };
        let (list, weights) = (Configuration::full(weights.len()), Weights::new(weights.iter().copied()));
        let mut search = ProbDd::with_prior(settings, list, &weights, prior);
        let (mut removed, mut best) = (vec![], search.current());
        drive(&mut search, |candidate| {
            let interesting = needed.iter().all(|&unit| candidate.what.contains(unit));
            removed.push((best.minus(&candidate.what).units().collect(), interesting));
            if interesting {
                best = candidate.what.clone();
            }
            interesting
        });
        (removed, search.current().units().collect())
    }

    /// By hand, with p0 = 0.25 and 2 of eight units needed. 3 · 0.75³ = 4 · 0.75⁴, so the first parts have 4 units. The
    /// one that is refused has p = 0.25 / (1 − 0.75⁴) ≈ 0.366 from then on, which makes 2 the best size; and then 0.366
    /// / (1 − 0.634²) ≈ 0.61, and single units.
    #[test]
    fn worked_by_hand() {
        let (removed, left) = trace(0.25, &[1; 8], &[2]);
        let expected = [
            (vec![0, 1, 2, 3], false),
            (vec![4, 5, 6, 7], true),
            (vec![0, 1], true),
            // Together they would be nothing, so they are as good as refused, and single ones now.
            (vec![2], false),
            (vec![3], true),
        ];
        assert_eq!(removed, expected);
        assert_eq!(left, [2]);
    }

    /// After a refusal the others come first, since they are less probably needed; and of these, more at once than of
    /// those.
    #[test]
    fn what_was_refused_waits() {
        let (removed, left) = trace(0.1, &[1; 20], &[3, 15]);
        assert_eq!(removed[0].0, (0..10).collect::<Vec<_>>(), "9 · 0.9⁹ = 10 · 0.9¹⁰");
        assert_eq!(removed[1].0, (10..20).collect::<Vec<_>>());
        // p = 0.1 / (1 − 0.9¹⁰) ≈ 0.154: six at once.
        assert_eq!(removed[2].0, (0..6).collect::<Vec<_>>());
        assert_eq!(left, [3, 15]);
    }

    /// The gain of the heavy unit alone is 0.75 · 12 = 9; with one more, 0.75² · 13 ≈ 7.3.
    #[test]
    fn a_heavy_unit_goes_alone() {
        let (removed, left) = trace(0.25, &[1, 1, 12, 1, 1, 1], &[4]);
        assert_eq!(removed[0], (vec![2], true));
        assert_eq!(removed[1].0, [0, 1, 3, 4], "four light ones together, as without weights");
        assert_eq!(left, [4]);
    }

    #[test]
    fn halves_first() {
        let settings = ListSettings { complements: Order::Forward, ..ListSettings::default() };
        let mut search = ProbDd::new(settings, Configuration::full(1000), &Weights::equal());
        assert_eq!(search.propose().unwrap()[0].what, Configuration::full(1000).without(0, 500));
        let backward = ListSettings::default();
        let mut search = ProbDd::new(backward, Configuration::full(1000), &Weights::equal());
        assert_eq!(search.propose().unwrap()[0].what, Configuration::full(500));
    }

    #[test]
    fn nothing_to_do() {
        assert!(trace(0.1, &[], &[]).0.is_empty());
        assert!(trace(0.1, &[1], &[]).0.is_empty());
        for prior in [0.0, 1.0, -3.0, f64::NAN] {
            assert_eq!(trace(prior, &[1; 7], &[5]).1, [5], "a senseless prior does no harm: {prior}");
        }
    }

    #[test]
    fn powers() {
        assert_eq!([power(0.5, 0), power(0.5, 1), power(0.5, 10)], [1.0, 0.5, 1.0 / 1024.0]);
    }
}
