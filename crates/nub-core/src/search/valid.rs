//! Leaves out candidates with syntax errors, if the test rejects them anyway.

use crate::{Batch, Edit, Search, Structure};
use std::sync::Arc;

/// How many invalid candidates in a row must have been refused before they are left out.
const PATIENCE: u32 = 12;
/// After this many were left out, one is tested after all: the test may accept later what it rejected at first. Each time
/// it does not, twice as many are left out before the next, up to a limit.
const SAMPLE: u32 = 16;
const DOUBLINGS: u32 = 6;

/// A search that leaves out candidates with more syntax errors than the input, as soon as the test has shown that it
/// rejects them. They count as uninteresting.
///
/// Parsing is a thousand times cheaper than most tests, and a compiler rejects what does not parse. But some programs fail
/// on syntax errors in particular, so nothing is left out before the test has shown how it reacts. This depends on outcomes
/// alone, so it is the same for any number of jobs.
#[derive(Clone)]
pub struct Valid<S> {
    search: S,
    /// `None` if nothing is known about the input: then everything is worth a test.
    structure: Option<Arc<dyn Structure>>,
    taste: Taste,
    /// Whether nothing is left out, and this is only to find out about the test.
    all: bool,
    /// Whether everything that is not valid is left out.
    strict: bool,
    /// Which candidates of the open batch were passed on, and whether they are valid.
    passed_on: Vec<(usize, bool)>,
}

/// What the test thinks of invalid candidates, as far as that is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Taste {
    /// How many were refused since the last that was accepted.
    refused: u32,
    /// Whether everything is worth a test, whatever comes of it.
    anything: bool,
    /// How many were left out since the last one that was asked about.
    left_out: u32,
}

impl Taste {
    /// It may accept any of them.
    pub const ANYTHING: Self = Self { refused: 0, anything: true, left_out: 0 };

    /// Whether the next invalid candidate is asked about.
    fn is_curious(self) -> bool {
        self.anything || self.refused < PATIENCE || self.left_out >= SAMPLE << (self.refused - PATIENCE).min(DOUBLINGS)
    }
}

impl<S> Valid<S> {
    /// Only the worthwhile candidates of `search`, which works on an input of this structure.
    pub fn new(search: S, structure: Option<Arc<dyn Structure>>) -> Self {
        Self { search, structure, taste: Taste::default(), all: false, strict: false, passed_on: vec![] }
    }

    /// With what is known from other searches.
    #[must_use]
    pub fn with_taste(self, taste: Taste) -> Self {
        Self { taste, ..self }
    }

    /// With all candidates, to find out what the test is like.
    #[must_use]
    pub fn with_all(self) -> Self {
        Self { all: true, ..self }
    }

    /// Without any candidate that is not valid, whatever the test thinks of them.
    #[must_use]
    pub fn strictly(self) -> Self {
        Self { strict: true, ..self }
    }

    /// What is known by now.
    pub fn taste(&self) -> Taste {
        self.taste
    }
}

impl<S: Search<Proposal = Edit>> Search for Valid<S> {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        let Some(structure) = &self.structure else { return self.search.propose() };
        loop {
            let batch = self.search.propose()?;
            let ask_all = !self.strict && (self.all || self.taste.is_curious());
            self.passed_on.clear();
            let mut worthwhile = vec![];
            for (position, candidate) in batch.into_iter().enumerate() {
                let valid = self.taste.anything || structure.is_valid(&candidate.what.content.to_vec());
                if valid || ask_all {
                    self.passed_on.push((position, valid));
                    worthwhile.push(candidate);
                }
            }
            if !worthwhile.is_empty() {
                return Some(worthwhile);
            }
            self.taste.left_out += u32::from(!self.strict);
            self.search.answer(&[]);
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        if self.structure.is_none() {
            return self.search.answer(interesting);
        }
        for (position, &(_, valid)) in self.passed_on.iter().enumerate() {
            if !valid {
                self.taste.left_out = 0;
                match interesting.contains(&position) {
                    true => self.taste.refused = 0,
                    false => self.taste.refused += 1,
                }
            }
        }
        let interesting: Vec<usize> = interesting.iter().map(|&position| self.passed_on[position].0).collect();
        self.search.answer(&interesting);
    }

    fn current(&self) -> Edit {
        self.search.current()
    }
}
