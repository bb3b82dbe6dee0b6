//! Parse trees: one shape for all front ends.
//!
//! A tree is an arena of nodes over the bytes of the input. It is built once, [prepared](prepare) once, and then never
//! changes: what a search removes and hoists is in a [`State`] beside it, which is cheap to clone and to extend.

mod cuts;
mod hdd;
mod hoist;
mod join;
pub mod prepare;
mod splice;
mod state;
mod unparse;

pub use hdd::{Phase, Traversal, TreeSearch};
pub use hoist::{Hoist, HoistOrder, hoistables};
pub use join::may_join;
pub(crate) use splice::Spliced;
pub use splice::{Splice, Splices};
pub use state::{Change, State};
pub use unparse::Spacing;

pub(crate) use cuts::Cuts;
use std::{collections::HashMap, collections::VecDeque, ops::Range, sync::Arc};

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Its number in the arena, from 0: for tables beside a tree.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A rule of the grammar, with children.
    Rule,
    /// One repetition of a quantified part of a rule (`x*`, `x+`, `x?`): may go as a whole.
    Quantified,
    /// A token, with text.
    Token,
    /// Text that the parser could not make sense of.
    Error,
}

impl Kind {
    /// Whether it is a leaf.
    pub fn is_token(self) -> bool {
        matches!(self, Self::Token | Self::Error)
    }
}

/// A place in the input, as people count: lines from 1, columns in characters from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// The name of a rule or token, interned: equal names have equal symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symbol(u32);

impl Symbol {
    /// The symbol of groups that no rule of the grammar stands for.
    pub const NONE: Self = Self(0);
}

#[derive(Clone, Debug)]
struct Node {
    kind: Kind,
    symbol: Symbol,
    /// What the text of the node is replaced with when it is removed: Phi of its symbol.
    replacement: Arc<str>,
    start: Position,
    end: Position,
    /// The bytes of the node: from its first token to its last.
    span: Range<u32>,
    children: VecDeque<NodeId>,
    /// Not a unit: its removal would change nothing.
    skipped: bool,
    /// Not a unit: it cannot go alone.
    fixed: bool,
}

/// A parse tree.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    root: NodeId,
    text: Arc<[u8]>,
    names: Arc<[Arc<str>]>,
    /// The bytes of all tokens, in order.
    tokens: Arc<[Range<u32>]>,
    /// Whether blanks mean something, so that none is put between tokens.
    verbatim: bool,
}

impl Tree {
    /// The topmost node.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// How many nodes the arena holds, those that a preparation has dropped included.
    pub fn arena_len(&self) -> usize {
        self.nodes.len()
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }

    /// What the node is.
    pub fn kind(&self, node: NodeId) -> Kind {
        self.node(node).kind
    }

    /// The interned name of the node.
    pub fn symbol(&self, node: NodeId) -> Symbol {
        self.node(node).symbol
    }

    /// The name of the node; empty for a group that no rule stands for.
    pub fn name(&self, node: NodeId) -> &str {
        &self.names[self.node(node).symbol.0 as usize]
    }

    /// The children of a node, and in the place of groups among them what is in those.
    pub fn elements(&self, node: NodeId) -> Vec<NodeId> {
        let mut elements = vec![];
        let mut waiting: Vec<NodeId> = self.children(node).rev().collect();
        while let Some(child) = waiting.pop() {
            if self.kind(child) == Kind::Quantified {
                waiting.extend(self.children(child).rev());
            } else {
                elements.push(child);
            }
        }
        elements
    }

    /// What stands in the node's place when it is removed.
    pub fn replacement(&self, node: NodeId) -> &str {
        &self.node(node).replacement
    }

    /// The text of a token; nothing for a rule.
    pub fn text(&self, node: NodeId) -> &[u8] {
        if self.node(node).kind.is_token() { &self.text[self.span(node)] } else { b"" }
    }

    /// The bytes of the input that the node covers, from its first token to its last, whatever its kind.
    pub fn source(&self, node: NodeId) -> &[u8] {
        &self.text[self.span(node)]
    }

    /// Which bytes of the input the node covers, from its first token to its last.
    pub fn span(&self, node: NodeId) -> Range<usize> {
        let Range { start, end } = self.node(node).span;
        start as usize..end as usize
    }

    /// The input, with what lies between the tokens.
    pub fn input(&self) -> &Arc<[u8]> {
        &self.text
    }

    /// Where the node starts.
    pub fn start(&self, node: NodeId) -> Position {
        self.node(node).start
    }

    /// Where the node ends.
    pub fn end(&self, node: NodeId) -> Position {
        self.node(node).end
    }

    /// The children, in order.
    pub fn children(&self, node: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + '_ {
        self.node(node).children.iter().copied()
    }

    fn child(&self, node: NodeId, index: usize) -> Option<NodeId> {
        self.node(node).children.get(index).copied()
    }

    /// Whether a preparation has found that removing the node would change nothing.
    pub fn is_skipped(&self, node: NodeId) -> bool {
        self.node(node).skipped
    }

    /// Whether the front end has said that the node cannot go alone.
    pub fn is_fixed(&self, node: NodeId) -> bool {
        self.node(node).fixed
    }

    /// Writes the text of the tree in a state, with a change tried on top of it.
    pub fn unparse(&self, state: &State, change: &Change, spacing: Spacing, sink: &mut dyn FnMut(&[u8])) {
        match spacing {
            Spacing::Original => self.cuts(state, change).write(self, sink),
            Spacing::Picireny => unparse::unparse(self, state, change, sink),
        }
    }

    /// What a state with a change on top of it amounts to in the bytes of the input.
    pub(crate) fn cuts(&self, state: &State, change: &Change) -> Cuts {
        Cuts(self.merge_cuts(state.cuts(), change))
    }

    /// All tokens that have text, from left to right.
    pub fn leaves(&self) -> Vec<NodeId> {
        let mut leaves = self.post_order();
        leaves.retain(|&node| self.kind(node).is_token() && !self.span(node).is_empty());
        leaves
    }

    /// All nodes that can be reached from the root, children before their parents.
    fn post_order(&self) -> Vec<NodeId> {
        // Parents before children, from right to left; reversed, it is children before parents, from left to right.
        let mut order = Vec::new();
        let mut stack = vec![self.root];
        while let Some(node) = stack.pop() {
            order.push(node);
            stack.extend(self.children(node));
        }
        order.reverse();
        order
    }
}

/// Builds a [`Tree`] from the leaves up.
#[derive(Debug)]
pub struct TreeBuilder {
    nodes: Vec<Node>,
    text: Vec<u8>,
    names: Vec<Arc<str>>,
    symbols: HashMap<Arc<str>, Symbol>,
    replacements: HashMap<Box<str>, Arc<str>>,
    verbatim: bool,
}

impl TreeBuilder {
    /// A builder of trees over this input.
    pub fn new(input: impl Into<Vec<u8>>) -> Self {
        let (names, symbols, replacements) = (vec![], HashMap::new(), HashMap::new());
        let text = input.into();
        let mut builder = Self { nodes: vec![], text, names, symbols, replacements, verbatim: false };
        builder.symbol("");
        builder
    }

    /// Adds to the input, for trees that come with the texts of their tokens and without what was between them. Returns
    /// where it is.
    pub fn append(&mut self, text: &[u8]) -> Range<usize> {
        let start = self.text.len();
        self.text.extend_from_slice(text);
        start..self.text.len()
    }

    fn symbol(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(name) {
            return symbol;
        }
        let symbol = Symbol(self.names.len() as u32);
        let name: Arc<str> = name.into();
        self.names.push(Arc::clone(&name));
        self.symbols.insert(name, symbol);
        symbol
    }

    fn replacement(&mut self, text: &str) -> Arc<str> {
        if let Some(replacement) = self.replacements.get(text) {
            return Arc::clone(replacement);
        }
        let replacement: Arc<str> = text.into();
        self.replacements.insert(text.into(), Arc::clone(&replacement));
        replacement
    }

    fn push(
        &mut self,
        kind: Kind,
        name: &str,
        replacement: &str,
        positions: Range<Position>,
        span: Range<u32>,
        children: VecDeque<NodeId>,
    ) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("a tree has fewer than 2^32 nodes"));
        let (symbol, replacement) = (self.symbol(name), self.replacement(replacement));
        let Range { start, end } = positions;
        self.nodes.push(Node { kind, symbol, replacement, start, end, span, children, skipped: false, fixed: false });
        id
    }

    /// Says that a node cannot go alone, whatever its replacement: it is no unit. What is below it may be.
    pub fn fix(&mut self, node: NodeId) {
        self.nodes[node.index()].fixed = true;
    }

    /// Says that blanks mean something, so that none is put between tokens that meet.
    pub fn verbatim(&mut self) {
        self.verbatim = true;
    }

    /// Adds a token, which covers these bytes of the input.
    pub fn token(
        &mut self,
        kind: Kind,
        name: &str,
        bytes: Range<usize>,
        replacement: &str,
        positions: Range<Position>,
    ) -> NodeId {
        let offset = |at: usize| u32::try_from(at).expect("an input is smaller than 4 GiB");
        let span = offset(bytes.start)..offset(bytes.end);
        self.push(kind, name, replacement, positions, span, VecDeque::new())
    }

    /// Adds a node with children, which must have been added before.
    pub fn rule(
        &mut self,
        kind: Kind,
        name: &str,
        replacement: &str,
        positions: Range<Position>,
        children: impl IntoIterator<Item = NodeId>,
    ) -> NodeId {
        let children: VecDeque<NodeId> = children.into_iter().collect();
        let start = children.front().map_or(0, |child| self.nodes[child.index()].span.start);
        let end = children.back().map_or(start, |child| self.nodes[child.index()].span.end);
        self.push(kind, name, replacement, positions, start..end, children)
    }

    /// Adds a node that is where its children are.
    pub fn parent(
        &mut self,
        kind: Kind,
        name: &str,
        replacement: &str,
        children: impl IntoIterator<Item = NodeId>,
    ) -> NodeId {
        let children: Vec<NodeId> = children.into_iter().collect();
        let none = Position { line: 1, column: 0 };
        let start = children.first().map_or(none, |child| self.nodes[child.index()].start);
        let end = children.last().map_or(none, |child| self.nodes[child.index()].end);
        self.rule(kind, name, replacement, start..end, children)
    }

    /// The tree below `root`.
    pub fn finish(self, root: NodeId) -> Tree {
        let (text, names, tokens) = (self.text.into(), self.names.into(), Arc::from([]));
        let mut tree = Tree { nodes: self.nodes, root, text, names, tokens, verbatim: self.verbatim };
        let leaves = tree.post_order().into_iter().map(|node| tree.node(node));
        tree.tokens =
            leaves.filter(|node| node.kind.is_token() && !node.span.is_empty()).map(|node| node.span.clone()).collect();
        tree
    }
}
