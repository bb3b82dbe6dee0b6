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
    reparse::{Reparser, count_errors},
};
use crate::grammar::{ChildKind, phi};
use std::{collections::BTreeMap, ops::Range, sync::Arc};
use tree_sitter::Tree;

/// How many texts are tried for a kind.
const MOST_TRIES: usize = 6;

/// No text that is longer is used.
const LONGEST: usize = 200;

/// What an edit puts in the place of these bytes, so that it does not run into its neighbours: a blank is added where the
/// new text would be read together with what is beside it, and the old one was not.
pub(super) fn spaced(input: &[u8], range: Range<usize>, text: &str) -> Vec<u8> {
    // Four bytes are enough for a character, and keep this from reading the rest of the input.
    let first = |at: usize| {
        let next = &input[at..input.len().min(at + 4)];
        next.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next())
    };
    let last = |at: usize| {
        let chunks = input[at.saturating_sub(4)..at].utf8_chunks();
        chunks.last().and_then(|chunk| chunk.valid().chars().next_back())
    };
    let (before, after) = (last(range.start), first(range.end));
    let old = (!range.is_empty()).then(|| (first(range.start), last(range.end)));
    let (old_first, old_last) = old.unwrap_or_default();
    let joins = |left: Option<char>, right: Option<char>| {
        left.zip(right).is_some_and(|(left, right)| phi::needs_separator(left, right))
    };
    let (joined_before, joined_after) = (joins(before, old_first), joins(old_last, after));
    let mut new = Vec::with_capacity(text.len() + 2);
    if text.is_empty() {
        if joins(before, after) && !joined_before && !joined_after {
            new.push(b' ');
        }
        return new;
    }
    if joins(before, text.chars().next()) && !joined_before {
        new.push(b' ');
    }
    new.extend_from_slice(text.as_bytes());
    if joins(text.chars().next_back(), after) && !joined_after {
        new.push(b' ');
    }
    new
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
    let Some(mut parser) = Reparser::new(language, input, tree) else { return BTreeMap::new() };
    let errors = count_errors(tree.root_node());
    let mut find = |kind: ChildKind, samples: &Samples| {
        let grammar = compiled.grammar();
        let sources = grammar.sources(kind).iter();
        let mut texts: Vec<Arc<str>> =
            sources.flat_map(|&rule| compiled.phi.candidates(grammar, rule, MOST_TRIES)).collect();
        texts.sort_by(|a, b| phi::compare(a, b));
        texts.dedup();
        texts.truncate(MOST_TRIES);
        // A token that a scanner recognises depends on what is around it; lines that follow depend on their indentation.
        let described = grammar.sources(kind).iter().any(|&rule| grammar.rule(rule).body.is_some());
        let fits_anywhere = |text: &&[u8]| described && text.len() <= LONGEST && !text.contains(&b'\n');
        let smallest = input.get(samples.smallest.clone()).filter(fits_anywhere);
        texts.extend(smallest.and_then(|text| std::str::from_utf8(text).ok()).map(Arc::from));
        let mut fits = |text: &str| {
            [&samples.first, &samples.last].into_iter().all(|range| {
                let new = spaced(input, range.clone(), text);
                let tree = (input[range.clone()] != new).then(|| parser.parse(&[(range.clone(), &new)]));
                tree.is_none_or(|tree| tree.is_some_and(|tree| count_errors(tree.root_node()) <= errors))
            })
        };
        let found = texts.iter().find(|text| fits(text));
        found.map(|text| (Arc::clone(text), true)).unwrap_or_else(|| ("".into(), false))
    };
    let samples = samples(compiled, tree);
    samples
        .iter()
        .filter(|&(&kind, _)| !compiled.is_kept(kind))
        .map(|(&kind, samples)| (kind, find(kind, samples)))
        .collect()
}

/// One pass over the tree. What is inside an ERROR says nothing about where a kind belongs.
fn samples(compiled: &Compiled, tree: &Tree) -> BTreeMap<ChildKind, Samples> {
    let mut samples: Vec<Option<Samples>> = (0..compiled.grammar().kind_count()).map(|_| None).collect();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if let Some(kind) = compiled.kind(node)
            && node.is_named()
            && !node.is_extra()
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
