//! The cheapest path from every state of a network to the end of its rule.
//!
//! This is Knuth's generalisation of Dijkstra's algorithm (*A generalization of Dijkstra's algorithm*, 1977): a text is
//! final once it is the best one in the queue, because no text becomes better by growing. The text of a call is the
//! text of the rule plus what follows the call, once both are final. So recursion never wins, and a rule without a
//! finite text never gets one.

use super::text::Text;
use crate::atn::{Atn, RuleId, StateId, StateKind, Transition};
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
};

/// The best text from a state to the end of its rule.
#[derive(Clone, Debug)]
pub(super) struct Best {
    pub(super) text: Text,
    /// The index of the transition that begins it.
    pub(super) way: usize,
}

/// The best texts, by state.
#[derive(Debug)]
pub(super) struct Solution {
    best: Vec<Option<Best>>,
}

impl Solution {
    /// The text of a rule, if it has one.
    pub(super) fn rule(&self, atn: &Atn, rule: usize) -> Option<&Text> {
        self.best(atn.rules[rule].start).map(|best| &best.text)
    }

    pub(super) fn best(&self, state: StateId) -> Option<&Best> {
        self.best[state.index()].as_ref()
    }
}

/// A text in the queue. Ties go to the lower alternative, as in a parser.
type Entry = Reverse<(Text, usize, u32)>;

struct Search<'a, L> {
    atn: &'a Atn,
    /// The text of a consuming transition.
    label: L,
    /// Rules whose text is given.
    fixed: &'a HashMap<RuleId, Text>,
    /// The transitions that may become useful when a state is final.
    into: Vec<Vec<(u32, usize)>>,
    best: Vec<Option<Best>>,
    queue: BinaryHeap<Entry>,
}

/// Solves a network.
pub(super) fn solve<L>(atn: &Atn, fixed: &HashMap<RuleId, Text>, label: L) -> Solution
where
    L: Fn(&Transition) -> Option<Text>,
{
    let mut search =
        Search { atn, label, fixed, into: into(atn), best: vec![None; atn.states.len()], queue: BinaryHeap::new() };
    for (number, rule) in (0u32..).zip(&atn.rules) {
        search.queue.push(Reverse((Text::default(), 0, rule.stop.0)));
        if let Some(text) = fixed.get(&RuleId(number)) {
            search.queue.push(Reverse((text.clone(), usize::MAX, rule.start.0)));
        }
    }
    while let Some(Reverse((text, way, state))) = search.queue.pop() {
        if search.best[state as usize].is_none() {
            search.best[state as usize] = Some(Best { text, way });
            search.spread(state);
        }
    }
    Solution { best: search.best }
}

impl<L> Search<'_, L>
where
    L: Fn(&Transition) -> Option<Text>,
{
    /// A state is final, so states before it may get a text.
    fn spread(&mut self, state: u32) {
        for (from, way) in std::mem::take(&mut self.into[state as usize]) {
            let start = &self.atn.states[from as usize];
            let given = self.fixed.contains_key(&start.rule);
            if self.best[from as usize].is_some() || (given && start.kind == StateKind::RuleStart) {
                continue;
            }
            let text = self.through(&start.transitions[way]).filter(|text| !text.is_too_long());
            if let Some(text) = text {
                self.queue.push(Reverse((text, way, from)));
            }
        }
    }

    fn through(&self, transition: &Transition) -> Option<Text> {
        let after = |state: StateId| self.best[state.index()].as_ref().map(|best| &best.text);
        match transition {
            Transition::Epsilon { target, .. }
            | Transition::Predicate { target, .. }
            | Transition::Precedence { target, .. }
            | Transition::Action { target, .. } => after(*target).cloned(),
            Transition::Rule { target, follow, .. } => Some(after(*target)?.then(after(*follow)?)),
            Transition::Atom { target, .. }
            | Transition::Set { target, .. }
            | Transition::NotSet { target, .. }
            | Transition::Wildcard { target } => {
                let rest = after(*target)?;
                Some((self.label)(transition)?.then(rest))
            }
        }
    }
}

fn into(atn: &Atn) -> Vec<Vec<(u32, usize)>> {
    let mut into = vec![Vec::new(); atn.states.len()];
    for (number, state) in (0u32..).zip(&atn.states) {
        // Transitions from the end of a rule lead to its callers, those from a mode to its rules: neither belong to a
        // rule.
        if matches!(state.kind, StateKind::RuleStop | StateKind::TokensStart) {
            continue;
        }
        for (way, transition) in state.transitions.iter().enumerate() {
            into[transition.target().index()].push((number, way));
            if let Transition::Rule { follow, .. } = transition {
                into[follow.index()].push((number, way));
            }
        }
    }
    into
}
