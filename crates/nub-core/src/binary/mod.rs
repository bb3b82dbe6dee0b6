//! Binary data: blocks instead of lines.
//!
//! A text can lose a line and stay a text. Binary data rarely can lose a byte: somewhere before it a number says how many
//! there are. So an edit has to know these numbers. There are few ways to write them, though, and
//! few ways to put things together, whatever the format: blocks behind their *size fields*, lists of items behind their
//! *counts*, both inside of each other; and numbers that do not belong to anything rarely add up. So the structure can be
//! found in the bytes alone ([`Blob::infer`]), and an edit can be carried out with everything around it repaired
//! ([`Blob::repaired`]).
//!
//! | file | what it knows |
//! |---|---|
//! | `encoding.rs` | how numbers are written |
//! | `shape.rs` | how items look that consist of bytes, numbers and blocks |
//! | `infer/` | which lists of which items explain the data best |
//! | `blob.rs` | how sizes, counts and checksums follow an edit |
//! | `blocks/` | a search: items of lists, the largest first |
//! | `bytes.rs` | searches: bytes that go, and bytes that become zero |
//! | `pairs.rs` | a search: bytes that go while a number near them is lowered |
//!
//! No format is known here by name.

mod blob;
mod blocks;
mod bytes;
mod checksum;
mod encoding;
mod infer;
mod pairs;
mod shape;

pub use blob::{Blob, Block, Count, Item, List, Repaired};
pub use encoding::Encoding;
pub use infer::Knowledge;

use crate::{AnySearch, Batch, Candidate, Edit, Input, ListAlgorithm, Needs, Search, Smaller, Started, Step};
use blocks::Blocks;
use bytes::{Bytes, Zeros};
use pairs::Pairs;
use std::sync::Arc;

/// How much of an input is looked at to find out whether it is text.
const SAMPLE: usize = 8192;

/// Whether these bytes are something else than text: there is a NUL among the first of them, or every tenth has no
/// business in a text.
///
/// ```
/// use nub_core::binary::is_binary;
///
/// assert!(is_binary(b"\x7fELF\x02\x01\x01\x00"));
/// assert!(is_binary(&[0xff; 10]));
/// assert!(!is_binary("Grüße\r\n".as_bytes()));
/// assert!(!is_binary(b""));
/// ```
pub fn is_binary(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let chunks = sample.utf8_chunks();
    let strange = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\x0c' | '\x1b');
    let odd: usize =
        chunks.map(|chunk| chunk.valid().chars().filter(|&c| strange(c)).count() + chunk.invalid().len()).sum();
    sample.contains(&0) || odd * 10 > sample.len()
}

/// One phase over binary data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Items of lists go, the largest first.
    Blocks,
    /// Bytes go.
    Bytes,
    /// Bytes become zero.
    Zeros,
    /// Bytes go, and a number near them is lowered.
    Pairs,
}

/// All phases, in order.
const PHASES: [Phase; 4] = [Phase::Blocks, Phase::Bytes, Phase::Zeros, Phase::Pairs];

/// A search over binary data: all phases, again and again until nothing changes.
///
/// What is known about the format stays known, however little is left of the input.
#[derive(Clone)]
pub struct BinarySearch {
    algorithm: ListAlgorithm,
    knowledge: Arc<Knowledge>,
    /// The number of the phase at work.
    at: usize,
    /// How many phases were started: their scopes must not be mixed up.
    started: u32,
    /// What the round of phases started with.
    round: Arc<[u8]>,
    /// What the phase started with.
    before: Arc<[u8]>,
    search: AnySearch<Edit>,
}

impl BinarySearch {
    /// A search over data, which must be interesting. What is not explained by blocks is minimised by `algorithm`.
    pub fn new(algorithm: ListAlgorithm, bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        let mut knowledge = Knowledge::default();
        let search = Self::start(PHASES[0], algorithm, Arc::clone(&bytes), &mut knowledge);
        Self {
            algorithm,
            knowledge: Arc::new(knowledge),
            at: 0,
            started: 0,
            round: Arc::clone(&bytes),
            before: bytes,
            search,
        }
    }

    fn start(phase: Phase, algorithm: ListAlgorithm, bytes: Arc<[u8]>, knowledge: &mut Knowledge) -> AnySearch<Edit> {
        let blob = Arc::new(Blob::infer_with(bytes, knowledge));
        match phase {
            Phase::Blocks => AnySearch::new(Smaller::new(Blocks::new(blob))),
            Phase::Bytes => AnySearch::new(Smaller::new(Bytes::new(algorithm, blob))),
            Phase::Zeros => AnySearch::new(Smaller::new(Zeros::new(blob))),
            Phase::Pairs => AnySearch::new(Smaller::new(Pairs::new(blob))),
        }
    }

    fn lift(&self, mut edit: Edit) -> Edit {
        edit.scope.phase = self.started;
        edit
    }
}

impl Search for BinarySearch {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        loop {
            if let Some(batch) = self.search.propose() {
                let lift =
                    |candidate: Candidate<Edit>| candidate.lift(format_args!("p{}", self.started), |e| self.lift(e));
                return Some(batch.into_iter().map(lift).collect());
            }
            let left: Arc<[u8]> = self.current().content.to_vec().into();
            let changed = left != self.before;
            self.at = match PHASES[self.at] {
                Phase::Blocks | Phase::Pairs if changed => self.at,
                _ => self.at + 1,
            };
            if self.at == PHASES.len() {
                if left == self.round {
                    self.at -= 1;
                    return None;
                }
                (self.at, self.round) = (0, Arc::clone(&left));
            }
            self.started += 1;
            let knowledge = Arc::make_mut(&mut self.knowledge);
            self.search = Self::start(PHASES[self.at], self.algorithm, Arc::clone(&left), knowledge);
            self.before = left;
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        self.search.answer(interesting);
    }

    fn current(&self) -> Edit {
        self.lift(self.search.current())
    }
}

/// [`BinarySearch`] as a step of a plan; the algorithm minimises what no block explains.
#[derive(Clone, Copy, Debug)]
pub struct BinaryStep(pub ListAlgorithm);

impl BinaryStep {
    pub(crate) const ABOUT: &str = "removes blocks and bytes of binary data, and keeps sizes and counts right";
}

impl Step for BinaryStep {
    fn name(&self) -> String {
        "binary".to_owned()
    }

    fn spelling(&self) -> String {
        format!("binary with {}", self.0.spelling())
    }

    fn needs(&self) -> Needs {
        Needs::Bytes
    }

    fn start(&self, input: &Input<'_>) -> Option<Started> {
        Some(Started::all(BinarySearch::new(self.0, Arc::clone(input.bytes))))
    }
}
