//! Prediction without the caller, over the automaton.

use super::{
    condition::{ALWAYS, ConditionId},
    config::Config,
    conflict::{Alts, alternatives, sll_conflict},
    context::{EMPTY, Root},
    dfa::{DfaId, ERROR, Prediction, UNKNOWN},
    predictor::{Host, NoViable, Predictor},
};
use crate::atn::EOF;
use rustc_hash::FxHashMap;

impl Predictor {
    pub(super) fn sll(&mut self, decision: usize, host: &mut dyn Host) -> Result<u32, NoViable> {
        let mut at = self.start_state(decision, host);
        let mut distance = 0;
        loop {
            let token = host.token(distance);
            let mut next = self.dfas.edge(at, token);
            if next == UNKNOWN {
                next = self.step(decision, at, token, host);
                self.dfas.set_edge(at, token, next);
            }
            if next == ERROR {
                let configs = &self.dfas.state(at).configs;
                return self.finished(configs, host).ok_or(NoViable { distance });
            }
            match &self.dfas.state(next).prediction {
                Prediction::Undecided => {}
                Prediction::Alternative(alt) => return Ok(*alt),
                Prediction::Conditional(conditions) => {
                    let alts = self.fulfilled(conditions, host);
                    return alts.min().ok_or(NoViable { distance });
                }
                Prediction::Conflict(conditions) => {
                    if !conditions.is_empty() {
                        let alts = self.fulfilled(conditions, host);
                        if alts.len() == 1 {
                            return alts.min().ok_or(NoViable { distance });
                        }
                    }
                    return self.full(decision, host);
                }
            }
            at = next;
            if token != EOF {
                distance += 1;
            }
        }
    }

    fn start_state(&mut self, decision: usize, host: &mut dyn Host) -> DfaId {
        let with_precedence = self.machine.net.precedence_rule(decision).is_some();
        let precedence = if with_precedence { host.precedence() } else { 0 };
        let known = self.dfas.start(decision, precedence);
        if known != UNKNOWN {
            return known;
        }
        self.start(decision, EMPTY, Root::Wildcard, host);
        if with_precedence {
            self.filter_by_precedence(precedence);
        }
        let id = self.dfas.intern(decision, Prediction::Undecided, self.reached.configs());
        self.dfas.set_start(decision, precedence, id);
        id
    }

    /// With the precedence known, drops operators that bind too weakly, and ways out of the loop that ways into the loop
    /// make pointless (ANTLR's `applyPrecedenceFilter`).
    fn filter_by_precedence(&mut self, precedence: u32) {
        self.moved.clear();
        let machine = &mut self.machine;
        let mut entering: FxHashMap<u32, u32> = FxHashMap::default();
        for &config in self.reached.configs().iter().filter(|config| config.alt == 1) {
            if let Some(condition) = machine.conditions.at_precedence(config.condition(), precedence) {
                entering.insert(config.state, config.context);
                self.moved.add(config.with_condition(condition), &mut machine.contexts, Root::Wildcard);
            }
        }
        for &config in self.reached.configs().iter().filter(|config| config.alt != 1) {
            if config.suppressed() || entering.get(&config.state) != Some(&config.context) {
                self.moved.add(config, &mut machine.contexts, Root::Wildcard);
            }
        }
        std::mem::swap(&mut self.moved, &mut self.reached);
    }

    fn step(&mut self, decision: usize, at: DfaId, token: i32, host: &mut dyn Host) -> DfaId {
        self.statistics.sll_steps += 1;
        let from: Vec<Config> = self.dfas.state(at).configs.to_vec();
        if !self.reach(decision, &from, token, Root::Wildcard, host) {
            return ERROR;
        }
        let prediction = self.judge(decision);
        self.dfas.intern(decision, prediction, self.reached.configs())
    }

    fn judge(&mut self, decision: usize) -> Prediction {
        let configs = self.reached.configs();
        if let Some(alt) = self.reached.unique_alt() {
            let mut alts = Alts::default();
            alts.insert(alt);
            let conditions = self.conditions(decision, &alts);
            return if conditions.is_empty() {
                Prediction::Alternative(alt)
            } else {
                Prediction::Conditional(conditions)
            };
        }
        let all_ended = configs.iter().all(|config| self.machine.net.node(config.state).stop);
        if all_ended || sll_conflict(configs) {
            let alts = alternatives(configs);
            return Prediction::Conflict(self.conditions(decision, &alts));
        }
        Prediction::Undecided
    }

    /// The condition of each of these alternatives; nothing if none has one.
    fn conditions(&mut self, decision: usize, alts: &Alts) -> Vec<(ConditionId, u32)> {
        if !self.reached.conditional() {
            return Vec::new();
        }
        let count = self.machine.net.alternatives(decision).len();
        let mut conditions: Vec<Option<ConditionId>> = vec![None; count + 1];
        for config in self.reached.configs() {
            if alts.contains(config.alt) {
                let condition = &mut conditions[config.alt as usize];
                *condition = Some(match *condition {
                    Some(other) => self.machine.conditions.or(other, config.condition()),
                    None => config.condition(),
                });
            }
        }
        let pairs = (1u32..).zip(&conditions[1..]).filter(|(alt, _)| alts.contains(*alt));
        let pairs: Vec<_> = pairs.map(|(alt, condition)| (condition.unwrap_or(ALWAYS), alt)).collect();
        if pairs.iter().all(|&(condition, _)| condition == ALWAYS) { Vec::new() } else { pairs }
    }

    fn fulfilled(&self, conditions: &[(ConditionId, u32)], host: &mut dyn Host) -> Alts {
        let mut alts = Alts::default();
        for &(condition, alt) in conditions {
            if condition == ALWAYS || self.holds(condition, host) {
                alts.insert(alt);
            }
        }
        alts
    }
}
