//! The order that every reduction follows, made part of any search.

use crate::{Batch, Edit, Search};
use std::cmp::Ordering;

/// Compares two states of the input: by weight, then by length, then by bytes. Every commit must be smaller in this
/// order. It is well-founded, so a reduction ends; and it is total, so the end is unique.
pub fn compare(a: &Edit, b: &Edit) -> Ordering {
    (a.weight.cmp(&b.weight))
        .then_with(|| a.content.len().cmp(&b.content.len()))
        .then_with(|| a.content.to_vec().cmp(&b.content.to_vec()))
}

/// A search whose candidates are left out, as uninteresting, unless they are smaller than its current state.
///
/// A list minimiser has none of them. A search that replaces has: the minimal replacement of an expression may be `a`
/// where the expression is `0`.
#[derive(Clone, Debug)]
pub struct Smaller<S> {
    search: S,
    /// Whether all candidates are passed on, after all.
    all: bool,
    /// The current state of the search, once it is needed: it stays until something is interesting.
    current: Option<Edit>,
    /// Which candidates of the open batch were passed on.
    passed_on: Vec<usize>,
}

impl<S> Smaller<S> {
    /// Only the smaller candidates of `search`.
    pub fn new(search: S) -> Self {
        Self { search, all: false, current: None, passed_on: vec![] }
    }

    /// All candidates of `search`: the published algorithms also test those that are not smaller.
    pub fn or_not(search: S) -> Self {
        Self { all: true, ..Self::new(search) }
    }
}

impl<S: Search<Proposal = Edit>> Search for Smaller<S> {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        if self.all {
            return self.search.propose();
        }
        loop {
            let batch = self.search.propose()?;
            let current = self.current.get_or_insert_with(|| self.search.current());
            let (passed_on, batch): (Vec<usize>, Batch<Edit>) = batch
                .into_iter()
                .enumerate()
                .filter(|(_, candidate)| compare(&candidate.what, current).is_lt())
                .unzip();
            if !batch.is_empty() {
                self.passed_on = passed_on;
                return Some(batch);
            }
            self.search.answer(&[]);
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        if !interesting.is_empty() {
            self.current = None;
        }
        if self.all {
            return self.search.answer(interesting);
        }
        let interesting: Vec<usize> = interesting.iter().map(|&position| self.passed_on[position]).collect();
        self.search.answer(&interesting);
    }

    fn current(&self) -> Edit {
        self.search.current()
    }
}
