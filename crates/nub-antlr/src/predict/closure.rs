//! Closure: all configurations that are reachable without a token.
//!
//! After `closure` of Parr, Harwell and Fisher 2014, §5.4, with ANTLR's refinements: predicates are collected only
//! before the first token and the first action, and in SLL prediction the end of a rule leads to every caller.

use super::{
    condition::Condition,
    config::{Config, ConfigSet},
    context::{EMPTY, Root},
    net::Way,
    predictor::{Host, Machine},
};
use crate::atn::{EOF, RuleId};

/// The purpose of one run of the closure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Purpose {
    /// SLL or full prediction.
    pub(super) root: Root,
    /// The rule of the decision, if the decision is the loop of a left-recursive rule.
    pub(super) precedence_rule: Option<RuleId>,
    /// At the end of the input, transitions that consume it count as free.
    pub(super) at_end: bool,
}

/// A configuration to visit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    config: Config,
    /// Calls minus returns since the start; the decision's own rule has depth 0.
    depth: i32,
    collect: bool,
    /// Visit it only once: the path here may contain a cycle.
    once: bool,
    /// Calls that this closure made and has not returned from.
    open: u16,
}

/// More open calls than any grammar has rules that can begin with each other. Only after the end of the input, which
/// can be matched any number of times, may a rule call itself without matching another token: `s : list EOF ; list : A
/// s`.
const MOST_OPEN: u16 = 1000;

impl Machine {
    /// Adds the closure of a configuration to a set. With `collect`, predicates become conditions (SLL) or are
    /// evaluated at once (full prediction).
    pub(super) fn close(
        &mut self,
        config: Config,
        set: &mut ConfigSet,
        collect: bool,
        purpose: Purpose,
        host: &mut dyn Host,
    ) {
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(Item { config, depth: 0, collect, once: false, open: 0 });
        while let Some(item) = stack.pop() {
            if item.once && !self.busy.insert(item.config) {
                continue;
            }
            if self.net.node(item.config.state).stop {
                self.leave_rule(item, set, purpose, &mut stack);
            } else {
                self.go_on(item, set, purpose, &mut stack, host);
            }
        }
        self.stack = stack;
    }

    fn leave_rule(&mut self, item: Item, set: &mut ConfigSet, purpose: Purpose, stack: &mut Vec<Item>) {
        let config = item.config;
        if config.context != EMPTY {
            for &(state, parent) in self.contexts.entries(config.context).iter().rev() {
                let (config, depth) = if state == super::context::EMPTY_RETURN {
                    (config.with_context(EMPTY), item.depth)
                } else {
                    (config.at(state).with_context(parent), item.depth - 1)
                };
                stack.push(Item { config, depth, once: false, open: item.open.saturating_sub(1), ..item });
            }
            return;
        }
        let follows = self.net.follows(config.state);
        if purpose.root == Root::Exact || follows.is_empty() {
            set.add(config, &mut self.contexts, purpose.root);
            return;
        }
        for follow in follows.iter().rev() {
            let mut config = config.at(follow.target);
            if purpose.precedence_rule.is_some() && follow.precedence_return == purpose.precedence_rule {
                config.suppress();
            }
            config.set_outer();
            stack.push(Item { config, depth: item.depth - 1, once: true, ..item });
        }
    }

    fn go_on(&mut self, item: Item, set: &mut ConfigSet, purpose: Purpose, stack: &mut Vec<Item>, host: &mut dyn Host) {
        let config = item.config;
        let node = self.net.node(config.state);
        if node.stays {
            set.add(config, &mut self.contexts, purpose.root);
            if purpose.at_end {
                for step in self.net.moves(node).iter().rev() {
                    if step.tokens.contains(EOF) {
                        stack.push(Item { config: config.at(step.target), once: true, ..item });
                    }
                }
            }
        }
        let drop_first = node.precedence_loop && self.may_drop_loop(config);
        let ways = self.net.ways(node);
        for (number, way) in ways.iter().enumerate().rev() {
            if number == 0 && drop_first {
                continue;
            }
            let mut next = Item { once: false, ..item };
            match *way {
                Way::Plain { target } => next.config = config.at(target),
                Way::Call { target, returns, tail } => {
                    next.open = item.open.saturating_add(1);
                    if purpose.at_end && next.open > MOST_OPEN {
                        continue;
                    }
                    let context = if tail && config.context != EMPTY && !self.contexts.has_empty(config.context) {
                        config.context
                    } else {
                        self.contexts.push(config.context, returns)
                    };
                    next.config = config.at(target).with_context(context);
                    if next.depth >= 0 {
                        next.depth += 1;
                    }
                }
                Way::Action { target } => {
                    next.config = config.at(target);
                    next.collect = false;
                }
                Way::Predicate { target, code, dependent } => {
                    next.config = config.at(target);
                    if item.collect && (!dependent || item.depth == 0) {
                        if purpose.root == Root::Exact {
                            if !host.predicate(code) {
                                continue;
                            }
                        } else {
                            let condition = self.conditions.intern(Condition::Predicate(code));
                            let both = self.conditions.and(config.condition(), condition);
                            next.config = next.config.with_condition(both);
                        }
                    }
                }
                Way::Precedence { target, precedence } => {
                    next.config = config.at(target);
                    if item.collect && item.depth == 0 {
                        if purpose.root == Root::Exact {
                            if precedence < host.precedence() {
                                continue;
                            }
                        } else {
                            let condition = self.conditions.intern(Condition::Precedence(precedence));
                            let both = self.conditions.and(config.condition(), condition);
                            next.config = next.config.with_condition(both);
                        }
                    }
                }
            }
            stack.push(next);
        }
    }

    /// Whether entering the loop of a left-recursive rule again is pointless, because every caller is an operand of the
    /// same rule, whose own loop will take the operator (ANTLR's `canDropLoopEntryEdgeInLeftRecursiveRule`). The
    /// network has prepared the return states for this check.
    fn may_drop_loop(&self, config: Config) -> bool {
        self.contexts.entries(config.context).iter().all(|&(state, _)| state == config.state)
    }
}
