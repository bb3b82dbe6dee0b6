//! The replacements of nodes, checked on the actual input.
//!
//! [Phi](crate::grammar::Phi) is right about the grammar, but not always about the text: two tokens may be read as one,
//! a scanner may require something that the grammar does not mention, a precedence may forbid a shorter reading. So for
//! every kind of node in the input, its best texts are tried one after the other in place of its first and its last
//! node, until one adds no error. If none does, the smallest node of that kind in the input becomes the replacement. A
//! language's `.phi` file can exclude kinds from replacement.

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

/// The maximum number of texts tried per kind.
const MOST_TRIES: usize = 6;

/// The maximum length of a text.
const LONGEST: usize = 200;

/// From this input size on, a text is tried on only one node, to save time.
const LARGE: usize = 200_000;

/// The text that an edit puts in place of these bytes. A blank is added where the new text would merge with its
/// neighbour and the old one did not.
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

/// The replacement for each kind of node in an input, and whether it is known to add no error.
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
    // The kinds without a text so far, with the texts that remain to be tried, best last.
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

/// The texts that may replace nodes of a kind, best last.
fn texts(compiled: &Compiled, input: &[u8], kind: ChildKind, samples: &Samples) -> Vec<Arc<str>> {
    let grammar = compiled.grammar();
    let sources = grammar.sources(kind);
    let mut texts: Vec<Arc<str>> =
        sources.iter().flat_map(|&rule| compiled.phi.candidates(grammar, rule, MOST_TRIES)).collect();
    texts.sort_by(|a, b| phi::compare(a, b));
    texts.dedup();
    texts.truncate(MOST_TRIES);
    // A token recognised by a scanner depends on its surroundings, and so do lines on their indentation. Where columns
    // are significant, everything does.
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

/// An edit, and the index of the text it belongs to.
type Trial = (usize, Range<usize>, Vec<u8>);

impl Trials<'_> {
    fn is_valid(&mut self, edits: &[&Trial]) -> bool {
        let edits: Vec<(Range<usize>, &[u8])> =
            edits.iter().map(|(_, range, new)| (range.clone(), new.as_slice())).collect();
        self.parser.parse(&edits).is_some_and(|tree| count_errors(tree.root_node()) <= self.errors)
    }

    /// The indices of the texts whose edits are invalid. Parsing is the expensive part, so edits that are apart are
    /// tried together, and one by one only if that fails.
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
        // Halve them until they are valid or single.
        while let Some(mut batch) = batches.pop() {
            batch.sort_by_key(|(_, range, _)| range.start);
            match batch.as_slice() {
                [(text, ..)] if failed.contains(text) => {}
                edits if self.is_valid(edits) => {}
                [(text, ..)] => {
                    failed.insert(*text);
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

/// Collects the samples in one traversal. Nodes inside an ERROR say nothing about where a kind is allowed. The root is
/// never replaced, and trying it would mean parsing everything twice.
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
