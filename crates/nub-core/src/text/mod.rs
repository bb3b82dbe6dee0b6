//! Reducing an input without knowing its structure: lists of lines, characters, bytes or tokens, one after the other.

mod granularity;

pub(crate) use granularity::Cuts;
pub use granularity::Granularity;

use crate::{Batch, Configuration, Content, Edit, Iterate, ListAlgorithm, Search, Unit, Weights};
use std::sync::Arc;

/// One phase over the text: what the units are, and how their list is minimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPhase {
    /// What a unit is.
    pub granularity: Granularity,
    /// How the list of units is minimised.
    pub algorithm: ListAlgorithm,
}

/// A search over a text, phase by phase, each on what the one before has left.
///
/// ```
/// use nub_core::{drive, Granularity, ListAlgorithm, Search, TextPhase, TextSearch};
///
/// let algorithm = ListAlgorithm::default();
/// let phases = [Granularity::Line, Granularity::Char].map(|granularity| TextPhase { granularity, algorithm });
/// let mut search = TextSearch::new(phases, *b"one\ntwo\nthree\n");
/// drive(&mut search, |candidate| candidate.what.content.to_vec().contains(&b'w'));
/// assert_eq!(search.current().content.to_vec(), b"w");
/// ```
#[derive(Clone)]
pub struct TextSearch {
    phases: Arc<[TextPhase]>,
    /// The number of the phase at work.
    at: usize,
    text: Arc<Text>,
    list: Iterate,
}

impl TextSearch {
    /// A search over `bytes`, which must be interesting.
    ///
    /// # Panics
    /// If there are no phases, or 4 GiB of input or more.
    pub fn new(phases: impl Into<Arc<[TextPhase]>>, bytes: impl Into<Arc<[u8]>>) -> Self {
        let phases = phases.into();
        let (text, list) = Self::start(phases[0], bytes.into());
        Self { phases, at: 0, text, list }
    }

    fn start(phase: TextPhase, bytes: Arc<[u8]>) -> (Arc<Text>, Iterate) {
        let text = Arc::new(Text { cuts: phase.granularity.cut(&bytes), bytes });
        let weights = if phase.algorithm.minimizer.is_weighted() { text.weights() } else { Weights::equal() };
        let list = phase.algorithm.start(Configuration::full(text.cuts.len()), weights);
        (text, list)
    }

    fn edit(&self, configuration: Configuration) -> Edit {
        let units = configuration.len();
        let len = self.text.len(&configuration);
        let content = TextEdit { text: Arc::clone(&self.text), configuration, len };
        Edit {
            phase: self.at as u32,
            scope: self.at as u64,
            units,
            weight: len as u64,
            step: self.phases[self.at].granularity.name().into(),
            content: Arc::new(content),
        }
    }
}

impl Search for TextSearch {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        loop {
            if let Some(batch) = self.list.propose() {
                let outer = format!("a{}", self.at);
                let lift = |candidate: crate::Candidate<_>| candidate.lift(&outer, |c| self.edit(c));
                return Some(batch.into_iter().map(lift).collect());
            }
            let next = *self.phases.get(self.at + 1)?;
            let left = self.current().content.to_vec();
            self.at += 1;
            (self.text, self.list) = Self::start(next, left.into());
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        self.list.answer(interesting);
    }

    fn current(&self) -> Edit {
        self.edit(self.list.current())
    }
}

/// Bytes and where they are cut into units.
struct Text {
    bytes: Arc<[u8]>,
    cuts: Cuts,
}

impl Text {
    /// The bytes of each unit.
    fn weights(&self) -> Weights {
        match &self.cuts {
            Cuts::EveryByte(_) => Weights::equal(),
            Cuts::At(at) => Weights::new(at.windows(2).map(|unit| u64::from(unit[1] - unit[0]))),
        }
    }

    /// How many bytes these units have.
    fn len(&self, configuration: &Configuration) -> usize {
        match &self.cuts {
            Cuts::EveryByte(_) => configuration.len(),
            Cuts::At(at) => {
                let start = |unit: Unit| at[unit as usize] as usize;
                configuration.runs().iter().map(|run| start(run.end) - start(run.start)).sum()
            }
        }
    }
}

/// Some of the units of a text.
struct TextEdit {
    text: Arc<Text>,
    configuration: Configuration,
    /// In bytes: asked for several times per candidate, and not free when there are many runs.
    len: usize,
}

impl Content for TextEdit {
    fn write(&self, sink: &mut dyn FnMut(&[u8])) {
        for run in self.configuration.runs() {
            sink(&self.text.bytes[self.text.cuts.start(run.start)..self.text.cuts.start(run.end)]);
        }
    }

    fn identify(&self, sink: &mut dyn FnMut(&[u8])) {
        for run in self.configuration.runs() {
            sink(&run.start.to_le_bytes());
            sink(&run.end.to_le_bytes());
        }
    }

    fn len(&self) -> usize {
        self.len
    }
}
