//! Isolation: what makes the difference between an input that passes and one that fails.
//!
//! Where a reduction asks for the smallest input that fails, isolation asks what it takes to make a passing one fail. Two
//! versions of a file may be large and differ in a hundred places; [`Dd`] finds the place.

mod dd;
mod difference;

pub use dd::Dd;
pub use difference::{Change, Diff, changes};

use crate::{
    Analyse, Batch, Candidate, Configuration, Content, Edit, Granularity, Outcome, Search, Structure,
    isolate::difference::{Difference, Mixture, between_trees, between_units},
};
use std::sync::Arc;

/// What a change is a change of.
#[derive(Clone)]
pub enum Parts {
    /// Lines, tokens, characters, bytes.
    Units(Granularity),
    /// Nodes of the trees that are found in the two inputs: first whole, then part by part, a level at a time. Lines, if there
    /// are no trees.
    Nodes(Arc<dyn Analyse>),
}

impl Parts {
    /// The name on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Units(granularity) => granularity.name(),
            Self::Nodes(_) => "tree",
        }
    }
}

/// A search for a small difference between two inputs: [`Dd`] over coarse changes, then over finer ones in what is left.
///
/// Its [`current`](Search::current) state is the failing side; [`passing`](Self::passing) is the other. Both have been
/// tested, or are what it was begun with.
///
/// ```
/// use nub_core::{Diff, Granularity, Isolation, Parts, Search, Outcome};
/// use std::{ops::Range, sync::Arc};
///
/// /// Compares place by place.
/// struct Places;
/// impl Diff for Places {
///     fn hunks(&self, old: &[&[u8]], new: &[&[u8]]) -> Vec<(Range<usize>, Range<usize>)> {
///         (0..old.len()).filter(|&i| old[i] != new[i]).map(|i| (i..i + 1, i..i + 1)).collect()
///     }
/// }
///
/// let parts = [Granularity::Line, Granularity::Token].map(Parts::Units);
/// let (passing, failing) = (*b"port = 80\nhost = a\n", *b"port = 81\nhost = b\n");
/// let mut search = Isolation::new(parts, Arc::new(Places), passing, failing);
/// while let Some(batch) = search.propose() {
///     let fails = batch[0].what.content.to_vec().ends_with(b"b\n");
///     search.judge(&[if fails { Outcome::Interesting } else { Outcome::Uninteresting }]);
/// }
/// assert_eq!(search.passing().content.to_vec(), b"port = 81\nhost = a\n");
/// assert_eq!(search.current().content.to_vec(), b"port = 81\nhost = b\n");
/// ```
#[derive(Clone)]
pub struct Isolation {
    parts: Arc<[Parts]>,
    diff: Arc<dyn Diff>,
    /// Which of the parts are at work.
    at: usize,
    /// How deep nodes are taken apart, and whether they can be taken apart further.
    depth: usize,
    finer: bool,
    /// How many differences there were before this one: their phases and scopes must not be mixed up.
    stage: u32,
    difference: Arc<Difference>,
    dd: Dd,
    /// If given, what has more syntax errors than the two inputs is unresolved, and not tested.
    structure: Option<Arc<dyn Structure>>,
}

impl Isolation {
    /// A search between two inputs, of which the one must pass and the other must fail.
    ///
    /// # Panics
    /// If an input has 4 GiB or more.
    pub fn new(
        parts: impl Into<Arc<[Parts]>>,
        diff: Arc<dyn Diff>,
        passing: impl Into<Arc<[u8]>>,
        failing: impl Into<Arc<[u8]>>,
    ) -> Self {
        let (parts, passing, failing) = (parts.into(), passing.into(), failing.into());
        let (difference, finer) = compare(parts.first(), 0, &*diff, passing, failing);
        let dd = Dd::new(Configuration::full(difference.len()));
        let difference = Arc::new(difference);
        Self { parts, diff, at: 0, depth: 0, finer, stage: 0, difference, dd, structure: None }
    }

    /// Takes what has more syntax errors than the input of this structure for unresolved, without asking.
    ///
    /// A test that looks for one failure says "not that" about everything that does not even parse, and so dd would go on from
    /// there as if it had passed: half a function passes, and the missing brace is what makes it fail.
    #[must_use]
    pub fn with_structure(self, structure: Option<Arc<dyn Structure>>) -> Self {
        Self { structure, ..self }
    }

    /// The side that passes.
    pub fn passing(&self) -> Edit {
        self.edit(self.dd.passing().clone())
    }

    /// How many changes make the difference between the sides.
    pub fn left(&self) -> usize {
        self.dd.difference().len()
    }

    fn edit(&self, made: Configuration) -> Edit {
        let content: Arc<dyn Content> = Arc::new(Mixture { difference: Arc::clone(&self.difference), made });
        Edit {
            phase: self.stage,
            scope: u64::from(self.stage),
            units: self.left(),
            weight: content.len() as u64,
            step: self.parts.get(self.at).map_or("", Parts::name).into(),
            content,
        }
    }

    /// Goes on with finer changes. False if there are none.
    fn refine(&mut self) -> bool {
        if !self.finer && self.at + 1 >= self.parts.len() {
            return false;
        }
        let [passing, failing] = [self.passing(), self.current()].map(|side| side.content.to_vec().into());
        (self.at, self.depth) = if self.finer { (self.at, self.depth + 1) } else { (self.at + 1, 0) };
        self.stage += 1;
        let (difference, finer) = compare(self.parts.get(self.at), self.depth, &*self.diff, passing, failing);
        (self.difference, self.finer) = (Arc::new(difference), finer);
        self.dd = Dd::new(Configuration::full(self.difference.len()));
        true
    }

    fn is_valid(&self, candidate: &Candidate<Edit>) -> bool {
        self.structure.as_ref().is_none_or(|structure| structure.is_valid(&candidate.what.content.to_vec()))
    }
}

/// The changes of these parts, and whether there are finer ones of the same kind. Without any parts there is nothing to be
/// told apart, and everything is one change.
fn compare(
    parts: Option<&Parts>,
    depth: usize,
    diff: &dyn Diff,
    passing: Arc<[u8]>,
    failing: Arc<[u8]>,
) -> (Difference, bool) {
    match parts {
        Some(Parts::Units(granularity)) => (between_units(*granularity, diff, passing, failing), false),
        Some(Parts::Nodes(analyser)) => match (analyser.analyse(&passing), analyser.analyse(&failing)) {
            (Some(old), Some(new)) => between_trees(diff, old.tree(), new.tree(), depth),
            _ => (between_units(Granularity::Line, diff, passing, failing), false),
        },
        None => {
            let all = Change { old: 0..passing.len(), new: 0..failing.len() };
            (Difference::new(passing, failing, vec![all]), false)
        }
    }
}

impl Search for Isolation {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        loop {
            let Some(batch) = self.dd.propose() else { if self.refine() { continue } else { return None } };
            let outer = format!("a{}", self.stage);
            let lift = |candidate: Candidate<_>| candidate.lift(&outer, |made| self.edit(made));
            let batch: Batch<Edit> = batch.into_iter().map(lift).collect();
            if batch.iter().all(|candidate| self.is_valid(candidate)) {
                return Some(batch);
            }
            self.dd.judge(&[Outcome::SKIPPED]);
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        self.dd.answer(interesting);
    }

    fn judge(&mut self, outcomes: &[Outcome]) {
        self.dd.judge(outcomes);
    }

    fn heeds(outcome: Outcome) -> bool {
        Dd::heeds(outcome)
    }

    fn current(&self) -> Edit {
        self.edit(self.dd.failing())
    }
}
