//! The textbook diff, for short sequences.

use nub_core::Diff;
use std::ops::Range;

pub(crate) struct Lcs;

impl Diff for Lcs {
    fn hunks(&self, old: &[&[u8]], new: &[&[u8]]) -> Vec<(Range<usize>, Range<usize>)> {
        // The length of the longest common subsequence of `old[i..]` and `new[j..]`.
        let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
        for i in (0..old.len()).rev() {
            for j in (0..new.len()).rev() {
                common[i][j] = match old[i] == new[j] {
                    true => common[i + 1][j + 1] + 1,
                    false => common[i + 1][j].max(common[i][j + 1]),
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        let mut hunks = vec![];
        while i < old.len() || j < new.len() {
            let start = (i, j);
            while (i < old.len() || j < new.len()) && !(i < old.len() && j < new.len() && old[i] == new[j]) {
                let delete = j == new.len() || i < old.len() && common[i + 1][j] >= common[i][j + 1];
                if delete { i += 1 } else { j += 1 }
            }
            if start != (i, j) {
                hunks.push((start.0..i, start.1..j));
            }
            while i < old.len() && j < new.len() && old[i] == new[j] {
                (i, j) = (i + 1, j + 1);
            }
        }
        hunks
    }
}
