//! What a search has done to a tree so far, and what it tries next. The tree itself never changes.

use super::{NodeId, Tree, cuts::Cut};
use std::{collections::BTreeMap, sync::Arc};

/// Which nodes are removed, and which descendants stand in the place of which nodes.
#[derive(Clone, Debug)]
pub struct State {
    removed: Arc<[u64]>,
    hoisted: Arc<BTreeMap<NodeId, NodeId>>,
    /// What all that amounts to in the bytes of the input.
    cuts: Arc<[Cut]>,
}

/// Something that is tried on top of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Change {
    /// Nodes that are removed, ascending.
    pub removed: Vec<NodeId>,
    /// Nodes with the descendants that stand in their places.
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

    /// What stands in the place of the node: itself, or what was hoisted there.
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
