//! Splices: changes to a tree's text beyond removing and hoisting nodes.
//!
//! A [`Change`](super::Change) works on nodes, and a removed node leaves its minimal replacement behind. A [`Splice`]
//! works on bytes: a list element with its comma, one occurrence of a name, a number that becomes 0.

use super::{Tree, cuts::Piece};
use crate::Content;
use std::{ops::Range, sync::Arc};

/// A span of the input, and the text that takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The bytes that are replaced.
    pub span: Range<u32>,
    /// The text that takes their place.
    pub text: Arc<[u8]>,
    /// Whether the span surrounded a hoisted node, which takes the place of its ancestor, including the space before
    /// it.
    pub hoists: bool,
}

impl Splice {
    /// Cuts out these bytes of the input.
    pub fn cut(span: Range<usize>) -> Self {
        Self::replace(span, b"")
    }

    /// Replaces these bytes with `text`.
    pub fn replace(span: Range<usize>, text: &[u8]) -> Self {
        // `Arc::default` is shared and does not allocate.
        let text = if text.is_empty() { Arc::default() } else { text.into() };
        Self { span: span.start as u32..span.end as u32, text, hoists: false }
    }

    /// Replaces the outer bytes with the inner ones.
    pub fn hoist(outer: &Range<usize>, inner: &Range<usize>) -> impl Iterator<Item = Self> + use<> {
        let around = [outer.start..inner.start, inner.end..outer.end];
        around.into_iter().filter(|span| !span.is_empty()).map(|span| Self { hoists: true, ..Self::cut(span) })
    }

    /// The number of bytes by which the input gets shorter.
    pub fn gain(&self) -> i64 {
        i64::from(self.span.end - self.span.start) - self.text.len() as i64
    }
}

/// Splices that do not overlap, in input order. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Splices(Arc<[Splice]>);

impl Splices {
    /// No splices: the input as it is.
    pub fn none() -> Self {
        Self::default()
    }

    /// These splices together with new ones, given in any order. A splice swallows those inside it; of two on the same
    /// bytes, the new one stays; of two that partly overlap, everything that either cuts is cut.
    #[must_use]
    pub fn with(&self, new: impl IntoIterator<Item = Splice>) -> Self {
        let mut new: Vec<Splice> = new.into_iter().collect();
        new.sort_by(|a, b| (a.span.start, b.span.end).cmp(&(b.span.start, a.span.end)));
        let mut merged: Vec<Splice> = Vec::with_capacity(self.0.len() + new.len());
        let (mut old, mut new) = (self.0.iter().peekable(), new.into_iter().peekable());
        loop {
            let key = |splice: &Splice| (splice.span.start, u32::MAX - splice.span.end);
            let take_new = match (old.peek(), new.peek()) {
                (None, None) => break,
                // If both have the same span, the new one comes first and swallows the old one.
                (Some(old), Some(new)) => key(new) <= key(old),
                (None, Some(_)) => true,
                (Some(_), None) => false,
            };
            let Some(next) = (if take_new { new.next() } else { old.next().cloned() }) else { break };
            push(&mut merged, next);
        }
        Self(merged.into())
    }

    /// The splices, in input order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Splice> {
        self.0.iter()
    }

    /// Whether all of these bytes are cut out or replaced.
    pub fn cover(&self, span: Range<usize>) -> bool {
        let at = self.0.partition_point(|splice| splice.span.end < span.end as u32);
        self.0.get(at).is_some_and(|splice| splice.span.start as usize <= span.start && span.end > span.start)
    }

    /// Whether any of these bytes are changed.
    pub fn touch(&self, span: &Range<usize>) -> bool {
        let at = self.0.partition_point(|splice| splice.span.end as usize <= span.start);
        self.0.get(at).is_some_and(|splice| (splice.span.start as usize) < span.end)
    }

    /// How many of these bytes are left.
    pub fn left(&self, span: Range<usize>) -> usize {
        let (start, end) = (span.start as u32, span.end as u32);
        let from = self.0.partition_point(|splice| splice.span.end <= start);
        let within = self.0[from..].iter().take_while(|splice| splice.span.start < end);
        let removed: u32 = within.map(|splice| splice.span.end.min(end) - splice.span.start.max(start)).sum();
        (end - start - removed) as usize
    }
}

/// Appends a splice, merging it with the last one if they overlap. Splices arrive in the order of their starts.
fn push(merged: &mut Vec<Splice>, next: Splice) {
    match merged.last_mut() {
        Some(last) if next.span.start < last.span.end => {
            if next.span.end > last.span.end {
                last.span.end = next.span.end;
                last.text = [&last.text[..], &next.text].concat().into();
            }
        }
        Some(last) if next.span == last.span => {}
        _ => merged.push(next),
    }
}

/// The text of a tree with splices applied.
#[derive(Clone)]
pub(crate) struct Spliced {
    pub(crate) tree: Arc<Tree>,
    pub(crate) splices: Splices,
}

impl Content for Spliced {
    fn write(&self, sink: &mut dyn FnMut(&[u8])) {
        let pieces = self.splices.iter().map(|Splice { span, text, hoists }| Piece {
            span,
            around: self.tree.around(span),
            inserted: text,
            hoists: *hoists,
        });
        self.tree.write_without(pieces, sink);
    }

    fn identify(&self, sink: &mut dyn FnMut(&[u8])) {
        for splice in self.splices.iter() {
            sink(&splice.span.start.to_le_bytes());
            sink(&splice.span.end.to_le_bytes());
            sink(&(splice.text.len() as u64).to_le_bytes());
            sink(&splice.text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Kind, Position, TreeBuilder};

    fn spans(splices: &Splices) -> Vec<(u32, u32, &[u8])> {
        splices.iter().map(|splice| (splice.span.start, splice.span.end, &*splice.text)).collect()
    }

    #[test]
    fn overlapping_splices() {
        let old = Splices::none().with([Splice::replace(4..6, b"x"), Splice::cut(10..12)]);
        let swallowed = old.with([Splice::cut(3..7), Splice::replace(20..21, b"0")]);
        assert_eq!(spans(&swallowed), [(3, 7, &b""[..]), (10, 12, b""), (20, 21, b"0")]);
        assert_eq!(spans(&old.with([Splice::cut(5..6)])), spans(&old), "removed bytes cannot be removed again");
        assert_eq!(spans(&old.with([Splice::replace(4..6, b"y")]))[0], (4, 6, &b"y"[..]), "the new splice stays");
        assert_eq!(spans(&old.with([Splice::cut(11..15)]))[1], (10, 15, &b""[..]));
    }

    #[test]
    fn splices_inside_a_token() {
        let input = b"x \"abc\" y";
        let mut builder = TreeBuilder::new(&input[..]);
        let place = Position { line: 1, column: 0 };
        let kind = Kind::Token;
        let tokens = [0..1, 2..7, 8..9].map(|bytes| builder.token(kind, "t", bytes, "", place..place));
        let root = builder.rule(Kind::Rule, "r", "", place..place, tokens);
        let tree = Arc::new(builder.finish(root));
        let with = |splice| {
            let splices = Splices::none().with([splice]);
            String::from_utf8(Spliced { tree: Arc::clone(&tree), splices }.to_vec()).unwrap()
        };
        assert_eq!(with(Splice::cut(3..6)), "x \"\" y");
        assert_eq!(with(Splice::cut(3..4)), "x \"bc\" y");
        assert_eq!(with(Splice::replace(4..5, b"-")), "x \"a-c\" y");
        assert_eq!(with(Splice::cut(2..7)), "x y");
    }

    #[test]
    fn covered_and_remaining_bytes() {
        let splices = Splices::none().with([Splice::cut(4..6), Splice::cut(10..12)]);
        assert!(splices.cover(4..6) && splices.cover(10..11) && !splices.cover(5..7) && !splices.cover(0..1));
        assert_eq!([splices.left(0..20), splices.left(5..11), splices.left(6..10)], [16, 4, 4]);
    }
}
