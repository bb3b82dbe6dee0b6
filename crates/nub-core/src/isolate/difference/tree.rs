//! Changes of nodes: two trees are compared from the root down.
//!
//! Children that are equal, text and all, belong together; so do children of the same kind between them, whose own children
//! are then compared; and what is left goes, comes, or is replaced, each node as a whole, or in as many levels of parts as
//! one likes. So most mixtures of two programs are programs, where most mixtures of their lines are not. (GumTree, Falleri et al. 2014, also finds what has moved; a
//! change that takes something away here and puts it there is no help in isolation, because either half of it may be what
//! matters.)

use super::{COMPARED, Change, Diff, Difference, pairs};
use crate::tree::{NodeId, Tree};
use std::{ops::Range, sync::Arc};

/// The changes between the inputs of two trees, and whether there are finer ones. Nodes that have no counterpart are taken
/// apart to this depth: 0 for none at all.
pub(crate) fn between_trees(diff: &dyn Diff, old: &Tree, new: &Tree, depth: usize) -> (Difference, bool) {
    let mut comparison = Comparison { diff, old, new, depth, changes: vec![], waiting: vec![], finer: false };
    comparison.lists(&[old.root()], &[new.root()], (0..old.input().len(), 0..new.input().len()));
    while let Some((a, b)) = comparison.waiting.pop() {
        comparison.lists(&old.elements(a), &new.elements(b), (old.span(a), new.span(b)));
    }
    let mut changes = comparison.changes;
    changes.sort_by_key(|change| (change.old.start, change.new.start));
    (Difference::new(Arc::clone(old.input()), Arc::clone(new.input()), changes), comparison.finer)
}

struct Comparison<'a> {
    diff: &'a dyn Diff,
    old: &'a Tree,
    new: &'a Tree,
    depth: usize,
    changes: Vec<Change>,
    /// Nodes that belong together, and whose children are still to be compared. Not recursion: trees can be deep.
    waiting: Vec<(NodeId, NodeId)>,
    /// Whether there was anything that has parts at the greatest depth.
    finer: bool,
}

/// What becomes of a node, or of two.
enum Match {
    Equal(NodeId, NodeId),
    Similar(NodeId, NodeId),
    Replaced(NodeId, NodeId),
    Gone(NodeId),
    Come(NodeId),
}

impl Comparison<'_> {
    /// Compares the nodes that these two parts of the inputs consist of, with what lies between them.
    fn lists(&mut self, old: &[NodeId], new: &[NodeId], (old_span, new_span): (Range<usize>, Range<usize>)) {
        // What is before here is done.
        let (mut a, mut b) = (old_span.start, new_span.start);
        for found in self.matches(old, new) {
            match found {
                Match::Gone(node) => a = self.replaced(Some(node), None, (a, b)).0,
                Match::Come(node) => b = self.replaced(None, Some(node), (a, b)).1,
                Match::Equal(x, y) | Match::Similar(x, y) | Match::Replaced(x, y) => {
                    let (x_span, y_span) = (self.old.span(x), self.new.span(y));
                    self.change(a..x_span.start, b..y_span.start);
                    match found {
                        Match::Similar(..) => self.waiting.push((x, y)),
                        Match::Replaced(..) => {
                            self.replaced(Some(x), Some(y), (x_span.start, y_span.start));
                        }
                        _ => {}
                    }
                    (a, b) = (x_span.end, y_span.end);
                }
            }
        }
        self.change(a..old_span.end, b..new_span.end);
    }

    /// A node goes, another comes in its place, or either: in one change, or part by part. Blanks and comments go and come
    /// with what follows them, from here on; where it ends is returned.
    fn replaced(&mut self, gone: Option<NodeId>, come: Option<NodeId>, from: (usize, usize)) -> (usize, usize) {
        let old = gone.map_or(vec![], |node| self.parts(self.old, node));
        let new = come.map_or(vec![], |node| self.parts(self.new, node));
        let (mut a, mut b) = from;
        for (i, j) in pairs(0..old.len(), 0..new.len()) {
            let ends = (i.map_or(a, |i| self.old.span(old[i]).end), j.map_or(b, |j| self.new.span(new[j]).end));
            self.change(a..ends.0, b..ends.1);
            (a, b) = ends;
        }
        (a, b)
    }

    /// The parts of a node at the depth that is wanted, or above it where it has no deeper ones.
    fn parts(&mut self, tree: &Tree, node: NodeId) -> Vec<NodeId> {
        let mut parts = vec![node];
        for _ in 0..self.depth {
            let inner = |node: NodeId| {
                let elements = tree.elements(node);
                if elements.is_empty() { vec![node] } else { elements }
            };
            parts = parts.into_iter().flat_map(inner).collect();
        }
        self.finer |= parts.iter().any(|&part| tree.children(part).len() > 0);
        parts
    }

    fn matches(&self, old: &[NodeId], new: &[NodeId]) -> Vec<Match> {
        let old_texts: Vec<&[u8]> = old.iter().map(|&node| self.old.source(node)).collect();
        let new_texts: Vec<&[u8]> = new.iter().map(|&node| self.new.source(node)).collect();
        let mut matches = vec![];
        let mut equal_from = (0, 0);
        for (gone, come) in self.diff.hunks(&old_texts, &new_texts) {
            matches.extend((equal_from.0..gone.start).zip(equal_from.1..).map(|(i, j)| Match::Equal(old[i], new[j])));
            equal_from = (gone.end, come.end);
            self.unequal(&old[gone], &new[come], &mut matches);
        }
        matches.extend((equal_from.0..old.len()).zip(equal_from.1..).map(|(i, j)| Match::Equal(old[i], new[j])));
        matches
    }

    /// Nodes no two of which are equal: those of the same kind belong together.
    fn unequal(&self, old: &[NodeId], new: &[NodeId], matches: &mut Vec<Match>) {
        let old_kinds: Vec<&[u8]> = old.iter().map(|&node| self.old.name(node).as_bytes()).collect();
        let new_kinds: Vec<&[u8]> = new.iter().map(|&node| self.new.name(node).as_bytes()).collect();
        let similar = |x: NodeId, y: NodeId| {
            let leaf = self.old.kind(x).is_token() || self.new.kind(y).is_token();
            if leaf { Match::Replaced(x, y) } else { Match::Similar(x, y) }
        };
        let hunks = match old.len() + new.len() <= COMPARED {
            true => self.diff.hunks(&old_kinds, &new_kinds),
            false => vec![(0..old.len(), 0..new.len())],
        };
        let mut same_from = (0, 0);
        for (gone, come) in hunks {
            matches.extend((same_from.0..gone.start).zip(same_from.1..).map(|(i, j)| similar(old[i], new[j])));
            same_from = (gone.end, come.end);
            matches.extend(pairs(gone, come).filter_map(|pair| match pair {
                (Some(i), Some(j)) => Some(Match::Replaced(old[i], new[j])),
                (Some(i), None) => Some(Match::Gone(old[i])),
                (None, Some(j)) => Some(Match::Come(new[j])),
                (None, None) => None,
            }));
        }
        matches.extend((same_from.0..old.len()).zip(same_from.1..).map(|(i, j)| similar(old[i], new[j])));
    }

    /// Makes a change of this, if it is one.
    fn change(&mut self, old: Range<usize>, new: Range<usize>) {
        if self.old.input()[old.clone()] != self.new.input()[new.clone()] {
            self.changes.push(Change { old, new });
        }
    }
}
