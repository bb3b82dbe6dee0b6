//! What can be a step of a plan.

use crate::{AnySearch, Edit, FrontEnd, Hidden, Knowledge, Search, Structure};
use std::{fmt, sync::Arc};

/// One step of a [`Plan`](crate::Plan): a search that starts on whatever the step before left.
///
/// A step is a value: it holds its parameters and nothing about any input. To add one to nub, write it in a file of its
/// own and give it a line in the registry (`plan/registry.rs`); to use one of your own, put it into a plan with
/// [`Plan::of`](crate::Plan::of).
pub trait Step: fmt::Debug + Send + Sync {
    /// Its name in a plan, as in `--algorithm`.
    fn name(&self) -> String;

    /// Its name and every parameter that can change its candidates, in a form that stays the same between versions: the
    /// journal tells by it whether a run can be resumed.
    fn spelling(&self) -> String {
        self.name()
    }

    /// What it needs to know about the input.
    fn needs(&self) -> Needs;

    /// Starts on an input. `None` if there is nothing to do.
    fn start(&self, input: &Input<'_>) -> Option<Started>;

    /// The kinds of units that cannot be removed one at a time from the result of this step. `unchanged` says that the
    /// step went through without finding anything, so each of its candidates was refused on the very same input.
    fn minimality(&self, unchanged: bool) -> Vec<&'static str> {
        let _ = unchanged;
        vec![]
    }

    /// Whether some of its candidates may be left out because they do not parse.
    fn filters(&self) -> bool {
        false
    }

    /// Whether it starts again at once if it changed something.
    fn repeats(&self) -> bool {
        false
    }
}

/// What a step needs to know about its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Only the bytes.
    Bytes,
    /// A parse tree.
    Tree,
    /// A [`Structure`]: a tree, and what may be done with it.
    Structure,
}

impl Needs {
    /// Whether a front end that knows this much is enough.
    pub fn are_met_by(self, knowledge: Knowledge) -> bool {
        match self {
            Self::Bytes => true,
            Self::Tree => matches!(knowledge, Knowledge::Grammar | Knowledge::Tree),
            Self::Structure => matches!(knowledge, Knowledge::Grammar | Knowledge::Layout),
        }
    }
}

/// What a step starts on.
pub struct Input<'a> {
    /// The best so far.
    pub bytes: &'a Arc<[u8]>,
    /// What understands it.
    pub front_end: &'a dyn FrontEnd,
    /// How comments appear in trees.
    pub hidden: Hidden,
    /// Whether the step before changed something.
    pub changed: bool,
}

impl Input<'_> {
    /// The structure of the input, if it has one worth using.
    pub fn structure(&self) -> Option<Arc<dyn Structure>> {
        self.front_end.analyse(self.bytes, self.hidden)
    }

    /// The structure, if it can tell syntax errors.
    pub fn checker(&self) -> Option<Arc<dyn Structure>> {
        if self.front_end.knowledge() == Knowledge::Grammar { self.structure() } else { None }
    }
}

/// A step at work, before the plan puts its own conditions around it.
pub struct Started {
    /// The search.
    pub search: AnySearch<Edit>,
    /// Whether candidates that are not smaller are left out.
    pub smaller: bool,
    /// Which candidates with syntax errors are left out.
    pub validity: Validity,
}

impl Started {
    /// A search whose candidates are all tested.
    pub fn all(search: impl Search<Proposal = Edit> + Send + Sync + 'static) -> Self {
        Self { search: AnySearch::new(search), smaller: false, validity: Validity::Unchecked }
    }

    /// A search of which only candidates smaller than the best are tested.
    pub fn smaller(search: impl Search<Proposal = Edit> + Send + Sync + 'static) -> Self {
        Self { smaller: true, ..Self::all(search) }
    }

    /// The same, with a rule for syntax errors.
    #[must_use]
    pub fn with(self, validity: Validity) -> Self {
        Self { validity, ..self }
    }
}

/// What happens to candidates that have more syntax errors than the input.
#[derive(Clone)]
pub enum Validity {
    /// They are tested like all others.
    Unchecked,
    /// They are left out as soon as the test has shown that it refuses them.
    Learned(Arc<dyn Structure>),
    /// They are left out.
    Required(Arc<dyn Structure>),
    /// They are tested; the outcomes show what the test thinks of them.
    Probed(Arc<dyn Structure>),
}

impl Validity {
    /// For candidates made from a structure: its check decides at once if it is [strict](Structure::is_strict).
    pub fn of(structure: Arc<dyn Structure>) -> Self {
        if structure.is_strict() { Self::Required(structure) } else { Self::Learned(structure) }
    }
}
