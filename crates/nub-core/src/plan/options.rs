//! The parameters of named algorithms.

use super::Effort;
use crate::{
    Granularity, Hidden, HoistOrder, ListAlgorithm, ListMinimizer, ListSettings, Traversal,
    tree::{Spacing, Tree, prepare},
};

/// Parameters for [`Plan::named`](super::Plan::named) and [`Plan::standard`](super::Plan::standard). The defaults are
/// those of the published experiments.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which list minimiser works inside tree algorithms.
    pub minimizer: Option<ListMinimizer>,
    /// Its parameters, but for the window.
    pub list: ListSettings,
    /// How many candidates are tested together; by default what the minimiser likes.
    pub window: Option<usize>,
    /// What texts are cut into, one after the other; by default what suits the plan.
    pub granularities: Option<Vec<Granularity>>,
    /// In which order hoisting tries descendants.
    pub hoist_order: HoistOrder,
    /// How recursive tree algorithms walk.
    pub traversal: Traversal,
    /// What is done to a tree first.
    pub preparations: Preparations,
    /// What is written between the tokens of a tree.
    pub spacing: Spacing,
    /// Whether tree algorithms leave out candidates that are not smaller. The published ones test them.
    pub smaller: bool,
    /// Whether text steps may leave out candidates that do not parse.
    pub filter: bool,
    /// How comments appear in trees.
    pub hidden: Hidden,
    /// How hard to try.
    pub effort: Effort,
    /// Which steps of a standard plan to use.
    pub selection: Selection,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            minimizer: None,
            list: ListSettings::default(),
            window: None,
            granularities: None,
            hoist_order: HoistOrder::default(),
            traversal: Traversal::Nodes { pop_first: false, append_reversed: false },
            preparations: Preparations::default(),
            spacing: Spacing::default(),
            smaller: true,
            filter: false,
            hidden: Hidden::default(),
            effort: Effort::default(),
            selection: Selection::default(),
        }
    }
}

impl Options {
    /// The list algorithm of a minimiser with these parameters.
    pub(super) fn list(&self, minimizer: ListMinimizer, star: bool) -> ListAlgorithm {
        let window = self.window.unwrap_or(minimizer.default_window());
        ListAlgorithm { minimizer, star, settings: ListSettings { window, ..self.list } }
    }

    /// What minimises lists inside other algorithms.
    pub(super) fn inner_list(&self, star: bool) -> ListAlgorithm {
        self.list(self.minimizer.unwrap_or_default(), star)
    }
}

/// What is done to a tree before it is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preparations {
    /// Turn recursive lists into flat ones.
    pub flatten: bool,
    /// Merge chains of nodes that have one child each.
    pub squeeze: bool,
    /// Hide what would be replaced by itself.
    pub skip_unremovable: bool,
}

impl Default for Preparations {
    fn default() -> Self {
        Self { flatten: true, squeeze: true, skip_unremovable: true }
    }
}

impl Preparations {
    pub(crate) fn apply(self, mut tree: Tree) -> Tree {
        prepare::remove_empty(&mut tree);
        if self.flatten {
            prepare::flatten_recursion(&mut tree);
        }
        if self.squeeze {
            prepare::squeeze(&mut tree);
        }
        if self.skip_unremovable {
            prepare::skip_unremovable(&mut tree);
        }
        tree
    }

    pub(crate) fn spelling(self) -> String {
        let words = [(self.flatten, "flatten"), (self.squeeze, "squeeze"), (self.skip_unremovable, "skip-unremovable")];
        words.iter().filter(|(on, _)| *on).map(|&(_, word)| word).collect::<Vec<_>>().join(" ")
    }
}

/// Which steps of a standard plan to use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only these, if any are named.
    pub only: Vec<String>,
    /// Not these.
    pub without: Vec<String>,
}
