//! Lists behind a count.

use super::{
    super::{
        Encoding::{Leb128, U8, U16Be, U16Le, U32Be, U32Le},
        shape::{Framed, Part, Shape},
    },
    Inference,
    explain::{Head, Trial},
    weights::{FIXED_SHAPE, LEB_SHAPE, LETTERS, REGULAR, WORTH, bits},
};

/// How many parts an item of LEB128 numbers, strings and bytes has at most.
const PARTS: i32 = 5;

impl Inference<'_> {
    /// Lists of this many items.
    pub(super) fn counted(&mut self, trial: &mut Trial, head: &Head, items: usize) {
        let most = trial.most + REGULAR;
        let end = trial.region.end;
        let mut shapes = self.knowledge.familiar(true);
        leb_shapes(&mut shapes, |cost| most - head.cost - cost > WORTH);
        fixed_shapes(&mut shapes, |cost| most - head.cost - cost > WORTH);
        for (shape, cost) in shapes {
            if self.steps < trial.limit {
                return;
            }
            let mut at = head.start;
            let mut taken = 0;
            while taken < items && at < end {
                let Some(next) = shape.item(self.bytes, at, end, |_| {}) else { break };
                (at, taken) = (next, taken + 1);
            }
            self.steps = self.steps.saturating_sub(1 + taken as u64);
            if at == end && taken == items {
                let score = most - REGULAR - head.cost - cost + self.regularity(&shape, head.start, end);
                trial.keep(head, shape, score);
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
                text = text.filter(|_| is_text).map(|text| text.saturating_add(bytes.len().min(LETTERS) as u32));
            };
            let Some(next) = shape.item(self.bytes, at, end, count) else { break };
            same &= self.bytes[at] == self.bytes[start];
            (at, items) = (next, items + 1);
        }
        let same =
            if same && matches!(shape.parts[0], Part::Bytes(_)) { f64::from(items.saturating_sub(1)) } else { 0.0 };
        same.min(REGULAR / 2.0) + f64::from(text.unwrap_or(0)).min(REGULAR / 2.0)
    }
}

/// Items of numbers in LEB128, strings behind one, and single bytes, in every order; with what they cost, if that is
/// affordable.
fn leb_shapes(shapes: &mut Vec<(Shape, f64)>, affordable: impl Fn(f64) -> bool) {
    let kinds = [Part::Block { size: Leb128, gap: 0, counts: 0 }, Part::Number(Leb128), Part::Bytes(1)];
    for length in 1..=PARTS {
        let cost = LEB_SHAPE + (kinds.len() as f64).log2() * f64::from(length);
        if !affordable(cost) {
            break;
        }
        for number in 0..kinds.len().pow(length as u32) {
            let part = |place: i32| kinds[number / kinds.len().pow(place as u32) % kinds.len()];
            let parts: Vec<Part> = (0..length).map(part).collect();
            if parts.iter().any(|part| !matches!(part, Part::Bytes(_))) {
                shapes.push((Shape::new(parts), cost));
            }
        }
    }
}

/// Items of a block behind a size of fixed width, with bytes before and after it; with what they cost, if that is
/// affordable.
fn fixed_shapes(shapes: &mut Vec<(Shape, f64)>, affordable: impl Fn(f64) -> bool) {
    for size in [U8, U16Le, U16Be, U32Le, U32Be] {
        for (before, after) in (0..=8).flat_map(|before| (0..=8).map(move |after| (before, after))) {
            let cost = FIXED_SHAPE + bits(before) + bits(after);
            if affordable(cost) {
                let parts = [Part::Bytes(before), Part::Block { size, gap: 0, counts: 0 }, Part::Bytes(after)];
                shapes.push((Shape::new(parts), cost));
            }
        }
    }
}
