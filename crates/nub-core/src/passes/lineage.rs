//! The parents of nodes, which trees do not store.

use crate::{Structure, tree::NodeId};
use std::collections::HashMap;

/// The nodes of an input with their parents.
pub(super) struct Lineage<'a> {
    structure: &'a dyn Structure,
    parents: HashMap<NodeId, NodeId>,
    /// All nodes in input order, parents before their children.
    pub(super) nodes: Vec<NodeId>,
}

impl<'a> Lineage<'a> {
    pub(super) fn new(structure: &'a dyn Structure) -> Self {
        let mut parents = HashMap::new();
        let mut nodes = vec![];
        let mut waiting = vec![structure.tree().root()];
        while let Some(node) = waiting.pop() {
            nodes.push(node);
            for child in structure.elements(node).into_iter().rev() {
                parents.insert(child, node);
                waiting.push(child);
            }
        }
        Self { structure, parents, nodes }
    }

    pub(super) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.parents.get(&node).copied()
    }

    /// A node and its ancestors with the same text, from the inside out: a name is an expression is an argument.
    pub(super) fn same_text(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let span = self.structure.tree().span(node);
        std::iter::successors(Some(node), |&node| self.parent(node))
            .take_while(move |&node| self.structure.tree().span(node) == span)
    }

    /// The removable list elements around a node, from the inside out, as pairs of parent and element.
    pub(super) fn removable(&self, node: NodeId) -> impl Iterator<Item = (NodeId, NodeId)> {
        std::iter::successors(Some(node), |&node| self.parent(node))
            .filter_map(|node| Some((self.parent(node)?, node)))
            .filter(|&(parent, node)| self.structure.removal(parent, &[node]).is_some())
    }
}
