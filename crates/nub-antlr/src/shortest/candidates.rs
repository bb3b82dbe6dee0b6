//! The texts of a lexer rule, best first, for rules whose best text lexes as another token.

use super::{character, solve::Solution, text::Text};
use crate::atn::{Atn, EOF, RuleId, StateId, StateKind, Transition};
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, HashSet},
    rc::Rc,
};

/// Enough steps to find a few hundred texts; texts that need more are not worth it.
const STEPS: usize = 4000;

/// Where to continue when a rule ends.
#[derive(Debug)]
struct Return {
    state: StateId,
    /// The best text from there to the end.
    rest: Text,
    outer: Option<Rc<Return>>,
}

/// The beginning of a text.
#[derive(Debug)]
struct Path {
    text: Text,
    state: StateId,
    outer: Option<Rc<Return>>,
}

/// The texts of one rule. The best ending of every state is known, so no path leads to a dead end.
pub(super) struct Candidates<'a> {
    atn: &'a Atn,
    solution: &'a Solution,
    fixed: &'a HashMap<RuleId, Text>,
    paths: Vec<Path>,
    queue: BinaryHeap<Reverse<(Text, usize)>>,
    seen: HashSet<Text>,
    steps: usize,
}

impl<'a> Candidates<'a> {
    pub(super) fn new(atn: &'a Atn, solution: &'a Solution, fixed: &'a HashMap<RuleId, Text>, rule: usize) -> Self {
        let (paths, queue, seen) = (Vec::new(), BinaryHeap::new(), HashSet::new());
        let mut candidates = Self { atn, solution, fixed, paths, queue, seen, steps: 0 };
        candidates.push(Path { text: Text::default(), state: atn.rules[rule].start, outer: None });
        candidates
    }

    fn push(&mut self, path: Path) {
        let Some(best) = self.solution.best(path.state) else { return };
        let rest = path.outer.as_ref().map_or_else(|| best.text.clone(), |outer| best.text.then(&outer.rest));
        self.queue.push(Reverse((path.text.then(&rest), self.paths.len())));
        self.paths.push(path);
    }

    /// Extends a path by one step in every direction.
    fn grow(&mut self, at: usize) {
        let Path { state, ref text, ref outer } = self.paths[at];
        let (text, outer) = (text.clone(), outer.clone());
        let state = &self.atn.states[state.index()];
        if let (StateKind::RuleStop, Some(back)) = (state.kind, &outer) {
            self.push(Path { text, state: back.state, outer: back.outer.clone() });
            return;
        }
        for transition in &state.transitions {
            match transition {
                Transition::Epsilon { target, .. }
                | Transition::Predicate { target, .. }
                | Transition::Precedence { target, .. }
                | Transition::Action { target, .. }
                | Transition::Atom { target, label: EOF } => {
                    self.push(Path { text: text.clone(), state: *target, outer: outer.clone() });
                }
                Transition::Rule { target, rule, follow, .. } => {
                    if let Some(given) = self.fixed.get(rule) {
                        self.push(Path { text: text.then(given), state: *follow, outer: outer.clone() });
                    } else if let Some(best) = self.solution.best(*follow) {
                        let rest =
                            outer.as_ref().map_or_else(|| best.text.clone(), |outer| best.text.then(&outer.rest));
                        let back = Return { state: *follow, rest, outer: outer.clone() };
                        self.push(Path { text: text.clone(), state: *target, outer: Some(Rc::new(back)) });
                    }
                }
                Transition::Atom { target, .. }
                | Transition::Set { target, .. }
                | Transition::NotSet { target, .. }
                | Transition::Wildcard { target } => {
                    let Some(set) = character::accepted(transition) else { continue };
                    for member in character::members(&set) {
                        let text = text.then(&Text::usual(member.encode_utf8(&mut [0; 4])));
                        self.push(Path { text, state: *target, outer: outer.clone() });
                    }
                }
            }
        }
    }
}

impl Iterator for Candidates<'_> {
    type Item = Text;

    fn next(&mut self) -> Option<Text> {
        while let Some(Reverse((text, at))) = self.queue.pop() {
            self.steps += 1;
            if self.steps > STEPS {
                return None;
            }
            let path = &self.paths[at];
            let stop = self.atn.states[path.state.index()].kind == StateKind::RuleStop;
            if stop && path.outer.is_none() {
                if self.seen.insert(text.clone()) {
                    return Some(text);
                }
            } else {
                self.grow(at);
            }
        }
        None
    }
}
