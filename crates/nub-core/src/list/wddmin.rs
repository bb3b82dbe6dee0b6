//! Weighted ddmin: Zhou, Xu, Zhang, Tian and Sun, *WDD: Weighted Delta Debugging*, ICSE 2025.

use crate::{
    Batch, Candidate, Configuration, Ddmin, Label, ListSettings, Order, Search, SplitFactor, Unit, Weights, list::Sweep,
};
use std::sync::Arc;

/// The Wddmin algorithm: ddmin whose parts are equally heavy, not equally long.
///
/// ```text
/// wddmin(c):  parts := {c}
///             while there are parts:
///                 cut each part in two, where both sides are most nearly equally heavy; single units leave the list
///                 if some part alone is interesting:    c := that part, and it is the only one
///                 while some c − P is interesting:      c := c − P, and P is no longer a part
///             ddmin of c by single units
/// ```
///
/// A heavy unit is soon a part of its own and gets its chance early, and many light ones stay together for long. The
/// result is 1-minimal, because of the last line.
///
/// Where the authors' program goes back to the first part after each success, this one goes on with the next, and
/// around, until no part has gone since its last turn: ddmin's sweep, with the same promise and without the quadratic
/// number of tests. Subsets are tried in the order of [`ListSettings::subsets`], that is, not at all by default, and
/// complements in that of [`ListSettings::complements`].
#[derive(Clone, Debug)]
pub struct Wddmin {
    settings: ListSettings,
    list: Arc<List>,
    best: Configuration,
    parts: Arc<[Part]>,
    /// Which run this is, for the labels.
    run: usize,
    /// By how much the indices of the complements are rotated.
    offset: usize,
    subsets: Sweep,
    complements: Sweep,
    /// How many candidates of this run have been answered.
    tried: usize,
    /// The last line of the figure, once there are no parts left.
    by_units: Option<Box<Ddmin>>,
}

/// What it started with.
#[derive(Debug)]
struct List {
    units: Configuration,
    /// By position in it.
    weights: Weights,
}

/// Positions `from..to` of the list.
#[derive(Clone, Copy, Debug)]
struct Part {
    from: Unit,
    to: Unit,
}

#[derive(Clone, Copy, Debug)]
enum Kept {
    Subset(usize),
    Complement(usize),
}

impl Wddmin {
    /// Wddmin of `configuration`, which must be interesting.
    pub fn new(settings: ListSettings, configuration: Configuration, weights: &Weights) -> Self {
        let weights = weights.of_positions(&configuration);
        let whole = Part { from: 0, to: configuration.len() as Unit };
        let (list, none) = (List { units: configuration.clone(), weights }, Sweep::Forward(0));
        Self {
            settings,
            list: Arc::new(list),
            best: configuration,
            parts: [whole].into(),
            run: 0,
            offset: 0,
            subsets: none.clone(),
            complements: none,
            tried: 0,
            by_units: None,
        }
    }

    /// Cuts all parts in two. False if there is nothing left to cut.
    fn cut(&mut self) -> bool {
        let halves = |part: &Part| {
            let middle = (part.to - part.from > 1).then(|| self.list.weights.middle(part.from, part.to))?;
            Some([Part { to: middle, ..*part }, Part { from: middle, ..*part }])
        };
        self.parts = self.parts.iter().filter_map(halves).flatten().collect();
        // Both halves of a part keep its place in the sweep.
        self.start_run(2 * self.offset, self.settings.subsets);
        !self.parts.is_empty()
    }

    fn start_run(&mut self, offset: usize, subsets: Order) {
        self.run += 1;
        self.offset = offset;
        self.subsets = subsets.sweep(self.parts.len(), 2 * self.run);
        self.complements = self.settings.complements.sweep(self.parts.len(), 2 * self.run + 1);
        self.tried = 0;
    }

    /// The candidate that this run tries as number `i`; none after its last.
    fn kept(&self, i: usize) -> Option<Kept> {
        if i < self.subsets.len() {
            return Some(Kept::Subset(self.subsets.at(i)));
        }
        let i = i - self.subsets.len();
        (i < self.complements.len())
            .then(|| Kept::Complement((self.complements.at(i) + self.offset) % self.parts.len()))
    }

    fn configuration(&self, kept: Kept) -> Configuration {
        let (Kept::Subset(k) | Kept::Complement(k)) = kept;
        let (from, to) = self.list.units.interval(self.parts[k].from as usize, self.parts[k].to as usize);
        match kept {
            Kept::Subset(_) => self.best.within(from, to),
            Kept::Complement(_) => self.best.without(from, to),
        }
    }

    /// The next candidate of this run that is neither nothing nor everything.
    fn next(&mut self) -> Option<Candidate<Configuration>> {
        while let Some(kept) = self.kept(self.tried) {
            let what = self.configuration(kept);
            if !what.is_empty() && what.len() < self.best.len() {
                let label = match kept {
                    Kept::Subset(k) => Label::new(format_args!("r{}_s{k}", self.run)),
                    Kept::Complement(k) => Label::new(format_args!("r{}_c{k}", self.run)),
                };
                return Some(Candidate { label, what });
            }
            self.tried += 1;
        }
        None
    }

    fn ddmin_by_units(&self) -> Ddmin {
        let single = SplitFactor::Infinite;
        let settings = ListSettings { split_factor: single, subsets: Order::Skip, ..self.settings };
        Ddmin::new(settings, self.best.clone())
    }
}

impl Search for Wddmin {
    type Proposal = Configuration;

    fn propose(&mut self) -> Option<Batch<Configuration>> {
        loop {
            if let Some(ddmin) = &mut self.by_units {
                let batch = ddmin.propose()?;
                return Some(batch.into_iter().map(|candidate| candidate.lift("u", |c| c)).collect());
            }
            if let Some(candidate) = self.next() {
                return Some(vec![candidate]);
            }
            if !self.cut() {
                self.by_units = Some(Box::new(self.ddmin_by_units()));
            }
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        if let Some(ddmin) = &mut self.by_units {
            return ddmin.answer(interesting);
        }
        match self.kept(self.tried).filter(|_| !interesting.is_empty()) {
            None => self.tried += 1,
            Some(kept @ Kept::Subset(k)) => {
                self.best = self.configuration(kept);
                self.parts = [self.parts[k]].into();
                self.start_run(0, Order::Skip);
            }
            Some(kept @ Kept::Complement(k)) => {
                self.best = self.configuration(kept);
                self.parts = self.parts.iter().enumerate().filter(|&(i, _)| i != k).map(|(_, &part)| part).collect();
                self.start_run(k, Order::Skip);
            }
        }
    }

    fn current(&self) -> Configuration {
        self.by_units.as_ref().map_or_else(|| self.best.clone(), |ddmin| ddmin.current())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive;

    fn trace(subsets: Order, weights: &[u64], needed: &[Unit]) -> (Vec<(String, Vec<Unit>)>, Vec<Unit>) {
        let settings = ListSettings { subsets, complements: Order::Forward, ..ListSettings::default() };
        let list = Configuration::full(weights.len());
        let mut search = Wddmin::new(settings, list, &Weights::new(weights.iter().copied()));
        let mut asked = vec![];
        drive(&mut search, |candidate| {
            asked.push((candidate.label.to_string(), candidate.what.units().collect()));
            needed.iter().all(|&unit| candidate.what.contains(unit))
        });
        (asked, search.current().units().collect())
    }

    fn labelled(asked: &[(&str, &[Unit])]) -> Vec<(String, Vec<Unit>)> {
        asked.iter().map(|&(label, units)| (label.to_owned(), units.to_vec())).collect()
    }

    /// The idea of the paper: the heavy unit is half of everything, and so it is one of two parts.
    #[test]
    fn a_heavy_unit_is_tried_alone_at_once() {
        let (asked, left) = trace(Order::Skip, &[1, 1, 1, 5, 1, 1], &[0]);
        assert_eq!(
            asked,
            labelled(&[
                ("r1_c0", &[3, 4, 5]), // 0..3 weighs 3, and 3..6 weighs 7
                ("r1_c1", &[0, 1, 2]), // interesting
                ("r3_c0", &[1, 2]),    // 0..1 and 1..3; r2 would leave nothing
                ("r3_c1", &[0]),       // interesting
            ])
        );
        assert_eq!(left, [0]);
    }

    #[test]
    fn parts_are_tried_alone_if_asked_for() {
        let (asked, left) = trace(Order::Forward, &[1, 1, 1, 5, 1, 1], &[4]);
        assert_eq!(
            asked,
            labelled(&[
                ("r1_s0", &[0, 1, 2]),
                ("r1_s1", &[3, 4, 5]), // interesting
                ("r3_s0", &[3]),
                ("r3_s1", &[4, 5]), // interesting
                ("r5_s0", &[4]),    // interesting
            ])
        );
        assert_eq!(left, [4]);
    }

    #[test]
    fn the_sweep_goes_on_after_a_success() {
        // 0 and 7 are needed. The two inner quarters go, one after the other, without going back to the first quarter.
        let (asked, left) = trace(Order::Skip, &[1; 8], &[0, 7]);
        let labels: Vec<&str> = asked.iter().map(|(label, _)| label.as_str()).collect();
        assert_eq!(labels[..6], ["r1_c0", "r1_c1", "r2_c0", "r2_c1", "r3_c1", "r4_c1"]);
        assert_eq!(left, [0, 7]);
    }

    #[test]
    fn nothing_to_do() {
        assert!(trace(Order::Forward, &[], &[]).0.is_empty());
        assert!(trace(Order::Forward, &[1], &[]).0.is_empty());
    }
}
