//! The shapes of list items.

use super::Encoding;
use std::ops::Range;

/// A part of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// This many bytes.
    Bytes(usize),
    /// A number.
    Number(Encoding),
    /// A size field, `gap` bytes (a tag, say), and a payload. The size is that of the payload plus `counts`: in some
    /// formats a size includes its own field, or the tag.
    Block { size: Encoding, gap: usize, counts: usize },
    /// A field of a protocol buffer: its number and wire type, and the value that the wire type requires.
    Field,
}

/// A shape: consecutive parts, and the alignment to which an item is padded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) parts: Vec<Part>,
    pub(super) align: usize,
}

/// A size field of an item, and its payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Framed {
    pub(super) size: Encoding,
    pub(super) field: Range<usize>,
    pub(super) payload: Range<usize>,
}

impl Shape {
    pub(super) fn new(parts: impl Into<Vec<Part>>) -> Self {
        Self { parts: parts.into(), align: 1 }
    }

    /// The bytes that distinguish items of different kinds: the first ones, or those between the size and the payload.
    pub(super) fn tag<'a>(&self, bytes: &'a [u8], at: usize) -> &'a [u8] {
        let tag = match *self.parts {
            [Part::Bytes(count @ 1..=8), ..] => at..at + count,
            [Part::Block { size, gap: gap @ 1..=8, .. }, ..] => {
                let width = size.read(&bytes[at..]).map_or(0, |(_, width)| width);
                at + width..at + width + gap
            }
            [Part::Field] => at..at + Encoding::Leb128.read(&bytes[at..]).map_or(0, |(_, width)| width),
            _ => at..at,
        };
        bytes.get(tag).unwrap_or_default()
    }

    /// Where the item at `at` ends, if there is one that ends by `end`. Reports its payloads to `found`.
    pub(super) fn item(&self, bytes: &[u8], at: usize, end: usize, mut found: impl FnMut(Framed)) -> Option<usize> {
        let start = at;
        let mut at = at;
        let mut frame = |at: usize, size: Encoding, gap: usize, counts: usize| {
            let (value, width) = size.read(&bytes[at..end])?;
            let len = usize::try_from(value).ok()?.checked_sub(counts)?;
            let payload = at + width + gap;
            let until = payload.checked_add(len).filter(|&until| until <= end)?;
            found(Framed { size, field: at..at + width, payload: payload..until });
            Some(until)
        };
        for part in &self.parts {
            at = match *part {
                Part::Bytes(count) => at + count,
                Part::Number(encoding) => at + encoding.read(&bytes[at..end])?.1,
                Part::Block { size, gap, counts } => frame(at, size, gap, counts)?,
                Part::Field => {
                    let (tag, width) = Encoding::Leb128.read(&bytes[at..end])?;
                    let at = at + width;
                    match tag & 7 {
                        _ if tag < 8 => return None,
                        0 => at + Encoding::Leb128.read(bytes.get(at..end)?)?.1,
                        1 => at + 8,
                        2 => frame(at, Encoding::Leb128, 0, 0)?,
                        5 => at + 4,
                        _ => return None,
                    }
                }
            };
            if at > end {
                return None;
            }
        }
        // The last item of a region is often not padded.
        let filled = start + (at - start).next_multiple_of(self.align);
        (at > start).then(|| filled.min(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(shape: &Shape, bytes: &[u8]) -> Vec<usize> {
        let (mut at, mut ends) = (0, vec![]);
        while at < bytes.len() {
            let Some(end) = shape.item(bytes, at, bytes.len(), |_| {}) else { break };
            ends.push(end);
            at = end;
        }
        ends
    }

    #[test]
    fn items_of_some_formats() {
        let leb = Part::Block { size: Encoding::Leb128, gap: 0, counts: 0 };
        let wasm = Shape::new([Part::Bytes(1), leb]);
        assert_eq!(ends(&wasm, &[1, 2, 9, 9, 3, 0, 7, 1, 5]), [4, 6, 9]);
        let riff = Shape {
            align: 2,
            ..Shape::new([Part::Bytes(4), Part::Block { size: Encoding::U32Le, gap: 0, counts: 0 }])
        };
        assert_eq!(ends(&riff, b"abcd\x01\0\0\0x\0efgh\x01\0\0\0y"), [10, 19]);
        let mp4 = Shape::new([Part::Block { size: Encoding::U32Be, gap: 4, counts: 8 }]);
        assert_eq!(ends(&mp4, b"\0\0\0\x09ftypx\0\0\0\x08free"), [9, 17]);
        let message = Shape::new([Part::Field]);
        assert_eq!(ends(&message, &[8, 0x96, 1, 0x12, 2, b'h', b'i', 0x1d, 1, 2, 3, 4]), [3, 7, 12]);
    }

    #[test]
    fn items_that_do_not_fit_are_rejected() {
        let shape = Shape::new([Part::Block { size: Encoding::U8, gap: 0, counts: 0 }]);
        assert_eq!(shape.item(&[3, 1, 2], 0, 3, |_| {}), None);
        assert_eq!(Shape::new([Part::Bytes(4)]).item(&[1, 2, 3], 0, 3, |_| {}), None);
        assert_eq!(Shape::new([Part::Field]).item(&[3], 0, 1, |_| {}), None);
        assert_eq!(Shape::new([]).item(&[3], 0, 1, |_| {}), None, "every item has bytes");
        let huge = Shape::new([Part::Block { size: Encoding::U64Le, gap: 0, counts: 0 }]);
        assert_eq!(huge.item(&[0xff; 9], 0, 9, |_| {}), None);
    }
}
