//! Merges alternatives of a lexer that are single characters or sets into one set.

use super::{
    super::{IntervalSet, StateId, StateKind, Transition},
    Builder,
};

impl Builder {
    /// Only neighbours are merged, because the lowest alternative wins.
    pub(super) fn merge_sets(&mut self) {
        for decision in self.decisions.clone() {
            let single: Vec<bool> =
                self.get(decision).transitions.iter().map(|way| self.single_step(way).is_some()).collect();
            let mut end = single.len();
            while end > 0 {
                let mut start = end - 1;
                if single[start] {
                    while start > 0 && single[start - 1] {
                        start -= 1;
                    }
                    if end - start > 1 {
                        self.merge(decision, start, end);
                    }
                }
                end = start;
            }
        }
    }

    /// The state after an alternative's edge, if the alternative is one character or set.
    fn single_step(&self, way: &Transition) -> Option<StateId> {
        let Transition::Epsilon { target, .. } = way else { return None };
        let [step @ (Transition::Atom { .. } | Transition::Set { .. })] = &self.get(*target).transitions[..] else {
            return None;
        };
        (self.get(step.target()).kind == StateKind::BlockEnd).then_some(*target)
    }

    fn merge(&mut self, decision: StateId, start: usize, end: usize) {
        let states: Vec<StateId> = self.get(decision).transitions[start..end].iter().map(Transition::target).collect();
        let mut set = IntervalSet::new();
        for &state in &states {
            match &self.get(state).transitions[0] {
                Transition::Atom { label, .. } => set.insert(*label, *label),
                Transition::Set { set: other, .. } => {
                    other.intervals().iter().for_each(|&(low, high)| set.insert(low, high));
                }
                _ => unreachable!("checked by single_step"),
            }
        }
        let target = self.get(states[0]).transitions[0].target();
        self.at(states[0]).transitions[0] = match *set.intervals() {
            [(low, high)] if low == high => Transition::Atom { target, label: low },
            _ => Transition::Set { target, set },
        };
        self.at(decision).transitions.drain(start + 1..end);
        for state in &states[1..] {
            self.states[state.index()] = None;
        }
    }
}
