//! The visible structure of a text without a known grammar.
//!
//! People write texts so that their structure can be seen: blank lines separate records, lines are indented below the
//! line they belong to, brackets and quotation marks come in pairs, lists have commas, fields have a colon after their
//! name. An [`Outline`] is a tree of that structure:
//!
//! ```text
//! Package: cpp          ┐ line: a field with a name and a value    ┐
//! Depends: a (> 1), b   │ line: a field; the value is a list       │ paragraph
//!                       ┘ of words and a bracket                   ┘
//! Package: a            …
//! ```
//!
//! Nothing is lost: the leaves of the tree, from left to right, are the input. And nothing depends on a correct guess:
//! a wrong one costs tests, and the later steps over tokens and characters ignore the outline.
//!
//! The outline of a large input is coarse, to save time and memory: its leaves are whole lines, or groups of lines. The
//! largest parts are tried first anyway, and the remaining text gets a new outline.

mod brackets;
mod build;
mod lines;
mod tokens;

use crate::{
    Structure,
    tree::{NodeId, Tree},
};
use std::{collections::HashSet, ops::Range, sync::Arc};

/// The largest input, in bytes, whose outline contains every token.
const FINE: usize = 1 << 18;
/// The same for inputs of a few long lines, which have no other structure.
const FINE_LONG_LINES: usize = 1 << 21;
/// The average number of bytes per line that counts as long.
const LONG_LINE: usize = 1 << 10;
/// The largest number of lines that are leaves of their own. If there are more, each leaf has several lines.
const LINES: usize = 1 << 16;

/// The relation between the children of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// There are no children.
    Leaf,
    /// All children are needed.
    Fixed,
    /// Any child may be removed, without anything else.
    Free,
    /// Every other child is a separator; an element is removed together with a separator.
    Separated,
    /// The child with this index is surrounded by the others: brackets, quotation marks, a name, a first and a last
    /// line. The byte distinguishes kinds of brackets.
    Around { inner: u32, mark: u8 },
}

/// The structure of a text as far as it shows. See [`PlainText`](crate::PlainText).
#[derive(Debug)]
pub struct Outline {
    tree: Arc<Tree>,
    /// The shape of every node.
    shapes: Vec<Shape>,
    /// The position of every node among its siblings.
    places: Vec<u32>,
}

impl Outline {
    /// The outline of a text, whatever its bytes.
    ///
    /// ```
    /// use nub_core::{Outline, Structure};
    ///
    /// let outline = Outline::new(b"a: 1, 2\n");
    /// let leaves = outline.tree().leaves();
    /// let texts: Vec<&[u8]> = leaves.iter().map(|&leaf| outline.tree().text(leaf)).collect();
    /// assert_eq!(texts, [&b"a"[..], b":", b" ", b"1", b", ", b"2", b"\n"]);
    /// ```
    ///
    /// # Panics
    /// If there are 4 GiB of input or more.
    pub fn new(text: &[u8]) -> Self {
        build::outline(text)
    }

    fn shape(&self, node: NodeId) -> Shape {
        self.shapes[node.index()]
    }

    /// The children of a separated list that are removed along with `drop`. One separator stays between two elements
    /// that stay, and it is one that had not been removed before.
    fn separated(&self, list: NodeId, drop: &[NodeId]) -> Option<Vec<NodeId>> {
        let drop: HashSet<NodeId> = drop.iter().copied().collect();
        let mut removed = vec![];
        let mut kept = false;
        // The separators since the last element that stays.
        let mut between: Vec<NodeId> = vec![];
        for (place, child) in self.tree.children(list).enumerate() {
            let dropped = drop.contains(&child);
            match (place % 2 == 1, dropped) {
                (_, true) => removed.push(child),
                (true, false) => between.push(child),
                (false, false) => {
                    // Nothing needs separating before the first element that stays.
                    removed.extend(between.drain(..).skip(usize::from(kept)));
                    kept = true;
                }
            }
        }
        removed.append(&mut between);
        kept.then_some(removed)
    }
}

impl Structure for Outline {
    fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    fn elements(&self, node: NodeId) -> Vec<NodeId> {
        self.tree.children(node).collect()
    }

    /// Never removes all elements of a list: that is better done by removing its parent, with everything around it.
    fn removal(&self, parent: NodeId, drop: &[NodeId]) -> Option<Vec<NodeId>> {
        match self.shape(parent) {
            Shape::Leaf | Shape::Fixed => None,
            Shape::Free => (drop.len() < self.tree.children(parent).len()).then(|| drop.to_vec()),
            Shape::Separated if drop.len() == 1 && !self.may_go(parent, drop[0])? => None,
            Shape::Separated => self.separated(parent, drop),
            Shape::Around { .. } => {
                drop.iter().all(|&child| self.may_go(parent, child) == Some(true)).then(|| drop.to_vec())
            }
        }
    }

    fn may_go(&self, parent: NodeId, element: NodeId) -> Option<bool> {
        let place = self.places[element.index()];
        Some(match self.shape(parent) {
            Shape::Leaf | Shape::Fixed => false,
            Shape::Free => true,
            Shape::Separated => place.is_multiple_of(2),
            Shape::Around { inner, .. } => place == inner,
        })
    }

    fn is_free(&self, parent: NodeId) -> bool {
        self.shape(parent) == Shape::Free
    }

    /// Brackets may take the place of brackets of the same kind.
    fn may_replace(&self, node: NodeId, by: NodeId) -> bool {
        match (self.shape(node), self.shape(by)) {
            (Shape::Around { mark: 0, .. }, _) => false,
            (Shape::Around { mark, .. }, Shape::Around { mark: other, .. }) => mark == other,
            _ => false,
        }
    }

    fn may_unwrap(&self, node: NodeId, of: NodeId) -> Option<Range<usize>> {
        match self.shape(node) {
            Shape::Around { inner, .. } if node == of => {
                self.tree.children(node).nth(inner as usize).map(|inner| self.tree.span(inner))
            }
            _ => None,
        }
    }

    fn is_name(&self, _: NodeId) -> bool {
        true
    }

    fn is_valid(&self, _: &[u8]) -> bool {
        true
    }
}
