//! Samples edits that the grammar allows, and looks whether they are valid. Used by a test and by an example.

use nub_core::tree::{Kind, NodeId, Tree};
use nub_syntax::treesitter::{Checker, Language, Parsed, Syntax, TextEdit, parse};
use std::ops::Range;

/// The kinds of edits: a group of the tree goes; a child goes with its separators; a node is replaced with its
/// replacement; a node is replaced with one of its descendants.
pub(crate) const EDITS: [&str; 4] = ["group", "removal", "phi", "hoist"];

/// What was found for a language.
#[derive(Default)]
pub(crate) struct Row {
    pub(crate) files: usize,
    pub(crate) bytes: usize,
    pub(crate) nodes: usize,
    pub(crate) errors: usize,
    pub(crate) rules: usize,
    pub(crate) matched: usize,
    /// For each kind of edit: tried, valid.
    pub(crate) edits: [(usize, usize); 4],
}

/// A small generator of numbers that are always the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }

    fn choose<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }
}

/// Samples edits of a file. Those that turn out not to be valid are shown if it has a name.
pub(crate) fn sample(language: &'static Language, input: &[u8], row: &mut Row, count: usize, verbose: Option<&str>) {
    let Ok(Parsed { tree, syntax, errors, rules, matched }) = parse(language, input) else { return };
    let Ok(checker) = Checker::new(language, input) else { return };
    let nodes = all_nodes(&tree);
    row.files += 1;
    row.bytes += input.len();
    row.nodes += nodes.len();
    row.errors += errors;
    row.rules += rules;
    row.matched += matched;
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for (kind, name) in EDITS.iter().enumerate() {
        let edits: Vec<NodeId> = match kind {
            0 => nodes.iter().copied().filter(|&node| tree.kind(node) == Kind::Quantified).collect(),
            1 => nodes
                .iter()
                .copied()
                .filter(|&node| syntax.parent(node).is_some() && tree.kind(node) == Kind::Rule)
                .collect(),
            2 => nodes.iter().copied().filter(|&node| phi_changes(&tree, &syntax, node)).collect(),
            _ => nodes
                .iter()
                .copied()
                .filter(|&node| syntax.parent(node).is_some() && tree.kind(node) == Kind::Rule)
                .collect(),
        };
        for _ in 0..count.min(4 * edits.len()) {
            let Some(&node) = numbers.choose(&edits) else { break };
            let edit = match kind {
                0 => Some(vec![(tree.span(node), String::new())]),
                1 => removal(&tree, &syntax, node),
                2 => Some(vec![(tree.span(node), tree.replacement(node).to_owned())]),
                _ => hoist(&tree, &syntax, node, &mut numbers),
            };
            let Some(edit) = edit else { continue };
            let edits: Vec<TextEdit> =
                edit.iter().map(|(range, text)| TextEdit::replacing(input, range.clone(), text)).collect();
            let valid = checker.adds_no_error(&edits);
            row.edits[kind].0 += 1;
            row.edits[kind].1 += usize::from(valid);
            if let Some(path) = verbose.filter(|_| !valid) {
                let (name_of, parent) = (tree.name(node), syntax.parent(node).map(|node| tree.name(node)));
                for TextEdit { range, text } in &edits {
                    let shown = |range: Range<usize>| String::from_utf8_lossy(&input[range]).into_owned();
                    let before = shown(range.start.saturating_sub(30)..range.start);
                    let after = shown(range.end..input.len().min(range.end + 30));
                    let old: String = shown(range.clone()).chars().take(100).collect();
                    let new = String::from_utf8_lossy(text).chars().take(100).collect::<String>();
                    eprintln!("{path}: {name}: {name_of:?} in {parent:?}: {before:?} [{old:?} -> {new:?}] {after:?}");
                }
            }
        }
    }
}

fn all_nodes(tree: &Tree) -> Vec<NodeId> {
    let mut nodes = vec![tree.root()];
    let mut next = 0;
    while let Some(&node) = nodes.get(next) {
        nodes.extend(tree.children(node));
        next += 1;
    }
    nodes
}

fn phi_changes(tree: &Tree, syntax: &Syntax, node: NodeId) -> bool {
    let text = &tree.input()[tree.span(node)];
    syntax.has_valid_replacement(node) && text != tree.replacement(node).as_bytes()
}

/// The node goes, with as many separators as must go with it.
fn removal(tree: &Tree, syntax: &Syntax, node: NodeId) -> Option<Vec<(Range<usize>, String)>> {
    let parent = syntax.parent(node)?;
    let list = syntax.children(parent);
    let removed = syntax.removal(parent, &[node])?;
    let mut ranges: Vec<(Range<usize>, String)> = vec![];
    for (i, &child) in list.iter().enumerate().filter(|(_, child)| removed.contains(child)) {
        let follows = i > 0 && removed.contains(&list[i - 1]);
        match ranges.last_mut().filter(|_| follows) {
            Some((range, _)) => range.end = tree.span(child).end,
            None => ranges.push((tree.span(child), String::new())),
        }
    }
    Some(ranges)
}

/// A descendant stands in the node's place.
fn hoist(tree: &Tree, syntax: &Syntax, node: NodeId, numbers: &mut Numbers) -> Option<Vec<(Range<usize>, String)>> {
    let mut descendants = vec![];
    let mut todo: Vec<NodeId> = syntax.children(node).to_vec();
    while let Some(other) = todo.pop().filter(|_| descendants.len() < 50) {
        if syntax.may_replace(node, other)
            && tree.span(other).len() < tree.span(node).len()
            && !tree.span(other).is_empty()
        {
            descendants.push(other);
        }
        todo.extend(syntax.children(other));
    }
    let &other = numbers.choose(&descendants)?;
    let text = String::from_utf8(tree.input()[tree.span(other)].to_vec()).ok()?;
    Some(vec![(tree.span(node), text)])
}
