//! A state of a tree as cuts in its input.
//!
//! To remove a node is to cut its bytes out, and perhaps to put its replacement there; to hoist a descendant is to cut
//! out what is around it. So a candidate is the input with some cuts, and to write it takes time in proportion to the
//! cuts and to a copy of what is left, not to the size of the tree.

use super::{Change, NodeId, Tree};
use std::ops::Range;

/// Bytes that are taken out, and the node whose replacement, if any, is put there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    span: Range<u32>,
    replaced: Option<NodeId>,
}

impl Tree {
    /// The cuts of a change, ascending.
    fn cuts_of(&self, change: &Change) -> Vec<Cut> {
        let mut cuts = Vec::with_capacity(change.removed.len() + 2 * change.hoisted.len());
        for &node in &change.removed {
            cuts.push(Cut { span: self.node(node).span.clone(), replaced: Some(node) });
        }
        for (&node, &descendant) in &change.hoisted {
            let (outer, inner) = (&self.node(node).span, &self.node(descendant).span);
            cuts.push(Cut { span: outer.start..inner.start, replaced: None });
            cuts.push(Cut { span: inner.end..outer.end, replaced: None });
        }
        cuts.retain(|cut| !cut.span.is_empty() || !self.inserted(cut).is_empty());
        cuts.sort_unstable_by_key(|cut| (cut.span.start, cut.span.end));
        cuts
    }

    fn inserted(&self, cut: &Cut) -> &[u8] {
        cut.replaced.map_or(b"", |node| self.replacement(node).as_bytes())
    }

    /// The cuts of a state with those of a change; what lies inside of a new cut is gone with it.
    pub(super) fn merge_cuts(&self, old: &[Cut], change: &Change) -> Vec<Cut> {
        let new = self.cuts_of(change);
        let mut merged = Vec::with_capacity(old.len() + new.len());
        let mut old = old.iter().peekable();
        for cut in new {
            while let Some(before) = old.next_if(|old| old.span.end <= cut.span.start && old.span != cut.span) {
                merged.push(before.clone());
            }
            while old.next_if(|old| old.span.end <= cut.span.end).is_some() {}
            merged.push(cut);
        }
        merged.extend(old.cloned());
        merged
    }

    /// The end of the last token that ends at `at` or before.
    fn token_end_before(&self, at: u32) -> usize {
        let after = self.tokens.partition_point(|token| token.end <= at);
        after.checked_sub(1).map_or(0, |last| self.tokens[last].end as usize)
    }

    /// Writes the input with cuts. Between two surviving tokens that were neighbours, everything is as it was. Between
    /// others, what stood before the second of them is kept, with its line break and indentation; what was before the
    /// cut, such as a comment on what is gone, goes with it. Where two tokens would become one, a blank keeps them apart.
    pub(super) fn write_with_cuts(&self, cuts: &[Cut], sink: &mut dyn FnMut(&[u8])) {
        self.write_without(cuts.iter().map(|cut| (&cut.span, self.inserted(cut))), sink);
    }

    /// The same for spans, ascending, and what is put in their place.
    pub(super) fn write_without<'a>(
        &self,
        spans: impl Iterator<Item = (&'a Range<u32>, &'a [u8])>,
        sink: &mut dyn FnMut(&[u8]),
    ) {
        let mut writer = Writer { last: None, sink };
        let mut done = 0;
        for (span, inserted) in spans {
            let before = self.token_end_before(span.start).max(done);
            writer.write(&self.text[done..before]);
            done = before;
            if !inserted.is_empty() {
                writer.write(&self.text[done..(span.start as usize).max(done)]);
                writer.write(inserted);
            }
            done = (span.end as usize).max(done);
        }
        writer.write(&self.text[done..]);
    }
}

/// Writes pieces, with a blank between two where the last token of one and the first of the other would become one.
struct Writer<'a> {
    last: Option<u8>,
    sink: &'a mut dyn FnMut(&[u8]),
}

impl Writer<'_> {
    fn write(&mut self, piece: &[u8]) {
        let (Some(&first), Some(&last)) = (piece.first(), piece.last()) else { return };
        if self.last.is_some_and(|before| may_join(before, first)) {
            (self.sink)(b" ");
        }
        (self.sink)(piece);
        self.last = Some(last);
    }
}

/// Whether two tokens that end and begin with these bytes might be read as one, or as others, in some language: words,
/// numbers, operators, quotes.
fn may_join(last: u8, next: u8) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii();
    let operator = |byte: u8| b"+-*/%&|^!=<>~?:.@#\\".contains(&byte);
    let quote = |byte: u8| b"\"'`".contains(&byte);
    word(last) && (word(next) || quote(next) || next == b'.')
        || operator(last) && (operator(next) || last == b'.' && next.is_ascii_digit())
        || quote(last) && (quote(next) || word(next))
}
