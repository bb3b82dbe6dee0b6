//! Binary data with its blocks, and edits that keep all sizes correct.

use super::{
    Encoding,
    checksum::crc32,
    infer::{self, Knowledge},
};
use crate::{
    Content,
    tree::{Splice, Splices},
};
use std::{cmp::Reverse, collections::BTreeMap, ops::Range, sync::Arc};

/// A size field and its payload.
#[derive(Clone, Debug)]
pub struct Block {
    /// The encoding of the size.
    pub size: Encoding,
    /// The bytes of the size field.
    pub field: Range<usize>,
    /// The bytes that the size describes. (The size may include some bytes around them.)
    pub payload: Range<usize>,
    /// The block around this one.
    pub parent: Option<usize>,
    /// The number of blocks around this one.
    pub depth: usize,
    pub(super) checksum: Option<Checksum>,
}

/// A four-byte CRC-32 of the bytes from `start` to the end of the payload.
#[derive(Clone, Debug)]
pub(super) struct Checksum {
    pub(super) field: Range<usize>,
    pub(super) start: usize,
    /// Whether it is big-endian.
    pub(super) big: bool,
}

/// The number of items in a list, as stored in the data.
#[derive(Clone, Debug)]
pub struct Count {
    /// The encoding of the number.
    pub encoding: Encoding,
    /// The bytes of the number.
    pub field: Range<usize>,
}

/// An item of a list.
#[derive(Clone, Debug)]
pub struct Item {
    /// All of its bytes.
    pub span: Range<usize>,
    /// The blocks in it, by number.
    pub blocks: Range<usize>,
}

/// Consecutive items.
#[derive(Clone, Debug)]
pub struct List {
    /// The number of items, if it is stored.
    pub count: Option<Count>,
    /// The items.
    pub items: Arc<[Item]>,
    /// The block whose payload the items form; none for the whole input.
    pub parent: Option<usize>,
}

/// Binary data and its inferred structure.
#[derive(Clone, Debug)]
pub struct Blob {
    bytes: Arc<[u8]>,
    blocks: Vec<Block>,
    lists: Vec<List>,
    /// The blocks in the order of their payloads, the outer ones first.
    in_order: Vec<usize>,
    /// The list in the payload of each block.
    inside: Vec<Option<usize>>,
}

impl Blob {
    /// Finds the blocks of `bytes`.
    ///
    /// ```
    /// use nub_core::{binary::Blob, Content as _, tree::{Splice, Splices}};
    ///
    /// // A count, followed by that many strings, each preceded by its length.
    /// let blob = Blob::infer(*b"\x03\x05apple\x0cpomegranates\x04pear");
    /// let [list] = blob.lists() else { panic!("one list") };
    /// let second = list.items[1].span.clone();
    /// let left = blob.repaired(&Splices::none().with([Splice::cut(second)]), &[(0, 1)]).unwrap();
    /// assert_eq!(left.to_vec(), b"\x02\x05apple\x04pear");
    /// ```
    pub fn infer(bytes: impl Into<Arc<[u8]>>) -> Self {
        Self::infer_with(bytes, &mut Knowledge::default())
    }

    /// Finds the blocks of `bytes` with the help of existing knowledge about the format, and adds to that knowledge.
    pub fn infer_with(bytes: impl Into<Arc<[u8]>>, knowledge: &mut Knowledge) -> Self {
        infer::infer(bytes.into(), knowledge)
    }

    pub(super) fn new(bytes: Arc<[u8]>, blocks: Vec<Block>, lists: Vec<List>) -> Self {
        let mut in_order: Vec<usize> = (0..blocks.len()).collect();
        in_order.sort_by_key(|&block| (blocks[block].payload.start, blocks[block].depth));
        let mut inside = vec![None; blocks.len()];
        for (number, list) in lists.iter().enumerate() {
            if let Some(parent) = list.parent {
                inside[parent] = Some(number);
            }
        }
        Self { bytes, blocks, lists, in_order, inside }
    }

    /// The data.
    pub fn bytes(&self) -> &Arc<[u8]> {
        &self.bytes
    }

    /// All blocks.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// All lists.
    pub fn lists(&self) -> &[List] {
        &self.lists
    }

    /// The list that forms the payload of a block, or the whole data.
    pub fn list(&self, block: Option<usize>) -> Option<usize> {
        match block {
            Some(block) => self.inside[block],
            None => self.lists.iter().position(|list| list.parent.is_none()),
        }
    }

    /// The innermost block whose payload contains all of these bytes.
    pub fn around(&self, span: &Range<usize>) -> Option<usize> {
        let before = self.in_order.partition_point(|&block| self.blocks[block].payload.start <= span.start);
        let mut block = self.in_order[..before].last().copied();
        while let Some(number) = block {
            let Block { payload, parent, .. } = &self.blocks[number];
            if payload.start <= span.start && span.end <= payload.end && !payload.is_empty() {
                return block;
            }
            block = *parent;
        }
        None
    }

    /// The data with these splices, and with this many items fewer in each of these lists. All sizes around them, the
    /// counts of the lists and the checksums are updated. `None` if a number would not fit into its field.
    pub fn repaired(&self, splices: &Splices, fewer: &[(usize, u64)]) -> Option<Repaired> {
        let mut repairs: Vec<Splice> = vec![];
        // By how many bytes each payload changes, the innermost first.
        let mut changes: BTreeMap<(Reverse<usize>, usize), i64> = BTreeMap::new();
        let change = |changes: &mut BTreeMap<_, i64>, block: Option<usize>, by: i64| {
            if let Some(block) = block {
                *changes.entry((Reverse(self.blocks[block].depth), block)).or_default() += by;
            }
        };
        for splice in splices.iter() {
            let span = splice.span.start as usize..splice.span.end as usize;
            change(&mut changes, self.around(&span), -splice.gain());
        }
        for &(list, by) in fewer {
            let Some(Count { encoding, field }) = &self.lists[list].count else { continue };
            if by == 0 || splices.touch(field) {
                continue;
            }
            let count = encoding.read(&self.bytes[field.clone()])?.0;
            let repair = self.rewrite(*encoding, field, count.checked_sub(by)?)?;
            change(&mut changes, self.around(field), -repair.gain());
            repairs.push(repair);
        }
        let mut touched = vec![];
        while let Some(((_, number), by)) = changes.pop_first() {
            let block = &self.blocks[number];
            let mut grown = by;
            if by != 0 && !splices.touch(&block.field) {
                let size = block.size.read(&self.bytes[block.field.clone()])?.0;
                let repair = self.rewrite(block.size, &block.field, size.checked_add_signed(by)?)?;
                grown -= repair.gain();
                repairs.push(repair);
            }
            touched.push(number);
            change(&mut changes, block.parent, grown);
        }
        let mut all = splices.with(repairs);
        for checksum in touched.into_iter().filter_map(|block| self.checksum(block, &all)).collect::<Vec<_>>() {
            all = all.with([checksum]);
        }
        Some(Repaired::new(Arc::clone(&self.bytes), all))
    }

    /// The data with only these splices applied.
    pub(super) fn unrepaired(&self, splices: Splices) -> Repaired {
        Repaired::new(Arc::clone(&self.bytes), splices)
    }

    fn rewrite(&self, encoding: Encoding, field: &Range<usize>, value: u64) -> Option<Splice> {
        let text = encoding.rewrite(&self.bytes[field.clone()], value)?;
        Some(Splice::replace(field.clone(), &text))
    }

    /// The new checksum of a block after an edit.
    fn checksum(&self, block: usize, splices: &Splices) -> Option<Splice> {
        let Block { checksum, payload, .. } = &self.blocks[block];
        let Checksum { field, start, big } = checksum.as_ref()?;
        if splices.touch(field) {
            return None;
        }
        let summed = Repaired { bytes: Arc::clone(&self.bytes), splices: splices.clone(), len: 0 };
        let mut slices: Vec<Vec<u8>> = vec![];
        summed.write_range(*start..payload.end, &mut |slice| slices.push(slice.to_vec()));
        let sum = crc32(slices.iter().map(|slice| &slice[..]));
        Some(Splice::replace(field.clone(), &if *big { sum.to_be_bytes() } else { sum.to_le_bytes() }))
    }
}

/// Binary data after an edit.
#[derive(Clone, Debug)]
pub struct Repaired {
    bytes: Arc<[u8]>,
    splices: Splices,
    len: usize,
}

impl Repaired {
    fn new(bytes: Arc<[u8]>, splices: Splices) -> Self {
        let gain: i64 = splices.iter().map(Splice::gain).sum();
        let len = (bytes.len() as i64 - gain) as usize;
        Self { bytes, splices, len }
    }

    /// Writes these bytes of the original, with the splices applied.
    fn write_range(&self, range: Range<usize>, sink: &mut dyn FnMut(&[u8])) {
        let mut at = range.start;
        for splice in self.splices.iter() {
            let (start, end) = (splice.span.start as usize, splice.span.end as usize);
            if start < range.start || start >= range.end {
                continue;
            }
            sink(&self.bytes[at..start]);
            sink(&splice.text);
            at = end;
        }
        sink(&self.bytes[at.min(range.end)..range.end]);
    }
}

impl Content for Repaired {
    fn write(&self, sink: &mut dyn FnMut(&[u8])) {
        self.write_range(0..self.bytes.len(), sink);
    }

    fn identify(&self, sink: &mut dyn FnMut(&[u8])) {
        for splice in self.splices.iter() {
            sink(&splice.span.start.to_le_bytes());
            sink(&splice.span.end.to_le_bytes());
            sink(&(splice.text.len() as u64).to_le_bytes());
            sink(&splice.text);
        }
    }

    fn len(&self) -> usize {
        self.len
    }
}
