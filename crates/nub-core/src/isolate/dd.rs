//! dd: Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, TSE 28(2), 2002, Figure 8.

use crate::{
    Batch, Candidate, Configuration, Label, Outcome, Search,
    list::{Partition, Split, SplitFactor},
};

/// The dd algorithm: from two sets of changes, one that passes and one that fails, to two that hardly differ.
///
/// With Δ = c✗ − c✓, cut into Δ1 … Δn:
///
/// ```text
/// dd2(c✓, c✗, n) = dd2(c✓, c✓ ∪ Δi, 2)               if some c✓ ∪ Δi fails             (reduce to subset)
///                  dd2(c✗ − Δi, c✗, 2)               else if some c✗ − Δi passes       (increase to complement)
///                  dd2(c✓ ∪ Δi, c✗, max(n − 1, 2))   else if some c✓ ∪ Δi passes       (increase to subset)
///                  dd2(c✓, c✗ − Δi, max(n − 1, 2))   else if some c✗ − Δi fails        (reduce to complement)
///                  dd2(c✓, c✗, min(|Δ|, 2n))         else if n < |Δ|                   (increase granularity)
///                  (c✓, c✗)                          otherwise
/// ```
///
/// The difference in the end is *1-minimal*: with any single change more, c✓ neither passes nor fails, and neither does c✗
/// with any single one less. If every candidate either passes or fails, it is a single change, found in log2 |Δ| tests; in
/// the worst case, when hardly anything has a outcome, it takes |Δ|² + 3|Δ|.
///
/// The figure leaves open in which order the candidates are tested. Here it is c✓ ∪ Δ1, c✗ − Δ1, c✓ ∪ Δ2, …, and the first
/// outcome that any case can use is used, as in Zeller's own program: to look for a better case first would take 2n tests
/// where a pass or failure is at hand, a thousand times over if there are a thousand harmless changes. After the third and
/// fourth case the next run goes on where this one was. With n = 2 the two kinds of candidates are the same, and so each is
/// tested once.
///
/// ```
/// use nub_core::{Configuration, Dd, Search, Outcome};
///
/// // Eight changes, of which the fourth and the sixth make the failure together.
/// let mut search = Dd::new(Configuration::full(8));
/// let mut tests = 0;
/// while let Some(batch) = search.propose() {
///     let fails = [3, 5].iter().all(|&change| batch[0].what.contains(change));
///     search.judge(&[if fails { Outcome::Interesting } else { Outcome::Uninteresting }]);
///     tests += 1;
/// }
/// assert_eq!(search.difference().units().collect::<Vec<_>>(), [5]);
/// assert!(search.passing().contains(3));
/// assert_eq!(tests, 3);
/// ```
#[derive(Clone, Debug)]
pub struct Dd {
    /// c✓.
    passing: Configuration,
    /// Δ and its Δi; n is their number. c✗ is c✓ ∪ Δ.
    parts: Partition,
    /// Which run this is, for the labels.
    run: usize,
    /// Which part this run begins with.
    offset: usize,
    /// How many candidates of this run have been answered.
    tried: usize,
}

/// A candidate, by what of the difference it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mixed {
    /// c✓ ∪ Δi.
    Subset(usize),
    /// c✗ − Δi.
    Complement(usize),
}

impl Dd {
    /// dd of these changes, all of which together must fail, and none of which must pass.
    pub fn new(changes: Configuration) -> Self {
        let (passing, parts) = (Configuration::full(0), Partition::whole(changes));
        let mut this = Self { passing, parts, run: 0, offset: 0, tried: 0 };
        this.start_run();
        this
    }

    /// c✓: the changes with which it passes.
    pub fn passing(&self) -> &Configuration {
        &self.passing
    }

    /// c✗: the changes with which it fails.
    pub fn failing(&self) -> Configuration {
        self.with(self.difference())
    }

    /// Δ: the changes that make the difference.
    pub fn difference(&self) -> &Configuration {
        self.parts.configuration()
    }

    fn with(&self, changes: &Configuration) -> Configuration {
        self.passing.union(changes)
    }

    /// Starts the sweep of a new run, over at least two parts if there are two changes.
    fn start_run(&mut self) {
        if self.parts.len() < 2 {
            self.parts = self.split();
        }
        self.tried = 0;
    }

    fn split(&self) -> Partition {
        self.parts.split(Split::Zeller, SplitFactor::By(2))
    }

    /// Goes on with another difference, from the part at `offset`; from the beginning, if only one part is left.
    fn go_on(&mut self, parts: Partition, offset: usize) {
        self.offset = if parts.len() < 2 { 0 } else { offset };
        self.parts = parts;
        self.run += 1;
        self.start_run();
    }

    /// False if every part is a single change already.
    fn increase_granularity(&mut self) -> bool {
        if self.parts.len() >= self.difference().len() {
            return false;
        }
        let finer = self.split();
        let offset = self.offset * finer.len() / self.parts.len();
        self.go_on(finer, offset);
        true
    }

    /// The candidate that this run tries as number `i`; none after its last.
    fn mixed(&self, i: usize) -> Option<Mixed> {
        let part = |i| (i + self.offset) % self.parts.len();
        match self.parts.len() {
            // Nothing lies between c✓ and c✗.
            0 | 1 => None,
            2 => (i < 2).then(|| Mixed::Subset(part(i))),
            n => (i < 2 * n).then(|| match i % 2 {
                0 => Mixed::Subset(part(i / 2)),
                _ => Mixed::Complement(part(i / 2)),
            }),
        }
    }

    fn candidate(&self, mixed: Mixed) -> Candidate<Configuration> {
        let (letter, k, changes) = match mixed {
            Mixed::Subset(k) => ('s', k, self.parts.subset(k)),
            Mixed::Complement(k) => ('c', k, self.parts.complement(&[k])),
        };
        Candidate { label: Label::new(format_args!("r{}_{letter}{k}", self.run)), what: self.with(&changes) }
    }
}

impl Search for Dd {
    type Proposal = Configuration;

    fn propose(&mut self) -> Option<Batch<Configuration>> {
        loop {
            match self.mixed(self.tried) {
                Some(mixed) => return Some(vec![self.candidate(mixed)]),
                None if self.increase_granularity() => {}
                None => return None,
            }
        }
    }

    /// For who cannot tell what passes from what is unresolved: nothing passes.
    fn answer(&mut self, interesting: &[usize]) {
        self.judge(&[if interesting.is_empty() { Outcome::SKIPPED } else { Outcome::Interesting }]);
    }

    fn judge(&mut self, outcomes: &[Outcome]) {
        let Some(mixed) = self.mixed(self.tried) else { return };
        match (mixed, outcomes.first()) {
            // Reduce to subset.
            (Mixed::Subset(k), Some(Outcome::Interesting)) => self.go_on(Partition::whole(self.parts.subset(k)), 0),
            // Increase to complement.
            (Mixed::Complement(k), Some(Outcome::Uninteresting)) => {
                self.passing = self.with(&self.parts.complement(&[k]));
                self.go_on(Partition::whole(self.parts.subset(k)), 0);
            }
            // Increase to subset; or, with two parts, to the complement of the other.
            (Mixed::Subset(k), Some(Outcome::Uninteresting)) => {
                self.passing = self.with(&self.parts.subset(k));
                self.go_on(self.parts.without(&[k]), k);
            }
            // Reduce to complement.
            (Mixed::Complement(k), Some(Outcome::Interesting)) => self.go_on(self.parts.without(&[k]), k),
            (_, Some(Outcome::Unresolved(_)) | None) => self.tried += 1,
        }
    }

    fn heeds(outcome: Outcome) -> bool {
        !outcome.is_unresolved()
    }

    fn current(&self) -> Configuration {
        self.failing()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{Interesting, Uninteresting};

    /// Drives dd; what it asked for, each with its outcome: `r0_s1 45 ✗`.
    fn trace(n: usize, test: impl Fn(&Configuration) -> Outcome) -> (Vec<String>, Dd) {
        let mut search = Dd::new(Configuration::full(n));
        let mut asked = vec![];
        while let Some(batch) = search.propose() {
            let outcome = test(&batch[0].what);
            let sign = match outcome {
                Interesting => '✗',
                Uninteresting => '✓',
                Outcome::Unresolved(_) => '?',
            };
            asked.push(format!("{} {} {sign}", batch[0].label, text(&batch[0].what)));
            search.judge(&[outcome]);
        }
        (asked, search)
    }

    /// Changes as they are numbered in the paper, from 1.
    fn text(configuration: &Configuration) -> String {
        configuration.units().map(|unit| (unit + 1).to_string()).collect()
    }

    fn sides(search: &Dd) -> (String, String) {
        (text(search.passing()), text(&search.failing()))
    }

    #[test]
    fn a_single_change_is_found_by_halving() {
        let (asked, search) = trace(8, |c| if c.contains(6) { Interesting } else { Uninteresting });
        // 7 fails: it is neither in the first half nor in the first half of the second, but in the first of the rest.
        assert_eq!(asked, ["r0_s0 1234 ✓", "r1_s0 123456 ✓", "r2_s0 1234567 ✗"]);
        assert_eq!(sides(&search), ("123456".to_owned(), "1234567".to_owned()));
    }

    #[test]
    fn what_has_no_outcome_is_cut_finer() {
        // 2 fails; nothing else may be there without 3, which is the case of a declaration and its use.
        let (asked, search) = trace(4, |c| match (c.contains(1), c.contains(2)) {
            (true, true) => Interesting,
            (true, false) => Outcome::SKIPPED,
            _ => Uninteresting,
        });
        // 12 has no outcome; 34 passes, and so only 1 and 2 are left; 134 passes, too.
        assert_eq!(asked, ["r0_s0 12 ?", "r0_s1 34 ✓", "r1_s0 134 ✓"]);
        assert_eq!(sides(&search), ("134".to_owned(), "1234".to_owned()));
    }

    #[test]
    fn every_case_of_the_figure() {
        // All eight fail, none passes, and this is all that anything is known of.
        let known = [
            ("3", Uninteresting),     // increase to subset
            ("1235678", Interesting), // reduce to complement: 4 goes
            ("36", Interesting),      // reduce to subset
        ];
        let (asked, search) = trace(8, |c| {
            known.iter().find(|(set, _)| *set == text(c)).map_or(Outcome::SKIPPED, |&(_, outcome)| outcome)
        });
        assert_eq!(sides(&search), ("3".to_owned(), "36".to_owned()));
        assert_eq!(asked[..2], ["r0_s0 1234 ?", "r0_s1 5678 ?"]);
        assert_eq!(
            asked[2..10],
            [
                "r1_s0 12 ?",
                "r1_c0 345678 ?",
                "r1_s1 34 ?",
                "r1_c1 125678 ?",
                "r1_s2 56 ?",
                "r1_c2 123478 ?",
                "r1_s3 78 ?",
                "r1_c3 123456 ?"
            ]
        );
        // Granularity one: 1, all but 1, 2, all but 2, and 3 passes.
        assert_eq!(asked[10..15], ["r2_s0 1 ?", "r2_c0 2345678 ?", "r2_s1 2 ?", "r2_c1 1345678 ?", "r2_s2 3 ✓"]);
        // It goes on with what comes after 3, which is now in both.
        assert_eq!(asked[15..17], ["r3_s2 34 ?", "r3_c2 1235678 ✗"]);
        assert_eq!(asked[17..], ["r4_s2 35 ?", "r4_c2 123678 ?", "r4_s3 36 ✗"], "then with what comes after 4");

        // Increase to complement: all but 56 passes, so that only 5 and 6 can matter, which is all that matters.
        let (asked, search) = trace(8, |c| if text(c) == "123478" { Uninteresting } else { Outcome::SKIPPED });
        assert_eq!(asked[7..], ["r1_c2 123478 ✓", "r2_s0 1234578 ?", "r2_s1 1234678 ?"]);
        assert_eq!(sides(&search), ("123478".to_owned(), "12345678".to_owned()));
    }

    #[test]
    fn nothing_is_asked_about_one_change_or_none() {
        for n in [0, 1] {
            let (asked, search) = trace(n, |_| panic!("nothing lies between"));
            assert_eq!((asked.len(), search.difference().len()), (0, n));
        }
    }

    #[test]
    fn who_says_only_what_fails_gets_a_minimal_failure() {
        let mut search = Dd::new(Configuration::full(8));
        crate::drive(&mut search, |candidate| candidate.what.contains(2) && candidate.what.contains(6));
        assert_eq!(sides(&search), (String::new(), "37".to_owned()));
    }
}
