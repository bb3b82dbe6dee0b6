//! Published tree algorithms, as a step of a plan.

use super::{Phase, Spacing, TreeSearch};
use crate::{Input, Needs, Options, Preparations, Started, Step, Validity};
use std::sync::Arc;

/// Phases on one tree: HDD, hoisting, and their combinations.
#[derive(Clone, Debug)]
pub struct TreeStep {
    names: Vec<String>,
    phases: Vec<Phase>,
    spacing: Spacing,
    preparations: Preparations,
    smaller: bool,
}

impl TreeStep {
    /// A step without phases.
    pub fn new(options: &Options) -> Self {
        let Options { spacing, preparations, smaller, .. } = *options;
        Self { names: vec![], phases: vec![], spacing, preparations, smaller }
    }

    /// Adds the phases of a named algorithm.
    pub fn push(&mut self, name: &str, phases: Vec<Phase>) {
        self.names.push(name.to_owned());
        self.phases.extend(phases);
    }
}

impl Step for TreeStep {
    fn name(&self) -> String {
        self.names.join("+")
    }

    fn spelling(&self) -> String {
        let phases: Vec<String> = self.phases.iter().map(Phase::spelling).collect();
        let spacing = match self.spacing {
            Spacing::Original => "original",
            Spacing::Picireny => "picireny",
        };
        let all = if self.smaller { "smaller only" } else { "all" };
        format!("tree ({}) spacing {spacing}, {}, {all}", phases.join(", "), self.preparations.spelling())
    }

    fn needs(&self) -> Needs {
        Needs::Tree
    }

    fn start(&self, input: &Input<'_>) -> Option<Started> {
        if self.phases.is_empty() {
            return None;
        }
        let tree = self.preparations.apply(input.front_end.tree(input.bytes, input.hidden)?);
        let search = TreeSearch::new(&self.phases[..], Arc::new(tree), self.spacing);
        if !self.smaller {
            return Some(Started::all(search));
        }
        let checker = if input.front_end.is_strict() { input.structure() } else { None };
        Some(Started::smaller(search).with(checker.map_or(Validity::Unchecked, Validity::Required)))
    }

    fn minimality(&self, unchanged: bool) -> Vec<&'static str> {
        let minimal = self.phases.last().is_some_and(|phase| phase.is_tree_minimal(unchanged));
        if minimal { vec!["node"] } else { vec![] }
    }
}
