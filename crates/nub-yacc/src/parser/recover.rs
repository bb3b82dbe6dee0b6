//! Recovery from syntax errors.
//!
//! If the grammar has `error` productions, its author has planned for errors, and the parser does what YACC's parsers
//! do: it pops states until one of them accepts `error`, and then drops tokens until one can be shifted.
//!
//! Otherwise, or if that fails, the parser looks for the smallest change that lets it continue: dropping a token,
//! inserting a missing one, or assuming a whole rule in place of the last nodes and the next tokens. Whatever it gives
//! up becomes a plain list.
//!
//! The search is bounded by a number of steps, not by time, so the same input always has the same tree.

use super::{Overlay, Parser};
use crate::{
    grammar::TokenId,
    lalr::{Action, StateId},
    tree::{NodeId, NodeKind},
};

/// How many tokens the parser must shift after dropping or inserting one for the change to count as a success.
const CONVINCING: usize = 3;

/// How many tokens and nodes together may be given up for an assumed rule.
const REACH: usize = 48;

/// The number of steps for all recoveries on one input.
const STEPS: usize = 4_000_000;

#[derive(Debug)]
pub(super) struct Recovery {
    steps: usize,
    /// The position of the last error.
    last: Option<usize>,
}

impl Default for Recovery {
    fn default() -> Self {
        Self { steps: STEPS, last: None }
    }
}

impl Parser<'_> {
    /// Finds a way to continue; `false` if there is none.
    pub(super) fn recover(&mut self) -> bool {
        let again = self.recovery.last.replace(self.at) == Some(self.at);
        self.as_yacc(again) || self.one_token(again) || self.assume_rule(again)
    }

    /// YACC's own way, with the `error` productions. If the last error was here too, at least one token must be
    /// dropped.
    fn as_yacc(&mut self, again: bool) -> bool {
        if !self.tables.handles_errors {
            return false;
        }
        let takes_error = |state| match self.tables.table.action(state, TokenId::ERROR) {
            Some(Action::Shift(next)) => Some(next),
            _ => None,
        };
        for height in (1..=self.states.len()).rev() {
            let Some(next) = takes_error(self.states[height - 1]) else { continue };
            let Some(skip) = self.tokens_until(height, next, usize::from(again)) else {
                if self.recovery.steps == 0 {
                    return false;
                }
                continue;
            };
            self.replace_by_error(height, skip);
            self.states.push(next);
            return true;
        }
        false
    }

    /// How many tokens must be dropped before one can be shifted in this state, on top of a stack of this height.
    fn tokens_until(&mut self, height: usize, next: StateId, least: usize) -> Option<usize> {
        for skip in least..=self.visible.len() - self.at {
            let Some(token) = self.token(self.at + skip) else { continue };
            let mut overlay = Overlay::new(&self.states[..height]);
            overlay.push(next);
            if overlay.shift(self.tables, token, &mut self.recovery.steps) {
                return Some(skip);
            }
            if self.recovery.steps == 0 {
                return None;
            }
        }
        None
    }

    /// Whether the next few tokens can be shifted.
    fn takes(&mut self, mut overlay: Overlay<'_>, from: usize) -> bool {
        for at in (from..=self.visible.len()).take(CONVINCING) {
            let Some(token) = self.token(at) else { return false };
            if !overlay.shift(self.tables, token, &mut self.recovery.steps) {
                return false;
            }
        }
        true
    }

    /// Drops the next token or inserts a missing one.
    fn one_token(&mut self, again: bool) -> bool {
        let states = std::mem::take(&mut self.states);
        let found = self.find_one_token(&states, again);
        self.states = states;
        match found {
            None => false,
            Some(None) => {
                self.at += 1;
                true
            }
            Some(Some(token)) => {
                self.insert(token);
                true
            }
        }
    }

    /// `Some(None)` to drop the next token, or the token that is missing.
    fn find_one_token(&mut self, states: &[StateId], again: bool) -> Option<Option<TokenId>> {
        if self.at < self.visible.len() && self.takes(Overlay::new(states), self.at + 1) {
            return Some(None);
        }
        let state = *states.last()?;
        let candidates = if again { &[] } else { self.tables.table.actions(state) };
        for &(token, _) in candidates {
            if token == TokenId::END || token == TokenId::ERROR {
                continue;
            }
            let mut overlay = Overlay::new(states);
            if overlay.shift(self.tables, token, &mut self.recovery.steps) && self.takes(overlay, self.at) {
                return Some(Some(token));
            }
        }
        None
    }

    /// Continues as if the token were there. The caller has checked that it can be shifted.
    fn insert(&mut self, token: TokenId) {
        loop {
            let state = self.state();
            match self.tables.table.action(state, token) {
                Some(Action::Reduce(production)) if self.reduce(production) => {}
                Some(Action::Shift(next)) => {
                    let node = self.tree.add(NodeKind::Missing(token), state, &[]);
                    self.push(next, node);
                    return;
                }
                _ => return,
            }
        }
    }

    /// Gives up as little as possible so that the parser can continue after an assumed rule.
    fn assume_rule(&mut self, again: bool) -> bool {
        let left = self.visible.len() - self.at;
        for cost in usize::from(again)..=REACH {
            for skip in 0..=cost.min(left) {
                let Some(height) = self.states.len().checked_sub(cost - skip).filter(|&height| height > 0) else {
                    continue;
                };
                let Some(token) = self.token(self.at + skip) else { continue };
                let state = self.states[height - 1];
                for &(rule, next) in self.tables.table.gotos(state) {
                    if self.grammar.rule(rule).is_action() {
                        continue;
                    }
                    let mut overlay = Overlay::new(&self.states[..height]);
                    overlay.push(next);
                    if overlay.shift(self.tables, token, &mut self.recovery.steps) {
                        self.replace_by_error(height, skip);
                        self.states.push(next);
                        return true;
                    }
                    if self.recovery.steps == 0 {
                        return false;
                    }
                }
            }
        }
        false
    }

    /// Combines everything above this height and the next `skip` tokens into one list. The caller pushes the new state.
    fn replace_by_error(&mut self, height: usize, skip: usize) {
        let mut children: Vec<NodeId> = self.nodes.split_off(height - 1);
        self.states.truncate(height);
        let state = self.state();
        for at in self.at..self.at + skip {
            let node = self.tree.add(NodeKind::Token(self.visible[at]), state, &[]);
            children.push(node);
        }
        self.at += skip;
        let node = self.tree.add(NodeKind::Error, state, &children);
        self.nodes.push(node);
    }
}
