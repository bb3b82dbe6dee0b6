//! A whole reduction: stages over trees and over text, one after the other, each on what the one before has left.

use crate::{
    Analyse, Batch, Candidate, Closures, Edit, LargestFirst, ListAlgorithm, Patient, Phase, Search, Smaller, Structure,
    Taste, TextPhase, TextSearch, TreeSearch, Valid,
    binary::BinarySearch,
    passes::{Pass, PassSearch},
    tree::{Spacing, Tree},
};
use std::sync::Arc;

/// Turns bytes into a tree. A pure function: the same bytes, the same tree.
pub trait Parser: Send + Sync {
    /// The prepared tree of these bytes; `None` if they have no structure worth using.
    fn parse(&self, bytes: &[u8]) -> Option<Tree>;

    /// What knows whether a candidate is valid, if that is [strict](Structure::is_strict).
    fn checker(&self, _bytes: &[u8]) -> Option<Arc<dyn Structure>> {
        None
    }
}

/// One stage of a reduction.
#[derive(Clone)]
pub enum Stage {
    /// Passes over the text.
    Text(Arc<[TextPhase]>),
    /// The same, but what has syntax errors is not tested if the test refuses such things anyway: see [`Valid`].
    ValidText(Arc<[TextPhase]>, Arc<dyn Analyse>),
    /// The same with all candidates, in case the test accepts syntax errors after all.
    AllText(Arc<[TextPhase]>, Arc<dyn Analyse>),
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
    /// What the failure reaches, by the names in the tree: see [`Closures`]. Left out if there is no tree.
    Closures(Arc<dyn Analyse>),
    /// Nodes of the tree, the largest first, again and again until nothing changes. Left out if there is no tree.
    Largest(Arc<dyn Analyse>),
    /// A pass over the tree. Left out if there is none.
    Pass(Pass, Arc<dyn Analyse>),
    /// The same with all candidates, syntax errors or not. Left out unless the stage before it has changed something: it is
    /// for tests that are known to accept such things.
    AllPass(Pass, Arc<dyn Analyse>),
    /// Blocks and bytes of binary data.
    Binary(ListAlgorithm),
    /// Back to the beginning, if anything has changed since, or if a stage was given up before its end.
    Again,
}

/// How hard a search tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Effort {
    /// Stages that get nowhere are given up for good.
    Quick,
    /// Every stage has its way in the end.
    #[default]
    Normal,
    /// And nothing is left out because it does not parse.
    Thorough,
}

impl Effort {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Quick, Self::Normal, Self::Thorough];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Normal => "normal",
            Self::Thorough => "thorough",
        }
    }

    /// How many tests without success a stage is given in the first round, in the next if that changes nothing, and so on.
    fn patience(self) -> &'static [Option<usize>] {
        match self {
            Self::Quick => &[Some(60)],
            Self::Normal | Self::Thorough => &[Some(150), Some(1000), None],
        }
    }
}

/// A search through stages.
///
/// A stage that gets nowhere makes way for the next; but, short of [`Effort::Quick`], the end is only reached when every
/// stage has been through all that it had to try.
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
    /// Whether there is a way back to stages that are given up.
    rounds: bool,
    effort: Effort,
    /// Which of the effort's patiences.
    patience: usize,
    /// Whether a stage of this round was given up.
    given_up: bool,
    /// Whether the stage before has changed something.
    changed: bool,
    /// What the test thinks of candidates with syntax errors.
    taste: Taste,
}

type StageSearch = Patient<Valid<Smaller<Worker>>>;

/// What does the work in a stage.
#[derive(Clone)]
enum Worker {
    Text(TextSearch),
    Tree(TreeSearch),
    Closures(Closures),
    Largest(LargestFirst),
    Pass(PassSearch),
    Binary(BinarySearch),
}

/// Does the same with every kind of search.
macro_rules! with_search {
    ($worker:expr, $name:ident => $what:expr) => {
        match $worker {
            Worker::Text($name) => $what,
            Worker::Tree($name) => $what,
            Worker::Closures($name) => $what,
            Worker::Largest($name) => $what,
            Worker::Pass($name) => $what,
            Worker::Binary($name) => $what,
        }
    };
}

impl Search for Worker {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        with_search!(self, search => search.propose())
    }

    fn answer(&mut self, interesting: &[usize]) {
        with_search!(self, search => search.answer(interesting));
    }

    fn current(&self) -> Edit {
        with_search!(self, search => search.current())
    }
}

impl Stages {
    /// A search over `input`, which must be interesting.
    pub fn new(stages: impl Into<Arc<[Stage]>>, input: impl Into<Arc<[u8]>>) -> Self {
        let (stages, input) = (stages.into(), input.into());
        let rounds = stages.iter().any(|stage| matches!(stage, Stage::Again));
        Self {
            stages,
            at: 0,
            round: Arc::clone(&input),
            input,
            search: None,
            started: 0,
            rounds,
            effort: Effort::default(),
            patience: 0,
            given_up: false,
            changed: false,
            taste: Taste::default(),
        }
    }

    /// Tries less hard, or harder.
    #[must_use]
    pub fn with_effort(self, effort: Effort) -> Self {
        let taste = if effort == Effort::Thorough { Taste::ANYTHING } else { self.taste };
        Self { effort, taste, ..self }
    }

    /// Starts the stage at work. `None` if there is nothing to start.
    fn start(&self) -> Option<StageSearch> {
        let text = |passes: &Arc<[TextPhase]>| {
            let search = || Worker::Text(TextSearch::new(Arc::clone(passes), Arc::clone(&self.input)));
            (!passes.is_empty()).then(search)
        };
        let (search, structure): (_, Option<Arc<dyn Structure>>) = match self.stages.get(self.at)? {
            Stage::Text(passes) => (Smaller::or_not(text(passes)?), None),
            Stage::ValidText(passes, analyser) | Stage::AllText(passes, analyser) => {
                (Smaller::or_not(text(passes)?), analyser.analyse(&self.input))
            }
            Stage::Tree { phases, .. } if phases.is_empty() => return None,
            Stage::Tree { parser, phases, spacing, smaller } => {
                let tree = Arc::new(parser.parse(&self.input)?);
                let search = Worker::Tree(TreeSearch::new(Arc::clone(phases), tree, *spacing));
                match smaller {
                    true => (Smaller::new(search), parser.checker(&self.input).filter(|checker| checker.is_strict())),
                    false => (Smaller::or_not(search), None),
                }
            }
            Stage::Closures(analyser) => {
                (Smaller::new(Worker::Closures(Closures::new(analyser.analyse(&self.input)?)?)), None)
            }
            Stage::Largest(analyser) => {
                let structure = analyser.analyse(&self.input)?;
                let search = Smaller::new(Worker::Largest(LargestFirst::new(Arc::clone(&structure))));
                (search, Some(structure).filter(|structure| structure.is_strict()))
            }
            Stage::Pass(pass, analyser) | Stage::AllPass(pass, analyser) => {
                let structure = analyser.analyse(&self.input)?;
                (Smaller::new(Worker::Pass(PassSearch::new(*pass, Arc::clone(&structure)))), Some(structure))
            }
            Stage::Binary(algorithm) => {
                (Smaller::or_not(Worker::Binary(BinarySearch::new(*algorithm, Arc::clone(&self.input)))), None)
            }
            Stage::Again => return None,
        };
        if matches!(self.stages[self.at], Stage::AllPass(..)) && !self.changed {
            return None;
        }
        let made_from_it =
            !matches!(self.stages[self.at], Stage::ValidText(..) | Stage::AllText(..) | Stage::AllPass(..));
        let strict = made_from_it && structure.as_ref().is_some_and(|structure| structure.is_strict());
        let mut valid = Valid::new(search, structure).with_taste(self.taste);
        if strict {
            valid = valid.strictly();
        }
        if matches!(self.stages[self.at], Stage::AllText(..) | Stage::AllPass(..)) {
            valid = valid.with_all();
        }
        let patience = if self.rounds { self.effort.patience()[self.patience] } else { None };
        Some(Patient::new(valid, patience))
    }

    /// Ends the stage at work, and decides which one is next.
    fn next_stage(&mut self) {
        let before = Arc::clone(&self.input);
        let mut repeat = false;
        if let Some(search) = self.search.take() {
            self.input = search.current().content.to_vec().into();
            self.given_up |= search.has_given_up();
            self.taste = search.inner().taste();
            repeat =
                matches!(self.stages[self.at], Stage::Largest(_)) && !search.has_given_up() && self.input != before;
        }
        self.started = self.started.wrapping_add(1);
        self.changed = self.input != before;
        let changed = self.input != self.round;
        let more_patience = self.given_up && self.patience + 1 < self.effort.patience().len();
        if matches!(self.stages[self.at], Stage::Again) && (changed || more_patience) {
            self.patience = if changed { 0 } else { self.patience + 1 };
            (self.at, self.given_up, self.round) = (0, false, Arc::clone(&self.input));
        } else if !repeat {
            self.at += 1;
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
            if let Some(batch) = self.search.as_mut().and_then(Search::propose) {
                let lift =
                    |candidate: Candidate<Edit>| Candidate { label: candidate.label, what: self.lift(candidate.what) };
                return Some(batch.into_iter().map(lift).collect());
            }
            self.next_stage();
        }
        None
    }

    fn answer(&mut self, interesting: &[usize]) {
        if let Some(search) = &mut self.search {
            search.answer(interesting);
        }
    }

    fn current(&self) -> Edit {
        let edit = match &self.search {
            Some(search) => search.current(),
            None => {
                let (units, weight) = (self.input.len(), self.input.len() as u64);
                let content = Arc::new(Arc::clone(&self.input));
                Edit { phase: 0, scope: 0, units, weight, step: "".into(), content }
            }
        };
        self.lift(edit)
    }
}
