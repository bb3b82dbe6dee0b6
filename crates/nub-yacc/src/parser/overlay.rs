//! Trying things on a stack without changing it.

use super::{Patience, Tables};
use crate::{
    grammar::{RuleId, TokenId},
    lalr::{Action, StateId},
};

/// A stack of states on top of another one, which it can pop from without changing it.
#[derive(Clone, Debug)]
pub(crate) struct Overlay<'a> {
    base: &'a [StateId],
    top: Vec<StateId>,
}

impl<'a> Overlay<'a> {
    /// The stack below must not be empty.
    pub(crate) fn new(base: &'a [StateId]) -> Self {
        Self { base, top: vec![] }
    }

    pub(crate) fn height(&self) -> usize {
        self.base.len() + self.top.len()
    }

    pub(crate) fn state(&self) -> Option<StateId> {
        self.top.last().or(self.base.last()).copied()
    }

    pub(crate) fn push(&mut self, state: StateId) {
        self.top.push(state);
    }

    fn pop(&mut self, count: usize) {
        let own = count.min(self.top.len());
        self.top.truncate(self.top.len() - own);
        self.base = &self.base[..self.base.len().saturating_sub(count - own)];
    }

    /// Pushes the state after a rule. `false` if the rule is not allowed here.
    pub(crate) fn goto(&mut self, tables: &Tables, rule: RuleId) -> bool {
        match self.state().and_then(|state| tables.table.goto(state, rule)) {
            Some(next) => {
                self.push(next);
                true
            }
            None => false,
        }
    }

    /// Reduces until the token is shifted or the input is accepted. `false` if neither is possible. Every attempt is
    /// deducted from `steps`.
    pub(crate) fn shift(&mut self, tables: &Tables, token: TokenId, steps: &mut usize) -> bool {
        self.reduce_until(tables, token, steps, |_| false) == Some(true)
    }

    /// Reduces before a token until a condition holds (`Some(false)`) or the token is shifted (`Some(true)`). `None` if
    /// neither is possible.
    pub(crate) fn reduce_until(
        &mut self,
        tables: &Tables,
        token: TokenId,
        steps: &mut usize,
        done: impl Fn(&Self) -> bool,
    ) -> Option<bool> {
        let mut patience = Patience::new(tables, self.height());
        loop {
            if done(self) {
                return Some(false);
            }
            *steps = steps.checked_sub(1)?;
            if !patience.holds() {
                return None;
            }
            match tables.table.action(self.state()?, token)? {
                Action::Shift(next) => {
                    self.push(next);
                    return Some(true);
                }
                Action::Accept(_) => return Some(true),
                Action::Reduce(production) => {
                    let (length, rule) = tables.shapes[production.index()];
                    self.pop(length as usize);
                    if !self.goto(tables, rule) {
                        return None;
                    }
                    patience.reduced(tables, self.height());
                }
            }
        }
    }
}
