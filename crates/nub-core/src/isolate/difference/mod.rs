//! The difference between two inputs: the changes that turn one into the other.
//!
//! The units of isolation are not parts of an input but changes: *these* bytes of the passing input become *those* of
//! the failing one. Changes do not overlap and have the same order in both inputs, so any set of them can be applied.
//! The result is the passing input with pieces of the failing one in it. Applying no changes gives the passing input;
//! applying all of them gives the failing one.

mod tree;
mod units;

pub(crate) use tree::between_trees;
pub(crate) use units::between_units;

use crate::{Configuration, Content, Granularity};
use std::{ops::Range, sync::Arc};

/// The most items compared at once if there are few distinct ones: finding what two long sequences of characters or of
/// node kinds have in common takes minutes, and means nothing.
const COMPARED: usize = 1 << 15;

/// Finds what two sequences have in common. A pure function: the same sequences always give the same result.
pub trait Diff: Send + Sync {
    /// The maximal pairs of ranges that differ, in order; at most one range of a pair is empty. Everything between the
    /// pairs is equal.
    fn hunks(&self, old: &[&[u8]], new: &[&[u8]]) -> Vec<(Range<usize>, Range<usize>)>;
}

/// One change: some bytes of the old input become some bytes of the new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The bytes that are removed; empty for an insertion.
    pub old: Range<usize>,
    /// The bytes that are added; empty for a deletion.
    pub new: Range<usize>,
}

/// The changes between two inputs in units of this granularity, in order.
pub fn changes(granularity: Granularity, diff: &dyn Diff, old: &[u8], new: &[u8]) -> Vec<Change> {
    between_units(granularity, diff, old.into(), new.into()).changes
}

/// Two inputs and the changes between them.
#[derive(Debug)]
pub(crate) struct Difference {
    old: Arc<[u8]>,
    new: Arc<[u8]>,
    changes: Vec<Change>,
}

impl Difference {
    /// The changes must be in order in both inputs, and everything between them must be equal.
    pub(crate) fn new(old: Arc<[u8]>, new: Arc<[u8]>, changes: Vec<Change>) -> Self {
        let this = Self { old, new, changes };
        debug_assert!(this.is_sound(), "{:?}", this.changes);
        this
    }

    /// The number of changes.
    pub(crate) fn len(&self) -> usize {
        self.changes.len()
    }

    fn is_sound(&self) -> bool {
        let mut at = (0, 0);
        let equal = |from: (usize, usize), to: (usize, usize)| {
            self.old.get(from.0..to.0).is_some_and(|common| self.new.get(from.1..to.1) == Some(common))
        };
        let ordered = self.changes.iter().all(|Change { old, new }| {
            let from = std::mem::replace(&mut at, (old.end, new.end));
            old.start <= old.end && new.start <= new.end && equal(from, (old.start, new.start))
        });
        ordered && equal(at, (self.old.len(), self.new.len()))
    }

    /// Writes the old input with some of the changes applied.
    fn write(&self, applied: &Configuration, sink: &mut dyn FnMut(&[u8])) {
        let mut put = |bytes: &[u8]| {
            if !bytes.is_empty() {
                sink(bytes);
            }
        };
        let mut written = 0;
        for run in applied.runs() {
            // A run of changes, with everything between them, is one piece of the new input.
            let changes = &self.changes[run.start as usize..run.end as usize];
            if let [first, ..] = changes
                && let [.., last] = changes
            {
                put(&self.old[written..first.old.start]);
                put(&self.new[first.new.start..last.new.end]);
                written = last.old.end;
            }
        }
        put(&self.old[written..]);
    }
}

/// The old input with some changes applied.
pub(crate) struct Mixture {
    pub(crate) difference: Arc<Difference>,
    pub(crate) applied: Configuration,
}

impl Content for Mixture {
    fn write(&self, sink: &mut dyn FnMut(&[u8])) {
        self.difference.write(&self.applied, sink);
    }

    fn identify(&self, sink: &mut dyn FnMut(&[u8])) {
        for run in self.applied.runs() {
            sink(&run.start.to_le_bytes());
            sink(&run.end.to_le_bytes());
        }
    }
}

/// Pairs deletions with insertions, in order: a changed line is one change, not a deletion and an insertion that make
/// sense only together. Items left over are deleted or inserted alone.
fn pairs(old: Range<usize>, new: Range<usize>) -> impl Iterator<Item = (Option<usize>, Option<usize>)> {
    let (mut old, mut new) = (old, new);
    std::iter::from_fn(move || Some((old.next(), new.next())).filter(|pair| *pair != (None, None)))
}
