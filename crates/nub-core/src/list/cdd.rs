//! Counter-based delta debugging: Zhang, Xu, Tian, Cheng and Sun, *Toward a Better Understanding of Probabilistic Delta
//! Debugging*, ICSE 2025.

use crate::{Batch, Candidate, Configuration, Label, ListSettings, Search, list::Partition, list::Round};

/// 1 − 1/e: by how much the size of a part shrinks from round to round.
const SHRINK: f64 = 0.632_120_558_828_557_7;

/// The CDD algorithm: ProbDD without probabilities.
///
/// The authors show that what ProbDD believes of a unit depends on little more than how often it could not go: a
/// counter r. From the prior p0, that is p(r) = p0 / (1 − 1/e)^r, and the part with the largest expected gain s·(1 − p)^s
/// has ⌊1/p⌋ units. So every round has a size, and nothing else is left of the theory:
///
/// ```text
/// cdd(c):  r := 0
///          repeat:  s := ⌊1 / p(r)⌋, at least 1
///                   for each part P of s units of c:  if c − P is interesting, c := c − P
///                   r := r + 1
///          until s = 1
/// ```
///
/// 1/p(r) is 1/p0, multiplied by 1 − 1/e r times: no logarithm, so the sizes are the same on every machine. They are 4,
/// 2, 1 for p0 = 0.25, which is Perses' choice for the short lists of its trees. In a list of 10 000 units, parts of 4
/// are 2500 tests before anything else is tried, so the default here is p0 = 2/n, and the first parts are halves
/// (evaluation/results/lists.md has both).
///
/// At most 4|c| tests for any p0. The result is 1-minimal if the test is monotone. What the paper leaves open: all parts
/// of a round are tried before any of the next, so a part never mixes units of different counters (Perses fills the last
/// part of a round with units of the next).
#[derive(Clone, Debug)]
pub struct Cdd {
    settings: ListSettings,
    /// 1 / p(r).
    size: f64,
    run: usize,
    round: Round,
}

impl Cdd {
    /// CDD of `configuration`, which must be interesting, with p0 = 2/n.
    pub fn new(settings: ListSettings, configuration: Configuration) -> Self {
        let half = configuration.len().div_ceil(2) as f64;
        Self::with_size(settings, configuration, half)
    }

    /// CDD with a prior p0, between 0 and 1, that every unit is needed.
    pub fn with_prior(settings: ListSettings, configuration: Configuration, prior: f64) -> Self {
        Self::with_size(settings, configuration, 1.0 / prior)
    }

    fn with_size(settings: ListSettings, configuration: Configuration, size: f64) -> Self {
        let size = size.min(configuration.len() as f64);
        let parts = Partition::of_size(configuration, units(size));
        let round = Round::new(&settings, 0, parts);
        Self { settings, size, run: 0, round }
    }
}

/// The number of units in a part.
fn units(size: f64) -> usize {
    // A cast rounds down, and makes the best of whatever is no number of units.
    (size as usize).max(1)
}

impl Search for Cdd {
    type Proposal = Configuration;

    fn propose(&mut self) -> Option<Batch<Configuration>> {
        loop {
            if let Some((k, what)) = self.round.propose() {
                let label = Label::new(format_args!("r{}_c{k}", self.run));
                return Some(vec![Candidate { label, what }]);
            }
            if units(self.size) == 1 {
                return None;
            }
            self.size *= SHRINK;
            self.run += 1;
            let parts = Partition::of_size(self.round.current(), units(self.size));
            self.round = Round::new(&self.settings, self.run, parts);
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        self.round.answer(interesting);
    }

    fn current(&self) -> Configuration {
        self.round.current()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Order, drive};

    fn settings() -> ListSettings {
        ListSettings { complements: Order::Forward, ..ListSettings::default() }
    }

    /// How many units each candidate leaves out.
    fn sizes(mut search: Cdd, test: impl Fn(&Configuration) -> bool) -> (Vec<usize>, Configuration) {
        let mut sizes = vec![];
        let mut before = search.current().len();
        drive(&mut search, |candidate| {
            sizes.push(before - candidate.what.len());
            let outcome = test(&candidate.what);
            if outcome {
                before = candidate.what.len();
            }
            outcome
        });
        (sizes, search.current())
    }

    #[test]
    fn the_sizes_of_perses() {
        let (sizes, _) = sizes(Cdd::with_prior(settings(), Configuration::full(8), 0.25), |_| false);
        assert_eq!(sizes, [4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1]);
    }

    /// The paper's p0 = 0.1: 10, 6, 3 (or 4, in one of its roundings), 2, 1.
    #[test]
    fn the_sizes_of_the_paper() {
        let (mut sizes, _) = sizes(Cdd::with_prior(settings(), Configuration::full(30), 0.1), |_| false);
        sizes.dedup();
        assert_eq!(sizes, [10, 6, 3, 2, 1]);
    }

    #[test]
    fn halves_first() {
        let (sizes, result) = sizes(Cdd::new(settings(), Configuration::full(100)), |c| c.contains(99));
        assert_eq!(result, Configuration::from_units([99]));
        // 0..50 goes; of the rest 31; 19 are all there is, 12 of them go; 7 are all, 5 go; 3 and 2 are all; one goes.
        assert_eq!(sizes, [50, 31, 12, 5, 1]);
    }

    #[test]
    fn a_senseless_prior_does_no_harm() {
        for prior in [0.0, 1.0, 7.0, f64::NAN, f64::MIN_POSITIVE] {
            let mut search = Cdd::with_prior(settings(), Configuration::full(9), prior);
            drive(&mut search, |candidate| candidate.what.contains(4));
            assert_eq!(search.current(), Configuration::from_units([4]), "{prior}");
        }
    }
}
