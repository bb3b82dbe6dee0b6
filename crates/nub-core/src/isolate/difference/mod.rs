//! What lies between two inputs: the changes that make one out of the other.
//!
//! The units of isolation are not parts of an input but changes: *these* bytes of the passing input become *those* of the
//! failing one. Changes do not overlap and are in the same order in both, so any set of them can be made, and what is made
//! is the passing input with pieces of the failing one in it. No change gives the one input, all changes give the other.

mod tree;
mod units;

pub(crate) use tree::between_trees;
pub(crate) use units::between_units;

use crate::{Configuration, Content, Granularity};
use std::{ops::Range, sync::Arc};

/// How many things of which there are few different ones are compared at once, at most: what two long sequences of
/// characters or of kinds of nodes have in common takes minutes to find out, and means nothing.
const COMPARED: usize = 1 << 15;

/// Finds what two sequences have in common. A pure function: the same sequences, the same answer.
pub trait Diff: Send + Sync {
    /// The maximal ranges of the two that do not correspond, in order; at most one of each pair is empty. What lies between
    /// them is equal.
    fn hunks(&self, old: &[&[u8]], new: &[&[u8]]) -> Vec<(Range<usize>, Range<usize>)>;
}

/// One change: some bytes of the one input become some of the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which bytes go; none, if something is inserted.
    pub old: Range<usize>,
    /// Which bytes come; none, if something is deleted.
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
    /// The changes must be in order in both inputs, and what lies between them must be equal.
    pub(crate) fn new(old: Arc<[u8]>, new: Arc<[u8]>, changes: Vec<Change>) -> Self {
        let this = Self { old, new, changes };
        debug_assert!(this.is_sound(), "{:?}", this.changes);
        this
    }

    /// How many changes there are.
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

    /// Writes the input with some of the changes made.
    fn write(&self, made: &Configuration, sink: &mut dyn FnMut(&[u8])) {
        let mut put = |bytes: &[u8]| {
            if !bytes.is_empty() {
                sink(bytes);
            }
        };
        let mut written = 0;
        for run in made.runs() {
            // A run of changes, with what lies between them, is a piece of the other input.
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

/// An input with some changes made.
pub(crate) struct Mixture {
    pub(crate) difference: Arc<Difference>,
    pub(crate) made: Configuration,
}

impl Content for Mixture {
    fn write(&self, sink: &mut dyn FnMut(&[u8])) {
        self.difference.write(&self.made, sink);
    }

    fn identify(&self, sink: &mut dyn FnMut(&[u8])) {
        for run in self.made.runs() {
            sink(&run.start.to_le_bytes());
            sink(&run.end.to_le_bytes());
        }
    }
}

/// Pairs what goes with what comes, in order: a line that was changed is one change, and not a deletion and an insertion
/// that make sense only together. What is left over goes or comes alone.
fn pairs(old: Range<usize>, new: Range<usize>) -> impl Iterator<Item = (Option<usize>, Option<usize>)> {
    let (mut old, mut new) = (old, new);
    std::iter::from_fn(move || Some((old.next(), new.next())).filter(|pair| *pair != (None, None)))
}
