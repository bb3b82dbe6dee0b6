//! Lists of children: is it a sentence of the rule, which children belong together, which may go, what may stand where.
//!
//! A list of children is matched by an automaton over their kinds, built from the rule ([network](super::network)) as
//! far as it is needed. All questions about edits are one question about the edited list, which need not have anything
//! to do with a list that was ever parsed.
//!
//! Hidden tokens need care. JavaScript's rule for the end of a statement is `";"` or an *automatic semicolon*, which the
//! tree does not show: by the kinds alone, every semicolon could go. So an [`Automaton`] knows which hidden tokens the
//! list that it was first asked about had to have, and skips no others.

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

/// An automaton of a [`Children`]: a rule, and which hidden tokens a list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Automaton(u32);

/// Why children belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupKind {
    /// They are an option that was taken.
    Optional,
    /// They are one iteration of a repetition that can do without it: any number of them may go.
    Item,
    /// They are one of several iterations of a repetition that needs one: all but one may go.
    Item1,
}

/// Children that belong together and may go together. Not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Which children.
    pub range: Range<usize>,
    /// Why.
    pub kind: GroupKind,
}

/// How a list of children matches a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Answers questions about edits of the list.
    pub automaton: Automaton,
    /// What may go: nested or apart, an outer group before those in it, otherwise from left to right.
    pub groups: Vec<Group>,
}

/// The automata of a grammar. Cheap to make: they are built when they are needed.
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

/// A place in a list of children that is being read.
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
        // What is in there is only ever added to, so it is sound even if a thread died while it held the lock.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The automaton of a rule that skips hidden tokens wherever the rule has them.
    pub fn any(&self, rule: RuleId) -> Automaton {
        self.inner().automaton(&self.grammar, rule, None)
    }

    /// Whether these children, in this order, are a sentence of the rule.
    pub fn accepts(&self, automaton: Automaton, kinds: &[ChildKind]) -> bool {
        self.inner().accepts(automaton, kinds)
    }

    /// How these children, which a parser has found under a node of this rule, match the rule.
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

    /// Whether the automaton has states, i.e. needs no stack.
    pub fn has_states(&self, automaton: Automaton) -> bool {
        self.inner().machine(automaton).dfa.is_some()
    }

    /// The states before each child and after the last; `None` if the automaton has none, or does not get that far. They
    /// make later questions about single children cheap: see [`Children::may_replace_at`].
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

    /// Whether a list that is a sentence is still one with a child of another kind in the place of child `index`. Given
    /// the [states](Self::states) of the list, it reads on only until they are the same again: mostly at once.
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

    /// Whether the list is still a sentence with a child of another kind in the place of child `index`.
    pub fn may_replace(&self, automaton: Automaton, kinds: &[ChildKind], index: usize, by: ChildKind) -> bool {
        let mut edited = kinds.to_vec();
        let Some(kind) = edited.get_mut(index) else { return false };
        *kind = by;
        self.accepts(automaton, &edited)
    }

    /// Which children have to go so that those in `drop` (ascending) can: the fewest that make what remains a sentence.
    /// Besides `drop` only tokens without a rule (separators, brackets) may go, and only next to what goes anyway.
    /// `None` if that is not possible.
    pub fn removal(&self, automaton: Automaton, kinds: &[ChildKind], drop: &[usize]) -> Option<Vec<usize>> {
        let separator: Vec<bool> = kinds.iter().map(|&kind| !self.grammar.kind_name(kind).1).collect();
        let mut role = vec![Role::Stays; kinds.len()];
        for &index in drop {
            *role.get_mut(index)? = Role::Goes;
        }
        // Separators are next to what goes if nothing but separators is between: in both directions.
        for indices in [&mut (0..kinds.len()) as &mut dyn Iterator<Item = usize>, &mut (0..kinds.len()).rev()] {
            let mut beside = false;
            for i in indices {
                beside = role[i] == Role::Goes || (beside && separator[i]);
                if beside && role[i] == Role::Stays {
                    role[i] = Role::MayGo;
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

/// What may become of a child.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Stays,
    MayGo,
    Goes,
}

impl Inner {
    fn network(&mut self, grammar: &Grammar, rule: RuleId) -> Arc<Network> {
        let Self { compiler, networks, .. } = self;
        Arc::clone(networks.entry(rule).or_insert_with(|| Arc::new(compiler.compile(grammar, rule))))
    }

    fn automaton(&mut self, grammar: &Grammar, rule: RuleId, allowed: Option<BTreeSet<HiddenToken>>) -> Automaton {
        // Most rules have no hidden tokens or one: the key is small.
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

    /// Compiles all networks that this one calls, and those call.
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

    /// From left to right: the cheapest way into every state that can be reached. Few states are open at a time, because
    /// only separators next to what goes leave a choice.
    fn cheapest_removal(&mut self, automaton: Automaton, kinds: &[ChildKind], role: &[Role]) -> Option<Vec<usize>> {
        // For each state the number of children that went, and the last one (a link into `removed`).
        let mut open: BTreeMap<State, (usize, Option<usize>)> = BTreeMap::from([(Dfa::START, (0, None))]);
        // Removed children, each with the one before it.
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
                if role[i] != Role::Stays {
                    removed.push((i, last));
                    offer(state, cost + 1, Some(removed.len() - 1));
                }
                if role[i] != Role::Goes
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

    /// Without states: tries up to two separators on each side of every run that goes, the same for all runs.
    fn some_removal(&mut self, automaton: Automaton, kinds: &[ChildKind], role: &[Role]) -> Option<Vec<usize>> {
        let mut shapes: Vec<(usize, usize)> = (0..3).flat_map(|left| (0..3).map(move |right| (left, right))).collect();
        shapes.sort_by_key(|&(left, right)| (left + right, left));
        let near = |i: usize, (left, right): (usize, usize)| {
            let after = (1..=left).any(|d| role.get(i + d) == Some(&Role::Goes));
            let before = (1..=right).any(|d| i.checked_sub(d).is_some_and(|i| role[i] == Role::Goes));
            role[i] == Role::MayGo && (after || before)
        };
        shapes.into_iter().find_map(|shape| {
            let goes = |&i: &usize| role[i] == Role::Goes || near(i, shape);
            let kept: Vec<ChildKind> = (0..kinds.len()).filter(|i| !goes(i)).map(|i| kinds[i]).collect();
            self.accepts(automaton, &kept).then(|| (0..kinds.len()).filter(goes).collect())
        })
    }
}

/// The groups that the marks of a path say, without those that are empty and those that cover just what another does.
fn groups(marks: &[(usize, Mark)]) -> Vec<Group> {
    let mut groups: Vec<Group> = vec![];
    // Parts that are open: where they start, and the places of their iterations in `groups` if they must have one.
    let mut open: Vec<(usize, Vec<usize>)> = vec![];
    // A repetition that must have an iteration and has only one does not let it go.
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
    // Of two that cover the same, the one that may always go.
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
        assert_eq!(c.removal(automaton, &list, &[5]), Some(vec![5]), "the comma may stay: it is a trailing one");
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
        assert_eq!(c.removal(automaton, &list, &[0]), None, "what has to go besides is not next to it");
        assert_eq!(c.removal(automaton, &list, &[0, 4]), Some(vec![0, 4]));
    }

    #[test]
    fn hidden_tokens_are_not_made_up() {
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
