//! The structure of an input: its tree, and what the grammar allows to be done with it.

mod closures;
mod format;
mod front_end;
mod largest;
mod outline;

pub use closures::{Closures, ClosuresStep};
pub use format::formatted;
pub use front_end::{BinaryData, FrontEnd, Hidden, Knowledge, PlainText, Unknown};
pub use largest::{LargestFirst, LargestStep};
pub use outline::Outline;

use crate::tree::{Kind, NodeId, Tree};
use std::{ops::Range, sync::Arc};

/// The structure of an input. Whatever it claims is only a hint: the test has the last word.
pub trait Structure: Send + Sync {
    /// The tree, as the parser has made it: not prepared.
    fn tree(&self) -> &Arc<Tree>;

    /// The children of a node that its grammar rule speaks about.
    fn elements(&self, node: NodeId) -> Vec<NodeId>;

    /// Which of its elements have to go so that these can: they and their separators. `None` if they cannot go.
    fn removal(&self, parent: NodeId, drop: &[NodeId]) -> Option<Vec<NodeId>>;

    /// Whether an element could go, if that is known without asking for its [`removal`](Self::removal).
    fn may_go(&self, _parent: NodeId, _element: NodeId) -> Option<bool> {
        None
    }

    /// Whether the children of a node touch, and any of them may go, and nothing goes with them.
    fn is_free(&self, _parent: NodeId) -> bool {
        false
    }

    /// Whether one node could stand in the place of another.
    fn may_replace(&self, node: NodeId, by: NodeId) -> bool;

    /// Whether the elements of a node, without its brackets, could stand in the place of another: where they are.
    fn may_unwrap(&self, node: NodeId, of: NodeId) -> Option<Range<usize>>;

    /// Whether the text of a token could be another one: a name, not a keyword.
    fn is_name(&self, token: NodeId) -> bool;

    /// Whether a name is being defined where it stands, as far as the grammar tells.
    fn is_definition(&self, _token: NodeId) -> bool {
        false
    }

    /// Whether line breaks and indentation mean nothing in its language, as far as is known.
    fn is_free_form(&self) -> bool {
        false
    }

    /// Whether a text has no more syntax errors than the input.
    fn is_valid(&self, text: &[u8]) -> bool;

    /// Whether to ask [`is_valid`](Self::is_valid) is so cheap and so sure that nothing that is made from the structure is
    /// tested without it, even before the test has shown that it refuses such things.
    fn is_strict(&self) -> bool {
        false
    }
}

/// A tree without a grammar: a node can be removed if its replacement is empty, and replaced by a node of the same name.
pub struct PlainStructure<V> {
    /// The tree.
    pub tree: Arc<Tree>,
    /// Whether a text has no more syntax errors than the input.
    pub is_valid: V,
}

impl<V: Fn(&[u8]) -> bool + Send + Sync> Structure for PlainStructure<V> {
    fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    fn elements(&self, node: NodeId) -> Vec<NodeId> {
        self.tree.children(node).collect()
    }

    fn removal(&self, _: NodeId, drop: &[NodeId]) -> Option<Vec<NodeId>> {
        drop.iter().all(|&node| self.tree.replacement(node).is_empty()).then(|| drop.to_vec())
    }

    fn may_replace(&self, node: NodeId, by: NodeId) -> bool {
        let rule = |node| self.tree.kind(node) == Kind::Rule;
        rule(node) && rule(by) && self.tree.symbol(node) == self.tree.symbol(by)
    }

    fn may_unwrap(&self, _: NodeId, _: NodeId) -> Option<Range<usize>> {
        None
    }

    /// What is replaced by itself can be nothing else.
    fn is_name(&self, token: NodeId) -> bool {
        self.tree.replacement(token).as_bytes() != self.tree.text(token)
    }

    fn is_valid(&self, text: &[u8]) -> bool {
        (self.is_valid)(text)
    }
}
