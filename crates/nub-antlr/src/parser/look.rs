//! Which tokens may come next.
//!
//! Error recovery uses these sets. Within a rule they depend on the state only, so each is computed once (`LOOK` of
//! LL(1) parsing).

use super::ll1::Ll1;
use crate::{
    atn::{Atn, DecisionId, StateId, StateKind, Transition},
    predict::{net::tokens, token_set::TokenSet},
};
use rustc_hash::{FxHashMap, FxHashSet};

/// What may come next in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Next {
    /// These tokens,
    pub(crate) tokens: TokenSet,
    /// or the end of the rule.
    pub(crate) end: bool,
}

/// The sets that have been computed.
#[derive(Debug)]
pub(crate) struct Look {
    decisions: Vec<Option<Ll1>>,
    next: Vec<Option<Box<Next>>>,
    /// Sets of tokens at which recovery stops, by number; number 0 is empty.
    recovery: Vec<TokenSet>,
    recovery_ids: FxHashMap<TokenSet, u32>,
    unions: FxHashMap<(u32, u32), u32>,
    nullable: Vec<bool>,
    max_token: i32,
}

impl Look {
    pub(crate) fn new(atn: &Atn) -> Self {
        let empty = TokenSet::new(atn.max_token_type);
        Self {
            decisions: vec![None; atn.decisions.len()],
            next: vec![None; atn.states.len()],
            recovery: vec![empty.clone()],
            recovery_ids: std::iter::once((empty, 0)).collect(),
            unions: FxHashMap::default(),
            nullable: nullable(atn),
            max_token: atn.max_token_type,
        }
    }

    /// What may come next in a state, within its rule.
    #[inline]
    pub(crate) fn next(&mut self, atn: &Atn, state: StateId) -> &Next {
        let (nullable, max_token) = (&self.nullable, self.max_token);
        self.next[state.index()].get_or_insert_with(|| Box::new(look(atn, nullable, state, max_token)))
    }

    /// What the current token alone says about a decision.
    #[inline]
    pub(super) fn decide(&mut self, atn: &Atn, decision: DecisionId) -> &Ll1 {
        let nullable = &self.nullable;
        self.decisions[decision.index()].get_or_insert_with(|| Ll1::new(atn, nullable, atn.decisions[decision.index()]))
    }

    /// The number of the union of a set with what may come next in a state. Stacks of rule calls share these numbers,
    /// so the recovery set of a deep stack needs no walk over the stack.
    pub(crate) fn join(&mut self, atn: &Atn, set: u32, state: StateId) -> u32 {
        if let Some(&known) = self.unions.get(&(set, state.0)) {
            return known;
        }
        let mut union = self.recovery[set as usize].clone();
        union.extend(&self.next(atn, state).tokens);
        let id = match self.recovery_ids.get(&union) {
            Some(&id) => id,
            None => {
                let id = u32::try_from(self.recovery.len()).unwrap_or(u32::MAX);
                self.recovery.push(union.clone());
                self.recovery_ids.insert(union, id);
                id
            }
        };
        self.unions.insert((set, state.0), id);
        id
    }

    /// The set with a number.
    pub(crate) fn set(&self, id: u32) -> &TokenSet {
        &self.recovery[id as usize]
    }
}

/// Collects the tokens that may come first from a state.
fn look(atn: &Atn, nullable: &[bool], from: StateId, max_token: i32) -> Next {
    let mut next = Next { tokens: TokenSet::new(max_token), end: false };
    let mut seen = FxHashSet::default();
    // For each state: whether it is reached without a call, so that its rule's end is the one we are looking for.
    let mut work = vec![(from, true)];
    while let Some((state, own)) = work.pop() {
        if !seen.insert((state, own)) {
            continue;
        }
        if atn.states[state.index()].kind == StateKind::RuleStop {
            next.end |= own;
            continue;
        }
        for way in &atn.states[state.index()].transitions {
            match way {
                Transition::Rule { target, follow, rule, .. } => {
                    if nullable[rule.index()] {
                        work.push((*follow, own));
                    }
                    work.push((*target, false));
                }
                way if is_free(way) => work.push((way.target(), own)),
                way => next.tokens.extend(&tokens(way, max_token)),
            }
        }
    }
    next
}

/// By rule: whether it can match nothing. A fixed point, because rules may call each other in cycles.
fn nullable(atn: &Atn) -> Vec<bool> {
    let mut nullable = vec![false; atn.rules.len()];
    loop {
        let more = (0..atn.rules.len()).find(|&rule| !nullable[rule] && can_be_empty(atn, rule, &nullable));
        match more {
            Some(rule) => nullable[rule] = true,
            None => return nullable,
        }
    }
}

fn can_be_empty(atn: &Atn, rule: usize, nullable: &[bool]) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![atn.rules[rule].start];
    while let Some(state) = work.pop() {
        if !seen.insert(state) {
            continue;
        }
        if atn.states[state.index()].kind == StateKind::RuleStop {
            return true;
        }
        for way in &atn.states[state.index()].transitions {
            match way {
                Transition::Rule { rule, follow, .. } if nullable[rule.index()] => work.push(*follow),
                way if is_free(way) => work.push(way.target()),
                _ => {}
            }
        }
    }
    false
}

/// Whether a transition needs no token and is not a call.
pub(super) fn is_free(way: &Transition) -> bool {
    matches!(
        way,
        Transition::Epsilon { .. }
            | Transition::Predicate { .. }
            | Transition::Precedence { .. }
            | Transition::Action { .. }
    )
}
