//! The parser's actions, and how conflicts between them are resolved.
//!
//! YACC and Bison decide like this:
//!
//! - Between shifting a token and reducing a production, the higher precedence wins. At equal precedence, `%left`
//!   reduces, `%right` shifts and `%nonassoc` makes it an error. If either has no precedence, it is a *shift/reduce
//!   conflict*, and the token is shifted.
//! - Between two productions, it is a *reduce/reduce conflict*, and the one that comes first in the file wins.

use super::{
    automaton::{Automaton, StateId},
    conflict::{Conflict, Place},
    lookahead::Lookaheads,
};
use crate::grammar::{Associativity, Grammar, ProductionId, RuleId, Symbol, TokenId};
use std::{cmp::Ordering, collections::BTreeMap};

/// What to do with a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Consume it and enter a state.
    Shift(StateId),
    /// Reduce a production before it.
    Reduce(ProductionId),
    /// The input is complete.
    Accept(StateId),
}

/// The tables of a grammar.
#[derive(Debug)]
pub(crate) struct Table {
    actions: Vec<Box<[(TokenId, Action)]>>,
    gotos: Vec<Box<[(RuleId, StateId)]>>,
    pub(crate) conflicts: Vec<Conflict>,
    /// Counted as Bison does: per state and token.
    pub(crate) shift_reduce: usize,
    pub(crate) reduce_reduce: usize,
    /// How many states the parser can enter.
    pub(crate) states: usize,
}

impl Table {
    pub(crate) fn new(grammar: &Grammar, automaton: &Automaton) -> Self {
        let lookaheads = Lookaheads::new(grammar, automaton);
        let mut table =
            Self { actions: vec![], gotos: vec![], conflicts: vec![], shift_reduce: 0, reduce_reduce: 0, states: 0 };
        let mut found = vec![];
        for state in 0..automaton.len() {
            found.push(table.add_state(grammar, automaton, &lookaheads, StateId(state as u32)));
        }
        // If the only shift into a state lost against a reduction, the state is never entered and its conflicts do not
        // count.
        let entered = table.entered();
        for (conflicts, _) in found.into_iter().zip(&entered).filter(|(_, entered)| **entered) {
            table.conflicts.extend(conflicts.list);
            table.shift_reduce += conflicts.shift_reduce;
            table.reduce_reduce += conflicts.reduce_reduce;
        }
        table.states = entered.iter().filter(|entered| **entered).count();
        table
    }

    /// The states that the parser can enter.
    fn entered(&self) -> Vec<bool> {
        let mut entered = vec![false; self.actions.len()];
        let mut waiting = vec![StateId::START];
        entered[StateId::START.index()] = true;
        while let Some(state) = waiting.pop() {
            let shifts = self.actions(state).iter().filter_map(|&(_, action)| match action {
                Action::Shift(next) | Action::Accept(next) => Some(next),
                Action::Reduce(_) => None,
            });
            for next in shifts.chain(self.gotos(state).iter().map(|&(_, next)| next)) {
                if !std::mem::replace(&mut entered[next.index()], true) {
                    waiting.push(next);
                }
            }
        }
        entered
    }

    fn add_state(
        &mut self,
        grammar: &Grammar,
        automaton: &Automaton,
        lookaheads: &Lookaheads,
        state: StateId,
    ) -> Conflicts {
        let mut gotos = vec![];
        let mut shifts: BTreeMap<TokenId, StateId> = BTreeMap::new();
        for &(symbol, next) in &automaton.transitions[state.index()] {
            match symbol {
                Symbol::Rule(rule) => gotos.push((rule, next)),
                Symbol::Token(token) => {
                    shifts.insert(token, next);
                }
            }
        }
        // Tokens that %nonassoc makes an error, whatever else is possible.
        let mut errors: Vec<TokenId> = vec![];
        // The productions that each token allows to reduce, in file order.
        let mut reductions: BTreeMap<TokenId, Vec<ProductionId>> = BTreeMap::new();
        for (at, &production) in automaton.reductions[state.index()].iter().enumerate() {
            let binds = grammar.production(production).precedence.and_then(|token| grammar.token(token).precedence);
            for token in lookaheads.members(state, at) {
                let token = TokenId(token as u32);
                if let (Some((rule, _)), Some((level, associativity)), true) =
                    (binds, grammar.token(token).precedence, shifts.contains_key(&token))
                {
                    match (level.cmp(&rule), associativity) {
                        (Ordering::Greater, _) | (Ordering::Equal, Associativity::Right) => continue,
                        (Ordering::Less, _) | (Ordering::Equal, Associativity::Left) => {
                            shifts.remove(&token);
                        }
                        (Ordering::Equal, Associativity::None) => {
                            shifts.remove(&token);
                            errors.push(token);
                            continue;
                        }
                        (Ordering::Equal, Associativity::Undefined) => {}
                    }
                }
                reductions.entry(token).or_default().push(production);
            }
        }
        let conflicts = Conflicts::new(automaton, state, &shifts, &reductions);
        let mut actions: BTreeMap<TokenId, Action> = reductions
            .into_iter()
            .filter_map(|(token, productions)| Some((token, Action::Reduce(*productions.first()?))))
            .collect();
        for (token, next) in shifts {
            // A rule of the grammar may contain the end of input, too.
            let complete = automaton.kernels[next.index()].first() == Some(&(ProductionId::ACCEPT, 2));
            actions.insert(token, if complete { Action::Accept(next) } else { Action::Shift(next) });
        }
        errors.iter().for_each(|token| {
            actions.remove(token);
        });
        self.actions.push(actions.into_iter().collect());
        self.gotos.push(gotos.into());
        conflicts
    }

    /// What to do with a token; `None` if it is a syntax error.
    pub(crate) fn action(&self, state: StateId, token: TokenId) -> Option<Action> {
        let actions = &self.actions[state.index()];
        let at = actions.binary_search_by_key(&token, |&(token, _)| token).ok()?;
        Some(actions[at].1)
    }

    /// All tokens that are not errors.
    pub(crate) fn actions(&self, state: StateId) -> &[(TokenId, Action)] {
        &self.actions[state.index()]
    }

    /// The state after a rule.
    pub(crate) fn goto(&self, state: StateId, rule: RuleId) -> Option<StateId> {
        let gotos = &self.gotos[state.index()];
        let at = gotos.binary_search_by_key(&rule, |&(rule, _)| rule).ok()?;
        Some(gotos[at].1)
    }

    /// All rules that may come next.
    pub(crate) fn gotos(&self, state: StateId) -> &[(RuleId, StateId)] {
        &self.gotos[state.index()]
    }
}

/// The conflicts of one state.
#[derive(Default)]
struct Conflicts {
    list: Vec<Conflict>,
    shift_reduce: usize,
    reduce_reduce: usize,
}

impl Conflicts {
    fn new(
        automaton: &Automaton,
        state: StateId,
        shifts: &BTreeMap<TokenId, StateId>,
        reductions: &BTreeMap<TokenId, Vec<ProductionId>>,
    ) -> Self {
        let mut conflicts = Self::default();
        for (&token, productions) in reductions {
            let place = || Place::new(automaton, state);
            if shifts.contains_key(&token) {
                conflicts.shift_reduce += 1;
                let shifted = automaton.next(state, Symbol::Token(token));
                conflicts.add(place, token, shifted.map(|next| automaton.kernels[next.index()][0]), productions);
            }
            if productions.len() > 1 {
                conflicts.reduce_reduce += productions.len() - 1;
                if !shifts.contains_key(&token) {
                    conflicts.add(place, token, None, productions);
                }
            }
        }
        conflicts
    }

    /// Conflicts that differ only in their tokens are one conflict to a reader.
    fn add(
        &mut self,
        place: impl Fn() -> Place,
        token: TokenId,
        shifted: Option<(ProductionId, u32)>,
        productions: &[ProductionId],
    ) {
        let same = |conflict: &&mut Conflict| {
            conflict.shifted.is_some() == shifted.is_some() && conflict.productions == productions
        };
        match self.list.iter_mut().find(same) {
            Some(conflict) => conflict.tokens.push(token),
            None => {
                let shifted = shifted.map(|(production, dot)| (production, dot as usize - 1));
                self.list.push(Conflict {
                    place: place(),
                    tokens: vec![token],
                    shifted,
                    productions: productions.to_vec(),
                });
            }
        }
    }
}
