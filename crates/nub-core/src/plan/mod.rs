//! Plans: which searches a reduction runs, in which order, and how often.
//!
//! A [`Plan`] is a value. It names [steps](Step), it can be compared, and it has a [stable form](Plan::spelling) for the
//! journal. nub's own plans are in [`standard`](Plan::standard); [`Plan::named`] reads the names of the literature, such
//! as `hoist*+hddh*`; [`Plan::of`] takes steps of your own. [`PlanSearch`] carries a plan out on an input.
//!
//! ```
//! use nub_core::{drive, Options, Plan, PlanSearch, Search, Unknown};
//! use std::sync::Arc;
//!
//! let plan = Plan::named("ddmin*", &Options::default())?;
//! let mut search = PlanSearch::new(plan, Arc::new(Unknown), *b"one\ntwo\nthree\n");
//! drive(&mut search, |candidate| candidate.what.content.to_vec().windows(2).any(|w| w == b"tw"));
//! assert_eq!(search.current().content.to_vec(), b"tw");
//! # Ok::<(), nub_core::PlanError>(())
//! ```

mod effort;
mod options;
mod registry;
mod search;
mod standard;
mod step;

pub use effort::Effort;
pub use options::{Options, Preparations, Selection};
pub use registry::{Entry, registry};
pub use search::PlanSearch;
pub use step::{Input, Needs, Started, Step, Validity};

use crate::{FrontEnd, Granularity, Hidden, Knowledge};
use std::{fmt, sync::Arc};

/// The version of [`Plan::spelling`]. It changes when the same spelling would mean other candidates.
const VERSION: u32 = 1;

/// The word in a plan that goes back to its beginning if anything has changed.
const AGAIN: &str = "again";

/// What a reduction does: steps, one after the other.
#[derive(Clone, Debug)]
pub struct Plan {
    items: Vec<Item>,
    name: String,
    /// What texts are cut into.
    granularities: Vec<Granularity>,
    /// How hard it tries.
    pub effort: Effort,
    /// How comments appear in trees.
    pub hidden: Hidden,
}

/// One item of a plan.
#[derive(Clone, Debug)]
enum Item {
    Step(Arc<dyn Step>),
    /// Back to the beginning, if anything has changed since, or if a step gave up before its end.
    Again,
}

/// Why there is no such plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// No step has this name.
    Unknown {
        /// The name.
        name: String,
    },
    /// The plan for this input has no such step to leave out or to single out.
    NotInPlan {
        /// The name.
        name: String,
        /// The names that are in it.
        known: Vec<String>,
    },
    /// A list minimiser is named twice, differently.
    Contradiction {
        /// The name in the plan.
        name: String,
        /// The name in the [options](Options::minimizer).
        other: &'static str,
    },
    /// A step needs to know more about the input than the front end does.
    Needs {
        /// The step.
        name: String,
        /// What it needs.
        needs: Needs,
    },
}

impl std::error::Error for PlanError {}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name } => {
                let lists = registry().iter().filter(|entry| entry.is_list()).map(|entry| entry.name);
                let trees = registry().iter().filter(|entry| entry.is_tree()).map(|entry| entry.name);
                let (lists, trees) = (lists.collect::<Vec<_>>().join(", "), trees.collect::<Vec<_>>().join(", "));
                write!(
                    f,
                    "unknown algorithm {name:?}: expected one of {lists}, {trees} (also coarse-…), each with or without \
                     *, a pass that `nub passes` lists, or several joined with +"
                )
            }
            Self::NotInPlan { name, known } => {
                write!(f, "no pass {name:?} in the plan for this input; it has {}", known.join(", "))
            }
            Self::Contradiction { name, other } => {
                write!(f, "--algorithm {name} and --list-minimizer {other} contradict each other: leave one out")
            }
            Self::Needs { name, needs: Needs::Tree } => {
                write!(f, "{name} needs the structure of the input: name its --language, or give a --tree")
            }
            Self::Needs { name, .. } => write!(f, "{name} needs the grammar of the input: name its --language"),
        }
    }
}

impl Plan {
    /// A plan of these steps, each once.
    pub fn of(steps: impl IntoIterator<Item = Arc<dyn Step>>) -> Self {
        let items: Vec<Item> = steps.into_iter().map(Item::Step).collect();
        let names: Vec<String> = items.iter().map(Item::name).collect();
        Self {
            items,
            name: names.join("+"),
            granularities: vec![],
            effort: Effort::default(),
            hidden: Hidden::default(),
        }
    }

    /// The same plan, repeated until no step changes anything.
    #[must_use]
    pub fn again(mut self) -> Self {
        self.items.push(Item::Again);
        self.name = format!("{}+{AGAIN}", self.name);
        self
    }

    /// The plan with these names, joined by `+`: published algorithms, list minimisers, passes, and `again`.
    ///
    /// # Errors
    /// If there is no step of such a name.
    pub fn named(names: &str, options: &Options) -> Result<Self, PlanError> {
        registry::plan(names, options)
    }

    /// What a user would call it: the names of its steps, joined by `+`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it cuts texts into, as a user would write it: `line+char`.
    pub fn granularity(&self) -> String {
        self.granularities.iter().map(|granularity| granularity.name()).collect::<Vec<_>>().join("+")
    }

    /// Everything that decides which candidates it proposes, in a form that is stable between versions of nub.
    pub fn spelling(&self) -> String {
        let items: Vec<String> = self.items.iter().map(Item::spelling).collect();
        format!("{VERSION}; effort {}; comments {}; {}", self.effort.name(), self.hidden.name(), items.join("; "))
    }

    /// The steps, without the word `again`.
    pub fn steps(&self) -> impl Iterator<Item = &Arc<dyn Step>> {
        self.items.iter().filter_map(|item| match item {
            Item::Step(step) => Some(step),
            Item::Again => None,
        })
    }

    /// Whether it goes back to its beginning.
    fn has_rounds(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Again))
    }

    /// Whether any step looks at more than bytes.
    pub fn uses_structure(&self) -> bool {
        self.steps().any(|step| step.needs() != Needs::Bytes)
    }

    /// Checks that a front end knows enough for all steps.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self, front_end: &dyn FrontEnd) -> Result<(), PlanError> {
        match self.steps().find(|step| !step.needs().are_met_by(front_end.knowledge())) {
            Some(step) => Err(PlanError::Needs { name: step.name(), needs: step.needs() }),
            None => Ok(()),
        }
    }

    /// Which minimality a complete run establishes on inputs of this front end: computed from what the steps, as they are
    /// configured, really try.
    pub fn minimality(&self, knowledge: Knowledge) -> Minimality {
        // Rounds end when a whole round changes nothing; without rounds only the last step has seen the result.
        let settled = matches!(self.items.last(), Some(Item::Again));
        let mut units = vec![];
        if !(self.has_rounds() && (self.effort == Effort::Quick || !settled)) {
            let steps: Vec<_> = self.steps().collect();
            let seen = if settled { &steps[..] } else { &steps[steps.len().saturating_sub(1)..] };
            for unit in seen.iter().flat_map(|step| step.minimality(settled)) {
                if !units.contains(&unit) {
                    units.push(unit);
                }
            }
        }
        let filters = knowledge == Knowledge::Grammar && self.steps().any(|step| step.filters());
        Minimality { units, only_valid: filters && self.effort != Effort::Thorough }
    }
}

impl PartialEq for Plan {
    fn eq(&self, other: &Self) -> bool {
        self.spelling() == other.spelling()
    }
}

impl Eq for Plan {}

/// What is known about a result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Minimality {
    /// Kinds of units (`node`, `token`, `char`, …) of which no single one can be removed.
    pub units: Vec<&'static str>,
    /// Whether that holds only for candidates without new syntax errors.
    pub only_valid: bool,
}

impl Item {
    fn name(&self) -> String {
        match self {
            Self::Step(step) => step.name(),
            Self::Again => AGAIN.to_owned(),
        }
    }

    fn spelling(&self) -> String {
        match self {
            Self::Step(step) => step.spelling(),
            Self::Again => AGAIN.to_owned(),
        }
    }
}
