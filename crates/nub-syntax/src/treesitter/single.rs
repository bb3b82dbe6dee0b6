//! All single changes to a tree that its grammar allows.

use super::Syntax;
use nub_core::{
    HoistOrder, hoistables,
    tree::{Change, Kind, NodeId, Tree},
};

/// What a change does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// A group that can be removed is removed.
    Part,
    /// A node is replaced by the shortest text of its symbol.
    Replacement,
    /// A node is replaced by a descendant of the same symbol.
    Hoist,
}

impl ChangeKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Part, Self::Replacement, Self::Hoist];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Part => "part",
            Self::Replacement => "replacement",
            Self::Hoist => "hoist",
        }
    }
}

/// The single changes that a search tries on a prepared tree and that should keep it in its language, each with its
/// node, from the root down.
///
/// HDD tries more: it also removes nodes that have no known valid replacement.
pub fn single_changes(tree: &Tree, syntax: &Syntax) -> Vec<(ChangeKind, NodeId, Change)> {
    let state = tree.initial_state();
    let mut changes = vec![];
    let mut stack = vec![tree.root()];
    while let Some(node) = stack.pop() {
        stack.extend(tree.children(node).rev());
        if !state.is_kept(node) || node == tree.root() {
            continue;
        }
        // Groups have no rule, whether they come from the grammar or from flattening.
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
