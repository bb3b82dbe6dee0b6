//! The list, the blocks and the checksums that an explanation stands for.

use super::{
    super::{
        blob::{Block, Checksum, Count, Item, List},
        checksum::crc32,
        shape::Framed,
    },
    Inference, Kind, Region,
    explain::Explanation,
};
use std::{collections::BTreeMap, ops::Range};

/// How deep blocks are nested at most.
const DEPTH: usize = 64;

impl Inference<'_> {
    /// Makes a list and its blocks of an explanation.
    pub(super) fn open(
        &mut self,
        list: &Explanation,
        kind: &Kind,
        region: Range<usize>,
        parent: Option<usize>,
        inner: &mut BTreeMap<Kind, Vec<Region>>,
    ) {
        let mut at = region.start + list.prefix;
        let count = list.count.and_then(|encoding| {
            let field = at..at + encoding.read(&self.bytes[at..region.end])?.1;
            at = field.end;
            Some(Count { encoding, field })
        });
        let depth = parent.map_or(0, |parent| self.blocks[parent].depth + 1);
        let mut items = vec![];
        while at < region.end {
            let first = self.blocks.len();
            let blocks = &mut self.blocks;
            let end = list.shape.item(self.bytes, at, region.end, |Framed { size, field, payload }| {
                blocks.push(Block { size, field, payload, parent, depth, checksum: None });
            });
            let Some(end) = end else { break };
            let tag = list.shape.tag(self.bytes, at);
            for (place, number) in (first..self.blocks.len()).enumerate() {
                self.blocks[number].checksum = find_checksum(self.bytes, &self.blocks[number], at..end);
                let payload = self.blocks[number].payload.clone();
                if !payload.is_empty() && depth < DEPTH {
                    let kind = [&kind[..], &[place as u8, tag.len() as u8], tag].concat();
                    inner.entry(kind).or_default().push((Some(number), payload));
                }
            }
            items.push(Item { span: at..end, blocks: first..self.blocks.len() });
            at = end;
        }
        self.lists.push(List { count, items: items.into(), parent });
    }
}

/// A checksum behind a payload that is right: of the payload, or of everything in the item behind the size.
fn find_checksum(bytes: &[u8], block: &Block, item: Range<usize>) -> Option<Checksum> {
    let field = block.payload.end..block.payload.end + 4;
    if field.end > item.end {
        return None;
    }
    let written = bytes[field.clone()].try_into().ok()?;
    [block.field.end, block.payload.start, item.start].into_iter().find_map(|start| {
        let sum = crc32([&bytes[start..block.payload.end]]);
        let big = u32::from_be_bytes(written) == sum;
        (big || u32::from_le_bytes(written) == sum).then(|| Checksum { field: field.clone(), start, big })
    })
}
