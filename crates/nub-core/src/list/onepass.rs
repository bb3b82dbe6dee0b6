//! One-pass delta debugging: Gharachorlu and Sumner, *Avoiding the Familiar to Speed Up Test Case Reduction*, QRS 2018.

use crate::{Batch, Candidate, Configuration, Label, ListSettings, Search, list::Partition, list::Sweep};

/// ddmin without revisiting: a part that could not be removed is not tried again at the same granularity, whatever is
/// removed after it.
///
/// ```text
/// opdd(c, n):  for each Δi of c cut into n:  if c − Δi is interesting, c := c − Δi
///              if each Δi is a single unit, c;  else opdd(c, min(|c|, 2 · number of Δi that are left))
/// ```
///
/// It takes fewer than 3|c| tests, where ddmin may need |c|². The result is 1-minimal if the test is monotone, because
/// then a part that could not be removed from a larger configuration cannot be removed from a smaller one. Otherwise
/// 1-minimality takes the `*`, or a lucky order: from last to first, a use is removed before its definition is tried.
#[derive(Clone, Debug)]
pub struct OnePass {
    settings: ListSettings,
    run: usize,
    round: Round,
}

impl OnePass {
    /// One-pass delta debugging of `configuration`, which must be interesting. It tries complements only, one at a
    /// time.
    pub fn new(settings: ListSettings, configuration: Configuration) -> Self {
        let parts = Partition::whole(configuration).split(settings.split, settings.split_factor);
        let round = Round::new(&settings, 0, parts);
        Self { settings, run: 0, round }
    }
}

impl Search for OnePass {
    type Proposal = Configuration;

    fn propose(&mut self) -> Option<Batch<Configuration>> {
        loop {
            if let Some((k, what)) = self.round.propose() {
                let label = Label::new(format_args!("r{}_c{k}", self.run));
                return Some(vec![Candidate { label, what }]);
            }
            if self.round.is_of_single_units() {
                return None;
            }
            let finer = self.round.left().split(self.settings.split, self.settings.split_factor);
            self.run += 1;
            self.round = Round::new(&self.settings, self.run, finer);
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        self.round.answer(interesting);
    }

    fn current(&self) -> Configuration {
        self.round.current()
    }
}

/// One sweep over a partition, in which the removal of every part is tried once.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    /// The original partition: parts keep their positions when others are removed.
    parts: Partition,
    order: Sweep,
    /// The number of parts tried.
    at: usize,
    best: Configuration,
}

impl Round {
    pub(crate) fn new(settings: &ListSettings, run: usize, parts: Partition) -> Self {
        let order = settings.complements.sweep(parts.len(), run);
        let best = parts.configuration().clone();
        Self { parts, order, at: 0, best }
    }

    /// The next part, and the configuration without it, which is never empty.
    pub(crate) fn propose(&mut self) -> Option<(usize, Configuration)> {
        while self.at < self.order.len() {
            let (k, what) = self.attempt();
            if !what.is_empty() {
                return Some((k, what));
            }
            self.at += 1;
        }
        None
    }

    fn attempt(&self) -> (usize, Configuration) {
        let k = self.order.at(self.at);
        (k, self.parts.without_part(&self.best, k))
    }

    pub(crate) fn answer(&mut self, interesting: &[usize]) {
        if self.at < self.order.len() {
            if !interesting.is_empty() {
                self.best = self.attempt().1;
            }
            self.at += 1;
        }
    }

    pub(crate) fn current(&self) -> Configuration {
        self.best.clone()
    }

    pub(crate) fn is_of_single_units(&self) -> bool {
        self.parts.len() >= self.parts.configuration().len()
    }

    /// The parts that could not be removed.
    pub(crate) fn left(&self) -> Partition {
        self.parts.of(self.best.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Order, drive};

    fn trace(n: usize, complements: Order, test: impl Fn(&Configuration) -> bool) -> (Vec<String>, Configuration) {
        let settings = ListSettings { complements, ..ListSettings::default() };
        let mut search = OnePass::new(settings, Configuration::full(n));
        let mut seen = vec![];
        drive(&mut search, |candidate| {
            let outcome = test(&candidate.what);
            seen.push(format!("{}{}", candidate.label, if outcome { "!" } else { "" }));
            outcome
        });
        (seen, search.current())
    }

    #[test]
    fn every_part_is_tried_once_at_each_granularity() {
        // 1 and 6 of 8 are needed. Neither half can be removed; the inner quarters can; then single units.
        let (seen, result) = trace(8, Order::Forward, |c| c.contains(1) && c.contains(6));
        assert_eq!(seen[..2], ["r0_c0", "r0_c1"]);
        assert_eq!(seen[2..6], ["r1_c0", "r1_c1!", "r1_c2!", "r1_c3"]);
        assert_eq!(seen[6..], ["r2_c0!", "r2_c1", "r2_c2", "r2_c3!"]);
        assert_eq!(result, Configuration::from_units([1, 6]));
    }

    #[test]
    fn parts_that_become_removable_are_not_revisited() {
        // 0 and 2 are needed, and 1 can be removed only after 3. Going forward, 1 has already been tried by then.
        let test = |c: &Configuration| c.contains(0) && c.contains(2) && (c.contains(1) || !c.contains(3));
        let (seen, result) = trace(4, Order::Forward, test);
        assert_eq!(seen, ["r0_c0", "r0_c1", "r1_c0", "r1_c1", "r1_c2", "r1_c3!"]);
        assert_eq!(result, Configuration::from_units([0, 1, 2]));
        let (seen, result) = trace(4, Order::Backward, test);
        assert_eq!(seen, ["r0_c1", "r0_c0", "r1_c3!", "r1_c2", "r1_c1!", "r1_c0"]);
        assert_eq!(result, Configuration::from_units([0, 2]));
    }
}
