//! What evidence is worth, and what an explanation costs, in bits.
//!
//! The unit comes from the principle of minimum description length (Rissanen, "Modeling by shortest data description",
//! 1978). To hit the end of n bytes by chance has a probability of about 1/n, so it is worth log n. An explanation that
//! was one of many that could have been tried costs as many bits as it takes to say which one it is.
//!
//! Where a value follows from that, its comment says how. The other values are estimates. They were adjusted while formats
//! were added, and `tests/binary.rs` holds them in place: a change of any of them must still find those formats.

use super::super::{
    Encoding::{self, Der, Leb128, U8, U16Be, U16Le, U32Be, U32Le, U64Be, U64Le},
    shape::Part,
};

/// How much more an explanation must be worth than it costs: about one region in eight fits by accident. It was two bits
/// before words and zeros counted as evidence, too.
pub(super) const WORTH: f64 = 3.0;
/// How much more it must be worth if what is inside of its largest block can be explained, too, and makes up for the
/// rest: hardly anything, because two accidents inside of each other are rare.
pub(super) const DOUBTFUL: f64 = 0.5;
/// What regularity among items is worth at most. Half of it is for items that begin with the same byte, half for
/// payloads that are text. The limit is the value of one byte: long runs of equal bytes occur without any structure.
pub(super) const REGULAR: f64 = 8.0;
/// What the letters of one payload are worth at most if all payloads are text: a bit per letter, four letters.
pub(super) const LETTERS: usize = 4;
/// What it is worth at most that all tags are words: a bit per letter, and most tags have four letters.
pub(super) const WORDS: f64 = 4.0;
/// What a shape costs that something else in the same input is made of: less than any other.
pub(super) const FAMILIAR: f64 = 1.0;

/// This many zeros behind the last item are the end of a list. Fewer could as well be an item.
pub(super) const FILLING: usize = 16;
/// What it costs that a list does not end where its region does, but where the zeros begin.
pub(super) const FILLED: f64 = 2.0;

/// What a list without a count costs. There are so many shapes of them, and no count has to be right.
pub(super) const CHAIN: f64 = 4.0;
/// The part of an item's surprise that is believed. The items of a list resemble each other, so that the second says
/// less than the first.
pub(super) const SURPRISE: f64 = 0.25;
/// What each valid field of a protocol buffer is worth: four of eight wire types are valid, which would be one bit if
/// small bytes were not more frequent than large ones.
pub(super) const FIELD: f64 = 0.5;
/// What it costs that a size counts more than the payload. It may count three things besides: its own field, that and the
/// gap, or the tag as well; log 3 is about this.
pub(super) const INCLUSIVE: f64 = 1.5;

/// What it costs that the items behind a count all have the same length, without anything inside.
pub(super) const EQUAL: f64 = 0.5;
/// What a shape of LEB128 numbers, strings and bytes costs, before its parts.
pub(super) const LEB_SHAPE: f64 = 1.0;
/// What a shape with a size of fixed width costs, before the bytes around it. To say which of the five sizes it is takes
/// 2.3 bits; it is twice that because such shapes explain too much that is nothing but zeros and small numbers.
pub(super) const FIXED_SHAPE: f64 = 5.0;

/// How a count may be written, and what each way costs. Formats with counts in LEB128 have many lists of many shapes, so
/// that it is the cheapest; of a fixed width, a byte is likelier than any wider number.
pub(super) const COUNTS: [(Encoding, f64); 6] =
    [(Leb128, 1.0), (U8, 2.0), (U16Le, 2.5), (U16Be, 2.5), (U32Le, 2.5), (U32Be, 2.5)];

/// How the size of a chunk may be written, and what each way costs: the narrower, the likelier.
pub(super) const SIZES: [(Encoding, f64); 9] = [
    (Leb128, 1.0),
    (U8, 1.0),
    (Der, 1.5),
    (U16Le, 2.0),
    (U16Be, 2.0),
    (U32Le, 2.0),
    (U32Be, 2.0),
    (U64Le, 3.0),
    (U64Be, 3.0),
];

/// How many bits the sizes of a list can be worth beyond that they add up. Zeros are everywhere, so there is a limit:
/// the wider a number, the more of it is zero without any meaning, and a single byte says nothing more.
pub(super) fn most_surprise(part: Part) -> f64 {
    match part {
        Part::Block { size: U8, .. } | Part::Bytes(_) | Part::Number(_) => 0.0,
        Part::Block { size: Leb128 | Der, .. } => 3.0,
        Part::Block { size: U16Le | U16Be, .. } => 4.0,
        Part::Field => 4.0,
        Part::Block { .. } => 8.0,
    }
}

/// How many bytes may come before a list, and what each number costs, the cheapest first. Headers of four or eight bytes
/// are the most frequent, then other even ones; the rest costs what it takes to say the number.
pub(super) fn prefixes() -> Vec<(usize, f64)> {
    let cost = |prefix: usize| match prefix {
        0 => 0.0,
        4 | 8 => 2.0,
        2 | 6 | 12 | 16 => 3.0,
        _ => 1.5 + (prefix as f64 + 1.0).log2(),
    };
    let prefixes = (0..=16).chain([20, 24, 32, 40, 48, 64]);
    let mut prefixes: Vec<(usize, f64)> = prefixes.map(|prefix| (prefix, cost(prefix))).collect();
    prefixes.sort_by(|a, b| a.1.total_cmp(&b.1));
    prefixes
}

/// What it costs to say how many bytes something has. Half of the logarithm: the lengths in use are few and round.
pub(super) fn bits(number: usize) -> f64 {
    if number == 0 { 0.0 } else { 0.5 + (number as f64).log2() / 2.0 }
}
