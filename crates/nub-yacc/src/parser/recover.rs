//! Going on after a syntax error.
//!
//! If the grammar has productions with `error`, its author has thought about it, and the parser does as YACC's do: it takes
//! states off its stack until one knows what to do with `error`, and then drops tokens until one can be taken.
//!
//! Otherwise, and if that leads nowhere, it looks for the smallest change after which it can go on: to leave out a token, to
//! imagine one that is missing, or to imagine a whole rule in the place of what it has last read and of what comes next.
//! What is given up becomes a plain list.
//!
//! All of this is bounded by numbers of steps and not by time, so that the same input always has the same tree.

use super::{Overlay, Parser};
use crate::{
    grammar::TokenId,
    lalr::{Action, StateId},
    tree::{NodeId, NodeKind},
};

/// How many tokens must be taken after a change of one token for it to be worth something.
const CONVINCING: usize = 3;

/// How many tokens and nodes together may be given up for a rule that is imagined.
const REACH: usize = 48;

/// How many steps all attempts on one input may take.
const STEPS: usize = 4_000_000;

#[derive(Debug)]
pub(super) struct Recovery {
    steps: usize,
    /// Where the last error was.
    last: Option<usize>,
}

impl Default for Recovery {
    fn default() -> Self {
        Self { steps: STEPS, last: None }
    }
}

impl Parser<'_> {
    /// Finds a way to go on; `false` if there is none.
    pub(super) fn recover(&mut self) -> bool {
        let again = self.recovery.last.replace(self.at) == Some(self.at);
        self.as_yacc(again) || self.one_token(again) || self.imagine_rule(again)
    }

    /// YACC's own way, by the productions with `error`. If it has just been gone, at least one token has to go now.
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

    /// How many tokens have to go before one can be taken in this state on top of a stack of this height.
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

    /// Whether some tokens can be taken one after the other.
    fn takes(&mut self, mut overlay: Overlay<'_>, from: usize) -> bool {
        for at in (from..=self.visible.len()).take(CONVINCING) {
            let Some(token) = self.token(at) else { return false };
            if !overlay.shift(self.tables, token, &mut self.recovery.steps) {
                return false;
            }
        }
        true
    }

    /// One token too many, or one that is missing.
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

    /// `Some(None)` if the next token is one too many; a token if that is missing.
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

    /// Goes on as if a token had been there. That it can be shifted has been tried.
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

    /// The least that has to be given up so that the parser can go on behind an imagined rule.
    fn imagine_rule(&mut self, again: bool) -> bool {
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

    /// Makes one list of everything above this height and of some tokens. The caller puts its state onto the stack.
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
