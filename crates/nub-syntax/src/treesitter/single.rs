//! All single changes of a tree that its grammar allows.

use super::Syntax;
use nub_core::{
    HoistOrder, hoistables,
    tree::{Change, Kind, NodeId, Tree},
};

/// What a change does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// A part that may go as a whole goes.
    Part,
    /// A node is replaced by the shortest text of its symbol.
    Replacement,
    /// A node is replaced by a descendant of the same symbol.
    Hoist,
}

impl ChangeKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Part, Self::Replacement, Self::Hoist];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Part => "part",
            Self::Replacement => "replacement",
            Self::Hoist => "hoist",
        }
    }
}

/// The changes that a search tries on a prepared tree and that are expected to leave it one of its language: single
/// ones, with the node that they are about, from the root down.
///
/// HDD tries more than that: where nothing is known to take the place of a node, it is removed all the same.
pub fn single_changes(tree: &Tree, syntax: &Syntax) -> Vec<(ChangeKind, NodeId, Change)> {
    let state = tree.initial_state();
    let mut changes = vec![];
    let mut stack = vec![tree.root()];
    while let Some(node) = stack.pop() {
        stack.extend(tree.children(node).rev());
        if !state.is_kept(node) || node == tree.root() {
            continue;
        }
        // A group has no rule, be it from the grammar or from flattening.
        let kind = match (tree.kind(node), tree.name(node)) {
            (Kind::Quantified, _) | (Kind::Rule, "") => Some(ChangeKind::Part),
            _ => syntax.has_valid_replacement(node).then_some(ChangeKind::Replacement),
        };
        changes.extend(kind.map(|kind| (kind, node, Change { removed: vec![node], ..Change::default() })));
        for descendant in hoistables(tree, &state, node, HoistOrder::Preorder) {
            if syntax.may_replace(node, descendant) {
                let hoisted = [(node, descendant)].into();
                changes.push((ChangeKind::Hoist, node, Change { hoisted, ..Change::default() }));
            }
        }
    }
    changes
}
