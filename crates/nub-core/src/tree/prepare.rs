//! Preparing a tree for reduction (Hodován, Kiss and Gyimóthy, *Tree preprocessing and test outcome caching for
//! efficient hierarchical delta debugging*, AST 2017).
//!
//! All of these take linear time and do not recurse: inputs nest a hundred thousand levels deep.

use super::{Kind, Node, NodeId, State, Symbol, Tree, unparse};
use std::{collections::VecDeque, mem};

/// All preparations of the published experiments, in their order.
pub fn all(tree: &mut Tree) {
    remove_empty(tree);
    flatten_recursion(tree);
    squeeze(tree);
    skip_unremovable(tree);
}

/// Drops tokens without text and rules without children, from the leaves up. A root without children stays.
pub fn remove_empty(tree: &mut Tree) {
    for node in tree.post_order() {
        let children = mem::take(&mut tree.nodes[node.index()].children);
        let is_empty = |child: &NodeId| match tree.kind(*child).is_token() {
            true => tree.text(*child).is_empty(),
            false => tree.node(*child).children.is_empty(),
        };
        let kept = children.into_iter().filter(|child| !is_empty(child)).collect();
        tree.nodes[node.index()].children = kept;
    }
}

/// Turns the deep spine of a recursive rule into one list.
///
/// `rule: a | rule b` parses `a b b b` as a left-leaning spine: `(((a b) b) b)`. Flattened, it is one rule with the
/// children `a`, `b`, `b`, `b`. Each `b` is a group with an empty replacement, so each can be removed. Right recursion
/// is treated likewise.
pub fn flatten_recursion(tree: &mut Tree) {
    for node in tree.post_order() {
        let symbol = tree.symbol(node);
        if tree.kind(node).is_token() || symbol == Symbol::NONE {
            continue;
        }
        let same =
            |child: Option<NodeId>| child.filter(|&child| tree.symbol(child) == symbol && !tree.kind(child).is_token());
        let children = &tree.node(node).children;
        let (first, last) = (same(children.front().copied()), same(children.back().copied()));
        let only = children.len() == 1;
        let mut children = mem::take(&mut tree.nodes[node.index()].children);
        match (first, last) {
            (Some(left), _) if only => children = mem::take(&mut tree.nodes[left.index()].children),
            (Some(left), _) => {
                children.pop_front();
                let right = group(tree, children);
                children = mem::take(&mut tree.nodes[left.index()].children);
                children.push_back(right);
            }
            (None, Some(right)) => {
                children.pop_back();
                let left = group(tree, children);
                children = mem::take(&mut tree.nodes[right.index()].children);
                children.push_front(left);
            }
            (None, None) => {}
        }
        tree.nodes[node.index()].children = children;
    }
}

/// A group that may be removed as a whole. `children` is not empty.
fn group(tree: &mut Tree, children: VecDeque<NodeId>) -> NodeId {
    let first = children.front().map_or(tree.root, |&child| child);
    let last = children.back().map_or(first, |&child| child);
    let span = tree.node(first).span.start..tree.node(last).span.end;
    let (start, end) = (tree.start(first), tree.end(last));
    let id = NodeId(tree.nodes.len() as u32);
    let (kind, symbol, replacement) = (Kind::Rule, Symbol::NONE, "".into());
    tree.nodes.push(Node { kind, symbol, replacement, start, end, span, children, skipped: false, fixed: false });
    id
}

/// Shortens chains of only children with equal replacements to their lowest node: removing any of them has the same
/// effect.
pub fn squeeze(tree: &mut Tree) {
    // The node that takes the place of each node, computed from the leaves up.
    let mut lowest: Vec<NodeId> = (0..tree.nodes.len() as u32).map(NodeId).collect();
    for node in tree.post_order() {
        for child in &mut tree.nodes[node.index()].children {
            *child = lowest[child.index()];
        }
        if let &[only] = tree.children(node).take(2).collect::<Vec<_>>().as_slice()
            && tree.replacement(only) == tree.replacement(node)
            && tree.is_fixed(only) == tree.is_fixed(node)
        {
            lowest[node.index()] = only;
        }
    }
    tree.root = lowest[tree.root.index()];
}

/// Marks the nodes whose text equals their replacement: removing them changes nothing, so they are not units.
pub fn skip_unremovable(tree: &mut Tree) {
    let longest = tree.nodes.iter().map(|node| node.replacement.len()).max().unwrap_or(0);
    // The text of every node that is short enough to equal a replacement, so that each costs a bounded amount.
    let mut texts: Vec<Option<Vec<u8>>> = vec![None; tree.nodes.len()];
    for node in tree.post_order() {
        let text = if tree.kind(node).is_token() {
            Some(tree.text(node).to_vec())
        } else {
            let children: Vec<NodeId> = tree.children(node).collect();
            unparse::join(tree, &children, |child| texts[child.index()].as_deref(), longest)
        };
        let skipped = text.as_deref().is_some_and(|text| text == tree.replacement(node).as_bytes());
        tree.nodes[node.index()].skipped = skipped;
        texts[node.index()] = text.filter(|text| text.len() <= longest);
    }
}

/// Marks blank tokens: removing them is not worth a test.
pub fn skip_blanks(tree: &mut Tree) {
    for node in tree.post_order() {
        let blank = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_whitespace);
        if tree.kind(node).is_token() && blank(tree.text(node)) {
            tree.nodes[node.index()].skipped = true;
        }
    }
}

impl Tree {
    /// The state in which only the nodes that a preparation has marked as not worth removing count as removed.
    pub fn initial_state(&self) -> State {
        State::new(self.nodes.iter().map(|node| node.skipped))
    }
}
