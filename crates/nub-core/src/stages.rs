//! A whole reduction: stages over trees and over text, one after the other, each on what the one before has left.

use crate::{
    Batch, Candidate, Edit, Phase, Search, Smaller, TextPass, TextSearch, TreeSearch,
    tree::{Spacing, Tree},
};
use std::sync::Arc;

/// Turns bytes into a tree. A pure function: the same bytes, the same tree.
pub trait Parser: Send + Sync {
    /// The prepared tree of these bytes; `None` if they have no structure worth using.
    fn parse(&self, bytes: &[u8]) -> Option<Tree>;
}

/// One stage of a reduction.
#[derive(Clone)]
pub enum Stage {
    /// Passes over the text.
    Text(Arc<[TextPass]>),
    /// Phases over the tree that the parser makes of the text. Left out if it makes none.
    Tree {
        /// Makes the tree.
        parser: Arc<dyn Parser>,
        /// What is done with it.
        phases: Arc<[Phase]>,
        /// What comes between its tokens.
        spacing: Spacing,
        /// Whether candidates that are not smaller are left out. The published algorithms try them.
        smaller: bool,
    },
}

/// A search through stages.
#[derive(Clone)]
pub struct Stages {
    stages: Arc<[Stage]>,
    /// The number of the stage at work.
    at: usize,
    /// What the stage started with.
    input: Arc<[u8]>,
    /// The stage at work, once it has started.
    search: Option<StageSearch>,
}

#[derive(Clone)]
enum StageSearch {
    Text(TextSearch),
    Tree(TreeSearch),
    SmallerTree(Smaller<TreeSearch>),
}

impl Stages {
    /// A search over `input`, which must be interesting.
    pub fn new(stages: impl Into<Arc<[Stage]>>, input: impl Into<Arc<[u8]>>) -> Self {
        Self { stages: stages.into(), at: 0, input: input.into(), search: None }
    }

    /// Starts the stage at work. `None` if there is nothing to start.
    fn start(&self) -> Option<StageSearch> {
        match self.stages.get(self.at)? {
            Stage::Text(passes) if passes.is_empty() => None,
            Stage::Text(passes) => {
                Some(StageSearch::Text(TextSearch::new(Arc::clone(passes), Arc::clone(&self.input))))
            }
            Stage::Tree { phases, .. } if phases.is_empty() => None,
            Stage::Tree { parser, phases, spacing, smaller } => {
                let search = TreeSearch::new(Arc::clone(phases), Arc::new(parser.parse(&self.input)?), *spacing);
                Some(if *smaller { StageSearch::SmallerTree(Smaller::new(search)) } else { StageSearch::Tree(search) })
            }
        }
    }

    /// Makes phases and scopes of different stages different.
    fn lift(&self, mut edit: Edit) -> Edit {
        edit.phase |= (self.at as u32) << 16;
        edit.scope |= (self.at as u64) << 48;
        edit
    }
}

impl Search for Stages {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        while self.at < self.stages.len() {
            if self.search.is_none() {
                self.search = self.start();
            }
            let batch = match &mut self.search {
                Some(StageSearch::Text(search)) => search.propose(),
                Some(StageSearch::Tree(search)) => search.propose(),
                Some(StageSearch::SmallerTree(search)) => search.propose(),
                None => None,
            };
            if let Some(batch) = batch {
                let lift =
                    |candidate: Candidate<Edit>| Candidate { label: candidate.label, what: self.lift(candidate.what) };
                return Some(batch.into_iter().map(lift).collect());
            }
            if self.search.is_some() {
                self.input = self.current().content.to_vec().into();
            }
            (self.at, self.search) = (self.at + 1, None);
        }
        None
    }

    fn answer(&mut self, interesting: &[usize]) {
        match &mut self.search {
            Some(StageSearch::Text(search)) => search.answer(interesting),
            Some(StageSearch::Tree(search)) => search.answer(interesting),
            Some(StageSearch::SmallerTree(search)) => search.answer(interesting),
            None => {}
        }
    }

    fn current(&self) -> Edit {
        let edit = match &self.search {
            Some(StageSearch::Text(search)) => search.current(),
            Some(StageSearch::Tree(search)) => search.current(),
            Some(StageSearch::SmallerTree(search)) => search.current(),
            None => {
                let (units, weight) = (self.input.len(), self.input.len() as u64);
                let content = Arc::new(Arc::clone(&self.input));
                Edit { phase: 0, scope: 0, units, weight, pass: "".into(), content }
            }
        };
        self.lift(edit)
    }
}
