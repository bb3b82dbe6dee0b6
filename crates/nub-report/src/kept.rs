//! Which parts of the original are left: an alignment of the result with it.
//!
//! There is no record of where each byte of a result comes from, since many steps have each rewritten the output of the
//! previous one. So it is determined afterwards, by tokens. A result is usually tiny, and then we can compute the best
//! alignment. *Best* does not just mean the longest common subsequence, which would collect its brackets from all over
//! the original: neighbours that are still neighbours score extra, as in the alignment of proteins with affine gaps
//! (Gotoh, 1982). Then tokens that could be in several places are gathered around the most valuable ones. If that would
//! take too long, the result is large, and an ordinary file diff does as well.

use crate::tokens::{self, Kind};
use imara_diff::{Algorithm, Diff};
use nub_core::binary::is_binary;
use std::{collections::HashMap, ops::Range};

/// The most pairs of tokens that are compared: a byte of memory for each, and a fraction of a second in total.
const MOST_PAIRS: usize = 48 << 20;

/// A longer original is compared line by line.
const LONGEST_BY_WORDS: usize = 16 << 20;

/// A longer one is not compared.
const LONGEST: usize = 256 << 20;

/// The value of two neighbours in one text that are also neighbours in the other.
const NEIGHBOURS: u32 = 4;

/// Which bytes were kept: ranges that are non-empty, ascending, and do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// In the original.
    pub original: Vec<Range<usize>>,
    /// In the result. Everything outside these ranges is new.
    pub result: Vec<Range<usize>>,
}

/// Aligns a result with the original it was reduced from; `None` if they are too large to compare.
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
    } else if is_binary(original) {
        tokens::single_bytes
    } else {
        tokens::words
    };
    let (old_starts, _) = cut(original);
    let (new_starts, new_kinds) = cut(result);
    let (old, new, distinct) = numbered(original, &old_starts, result, &new_starts);
    // Tokens that the result does not contain need no comparison, which often leaves few.
    let places: Vec<usize> = (0..old.len()).filter(|&i| old[i] != distinct).collect();
    let is_small = places.len().saturating_mul(new.len()) <= MOST_PAIRS;
    let pairs = if is_small {
        let worth: Vec<u32> = (0..new.len()).map(|j| worth(new_kinds[j], new_starts[j + 1] - new_starts[j])).collect();
        gather(&old, &new, &worth, &best_alignment(&old, &places, &new, &worth))
    } else {
        quick_alignment(&old, &new, distinct)
    };
    let whole = pairs.iter().map(|&(i, j)| (old_starts[i]..old_starts[i + 1], new_starts[j]..new_starts[j + 1]));
    let mut pieces: Vec<Piece> = whole.collect();
    if is_small {
        pieces = with_parts(original, result, pieces);
    }
    Some(Kept {
        original: ranges(pieces.iter().map(|(old, _)| old.clone())),
        result: ranges(pieces.into_iter().map(|(_, new)| new)),
    })
}

fn worth(kind: Kind, len: usize) -> u32 {
    match kind {
        Kind::Whitespace => 0,
        Kind::Punctuation => 2,
        Kind::Word => 3 + len.min(9) as u32,
    }
}

/// Both texts as token numbers. All tokens that are only in the original have the number `distinct`, which is also
/// returned.
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

/// The most valuable pairs of equal tokens, ascending in both texts. A tie goes to the alignment nearest the beginning.
fn best_alignment(old: &[u32], places: &[usize], new: &[u32], worth: &[u32]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    let mut how = vec![SKIP_OLD; places.len() * width];
    // The best value of each prefix, and of the alignments that end with a pair here; both for the previous row.
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

/// Tokens that are neighbours in both texts: the start in the original, the start in the result, and the number of
/// tokens.
type Stretch = (usize, usize, usize);

/// Moves the stretches of an alignment closer together, where the same tokens occur: first towards the most valuable
/// one, then each to the nearer of its neighbours.
fn gather(old: &[u32], new: &[u32], worth: &[u32], pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut runs: Vec<Stretch> = Vec::new();
    for &(i, j) in pairs {
        match runs.last_mut() {
            Some((from, of, len)) if *from + *len == i && *of + *len == j => *len += 1,
            _ => runs.push((i, j, 1)),
        }
    }
    let value = |&(_, of, len): &Stretch| worth[of..of + len].iter().sum::<u32>();
    let Some(anchor) = (0..runs.len()).max_by_key(|&run| value(&runs[run])) else { return vec![] };
    for run in (0..anchor).rev() {
        runs[run].0 = places(old, new, &runs, run).1;
    }
    for run in anchor + 1..runs.len() {
        runs[run].0 = places(old, new, &runs, run).0;
    }
    for run in (0..runs.len()).filter(|&run| run != anchor) {
        let (first, last) = places(old, new, &runs, run);
        let before = run.checked_sub(1).map(|before| first - (runs[before].0 + runs[before].2));
        let after = runs.get(run + 1).map(|after| after.0 - (last + runs[run].2));
        runs[run].0 = if after.is_none_or(|after| before.is_some_and(|before| before < after)) { first } else { last };
    }
    runs.into_iter().flat_map(|(from, of, len)| (0..len).map(move |i| (from + i, of + i))).collect()
}

/// The first and the last place between its neighbours where a stretch fits. Its current place always does.
fn places(old: &[u32], new: &[u32], runs: &[Stretch], run: usize) -> (usize, usize) {
    let (from, of, len) = runs[run];
    let start = run.checked_sub(1).map_or(from, |before| runs[before].0 + runs[before].2);
    let end = runs.get(run + 1).map_or(from, |after| after.0 - len);
    let fits = |at: &usize| old[*at..*at + len] == new[of..of + len];
    ((start..=from).find(fits).unwrap_or(from), (from..=end).rfind(fits).unwrap_or(from))
}

/// Equal ranges of bytes in both texts.
type Piece = (Range<usize>, Range<usize>);

/// Looks between the pieces for words that resulted from removing something within or between words: `install ok` may
/// have become `installok`.
fn with_parts(original: &[u8], result: &[u8], pieces: Vec<Piece>) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::with_capacity(pieces.len());
    let (mut old, mut new) = (0, 0);
    for piece in pieces.into_iter().chain([(original.len()..original.len(), result.len()..result.len())]) {
        let until = piece.0.start.min(old + LONGEST_GAP);
        all.extend(parts(original, old..until, result, new..piece.1.start));
        (old, new) = (piece.0.end, piece.1.end);
        all.push(piece);
    }
    all.pop();
    all
}

/// How many bytes after a piece are searched for parts of what follows it.
const LONGEST_GAP: usize = 2_000;

/// A shorter text could consist of parts of anything, and a longer one is not a word.
const LENGTHS: Range<usize> = 6..400;

/// The parts of a new text that come from the old one, if they are most of it.
fn parts(original: &[u8], old: Range<usize>, result: &[u8], new: Range<usize>) -> Vec<Piece> {
    let (before, after) = (&original[old.clone()], &result[new.clone()]);
    if !LENGTHS.contains(&after.len()) || !before.is_ascii() || !after.is_ascii() {
        return vec![];
    }
    let numbers = |text: &[u8]| text.iter().map(|&byte| u32::from(byte)).collect::<Vec<u32>>();
    let everywhere: Vec<usize> = (0..before.len()).collect();
    let pairs = best_alignment(&numbers(before), &everywhere, &numbers(after), &vec![1; after.len()]);
    let mut parts: Vec<Piece> = Vec::new();
    for (i, j) in pairs {
        let (i, j) = (old.start + i, new.start + j);
        match parts.last_mut() {
            Some((old, new)) if old.end == i && new.end == j => (old.end, new.end) = (i + 1, j + 1),
            _ => parts.push((i..i + 1, j..j + 1)),
        }
    }
    // Single letters occur everywhere.
    parts.retain(|(old, _)| old.len() > 1);
    let found: usize = parts.iter().map(|(old, _)| old.len()).sum();
    if found * 4 < after.len() * 3 { vec![] } else { parts }
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
    fn frequent_tokens_are_matched_nearby() {
        let original = "a(); b(); c(); d(); e(long, story); f(); g();";
        let kept = kept(original.as_bytes(), b"x(long){};").unwrap();
        assert_eq!(texts(original, &kept.original), ["(long", ");"], "not the first bracket and the last semicolon");
    }

    #[test]
    fn the_nearer_neighbour_wins() {
        let original = "Name: first; Size: 1; Name: other; Size: 2; Name: second; Size: 3;";
        let kept = kept(original.as_bytes(), b"Name: first;Name: second").unwrap();
        assert_eq!(texts(original, &kept.original), ["Name: first;", "Name: second"]);
        let kept = super::kept(original.as_bytes(), b"first;Name:second").unwrap();
        assert_eq!(kept.original, [6..12, 44..49, 50..56]);
    }

    #[test]
    fn words_may_consist_of_words() {
        let original = "Package: cpp\nStatus: install ok installed\nVersion: 1\n";
        let result = "Package:cpp\nStatus:installokinstalled\nVersion:2\n";
        let kept = kept(original.as_bytes(), result.as_bytes()).unwrap();
        let left = ["Package:", "cpp\nStatus:", "install", "ok", "installed\nVersion:"];
        assert_eq!(texts(original, &kept.original), left);
        assert_eq!(super::kept(b"a total of five words", b"functional;").unwrap(), Kept::default());
    }

    #[test]
    fn new_tokens_are_not_kept() {
        let original = "int very_long_name(int x) { return x; }";
        let result = "int a() { return 0; }";
        let kept = kept(original.as_bytes(), result.as_bytes()).unwrap();
        assert_eq!(texts(original, &kept.original), ["int ", "(", ") { return ", "; }"]);
        assert_eq!(texts(result, &kept.result), ["int ", "() { return ", "; }"]);
    }

    #[test]
    fn whitespace_alone_is_not_kept() {
        assert_eq!(kept(b"a b c", b"x y z").unwrap(), Kept::default());
    }

    #[test]
    fn nothing_or_everything_may_be_kept() {
        assert_eq!(kept(b"a b", b"").unwrap(), Kept::default());
        assert_eq!(kept(b"", b"a b").unwrap(), Kept::default());
        assert_eq!(kept(b"a b\n", b"a b\n").unwrap().original, [0..4]);
        assert_eq!(kept(b"\0a\0b", b"\0b").unwrap().original, [2..4]);
    }

    #[test]
    fn a_large_result_is_aligned_quickly() {
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
        fn words_that_were_not_removed_are_all_kept(original in "[a-e]{1,3}( [a-e]{1,3}){0,40}", mask in any::<u64>()) {
            let words: Vec<&str> = original.split(' ').collect();
            let left: Vec<&str> = words.iter().enumerate().filter(|(i, _)| mask >> (i % 64) & 1 == 1).map(|(_, w)| *w).collect();
            let result = left.join(";");
            let kept = kept(original.as_bytes(), result.as_bytes()).unwrap();
            let words_kept: usize = bytes_of(result.as_bytes(), &kept.result).len();
            prop_assert_eq!(words_kept, left.iter().map(|word| word.len()).sum::<usize>());
        }
    }
}
