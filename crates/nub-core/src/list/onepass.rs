//! One-pass delta debugging: Gharachorlu and Sumner, *Avoiding the Familiar to Speed Up Test Case Reduction*, QRS 2018.

use crate::{Batch, Candidate, Configuration, Label, ListSettings, Search, list::Partition, list::Sweep};

/// ddmin without revisiting: what could not go is not tried again at the same granularity, whatever goes after it.
///
/// ```text
/// opdd(c, n):  for each Δi of c cut into n:  if c − Δi is interesting, c := c − Δi
///              if each Δi is a single unit, c;  else opdd(c, min(|c|, 2 · number of Δi that are left))
/// ```
///
/// Fewer than 3|c| tests, where ddmin may need |c|². The result is 1-minimal if the test is monotone, because then what
/// could not go from more cannot go from less. Otherwise it is up to the `*`, or to a lucky order: from the last to the
/// first, a use has gone before its definition is tried.
#[derive(Clone, Debug)]
pub struct OnePass {
    settings: ListSettings,
    run: usize,
    round: Round,
}

impl OnePass {
    /// One-pass delta debugging of `configuration`, which must be interesting. It tries complements only, one at a time.
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

/// One sweep over a partition, in which every part gets one chance to go.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    /// As it was at the beginning: the parts stay where they are when others go.
    parts: Partition,
    order: Sweep,
    /// How many parts have had their chance.
    at: usize,
    best: Configuration,
}

impl Round {
    pub(crate) fn new(settings: &ListSettings, run: usize, parts: Partition) -> Self {
        let order = settings.complements.sweep(parts.len(), run);
        let best = parts.configuration().clone();
        Self { parts, order, at: 0, best }
    }

    /// The next part, and what is left without it: never nothing.
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

    /// The parts that could not go.
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
    fn every_part_has_one_chance_at_each_granularity() {
        // 1 and 6 of 8 are needed. Neither half can go; the inner quarters can; then single units.
        let (seen, result) = trace(8, Order::Forward, |c| c.contains(1) && c.contains(6));
        assert_eq!(seen[..2], ["r0_c0", "r0_c1"]);
        assert_eq!(seen[2..6], ["r1_c0", "r1_c1!", "r1_c2!", "r1_c3"]);
        assert_eq!(seen[6..], ["r2_c0!", "r2_c1", "r2_c2", "r2_c3!"]);
        assert_eq!(result, Configuration::from_units([1, 6]));
    }

    #[test]
    fn what_becomes_removable_is_not_revisited() {
        // 0 and 2 are needed, and 1 may go only when 3 has gone. Forward, 1 has had its chance by then.
        let test = |c: &Configuration| c.contains(0) && c.contains(2) && (c.contains(1) || !c.contains(3));
        let (seen, result) = trace(4, Order::Forward, test);
        assert_eq!(seen, ["r0_c0", "r0_c1", "r1_c0", "r1_c1", "r1_c2", "r1_c3!"]);
        assert_eq!(result, Configuration::from_units([0, 1, 2]));
        let (seen, result) = trace(4, Order::Backward, test);
        assert_eq!(seen, ["r0_c1", "r0_c0", "r1_c3!", "r1_c2", "r1_c1!", "r1_c0"]);
        assert_eq!(result, Configuration::from_units([0, 2]));
    }
}
