//! The predictor and its interface to the parser.

use super::{
    closure::{Item, Purpose},
    condition::{ALWAYS, ConditionId, Conditions},
    config::{Config, ConfigSet},
    conflict::Alts,
    context::{ContextId, Contexts, EMPTY, Root},
    dfa::Dfas,
    net::Net,
};
use crate::atn::{Atn, EOF};
use rustc_hash::FxHashSet;

/// The parser, as prediction sees it.
pub(crate) trait Host {
    /// The type of the token at this distance from the decision; 0 is the current one.
    fn token(&self, distance: usize) -> i32;
    /// Whether a predicate holds at the decision.
    fn predicate(&mut self, code: u32) -> bool;
    /// The precedence that the current rule was called with.
    fn precedence(&self) -> u32;
    /// The stack of the parser.
    fn stack(&mut self, contexts: &mut Contexts, net: &Net) -> ContextId;
}

/// No alternative matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoViable {
    /// The distance of the token that none accepts.
    pub(crate) distance: usize,
}

/// The data that closure works on.
#[derive(Debug)]
pub(super) struct Machine {
    pub(super) net: Net,
    pub(super) contexts: Contexts,
    pub(super) conditions: Conditions,
    pub(super) busy: FxHashSet<Config>,
    pub(super) stack: Vec<Item>,
}

/// Predicts for one grammar, and learns from every input.
#[derive(Debug)]
pub(crate) struct Predictor {
    pub(super) machine: Machine,
    pub(super) dfas: Dfas,
    pub(super) moved: ConfigSet,
    pub(super) reached: ConfigSet,
    /// For developers.
    pub(crate) statistics: Statistics,
}

/// How much work prediction did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Statistics {
    /// Steps that had to be computed.
    pub(crate) sll_steps: usize,
    /// Steps of full prediction.
    pub(crate) full_steps: usize,
}

impl Predictor {
    /// A predictor that has learnt nothing yet; see [`Net::new`] for `hide`.
    pub(crate) fn new(atn: &Atn, hide: bool) -> Self {
        let net = Net::new(atn, hide);
        let (states, decisions, tokens) = (net.len(), net.decisions(), net.max_token);
        Self {
            machine: Machine {
                net,
                contexts: Contexts::new(),
                conditions: Conditions::new(),
                busy: FxHashSet::default(),
                stack: Vec::new(),
            },
            dfas: Dfas::new(decisions, tokens),
            moved: ConfigSet::new(states),
            reached: ConfigSet::new(states),
            statistics: Statistics::default(),
        }
    }

    /// The numbers of contexts and automaton states.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.machine.contexts.len(), self.dfas.len())
    }

    /// The closure of all alternatives of a decision, in `reached`.
    pub(super) fn start(&mut self, decision: usize, context: ContextId, root: Root, host: &mut dyn Host) {
        self.reached.clear();
        self.machine.busy.clear();
        let purpose = Purpose { root, precedence_rule: self.machine.net.precedence_rule(decision), at_end: false };
        for number in 0..self.machine.net.alternatives(decision).len() {
            let (state, collect) = self.machine.net.alternatives(decision)[number];
            let alt = u32::try_from(number + 1).unwrap_or(u32::MAX);
            self.machine.close(Config::new(state, alt, context), &mut self.reached, collect, purpose, host);
        }
    }

    /// Computes the configurations after a token, in `reached`. Returns whether there are any.
    pub(super) fn reach(
        &mut self,
        decision: usize,
        from: &[Config],
        token: i32,
        root: Root,
        host: &mut dyn Host,
    ) -> bool {
        let machine = &mut self.machine;
        self.moved.clear();
        self.reached.clear();
        let mut ended = Vec::new();
        for &config in from {
            let node = machine.net.node(config.state);
            if node.stop {
                if root == Root::Exact || token == EOF {
                    ended.push(config);
                }
                continue;
            }
            for step in machine.net.moves(node) {
                if step.tokens.contains(token) {
                    self.moved.add(config.at(step.target), &mut machine.contexts, root);
                }
            }
        }
        if ended.is_empty() && token != EOF && self.moved.unique_alt().is_some() {
            std::mem::swap(&mut self.moved, &mut self.reached);
            return true;
        }
        machine.busy.clear();
        let at_end = token == EOF;
        let purpose = Purpose { root, precedence_rule: machine.net.precedence_rule(decision), at_end };
        for &config in self.moved.configs() {
            machine.close(config, &mut self.reached, false, purpose, host);
        }
        if at_end {
            self.keep_ended();
        }
        let machine = &mut self.machine;
        let no_end = |set: &ConfigSet| !set.configs().iter().any(|config| machine.net.node(config.state).stop);
        if !ended.is_empty() && (root == Root::Wildcard || no_end(&self.reached)) {
            for config in ended {
                self.reached.add(config, &mut machine.contexts, root);
            }
        }
        !self.reached.is_empty()
    }

    /// At the end of the input, only configurations at the end of a rule are viable.
    fn keep_ended(&mut self) {
        let net = &self.machine.net;
        if self.reached.configs().iter().all(|config| net.node(config.state).stop) {
            return;
        }
        self.moved.clear();
        for &config in self.reached.configs() {
            if net.node(config.state).stop {
                self.moved.add(config, &mut self.machine.contexts, Root::Exact);
            }
        }
        std::mem::swap(&mut self.moved, &mut self.reached);
    }

    pub(super) fn holds(&self, condition: ConditionId, host: &mut dyn Host) -> bool {
        let precedence = host.precedence();
        self.machine.conditions.holds(condition, precedence, &mut |code| host.predicate(code))
    }

    /// No alternative can continue, but one may have finished the rule of the decision; the error then belongs to the
    /// caller. Alternatives whose conditions hold come first.
    pub(super) fn finished(&self, configs: &[Config], host: &mut dyn Host) -> Option<u32> {
        let (mut valid, mut invalid) = (Alts::default(), Alts::default());
        for config in configs {
            let ends = self.machine.net.node(config.state).stop && self.machine.contexts.has_empty(config.context);
            if config.outer() || ends {
                let holds = config.condition() == ALWAYS || self.holds(config.condition(), host);
                if holds { &mut valid } else { &mut invalid }.insert(config.alt);
            }
        }
        valid.min().or(invalid.min())
    }

    /// Decides which alternative (from 1) to take.
    pub(crate) fn predict(&mut self, decision: usize, host: &mut dyn Host) -> Result<u32, NoViable> {
        let result = self.sll(decision, host);
        self.machine.contexts.trim();
        result
    }

    pub(super) fn stack_of(&mut self, host: &mut dyn Host) -> ContextId {
        let context = host.stack(&mut self.machine.contexts, &self.machine.net);
        debug_assert!(context == EMPTY || self.machine.contexts.entries(context).len() == 1);
        context
    }
}
