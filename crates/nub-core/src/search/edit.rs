//! A state of the whole input: what a search over an input proposes, and what becomes the result.

use std::{fmt, sync::Arc};

/// The bytes of a candidate, produced on demand.
///
/// A million-line input has candidates of a million lines, and most of them are answered from a cache or lose a race;
/// so nothing is copied until somebody needs the bytes, and then they come in slices of what is already in memory.
pub trait Content: Send + Sync {
    /// Writes the bytes of the candidate to `sink`, in order, in as few slices as is convenient.
    fn write(&self, sink: &mut dyn FnMut(&[u8]));

    /// Writes what identifies the *configuration*, as opposed to its text, to `sink`: two configurations of one scope
    /// are the same if and only if they write the same bytes here.
    fn identify(&self, sink: &mut dyn FnMut(&[u8]));

    /// How many bytes [`write`](Self::write) writes.
    fn len(&self) -> usize {
        let mut len = 0;
        self.write(&mut |bytes| len += bytes.len());
        len
    }

    /// Whether there are no bytes at all.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes as one vector.
    fn to_vec(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len());
        self.write(&mut |slice| bytes.extend_from_slice(slice));
        bytes
    }
}

impl Content for Arc<[u8]> {
    fn write(&self, sink: &mut dyn FnMut(&[u8])) {
        sink(self);
    }
    fn identify(&self, sink: &mut dyn FnMut(&[u8])) {
        sink(self);
    }
    fn len(&self) -> usize {
        <[u8]>::len(self)
    }
}

impl Content for Vec<u8> {
    fn write(&self, sink: &mut dyn FnMut(&[u8])) {
        sink(self);
    }
    fn identify(&self, sink: &mut dyn FnMut(&[u8])) {
        sink(self);
    }
    fn len(&self) -> usize {
        Vec::len(self)
    }
}

/// One state of the input: its bytes, and how it compares with other states.
#[derive(Clone)]
pub struct Edit {
    /// The number of the phase that it belongs to, for caches that do not outlive one.
    pub phase: u32,
    /// Which run of which list the configuration belongs to. Configurations are comparable inside a scope only: unit 7
    /// is a line in one scope and a character in the next.
    pub scope: u64,
    /// How many units are kept.
    pub units: usize,
    /// The first component of the order in which every commit must be smaller than the one before; comparable across
    /// scopes. Bytes for text, tokens for trees. (The second is the number of bytes, the third the bytes themselves.)
    pub weight: u64,
    /// What is being worked on, for people: `line`, `char`, `hoist`, …
    pub step: Arc<str>,
    /// The bytes.
    pub content: Arc<dyn Content>,
}

impl fmt::Debug for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edit")
            .field("scope", &self.scope)
            .field("step", &self.step)
            .field("units", &self.units)
            .field("weight", &self.weight)
            .field("text", &String::from_utf8_lossy(&self.content.to_vec()))
            .finish()
    }
}
