//! Configurations: the positions that a prediction may have reached.

use super::{
    condition::{ALWAYS, ConditionId},
    context::{ContextId, Contexts, Root},
};

/// The subparser that predicts `alt` is in `state` with the stack `context`, if its condition held at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Config {
    pub(crate) state: u32,
    pub(crate) alt: u32,
    pub(crate) context: ContextId,
    /// The condition, and the two flags below.
    bits: u32,
}

/// The precedence filter must not remove it.
const SUPPRESSED: u32 = 1;
/// It left the rule of the decision without knowing the caller.
const OUTER: u32 = 2;
const FLAGS: u32 = SUPPRESSED | OUTER;

impl Config {
    pub(crate) fn new(state: u32, alt: u32, context: ContextId) -> Self {
        Self { state, alt, context, bits: 0 }
    }

    #[inline]
    pub(crate) fn at(self, state: u32) -> Self {
        Self { state, ..self }
    }

    #[inline]
    pub(crate) fn with_context(self, context: ContextId) -> Self {
        Self { context, ..self }
    }

    pub(crate) fn condition(self) -> ConditionId {
        self.bits >> 2
    }

    pub(crate) fn with_condition(self, condition: ConditionId) -> Self {
        Self { bits: condition << 2 | self.bits & FLAGS, ..self }
    }

    pub(crate) fn suppressed(self) -> bool {
        self.bits & SUPPRESSED != 0
    }

    pub(crate) fn suppress(&mut self) {
        self.bits |= SUPPRESSED;
    }

    pub(crate) fn outer(self) -> bool {
        self.bits & OUTER != 0
    }

    pub(crate) fn set_outer(&mut self) {
        self.bits |= OUTER;
    }
}

const NONE: u32 = u32::MAX;

/// An ordered set of configurations; those that differ only in their stacks are merged, with the union of the stacks.
///
/// Each state has a chain of its configurations, which makes look-up possible without hashing; clearing the set takes
/// no longer than filling it.
#[derive(Debug, Default)]
pub(crate) struct ConfigSet {
    configs: Vec<Config>,
    next: Vec<u32>,
    heads: Vec<u32>,
    conditional: bool,
}

impl ConfigSet {
    pub(crate) fn new(states: usize) -> Self {
        Self { configs: Vec::new(), next: Vec::new(), heads: vec![NONE; states], conditional: false }
    }

    pub(crate) fn clear(&mut self) {
        for config in &self.configs {
            self.heads[config.state as usize] = NONE;
        }
        self.configs.clear();
        self.next.clear();
        self.conditional = false;
    }

    pub(crate) fn configs(&self) -> &[Config] {
        &self.configs
    }

    /// Whether one of them has a condition.
    pub(crate) fn conditional(&self) -> bool {
        self.conditional
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.configs.is_empty()
    }

    #[inline]
    pub(crate) fn add(&mut self, config: Config, contexts: &mut Contexts, root: Root) {
        self.conditional |= config.condition() != ALWAYS;
        let head = &mut self.heads[config.state as usize];
        let mut at = *head;
        while at != NONE {
            let known = &mut self.configs[at as usize];
            if known.alt == config.alt && known.condition() == config.condition() {
                if known.context != config.context {
                    known.context = contexts.merge(known.context, config.context, root);
                }
                known.bits |= config.bits & FLAGS;
                return;
            }
            at = self.next[at as usize];
        }
        self.next.push(*head);
        *head = u32::try_from(self.configs.len()).unwrap_or(NONE);
        self.configs.push(config);
    }

    /// The only alternative of all configurations, if there is only one.
    pub(crate) fn unique_alt(&self) -> Option<u32> {
        let first = self.configs.first()?.alt;
        self.configs.iter().all(|config| config.alt == first).then_some(first)
    }
}
