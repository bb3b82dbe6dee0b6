//! From bytes to blocks, without knowing the format.
//!
//! A region of bytes is explained by a *list*: a few bytes that come before, perhaps a count, and items of one
//! [`Shape`], as many as the count says. The last item ends exactly where the region does. That is the evidence:
//! numbers that mean nothing do not add up. [`weights`] says what such evidence is worth, in bits. An explanation that is
//! worth more than it costs is believed, the best first, and the payloads of the items are regions in turn.
//!
//! Being wrong is cheap: a test decides about every single candidate.
//!
//! | file | what it knows |
//! |---|---|
//! | `mod.rs` | which regions are explained, in which order, and what is learnt from them |
//! | `weights.rs` | what evidence is worth, and what an explanation costs |
//! | `explain.rs` | the best explanation of one region |
//! | `counted.rs` | lists behind a count |
//! | `chains.rs` | lists without a count |
//! | `lists.rs` | the list, the blocks and the checksums that an explanation stands for |

mod chains;
mod counted;
mod explain;
mod lists;
mod weights;

use super::{
    Blob, Block, List,
    shape::{Framed, Shape},
};
use explain::Explanation;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, VecDeque},
    ops::Range,
    sync::Arc,
};
use weights::{FAMILIAR, FILLING, WORTH};

/// How many regions of a kind are looked at to explain all of them. One alone may be untypical, and each costs time.
const SAMPLES: usize = 3;
/// Shorter regions hold nothing that is worth a guess.
const SHORTEST: usize = 4;
/// Steps per byte of the input, and for any input, that are spent on looking. They make the time linear.
const STEPS: (u64, u64) = (32, 4_000_000);

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

impl Knowledge {
    /// The shapes that are known from elsewhere in the input, with or without a count, and what each costs.
    fn familiar(&self, counted: bool) -> Vec<(Shape, f64)> {
        let familiar = self.familiar.iter().filter(|(other, _)| *other == counted);
        familiar.map(|(_, shape)| (shape.clone(), FAMILIAR)).collect()
    }
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
            for (_, region) in largest.into_iter().filter(|(_, region)| region.len() >= SHORTEST).take(SAMPLES) {
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
}
