//! Removing bytes while lowering a number near them by one.
//!
//! Bytes outside of any known list may still be counted: the items after a count that was too small to be recognised,
//! or the levels of nesting that a reference crosses. Removing only the bytes makes the number wrong; lowering only the
//! number makes it wrong, too. A large input has too many such pairs to try, so this search is for the small remainder
//! that the other searches leave.

use super::{
    blob::Blob,
    bytes::{self, Units},
};
use crate::{
    Batch, Candidate, Edit, Label, Search,
    tree::{Splice, Splices},
};
use std::{ops::Range, sync::Arc};

/// The most bytes that the input may have, not counting sizes, counts and checksums.
const SMALL: usize = 96;
/// The most bytes removed at once.
const WIDEST: usize = 4;
/// The greatest distance between the bytes and the number.
const FARTHEST: usize = 6;

/// The search. It ends with the first success; to continue, start it again on the result.
#[derive(Clone)]
pub(super) struct Pairs {
    blob: Arc<Blob>,
    /// The bytes to remove, and the offset of the number to lower.
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
    fn a_level_of_nesting_is_removed_with_the_number_that_crosses_it() {
        // "{" opens a level; the last byte says how many levels to leave at once.
        let depth = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'{').count();
        let interesting = |bytes: &[u8]| bytes.last().map(|&byte| usize::from(byte)) == Some(depth(bytes));
        let mut search = Pairs::new(Arc::new(Blob::infer(*b"{{\x02")));
        drive(&mut search, |candidate| interesting(&candidate.what.content.to_vec()));
        assert_eq!(search.current().content.to_vec(), b"{\x01");
    }
}
