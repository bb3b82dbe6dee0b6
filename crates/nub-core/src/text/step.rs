//! List minimisers on a text, as a step of a plan.

use super::{Granularity, TextPhase, TextSearch};
use crate::{Input, ListAlgorithm, Needs, Started, Step, Validity};
use std::sync::Arc;

/// A list minimiser on the units of a text, one granularity after the other.
#[derive(Clone, Debug)]
pub struct TextStep {
    /// What minimises the lists.
    pub algorithm: ListAlgorithm,
    /// What the units are, phase by phase.
    pub granularities: Vec<Granularity>,
    /// What happens to candidates with syntax errors.
    pub errors: Errors,
}

/// What happens to candidates with syntax errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// They are tested.
    Tested,
    /// They are left out if the test refuses them.
    Filtered,
    /// They are tested, to learn whether the test refuses them.
    Probed,
}

impl Step for TextStep {
    fn name(&self) -> String {
        if self.errors == Errors::Probed { "tokens".to_owned() } else { self.algorithm.name() }
    }

    fn spelling(&self) -> String {
        let units: Vec<&str> = self.granularities.iter().map(|granularity| granularity.name()).collect();
        let errors = match self.errors {
            Errors::Tested => "tested",
            Errors::Filtered => "filtered",
            Errors::Probed => "probed",
        };
        format!("{} on {}, errors {errors}", self.algorithm.spelling(), units.join("+"))
    }

    fn needs(&self) -> Needs {
        Needs::Bytes
    }

    fn start(&self, input: &Input<'_>) -> Option<Started> {
        let phase = |&granularity| TextPhase { granularity, algorithm: self.algorithm };
        let phases: Arc<[TextPhase]> = self.granularities.iter().map(phase).collect();
        if phases.is_empty() {
            return None;
        }
        let started = Started::all(TextSearch::new(phases, Arc::clone(input.bytes)));
        let validity = match self.errors {
            Errors::Tested => None,
            Errors::Filtered => input.checker().map(Validity::Learned),
            Errors::Probed => input.structure().map(Validity::Probed),
        };
        Some(started.with(validity.unwrap_or(Validity::Unchecked)))
    }

    fn minimality(&self, unchanged: bool) -> Vec<&'static str> {
        if !self.algorithm.is_one_minimal(unchanged) {
            return vec![];
        }
        // What a later phase removes may make room for an earlier one.
        let phases = if unchanged { 0 } else { self.granularities.len().saturating_sub(1) };
        self.granularities[phases..].iter().map(|granularity| granularity.name()).collect()
    }

    fn filters(&self) -> bool {
        self.errors == Errors::Filtered
    }
}
