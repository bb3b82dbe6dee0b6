//! Decisions that one token decides.
//!
//! ANTLR generates a plain `switch` for decisions whose alternatives begin with different tokens. These decisions need
//! no prediction, and they treat a token that matches no alternative differently: an optional part is skipped and a
//! loop ends, where prediction would report that there is no viable alternative.

use super::look::is_free;
use crate::{
    atn::{Atn, StateId, StateKind, Transition},
    predict::{net::tokens, token_set::TokenSet},
};
use rustc_hash::FxHashSet;

/// What one token says about a decision.
#[derive(Clone, Debug)]
pub(super) enum Ll1 {
    /// Not enough: alternatives share first tokens, or depend on predicates.
    Adaptive,
    /// The alternative (from 1) by token; 0 if it matches none.
    Table {
        /// By token, starting with the end of the input.
        alts: Box<[u16]>,
        /// The alternative to take with a token that matches none.
        otherwise: Option<u16>,
    },
}

impl Ll1 {
    pub(super) fn new(atn: &Atn, nullable: &[bool], decision: StateId) -> Self {
        let state = &atn.states[decision.index()];
        if state.non_greedy || state.precedence_decision {
            return Self::Adaptive;
        }
        let mut alts = vec![0_u16; usize::try_from(atn.max_token_type).unwrap_or(0) + 2];
        for (way, alt) in state.transitions.iter().zip(1..) {
            let Some(first) = first_tokens(atn, nullable, way.target()) else { return Self::Adaptive };
            let mut any = false;
            for token in first.iter() {
                let Some(known) = alts.get_mut(usize::try_from(token + 1).unwrap_or(usize::MAX)) else { continue };
                if *known != 0 {
                    return Self::Adaptive;
                }
                (*known, any) = (alt, true);
            }
            if !any {
                return Self::Adaptive;
            }
        }
        let leaves = |way: &Transition| {
            let next = way.target();
            let optional = state.kind == StateKind::BlockStart && Some(next) == state.partner;
            optional || atn.states[next.index()].kind == StateKind::LoopEnd
        };
        let otherwise = state.transitions.iter().position(leaves).and_then(|at| u16::try_from(at + 1).ok());
        Self::Table { alts: alts.into(), otherwise }
    }
}

/// The tokens that may come first from a state, continuing with every possible caller at the end of its rule; `None` if
/// a predicate comes first.
fn first_tokens(atn: &Atn, nullable: &[bool], from: StateId) -> Option<TokenSet> {
    let mut found = TokenSet::new(atn.max_token_type);
    let mut seen = FxHashSet::default();
    // For each state: whether it is reached without a call, so that the callers of its rule are unknown.
    let mut work = vec![(from, true)];
    while let Some((state, own)) = work.pop() {
        if !seen.insert((state, own)) {
            continue;
        }
        let node = &atn.states[state.index()];
        if node.kind == StateKind::RuleStop {
            if own {
                work.extend(node.transitions.iter().map(|way| (way.target(), true)));
            }
            continue;
        }
        for way in &node.transitions {
            match way {
                Transition::Predicate { .. } | Transition::Precedence { .. } => return None,
                Transition::Rule { target, follow, rule, .. } => {
                    if nullable[rule.index()] {
                        work.push((*follow, own));
                    }
                    work.push((*target, false));
                }
                way if is_free(way) => work.push((way.target(), own)),
                way => found.extend(&tokens(way, atn.max_token_type)),
            }
        }
    }
    Some(found)
}
