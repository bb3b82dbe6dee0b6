//! Automata that remember predictions (Parr, Harwell and Fisher 2014, §3.1).

use super::{condition::ConditionId, config::Config};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// The number of an automaton state; states of all decisions are numbered together.
pub(super) type DfaId = u32;

/// A way that was never taken.
pub(super) const UNKNOWN: DfaId = 0;
/// A way that leads nowhere.
pub(super) const ERROR: DfaId = 1;

/// What a state of the automaton tells.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Prediction {
    /// More tokens are needed.
    Undecided,
    /// This alternative.
    Alternative(u32),
    /// The first alternative whose condition holds.
    Conditional(Vec<(ConditionId, u32)>),
    /// SLL prediction cannot tell; unless the conditions leave one alternative, full prediction must.
    Conflict(Vec<(ConditionId, u32)>),
}

#[derive(Debug)]
pub(super) struct DfaState {
    pub(super) prediction: Prediction,
    /// Where it may be; empty once it is decided, because nobody asks any more.
    pub(super) configs: Box<[Config]>,
    /// The ways of a start state, by token; others are in the common table.
    dense: Option<Box<[DfaId]>>,
    /// Another state with the same hash.
    same_hash: DfaId,
}

/// The automata of all decisions.
#[derive(Debug)]
pub(super) struct Dfas {
    states: Vec<DfaState>,
    /// The way that each state learnt first: most have only this one, and a look here is cheaper than one at `edges`.
    first: Vec<(i32, DfaId)>,
    edges: FxHashMap<u64, DfaId>,
    known: FxHashMap<u64, DfaId>,
    /// By decision, then by precedence (0 for most).
    starts: Vec<Vec<DfaId>>,
    tokens: usize,
}

impl Dfas {
    pub(super) fn new(decisions: usize, max_token: i32) -> Self {
        let unused =
            || DfaState { prediction: Prediction::Undecided, configs: Box::default(), dense: None, same_hash: UNKNOWN };
        Self {
            states: vec![unused(), unused()],
            first: vec![(0, UNKNOWN); 2],
            edges: FxHashMap::default(),
            known: FxHashMap::default(),
            starts: vec![Vec::new(); decisions],
            tokens: usize::try_from(max_token).unwrap_or(0) + 2,
        }
    }

    #[inline]
    pub(super) fn state(&self, id: DfaId) -> &DfaState {
        &self.states[id as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    #[inline]
    pub(super) fn start(&self, decision: usize, precedence: u32) -> DfaId {
        self.starts[decision].get(precedence as usize).copied().unwrap_or(UNKNOWN)
    }

    pub(super) fn set_start(&mut self, decision: usize, precedence: u32, id: DfaId) {
        let starts = &mut self.starts[decision];
        if starts.len() <= precedence as usize {
            starts.resize(precedence as usize + 1, UNKNOWN);
        }
        starts[precedence as usize] = id;
        let tokens = self.tokens;
        self.states[id as usize].dense.get_or_insert_with(|| vec![UNKNOWN; tokens].into());
    }

    #[inline]
    pub(super) fn edge(&self, from: DfaId, token: i32) -> DfaId {
        let (first, target) = self.first[from as usize];
        if first == token && target != UNKNOWN {
            return target;
        }
        match &self.states[from as usize].dense {
            Some(dense) => dense.get(slot(token)).copied().unwrap_or(UNKNOWN),
            None => self.edges.get(&key(from, token)).copied().unwrap_or(UNKNOWN),
        }
    }

    pub(super) fn set_edge(&mut self, from: DfaId, token: i32, to: DfaId) {
        let first = &mut self.first[from as usize];
        if first.1 == UNKNOWN {
            *first = (token, to);
            return;
        }
        match self.states[from as usize].dense.as_mut().and_then(|dense| dense.get_mut(slot(token))) {
            Some(edge) => *edge = to,
            None => {
                self.edges.insert(key(from, token), to);
            }
        }
    }

    /// The state with this content: an old one, or a new one. Decided states have no configurations, so there are few.
    pub(super) fn intern(&mut self, decision: usize, prediction: Prediction, configs: &[Config]) -> DfaId {
        let configs = if prediction == Prediction::Undecided { configs } else { &[] };
        let mut hasher = FxHasher::default();
        if prediction == Prediction::Undecided {
            decision.hash(&mut hasher);
        }
        prediction.hash(&mut hasher);
        configs.hash(&mut hasher);
        let first = self.known.entry(hasher.finish()).or_insert(UNKNOWN);
        let mut at = *first;
        while at != UNKNOWN {
            let state = &self.states[at as usize];
            if state.prediction == prediction && *state.configs == *configs {
                return at;
            }
            at = state.same_hash;
        }
        let id = u32::try_from(self.states.len()).unwrap_or(u32::MAX);
        self.states.push(DfaState { prediction, configs: configs.into(), dense: None, same_hash: *first });
        *first = id;
        self.first.push((0, UNKNOWN));
        id
    }
}

fn key(from: DfaId, token: i32) -> u64 {
    u64::from(from) << 32 | u64::from(token.cast_unsigned())
}

fn slot(token: i32) -> usize {
    usize::try_from(token + 1).unwrap_or(usize::MAX)
}
