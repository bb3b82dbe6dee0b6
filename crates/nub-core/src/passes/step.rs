//! A pass, as a step of a plan.

use super::{Pass, PassSearch};
use crate::{Input, Needs, Started, Step, Validity};
use std::sync::Arc;

/// A pass over the structure of the input.
#[derive(Clone, Copy, Debug)]
pub struct PassStep {
    /// The pass.
    pub pass: Pass,
    /// Whether candidates with syntax errors are tested too. Such a step works only if the step before it changed
    /// something: it is for tests that are known to accept syntax errors.
    pub unparsable: bool,
}

impl Step for PassStep {
    fn name(&self) -> String {
        self.pass.name.to_owned()
    }

    fn spelling(&self) -> String {
        if self.unparsable { format!("{} with errors", self.pass.name) } else { self.name() }
    }

    fn needs(&self) -> Needs {
        Needs::Structure
    }

    fn start(&self, input: &Input<'_>) -> Option<Started> {
        if self.unparsable && !input.changed {
            return None;
        }
        let structure = input.structure()?;
        let started = Started::smaller(PassSearch::new(self.pass, Arc::clone(&structure)));
        let validity = if self.unparsable { Validity::Probed(structure) } else { Validity::of(structure) };
        Some(started.with(validity))
    }
}
