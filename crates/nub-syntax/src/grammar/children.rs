//! Lists of children: whether a list is a sentence of its rule, which children belong together, which can be removed,
//! and what is allowed where.
//!
//! A list is matched by an automaton over the kinds of the children, built lazily from the rule
//! ([network](super::network)). Every question about an edit is a question about the edited list, which need not be a
//! list that was ever parsed.
//!
//! Hidden tokens need care. In JavaScript, a statement ends with `";"` or an *automatic semicolon*, which the tree does
//! not show. Judging by the kinds alone, every semicolon could be removed. So an [`Automaton`] knows which hidden
//! tokens the original list must contain, and skips no others.

use super::{
    ChildKind, Grammar, HiddenToken, RuleId,
    dfa::{Dfa, Event, Events},
    earley,
    network::{Compiler, Edge, Mark, Network, Part},
};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// An automaton of a [`Children`]: a rule and the hidden tokens that a list contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Automaton(u32);

/// Why some children belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupKind {
    /// They are an option that is present.
    Optional,
    /// They are one iteration of a repetition that can be empty: any number of them can be removed.
    Item,
    /// They are one of several iterations of a repetition that needs one: all but one can be removed.
    Item1,
}

/// Children that belong together and can be removed together. Not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The children.
    pub range: Range<usize>,
    /// Why they belong together.
    pub kind: GroupKind,
}

/// How a list of children matches a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Answers questions about edits of the list.
    pub automaton: Automaton,
    /// The removable groups. They are nested or disjoint; an outer group precedes the inner ones, otherwise the order
    /// is left to right.
    pub groups: Vec<Group>,
}

/// The automata of a grammar. Cheap to create, because they are built on demand.
#[derive(Debug)]
pub struct Children {
    grammar: Arc<Grammar>,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    compiler: Compiler,
    networks: HashMap<RuleId, Arc<Network>>,
    automata: Vec<Machine>,
    ids: HashMap<(RuleId, Option<BTreeSet<HiddenToken>>), Automaton>,
}

#[derive(Debug)]
struct Machine {
    rule: RuleId,
    network: Arc<Network>,
    allowed: Option<BTreeSet<HiddenToken>>,
    /// `None` if the network has calls.
    dfa: Option<Dfa>,
}

/// A state while reading a list of children.
pub(super) type State = u32;

impl Children {
    /// The automata of a grammar.
    pub fn new(grammar: Arc<Grammar>) -> Self {
        let compiler = Compiler::new(&grammar);
        let inner = Inner { compiler, networks: HashMap::new(), automata: vec![], ids: HashMap::new() };
        Self { grammar, inner: Mutex::new(inner) }
    }

    /// The grammar.
    pub fn grammar(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // The contents only ever grow, so they stay consistent even if a thread panicked while holding the lock.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The automaton of a rule that skips hidden tokens wherever the rule has them.
    pub fn any(&self, rule: RuleId) -> Automaton {
        self.inner().automaton(&self.grammar, rule, None)
    }

    /// Whether these children form a sentence of the rule.
    pub fn accepts(&self, automaton: Automaton, kinds: &[ChildKind]) -> bool {
        self.inner().accepts(automaton, kinds)
    }

    /// How these children, which a parser found under a node of this rule, match the rule.
    pub fn matches(&self, rule: RuleId, kinds: &[ChildKind]) -> Option<Match> {
        let mut inner = self.inner();
        let any = inner.automaton(&self.grammar, rule, None);
        let events = inner.path(any, kinds)?;
        let mut hidden = BTreeSet::new();
        let mut marks = vec![];
        for (at, event) in events {
            match event {
                Event::Mark(mark) => marks.push((at, mark)),
                Event::Hidden(token) => {
                    hidden.insert(token);
                }
            }
        }
        let automaton = inner.automaton(&self.grammar, rule, Some(hidden));
        Some(Match { automaton, groups: groups(&marks) })
    }

    /// Whether the automaton has states, that is, needs no stack.
    pub fn has_states(&self, automaton: Automaton) -> bool {
        self.inner().machine(automaton).dfa.is_some()
    }

    /// The states before each child and after the last; `None` if the automaton has no states or rejects the list. They
    /// make questions about single children cheap: see [`Children::may_replace_at`].
    pub fn states(&self, automaton: Automaton, kinds: &[ChildKind]) -> Option<Vec<u32>> {
        let mut inner = self.inner();
        inner.machine(automaton).dfa.as_ref()?;
        let mut states = Vec::with_capacity(kinds.len() + 1);
        states.push(Dfa::START);
        for &kind in kinds {
            states.push(inner.step(automaton, *states.last()?, kind)?);
        }
        Some(states)
    }

    /// Whether a sentence is still one if a child of another kind replaces child `index`. Given the
    /// [states](Self::states) of the list, it reads only until they are the same again, which is usually at once.
    pub fn may_replace_at(
        &self,
        automaton: Automaton,
        kinds: impl Fn(usize) -> Option<ChildKind>,
        states: impl Fn(usize) -> Option<u32>,
        index: usize,
        by: ChildKind,
    ) -> bool {
        let mut inner = self.inner();
        let Some(mut state) = states(index).and_then(|state| inner.step(automaton, state, by)) else { return false };
        let mut next = index + 1;
        while states(next) != Some(state) {
            let Some(kind) = kinds(next) else { return inner.may_end(automaton, state) };
            let Some(after) = inner.step(automaton, state, kind) else { return false };
            (state, next) = (after, next + 1);
        }
        true
    }

    /// Whether the list is still a sentence if a child of another kind replaces child `index`.
    pub fn may_replace(&self, automaton: Automaton, kinds: &[ChildKind], index: usize, by: ChildKind) -> bool {
        let mut edited = kinds.to_vec();
        let Some(kind) = edited.get_mut(index) else { return false };
        *kind = by;
        self.accepts(automaton, &edited)
    }

    /// The smallest set of children to remove with those in `drop` (ascending) so that the rest is a sentence. Besides
    /// `drop`, only literal tokens (separators, brackets) may be removed, and only next to children that are removed
    /// anyway. `None` if that is impossible.
    pub fn removal(&self, automaton: Automaton, kinds: &[ChildKind], drop: &[usize]) -> Option<Vec<usize>> {
        let separator: Vec<bool> = kinds.iter().map(|&kind| !self.grammar.kind_name(kind).1).collect();
        let mut role = vec![Role::Keep; kinds.len()];
        for &index in drop {
            *role.get_mut(index)? = Role::Remove;
        }
        // A separator is next to a removed child if only separators are between them, in either direction.
        for indices in [&mut (0..kinds.len()) as &mut dyn Iterator<Item = usize>, &mut (0..kinds.len()).rev()] {
            let mut beside = false;
            for i in indices {
                beside = role[i] == Role::Remove || (beside && separator[i]);
                if beside && role[i] == Role::Keep {
                    role[i] = Role::MayRemove;
                }
            }
        }
        let mut inner = self.inner();
        if inner.machine(automaton).dfa.is_some() {
            inner.cheapest_removal(automaton, kinds, &role)
        } else {
            inner.some_removal(automaton, kinds, &role)
        }
    }
}

/// What may happen to a child.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Keep,
    MayRemove,
    Remove,
}

impl Inner {
    fn network(&mut self, grammar: &Grammar, rule: RuleId) -> Arc<Network> {
        let Self { compiler, networks, .. } = self;
        Arc::clone(networks.entry(rule).or_insert_with(|| Arc::new(compiler.compile(grammar, rule))))
    }

    fn automaton(&mut self, grammar: &Grammar, rule: RuleId, allowed: Option<BTreeSet<HiddenToken>>) -> Automaton {
        // Most rules have at most one hidden token, so the key is small.
        let key = (rule, allowed);
        if let Some(&automaton) = self.ids.get(&key) {
            return automaton;
        }
        let network = self.network(grammar, rule);
        if network.calls {
            self.compile_calls(grammar, &network);
        }
        let dfa = (!network.calls).then(|| Dfa::new(&network, key.1.clone()));
        let automaton = Automaton(self.automata.len() as u32);
        self.automata.push(Machine { rule, network, allowed: key.1.clone(), dfa });
        self.ids.insert(key, automaton);
        automaton
    }

    /// Compiles all networks that this one calls, directly or indirectly.
    fn compile_calls(&mut self, grammar: &Grammar, network: &Network) {
        let called = |network: &Network| -> Vec<RuleId> {
            let edges = network.states.iter().flatten();
            edges.filter_map(|edge| if let Edge::Call(rule, _) = edge { Some(*rule) } else { None }).collect()
        };
        let mut todo = called(network);
        while let Some(rule) = todo.pop() {
            if !self.networks.contains_key(&rule) {
                todo.extend(called(&self.network(grammar, rule)));
            }
        }
    }

    fn machine(&self, automaton: Automaton) -> &Machine {
        &self.automata[automaton.0 as usize]
    }

    fn step(&mut self, automaton: Automaton, state: State, kind: ChildKind) -> Option<State> {
        let Machine { network, dfa, .. } = &mut self.automata[automaton.0 as usize];
        dfa.as_mut()?.step(network, state, kind)
    }

    fn may_end(&self, automaton: Automaton, state: State) -> bool {
        self.machine(automaton).dfa.as_ref().is_some_and(|dfa| dfa.is_accepting(state))
    }

    fn accepts(&mut self, automaton: Automaton, kinds: &[ChildKind]) -> bool {
        if self.machine(automaton).dfa.is_none() {
            return self.path(automaton, kinds).is_some();
        }
        let end = kinds.iter().try_fold(Dfa::START, |state, &kind| self.step(automaton, state, kind));
        end.is_some_and(|state| self.may_end(automaton, state))
    }

    fn path(&mut self, automaton: Automaton, kinds: &[ChildKind]) -> Option<Events> {
        let Self { automata, networks, .. } = self;
        let Machine { rule, network, allowed, dfa } = &mut automata[automaton.0 as usize];
        match dfa {
            Some(dfa) => dfa.path(network, kinds),
            None => earley::path(|rule| &*networks[&rule], *rule, kinds, allowed.as_ref()),
        }
    }

    /// Finds the cheapest path to every reachable state, from left to right. Few states are open at a time, because
    /// only separators next to removed children leave a choice.
    fn cheapest_removal(&mut self, automaton: Automaton, kinds: &[ChildKind], role: &[Role]) -> Option<Vec<usize>> {
        // For each state, the number of removed children and the last one (an index into `removed`).
        let mut open: BTreeMap<State, (usize, Option<usize>)> = BTreeMap::from([(Dfa::START, (0, None))]);
        // Removed children, each linked to the previous one.
        let mut removed: Vec<(usize, Option<usize>)> = vec![];
        for (i, &kind) in kinds.iter().enumerate() {
            let mut next: BTreeMap<State, (usize, Option<usize>)> = BTreeMap::new();
            let mut offer = |state: State, cost: usize, last: Option<usize>| {
                let best = next.entry(state).or_insert((cost, last));
                if cost < best.0 {
                    *best = (cost, last);
                }
            };
            for (&state, &(cost, last)) in &open {
                if role[i] != Role::Keep {
                    removed.push((i, last));
                    offer(state, cost + 1, Some(removed.len() - 1));
                }
                if role[i] != Role::Remove
                    && let Some(state) = self.step(automaton, state, kind)
                {
                    offer(state, cost, last);
                }
            }
            open = next;
        }
        let ends = open.iter().filter(|&(&state, _)| self.may_end(automaton, state));
        let (_, &(_, mut last)) = ends.min_by_key(|&(_, &(cost, _))| cost)?;
        let mut indices = vec![];
        while let Some((index, before)) = last.map(|last| removed[last]) {
            indices.push(index);
            last = before;
        }
        indices.reverse();
        Some(indices)
    }

    /// Without states: tries up to two separators on each side of every removed run, the same number for all runs.
    fn some_removal(&mut self, automaton: Automaton, kinds: &[ChildKind], role: &[Role]) -> Option<Vec<usize>> {
        let mut shapes: Vec<(usize, usize)> = (0..3).flat_map(|left| (0..3).map(move |right| (left, right))).collect();
        shapes.sort_by_key(|&(left, right)| (left + right, left));
        let near = |i: usize, (left, right): (usize, usize)| {
            let after = (1..=left).any(|d| role.get(i + d) == Some(&Role::Remove));
            let before = (1..=right).any(|d| i.checked_sub(d).is_some_and(|i| role[i] == Role::Remove));
            role[i] == Role::MayRemove && (after || before)
        };
        shapes.into_iter().find_map(|shape| {
            let removed = |&i: &usize| role[i] == Role::Remove || near(i, shape);
            let kept: Vec<ChildKind> = (0..kinds.len()).filter(|i| !removed(i)).map(|i| kinds[i]).collect();
            self.accepts(automaton, &kept).then(|| (0..kinds.len()).filter(removed).collect())
        })
    }
}

/// The groups described by the marks of a path, without empty ones and duplicates.
fn groups(marks: &[(usize, Mark)]) -> Vec<Group> {
    let mut groups: Vec<Group> = vec![];
    // Open parts: where they start, and the indices of their iterations in `groups` if they need at least one.
    let mut open: Vec<(usize, Vec<usize>)> = vec![];
    // The only iteration of a repetition that needs one cannot be removed.
    let mut fixed = BTreeSet::new();
    for &(at, mark) in marks {
        match mark {
            Mark::Open(_) => open.push((at, vec![])),
            Mark::Close(part) => {
                let Some((start, items)) = open.pop() else { continue };
                match part {
                    Part::Items if items.len() == 1 => fixed.extend(items),
                    Part::Items => items.iter().for_each(|&item| groups[item].kind = GroupKind::Item1),
                    _ if start == at => {}
                    _ => {
                        let kind = if part == Part::Item { GroupKind::Item } else { GroupKind::Optional };
                        if let Some((_, items)) = open.last_mut().filter(|_| part == Part::Item) {
                            items.push(groups.len());
                        }
                        groups.push(Group { range: start..at, kind });
                    }
                }
            }
        }
    }
    let mut groups: Vec<Group> =
        groups.into_iter().enumerate().filter(|(i, _)| !fixed.contains(i)).map(|(_, group)| group).collect();
    // Of two groups with the same range, keep the one that can always be removed.
    groups.sort_by_key(|group| (group.range.start, usize::MAX - group.range.end, group.kind));
    groups.dedup_by(|a, b| a.range == b.range);
    groups
}

#[cfg(test)]
mod tests {
    use super::super::Expr;
    use super::*;

    /// `list: "[" (x ("," x)* ","?)? "]"`, `block: x+`, `nest: _n`, `_n: x | "(" _n ")"`, and `end: x (";" | _auto)`.
    fn children() -> Children {
        let mut g = Grammar::new("test");
        let names = ["list", "x", "block", "nest", "end"];
        let [list, x, block, nest, end] = names.map(|name| {
            let kind = g.kind(name, true);
            g.declare(name, Some(kind))
        });
        let [n, auto] = ["_n", "_auto"].map(|name| g.declare(name, None));
        let body = g.pattern("[a-z]");
        g.define(x, body);
        let parts = [g.literal(","), g.add(Expr::Reference(x))];
        let more = g.sequence(parts);
        let trailing = g.literal(",");
        let parts = [g.add(Expr::Reference(x)), g.add(Expr::Repeat(more)), g.add(Expr::Optional(trailing))];
        let items = g.sequence(parts);
        let parts = [g.literal("["), g.add(Expr::Optional(items)), g.literal("]")];
        let body = g.sequence(parts);
        g.define(list, body);
        let item = g.add(Expr::Reference(x));
        let body = g.add(Expr::Repeat1(item));
        g.define(block, body);
        let body = g.add(Expr::Reference(n));
        g.define(nest, body);
        let parts = [g.literal("("), g.add(Expr::Reference(n)), g.literal(")")];
        let parts = [g.sequence(parts), g.add(Expr::Reference(x))];
        let body = g.choice(parts);
        g.define(n, body);
        let parts = [g.literal(";"), g.add(Expr::Reference(auto))];
        let parts = [g.add(Expr::Reference(x)), g.choice(parts)];
        let body = g.sequence(parts);
        g.define(end, body);
        Children::new(Arc::new(g))
    }

    fn kinds(children: &Children, names: &str) -> Vec<ChildKind> {
        let kind = |name: &str| children.grammar().find_kind(name, name == "x").unwrap();
        names.split_whitespace().map(kind).collect()
    }

    fn rule(children: &Children, name: &str) -> RuleId {
        children.grammar().find(name).unwrap()
    }

    #[test]
    fn elements_with_their_commas() {
        let c = children();
        let list = kinds(&c, "[ x , x , x ]");
        let Match { automaton, groups } = c.matches(rule(&c, "list"), &list).unwrap();
        let group = |range, kind| Group { range, kind };
        let expected = [group(1..6, GroupKind::Optional), group(2..4, GroupKind::Item), group(4..6, GroupKind::Item)];
        assert_eq!(groups, expected);
        assert_eq!(c.removal(automaton, &list, &[1]), Some(vec![1, 2]));
        assert_eq!(c.removal(automaton, &list, &[3]), Some(vec![2, 3]));
        assert_eq!(c.removal(automaton, &list, &[5]), Some(vec![5]), "the comma can stay as a trailing one");
        assert_eq!(c.removal(automaton, &list, &[1, 5]), Some(vec![1, 2, 5]));
        assert_eq!(c.removal(automaton, &list, &[1, 3, 5]), Some(vec![1, 2, 3, 4, 5]));
        assert_eq!(c.removal(automaton, &list, &[0]), None);
        assert_eq!(c.removal(automaton, &list, &[9]), None);
        assert!(c.may_replace(automaton, &list, 1, list[5]));
        assert!(!c.may_replace(automaton, &list, 1, list[0]));
        assert!(!c.may_replace(automaton, &list, 7, list[0]));
    }

    #[test]
    fn one_iteration_must_stay() {
        let c = children();
        let block = rule(&c, "block");
        assert_eq!(c.matches(block, &kinds(&c, "x")).unwrap().groups, []);
        let Match { automaton, groups } = c.matches(block, &kinds(&c, "x x")).unwrap();
        assert_eq!(groups.len(), 2);
        assert!(groups.iter().all(|group| group.kind == GroupKind::Item1));
        assert!(!c.accepts(automaton, &[]));
        assert!(c.matches(block, &[]).is_none());
    }

    #[test]
    fn hidden_recursion() {
        let c = children();
        let nest = rule(&c, "nest");
        let list = kinds(&c, "( ( x ) )");
        let Match { automaton, .. } = c.matches(nest, &list).unwrap();
        assert!(!c.has_states(automaton));
        assert!(c.accepts(automaton, &kinds(&c, "( x )")));
        assert!(!c.accepts(automaton, &kinds(&c, "( ( x )")));
        assert_eq!(c.removal(automaton, &list, &[0]), None, "the matching token is not next to it");
        assert_eq!(c.removal(automaton, &list, &[0, 4]), Some(vec![0, 4]));
    }

    #[test]
    fn hidden_tokens_are_not_invented() {
        let c = children();
        let end = rule(&c, "end");
        let with = c.matches(end, &kinds(&c, "x ;")).unwrap();
        assert!(!c.accepts(with.automaton, &kinds(&c, "x")));
        let without = c.matches(end, &kinds(&c, "x")).unwrap();
        assert!(c.accepts(without.automaton, &kinds(&c, "x")));
        assert!(c.accepts(c.any(end), &kinds(&c, "x")));
    }

    #[test]
    fn long_lists() {
        let c = children();
        let list = kinds(&c, &format!("[ x{} ]", " , x".repeat(100_000)));
        let found = c.matches(rule(&c, "list"), &list).unwrap();
        assert_eq!(found.groups.len(), 100_001);
        let last = list.len() - 2;
        assert_eq!(c.removal(found.automaton, &list, &[1, last]), Some(vec![1, 2, last]));
    }
}
