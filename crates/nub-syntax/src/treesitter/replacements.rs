//! What nodes are replaced with, checked on the input at hand.
//!
//! [Phi](crate::grammar::Phi) is right about the grammar, but not always about the text: two tokens may be read as one, a
//! scanner may want something that the grammar does not say, a shorter reading may be forbidden by a precedence. So for
//! every kind of node in the input its best texts are put in the place of its first and of its last node, one after the
//! other, until one is found that adds no error. If none does, the smallest node of the kind in the input takes the part.
//! A language's `.phi` file can say that nodes of a kind are to be left alone.

use super::{
    compiled::Compiled,
    language::Language,
    reparse::{Reparser, count_errors, lines},
};
use crate::grammar::{
    ChildKind,
    phi::{self, joins},
};
use std::{
    collections::{BTreeMap, HashSet},
    ops::Range,
    sync::Arc,
};
use tree_sitter::Tree;

/// How many texts are tried for a kind.
const MOST_TRIES: usize = 6;

/// No text that is longer is used.
const LONGEST: usize = 200;

/// From this size on a text is tried on one node rather than two, for the time that it takes.
const LARGE: usize = 200_000;

/// What an edit puts in the place of these bytes, so that it does not run into its neighbours: a blank is added where the
/// new text would be read together with what is beside it, and the old one was not.
pub(super) fn spaced(input: &[u8], range: Range<usize>, text: &str) -> Vec<u8> {
    let (before, old, after) = (&input[..range.start], &input[range.clone()], &input[range.end..]);
    let text = text.as_bytes();
    let (joined_before, joined_after) = (joins(before, old), joins(old, after));
    if text.is_empty() {
        let apart = joins(before, after) && !joined_before && !joined_after;
        return if apart { b" ".to_vec() } else { vec![] };
    }
    let blank = |needed: bool| if needed { &b" "[..] } else { b"" };
    [blank(joins(before, text) && !joined_before), text, blank(joins(text, after) && !joined_after)].concat()
}

/// The nodes of a kind that a text is tried on.
struct Samples {
    first: Range<usize>,
    last: Range<usize>,
    smallest: Range<usize>,
}

/// The replacements of the kinds of nodes of an input, and whether they were found to add no error.
pub(super) fn find(
    language: &Language,
    compiled: &Compiled,
    input: &[u8],
    tree: &Tree,
) -> BTreeMap<ChildKind, (Arc<str>, bool)> {
    let Some(parser) = Reparser::new(language, input, tree, lines(input)) else { return BTreeMap::new() };
    let mut trials = Trials { parser, errors: count_errors(tree.root_node()) };
    let samples = samples(compiled, tree);
    let mut found: BTreeMap<ChildKind, (Arc<str>, bool)> = BTreeMap::new();
    // The kinds that have no text yet, with those that are still to be tried, the best last.
    let mut open: Vec<(ChildKind, &Samples, Vec<Arc<str>>)> = (samples.iter())
        .filter(|&(&kind, _)| !compiled.is_kept(kind))
        .map(|(&kind, samples)| (kind, samples, texts(compiled, input, kind, samples)))
        .collect();
    while !open.is_empty() {
        let mut tried = vec![];
        let mut edits = vec![];
        for (kind, samples, mut texts) in open {
            let Some(text) = texts.pop() else {
                found.insert(kind, ("".into(), false));
                continue;
            };
            let last = Some(&samples.last).filter(|last| **last != samples.first && input.len() < LARGE);
            for range in std::iter::once(&samples.first).chain(last) {
                edits.push((tried.len(), range.clone(), spaced(input, range.clone(), &text)));
            }
            tried.push((kind, samples, texts, text));
        }
        edits.retain(|(_, range, new)| &input[range.clone()] != new.as_slice());
        let failed = trials.failures(&edits);
        open = vec![];
        for (i, (kind, samples, texts, text)) in tried.into_iter().enumerate() {
            if failed.contains(&i) {
                open.push((kind, samples, texts));
            } else {
                found.insert(kind, (text, true));
            }
        }
    }
    found
}

/// The texts that may replace nodes of a kind, the best last.
fn texts(compiled: &Compiled, input: &[u8], kind: ChildKind, samples: &Samples) -> Vec<Arc<str>> {
    let grammar = compiled.grammar();
    let sources = grammar.sources(kind);
    let mut texts: Vec<Arc<str>> =
        sources.iter().flat_map(|&rule| compiled.phi.candidates(grammar, rule, MOST_TRIES)).collect();
    texts.sort_by(|a, b| phi::compare(a, b));
    texts.dedup();
    texts.truncate(MOST_TRIES);
    // A token that a scanner recognises depends on what is around it; lines that follow depend on their indentation,
    // and where columns have a meaning, so does everything.
    let described = sources.iter().any(|&rule| grammar.rule(rule).body.is_some());
    let fits_anywhere = |text: &&[u8]| described && !compiled.layout && text.len() <= LONGEST && !text.contains(&b'\n');
    let smallest = input.get(samples.smallest.clone()).filter(fits_anywhere);
    texts.extend(smallest.and_then(|text| std::str::from_utf8(text).ok()).map(Arc::from));
    texts.reverse();
    texts
}

struct Trials<'a> {
    parser: Reparser<'a>,
    errors: usize,
}

/// An edit, and on whose behalf it is tried.
type Trial = (usize, Range<usize>, Vec<u8>);

impl Trials<'_> {
    fn is_valid(&mut self, edits: &[&Trial]) -> bool {
        let edits: Vec<(Range<usize>, &[u8])> =
            edits.iter().map(|(_, range, new)| (range.clone(), new.as_slice())).collect();
        self.parser.parse(&edits).is_some_and(|tree| count_errors(tree.root_node()) <= self.errors)
    }

    /// Whose edits are not valid. To parse is what costs, so edits that are apart are tried together, and one by one only
    /// if that fails.
    fn failures(&mut self, trials: &[Trial]) -> HashSet<usize> {
        let mut batches: Vec<Vec<&Trial>> = vec![];
        let mut by_size: Vec<&Trial> = trials.iter().collect();
        by_size.sort_by_key(|(_, range, _)| range.len());
        for trial in by_size {
            let apart = |other: &&Trial| trial.1.end + 1 < other.1.start || other.1.end + 1 < trial.1.start;
            match batches.iter_mut().find(|batch| batch.iter().all(apart)) {
                Some(batch) => batch.push(trial),
                None => batches.push(vec![trial]),
            }
        }
        let mut failed = HashSet::new();
        // Halved until they are valid or single.
        while let Some(mut batch) = batches.pop() {
            batch.sort_by_key(|(_, range, _)| range.start);
            match batch.as_slice() {
                [(who, ..)] if failed.contains(who) => {}
                edits if self.is_valid(edits) => {}
                [(who, ..)] => {
                    failed.insert(*who);
                }
                _ => {
                    batches.push(batch.split_off(batch.len() / 2));
                    batches.push(batch);
                }
            }
        }
        failed
    }
}

/// One pass over the tree. What is inside an ERROR says nothing about where a kind belongs. Nobody replaces the root, and
/// to try it would be to parse everything twice.
fn samples(compiled: &Compiled, tree: &Tree) -> BTreeMap<ChildKind, Samples> {
    let mut samples: Vec<Option<Samples>> = (0..compiled.grammar().kind_count()).map(|_| None).collect();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if let Some(kind) = compiled.kind(node)
            && node.is_named()
            && !node.is_extra()
            && node != tree.root_node()
            && node.start_byte() < node.end_byte()
        {
            let range = node.byte_range();
            match &mut samples[kind.index()] {
                Some(known) => {
                    if range.len() < known.smallest.len() {
                        known.smallest = range.clone();
                    }
                    known.last = range;
                }
                unknown => {
                    *unknown = Some(Samples { first: range.clone(), last: range.clone(), smallest: range });
                }
            }
        }
        if !node.is_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                let known = |kind: usize, samples: Option<Samples>| Some((compiled.kind_at(kind)?, samples?));
                return samples.into_iter().enumerate().filter_map(|(kind, samples)| known(kind, samples)).collect();
            }
        }
    }
}
