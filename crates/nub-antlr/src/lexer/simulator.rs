//! The longest match of the rules of a mode.
//!
//! All rules run at once as an ordered set of configurations (Parr, Harwell and Fisher 2014, §6). The order matters:
//! the first rule wins among matches of the same length, and after a non-greedy decision the rest of an alternative is
//! dropped as soon as the alternative has matched.

use super::dfa::{Accept, Actions, ERROR, LexConfig, LexDfa, Step, UNKNOWN};
use crate::{
    atn::{Atn, EOF, StateKind, Transition},
    input::Input,
    predict::context::{Contexts, EMPTY},
};
use rustc_hash::FxHashSet;
use std::sync::Arc;

use crate::compiled::Compiled;

/// Evaluates a predicate of the lexer, as if the input had been read up to a position.
pub(super) type Decide<'a> = &'a mut dyn FnMut(u32, usize) -> bool;

/// The end of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) rule: u32,
    pub(super) end: usize,
    pub(super) actions: u32,
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A rule matched.
    Matched(Match),
    /// No rule matched; no rule accepts the character at this position.
    Failed(usize),
    /// The input is exhausted.
    End,
}

#[derive(Debug)]
pub(super) struct Simulator {
    grammar: Arc<Compiled>,
    contexts: Contexts,
    actions: Actions,
    dfa: LexDfa,
    starts: Vec<u32>,
    /// The set under construction.
    reached: Vec<LexConfig>,
    present: FxHashSet<LexConfig>,
    stack: Vec<LexConfig>,
}

/// The context of a closure.
struct Place {
    /// The start of the token.
    start: usize,
    /// The position after the last character.
    position: usize,
    at_end: bool,
}

impl Simulator {
    pub(super) fn new(grammar: Arc<Compiled>) -> Self {
        let modes = grammar.lexer.atn.modes.len();
        Self {
            grammar,
            contexts: Contexts::new(),
            actions: Actions::new(),
            dfa: LexDfa::new(),
            starts: vec![UNKNOWN; modes],
            reached: Vec::new(),
            present: FxHashSet::default(),
            stack: Vec::new(),
        }
    }

    pub(super) fn actions(&self, id: u32) -> &[Step] {
        self.actions.get(id)
    }

    /// How much it remembers.
    pub(super) fn size(&self) -> usize {
        self.dfa.len()
    }

    fn atn(&self) -> &Atn {
        &self.grammar.lexer.atn
    }

    /// The longest match at a position.
    pub(super) fn run(&mut self, input: &Input<'_>, start: usize, mode: usize, decide: Decide<'_>) -> Outcome {
        let mut at = self.starts[mode];
        if at == UNKNOWN {
            at = self.start_state(start, mode, decide);
        }
        let mut best = None;
        let mut position = start;
        let accept = |accept: Option<Accept>, end: usize, best: &mut Option<Match>| {
            if let Some(Accept { rule, actions }) = accept {
                *best = Some(Match { rule, end, actions });
            }
        };
        accept(self.dfa.state(at).accept, start, &mut best);
        let character = loop {
            let character = input.at(position);
            let mut next = self.dfa.edge(at, character);
            if next == UNKNOWN {
                next = self.step(at, character, start, position, decide);
            }
            if next == ERROR {
                break character;
            }
            if character != EOF {
                position += 1;
            }
            let accepted = self.dfa.state(next).accept;
            accept(accepted, position, &mut best);
            if character == EOF && (accepted.is_some() || next == at) {
                break character;
            }
            at = next;
        };
        match best {
            Some(best) => Outcome::Matched(best),
            None if character == EOF && position == start => Outcome::End,
            None => Outcome::Failed(position),
        }
    }

    fn start_state(&mut self, start: usize, mode: usize, decide: Decide<'_>) -> u32 {
        let targets: Vec<u32> = {
            let atn = self.atn();
            atn.states[atn.modes[mode].index()].transitions.iter().map(|way| way.target().0).collect()
        };
        let place = Place { start, position: start, at_end: false };
        let mut pure = true;
        self.reset();
        for (state, alt) in targets.into_iter().zip(1..) {
            let config = LexConfig { state, alt, context: EMPTY, actions: 0, non_greedy: false };
            self.close(config, false, &place, &mut pure, decide);
        }
        let id = self.intern();
        if pure {
            self.starts[mode] = id;
        }
        id
    }

    fn step(&mut self, from: u32, character: i32, start: usize, position: usize, decide: Decide<'_>) -> u32 {
        let grammar = Arc::clone(&self.grammar);
        let atn = &grammar.lexer.atn;
        let at_end = character == EOF;
        let place = Place { start, position: if at_end { position } else { position + 1 }, at_end };
        let mut pure = true;
        let mut skipped = 0;
        self.reset();
        for number in 0..self.dfa.state(from).configs.len() {
            let config = self.dfa.state(from).configs[number];
            let accepted = config.alt == skipped;
            if accepted && config.non_greedy {
                continue;
            }
            for way in &atn.states[config.state as usize].transitions {
                if !consumes(way, character) {
                    continue;
                }
                let actions = self.actions.fix(config.actions, position - start);
                let next = follow(atn, LexConfig { actions, ..config }, way.target().0);
                if self.close(next, accepted, &place, &mut pure, decide) {
                    // The rest of this alternative has lower priority than the match it just found.
                    skipped = config.alt;
                    break;
                }
            }
        }
        let next = if self.reached.is_empty() { ERROR } else { self.intern() };
        if pure {
            self.dfa.set_edge(from, character, next);
        }
        next
    }

    fn reset(&mut self) {
        self.reached.clear();
        self.present.clear();
    }

    fn intern(&mut self) -> u32 {
        let atn = &self.grammar.lexer.atn;
        let stop = |config: &&LexConfig| atn.states[config.state as usize].kind == StateKind::RuleStop;
        let accept = self
            .reached
            .iter()
            .find(stop)
            .map(|config| Accept { rule: atn.states[config.state as usize].rule.0, actions: config.actions });
        self.dfa.intern(&self.reached, accept)
    }

    fn add(&mut self, config: LexConfig) {
        if self.present.insert(config) {
            self.reached.push(config);
        }
    }

    /// Adds everything reachable without a character. Returns whether the alternative has matched; `pure` becomes false
    /// if a predicate was evaluated, because then the result holds only here.
    fn close(
        &mut self,
        config: LexConfig,
        mut accepted: bool,
        place: &Place,
        pure: &mut bool,
        decide: Decide<'_>,
    ) -> bool {
        let grammar = Arc::clone(&self.grammar);
        let atn = &grammar.lexer.atn;
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(config);
        while let Some(config) = stack.pop() {
            let state = &atn.states[config.state as usize];
            if state.kind == StateKind::RuleStop {
                if config.context == EMPTY {
                    self.add(config);
                    accepted = true;
                } else {
                    for &(state, context) in self.contexts.entries(config.context).iter().rev() {
                        stack.push(LexConfig { context, ..follow(atn, config, state) });
                    }
                }
                continue;
            }
            if state.transitions.iter().any(is_consuming) && (!accepted || !config.non_greedy) {
                self.add(config);
            }
            let first = stack.len();
            for way in &state.transitions {
                let next = follow(atn, config, way.target().0);
                match way {
                    Transition::Epsilon { .. } | Transition::Precedence { .. } => stack.push(next),
                    Transition::Rule { follow, .. } => {
                        let context = self.contexts.push(config.context, follow.0);
                        stack.push(LexConfig { context, ..next });
                    }
                    Transition::Predicate { code, .. } => {
                        *pure = false;
                        if decide(code.0, place.position) {
                            stack.push(next);
                        }
                    }
                    Transition::Action { action, .. } => {
                        let actions = match action {
                            // Only the actions of the rule itself count, not those of the rules it calls.
                            Some(action) if config.context == EMPTY => self.actions.push(config.actions, *action),
                            _ => config.actions,
                        };
                        stack.push(LexConfig { actions, ..next });
                    }
                    _ if place.at_end && consumes(way, EOF) => stack.push(next),
                    _ => {}
                }
            }
            stack[first..].reverse();
        }
        self.stack = stack;
        debug_assert!(place.start <= place.position);
        accepted
    }
}

/// The configuration in the next state, which may be a non-greedy decision.
fn follow(atn: &Atn, config: LexConfig, state: u32) -> LexConfig {
    let target = &atn.states[state as usize];
    LexConfig { state, non_greedy: config.non_greedy || target.decision.is_some() && target.non_greedy, ..config }
}

fn is_consuming(way: &Transition) -> bool {
    matches!(
        way,
        Transition::Atom { .. } | Transition::Set { .. } | Transition::NotSet { .. } | Transition::Wildcard { .. }
    )
}

fn consumes(way: &Transition, character: i32) -> bool {
    match way {
        Transition::Atom { label, .. } => *label == character,
        Transition::Set { set, .. } => set.contains(character),
        Transition::NotSet { set, .. } => character != EOF && !set.contains(character),
        Transition::Wildcard { .. } => character != EOF,
        _ => false,
    }
}
