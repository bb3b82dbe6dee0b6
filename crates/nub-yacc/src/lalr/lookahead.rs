//! The tokens that may follow a complete production.
//!
//! The unknowns are the *follow sets* of the transitions on rules: `Follow(p, A)` holds the tokens that may come after
//! the parser has recognised A in state p. They are the least solution of three relations:
//!
//! - a token that can be read after the transition is in the set (*direct reads*);
//! - if a rule B that may be empty can follow, everything in `Follow(r, B)` is in the set (*reads*);
//! - if A is the last symbol, apart from symbols that may be empty, of a production of B that began in state p',
//!   everything in `Follow(p', B)` is in the set (*includes*).
//!
//! Sets that depend on each other in a cycle are equal, so a single traversal of each relation that finds its cycles
//! (Tarjan) is enough.

use super::{
    automaton::{Automaton, StateId},
    bits::BitSets,
};
use crate::grammar::{Grammar, ProductionId, RuleId, Symbol};
use std::collections::HashMap;

/// For each state and each production that can be reduced there, the tokens that allow it.
pub(super) struct Lookaheads {
    sets: BitSets,
    /// The index of each state's first production.
    first: Vec<usize>,
}

impl Lookaheads {
    pub(super) fn new(grammar: &Grammar, automaton: &Automaton) -> Self {
        let nullable = nullable(grammar);
        let transitions: Vec<(StateId, RuleId, StateId)> = (automaton.transitions.iter().enumerate())
            .flat_map(|(state, transitions)| {
                transitions.iter().filter_map(move |&(symbol, next)| match symbol {
                    Symbol::Rule(rule) => Some((StateId(state as u32), rule, next)),
                    Symbol::Token(_) => None,
                })
            })
            .collect();
        let ids: HashMap<(StateId, RuleId), u32> =
            transitions.iter().enumerate().map(|(id, &(state, rule, _))| ((state, rule), id as u32)).collect();

        let mut follow = BitSets::new(transitions.len(), grammar.tokens().len());
        let mut reads: Vec<Vec<u32>> = vec![vec![]; transitions.len()];
        for (id, &(_, _, next)) in transitions.iter().enumerate() {
            for &(symbol, _) in &automaton.transitions[next.index()] {
                match symbol {
                    Symbol::Token(token) => follow.insert(id, token.index()),
                    Symbol::Rule(rule) if nullable[rule.index()] => reads[id].push(ids[&(next, rule)]),
                    Symbol::Rule(_) => {}
                }
            }
        }
        digraph(&reads, &mut follow);
        drop(reads);

        let mut first = Vec::with_capacity(automaton.len());
        let mut count = 0;
        for reductions in &automaton.reductions {
            first.push(count);
            count += reductions.len();
        }
        let mut lookbacks: Vec<Vec<u32>> = vec![vec![]; count];
        let mut includes: Vec<Vec<u32>> = vec![vec![]; transitions.len()];
        for (id, &(start, rule, _)) in transitions.iter().enumerate() {
            for &production in &grammar.rule(rule).productions {
                if grammar.production(production).useful {
                    let symbols = &grammar.production(production).symbols;
                    let end = nullable_end(symbols, &nullable);
                    let mut state = start;
                    for (at, &symbol) in symbols.iter().enumerate() {
                        if let Symbol::Rule(rule) = symbol
                            && at + 1 >= end
                        {
                            includes[ids[&(state, rule)] as usize].push(id as u32);
                        }
                        let Some(next) = automaton.next(state, symbol) else { break };
                        state = next;
                    }
                    if let Some(at) = position(automaton, state, production) {
                        lookbacks[first[state.index()] + at].push(id as u32);
                    }
                }
            }
        }
        digraph(&includes, &mut follow);

        let mut sets = BitSets::new(count, grammar.tokens().len());
        for (set, transitions) in lookbacks.iter().enumerate() {
            for &transition in transitions {
                sets.add_from(&follow, transition as usize, set);
            }
        }
        Self { sets, first }
    }

    /// The tokens that may follow, given a state and the index of a production among those that are complete there.
    pub(super) fn members(&self, state: StateId, reduction: usize) -> impl Iterator<Item = usize> + '_ {
        self.sets.members(self.first[state.index()] + reduction)
    }
}

fn position(automaton: &Automaton, state: StateId, production: ProductionId) -> Option<usize> {
    automaton.reductions[state.index()].binary_search(&production).ok()
}

/// The start of the longest suffix whose symbols may all be empty.
fn nullable_end(symbols: &[Symbol], nullable: &[bool]) -> usize {
    let may_be_empty = |symbol: &Symbol| matches!(symbol, Symbol::Rule(rule) if nullable[rule.index()]);
    symbols.iter().rposition(|symbol| !may_be_empty(symbol)).map_or(0, |at| at + 1)
}

/// The rules that may derive the empty string.
fn nullable(grammar: &Grammar) -> Vec<bool> {
    let mut nullable = vec![false; grammar.rules().len()];
    loop {
        let mut changed = false;
        for production in grammar.productions().iter().filter(|production| production.useful) {
            if !nullable[production.rule.index()] && nullable_end(&production.symbols, &nullable) == 0 {
                nullable[production.rule.index()] = true;
                changed = true;
            }
        }
        if !changed {
            return nullable;
        }
    }
}

/// Adds to every set those that it is related to, directly or indirectly: Tarjan's algorithm with an explicit stack.
fn digraph(relation: &[Vec<u32>], sets: &mut BitSets) {
    const DONE: u32 = u32::MAX;
    // 0: not visited; otherwise the depth on the stack of open nodes.
    let mut depth = vec![0u32; relation.len()];
    let mut open: Vec<u32> = vec![];
    // Nodes being visited: the node, the index of its next relation, and its depth.
    let mut calls: Vec<(u32, usize, u32)> = vec![];
    for root in 0..relation.len() {
        if depth[root] != 0 {
            continue;
        }
        open.push(root as u32);
        depth[root] = open.len() as u32;
        calls.push((root as u32, 0, open.len() as u32));
        while let Some(&mut (node, ref mut next, own)) = calls.last_mut() {
            let node = node as usize;
            if let Some(&other) = relation[node].get(*next) {
                let other = other as usize;
                if depth[other] == 0 {
                    open.push(other as u32);
                    depth[other] = open.len() as u32;
                    calls.push((other as u32, 0, open.len() as u32));
                    continue;
                }
                *next += 1;
                depth[node] = depth[node].min(depth[other]);
                sets.add(other, node);
                continue;
            }
            calls.pop();
            if depth[node] == own {
                // The root of a cycle: all members have the same set.
                while let Some(member) = open.pop() {
                    depth[member as usize] = DONE;
                    if member as usize == node {
                        break;
                    }
                    sets.add(node, member as usize);
                }
            }
        }
    }
}
