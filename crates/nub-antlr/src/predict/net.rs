//! The network in the form that prediction needs: flat, and without states that have a single epsilon transition.
//!
//! Such a state is never part of a configuration set, so transitions lead straight to the first state after a chain of
//! them. Return states are shortened in the same way. Stacks that differ only in shortened return states have the same
//! future; as one stack they share automaton states. This changes no prediction of a valid input: alternatives with the
//! same future can only ever be told apart by their order.

use super::token_set::TokenSet;
use crate::atn::{Atn, EOF, Quantifier, RuleId, State, StateId, StateKind, Transition};

/// A transition that needs no token.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    Plain {
        target: u32,
    },
    Call {
        target: u32,
        returns: u32,
        /// Nothing follows the call in its rule, so that a known caller can be returned to directly.
        tail: bool,
    },
    Predicate {
        target: u32,
        code: u32,
        /// It can be evaluated in the decision's own rule only.
        dependent: bool,
    },
    Precedence {
        target: u32,
        precedence: u32,
    },
    Action {
        target: u32,
    },
}

/// A transition from the end of a rule to one of its callers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Follow {
    pub(crate) target: u32,
    pub(crate) precedence_return: Option<RuleId>,
}

/// A token that a state consumes, and the state after it.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub(crate) tokens: TokenSet,
    pub(crate) target: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    ways: (u32, u32),
    moves: (u32, u32),
    /// Whether its rule ends here.
    pub(crate) stop: bool,
    /// Whether it belongs in configuration sets: it consumes a token, or nothing follows it.
    pub(crate) stays: bool,
    /// Whether it is the loop entry of a left-recursive rule.
    pub(crate) precedence_loop: bool,
}

#[derive(Debug)]
pub(crate) struct Net {
    nodes: Vec<Node>,
    ways: Vec<Way>,
    moves: Vec<Move>,
    /// By the state of a call: where it returns to, shortened, and whether it is a tail call.
    returns: Vec<(u32, bool)>,
    follows: Vec<Vec<Follow>>,
    rules: Vec<u32>,
    /// The first states of the alternatives of each decision, and whether predicates there count.
    decisions: Vec<Vec<(u32, bool)>>,
    /// By decision: the rule, if it is the loop of a left-recursive rule.
    precedence_decisions: Vec<Option<RuleId>>,
    pub(crate) max_token: i32,
}

impl Net {
    /// The network for prediction. With `hide`, predicates in quantified parts are hidden from prediction, as if a tool
    /// had put its own actions at the beginning of these parts.
    pub(crate) fn new(atn: &Atn, hide: bool) -> Self {
        let shorter: Vec<u32> = (0..atn.states.len()).map(|state| shorten(atn, state, hide)).collect();
        let mut net = Self {
            nodes: Vec::with_capacity(atn.states.len()),
            ways: Vec::new(),
            moves: Vec::new(),
            returns: vec![(0, false); atn.states.len()],
            follows: vec![Vec::new(); atn.rules.len()],
            rules: atn.states.iter().map(|state| state.rule.0).collect(),
            decisions: Vec::new(),
            precedence_decisions: Vec::new(),
            max_token: atn.max_token_type,
        };
        for (number, state) in atn.states.iter().enumerate() {
            let (ways, moves) = (net.ways.len(), net.moves.len());
            let stop = state.kind == StateKind::RuleStop;
            for transition in &state.transitions {
                if stop {
                    net.add_follow(state.rule, transition, &shorter);
                } else {
                    net.add(atn, number, transition, &shorter, hide);
                }
            }
            net.nodes.push(Node {
                ways: (index(ways), index(net.ways.len())),
                moves: (index(moves), index(net.moves.len())),
                stop,
                stays: net.moves.len() > moves || state.transitions.is_empty(),
                precedence_loop: state.kind == StateKind::StarLoopEntry && state.precedence_decision,
            });
        }
        for &state in &atn.decisions {
            let state = &atn.states[state.index()];
            let alternative =
                |way: &Transition| (shorter[way.target().index()], !(hide && opens_quantified(atn, state, way)));
            net.decisions.push(state.transitions.iter().map(alternative).collect());
            net.precedence_decisions.push(state.precedence_decision.then_some(state.rule));
        }
        net
    }

    fn add_follow(&mut self, rule: RuleId, transition: &Transition, shorter: &[u32]) {
        if let Transition::Epsilon { target, precedence_return } = transition {
            let follow = Follow { target: shorter[target.index()], precedence_return: *precedence_return };
            let known = &mut self.follows[rule.index()];
            let same =
                |other: &Follow| (other.target, other.precedence_return) == (follow.target, follow.precedence_return);
            if !known.iter().any(same) {
                known.push(follow);
            }
        }
    }

    fn add(&mut self, atn: &Atn, from: usize, transition: &Transition, shorter: &[u32], hide: bool) {
        let target = shorter[transition.target().index()];
        match transition {
            Transition::Epsilon { .. } if hide && opens_quantified(atn, &atn.states[from], transition) => {
                self.ways.push(Way::Action { target });
            }
            Transition::Epsilon { .. } => self.ways.push(Way::Plain { target }),
            Transition::Rule { follow, .. } => {
                let returns = shorten_return(atn, *follow, shorter);
                let tail = atn.states[returns as usize].kind == StateKind::RuleStop;
                self.returns[from] = (returns, tail);
                self.ways.push(Way::Call { target, returns, tail });
            }
            Transition::Predicate { code, .. } => {
                let dependent = atn.code.get(code.index()).is_some_and(|code| code.context_dependent);
                self.ways.push(Way::Predicate { target, code: code.0, dependent });
            }
            Transition::Precedence { precedence, .. } => {
                self.ways.push(Way::Precedence { target, precedence: *precedence });
            }
            Transition::Action { .. } => self.ways.push(Way::Action { target }),
            _ => self.moves.push(Move { tokens: tokens(transition, atn.max_token_type), target }),
        }
    }

    #[inline]
    pub(crate) fn node(&self, state: u32) -> &Node {
        &self.nodes[state as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub(crate) fn ways(&self, node: &Node) -> &[Way] {
        &self.ways[node.ways.0 as usize..node.ways.1 as usize]
    }

    #[inline]
    pub(crate) fn moves(&self, node: &Node) -> &[Move] {
        &self.moves[node.moves.0 as usize..node.moves.1 as usize]
    }

    /// Where the rule that ends at this state may continue if its caller is unknown.
    pub(crate) fn follows(&self, stop: u32) -> &[Follow] {
        &self.follows[self.rules[stop as usize] as usize]
    }

    /// Where the call that starts at this state returns to.
    pub(crate) fn returns(&self, call: StateId) -> (u32, bool) {
        self.returns[call.index()]
    }

    pub(crate) fn alternatives(&self, decision: usize) -> &[(u32, bool)] {
        &self.decisions[decision]
    }

    pub(crate) fn precedence_rule(&self, decision: usize) -> Option<RuleId> {
        self.precedence_decisions[decision]
    }

    pub(crate) fn decisions(&self) -> usize {
        self.decisions.len()
    }
}

/// The tokens that a consuming transition accepts.
pub(crate) fn tokens(transition: &Transition, max_token: i32) -> TokenSet {
    let mut tokens = TokenSet::new(max_token);
    match transition {
        Transition::Atom { label, .. } => tokens.insert(*label),
        Transition::Set { set, .. } => {
            for token in EOF..=max_token {
                if set.contains(token) {
                    tokens.insert(token);
                }
            }
        }
        Transition::NotSet { set, .. } => {
            for token in 1..=max_token {
                if !set.contains(token) {
                    tokens.insert(token);
                }
            }
        }
        Transition::Wildcard { .. } => {
            for token in 1..=max_token {
                tokens.insert(token);
            }
        }
        _ => {}
    }
    tokens
}

/// The only transition of a state that does not end a rule, if it is plain.
fn only_way(atn: &Atn, state: StateId) -> Option<StateId> {
    let state = &atn.states[state.index()];
    match &state.transitions[..] {
        [Transition::Epsilon { target, .. }] if state.kind != StateKind::RuleStop => Some(*target),
        _ => None,
    }
}

/// The end of the chain of plain transitions from a state.
fn shorten(atn: &Atn, state: usize, hide: bool) -> u32 {
    let mut state = StateId(index(state));
    // A chain that is longer than the network is a cycle; any of its states is as good as another.
    for _ in 0..atn.states.len() {
        match only_way(atn, state) {
            Some(next) if !hide || atn.states[state.index()].quantifier.is_none() => state = next,
            _ => break,
        }
    }
    state.0
}

/// Whether a transition leads into an iteration of a quantified part of a rule.
pub(crate) fn opens_quantified(atn: &Atn, state: &State, way: &Transition) -> bool {
    let next = way.target();
    match (state.quantifier, state.kind) {
        (Some(Quantifier::Optional), StateKind::BlockStart) => Some(next) != state.partner,
        (Some(_), StateKind::StarLoopEntry) => atn.states[next.index()].kind != StateKind::LoopEnd,
        (Some(_), StateKind::PlusBlockStart) => true,
        _ => false,
    }
}

/// The return state of a call, shortened. It becomes the loop entry of a left-recursive rule only where ANTLR would
/// drop the edge into the loop after this return; otherwise it is the last state before the loop entry.
fn shorten_return(atn: &Atn, follow: StateId, shorter: &[u32]) -> u32 {
    let end = shorter[follow.index()];
    let entry = &atn.states[end as usize];
    if entry.kind != StateKind::StarLoopEntry || !entry.precedence_decision || may_drop(atn, follow, StateId(end)) {
        return end;
    }
    let mut state = follow;
    while let Some(next) = only_way(atn, state).filter(|next| next.0 != end) {
        state = next;
    }
    state.0
}

/// Whether a return to `follow` leads back to the loop entry in one of the three ways that ANTLR recognises: from the
/// end of the loop's block, from the last operand before it, or from a primary alternative.
fn may_drop(atn: &Atn, follow: StateId, entry: StateId) -> bool {
    let Some(block) = atn.states[entry.index()].transitions.first().map(Transition::target) else { return false };
    let block_end = atn.states[block.index()].partner;
    if Some(follow) == block_end {
        return true;
    }
    let Some(next) = only_way(atn, follow) else { return false };
    Some(next) == block_end
        || next == entry
        || atn.states[next.index()].kind == StateKind::BlockEnd && only_way(atn, next) == Some(entry)
}

fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
