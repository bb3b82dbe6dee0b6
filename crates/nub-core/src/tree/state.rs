//! The state of a search over a tree, and the changes it tries next. The tree itself never changes.

use super::{NodeId, Tree, cuts::Cut};
use std::{collections::BTreeMap, sync::Arc};

/// Which nodes have been removed, and which nodes have been replaced by a hoisted descendant.
#[derive(Clone, Debug)]
pub struct State {
    removed: Arc<[u64]>,
    hoisted: Arc<BTreeMap<NodeId, NodeId>>,
    /// The same state as cuts in the input.
    cuts: Arc<[Cut]>,
}

/// A change that is tried on top of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Change {
    /// The nodes to remove, ascending.
    pub removed: Vec<NodeId>,
    /// Nodes, with the descendants that are hoisted into their places.
    pub hoisted: BTreeMap<NodeId, NodeId>,
}

impl State {
    pub(super) fn new(removed: impl Iterator<Item = bool>) -> Self {
        let removed: Vec<bool> = removed.collect();
        let word = |bits: &[bool]| bits.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit));
        Self { removed: removed.chunks(64).map(word).collect(), hoisted: Arc::default(), cuts: Arc::from([]) }
    }

    /// Whether the node is kept.
    pub fn is_kept(&self, node: NodeId) -> bool {
        self.removed[node.index() / 64] >> (node.index() % 64) & 1 == 0
    }

    /// The node that stands in the place of this one: itself, or the descendant hoisted there.
    pub fn resolve(&self, mut node: NodeId) -> NodeId {
        while let Some(&hoisted) = self.hoisted.get(&node) {
            node = hoisted;
        }
        node
    }

    pub(super) fn cuts(&self) -> &[Cut] {
        &self.cuts
    }

    /// The state with the change applied.
    #[must_use]
    pub fn with(&self, tree: &Tree, change: &Change) -> Self {
        let mut new = Self { cuts: tree.merge_cuts(&self.cuts, change).into(), ..self.clone() };
        if !change.removed.is_empty() {
            let removed: &mut [u64] = Arc::make_mut(&mut new.removed);
            for node in &change.removed {
                removed[node.index() / 64] |= 1 << (node.index() % 64);
            }
        }
        if !change.hoisted.is_empty() {
            Arc::make_mut(&mut new.hoisted).extend(&change.hoisted);
        }
        new
    }
}
