//! Changes of nodes: two trees are compared from the root down.
//!
//! Children that are equal, text and all, belong together; so do children of the same kind between them, whose own children
//! are then compared; and what is left goes, comes, or is replaced, each node as a whole. So most mixtures of two programs
//! are programs, where most mixtures of their lines are not. (GumTree, Falleri et al. 2014, also finds what has moved; a
//! change that takes something away here and puts it there is no help in isolation, because either half of it may be what
//! matters.)

use super::{Change, Diff, Difference, pairs};
use crate::tree::{NodeId, Tree};
use std::{ops::Range, sync::Arc};

/// The changes between the inputs of two trees.
pub(crate) fn between_trees(diff: &dyn Diff, old: &Tree, new: &Tree) -> Difference {
    let mut comparison = Comparison { diff, old, new, changes: vec![], waiting: vec![] };
    comparison.lists(&[old.root()], &[new.root()], (0..old.input().len(), 0..new.input().len()));
    while let Some((a, b)) = comparison.waiting.pop() {
        comparison.lists(&old.elements(a), &new.elements(b), (old.span(a), new.span(b)));
    }
    let mut changes = comparison.changes;
    changes.sort_by_key(|change| (change.old.start, change.new.start));
    Difference::new(Arc::clone(old.input()), Arc::clone(new.input()), changes)
}

struct Comparison<'a> {
    diff: &'a dyn Diff,
    old: &'a Tree,
    new: &'a Tree,
    changes: Vec<Change>,
    /// Nodes that belong together, and whose children are still to be compared. Not recursion: trees can be deep.
    waiting: Vec<(NodeId, NodeId)>,
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
                // Blanks and comments go and come with what follows them.
                Match::Gone(node) => {
                    let end = self.old.span(node).end;
                    self.change(a..end, b..b);
                    a = end;
                }
                Match::Come(node) => {
                    let end = self.new.span(node).end;
                    self.change(a..a, b..end);
                    b = end;
                }
                Match::Equal(x, y) | Match::Similar(x, y) | Match::Replaced(x, y) => {
                    let (x_span, y_span) = (self.old.span(x), self.new.span(y));
                    self.change(a..x_span.start, b..y_span.start);
                    (a, b) = (x_span.end, y_span.end);
                    match found {
                        Match::Similar(..) => self.waiting.push((x, y)),
                        Match::Replaced(..) => self.change(x_span, y_span),
                        _ => {}
                    }
                }
            }
        }
        self.change(a..old_span.end, b..new_span.end);
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
            let leaf = self.old.children(x).len() == 0 || self.new.children(y).len() == 0;
            if leaf { Match::Replaced(x, y) } else { Match::Similar(x, y) }
        };
        let mut same_from = (0, 0);
        for (gone, come) in self.diff.hunks(&old_kinds, &new_kinds) {
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
