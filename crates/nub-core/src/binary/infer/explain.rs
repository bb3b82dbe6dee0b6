//! The best explanation of a region.

use super::{
    super::{
        Encoding::{self, U8},
        shape::{Part, Shape},
    },
    Inference,
    weights::{COUNTS, DOUBTFUL, EQUAL, REGULAR, WORTH, prefixes},
};
use std::ops::Range;

/// Steps per byte of a region, and for any region, that may be spent on it if there are enough of them.
const STEPS: (u64, u64) = (64, 500_000);

/// An explanation of a region.
#[derive(Clone, Debug)]
pub(super) struct Explanation {
    pub(super) prefix: usize,
    pub(super) count: Option<Encoding>,
    pub(super) shape: Shape,
    pub(super) score: f64,
}

/// A region that is being explained.
pub(super) struct Trial {
    pub(super) region: Range<usize>,
    /// What it is worth to hit its end.
    pub(super) most: f64,
    /// Where the zeros at its end begin.
    pub(super) filling: usize,
    /// How many steps must be left for the other regions.
    pub(super) limit: u64,
    pub(super) best: Option<Explanation>,
}

/// How a list begins.
#[derive(Clone, Copy)]
pub(super) struct Head {
    pub(super) prefix: usize,
    pub(super) count: Option<Encoding>,
    /// Where its first item begins.
    pub(super) start: usize,
    /// What it costs to say all that.
    pub(super) cost: f64,
}

impl Trial {
    /// Keeps an explanation if it is the best so far.
    pub(super) fn keep(&mut self, head: &Head, shape: Shape, score: f64) {
        if score > DOUBTFUL && self.best.as_ref().is_none_or(|best| score > best.score) {
            self.best = Some(Explanation { prefix: head.prefix, count: head.count, shape, score });
        }
    }
}

impl Inference<'_> {
    /// The best explanation of a region.
    pub(super) fn explain(&mut self, region: Range<usize>) -> Option<Explanation> {
        let (start, len) = (region.start, region.len());
        let mut trial = self.trial(region);
        for (prefix, cost) in prefixes().into_iter().filter(|&(prefix, _)| prefix < len) {
            if cost + WORTH >= trial.most + REGULAR {
                break;
            }
            let head = Head { prefix, count: None, start: start + prefix, cost };
            for (count, cost) in COUNTS {
                let Some((head, items)) = self.count(&trial, head, count, cost) else { continue };
                let rest = trial.region.end - head.start;
                if rest.is_multiple_of(items) && items > 1 {
                    let score = (items as f64).log2() - head.cost - EQUAL;
                    trial.keep(&head, Shape::new([Part::Bytes(rest / items)]), score);
                }
                self.counted(&mut trial, &head, items);
            }
            self.chains(&mut trial, &head);
        }
        trial.best
    }

    fn trial(&self, region: Range<usize>) -> Trial {
        let len = region.len();
        // No region may take away the time of all others.
        let limit = self.steps.saturating_sub(STEPS.0 * len as u64 + STEPS.1).max(self.steps / 4);
        let most = (len as f64).log2();
        let filling = region.end - self.bytes[region.clone()].iter().rev().take_while(|&&byte| byte == 0).count();
        Trial { region, most, filling, limit, best: None }
    }

    /// A count at the beginning of a list, and how many items it says; `None` if there cannot be as many.
    fn count(&self, trial: &Trial, head: Head, count: Encoding, cost: f64) -> Option<(Head, usize)> {
        let (items, width) = count.read(&self.bytes[head.start..trial.region.end])?;
        let start = head.start + width;
        let rest = trial.region.end - start;
        // A number below 128 is the same in LEB128.
        if items == 0 || items > rest as u64 || count == U8 && items < 0x80 {
            return None;
        }
        Some((Head { count: Some(count), start, cost: head.cost + cost, ..head }, items as usize))
    }
}
