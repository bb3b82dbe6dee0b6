//! Trees under construction.

use super::{NONE, Node, NodeId, NodeKind, some};

/// A tree that only grows at its right edge.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    nodes: Vec<Node>,
    root: u32,
}

impl Builder {
    /// Adds a node as the last child of its parent, or as the root.
    pub(crate) fn add(&mut self, parent: Option<NodeId>, kind: NodeKind) -> NodeId {
        let node = u32::try_from(self.nodes.len()).unwrap_or(NONE);
        let above = parent.map_or(NONE, |parent| parent.0);
        self.nodes.push(Node { kind, parent: above, first: NONE, last: NONE, next: NONE });
        match parent {
            Some(parent) => self.append(parent, node),
            None => self.root = node,
        }
        NodeId(node)
    }

    fn append(&mut self, parent: NodeId, node: u32) {
        let above = &mut self.nodes[parent.index()];
        let previous = std::mem::replace(&mut above.last, node);
        if previous == NONE {
            above.first = node;
        } else {
            self.nodes[previous as usize].next = node;
        }
    }

    /// The last child of a node.
    pub(crate) fn last_child(&self, node: NodeId) -> Option<NodeId> {
        some(self.nodes[node.index()].last)
    }

    /// Replaces a last child by a new node of the same kind with the child below it: this is how a left-recursive rule
    /// grows. `before` is the previous sibling of the child.
    pub(crate) fn wrap(&mut self, child: NodeId, before: Option<NodeId>) -> NodeId {
        let wrapper = u32::try_from(self.nodes.len()).unwrap_or(NONE);
        let Node { kind, parent, .. } = self.nodes[child.index()];
        self.nodes.push(Node { kind, parent, first: child.0, last: child.0, next: NONE });
        self.nodes[child.index()].parent = wrapper;
        if let Some(above) = some(parent) {
            self.nodes[above.index()].last = wrapper;
            match before {
                Some(before) => self.nodes[before.index()].next = wrapper,
                None => self.nodes[above.index()].first = wrapper,
            }
        } else {
            self.root = wrapper;
        }
        NodeId(wrapper)
    }

    /// The kind of a node.
    pub(crate) fn kind(&self, node: NodeId) -> NodeKind {
        self.nodes[node.index()].kind
    }

    /// The children of a node, in order.
    pub(crate) fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(some(self.nodes[node.index()].first), |child| some(self.nodes[child.index()].next))
    }

    pub(super) fn finish(self) -> (Vec<Node>, NodeId) {
        (self.nodes, NodeId(self.root))
    }
}
