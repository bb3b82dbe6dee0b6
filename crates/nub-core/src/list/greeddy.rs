//! GreeDDy: Vince, *Enhancements of Automated Test Case Reduction*, chapter 6: keep all the successes of a window.

use crate::{Batch, Candidate, Configuration, Ddmin, ListSettings, Order, Search};

/// The GreeDDy algorithm: ddmin that does not throw away what several candidates of a window found at once.
///
/// In a window of w complements let F be the interesting ones. If there are several, their combination ⋂F, from which
/// everything is removed that any of them removed, is tried; if it is interesting, the search goes on with it. If not,
/// the others are combined one by one, in order, with the first of F, and each combination that stays interesting is
/// kept. With |F| ≤ 1 it is ddmin.
///
/// What the thesis leaves open: complements only; windows are consecutive blocks of w candidates inside one run; after
/// a combination the next run goes on from the first of F *in order*, as ddmin would have done from it. So what was
/// refused between two members of F gets its next chance at once, and in a backward sweep that is often the definition
/// whose use has just gone.
#[derive(Clone, Debug)]
pub struct Greeddy {
    ddmin: Ddmin,
    combining: Option<Combining>,
}

impl Greeddy {
    /// GreeDDy of `configuration`, which must be interesting. A window of 1 is ddmin.
    pub fn new(settings: ListSettings, configuration: Configuration) -> Self {
        let settings = ListSettings { subsets: Order::Skip, ..settings };
        Self { ddmin: Ddmin::new(settings, configuration), combining: None }
    }

    /// Goes on with what was combined, once there is nothing left to combine it with.
    fn finish_combining(&mut self) {
        let n = self.ddmin.parts().len();
        if let Some(done) = self.combining.take_if(|combining| combining.attempt(n).is_none()) {
            self.ddmin.reduce_to_complement(&done.gone, done.first);
        }
    }
}

impl Search for Greeddy {
    type Proposal = Configuration;

    fn propose(&mut self) -> Option<Batch<Configuration>> {
        let parts = self.ddmin.parts();
        let Some(gone) = self.combining.as_mut().and_then(|combining| combining.attempt(parts.len())) else {
            return self.ddmin.propose();
        };
        let names: Vec<String> = gone.iter().map(usize::to_string).collect();
        let label = self.ddmin.label(format_args!("c{}", names.join("+")));
        Some(vec![Candidate { label, what: parts.complement(&gone) }])
    }

    fn answer(&mut self, interesting: &[usize]) {
        match &mut self.combining {
            Some(combining) => combining.answer(!interesting.is_empty()),
            None if interesting.len() < 2 => return self.ddmin.answer(interesting),
            None => {
                let found = interesting.iter().filter_map(|&position| self.ddmin.left_out(position));
                self.combining = Some(Combining::new(found.collect()));
            }
        }
        self.finish_combining();
    }

    fn current(&self) -> Configuration {
        match &self.combining {
            Some(combining) => self.ddmin.parts().complement(&combining.gone),
            None => self.ddmin.current(),
        }
    }
}

/// The search for a large combination of F, each member of which is named by the part that it leaves out.
#[derive(Clone, Debug)]
struct Combining {
    /// The first of F in the order of the run.
    first: usize,
    /// What a combination that is known to be interesting leaves out, ascending.
    gone: Vec<usize>,
    /// What is still to be combined with it, the next one last.
    waiting: Vec<usize>,
    /// Whether the combination of everything is still to be tried.
    at_once: bool,
}

impl Combining {
    /// Of at least one, in the order of the run.
    fn new(mut found: Vec<usize>) -> Self {
        let first = found.remove(0);
        found.reverse();
        Self { first, gone: vec![first], waiting: found, at_once: true }
    }

    /// How many of those that wait are combined next.
    fn next(&self) -> usize {
        if self.at_once { self.waiting.len() } else { 1 }
    }

    /// What the next combination leaves out of `n` parts. Never all of them: ddmin does not try the empty configuration.
    fn attempt(&mut self, n: usize) -> Option<Vec<usize>> {
        while !self.waiting.is_empty() {
            let gone = self.with_next();
            if gone.len() < n {
                return Some(gone);
            }
            self.answer(false);
        }
        None
    }

    fn with_next(&self) -> Vec<usize> {
        let next = &self.waiting[self.waiting.len() - self.next()..];
        let mut gone = [&self.gone, next].concat();
        gone.sort_unstable();
        gone
    }

    fn answer(&mut self, interesting: bool) {
        if interesting {
            self.gone = self.with_next();
        }
        // Everything at once was refused: each of them gets its own chance. With only one that waits, it had it.
        let keep_waiting = self.at_once && !interesting && self.waiting.len() > 1;
        if !keep_waiting {
            self.waiting.truncate(self.waiting.len() - self.next());
        }
        self.at_once = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SplitFactor, drive};

    fn greeddy(n: usize, window: usize) -> Greeddy {
        let settings = ListSettings { complements: Order::Forward, window, ..ListSettings::default() };
        Greeddy::new(settings, Configuration::full(n))
    }

    /// The labels and contents of everything that is tried.
    fn trace(mut search: Greeddy, is_interesting: impl Fn(&Configuration) -> bool) -> (Vec<String>, Configuration) {
        let mut seen = vec![];
        drive(&mut search, |candidate| {
            let outcome = is_interesting(&candidate.what);
            seen.push(format!("{}{}", candidate.label, if outcome { "!" } else { "" }));
            outcome
        });
        (seen, search.current())
    }

    #[test]
    fn a_window_of_successes_is_taken_at_once() {
        // Units 0..8, only 7 is needed. The run with n = 2 finds c0 only; then n = 2 on 4..8 likewise, and so on.
        let (seen, result) = trace(greeddy(8, 4), |c| c.contains(7));
        assert_eq!(result, Configuration::from_units([7]));
        assert_eq!(seen, ["r0_c0!", "r0_c1", "r1_c0!", "r1_c1", "r2_c0!", "r2_c1"]);

        // 0 and 7 are needed: with n = 4 both inner quarters can go, at once.
        let (seen, result) = trace(greeddy(8, 4), |c| c.contains(0) && c.contains(7));
        assert_eq!(result, Configuration::from_units([0, 7]));
        assert_eq!(seen[2..7], ["r1_c0", "r1_c1!", "r1_c2!", "r1_c3", "r1_c1+2!"]);
    }

    #[test]
    fn what_cannot_go_together_is_combined_one_by_one() {
        // Any one of the four may go, and 0 together with 2, but no other pair.
        let settings = ListSettings {
            complements: Order::Forward,
            split_factor: SplitFactor::Infinite,
            window: 4,
            ..ListSettings::default()
        };
        let search = Greeddy::new(settings, Configuration::full(4));
        let (seen, result) = trace(search, |c| c.len() == 3 || *c == Configuration::from_units([1, 3]));
        assert_eq!(seen[..4], ["r0_c0!", "r0_c1!", "r0_c2!", "r0_c3!"]);
        assert_eq!(seen[4..7], ["r0_c0+1", "r0_c0+2!", "r0_c0+2+3"], "all four at once would leave nothing");
        assert_eq!(result, Configuration::from_units([1, 3]));
    }

    #[test]
    fn the_sweep_goes_on_from_the_first_that_was_found() {
        // Backward, single units. 4 and 6 may go at once; 5 may go only when 6 is gone, and is tried right after that.
        let settings = ListSettings { split_factor: SplitFactor::Infinite, window: 4, ..ListSettings::default() };
        let needed = |c: &Configuration| [0, 1, 2, 3, 7].iter().all(|&unit| c.contains(unit));
        let search = Greeddy::new(settings, Configuration::full(8));
        let (seen, result) = trace(search, |c| needed(c) && (c.contains(5) || !c.contains(6)));
        assert_eq!(seen[..5], ["r0_c7", "r0_c6!", "r0_c5", "r0_c4!", "r0_c4+6!"]);
        assert_eq!(seen[5..9], ["r1_c4!", "r1_c3", "r1_c2", "r1_c1"], "5 is now the part with number 4");
        assert_eq!(result, Configuration::from_units([0, 1, 2, 3, 7]));
    }

    #[test]
    fn the_empty_configuration_is_never_tried() {
        let (seen, result) = trace(greeddy(2, 4), |_| true);
        assert_eq!(result.len(), 1);
        assert_eq!(seen, ["r0_c0!", "r0_c1!"], "both halves may go, but not together");
    }
}
