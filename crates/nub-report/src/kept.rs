//! What of the original is left: an alignment of the result with it.
//!
//! Nobody records where each byte of a result comes from; many passes have each rewritten what the one before has left. So
//! it is found out afterwards, by tokens. A result is usually tiny, and then the best alignment is looked for, where
//! *best* is not the longest common subsequence alone: that would collect its brackets from all over the original. Runs
//! of neighbours that are still neighbours count extra, as in the alignment of proteins with affine gaps (Gotoh, 1982).
//! Where that would take too long, the result is large, and what is used for differences of files does as well.

use crate::tokens::{self, Kind};
use imara_diff::{Algorithm, Diff};
use std::{collections::HashMap, ops::Range};

/// As many pairs of tokens are compared at most: a byte of memory for each, and a fraction of a second in all.
const MOST_PAIRS: usize = 48 << 20;

/// A longer original is compared line by line.
const LONGEST_BY_WORDS: usize = 16 << 20;

/// A longer one not at all.
const LONGEST: usize = 256 << 20;

/// What a pair of neighbours is worth that are neighbours in both texts.
const NEIGHBOURS: u32 = 4;

/// Which bytes have stayed: ranges that are not empty, ascend, and do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// In the original.
    pub original: Vec<Range<usize>>,
    /// In the result. What is outside of them is new.
    pub result: Vec<Range<usize>>,
}

/// Aligns a result with the original it was made of; `None` if they are too large to be compared.
///
/// ```
/// let kept = nub_report::kept(b"int f(void) { return g(1); }", b"int f() { }").unwrap();
/// assert_eq!(kept.original, [0..6, 10..14, 27..28]);
/// ```
pub fn kept(original: &[u8], result: &[u8]) -> Option<Kept> {
    if original.len().max(result.len()) > LONGEST {
        return None;
    }
    let cut = if original.len() > LONGEST_BY_WORDS {
        tokens::lines
    } else if crate::pane::is_binary(original) {
        tokens::single_bytes
    } else {
        tokens::words
    };
    let (old_starts, _) = cut(original);
    let (new_starts, new_kinds) = cut(result);
    let (old, new, distinct) = numbered(original, &old_starts, result, &new_starts);
    // What the result does not contain needs no comparison, which often leaves little.
    let places: Vec<usize> = (0..old.len()).filter(|&i| old[i] != distinct).collect();
    let pairs = if places.len().saturating_mul(new.len()) <= MOST_PAIRS {
        let worth: Vec<u32> = (0..new.len()).map(|j| worth(new_kinds[j], new_starts[j + 1] - new_starts[j])).collect();
        best_alignment(&old, &places, &new, &worth)
    } else {
        quick_alignment(&old, &new, distinct)
    };
    Some(Kept {
        original: ranges(pairs.iter().map(|&(i, _)| old_starts[i]..old_starts[i + 1])),
        result: ranges(pairs.iter().map(|&(_, j)| new_starts[j]..new_starts[j + 1])),
    })
}

fn worth(kind: Kind, len: usize) -> u32 {
    match kind {
        Kind::Blank => 0,
        Kind::Mark => 2,
        Kind::Word => 3 + len.min(9) as u32,
    }
}

/// Both texts in numbers of tokens. Tokens that are only in the original all have the number `distinct`, the last result.
fn numbered(original: &[u8], old_starts: &[usize], result: &[u8], new_starts: &[usize]) -> (Vec<u32>, Vec<u32>, u32) {
    let mut numbers: HashMap<&[u8], u32> = HashMap::new();
    let mut new = Vec::with_capacity(new_starts.len());
    for pair in new_starts.windows(2) {
        let next = numbers.len() as u32;
        new.push(*numbers.entry(&result[pair[0]..pair[1]]).or_insert(next));
    }
    let distinct = numbers.len() as u32;
    let number = |pair: &[usize]| numbers.get(&original[pair[0]..pair[1]]).copied().unwrap_or(distinct);
    (old_starts.windows(2).map(number).collect(), new, distinct)
}

// How a cell of the table was reached.
const SKIP_OLD: u8 = 0;
const SKIP_NEW: u8 = 1;
const PAIR: u8 = 2;
const CHOICE: u8 = 3;
const AFTER_NEIGHBOURS: u8 = 4;

/// The pairs of equal tokens, ascending in both texts, that are worth most. Of equals, those at the beginning.
fn best_alignment(old: &[u32], places: &[usize], new: &[u32], worth: &[u32]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    let mut how = vec![SKIP_OLD; places.len() * width];
    // The best value of each prefix, and of those alignments that end with a pair here; both for the row before.
    let (mut best, mut paired) = (vec![0u32; width], vec![0u32; width]);
    let mut row = (best.clone(), paired.clone());
    for (i, &place) in places.iter().enumerate() {
        let follows = i > 0 && places[i - 1] + 1 == place;
        let how = &mut how[i * width..][..width];
        for j in 1..width {
            let pair = if old[place] == new[j - 1] {
                let neighbours = if follows && paired[j - 1] > 0 { paired[j - 1] + NEIGHBOURS } else { 0 };
                if neighbours > best[j - 1] {
                    how[j] = AFTER_NEIGHBOURS;
                }
                worth[j - 1] + best[j - 1].max(neighbours)
            } else {
                0
            };
            row.1[j] = pair;
            let skipped = best[j].max(row.0[j - 1]);
            row.0[j] = skipped.max(pair);
            how[j] |= match () {
                () if pair > skipped => PAIR,
                () if best[j] >= row.0[j - 1] => SKIP_OLD,
                () => SKIP_NEW,
            };
        }
        std::mem::swap(&mut best, &mut row.0);
        std::mem::swap(&mut paired, &mut row.1);
    }
    let (mut pairs, mut i, mut j) = (Vec::new(), places.len(), new.len());
    let mut must_pair = false;
    while i > 0 && j > 0 {
        let how = how[(i - 1) * width + j];
        if must_pair || how & CHOICE == PAIR {
            pairs.push((places[i - 1], j - 1));
            must_pair = how & AFTER_NEIGHBOURS != 0;
            (i, j) = (i - 1, j - 1);
        } else if how & CHOICE == SKIP_OLD {
            i -= 1;
        } else {
            j -= 1;
        }
    }
    pairs.reverse();
    pairs
}

/// A good alignment in nearly linear time.
fn quick_alignment(old: &[u32], new: &[u32], distinct: u32) -> Vec<(usize, usize)> {
    let token = |numbers: &[u32]| numbers.iter().map(|&number| imara_diff::Token(number)).collect::<Vec<_>>();
    let mut diff = Diff::default();
    diff.compute_with(Algorithm::Histogram, &token(old), &token(new), distinct + 1);
    let left = (0..old.len()).filter(|&i| !diff.is_removed(i as u32));
    let found = (0..new.len()).filter(|&j| !diff.is_added(j as u32));
    left.zip(found).collect()
}

/// Joins ranges that touch.
fn ranges(pieces: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for piece in pieces {
        match joined.last_mut() {
            Some(last) if last.end == piece.start => last.end = piece.end,
            _ => joined.push(piece),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts<'a>(text: &'a str, ranges: &[Range<usize>]) -> Vec<&'a str> {
        ranges.iter().map(|range| &text[range.clone()]).collect()
    }

    #[test]
    fn neighbours_stay_together() {
        let original = "f(a); g(b); h(c); f(d);";
        let kept = kept(original.as_bytes(), b"f(d);").unwrap();
        assert_eq!(kept.original, [18..23], "not the f of the beginning and the d of the end");
    }

    #[test]
    fn what_is_new_is_not_kept() {
        let original = "int very_long_name(int x) { return x; }";
        let result = "int a() { return 0; }";
        let kept = kept(original.as_bytes(), result.as_bytes()).unwrap();
        assert_eq!(texts(original, &kept.original), ["int ", "(", ") { return ", "; }"]);
        assert_eq!(texts(result, &kept.result), ["int ", "() { return ", "; }"]);
    }

    #[test]
    fn blanks_alone_are_not_kept() {
        assert_eq!(kept(b"a b c", b"x y z").unwrap(), Kept::default());
    }

    #[test]
    fn nothing_and_everything() {
        assert_eq!(kept(b"a b", b"").unwrap(), Kept::default());
        assert_eq!(kept(b"", b"a b").unwrap(), Kept::default());
        assert_eq!(kept(b"a b\n", b"a b\n").unwrap().original, [0..4]);
        assert_eq!(kept(b"\0a\0b", b"\0b").unwrap().original, [2..4]);
    }

    #[test]
    fn a_large_result_takes_the_quick_way() {
        let original: String = (0..20_000).map(|i| format!("line {i} of many\n")).collect();
        let result: String = (0..20_000).filter(|i| i % 3 != 1).map(|i| format!("line {i} of many\n")).collect();
        let kept = kept(original.as_bytes(), result.as_bytes()).unwrap();
        assert_eq!(kept.result, [0..result.len()], "all of it comes from the original");
        let len: usize = kept.original.iter().map(Range::len).sum();
        assert_eq!(len, result.len());
    }

    fn bytes_of(text: &[u8], ranges: &[Range<usize>]) -> Vec<u8> {
        ranges.iter().flat_map(|range| text[range.clone()].to_vec()).collect()
    }

    proptest! {
        #[test]
        fn the_same_bytes_are_kept_on_both_sides(original in "[ab(), \n]{0,60}", result in "[ab(), \n]{0,30}") {
            let kept = kept(original.as_bytes(), result.as_bytes()).unwrap();
            let left = bytes_of(original.as_bytes(), &kept.original);
            prop_assert_eq!(left, bytes_of(result.as_bytes(), &kept.result));
            for ranges in [&kept.original, &kept.result] {
                prop_assert!(ranges.iter().all(|range| range.start < range.end));
                prop_assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start));
            }
        }

        #[test]
        fn what_was_only_cut_is_all_kept(original in "[a-e]{1,3}( [a-e]{1,3}){0,40}", mask in any::<u64>()) {
            let words: Vec<&str> = original.split(' ').collect();
            let left: Vec<&str> = words.iter().enumerate().filter(|(i, _)| mask >> (i % 64) & 1 == 1).map(|(_, w)| *w).collect();
            let result = left.join(";");
            let kept = kept(original.as_bytes(), result.as_bytes()).unwrap();
            let words_kept: usize = bytes_of(result.as_bytes(), &kept.result).len();
            prop_assert_eq!(words_kept, left.iter().map(|word| word.len()).sum::<usize>());
        }
    }
}
