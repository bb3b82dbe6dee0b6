//! Conditions that predicates impose on an alternative.

use rustc_hash::FxHashMap;

/// The number of a condition.
pub(crate) type ConditionId = u32;

/// The condition that always holds.
pub(crate) const ALWAYS: ConditionId = 0;

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Condition {
    /// Always holds.
    Always,
    /// A predicate of the grammar.
    Predicate(u32),
    /// The rule was called with at most this precedence.
    Precedence(u32),
    /// All of them hold.
    All(Vec<ConditionId>),
    /// At least one of them holds.
    Any(Vec<ConditionId>),
}

/// All conditions created so far; equal ones share a number.
#[derive(Debug)]
pub(crate) struct Conditions {
    all: Vec<Condition>,
    known: FxHashMap<Condition, ConditionId>,
}

impl Conditions {
    pub(crate) fn new() -> Self {
        let mut conditions = Self { all: Vec::new(), known: FxHashMap::default() };
        conditions.intern(Condition::Always);
        conditions
    }

    pub(crate) fn get(&self, id: ConditionId) -> &Condition {
        &self.all[id as usize]
    }

    pub(crate) fn intern(&mut self, condition: Condition) -> ConditionId {
        if let Some(&known) = self.known.get(&condition) {
            return known;
        }
        let id = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push(condition.clone());
        self.known.insert(condition, id);
        id
    }

    /// Both hold. Of several precedences only the lowest matters.
    pub(crate) fn and(&mut self, left: ConditionId, right: ConditionId) -> ConditionId {
        if left == ALWAYS || left == right {
            return right;
        }
        if right == ALWAYS {
            return left;
        }
        let parts = self.flatten(left, right, |condition| match condition {
            Condition::All(parts) => Some(parts),
            _ => None,
        });
        let parts = self.keep_one_precedence(parts, u32::min);
        if let [one] = parts[..] { one } else { self.intern(Condition::All(parts)) }
    }

    /// At least one holds. Of several precedences only the highest matters.
    pub(crate) fn or(&mut self, left: ConditionId, right: ConditionId) -> ConditionId {
        if left == ALWAYS || right == ALWAYS {
            return ALWAYS;
        }
        if left == right {
            return left;
        }
        let parts = self.flatten(left, right, |condition| match condition {
            Condition::Any(parts) => Some(parts),
            _ => None,
        });
        let parts = self.keep_one_precedence(parts, u32::max);
        if let [one] = parts[..] { one } else { self.intern(Condition::Any(parts)) }
    }

    fn flatten(
        &self,
        left: ConditionId,
        right: ConditionId,
        inner: impl Fn(&Condition) -> Option<&Vec<ConditionId>>,
    ) -> Vec<ConditionId> {
        let mut parts = Vec::new();
        for id in [left, right] {
            match inner(self.get(id)) {
                Some(more) => parts.extend_from_slice(more),
                None => parts.push(id),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    fn keep_one_precedence(&mut self, parts: Vec<ConditionId>, choose: fn(u32, u32) -> u32) -> Vec<ConditionId> {
        let mut rest = Vec::new();
        let mut kept: Option<u32> = None;
        for id in parts {
            match self.get(id) {
                Condition::Precedence(precedence) => {
                    kept = Some(kept.map_or(*precedence, |other| choose(other, *precedence)));
                }
                _ => rest.push(id),
            }
        }
        if let Some(precedence) = kept {
            rest.push(self.intern(Condition::Precedence(precedence)));
        }
        rest
    }

    /// The rest of a condition once the precedence of the rule is known; `None` if it can no longer hold.
    pub(crate) fn at_precedence(&mut self, id: ConditionId, precedence: u32) -> Option<ConditionId> {
        match self.get(id).clone() {
            Condition::Precedence(needed) => (needed >= precedence).then_some(ALWAYS),
            Condition::All(parts) => {
                let mut rest = ALWAYS;
                for part in parts {
                    let part = self.at_precedence(part, precedence)?;
                    rest = self.and(rest, part);
                }
                Some(rest)
            }
            Condition::Any(parts) => {
                let parts: Vec<_> = parts.into_iter().filter_map(|part| self.at_precedence(part, precedence)).collect();
                parts.into_iter().reduce(|left, right| self.or(left, right))
            }
            Condition::Always | Condition::Predicate(_) => Some(id),
        }
    }

    /// Whether a condition holds.
    pub(crate) fn holds(&self, id: ConditionId, precedence: u32, predicate: &mut dyn FnMut(u32) -> bool) -> bool {
        match self.get(id) {
            Condition::Always => true,
            Condition::Predicate(code) => predicate(*code),
            Condition::Precedence(needed) => *needed >= precedence,
            Condition::All(parts) => parts.iter().all(|&part| self.holds(part, precedence, predicate)),
            Condition::Any(parts) => parts.iter().any(|&part| self.holds(part, precedence, predicate)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precedences_merge() {
        let mut all = Conditions::new();
        let (two, five) = (all.intern(Condition::Precedence(2)), all.intern(Condition::Precedence(5)));
        assert_eq!(all.and(two, five), two);
        assert_eq!(all.or(two, five), five);
        assert_eq!(all.at_precedence(two, 3), None);
        assert_eq!(all.at_precedence(five, 3), Some(ALWAYS));
    }

    #[test]
    fn always_is_neutral() {
        let mut all = Conditions::new();
        let predicate = all.intern(Condition::Predicate(0));
        assert_eq!(all.and(ALWAYS, predicate), predicate);
        assert_eq!(all.or(ALWAYS, predicate), ALWAYS);
        assert!(!all.holds(predicate, 0, &mut |_| false));
    }
}
