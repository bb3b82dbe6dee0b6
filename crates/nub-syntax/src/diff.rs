//! Differences between sequences.

use imara_diff::{Algorithm, InternedInput};
use std::ops::Range;

/// Histogram diff, as in git: rare elements that occur in both sequences are matched first.
///
/// The time is bounded by heuristics that depend on the sequences alone and not on a clock, so the result is the same
/// everywhere.
///
/// ```
/// use nub_core::Diff;
/// use nub_syntax::Histogram;
///
/// let hunks = Histogram.hunks(&[b"a", b"b", b"c"], &[b"a", b"x", b"y", b"c", b"d"]);
/// assert_eq!(hunks, [(1..2, 1..3), (3..3, 4..5)]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Histogram;

impl nub_core::Diff for Histogram {
    fn hunks(&self, old: &[&[u8]], new: &[&[u8]]) -> Vec<(Range<usize>, Range<usize>)> {
        let mut input = InternedInput::default();
        input.update_before(old.iter().copied());
        input.update_after(new.iter().copied());
        let mut diff = imara_diff::Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_lines(&input);
        let range = |range: Range<u32>| range.start as usize..range.end as usize;
        diff.hunks().map(|hunk| (range(hunk.before), range(hunk.after))).collect()
    }
}
