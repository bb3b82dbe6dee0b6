//! Lists without a count: chunks, sections, fields and members, one behind the other, until the region ends.

use super::{
    super::{
        Encoding::{self, Decimal, Der, Leb128, Octal, U8, U16Be, U16Le, U32Be, U32Le, U64Be, U64Le},
        shape::{Framed, Part, Shape},
    },
    Inference,
    explain::{Head, Trial},
    weights::{CHAIN, DOUBTFUL, FIELD, FILLED, FILLING, INCLUSIVE, SIZES, SURPRISE, WORDS, bits, most_surprise},
};
use std::sync::LazyLock;

static SHAPES: LazyLock<Vec<(Shape, f64)>> = LazyLock::new(shapes);

impl Inference<'_> {
    /// Lists of items that end where the region ends, however many they are.
    pub(super) fn chains(&mut self, trial: &mut Trial, head: &Head) {
        for (shape, cost) in self.knowledge.familiar(false).into_iter().chain(SHAPES.iter().cloned()) {
            if self.steps < trial.limit {
                return;
            }
            self.chain(trial, head, shape, head.cost + cost);
        }
    }

    /// A list of items of this shape.
    fn chain(&mut self, trial: &mut Trial, head: &Head, shape: Shape, cost: f64) {
        let (end, len, most) = (trial.region.end, trial.region.len(), trial.most);
        let tagged = shape.parts == [Part::Field];
        let most_surprise = shape.parts.iter().map(|part| most_surprise(*part)).fold(0.0, f64::max);
        let hopeless = |items: u32| most - f64::from(items).log2() + most_surprise + WORDS - cost <= DOUBTFUL;
        if hopeless(1) {
            return;
        }
        // Numbers of many bytes that are in range again and again are no accident; up to a point, because zeros are
        // everywhere.
        let (mut at, mut items, mut surprise) = (head.start, 0_u32, 0.0);
        while at < end {
            let bonus = |framed: Framed| {
                if !framed.payload.is_empty() {
                    surprise += framed.size.surprise(framed.field.len(), len) * SURPRISE;
                }
            };
            let Some(next) = shape.item(self.bytes, at, end, bonus) else { break };
            (at, items) = (next, items + 1);
            if tagged {
                surprise += FIELD;
            } else if hopeless(items) {
                break;
            }
        }
        self.steps = self.steps.saturating_sub(1 + u64::from(items));
        let filled = items > 0 && (trial.filling..=end - FILLING.min(len)).contains(&at);
        if at == end || filled {
            let filling = if filled { FILLED } else { 0.0 };
            let score = most - f64::from(items).log2() + surprise.min(most_surprise) - cost - filling
                + self.words(&shape, head.start, end);
            trial.keep(head, shape, score);
        }
    }

    /// What it is worth that all tags are words.
    fn words(&self, shape: &Shape, start: usize, end: usize) -> f64 {
        let (mut at, mut len) = (start, 0);
        while at < end {
            let Some(next) = shape.item(self.bytes, at, end, |_| {}) else { break };
            let tag = shape.tag(self.bytes, at);
            if tag.len() < 2 || !tag.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b' ') {
                return 0.0;
            }
            (at, len) = (next, tag.len());
        }
        (len as f64).min(WORDS)
    }
}

/// The shapes that formats are made of, with their costs.
fn shapes() -> Vec<(Shape, f64)> {
    let mut shapes = vec![(Shape::new([Part::Field]), CHAIN)];
    for (size, size_cost) in SIZES {
        for chunk in chunks(size) {
            let shape = chunk.shape();
            if !shapes.iter().any(|(other, _)| *other == shape) {
                shapes.push((shape, chunk.cost(size_cost)));
            }
        }
    }
    // Members of archives have text for numbers. Nothing about them varies, so there is nothing else to say.
    let decimal = Part::Block { size: Decimal(10), gap: 2, counts: 0 };
    shapes.push((Shape { align: 2, ..Shape::new([Part::Bytes(48), decimal]) }, CHAIN));
    let octal = Part::Block { size: Octal(12), gap: 376, counts: 0 };
    shapes.push((Shape { align: 512, ..Shape::new([Part::Bytes(124), octal]) }, CHAIN));
    shapes
}

/// An item of a size and a payload, with what may be around them.
#[derive(Clone, Copy)]
struct Chunk {
    /// Bytes before the size.
    tag: usize,
    size: Encoding,
    /// Bytes between the size and the payload.
    gap: usize,
    /// Bytes that the size counts besides the payload.
    counts: usize,
    /// Bytes behind the payload.
    trailer: usize,
    align: usize,
}

/// All chunks with a size that is written like this.
fn chunks(size: Encoding) -> Vec<Chunk> {
    let width = match size {
        U16Le | U16Be => 2,
        U32Le | U32Be => 4,
        U64Le | U64Be => 8,
        _ => 1,
    };
    let mut chunks = vec![];
    for tag in [0, 1, 2, 3, 4, 6, 8] {
        for gap in [0, 4] {
            for trailer in [0, 1, 4] {
                for counts in [0, width, width + gap, tag + width + gap] {
                    let chunk = |align| Chunk { tag, size, gap, counts, trailer, align };
                    chunks.extend([1, 2, 4].map(chunk).into_iter().filter(Chunk::is_plausible));
                }
            }
        }
    }
    chunks
}

impl Chunk {
    /// Whether formats have such chunks: few combine all that is possible.
    fn is_plausible(&self) -> bool {
        let variable = matches!(self.size, U8 | Leb128 | Der);
        !(variable && (self.gap > 0 || self.counts > 0 || self.align > 1)
            || self.counts > 0 && self.trailer > 0
            || self.gap > 0 && self.tag > 0)
    }

    fn shape(&self) -> Shape {
        let &Self { tag, size, gap, counts, trailer, align } = self;
        let parts = [
            (tag > 0).then_some(Part::Bytes(tag)),
            Some(Part::Block { size, gap, counts }),
            (trailer > 0).then_some(Part::Bytes(trailer)),
        ];
        Shape { align, ..Shape::new(parts.into_iter().flatten().collect::<Vec<_>>()) }
    }

    fn cost(&self, size: f64) -> f64 {
        CHAIN
            + size
            + bits(self.tag)
            + bits(self.gap)
            + bits(self.trailer)
            + if self.counts > 0 { INCLUSIVE } else { 0.0 }
            + (self.align as f64).log2()
    }
}
