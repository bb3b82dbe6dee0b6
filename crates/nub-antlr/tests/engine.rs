//! The engine on small grammars.
//!
//! ANTLR's tool serialised the networks from the grammars beside them; the expected trees and messages are those of
//! ANTLR's Java runtime.

#[path = "common/lossless.rs"]
mod lossless;
#[path = "common/network.rs"]
mod network;

use lossless::assert_lossless;
use nub_antlr::{
    Compiled, Engine, Origin, ParseOptions, ParseTree,
    atn::{Quantifier, StateKind},
    semantics::{Overrides, Semantics},
};
use proptest::prelude::*;

macro_rules! grammar {
    ($name:literal) => {
        network::compiled(
            include_str!(concat!("engine/", $name, "Lexer.interp")),
            include_str!(concat!("engine/", $name, ".interp")),
        )
    };
}

fn engine(grammar: &Compiled) -> Engine {
    Engine::new(grammar, Semantics::new(grammar, &Overrides::new()))
}

fn parse(engine: &mut Engine, source: &[u8], options: &ParseOptions) -> ParseTree {
    let start = engine.rule("s").expect("a rule s");
    let tree = engine.parse(start, source, options);
    assert_lossless(&tree, source);
    tree
}

fn check(grammar: &Compiled, cases: &[(&str, &str, &[&str])]) {
    let mut engine = engine(grammar);
    for (source, expected, messages) in cases {
        let tree = parse(&mut engine, source.as_bytes(), &ParseOptions::default());
        assert_eq!(tree.to_lisp(), *expected, "{source}");
        let errors: Vec<String> = tree.errors().iter().map(ToString::to_string).collect();
        assert_eq!(errors, *messages, "{source}");
    }
}

#[test]
fn operators_bind_in_the_order_of_their_alternatives() {
    let cases: [(&str, &str, &[&str]); 3] = [
        (
            "a^b^c*d+-e!*f",
            "(s (e (e (e (e (e (e a) ^ (e (e b) ^ (e c))) * (e d)) + (e - (e e))) !) * (e f)) <EOF>)",
            &[],
        ),
        ("a?b:c?d:e+f[g]", "(s (e (e (e (e a) ? (e b) : (e c)) ? (e d) : (e (e e) + (e f))) [ (e g) ]) <EOF>)", &[]),
        ("-a^b", "(s (e - (e (e a) ^ (e b))) <EOF>)", &[]),
    ];
    check(&grammar!("Operators"), &cases);
}

#[test]
fn errors_are_repaired_as_in_antlr() {
    let cases: [(&str, &str, &[&str]); 5] = [
        ("1+(2", "(s (e (e 1) + (e ( (e 2) <missing ')'>)) <EOF>)", &["line 1:4 missing ')' at '<EOF>'"]),
        (
            "1 2+3",
            "(s (e 1) 2 + 3)",
            &["line 1:2 mismatched input '2' expecting {<EOF>, '^', '*', '+', '-', '?', '!', '['}"],
        ),
        (")", "(s (e )) <EOF>)", &["line 1:0 mismatched input ')' expecting {'-', '(', ID, INT}"]),
        (
            "(1+*2)+3",
            "(s (e (e ( (e (e 1) + (e * 2)) )) + (e 3)) <EOF>)",
            &["line 1:3 extraneous input '*' expecting {'-', '(', ID, INT}"],
        ),
        ("", "(s e <EOF>)", &["line 1:0 mismatched input '<EOF>' expecting {'-', '(', ID, INT}"]),
    ];
    check(&grammar!("Operators"), &cases);
    let cases: [(&str, &str, &[&str]); 4] = [
        (
            "if then a; { b }",
            "(s (stat if then a ;) (stat { (stat (same b) <missing ';'>) }) <EOF>)",
            &[
                "line 1:3 extraneous input 'then' expecting ID",
                "line 1:9 mismatched input ';' expecting 'then'",
                "line 1:15 missing ';' at '}'",
            ],
        ),
        (
            "[a,b,,c] a; ] b;",
            "(s (stat (list [ a , b , , c ])) (stat (same a) ;) ] (stat (same b) ;) <EOF>)",
            &[
                "line 1:5 extraneous input ',' expecting ID",
                "line 1:12 extraneous input ']' expecting {<EOF>, 'if', '{', '<', '[', ID}",
            ],
        ),
        (
            "{ a = = b; } c",
            "(s (stat { (stat same <missing ';'>) (stat (same a = =) b ;) }) (stat (same c) <missing ';'>) <EOF>)",
            &["line 1:6 no viable alternative at input 'a = ='", "line 1:14 missing ';' at '<EOF>'"],
        ),
        (
            "a; < b",
            "(s (stat (same a) ;) (stat (tag < b)) <EOF>)",
            &[
                "line 1:6 extraneous input '<EOF>' expecting {'if', 'then', 'else', ';', '{', '}', '=', '<', '>', '[', ',', ']', ID, WS}",
            ],
        ),
    ];
    check(&grammar!("Statements"), &cases);
}

#[test]
fn the_caller_decides_where_sll_cannot() {
    let expected = "(s $ (a (e 3) x) @ (b (e 3) 4 x) @ (b e 4 y) $ (a e z) <EOF>)";
    check(&grammar!("Context"), &[("$ 3 x @ 3 4 x @ 4 y $ z", expected, &[])]);
}

#[test]
fn ambiguities_go_to_the_first_alternative_and_the_inner_if() {
    let cases: [(&str, &str, &[&str]); 2] = [
        (
            "if a then if b then c; else d;",
            "(s (stat if a then (stat if b then (stat (same c) ;) else (stat (same d) ;))) <EOF>)",
            &[],
        ),
        (
            "a=b; <x=;> > {a; [b,c] []}",
            "(s (stat (same a = b) ;) (stat (tag < x = ; > >)) (stat { (stat (same a) ;) (stat (list [ b , c ])) (stat (list [ ])) }) <EOF>)",
            &[],
        ),
    ];
    check(&grammar!("Statements"), &cases);
}

#[test]
fn predicates_choose_between_alternatives() {
    let mut grammar = grammar!("Predicates");
    let texts = ["LT(1).getText().equals(\"a\")", "_input.LA(1) == ID && !(LT(1).text == \"a\")", "allowed()"];
    for (code, text) in grammar.parser.atn.code.iter_mut().zip(texts) {
        code.text = text.to_owned();
    }
    let mut overrides = Overrides::new();
    overrides.insert("allowed", "LT(-1).text != \"x\"").expect("an expression");
    let semantics = Semantics::new(&grammar, &overrides);
    assert_eq!(semantics.warnings().count(), 0);
    let mut engine = Engine::new(&grammar, semantics);
    let tree = parse(&mut engine, b"a. b. f(y)", &ParseOptions::default());
    assert_eq!(tree.to_lisp(), "(s (word a .) (word b .) (call f ( y )) <EOF>)");
    assert!(tree.errors().is_empty());
    let tree = parse(&mut engine, b"f(x)", &ParseOptions::default());
    assert_eq!(tree.errors()[0].to_string(), "line 1:3 rule call failed predicate: {allowed()}?");
}

#[test]
fn unknown_predicates_are_true_with_a_warning() {
    let mut grammar = grammar!("Predicates");
    grammar.parser.atn.code[0].text = "someMethod(3)".to_owned();
    grammar.parser.atn.code[1].text = "false".to_owned();
    grammar.parser.atn.code[2].text = "true".to_owned();
    let semantics = Semantics::new(&grammar, &Overrides::new());
    let warnings: Vec<_> = semantics.warnings().collect();
    assert_eq!(warnings, ["rule word: the predicate {someMethod(3)}? is assumed to be true"]);
}

#[test]
fn a_lexer_takes_the_longest_match_and_the_first_rule() {
    let grammar = network::compiled(include_str!("engine/Modes.interp"), include_str!("engine/ModesParser.interp"));
    let mut engine = engine(&grammar);
    let cases = [
        ("if iffy iff if  ! if ", "IF:if ID:iffy ID:iff LONGER:if  ! IF:if"),
        ("/* a /* b */ c */ x", "COMMENT:/* a /* b */ c */@1 ID:x"),
        ("\"a b\" \"\" y", "STRING_TEXT:\"a b\" STRING_TEXT:\"\" ID:y"),
        ("<a> <b", "TAG:<a> ANGLE:<b"),
        ("<a b> c>", "TAG:<a b> ID:c error:>"),
        ("<ab #c", "ANGLE:<ab error:# ID:c"),
        ("\"open", "error:\"open"),
        ("/* a", "error:/* a"),
        ("x $ y", "ID:x error:$ ID:y"),
    ];
    for (source, expected) in cases {
        let (tokens, _) = engine.tokens(source.as_bytes(), 0);
        let shown: Vec<String> = tokens
            .iter()
            .filter(|token| token.origin != Origin::Skipped && token.kind != nub_antlr::atn::EOF)
            .map(|token| {
                let name = match token.origin {
                    Origin::Error => "error".to_owned(),
                    _ => grammar.vocabulary.symbolic[token.kind as usize].clone().unwrap_or_default(),
                };
                let channel = if token.channel == 0 { String::new() } else { format!("@{}", token.channel) };
                format!("{name}:{}{channel}", &source[token.span()])
            })
            .collect();
        assert_eq!(shown.join(" "), expected);
    }
}

/// Marks the quantifiers that the grammar has: the loop in `s`, the one in braces, and those of `list`.
fn with_quantifiers(mut grammar: Compiled) -> Compiled {
    let atn = &mut grammar.parser.atn;
    for state in 0..atn.states.len() {
        let optional = atn.states[state].transitions.last().is_some_and(|way| {
            matches!(way, nub_antlr::atn::Transition::Epsilon { target, .. } if Some(*target) == atn.states[state].partner)
        });
        let state = &mut atn.states[state];
        state.quantifier = match state.kind {
            StateKind::StarLoopEntry if !state.precedence_decision => Some(Quantifier::Star),
            StateKind::BlockStart if optional => Some(Quantifier::Optional),
            _ => None,
        };
    }
    grammar
}

#[test]
fn iterations_of_quantified_parts_have_nodes() {
    let grammar = with_quantifiers(grammar!("Statements"));
    let mut engine = engine(&grammar);
    let options = ParseOptions { quantifiers: true, ..ParseOptions::default() };
    let tree = parse(&mut engine, b"{ [a,b,c] [] }", &options);
    let expected = "(s (stat { (* (stat (list [ (? a (* , b) (* , c)) ]))) (* (stat (list [ ]))) }) <EOF>)";
    assert_eq!(tree.to_lisp(), expected);
    let tree = parse(&mut engine, b"if a then b; else c;", &options);
    assert_eq!(tree.to_lisp(), "(s (stat if a then (stat (same b) ;) (? else (stat (same c) ;))) <EOF>)");
}

#[test]
fn tokens_after_the_start_rule_are_the_rest() {
    let grammar = grammar!("Operators");
    let mut engine = engine(&grammar);
    let start = engine.rule("e").expect("a rule");
    let tree = engine.parse(start, b"a + b c d", &ParseOptions::default());
    assert_eq!(tree.to_lisp(), "(e (e a) + (e b))");
    let rest: Vec<_> = tree.tokens()[tree.rest()].iter().map(nub_antlr::Token::span).collect();
    assert_eq!((rest[0].start, rest.last().map(|span| span.end)), (6, Some(9)));
    assert_lossless(&tree, b"a + b c d");
}

#[test]
fn deep_nesting_needs_no_stack_and_no_quadratic_time() {
    const DEPTH: usize = 100_000;
    let mut engine = engine(&grammar!("Operators"));
    let source = format!("{}1{}", "(".repeat(DEPTH), ")".repeat(DEPTH));
    let tree = parse(&mut engine, source.as_bytes(), &ParseOptions::default());
    assert!(tree.errors().is_empty());
    let broken = format!("{}1+{}", "(".repeat(DEPTH), ")".repeat(DEPTH - 1));
    let tree = parse(&mut engine, broken.as_bytes(), &ParseOptions::default());
    assert!(!tree.errors().is_empty());
}

#[test]
fn an_engine_can_be_sent_to_another_thread() {
    fn sendable<T: Send>(_: &T) {}
    sendable(&engine(&grammar!("Context")));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_input_gives_a_whole_tree(source in "[a-c0-9+*^?:!(){};<>=,\\[\\] \\-é\n]{0,40}") {
        for grammar in [grammar!("Operators"), grammar!("Context"), with_quantifiers(grammar!("Statements"))] {
            let mut engine = engine(&grammar);
            let plain = parse(&mut engine, source.as_bytes(), &ParseOptions::default());
            // Parsing again, with everything that was learnt, changes nothing.
            let options = ParseOptions { quantifiers: true, ..ParseOptions::default() };
            let marked = parse(&mut engine, source.as_bytes(), &options);
            prop_assert_eq!(plain.errors(), marked.errors());
        }
    }

    #[test]
    fn any_bytes_give_a_whole_tree(source in prop::collection::vec(any::<u8>(), 0..60)) {
        let mut operators = engine(&grammar!("Operators"));
        parse(&mut operators, &source, &ParseOptions::default());
    }

    #[test]
    fn modes_lose_nothing(source in "[a-f\"/*<>! $é]{0,40}") {
        let grammar = network::compiled(include_str!("engine/Modes.interp"), include_str!("engine/ModesParser.interp"));
        parse(&mut engine(&grammar), source.as_bytes(), &ParseOptions::default());
    }

    #[test]
    fn words_of_a_grammar_in_any_order_give_a_whole_tree(
        words in prop::collection::vec(prop::sample::select(vec!["if", "then", "else", "a", ";", "{", "}", "<", ">", "[", "]", ",", "="]), 0..60),
    ) {
        let mut statements = engine(&grammar!("Statements"));
        parse(&mut statements, words.join(" ").as_bytes(), &ParseOptions::default());
    }
}
