//! What can be tried with a part of a list.

use super::Blocks;
use crate::Unit;

/// Lists that lose items at the same places as another one at most.
const PARTNERS: usize = 4;
/// How often something may fail with a list before it has to have succeeded with it: this often, and so often again for
/// every success.
const PATIENCE: (u32, u32) = (12, 6);

/// What can be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Try {
    /// The items go.
    Remove,
    /// They go with the items at the same places of all lists of that length.
    RemoveAll,
    /// They go with the items at the same places of this list.
    RemoveWith(usize),
    /// Their payloads become empty.
    Empty,
    /// The smallest item takes their places.
    Smallest,
    /// Their largest payload becomes so many zeros and its last byte.
    Zeros(usize),
}

impl Try {
    fn kind(self) -> usize {
        match self {
            Self::Remove => 0,
            Self::RemoveAll => 1,
            Self::RemoveWith(_) => 2,
            Self::Empty => 3,
            Self::Smallest => 4,
            Self::Zeros(count) => 5 + (count - 1).min(1),
        }
    }
}

/// How many kinds of tries there are.
const KINDS: usize = 7;

/// How often each kind of try failed with a list, and how often it succeeded.
#[derive(Clone, Default)]
pub(super) struct Record([(u32, u32); KINDS]);

impl Record {
    pub(super) fn note(&mut self, tried: Try, success: bool) {
        let (failed, succeeded) = &mut self.0[tried.kind()];
        *(if success { succeeded } else { failed }) += 1;
    }

    fn has_succeeded(&self, tried: Try) -> bool {
        self.0[tried.kind()].1 > 0
    }

    /// Whether it is worth another try.
    fn is_promising(&self, tried: Try) -> bool {
        let (failed, succeeded) = self.0[tried.kind()];
        failed < PATIENCE.0 + PATIENCE.1 * succeeded
    }
}

impl Blocks {
    /// What could be done with a part of a list.
    pub(super) fn tries(&self, list: usize, from: Unit, to: Unit) -> Vec<Try> {
        let left = &self.state.left[list];
        if !(from..to).any(|unit| left.contains(unit)) {
            return vec![];
        }
        let mut tries = vec![Try::Remove];
        let partners = self.partners(list);
        if partners.len() > 1 {
            tries.push(Try::RemoveAll);
        }
        tries.extend(partners.into_iter().map(Try::RemoveWith));
        tries.extend([Try::Empty, Try::Smallest, Try::Zeros(1), Try::Zeros(2)]);
        let record = &self.record[list];
        tries.retain(|&tried| record.is_promising(tried));
        // What has helped before comes first.
        tries.sort_by_key(|&tried| !record.has_succeeded(tried));
        tries
    }

    /// The lists that have as many items left as this one, and not all of them by chance.
    pub(super) fn partners(&self, list: usize) -> Vec<usize> {
        let left = self.state.left[list].len();
        let same = |&other: &usize| {
            let items = &self.blob.lists()[other].items;
            let span = items[0].span.start..items[items.len() - 1].span.end;
            other != list && self.state.left[other].len() == left && !self.state.splices.cover(span)
        };
        if left < 2 {
            return vec![];
        }
        (0..self.blob.lists().len()).filter(same).take(PARTNERS).collect()
    }
}
