//! Bytes that go while a number near them is lowered by one.
//!
//! What no list explains may still be counted: the items behind a number that was too small to be noticed, the levels of
//! nesting that something refers across. Without the bytes the number is wrong, and without the number the bytes cannot
//! go. There are too many pairs of them to be tried in a large input, so this is for the little that everything else
//! leaves.

use super::{
    blob::Blob,
    bytes::{self, Units},
};
use crate::{
    Batch, Candidate, Edit, Label, Search,
    tree::{Splice, Splices},
};
use std::{ops::Range, sync::Arc};

/// How many bytes the input may have apart from sizes and counts.
const SMALL: usize = 96;
/// How many bytes go at most.
const WIDEST: usize = 4;
/// How far away the number may be.
const FARTHEST: usize = 6;

/// The search. It ends with the first success: whoever wants more starts it again, on what is left.
#[derive(Clone)]
pub(super) struct Pairs {
    blob: Arc<Blob>,
    /// Bytes that could go, and the number that would be lowered.
    pairs: Arc<[(Range<usize>, usize)]>,
    at: usize,
    succeeded: bool,
}

impl Pairs {
    /// A search over data, which must be interesting.
    pub(super) fn new(blob: Arc<Blob>) -> Self {
        let units = Units::new(&blob);
        let mut pairs = vec![];
        if units.len() <= SMALL {
            for width in (1..=WIDEST).rev() {
                for Range { start, end } in units.segments.iter().cloned() {
                    for window in (start..end).map(|at| at..at + width).take_while(|window| window.end <= end) {
                        let near = window.start.saturating_sub(FARTHEST).max(start)..(window.end + FARTHEST).min(end);
                        let numbers = near.filter(|place| !window.contains(place) && blob.bytes()[*place] > 0);
                        pairs.extend(numbers.map(|place| (window.clone(), place)));
                    }
                }
            }
        }
        Self { blob, pairs: pairs.into(), at: 0, succeeded: false }
    }

    fn edit(&self, pair: Option<&(Range<usize>, usize)>) -> Edit {
        let splices = pair.map(|(window, place)| {
            let lowered = self.blob.bytes()[*place].saturating_sub(1);
            [Splice::cut(window.clone()), Splice::replace(*place..place + 1, &[lowered])]
        });
        let left = self.pairs.len() - self.at.min(self.pairs.len());
        bytes::edit(&self.blob, Splices::none().with(splices.into_iter().flatten()), left, "pairs")
    }
}

impl Search for Pairs {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        let pair = self.pairs.get(self.at).filter(|_| !self.succeeded)?;
        Some(vec![Candidate { label: Label::new(format_args!("pairs_{}", self.at)), what: self.edit(Some(pair)) }])
    }

    fn answer(&mut self, interesting: &[usize]) {
        self.succeeded = !interesting.is_empty();
        if !self.succeeded {
            self.at += 1;
        }
    }

    fn current(&self) -> Edit {
        self.edit(self.pairs.get(self.at).filter(|_| self.succeeded))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive;

    #[test]
    fn a_level_of_nesting_goes_with_the_number_that_crosses_it() {
        // "{" opens a level, a number says how many levels are left at once.
        let depth = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'{').count();
        let interesting = |bytes: &[u8]| bytes.last().map(|&byte| usize::from(byte)) == Some(depth(bytes));
        let mut search = Pairs::new(Arc::new(Blob::infer(*b"{{\x02")));
        drive(&mut search, |candidate| interesting(&candidate.what.content.to_vec()));
        assert_eq!(search.current().content.to_vec(), b"{\x01");
    }
}
