//! Recovery from syntax errors.

mod common;

use common::{GRAMMARS, grammar, input, single};
use nub_yacc::Language;

fn broken(language: &Language, input: &str) -> (String, Vec<String>) {
    let tree = language.parse(input.as_bytes());
    let errors = tree.errors().iter().map(ToString::to_string).collect();
    (tree.to_lisp(language.grammar(), input.as_bytes()), errors)
}

#[test]
fn error_productions_work_as_in_yacc() {
    let language =
        single("%token ID %% p : %empty | p s ; s : ID '=' ID ';' | error ';' ; %% ID : \"[a-z]\" SKIP : \" +\"");
    let (tree, errors) = broken(&language, "a=b; c=; d=e;");
    assert_eq!(tree, "(p (p (p (p) (s a = b ;)) (s (error c =) ;)) (s d = e ;))");
    assert_eq!(errors, ["line 1:8: unexpected \";\", expected ID"]);
    let (tree, errors) = broken(&language, "a b c; d=e;");
    assert_eq!(tree, "(p (p (p) (s (error a b c) ;)) (s d = e ;))");
    assert_eq!(errors.len(), 1);
}

#[test]
fn one_token_too_many_or_too_few() {
    let json = grammar("json");
    let (tree, errors) = broken(&json, "[1, , 2]");
    assert_eq!(errors.len(), 1);
    assert!(tree.contains("(value 1)") && tree.contains("(value 2)"), "{tree}");
    let (tree, errors) = broken(&json, "[1, 2");
    assert_eq!(errors, ["line 1:6: the input ends too early"]);
    assert!(tree.contains("<missing ']'>"), "{tree}");
}

#[test]
fn whole_rules_are_assumed() {
    let c = grammar("c");
    let (tree, errors) = broken(&c, "int f() { x = ; y = 1; } int g() { return ) ( ; }");
    assert!(errors.len() <= 4, "{errors:?}");
    assert!(tree.contains("y") && tree.contains("(function_definition"), "{tree}");
}

#[test]
fn text_that_no_rule_matches() {
    let json = grammar("json");
    let (tree, errors) = broken(&json, "[1 @@ ]");
    assert_eq!(errors, ["line 1:4: no lexer rule matches this"]);
    assert_eq!(tree, "(json (value (array [ (values (value 1)) ])))");
}

#[test]
fn rules_that_derive_themselves_terminate() {
    let language = single("%% s : s | 'a' | e s 'b' ; e : %empty ; %% SKIP : \" \"");
    let repeated = single("%% l : l i | 'a' ; i : %empty | i i ; %% SKIP : \" \"");
    for input in ["a", "ab", "b", "", "aab"] {
        broken(&language, input);
        broken(&repeated, input);
    }
}

#[test]
fn deep_nesting_is_no_problem() {
    let json = grammar("json");
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    assert!(json.parse(deep.as_bytes()).errors().is_empty());
    let open = "[".repeat(100_000);
    let tree = json.parse(open.as_bytes());
    assert!(!tree.errors().is_empty());
    assert_eq!(tree.to_lisp(json.grammar(), open.as_bytes()).matches('[').count(), 100_000);
}

#[test]
fn the_same_input_has_the_same_tree() {
    for (name, file) in GRAMMARS {
        let (one, two) = (grammar(name), grammar(name));
        let mut text = input(file);
        text.truncate(text.len() * 2 / 3);
        text.splice(text.len() / 2..text.len() / 2, *b"} ) ;");
        let (a, b) = (one.parse(&text), two.parse(&text));
        assert_eq!(a.to_lisp(one.grammar(), &text), b.to_lisp(two.grammar(), &text), "{name}");
        assert_eq!(a.errors(), b.errors());
    }
}
