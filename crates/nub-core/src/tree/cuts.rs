//! A state of a tree as cuts in its input.
//!
//! To remove a node is to cut its bytes out, and perhaps to put its replacement there; to hoist a descendant is to cut
//! out what is around it. So a candidate is the input with some cuts, and to write it takes time in proportion to the
//! cuts and to a copy of what is left, not to the size of the tree.

use super::{
    Change, NodeId, Tree,
    join::{is_operator, may_join_strings},
};
use std::ops::Range;

/// Bytes that are taken out, and the node whose replacement, if any, is put there.
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

    /// Where the last token before a part of the input ends, and the first one after it starts. A token that is cut in
    /// two is one before and one after the cut.
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

    /// Writes the input without these pieces, ascending. Between two surviving tokens that were neighbours, everything is
    /// as it was.
    pub(super) fn write_without<'a>(&self, pieces: impl Iterator<Item = Piece<'a>>, sink: &mut dyn FnMut(&[u8])) {
        let mut writer = Writer { tree: self, done: 0, last: None, seam: None, sink };
        for piece in pieces {
            writer.keep_until(piece.around.start as usize);
            writer.cut(&piece);
        }
        writer.keep_until(self.text.len());
    }
}

/// The cuts of a candidate, ascending and apart.
pub(crate) struct Cuts(pub(super) Vec<Cut>);

impl Cuts {
    /// Writes the input of the tree with them.
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

/// A piece of the input that goes.
pub(super) struct Piece<'a> {
    pub(super) span: &'a Range<u32>,
    /// Where the last token before it ends, and the first one after it starts.
    pub(super) around: Range<u32>,
    /// What takes its place.
    pub(super) inserted: &'a [u8],
    /// Whether it is what was around a hoisted node.
    pub(super) hoists: bool,
}

/// A place where tokens meet that were apart.
#[derive(Default)]
struct Seam {
    /// A gap of the input that is written there, unless what follows has a line break of its own.
    gap: Range<usize>,
    /// Where the next token starts, if it is kept.
    next: usize,
    /// Whether the tokens here touched others before that look as if they would be read together, and were not: the
    /// parts of a string.
    touched: bool,
}

/// Writes the input with cuts, from left to right.
///
/// At a seam, what stood before the second token is kept, with its line break and indentation; what was before the cut,
/// such as a comment on what is gone, goes with it. But where the first thing of a line goes, what follows is then the
/// first thing of that line: line breaks matter in many languages. What is hoisted takes the place of its ancestor, and
/// what stood before that. Where two tokens would become one, a blank keeps them apart.
struct Writer<'a> {
    tree: &'a Tree,
    /// How much of the input is accounted for.
    done: usize,
    /// What was written last.
    last: Option<u8>,
    /// Open, if something was cut out since.
    seam: Option<Seam>,
    sink: &'a mut dyn FnMut(&[u8]),
}

impl Writer<'_> {
    /// Keeps the input from where the writer is up to here.
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

    /// Leaves out, and puts in the replacement if there is one. What is before the cut and belongs to a token has been
    /// kept.
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

    /// Writes a piece, with a blank before it if need be.
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

/// Where the last line break is. After a backslash the line goes on.
fn last_line_break(gap: &[u8]) -> Option<usize> {
    let goes_on = |before: &[u8]| before.strip_suffix(b"\r").unwrap_or(before).ends_with(b"\\");
    (0..gap.len()).rev().find(|&at| gap[at] == b'\n' && !goes_on(&gap[..at]))
}
