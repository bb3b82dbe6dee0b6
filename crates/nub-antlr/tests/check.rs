//! Findings about grammars.

use nub_antlr::{
    Engine, Grammar,
    check::{Finding, Level, findings},
    semantics::{Overrides, Semantics},
    shortest::{Replacements, shortest},
};

fn check(source: &str, start: Option<&str>) -> Vec<Finding> {
    let grammar = Grammar::from_sources(&[("T.g4", source)]).unwrap_or_else(|error| panic!("{error}"));
    let mut engine = Engine::new(grammar.compiled(), Semantics::new(grammar.compiled(), &Overrides::new()));
    let texts = shortest(&grammar, &mut engine, &Replacements::new());
    findings(&grammar, &mut engine, &texts, start)
}

fn messages(source: &str, start: Option<&str>) -> Vec<String> {
    check(source, start).iter().map(|finding| format!("{}: {}", finding.level, finding.message)).collect()
}

#[test]
fn unreachable_rules() {
    let source = "grammar T; s : A ; t : t A | u ; u : A ; A : 'a' ; fragment B : 'b' ; C : [c] ;";
    assert_eq!(
        messages(source, Some("s")),
        [
            "warning: rule t cannot be reached from s",
            "warning: rule u cannot be reached from s",
            "note: no token uses the fragment B",
            "note: the parser never uses the token C",
        ]
    );
    assert_eq!(messages(source, None).len(), 2);
    assert!(messages(source, Some("x"))[0].contains("there is no parser rule x"));
}

#[test]
fn rules_without_a_finite_text_and_rules_that_can_be_empty() {
    let source = "grammar T;\ns : A* EOF\n  | t ; \nt : A t ; A : 'a' ;";
    assert_eq!(messages(source, None), ["warning: rule t has no finite text", "note: rule s can be empty"]);
    let findings = check(source, None);
    assert_eq!(findings[0].line(source), Some(4));
    assert!(findings[0].to_string().contains("\n  hint: "));
}

#[test]
fn tokens_that_are_never_produced() {
    let source =
        "grammar T; s : (ID | IF | NUMBER | DIGIT)* ; ID : [a-z]+ ; IF : 'if' ; NUMBER : [0-9]+ ; DIGIT : [0-9] ;";
    assert_eq!(
        messages(source, None),
        [
            "warning: token IF is never produced: \"if\" is ID",
            "note: token DIGIT is never produced: \"0\" is NUMBER",
            "note: rule s can be empty",
        ]
    );
}

#[test]
fn code() {
    let findings = check("grammar T; s : {magic()}? A {count++;} ; A : 'a' ;", None);
    assert_eq!(findings[0].level, Level::Warning);
    assert_eq!(findings[0].message, "rule s: the predicate {magic()}? is not understood and assumed to be true");
    assert!(findings.iter().any(|finding| finding.message == "rule s: the action {count++;} does nothing"));
}
