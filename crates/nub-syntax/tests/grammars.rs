//! Automata and Phi of small random grammars, compared with a naive enumeration of everything the grammars derive.

use nub_syntax::grammar::{ChildKind, Children, Expr, ExprId, Grammar, GroupKind, Phi, RuleId};
use proptest::{collection::vec, prelude::*};
use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

/// Tokens that never merge.
const TOKENS: [&str; 3] = ["(", ")", ";"];
const RULES: usize = 3;
/// The enumeration leaves out everything longer than this.
const LONGEST: usize = 4;

/// A part of a rule, in a readable form.
#[derive(Clone, Debug)]
enum Part {
    Token(usize),
    Rule(usize),
    Sequence(Vec<Part>),
    Choice(Vec<Part>),
    Optional(Box<Part>),
    Repeat(Box<Part>),
    Repeat1(Box<Part>),
}

fn part() -> impl Strategy<Value = Part> {
    let leaf = prop_oneof![3 => (0..TOKENS.len()).prop_map(Part::Token), 2 => (0..RULES).prop_map(Part::Rule)];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Part::Sequence),
            vec(inner.clone(), 1..4).prop_map(Part::Choice),
            boxed().prop_map(Part::Optional),
            boxed().prop_map(Part::Repeat),
            boxed().prop_map(Part::Repeat1),
        ]
    })
}

/// The rules, and whether the tree shows them.
#[derive(Clone, Debug)]
struct Rules {
    bodies: Vec<Part>,
    shown: Vec<bool>,
}

fn rules() -> impl Strategy<Value = Rules> {
    (vec(part(), RULES), vec(any::<bool>(), RULES)).prop_map(|(bodies, shown)| Rules { bodies, shown })
}

impl Rules {
    fn grammar(&self) -> (Grammar, Vec<RuleId>) {
        let mut grammar = Grammar::new("random");
        let mut declare = |i: usize| {
            let name = format!("r{i}");
            let kind = self.shown[i].then(|| grammar.kind(&name, true));
            grammar.declare(&name, kind)
        };
        let ids: Vec<RuleId> = (0..RULES).map(&mut declare).collect();
        for (body, &id) in self.bodies.iter().zip(&ids) {
            let body = add(&mut grammar, &ids, body);
            grammar.define(id, body);
        }
        (grammar, ids)
    }

    /// All lists that the rules derive, given the contributions of tokens and shown rules. A least fixed point.
    fn derived<T: Clone + Ord>(
        &self,
        token: &dyn Fn(usize) -> T,
        shown: &dyn Fn(usize) -> Option<T>,
    ) -> Vec<BTreeSet<Vec<T>>> {
        let mut sets: Vec<BTreeSet<Vec<T>>> = vec![BTreeSet::new(); RULES];
        loop {
            let new: Vec<_> = self.bodies.iter().map(|body| lists(body, &sets, token, shown)).collect();
            if new == sets {
                return sets;
            }
            sets = new;
        }
    }
}

fn add(grammar: &mut Grammar, ids: &[RuleId], part: &Part) -> ExprId {
    let mut all = |parts: &[Part]| -> Box<[ExprId]> { parts.iter().map(|part| add(grammar, ids, part)).collect() };
    let expr = match part {
        Part::Token(i) => return grammar.literal(TOKENS[*i]),
        Part::Rule(i) => Expr::Reference(ids[*i]),
        Part::Sequence(parts) => Expr::Sequence(all(parts)),
        Part::Choice(parts) => Expr::Choice(all(parts)),
        Part::Optional(part) => Expr::Optional(add(grammar, ids, part)),
        Part::Repeat(part) => Expr::Repeat(add(grammar, ids, part)),
        Part::Repeat1(part) => Expr::Repeat1(add(grammar, ids, part)),
    };
    grammar.add(expr)
}

fn lists<T: Clone + Ord>(
    part: &Part,
    rules: &[BTreeSet<Vec<T>>],
    token: &dyn Fn(usize) -> T,
    shown: &dyn Fn(usize) -> Option<T>,
) -> BTreeSet<Vec<T>> {
    let of = |part: &Part| lists(part, rules, token, shown);
    let nothing = || BTreeSet::from([vec![]]);
    match part {
        Part::Token(i) => BTreeSet::from([vec![token(*i)]]),
        Part::Rule(i) => shown(*i).map_or_else(|| rules[*i].clone(), |one| BTreeSet::from([vec![one]])),
        Part::Sequence(parts) => parts.iter().fold(nothing(), |left, part| concatenated(&left, &of(part))),
        Part::Choice(parts) => parts.iter().flat_map(of).collect(),
        Part::Optional(part) => &of(part) | &nothing(),
        Part::Repeat(part) => repeated(nothing(), &of(part)),
        Part::Repeat1(part) => repeated(of(part), &of(part)),
    }
}

fn concatenated<T: Clone + Ord>(left: &BTreeSet<Vec<T>>, right: &BTreeSet<Vec<T>>) -> BTreeSet<Vec<T>> {
    let pairs = left.iter().flat_map(|left| right.iter().map(move |right| (left, right)));
    pairs.filter(|(left, right)| left.len() + right.len() <= LONGEST).map(|(l, r)| [&l[..], r].concat()).collect()
}

fn repeated<T: Clone + Ord>(mut all: BTreeSet<Vec<T>>, one: &BTreeSet<Vec<T>>) -> BTreeSet<Vec<T>> {
    loop {
        let more = &all | &concatenated(&all, one);
        if more == all {
            return all;
        }
        all = more;
    }
}

/// A grammar, and all lists of children of every rule, by enumeration.
struct Model {
    children: Children,
    ids: Vec<RuleId>,
    alphabet: Vec<ChildKind>,
    lists: Vec<BTreeSet<Vec<ChildKind>>>,
}

impl Model {
    fn new(rules: &Rules) -> Self {
        let (mut grammar, ids) = rules.grammar();
        let tokens = TOKENS.map(|token| grammar.kind(token, false));
        let kinds: Vec<Option<ChildKind>> = ids.iter().map(|&id| grammar.rule(id).kind).collect();
        let lists = rules.derived(&|i| tokens[i], &|i| kinds[i]);
        let alphabet = tokens.into_iter().chain(kinds.into_iter().flatten()).collect();
        Self { children: Children::new(Arc::new(grammar)), ids, alphabet, lists }
    }

    /// All lists up to this length, derivable or not.
    fn all_lists(&self, longest: usize) -> Vec<Vec<ChildKind>> {
        let mut all = vec![vec![]];
        let mut from = 0;
        for _ in 0..longest {
            let longer =
                |list: &Vec<ChildKind>| self.alphabet.iter().map(|&kind| [&list[..], &[kind]].concat()).collect();
            let new: Vec<Vec<ChildKind>> = all[from..].iter().flat_map(|list| -> Vec<_> { longer(list) }).collect();
            from = all.len();
            all.extend(new);
        }
        all
    }
}

fn without(list: &[ChildKind], removed: impl Fn(usize) -> bool) -> Vec<ChildKind> {
    (0..list.len()).filter(|&i| !removed(i)).map(|i| list[i]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn automata_accept_exactly_what_the_grammar_derives(rules in rules()) {
        let model = Model::new(&rules);
        for (&id, lists) in model.ids.iter().zip(&model.lists) {
            let automaton = model.children.any(id);
            for list in model.all_lists(LONGEST - 1) {
                prop_assert_eq!(model.children.accepts(automaton, &list), lists.contains(&list), "{:?}", list);
            }
        }
    }

    /// Every edit on offer leaves a list that the grammar derives, and every replacement with such a result is on
    /// offer.
    #[test]
    fn edited_lists_are_derivable(rules in rules()) {
        let model = Model::new(&rules);
        let children = &model.children;
        for (&id, lists) in model.ids.iter().zip(&model.lists) {
            for list in lists.iter().take(40) {
                let found = children.matches(id, list).expect("the grammar derives it");
                for group in &found.groups {
                    let left = without(list, |i| group.range.contains(&i));
                    prop_assert!(lists.contains(&left), "{:?} without {:?}", list, group);
                }
                // All iterations of a repetition that may be empty can be removed together.
                let items = found.groups.iter().filter(|group| group.kind == GroupKind::Item);
                let items: Vec<_> = items.map(|group| group.range.clone()).collect();
                let left = without(list, |i| items.iter().any(|range| range.contains(&i)));
                prop_assert!(lists.contains(&left), "{:?} without {:?}", list, items);
                let states = children.states(found.automaton, list);
                for i in 0..list.len() {
                    for &by in &model.alphabet {
                        let edited = [&list[..i], &[by], &list[i + 1..]].concat();
                        let expected = lists.contains(&edited);
                        prop_assert_eq!(children.may_replace(found.automaton, list, i, by), expected, "{:?}", edited);
                        if let Some(states) = &states {
                            let kind = |at: usize| list.get(at).copied();
                            let state = |at: usize| states.get(at).copied();
                            let quick = children.may_replace_at(found.automaton, kind, state, i, by);
                            prop_assert_eq!(quick, expected, "{:?}", edited);
                        }
                    }
                    if let Some(removed) = children.removal(found.automaton, list, &[i]) {
                        prop_assert!(removed.contains(&i));
                        let left = without(list, |i| removed.contains(&i));
                        prop_assert!(lists.contains(&left), "{:?} without {:?}", list, removed);
                    }
                }
            }
        }
    }

    #[test]
    fn phi_is_a_shortest_sentence(rules in rules()) {
        let (grammar, ids) = rules.grammar();
        let phi = Phi::new(&grammar, &HashMap::new());
        let sentences = rules.derived(&|i| TOKENS[i], &|_| None);
        prop_assert!(phi.rounds() <= RULES + 1);
        for (&id, sentences) in ids.iter().zip(&sentences) {
            let shortest = sentences.iter().map(Vec::len).min();
            match phi.of(id) {
                Some(text) if text.len() <= LONGEST => {
                    prop_assert!(sentences.iter().any(|sentence| sentence.concat() == **text), "{:?}", text);
                    prop_assert_eq!(Some(text.len()), shortest, "{:?}", text);
                }
                // None at all, or none short enough for the enumeration.
                _ => prop_assert_eq!(shortest, None),
            }
            for text in phi.candidates(&grammar, id, 5).iter().filter(|text| text.len() <= LONGEST) {
                let derived = sentences.iter().any(|sentence| sentence.concat() == **text);
                prop_assert!(derived, "{:?}", text);
            }
        }
    }
}
