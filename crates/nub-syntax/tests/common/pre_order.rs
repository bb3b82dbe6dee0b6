//! Tree traversal.

use nub_core::tree::{NodeId, Tree};

/// All nodes, parents before their children, siblings in order.
pub(crate) fn pre_order(tree: &Tree) -> Vec<NodeId> {
    let mut nodes = vec![];
    let mut stack = vec![tree.root()];
    while let Some(node) = stack.pop() {
        nodes.push(node);
        stack.extend(tree.children(node).rev());
    }
    nodes
}
