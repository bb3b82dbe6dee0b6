//! What a reduction algorithm is: a sequential state machine that proposes, is answered, and proposes again.

mod edit;
mod outcome;
mod patience;
mod smaller;
mod valid;

pub use edit::{Content, Edit};
pub use outcome::{Outcome, Unresolved};
pub use patience::Patient;
pub use smaller::{Smaller, compare};
pub use valid::{Taste, Valid};

use std::fmt;

/// A reduction algorithm.
///
/// A search is *pure*: no clock, no thread, no file, no randomness that is not seeded. Whoever drives it asks for a
/// [`Batch`], finds out which of its candidates are interesting, and tells the search. Cloning must be cheap, because a
/// scheduler that speculates keeps one clone per open batch and goes back to it when a guess was wrong.
///
/// ```
/// use nub_core::{Configuration, Ddmin, ListSettings, Search};
///
/// // The smallest list that still contains 2 and 4.
/// let mut search = Ddmin::new(ListSettings::default(), Configuration::full(5));
/// while let Some(batch) = search.propose() {
///     let interesting: Vec<usize> = (0..batch.len())
///         .filter(|&i| [1, 3].iter().all(|&unit| batch[i].what.contains(unit)))
///         .collect();
///     search.answer(&interesting);
/// }
/// assert_eq!(search.current().units().collect::<Vec<_>>(), [1, 3]);
/// ```
pub trait Search: Clone {
    /// What is proposed: a [`Configuration`](crate::Configuration) by a list minimiser, an [`Edit`](crate::Edit) by a
    /// search over a whole input.
    type Proposal;

    /// What to test next, the same until it is answered; `None` when nothing is left to try.
    ///
    /// Most algorithms propose one candidate at a time. One that wants several outcomes at once (GreeDDy's window)
    /// proposes them together, and the whole batch is tested whatever the number of jobs.
    fn propose(&mut self) -> Option<Batch<Self::Proposal>>;

    /// The outcomes on the batch last proposed: the positions, ascending, of its interesting candidates.
    fn answer(&mut self, interesting: &[usize]);

    /// The same with all three outcomes, one for each candidate, for a search that [heeds](Self::heeds) more than what is
    /// interesting. This is what a scheduler calls.
    fn judge(&mut self, outcomes: &[Outcome]) {
        let interesting = |position: &usize| outcomes[*position] == Outcome::Interesting;
        self.answer(&(0..outcomes.len()).filter(interesting).collect::<Vec<_>>());
    }

    /// Whether a outcome can change the state of the search. To a reduction everything that is not interesting is the
    /// same; isolation also goes on from what passes. Nobody heeds what is unresolved, so that is the guess to run ahead
    /// on.
    fn heeds(outcome: Outcome) -> bool {
        outcome == Outcome::Interesting
    }

    /// The current, interesting state: what the search would return if it were stopped now.
    fn current(&self) -> Self::Proposal;
}

/// Candidates that are tested together. Never empty.
pub type Batch<P> = Vec<Candidate<P>>;

/// One thing to test.
#[derive(Clone, Debug)]
pub struct Candidate<P> {
    /// Where in the algorithm it comes from, e.g. `i0_r3_c5`: iteration 0, run 3, complement of subset 5.
    pub label: Label,
    /// What is proposed.
    pub what: P,
}

impl<P> Candidate<P> {
    /// Puts `outer` before the label and turns the proposal into that of an enclosing search.
    pub fn lift<Q>(self, outer: impl fmt::Display, f: impl FnOnce(P) -> Q) -> Candidate<Q> {
        Candidate { label: self.label.within(outer), what: f(self.what) }
    }
}

/// The name of a candidate: the path through nested searches that led to it, in the notation of Picire's traces.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label(String);

impl Label {
    /// A label of one part.
    pub fn new(part: impl fmt::Display) -> Self {
        Self(part.to_string())
    }

    /// The same candidate, seen from the search around: `i0` around `r3_c5` is `i0_r3_c5`.
    #[must_use]
    pub fn within(self, outer: impl fmt::Display) -> Self {
        Self(format!("{outer}_{}", self.0))
    }

    /// The label as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Drives a search to its end with a closure as the test, one candidate at a time and without a cache: the algorithm
/// itself, as in the papers. Returns the number of candidates asked about.
pub fn drive<S: Search>(search: &mut S, mut is_interesting: impl FnMut(&Candidate<S::Proposal>) -> bool) -> usize {
    let mut asked = 0;
    while let Some(batch) = search.propose() {
        asked += batch.len();
        let interesting: Vec<usize> = (0..batch.len()).filter(|&i| is_interesting(&batch[i])).collect();
        search.answer(&interesting);
    }
    asked
}
