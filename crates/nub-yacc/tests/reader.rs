//! Real-world forms of YACC files, with all of Bison's extensions.

mod common;

use common::{lisp, single};
use nub_yacc::Language;

#[test]
fn irrelevant_declarations_are_skipped() {
    let language = single(
        "%require \"3.0\"
         %define api.pure full
         %define parse.error {verbose}
         %code requires { struct x { int y; }; }
         %code top { /* } */ }
         %union value { int number; char *text; }
         %parse-param { struct x *x } { int y }
         %lex-param {int z}
         %locations %defines \"x.h\" %name-prefix=\"zz\" %verbose
         %initial-action { @$.start = 0; };
         %destructor { free($$); } <text> ID
         %printer { fprintf(stderr, \"%s\", $$); } ID;
         %token <text> ID 258 \"identifier\" <number> N \"number\"
         %token END 0 \"end of file\"
         %type <number> list item
         %nterm other
         %left <number> '+' '-'
         %start list
         %{ int unbalanced() { return '{'; } %}
         %%
         list: item | list[l] ',' item[i] { $$ = $l + $i; @$ = @1; } ;
         item: N { $$ = $1; } <number>{ mid($<number>1); } | ID %prec '+' | %empty | other END
         other: '(' list ')'   // no semicolon before this one
         ;
         %type <number> other;
         %%
         N : \"[0-9]+\" ID : \"[a-z]+\"",
    );
    assert!(language.warnings().is_empty(), "{:?}", language.warnings());
    assert_eq!(language.grammar().rule(language.grammar().start()).name, "list");
}

#[test]
fn old_and_odd_spellings() {
    let language = single("%term A\n%binary '<'\n%% s : A = { act(); } | s '<' A ; | '(' s ')' ; %% A : \"a\"");
    assert_eq!(lisp(&language, "(a)<a"), "(s (s ( (s a) )) < a)");
}

#[test]
fn escapes_in_literals() {
    let language = single("%% s : '\\n' '\\'' \"\\\\\" '\\x41' '\\101' ; %% SKIP : \" +\"");
    assert_eq!(lisp(&language, "\n ' \\ A A"), "(s \n ' \\ A A)");
}

#[test]
fn mistakes_are_located_and_explained() {
    let error = |text: &str| {
        let loaded = Language::from_sources(("t.y", text), Some(("t.l", "%%\na ;\n")), None);
        loaded.map(drop).unwrap_err().to_string()
    };
    let found = error("%%\ns : a\n  | b ;\na : 'x' ;\n");
    assert_eq!(
        found,
        "t.y:3:5: error: b is used, but is not declared as a token and has no rule\n 3 |   | b ;\n   |     ^\n  \
         hint: `%token b`, or a rule `b : … ;`"
    );
    assert!(error("%token s\n%%\ns : 'a' ;").contains("declared as a token, but also has a rule"));
    assert!(error("%%\ns : 'a' { ;\n").contains("t.y:2:9: error: this brace is never closed"));
    assert!(error("%%\ns : 'a ;\n").contains("this literal is never closed"));
    assert!(error("%%\ns 'a' ;\n").contains("expected `:` after the rule name s"));
    assert!(error("%start x\n%%\ns : 'a' ;").contains("there is no start rule x"));
    assert!(error("").contains("there are no rules"));
    assert!(error("%%\ns : 'a' %prec X ;").contains("%prec X: there is no such token"));
}

#[test]
fn the_start_rule_can_be_chosen() {
    let text = "%% a : b 'x' ; b : 'y' ; %% SKIP : \" \"";
    let language = Language::from_sources(("t.y", text), None, Some("b")).unwrap();
    assert_eq!(lisp(&language, "y"), "(b y)");
    let error = Language::from_sources(("t.y", text), None, Some("c")).map(drop).unwrap_err().to_string();
    assert!(error.contains("the grammar has no rule \"c\" to start with") && error.contains("it has a, b"), "{error}");
}

/// A token with the number 0 is the end of the input, and only the real end counts.
#[test]
fn the_end_can_have_a_name() {
    let yacc = "%token A END 0 %% s : A END | A A END ;";
    let language =
        Language::from_sources(("t.y", yacc), Some(("t.l", "%%\na return A;\n\\n return END;\n")), None).unwrap();
    assert_eq!(lisp(&language, "a\na"), "(s a a <end>)");
    assert_eq!(language.parse(b"aaa").errors().len(), 1);
}
