//! The syntax tree is as written, even where the network is not.

use nub_antlr::{
    Grammar,
    atn::{Quantifier, StateKind},
    g4::ast::{Element, ElementKind},
};

fn load(text: &str) -> Grammar {
    Grammar::from_sources(&[("T.g4", text)]).unwrap_or_else(|error| panic!("{error}"))
}

fn elements<'a>(grammar: &'a Grammar, rule: &str) -> &'a [Element] {
    let rule = grammar.rules().find(|candidate| candidate.name.text == rule).expect("the rule");
    &rule.block.alternatives[0].elements
}

#[test]
fn left_recursive_alternatives_stay() {
    let grammar = load("grammar T; e : e '*' e # Mul | <assoc=right> e '^' e # Pow | INT # Int ; INT : [0-9]+ ;");
    let [rule] = grammar.parser_rules() else { panic!("one rule") };
    let labels: Vec<&str> = rule
        .block
        .alternatives
        .iter()
        .map(|alternative| &alternative.label.as_ref().expect("a label").text[..])
        .collect();
    assert_eq!(labels, ["Mul", "Pow", "Int"]);
    assert_eq!(rule.block.alternatives[1].options[0].value.as_deref(), Some("right"));
    assert_eq!(rule.block.alternatives[0].elements.len(), 3);
}

#[test]
fn elements_of_a_parser() {
    let grammar = load(
        "grammar T; s : x=A ys+=t[1]* ~(A | 'b') . (A 'c')+? {act}  {p}?<fail='no'> EOF ; t[int i] : A ; A : 'a' ;",
    );
    let [a, t, not, any, plus, action, predicate, eof] = elements(&grammar, "s") else { panic!("eight elements") };
    assert_eq!(a.kind, ElementKind::Token("A".into()));
    assert!(a.label.as_ref().is_some_and(|label| label.name.text == "x" && !label.list));
    let ElementKind::Quantified { block, quantifier: Quantifier::Star, greedy: true } = &t.kind else {
        panic!("{t:?}")
    };
    let inner = &block.alternatives[0].elements[0];
    assert!(inner.label.as_ref().is_some_and(|label| label.list));
    assert_eq!(inner.kind, ElementKind::Rule { name: "t".into(), arguments: Some("1".into()) });
    assert!(matches!(&not.kind, ElementKind::Not(members) if members.len() == 2));
    assert_eq!(any.kind, ElementKind::Wildcard);
    assert!(matches!(plus.kind, ElementKind::Quantified { quantifier: Quantifier::Plus, greedy: false, .. }));
    assert_eq!(action.kind, ElementKind::Action("act".into()));
    assert_eq!(predicate.kind, ElementKind::Predicate("p".into()));
    assert_eq!(predicate.options[0].value.as_deref(), Some("no"));
    assert_eq!(eof.kind, ElementKind::Eof);
}

#[test]
fn elements_of_a_lexer() {
    let grammar = load(
        r"lexer grammar T; tokens { B } A : 'x\n' 'a'..'z' [a-c\p{Nd}] B -> type(B), channel(HIDDEN) ; fragment B : 'b' ;",
    );
    let [literal, range, set, call] = elements(&grammar, "A") else { panic!("four elements") };
    assert!(
        matches!(&literal.kind, ElementKind::Literal(literal) if literal.written == r"'x\n'" && literal.text() == "x\n")
    );
    assert!(matches!(&range.kind, ElementKind::Range(low, high) if low.text() == "a" && high.text() == "z"));
    assert!(
        matches!(&set.kind, ElementKind::CharSet(set) if set.set().contains('7' as i32) && set.ranges == [(97, 99)])
    );
    assert_eq!(call.kind, ElementKind::Token("B".into()));
    let commands = &grammar.lexer_rules()[0].block.alternatives[0].commands;
    assert_eq!(commands[1].argument.as_ref().expect("an argument").text, "HIDDEN");
    assert!(grammar.lexer_rules()[1].fragment);
}

/// Quantifiers are marked where they begin; loops that replace left recursion are not.
#[test]
fn quantifiers_are_marked() {
    let grammar = load("grammar T; e : e 'x'? e | A+ (A e)* ; A : 'a' ;");
    let states = &grammar.compiled().parser.atn.states;
    let mut marks: Vec<_> = states.iter().filter_map(|state| Some((state.kind, state.quantifier?))).collect();
    marks.sort_by_key(|(_, quantifier)| *quantifier as u8);
    let expected = [
        (StateKind::BlockStart, Quantifier::Optional),
        (StateKind::StarLoopEntry, Quantifier::Star),
        (StateKind::PlusBlockStart, Quantifier::Plus),
    ];
    assert_eq!(marks, expected);
    let rewritten: Vec<_> = states.iter().filter(|state| state.precedence_decision).collect();
    assert!(matches!(&rewritten[..], [only] if only.kind == StateKind::StarLoopEntry && only.quantifier.is_none()));
}

#[test]
fn blocks_may_nest() {
    let grammar = load(&format!("grammar T; s : {}A B{} ; A : 'a' ; B : 'b' ;", "(".repeat(199), " | A)+".repeat(199)));
    assert_eq!(grammar.parser_rules().len(), 1);
}
