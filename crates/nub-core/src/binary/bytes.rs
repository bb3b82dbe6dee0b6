//! The bytes themselves: what no list explains.
//!
//! Every byte that is not part of a size, a count or a checksum is a unit. Any list minimiser can look for the units that
//! are needed; the numbers follow what is left. And units that are needed may still be zeros.

use super::blob::Blob;
use crate::{
    Batch, Configuration, Content as _, Edit, Halving, HalvingOrder, Iterate, ListAlgorithm, Search, Unit, Weights,
    tree::{Splice, Splices},
};
use std::{ops::Range, sync::Arc};

/// The bytes of a blob that are units.
#[derive(Clone, Debug)]
pub(super) struct Units {
    /// Bytes that follow each other in one block, in order.
    pub(super) segments: Vec<Range<usize>>,
    /// How many units are in the segments before each, and in all.
    before: Vec<usize>,
}

impl Units {
    pub(super) fn new(blob: &Blob) -> Self {
        let counts = blob.lists().iter().filter_map(|list| list.count.as_ref()).map(|count| &count.field);
        let sums = blob.blocks().iter().filter_map(|block| block.checksum.as_ref()).map(|checksum| &checksum.field);
        let mut fields: Vec<&Range<usize>> =
            blob.blocks().iter().map(|block| &block.field).chain(counts).chain(sums).collect();
        fields.sort_by_key(|field| (field.start, field.end));
        let ends = blob.blocks().iter().flat_map(|block| [block.payload.start, block.payload.end]);
        let mut cuts: Vec<usize> = ends
            .chain(fields.iter().flat_map(|field| [field.start, field.end]))
            .chain([0, blob.bytes().len()])
            .collect();
        cuts.sort_unstable();
        cuts.dedup();
        let mut fields = fields.into_iter().peekable();
        let mut covered = 0;
        let mut is_field = |start: usize| {
            while let Some(field) = fields.next_if(|field| field.start <= start) {
                covered = covered.max(field.end);
            }
            start < covered
        };
        let segments: Vec<Range<usize>> =
            cuts.windows(2).map(|ends| ends[0]..ends[1]).filter(|segment| !is_field(segment.start)).collect();
        let mut sum = 0;
        let sums = segments.iter().map(|segment| {
            sum += segment.len();
            sum
        });
        let before = std::iter::once(0).chain(sums.collect::<Vec<_>>()).collect();
        Self { segments, before }
    }

    pub(super) fn len(&self) -> usize {
        self.before[self.segments.len()]
    }

    /// The bytes of the units from `from` to `to`, in pieces that belong to one block each.
    fn bytes(&self, from: Unit, to: Unit) -> impl Iterator<Item = Range<usize>> + '_ {
        let (from, to) = (from as usize, to as usize);
        let first = self.before.partition_point(|&before| before <= from).saturating_sub(1);
        (first..self.segments.len()).take_while(move |&segment| self.before[segment] < to).map(move |segment| {
            let (start, before) = (self.segments[segment].start, self.before[segment]);
            start + from.saturating_sub(before)..(start + to - before).min(self.segments[segment].end)
        })
    }

    /// The byte that is this unit.
    fn byte(&self, unit: Unit) -> usize {
        self.bytes(unit, unit + 1).next().map_or(0, |span| span.start)
    }
}

/// A search for the bytes that are needed.
#[derive(Clone)]
pub(super) struct Bytes {
    blob: Arc<Blob>,
    units: Arc<Units>,
    list: Iterate,
}

impl Bytes {
    /// A search over data, which must be interesting.
    pub(super) fn new(algorithm: ListAlgorithm, blob: Arc<Blob>) -> Self {
        let units = Units::new(&blob);
        let list = algorithm.start(Configuration::full(units.len()), Weights::equal());
        Self { blob, units: Arc::new(units), list }
    }

    fn edit(&self, kept: &Configuration) -> Edit {
        let starts = kept.runs().iter().map(|run| run.start).chain([self.units.len() as Unit]);
        let ends = std::iter::once(0).chain(kept.runs().iter().map(|run| run.end));
        let gone = ends.zip(starts).filter(|(from, to)| from < to);
        let cuts = gone.flat_map(|(from, to)| self.units.bytes(from, to)).map(Splice::cut);
        edit(&self.blob, Splices::none().with(cuts), kept.len(), "bytes")
    }
}

/// The state with these splices. If the numbers around cannot be repaired, they stay as they are.
pub(super) fn edit(blob: &Blob, splices: Splices, units: usize, step: &str) -> Edit {
    let content = blob.repaired(&splices, &[]).unwrap_or_else(|| blob.unrepaired(splices));
    let weight = content.len() as u64;
    Edit { phase: 0, scope: 0, units, weight, step: step.into(), content: Arc::new(content) }
}

impl Search for Bytes {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        let batch = self.list.propose()?;
        Some(batch.into_iter().map(|candidate| candidate.lift("bytes", |kept| self.edit(&kept))).collect())
    }

    fn answer(&mut self, interesting: &[usize]) {
        self.list.answer(interesting);
    }

    fn current(&self) -> Edit {
        self.edit(&self.list.current())
    }
}

/// A search for the bytes that need not be anything but zero.
#[derive(Clone)]
pub(super) struct Zeros {
    blob: Arc<Blob>,
    /// Where the bytes are.
    places: Arc<[usize]>,
    /// Over those that are *not* zero: the fewer the better.
    list: Halving,
}

impl Zeros {
    /// A search over data, which must be interesting.
    pub(super) fn new(blob: Arc<Blob>) -> Self {
        let units = Units::new(&blob);
        let places: Arc<[usize]> =
            (0..units.len() as Unit).map(|unit| units.byte(unit)).filter(|&place| blob.bytes()[place] != 0).collect();
        let list =
            Halving::new(HalvingOrder::Heaviest, Configuration::full(places.len()), &Weights::equal()).or_nothing();
        Self { blob, places, list }
    }

    fn edit(&self, kept: &Configuration) -> Edit {
        let zeros = (0..).zip(self.places.iter()).filter(|&(unit, _)| !kept.contains(unit));
        let splices = zeros.map(|(_, &place)| Splice::replace(place..place + 1, &[0]));
        edit(&self.blob, Splices::none().with(splices), kept.len(), "zeros")
    }
}

impl Search for Zeros {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        let batch = self.list.propose()?;
        Some(batch.into_iter().map(|candidate| candidate.lift("zeros", |kept| self.edit(&kept))).collect())
    }

    fn answer(&mut self, interesting: &[usize]) {
        self.list.answer(interesting);
    }

    fn current(&self) -> Edit {
        self.edit(&self.list.current())
    }
}
