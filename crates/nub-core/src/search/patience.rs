//! A search that gives way to others when it makes no progress.
//!
//! When a reducer is stuck for hours, the cause is a step without a budget. A budget in seconds would make results depend on
//! the machine; this one counts tests and their outcomes.

use crate::{Batch, Edit, Search};

/// A search that ends when a number of tests in a row have not made the input smaller by a hundredth.
#[derive(Clone, Debug)]
pub struct Patient<S> {
    search: S,
    /// How many tests; `None` for a search that is never given up.
    patience: Option<usize>,
    /// How many tests there were since the last hundredth.
    tests: usize,
    /// How large the input was then.
    weight: u64,
    /// How many candidates the open batch has.
    open: usize,
}

impl<S: Search<Proposal = Edit>> Patient<S> {
    /// Gives `search` up after this many tests without success.
    pub fn new(search: S, patience: Option<usize>) -> Self {
        let weight = search.current().weight;
        Self { search, patience, tests: 0, weight, open: 0 }
    }

    /// Whether it was given up before its end.
    pub fn has_given_up(&self) -> bool {
        self.patience.is_some_and(|patience| self.tests >= patience)
    }

    /// The search itself.
    pub fn inner(&self) -> &S {
        &self.search
    }
}

impl<S: Search<Proposal = Edit>> Search for Patient<S> {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        if self.has_given_up() {
            return None;
        }
        let batch = self.search.propose()?;
        self.open = batch.len();
        Some(batch)
    }

    fn answer(&mut self, interesting: &[usize]) {
        self.search.answer(interesting);
        if self.patience.is_none() {
            return;
        }
        self.tests += self.open;
        if !interesting.is_empty() {
            let weight = self.search.current().weight;
            if weight + weight / 100 < self.weight {
                (self.tests, self.weight) = (0, weight);
            }
        }
    }

    fn current(&self) -> Edit {
        self.search.current()
    }
}
