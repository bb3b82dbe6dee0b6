//! From the best paths through a parser to tokens.

use super::{lexical::Lexical, solve::Solution, text::Text};
use crate::atn::{Atn, EOF, RuleId, StateId, StateKind, Transition};
use std::collections::HashMap;

/// A part of the text of a parser rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A token.
    Token(i32, String),
    /// The user's text for a rule.
    Given(String),
}

impl Piece {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Token(_, text) | Self::Given(text) => text,
        }
    }
}

/// The best text of every token type.
pub(super) struct Labels {
    texts: Vec<Option<Text>>,
}

impl Labels {
    pub(super) fn new(lexical: &Lexical, max: i32) -> Self {
        let short = |kind| lexical.kinds.get(&kind).and_then(|shorts| shorts.first());
        let texts = (0..=max).map(|kind| match short(kind) {
            Some(short) if !short.text.is_empty() && short.trust != super::Trust::Unverified => {
                Some(Text::plain(&short.text))
            }
            Some(short) if short.trust == super::Trust::User => Some(Text::plain(&short.text)),
            Some(short) => Some(Text::doubtful(&short.text)),
            None => None,
        });
        Self { texts: texts.collect() }
    }

    /// The best token that a transition accepts.
    pub(super) fn pick(&self, transition: &Transition) -> Option<(i32, Text)> {
        if accepts(transition, EOF) {
            return Some((EOF, Text::default()));
        }
        if let Transition::Atom { label, .. } = transition {
            let index = usize::try_from(*label).ok()?;
            return Some((*label, self.texts.get(index)?.clone()?));
        }
        let accepted = (0i32..).zip(&self.texts).skip(1).filter(|&(kind, _)| accepts(transition, kind));
        let best = accepted.filter_map(|(kind, text)| Some((text.as_ref()?, kind))).min()?;
        Some((best.1, best.0.clone()))
    }
}

fn accepts(transition: &Transition, kind: i32) -> bool {
    match transition {
        Transition::Atom { label, .. } => *label == kind,
        Transition::Set { set, .. } => set.contains(kind),
        Transition::NotSet { set, .. } => kind != EOF && !set.contains(kind),
        Transition::Wildcard { .. } => kind != EOF,
        _ => false,
    }
}

/// The paths through the rules of a parser.
pub(super) struct Derivation<'a> {
    pub(super) atn: &'a Atn,
    pub(super) solution: &'a Solution,
    pub(super) labels: &'a Labels,
    pub(super) fixed: &'a HashMap<RuleId, Text>,
}

impl Derivation<'_> {
    /// The pieces of a rule, one list for each alternative of its first decision, best first.
    pub(super) fn alternatives(&self, rule: usize) -> Vec<Vec<Piece>> {
        let mut state = self.atn.rules[rule].start;
        let mut seen = 0;
        while let [Transition::Epsilon { target, .. }] = &self.atn.states[state.index()].transitions[..] {
            seen += 1;
            if self.atn.states[state.index()].kind == StateKind::RuleStop || seen > self.atn.states.len() {
                break;
            }
            state = *target;
        }
        let ways = 0..self.atn.states[state.index()].transitions.len();
        let mut found: Vec<(Text, usize)> = ways.filter_map(|way| Some((self.cost(state, way)?, way))).collect();
        found.sort();
        found.into_iter().filter_map(|(_, way)| self.pieces(state, way)).collect()
    }

    fn cost(&self, state: StateId, way: usize) -> Option<Text> {
        let best = |state| self.solution.best(state).map(|best| &best.text);
        match &self.atn.states[state.index()].transitions[way] {
            Transition::Rule { target, follow, .. } => Some(best(*target)?.then(best(*follow)?)),
            transition => {
                let rest = best(transition.target())?;
                match self.labels.pick(transition) {
                    Some((_, text)) => Some(text.then(rest)),
                    None if consumes(transition) => None,
                    None => Some(rest.clone()),
                }
            }
        }
    }

    /// The pieces on the best path that begins with a transition of a state, up to the end of the rule.
    fn pieces(&self, state: StateId, way: usize) -> Option<Vec<Piece>> {
        const STEPS: usize = 1 << 16;
        let mut pieces = Vec::new();
        let mut stack = Vec::new();
        let (mut state, mut way) = (state, Some(way));
        for _ in 0..STEPS {
            if self.atn.states[state.index()].kind == StateKind::RuleStop {
                match stack.pop() {
                    Some(follow) => state = follow,
                    None => return Some(pieces),
                }
                continue;
            }
            let way = match way.take() {
                Some(way) => way,
                None => self.solution.best(state)?.way,
            };
            let transition = &self.atn.states[state.index()].transitions[way];
            state = transition.target();
            if let Transition::Rule { rule, follow, .. } = transition {
                match self.fixed.get(rule) {
                    Some(text) => {
                        pieces.push(Piece::Given(text.as_str().to_owned()));
                        state = *follow;
                    }
                    None => stack.push(*follow),
                }
            } else if consumes(transition) {
                let (kind, text) = self.labels.pick(transition)?;
                if kind != EOF {
                    pieces.push(Piece::Token(kind, text.as_str().to_owned()));
                }
            }
        }
        None
    }
}

fn consumes(transition: &Transition) -> bool {
    matches!(
        transition,
        Transition::Atom { .. } | Transition::Set { .. } | Transition::NotSet { .. } | Transition::Wildcard { .. }
    )
}
