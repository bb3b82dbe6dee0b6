//! A whole reduction: stages over trees and over text, one after the other, each on what the one before has left.

use crate::{
    Analyse, Batch, Candidate, Edit, LargestFirst, ListAlgorithm, Phase, Search, Smaller, TextPass, TextSearch,
    TreeSearch, Valid,
    binary::BinarySearch,
    passes::{Pass, PassSearch},
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
    /// The same, but what has syntax errors is not tested if the test refuses such things anyway: see [`Valid`].
    ValidText(Arc<[TextPass]>, Arc<dyn Analyse>),
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
    /// Nodes of the tree, the largest first, again and again until nothing changes. Left out if there is no tree.
    Largest(Arc<dyn Analyse>),
    /// A pass over the tree. Left out if there is none.
    Pass(Pass, Arc<dyn Analyse>),
    /// Blocks and bytes of binary data.
    Binary(ListAlgorithm),
    /// Back to the beginning, if anything has changed since.
    Again,
}

/// A search through stages.
#[derive(Clone)]
pub struct Stages {
    stages: Arc<[Stage]>,
    /// The number of the stage at work.
    at: usize,
    /// What the stage started with.
    input: Arc<[u8]>,
    /// What the round of stages started with.
    round: Arc<[u8]>,
    /// The stage at work, once it has started.
    search: Option<StageSearch>,
    /// How many stages have started: their phases and scopes must not be mixed up.
    started: u16,
}

#[derive(Clone)]
enum StageSearch {
    Text(TextSearch),
    ValidText(Valid<TextSearch>),
    Tree(TreeSearch),
    SmallerTree(Smaller<TreeSearch>),
    Largest(Smaller<LargestFirst>),
    Pass(Smaller<PassSearch>),
    Binary(BinarySearch),
}

/// Does the same with every kind of search.
macro_rules! with_search {
    ($search:expr, $name:ident => $what:expr) => {
        match $search {
            StageSearch::Text($name) => $what,
            StageSearch::ValidText($name) => $what,
            StageSearch::Tree($name) => $what,
            StageSearch::SmallerTree($name) => $what,
            StageSearch::Largest($name) => $what,
            StageSearch::Pass($name) => $what,
            StageSearch::Binary($name) => $what,
        }
    };
}

impl Stages {
    /// A search over `input`, which must be interesting.
    pub fn new(stages: impl Into<Arc<[Stage]>>, input: impl Into<Arc<[u8]>>) -> Self {
        let input = input.into();
        Self { stages: stages.into(), at: 0, round: Arc::clone(&input), input, search: None, started: 0 }
    }

    /// Starts the stage at work. `None` if there is nothing to start.
    fn start(&self) -> Option<StageSearch> {
        match self.stages.get(self.at)? {
            Stage::Text(passes) | Stage::ValidText(passes, _) if passes.is_empty() => None,
            Stage::Text(passes) => {
                Some(StageSearch::Text(TextSearch::new(Arc::clone(passes), Arc::clone(&self.input))))
            }
            Stage::ValidText(passes, analyser) => {
                let search = TextSearch::new(Arc::clone(passes), Arc::clone(&self.input));
                Some(match analyser.analyse(&self.input) {
                    Some(structure) => StageSearch::ValidText(Valid::new(search, structure)),
                    None => StageSearch::Text(search),
                })
            }
            Stage::Tree { phases, .. } if phases.is_empty() => None,
            Stage::Tree { parser, phases, spacing, smaller } => {
                let search = TreeSearch::new(Arc::clone(phases), Arc::new(parser.parse(&self.input)?), *spacing);
                Some(if *smaller { StageSearch::SmallerTree(Smaller::new(search)) } else { StageSearch::Tree(search) })
            }
            Stage::Largest(analyser) => {
                Some(StageSearch::Largest(Smaller::new(LargestFirst::new(analyser.analyse(&self.input)?))))
            }
            Stage::Pass(pass, analyser) => {
                Some(StageSearch::Pass(Smaller::new(PassSearch::new(*pass, analyser.analyse(&self.input)?))))
            }
            Stage::Binary(algorithm) => {
                Some(StageSearch::Binary(BinarySearch::new(*algorithm, Arc::clone(&self.input))))
            }
            Stage::Again => None,
        }
    }

    /// Makes phases and scopes of different stages different.
    fn lift(&self, mut edit: Edit) -> Edit {
        edit.phase |= u32::from(self.started) << 16;
        edit.scope |= u64::from(self.started) << 48;
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
            let batch = self.search.as_mut().and_then(|search| with_search!(search, search => search.propose()));
            if let Some(batch) = batch {
                let lift =
                    |candidate: Candidate<Edit>| Candidate { label: candidate.label, what: self.lift(candidate.what) };
                return Some(batch.into_iter().map(lift).collect());
            }
            let before = Arc::clone(&self.input);
            if self.search.is_some() {
                self.input = self.current().content.to_vec().into();
            }
            match self.stages[self.at] {
                Stage::Largest(_) if self.input != before => {}
                Stage::Again if self.input != self.round => (self.at, self.round) = (0, Arc::clone(&self.input)),
                _ => self.at += 1,
            }
            (self.search, self.started) = (None, self.started.wrapping_add(1));
        }
        None
    }

    fn answer(&mut self, interesting: &[usize]) {
        if let Some(search) = &mut self.search {
            with_search!(search, search => search.answer(interesting));
        }
    }

    fn current(&self) -> Edit {
        let edit = match &self.search {
            Some(search) => with_search!(search, search => search.current()),
            None => {
                let (units, weight) = (self.input.len(), self.input.len() as u64);
                let content = Arc::new(Arc::clone(&self.input));
                Edit { phase: 0, scope: 0, units, weight, pass: "".into(), content }
            }
        };
        self.lift(edit)
    }
}
