//! Transformation-based minimisation and hoisting: Vince, Hodován, Bársony and Kiss, *The effect of hoisting on variants
//! of Hierarchical Delta Debugging*, 2022.

use crate::{
    Batch, Candidate, Label, Search,
    tree::{Change, NodeId, State, Symbol, Tree},
};
use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

/// In which order the candidates of one node are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum HoistOrder {
    /// As they come in the text: the authors' tool.
    #[default]
    Preorder,
    /// The most distant first: the authors' paper.
    Furthest,
}

/// χ(n): on every path down from `node`, the first descendant with the same symbol, which may stand in its place.
///
/// A descendant that is itself removed is a candidate nevertheless, as in the recorded runs: its replacement may do.
pub fn hoistables(tree: &Tree, state: &State, node: NodeId, order: HoistOrder) -> Vec<NodeId> {
    let symbol = tree.symbol(node);
    if tree.kind(node).is_token() || symbol == Symbol::NONE || !state.is_kept(node) {
        return vec![];
    }
    let mut found: Vec<(usize, NodeId)> = vec![];
    let children = |node| tree.children(node).rev().map(|child| state.resolve(child));
    let mut stack: Vec<(usize, NodeId)> = children(node).map(|child| (1, child)).collect();
    while let Some((depth, node)) = stack.pop() {
        if tree.symbol(node) == symbol {
            found.push((depth, node));
        } else if !tree.kind(node).is_token() && state.is_kept(node) {
            stack.extend(children(node).map(|child| (depth + 1, child)));
        }
    }
    if order == HoistOrder::Furthest {
        // Stable: equally distant ones stay in the order of the text.
        found.sort_by_key(|&(depth, _)| std::cmp::Reverse(depth));
    }
    found.into_iter().map(|(_, node)| node).collect()
}

/// TMIN with τ = χ: replaces nodes by descendants, one at a time, until no single further replacement is interesting.
#[derive(Clone, Debug)]
pub struct Hoist {
    tree: Arc<Tree>,
    state: State,
    nodes: Arc<[NodeId]>,
    order: HoistOrder,
    /// What has been found to be interesting so far.
    mapping: Arc<BTreeMap<NodeId, NodeId>>,
    run: usize,
    /// How many candidates this run has tried.
    tried: usize,
    /// The next node to look at, and what is left to be tried of the one before it.
    next_node: usize,
    waiting: VecDeque<NodeId>,
}

impl Hoist {
    /// Hoisting into the places of `nodes`.
    pub fn new(tree: Arc<Tree>, state: State, nodes: Arc<[NodeId]>, order: HoistOrder) -> Self {
        let waiting = VecDeque::new();
        Self { tree, state, nodes, order, mapping: Arc::default(), run: 0, tried: 0, next_node: 0, waiting }
    }

    fn attempt(&self) -> Option<BTreeMap<NodeId, NodeId>> {
        let (node, descendant) = (*self.nodes.get(self.next_node.checked_sub(1)?)?, *self.waiting.front()?);
        let mut mapping = (*self.mapping).clone();
        mapping.insert(node, descendant);
        Some(mapping)
    }
}

impl Search for Hoist {
    type Proposal = Change;

    fn propose(&mut self) -> Option<Batch<Change>> {
        while self.waiting.is_empty() {
            let &node = self.nodes.get(self.next_node)?;
            self.next_node += 1;
            if self.state.is_kept(node) {
                let stand_in = self.mapping.get(&node).copied().unwrap_or(node);
                self.waiting = hoistables(&self.tree, &self.state, stand_in, self.order).into();
            }
        }
        let label = Label::new(format_args!("r{}_m{}", self.run, self.tried));
        let what = Change { hoisted: self.attempt()?, ..Change::default() };
        Some(vec![Candidate { label, what }])
    }

    fn answer(&mut self, interesting: &[usize]) {
        if interesting.is_empty() {
            self.waiting.pop_front();
            self.tried += 1;
        } else if let Some(mapping) = self.attempt() {
            self.mapping = Arc::new(mapping);
            self.waiting.clear();
            (self.run, self.tried, self.next_node) = (self.run + 1, 0, 0);
        }
    }

    fn current(&self) -> Change {
        Change { hoisted: (*self.mapping).clone(), ..Change::default() }
    }
}
