//! A state of a tree as cuts in its input.
//!
//! Removing a node cuts out its bytes, and perhaps inserts its replacement; hoisting a descendant cuts out everything
//! around it. So a candidate is the input with some cuts, and writing it takes time proportional to the cuts and to the
//! bytes that are left, not to the size of the tree.

use super::{
    Change, NodeId, Tree,
    join::{is_operator, may_join_strings},
};
use std::ops::Range;

/// Bytes that are cut out, and the node whose replacement, if any, is inserted there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    span: Range<u32>,
    replaced: Option<NodeId>,
    around: Range<u32>,
}

impl Tree {
    /// The cuts of a change, ascending.
    fn cuts_of(&self, change: &Change) -> Vec<Cut> {
        let mut cuts = Vec::with_capacity(change.removed.len() + 2 * change.hoisted.len());
        for &node in &change.removed {
            cuts.push(self.cut(self.node(node).span.clone(), Some(node)));
        }
        for (&node, &descendant) in &change.hoisted {
            let (outer, inner) = (&self.node(node).span, &self.node(descendant).span);
            cuts.push(self.cut(outer.start..inner.start, None));
            cuts.push(self.cut(inner.end..outer.end, None));
        }
        cuts.retain(|cut| !cut.span.is_empty() || !self.inserted(cut).is_empty());
        cuts.sort_unstable_by_key(|cut| (cut.span.start, cut.span.end));
        cuts
    }

    fn cut(&self, span: Range<u32>, replaced: Option<NodeId>) -> Cut {
        Cut { around: self.around(&span), span, replaced }
    }

    /// From the end of the last token before a part of the input to the start of the first token after it. A token cut
    /// in two counts as one token before and one after the cut.
    pub(super) fn around(&self, span: &Range<u32>) -> Range<u32> {
        let before = self.tokens.partition_point(|token| token.end <= span.start);
        let after = self.tokens.partition_point(|token| token.start < span.end);
        let start = match self.tokens.get(before) {
            Some(token) if token.start < span.start => span.start,
            _ => before.checked_sub(1).map_or(0, |last| self.tokens[last].end),
        };
        let end = match after.checked_sub(1).map(|last| &self.tokens[last]) {
            Some(token) if token.end > span.end => span.end,
            _ => self.tokens.get(after).map_or(self.text.len() as u32, |token| token.start),
        };
        start..end
    }

    fn inserted(&self, cut: &Cut) -> &[u8] {
        cut.replaced.map_or(b"", |node| self.replacement(node).as_bytes())
    }

    /// The cuts of a state together with those of a change. A new cut swallows the old ones inside it.
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

    /// Writes the input without these pieces, which are in ascending order. Everything between two surviving tokens
    /// that were neighbours stays as it was.
    pub(super) fn write_without<'a>(&self, pieces: impl Iterator<Item = Piece<'a>>, sink: &mut dyn FnMut(&[u8])) {
        let mut writer = Writer { tree: self, done: 0, last: None, seam: None, sink };
        for piece in pieces {
            writer.keep_until(piece.around.start as usize);
            writer.cut(&piece);
        }
        writer.keep_until(self.text.len());
    }
}

/// The cuts of a candidate, ascending and disjoint.
pub(crate) struct Cuts(pub(super) Vec<Cut>);

impl Cuts {
    /// Writes the input of the tree with these cuts.
    pub(crate) fn write(&self, tree: &Tree, sink: &mut dyn FnMut(&[u8])) {
        let pieces = self.0.iter().map(|cut| Piece {
            span: &cut.span,
            around: cut.around.clone(),
            inserted: tree.inserted(cut),
            hoists: cut.replaced.is_none(),
        });
        tree.write_without(pieces, sink);
    }
}

/// A piece of the input that is cut out.
pub(super) struct Piece<'a> {
    pub(super) span: &'a Range<u32>,
    /// From the end of the last token before it to the start of the first token after it.
    pub(super) around: Range<u32>,
    /// The text that takes its place.
    pub(super) inserted: &'a [u8],
    /// Whether it surrounded a hoisted node.
    pub(super) hoists: bool,
}

/// A place where two tokens meet because something between them was cut out.
#[derive(Default)]
struct Seam {
    /// A gap of the input that is written here, unless the text that follows has a line break of its own.
    gap: Range<usize>,
    /// Where the next token starts, if it is kept.
    next: usize,
    /// Whether these tokens used to touch tokens that they look as if they would merge with, but did not: the parts of
    /// a string.
    touched: bool,
}

/// Writes the input with cuts, from left to right.
///
/// At a seam, the space before the second token is kept, with its line break and indentation. The space before the cut
/// is removed with it: it may hold a comment on the removed text. But if the cut removes the first token of a line, the
/// next token becomes the first of that line, since line breaks matter in many languages. A hoisted node takes the
/// place of its ancestor, including the space before it. Where two tokens would merge into one, a blank keeps them
/// apart.
struct Writer<'a> {
    tree: &'a Tree,
    /// How much of the input has been written or cut.
    done: usize,
    /// The byte written last.
    last: Option<u8>,
    /// The open seam, if something has been cut out since then.
    seam: Option<Seam>,
    sink: &'a mut dyn FnMut(&[u8]),
}

impl Writer<'_> {
    /// Keeps the input from the writer's position up to `end`.
    fn keep_until(&mut self, end: usize) {
        if self.done >= end {
            return;
        }
        let text = &self.tree.text;
        let mut start = std::mem::replace(&mut self.done, end);
        if let Some(Seam { gap, next, .. }) = &self.seam
            && !gap.is_empty()
        {
            let gap = gap.clone();
            let own = &text[start..(*next).clamp(start, end)];
            if last_line_break(own).is_none() {
                self.write(&text[gap]);
                start += own.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            }
        }
        self.write(&text[start..end]);
    }

    /// Leaves out a piece, and inserts its replacement if there is one. Tokens before the cut have already been
    /// written.
    fn cut(&mut self, cut: &Piece<'_>) {
        let text = &self.tree.text;
        let (start, end) = (cut.span.start as usize, cut.span.end as usize);
        let touches = |at: usize| at > 0 && at < text.len() && may_join_strings(text[at - 1], text[at]);
        let touched = !cut.span.is_empty();
        let gap = self.done.min(start)..start;
        let inserted = cut.inserted;
        if inserted.is_empty() {
            let mut seam = self.seam.take().unwrap_or_default();
            let line = last_line_break(&text[gap.clone()]).map(|at| gap.start + at..gap.end);
            match cut.hoists {
                false => seam.gap = line.unwrap_or(seam.gap),
                true if !gap.is_empty() => seam.gap = gap,
                true => {}
            }
            seam.next = cut.around.end as usize;
            seam.touched |= touched && (touches(start) || touches(end));
            self.seam = Some(seam);
        } else {
            self.keep_until(start);
            self.seam.get_or_insert_default().touched |= touched && touches(start);
            self.write(inserted);
            self.seam = Some(Seam { touched: touched && touches(end), ..Seam::default() });
        }
        self.done = self.done.max(end);
    }

    /// Writes a piece, with a blank before it if necessary.
    fn write(&mut self, piece: &[u8]) {
        let (Some(&first), Some(&last)) = (piece.first(), piece.last()) else { return };
        let touched = self.seam.take().is_some_and(|seam| seam.touched);
        if let Some(before) = self.last
            && !self.tree.verbatim
            && may_join_strings(before, first)
            && (!touched || is_operator(before) && is_operator(first))
        {
            (self.sink)(b" ");
        }
        (self.sink)(piece);
        self.last = Some(last);
    }
}

/// The position of the last line break. A backslash before it continues the line.
fn last_line_break(gap: &[u8]) -> Option<usize> {
    let continues = |before: &[u8]| before.strip_suffix(b"\r").unwrap_or(before).ends_with(b"\\");
    (0..gap.len()).rev().find(|&at| gap[at] == b'\n' && !continues(&gap[..at]))
}
