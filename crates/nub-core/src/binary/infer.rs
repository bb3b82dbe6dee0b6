//! From bytes to blocks, without knowing the format.
//!
//! A region of bytes is explained by a *list*: a few bytes that come before, perhaps a count, and items of one
//! [`Shape`], as many as the count says, of which the last ends exactly where the region does. That is the evidence:
//! numbers that mean nothing do not add up. How much it is worth is measured in bits, as in the principle of minimum
//! description length: to hit the end of n bytes by chance has a probability of about 1/n, so it is worth log n; an
//! explanation that was one of many that could have been tried costs as many bits as it takes to say which. What is worth
//! more than it costs is believed, the best first, and the payloads of the items are regions in turn.
//!
//! Being wrong is cheap: a test decides about every single candidate.

use super::{
    Encoding,
    blob::{Blob, Block, Checksum, Count, Item, List},
    checksum::crc32,
    shape::{Framed, Part, Shape},
};
use Encoding::{Decimal, Der, Leb128, Octal, U8, U16Be, U16Le, U32Be, U32Le, U64Be, U64Le};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, VecDeque},
    ops::Range,
    sync::{Arc, LazyLock},
};

/// How many bits an explanation must be worth more than it costs.
const WORTH: f64 = 3.0;
/// How many it must be worth to be believed if what is inside can be explained, too.
const DOUBTFUL: f64 = 0.5;
/// What it costs that there are so many chains.
const CHAIN: f64 = 4.0;
/// How deep blocks are nested at most.
const DEPTH: usize = 64;
/// What regularity among items is worth at most.
const REGULAR: f64 = 8.0;
/// What a shape costs that something else in the same input is made of.
const FAMILIAR: f64 = 1.0;
/// How many regions of a kind are looked at to explain all of them.
const SAMPLES: usize = 3;
/// So many zeros behind the last item are the end of a list.
const FILLING: usize = 16;
/// Steps per byte of the input, and for any input, that are spent on looking: what makes the time linear.
const STEPS: (u64, u64) = (32, 4_000_000);

/// An explanation of a region.
#[derive(Clone, Debug)]
struct Explanation {
    prefix: usize,
    count: Option<Encoding>,
    shape: Shape,
    score: f64,
}

/// What has been found out about the format of an input: what holds for it holds for what is left of it, even if that is
/// too small to tell.
///
/// Regions that have come about in the same way, as the payload of items with the same tag in lists that have themselves
/// come about in the same way, are of one *kind*, and usually made of the same things.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// By kind.
    explanations: BTreeMap<Kind, Vec<Explanation>>,
    /// Shapes that occur anywhere, and whether with a count.
    familiar: Vec<(bool, Shape)>,
}

/// Which block of an item with which tag, from the outermost inwards.
type Kind = Vec<u8>;

/// Finds the blocks of `bytes`, with the help of what is known about the format, and learns.
pub(super) fn infer(bytes: Arc<[u8]>, knowledge: &mut Knowledge) -> Blob {
    let steps = STEPS.0 * bytes.len() as u64 + STEPS.1;
    let mut inference = Inference { bytes: &bytes, blocks: vec![], lists: vec![], knowledge, steps };
    inference.run();
    let Inference { blocks, lists, .. } = inference;
    Blob::new(bytes, blocks, lists)
}

struct Inference<'a> {
    bytes: &'a [u8],
    blocks: Vec<Block>,
    lists: Vec<List>,
    knowledge: &'a mut Knowledge,
    /// How many are left.
    steps: u64,
}

/// A region that waits: the block whose payload it is, and its bytes.
type Region = (Option<usize>, Range<usize>);

impl Inference<'_> {
    fn run(&mut self) {
        let mut kinds: VecDeque<(Kind, Vec<Region>)> = VecDeque::from([(vec![], vec![(None, 0..self.bytes.len())])]);
        while let Some((kind, mut regions)) = kinds.pop_front() {
            let mut inner: BTreeMap<Kind, Vec<Region>> = BTreeMap::new();
            for explanation in self.candidates(&kind, &regions) {
                let fits = |(_, region): &Region| self.fits(&explanation, region.clone());
                let (fitting, others): (Vec<Region>, Vec<Region>) = regions.iter().cloned().partition(fits);
                // Most of one kind must be alike.
                if 2 * fitting.len() < regions.len() {
                    continue;
                }
                for (parent, region) in fitting {
                    self.open(&explanation, &kind, region, parent, &mut inner);
                }
                self.learn(&kind, explanation);
                regions = others;
                if regions.is_empty() {
                    break;
                }
            }
            // What is large comes first, because the time is limited.
            let mut inner: Vec<(Kind, Vec<Region>)> = inner.into_iter().collect();
            let size = |regions: &[Region]| regions.iter().map(|(_, region)| region.len()).sum::<usize>();
            inner.sort_by_key(|(_, regions)| Reverse(size(regions)));
            kinds.extend(inner);
        }
    }

    /// What could explain regions of a kind: what is known, or what explains the largest of them.
    fn candidates(&mut self, kind: &Kind, regions: &[Region]) -> Vec<Explanation> {
        let mut candidates = self.knowledge.explanations.get(kind).cloned().unwrap_or_default();
        let fit = regions.iter().filter(|(_, region)| candidates.iter().any(|known| self.fits(known, region.clone())));
        if 2 * fit.count() < regions.len() {
            let mut largest: Vec<&Region> = regions.iter().collect();
            largest.sort_by_key(|(_, region)| Reverse(region.len()));
            // Shorter ones hold nothing that is worth a guess.
            for (_, region) in largest.into_iter().filter(|(_, region)| region.len() > 3).take(SAMPLES) {
                let explanation = self.explain(region.clone());
                candidates.extend(explanation.filter(|found| found.score > WORTH || self.confirmed(found, region)));
            }
        }
        candidates
    }

    /// Whether what is inside of the largest block makes up for what an explanation lacks.
    fn confirmed(&mut self, explanation: &Explanation, region: &Range<usize>) -> bool {
        let mut at = region.start + explanation.prefix;
        if let Some(count) = explanation.count {
            at += count.read(&self.bytes[at..region.end]).map_or(0, |(_, width)| width);
        }
        let mut largest = 0..0;
        while at < region.end {
            let found = |Framed { payload, .. }: Framed| {
                if payload.len() > largest.len() {
                    largest = payload;
                }
            };
            let Some(next) = explanation.shape.item(self.bytes, at, region.end, found) else { break };
            at = next;
        }
        self.explain(largest).is_some_and(|inner| explanation.score + inner.score > 2.0 * WORTH)
    }

    fn learn(&mut self, kind: &Kind, explanation: Explanation) {
        let familiar = (explanation.count.is_some(), explanation.shape.clone());
        if !self.knowledge.familiar.contains(&familiar) {
            self.knowledge.familiar.push(familiar);
        }
        let known = self.knowledge.explanations.entry(kind.clone()).or_default();
        let same = |other: &Explanation| {
            (other.prefix, other.count, &other.shape) == (explanation.prefix, explanation.count, &explanation.shape)
        };
        if !known.iter().any(same) {
            known.push(explanation);
        }
    }

    /// Whether an explanation holds for a region.
    fn fits(&self, explanation: &Explanation, region: Range<usize>) -> bool {
        let mut at = region.start + explanation.prefix;
        if at >= region.end {
            return false;
        }
        let mut wanted = None;
        if let Some(encoding) = explanation.count {
            let Some((count, width)) = encoding.read(&self.bytes[at..region.end]) else { return false };
            (at, wanted) = (at + width, Some(count));
        }
        let mut items = 0;
        while at < region.end && wanted.is_none_or(|wanted| items < wanted) {
            let Some(next) = explanation.shape.item(self.bytes, at, region.end, |_| {}) else { break };
            (at, items) = (next, items + 1);
        }
        let ends = at == region.end || wanted.is_none() && self.only_zeros(at..region.end);
        ends && items > 0 && wanted.is_none_or(|wanted| items == wanted)
    }

    /// Whether what comes after the last item just fills a region up.
    fn only_zeros(&self, rest: Range<usize>) -> bool {
        rest.len() >= FILLING && self.bytes[rest].iter().all(|&byte| byte == 0)
    }

    /// The best explanation of a region.
    fn explain(&mut self, region: Range<usize>) -> Option<Explanation> {
        let mut best: Option<Explanation> = None;
        let len = region.len();
        // No region may take away the time of all others.
        let limit = self.steps.saturating_sub(64 * len as u64 + 500_000).max(self.steps / 4);
        let most = (len as f64).log2();
        let filling = region.end - self.bytes[region.clone()].iter().rev().take_while(|&&byte| byte == 0).count();
        for (prefix, prefix_cost) in prefixes().into_iter().filter(|&(prefix, _)| prefix < len) {
            if prefix_cost + WORTH >= most + REGULAR {
                break;
            }
            let from = region.start + prefix;
            for (count, count_cost) in
                [(Leb128, 1.0), (U8, 2.0), (U16Le, 2.5), (U16Be, 2.5), (U32Le, 2.5), (U32Be, 2.5)]
            {
                let Some((items, width)) = count.read(&self.bytes[from..region.end]) else { continue };
                let (start, cost) = (from + width, prefix_cost + count_cost);
                let rest = region.end - start;
                // A number below 128 is the same in both.
                if items == 0 || items > rest as u64 || count == U8 && items < 0x80 {
                    continue;
                }
                let items = items as usize;
                if rest.is_multiple_of(items) && items > 1 {
                    let score = (items as f64).log2() - cost - 0.5;
                    keep(&mut best, prefix, Some(count), Shape::new([Part::Bytes(rest / items)]), score);
                }
                self.counted(&region, prefix, count, start, items, cost, limit, &mut best);
            }
            self.chains(&region, filling, prefix, prefix_cost, limit, &mut best);
        }
        best
    }

    /// Lists of so many items.
    #[expect(clippy::too_many_arguments, reason = "one place calls it")]
    fn counted(
        &mut self,
        region: &Range<usize>,
        prefix: usize,
        count: Encoding,
        start: usize,
        items: usize,
        cost: f64,
        limit: u64,
        best: &mut Option<Explanation>,
    ) {
        let most = (region.len() as f64).log2() + REGULAR;
        let mut shapes: Vec<(Shape, f64)> = self
            .knowledge
            .familiar
            .iter()
            .filter(|(counted, _)| *counted)
            .map(|(_, shape)| (shape.clone(), FAMILIAR))
            .collect();
        let leb = [Part::Block { size: Leb128, gap: 0, counts: 0 }, Part::Number(Leb128), Part::Bytes(1)];
        for length in 1..=5 {
            let shape_cost = 1.0 + 3.0_f64.log2() * f64::from(length);
            if most - cost - shape_cost <= WORTH {
                break;
            }
            for number in 0..3_usize.pow(length as u32) {
                let part = |place: i32| leb[number / 3_usize.pow(place as u32) % 3];
                let parts: Vec<Part> = (0..length).map(part).collect();
                if parts.iter().any(|part| !matches!(part, Part::Bytes(_))) {
                    shapes.push((Shape::new(parts), shape_cost));
                }
            }
        }
        for size in [U8, U16Le, U16Be, U32Le, U32Be] {
            for (before, after) in (0..=8).flat_map(|before| (0..=8).map(move |after| (before, after))) {
                let shape_cost = 5.0 + bits(before) + bits(after);
                if most - cost - shape_cost > WORTH {
                    let parts = [Part::Bytes(before), Part::Block { size, gap: 0, counts: 0 }, Part::Bytes(after)];
                    shapes.push((Shape::new(parts), shape_cost));
                }
            }
        }
        for (shape, shape_cost) in shapes {
            if self.steps < limit {
                return;
            }
            let mut at = start;
            let mut taken = 0;
            while taken < items && at < region.end {
                let Some(next) = shape.item(self.bytes, at, region.end, |_| {}) else { break };
                (at, taken) = (next, taken + 1);
            }
            self.steps = self.steps.saturating_sub(1 + taken as u64);
            if at == region.end && taken == items {
                let score = most - REGULAR - cost - shape_cost + self.regularity(&shape, start, region.end);
                keep(best, prefix, Some(count), shape, score);
            }
        }
    }

    /// What it is worth that items begin with the same byte, or that their payloads are text.
    fn regularity(&self, shape: &Shape, start: usize, end: usize) -> f64 {
        let (mut at, mut items, mut same, mut text) = (start, 0_u32, true, Some(0_u32));
        while at < end {
            let count = |Framed { payload, .. }: Framed| {
                let bytes = &self.bytes[payload];
                let is_text = bytes.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ');
                text = text.filter(|_| is_text).map(|text| text.saturating_add(bytes.len().min(4) as u32));
            };
            let Some(next) = shape.item(self.bytes, at, end, count) else { break };
            same &= self.bytes[at] == self.bytes[start];
            (at, items) = (next, items + 1);
        }
        let same =
            if same && matches!(shape.parts[0], Part::Bytes(_)) { f64::from(items.saturating_sub(1)) } else { 0.0 };
        same.min(REGULAR / 2.0) + f64::from(text.unwrap_or(0)).min(REGULAR / 2.0)
    }

    /// What it is worth that all tags are words.
    fn names(&self, shape: &Shape, start: usize, end: usize) -> f64 {
        let (mut at, mut len) = (start, 0);
        while at < end {
            let Some(next) = shape.item(self.bytes, at, end, |_| {}) else { break };
            let tag = shape.tag(self.bytes, at);
            if tag.len() < 2 || !tag.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b' ') {
                return 0.0;
            }
            (at, len) = (next, tag.len());
        }
        len.min(4) as f64
    }

    /// Lists of items that end where the region ends, however many they are.
    /// Behind `filling` there are only zeros.
    fn chains(
        &mut self,
        region: &Range<usize>,
        filling: usize,
        prefix: usize,
        cost: f64,
        limit: u64,
        best: &mut Option<Explanation>,
    ) {
        let familiar =
            self.knowledge.familiar.iter().filter(|(counted, _)| !counted).map(|(_, shape)| (shape.clone(), FAMILIAR));
        let shapes: Vec<(Shape, f64)> = familiar.chain(CHAINS.iter().cloned()).collect();
        let most = (region.len() as f64).log2();
        let start = region.start + prefix;
        for (shape, shape_cost) in shapes {
            if self.steps < limit {
                return;
            }
            let cost = cost + shape_cost;
            let tagged = shape.parts == [Part::Field];
            let most_surprise = shape.parts.iter().map(|part| most_surprise(*part)).fold(0.0, f64::max);
            if most + most_surprise + 4.0 - cost <= DOUBTFUL {
                continue;
            }
            // Numbers of many bytes that are in range again and again are no accident; up to a point, because zeros are
            // everywhere.
            let (mut at, mut items, mut surprise) = (start, 0_u32, 0.0);
            while at < region.end {
                let bonus = |framed: Framed| {
                    if !framed.payload.is_empty() {
                        surprise += framed.size.surprise(framed.field.len(), region.len()) / 4.0;
                    }
                };
                let Some(next) = shape.item(self.bytes, at, region.end, bonus) else { break };
                (at, items) = (next, items + 1);
                if tagged {
                    surprise += 0.5;
                }
                if !tagged && most - f64::from(items).log2() + most_surprise + 4.0 - cost <= DOUBTFUL {
                    break;
                }
            }
            self.steps = self.steps.saturating_sub(1 + u64::from(items));
            let filled = items > 0 && (filling..=region.end - FILLING.min(region.len())).contains(&at);
            if at == region.end || filled {
                let filling = if filled { 2.0 } else { 0.0 };
                let score = most - f64::from(items).log2() + surprise.min(most_surprise) - cost - filling
                    + self.names(&shape, start, region.end);
                keep(best, prefix, None, shape, score);
            }
        }
    }

    /// Makes a list and its blocks of an explanation.
    fn open(
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

fn keep(best: &mut Option<Explanation>, prefix: usize, count: Option<Encoding>, shape: Shape, score: f64) {
    if score > DOUBTFUL && best.as_ref().is_none_or(|best| score > best.score) {
        *best = Some(Explanation { prefix, count, shape, score });
    }
}

/// How many bits the sizes of a list can be worth beyond that they add up. Zeros are everywhere, so there is a limit.
fn most_surprise(part: Part) -> f64 {
    match part {
        Part::Block { size: U8, .. } | Part::Bytes(_) | Part::Number(_) => 0.0,
        Part::Block { size: Leb128 | Der, .. } => 3.0,
        Part::Block { size: U16Le | U16Be, .. } => 4.0,
        Part::Field => 4.0,
        Part::Block { .. } => 8.0,
    }
}

/// How many bytes may come before a list, and what each costs, the cheapest first.
fn prefixes() -> Vec<(usize, f64)> {
    let cost = |prefix: usize| match prefix {
        0 => 0.0,
        4 | 8 => 2.0,
        2 | 6 | 12 | 16 => 3.0,
        _ => 1.5 + (prefix as f64 + 1.0).log2(),
    };
    let prefixes = (0..=16).chain([20, 24, 32, 40, 48, 64]);
    let mut prefixes: Vec<(usize, f64)> = prefixes.map(|prefix| (prefix, cost(prefix))).collect();
    prefixes.sort_by(|a, b| a.1.total_cmp(&b.1));
    prefixes
}

/// What it costs to say how many.
fn bits(number: usize) -> f64 {
    if number == 0 { 0.0 } else { 0.5 + (number as f64).log2() / 2.0 }
}

static CHAINS: LazyLock<Vec<(Shape, f64)>> = LazyLock::new(chain_shapes);

/// The shapes of chunks, sections, fields and members that formats are made of, with their costs.
fn chain_shapes() -> Vec<(Shape, f64)> {
    let mut shapes = vec![(Shape::new([Part::Field]), CHAIN)];
    let sizes = [
        (Leb128, 1.0),
        (U8, 1.0),
        (Der, 1.5),
        (U16Le, 2.0),
        (U16Be, 2.0),
        (U32Le, 2.0),
        (U32Be, 2.0),
        (U64Le, 3.0),
        (U64Be, 3.0),
    ];
    for (size, cost) in sizes {
        for tag in [0, 1, 2, 3, 4, 6, 8] {
            for gap in [0, 4] {
                for trailer in [0, 1, 4] {
                    let width = match size {
                        U16Le | U16Be => 2,
                        U32Le | U32Be => 4,
                        U64Le | U64Be => 8,
                        _ => 1,
                    };
                    for counts in [0, width, width + gap, tag + width + gap] {
                        for align in [1, 2, 4] {
                            let variable = matches!(size, U8 | Leb128 | Der);
                            if variable && (gap > 0 || counts > 0 || align > 1)
                                || counts > 0 && trailer > 0
                                || gap > 0 && tag > 0
                            {
                                continue;
                            }
                            let parts = [
                                (tag > 0).then_some(Part::Bytes(tag)),
                                Some(Part::Block { size, gap, counts }),
                                (trailer > 0).then_some(Part::Bytes(trailer)),
                            ];
                            let cost = CHAIN
                                + cost
                                + bits(tag)
                                + bits(gap)
                                + bits(trailer)
                                + if counts > 0 { 1.5 } else { 0.0 }
                                + (align as f64).log2();
                            let shape = Shape { align, ..Shape::new(parts.into_iter().flatten().collect::<Vec<_>>()) };
                            if !shapes.iter().any(|(other, _)| *other == shape) {
                                shapes.push((shape, cost));
                            }
                        }
                    }
                }
            }
        }
    }
    // Members of archives have text for numbers.
    let decimal = Part::Block { size: Decimal(10), gap: 2, counts: 0 };
    shapes.push((Shape { align: 2, ..Shape::new([Part::Bytes(48), decimal]) }, 4.0));
    let octal = Part::Block { size: Octal(12), gap: 376, counts: 0 };
    shapes.push((Shape { align: 512, ..Shape::new([Part::Bytes(124), octal]) }, 4.0));
    shapes
}
