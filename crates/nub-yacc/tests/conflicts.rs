//! Conflicts are resolved as YACC resolves them, and counted as Bison counts them.

mod common;

use common::{grammar, lisp, single};
use nub_yacc::{Language, check};

const TOKENS: &str = "%% N : \"[0-9]+\" ID : \"[a-z]\" SKIP : \" +\"";

fn language(rules: &str) -> Language {
    single(&format!("{rules} {TOKENS}"))
}

#[test]
fn an_else_belongs_to_the_nearest_if() {
    let language = language("%token ID %% s : 'i' ID s | 'i' ID s 'e' s | 'x' ;");
    assert_eq!(language.conflict_counts(), (1, 0));
    assert_eq!(lisp(&language, "i a i b x e x"), "(s i a (s i b (s x) e (s x)))");
    let found = check::findings(&language).join("\n");
    assert!(found.contains("shift/reduce conflict after `'i' ID s`") || found.contains("before 'e'"), "{found}");
    assert!(found.contains("shift:   s: 'i' ID s • 'e' s"), "{found}");
    assert!(found.contains("reduce:  s: 'i' ID s •"), "{found}");
}

#[test]
fn associativity() {
    let with = |declaration: &str| language(&format!("{declaration} %% e : e '+' e | N ;"));
    let left = with("%left '+'");
    assert_eq!((lisp(&left, "1+2+3"), left.conflict_counts()), ("(e (e (e 1) + (e 2)) + (e 3))".into(), (0, 0)));
    let right = with("%right '+'");
    assert_eq!((lisp(&right, "1+2+3"), right.conflict_counts()), ("(e (e 1) + (e (e 2) + (e 3)))".into(), (0, 0)));
    let none = with("%nonassoc '+'");
    assert_eq!((lisp(&none, "1+2"), none.conflict_counts()), ("(e (e 1) + (e 2))".into(), (0, 0)));
    assert!(!none.parse(b"1+2+3").errors().is_empty(), "a < b < c is an error");
    // Without a declaration it is a conflict, and the token is shifted.
    let undeclared = with("");
    assert_eq!(
        (lisp(&undeclared, "1+2+3"), undeclared.conflict_counts()),
        ("(e (e 1) + (e (e 2) + (e 3)))".into(), (1, 0))
    );
    let precedence = with("%precedence '+'");
    assert_eq!(precedence.conflict_counts(), (1, 0));
}

#[test]
fn precedence_of_tokens_and_of_productions() {
    let language = language("%left '+' %left '*' %right U %% e : e '+' e | e '*' e | '+' e %prec U | N ;");
    assert_eq!(language.conflict_counts(), (0, 0));
    assert_eq!(lisp(&language, "1*2+3"), "(e (e (e 1) * (e 2)) + (e 3))");
    assert_eq!(lisp(&language, "+1*2"), "(e (e + (e 1)) * (e 2))");
}

#[test]
fn the_first_of_two_productions_wins() {
    let language = language("%% s : a | b ; a : ID ; b : ID ;");
    assert_eq!(language.conflict_counts(), (0, 1));
    assert_eq!(lisp(&language, "x"), "(s (a x))");
    let found = check::findings(&language).join("\n");
    assert!(found.contains("reduce/reduce conflict after `ID`, before $end"), "{found}");
    let other = self::language("%% s : b | a ; b : ID ; a : ID ;");
    assert_eq!(lisp(&other, "x"), "(s (b x))");
}

/// The example from Bison's manual. Without the actions there is no conflict. With them, the parser would have to know
/// which alternative it is in before it sees the brace.
#[test]
fn midrule_actions_can_cause_conflicts() {
    let without = language("%% c : '{' d '}' | '{' s '}' ; d : ID ; s : N ;");
    assert_eq!(without.conflict_counts(), (0, 0));
    let with = language("%% c : { a(); } '{' d '}' | '{' s '}' ; d : ID ; s : N ;");
    assert_eq!(with.conflict_counts(), (1, 0));
    let both = language("%% c : { a(); } '{' d '}' | { b(); } '{' s '}' ; d : ID ; s : N ;");
    assert_eq!(both.conflict_counts(), (0, 1));
    let harmless = language("%% c : '{' { a(); } ID '}' ;");
    assert_eq!((lisp(&harmless, "{x}"), harmless.conflict_counts()), ("(c { x })".into(), (0, 0)));
}

/// LALR(1) is weaker than LR(1): states that differ only in their lookaheads are merged. YACC has this conflict, so we
/// do too.
#[test]
fn the_mysterious_conflict() {
    let language = language("%% s : 'a' e 'c' | 'a' f 'd' | 'b' f 'c' | 'b' e 'd' ; e : ID ; f : ID ;");
    assert_eq!(language.conflict_counts(), (0, 2));
}

#[test]
fn expected_numbers_of_conflicts() {
    let lua = grammar("lua");
    assert_eq!(lua.conflict_counts(), (1, 1));
    assert!(!check::findings(&lua).iter().any(|finding| finding.contains("%expect")));
    assert!(
        lisp(&lua, "f()\n(g)()").starts_with("(chunk (block (statements (statements) (statement (call (prefix (call")
    );
    let c = grammar("c");
    assert_eq!(c.conflict_counts(), (1, 0));
    assert!(!check::findings(&c).iter().any(|finding| finding.contains("%expect")));
    let wrong = language("%expect 3 %% e : e '+' e | N ;");
    assert!(check::findings(&wrong).iter().any(|finding| finding.starts_with("%expect 3, but there are 1")));
}

#[test]
fn useless_symbols() {
    let language = language("%token NEVER UNUSED %% s : N | loop | NEVER ; loop : loop 'x' ; island : 'y' ;");
    let found = check::findings(&language).join("\n");
    assert!(found.contains("test.y:1: the rule loop has no finite text"), "{found}");
    assert!(found.contains("the start rule s never leads to the rule island"), "{found}");
    assert!(found.contains("no rule uses the token UNUSED"), "{found}");
    assert!(found.contains("the token NEVER"), "{found}");
    let error = Language::from_sources(("x.y", "%% s : s 'a' ; %% SKIP : \" \""), None, None).unwrap_err().to_string();
    assert!(error.contains("x.y:1:4: error: the start rule s has no finite text"), "{error}");
}

#[test]
fn lexer_rules_that_never_match() {
    let lexer = "%%\n[a-z]+ return ID;\nif return IF;\n[\\x80-\\xff] return N;\n";
    let language = common::both("%token ID IF N %% s : ID | IF | N ;", lexer);
    let found = check::findings(&language).join("\n");
    assert!(found.contains("test.l:3: this lexer rule can never match"), "{found}");
    assert!(!found.contains("test.l:4"), "bytes that are not text are matched, too: {found}");
}
