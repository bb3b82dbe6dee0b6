//! The structure of a text whose grammar nobody knows, as far as it shows.
//!
//! People write texts so that their structure can be seen: records are set apart by blank lines, what belongs to a line is
//! indented below it, brackets and quotation marks come in pairs, lists have commas, fields have a colon after their name.
//! An [`Outline`] is a tree of what can be seen:
//!
//! ```text
//! Package: cpp          ┐ line: a field, of a name and a value     ┐
//! Depends: a (> 1), b   │ line: a field; the value is a list       │ paragraph
//!                       ┘ of words and a bracket                   ┘
//! Package: a            …
//! ```
//!
//! Nothing is lost: the leaves of the tree, from left to right, are the input. And nothing is believed: a wrong guess costs
//! tests, and the passes over tokens and characters that follow do not know about it.
//!
//! Large inputs have a coarse outline, so that it takes little time and memory: lines without what is in them, or groups of
//! lines. The largest parts go first anyway, and what is left of them gets an outline of its own.

mod brackets;
mod build;
mod lines;
mod tokens;

use crate::{
    Analyse, Structure,
    tree::{NodeId, Tree},
};
use std::{collections::HashSet, ops::Range, sync::Arc};

/// The largest input of which every token is in the outline.
const FINE: usize = 1 << 18;
/// The same for inputs of few and long lines, which have no other structure.
const FINE_LONG_LINES: usize = 1 << 21;
/// How many bytes per line, on average, make long lines.
const LONG_LINE: usize = 1 << 10;
/// The largest number of lines that are leaves. If there are more, several of them make one.
const LINES: usize = 1 << 16;

/// How the children of a node hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// It has none.
    Leaf,
    /// All are needed.
    Fixed,
    /// Any of them may go, and nothing goes with them.
    Free,
    /// Every other one is a separator; where an element goes, so does one of these.
    Separated,
    /// The child of this number has something around it: brackets, quotation marks, a name, a first and a last line. The
    /// byte tells different brackets apart.
    Around { inner: u32, mark: u8 },
}

/// The structure of a text as far as it shows. See [`PlainText`].
#[derive(Debug)]
pub struct Outline {
    tree: Arc<Tree>,
    /// The shape of every node.
    shapes: Vec<Shape>,
    /// Which child of its parent every node is.
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

    /// The children of a list with separators that go with these. Between two elements that stay one separator stays,
    /// and one that was not gone before.
    fn separated(&self, list: NodeId, drop: &[NodeId]) -> Option<Vec<NodeId>> {
        let drop: HashSet<NodeId> = drop.iter().copied().collect();
        let mut gone = vec![];
        let mut kept = false;
        // Separators since the last element that stays.
        let mut between: Vec<NodeId> = vec![];
        for (place, child) in self.tree.children(list).enumerate() {
            let dropped = drop.contains(&child);
            match (place % 2 == 1, dropped) {
                (_, true) => gone.push(child),
                (true, false) => between.push(child),
                (false, false) => {
                    // Before the first element that stays there is nothing to separate.
                    gone.extend(between.drain(..).skip(usize::from(kept)));
                    kept = true;
                }
            }
        }
        gone.append(&mut between);
        kept.then_some(gone)
    }
}

impl Structure for Outline {
    fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    fn elements(&self, node: NodeId) -> Vec<NodeId> {
        self.tree.children(node).collect()
    }

    /// What makes up all of a list does not go: its parent does, or what is around it stays for nothing.
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

/// Makes [`Outline`]s: what is known about texts whose grammar is not.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainText;

impl Analyse for PlainText {
    fn analyse(&self, bytes: &[u8]) -> Option<Arc<dyn Structure>> {
        Some(Arc::new(Outline::new(bytes)))
    }
}
