//! Our own shortest texts.

mod common;

use nub_antlr::{
    Engine, Grammar, ParseOptions,
    semantics::{Overrides, Semantics},
    shortest::{Replacements, Shortest, Trust, shortest},
};
use proptest::prelude::*;
use std::{collections::BTreeSet, fs, path::PathBuf};

fn engine(grammar: &Grammar) -> Engine {
    Engine::new(grammar.compiled(), Semantics::new(grammar.compiled(), &Overrides::new()))
}

fn load(files: &[(&str, &str)]) -> Grammar {
    Grammar::from_sources(files).unwrap_or_else(|error| panic!("{error}"))
}

fn texts(source: &str) -> Shortest {
    with(source, &[])
}

fn with(source: &str, replacements: &[(&str, &str)]) -> Shortest {
    let grammar = load(&[("T.g4", source)]);
    let replacements = replacements.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect();
    let found = shortest(&grammar, &mut engine(&grammar), &replacements);
    verify(&grammar, &found);
    found
}

/// Everything that claims to be verified is so, even for a fresh engine.
fn verify(grammar: &Grammar, found: &Shortest) {
    let mut engine = engine(grammar);
    let kinds = grammar.compiled().vocabulary.by_name();
    for (name, short) in found.iter().filter(|(_, short)| short.trust == Trust::Verified) {
        let bytes = short.text.as_bytes();
        if let Some(rule) = engine.rule(name) {
            let tree = engine.parse(rule, bytes, &ParseOptions { mode: short.mode, ..ParseOptions::default() });
            assert!(tree.errors().is_empty(), "{name}: {:?}: {:?}", short.text, tree.errors());
            let mut rest = tree.tokens()[tree.rest()].iter();
            assert!(rest.all(|token| !token.visible() || token.start == token.end), "{name}: {:?}", short.text);
        } else if !bytes.is_empty() {
            let (tokens, errors) = engine.tokens(bytes, short.mode);
            let seen: Vec<_> = tokens.iter().filter(|token| token.start < token.end).collect();
            assert!(errors.is_empty() && seen.len() == 1 && seen[0].visible(), "{name}: {:?}", short.text);
            // Rules that produce tokens of another type have none of their own.
            assert!(kinds.get(name).is_none_or(|&kind| kind == seen[0].kind), "{name}: {:?}", short.text);
        }
    }
}

#[track_caller]
fn assert_texts(found: &Shortest, expected: &[(&str, &str)]) {
    for &(name, text) in expected {
        assert_eq!(found.trusted(name), Some(text), "{name}: {:?}", found.get(name));
    }
}

#[test]
fn usual_characters_are_preferred() {
    let found = texts(
        r"lexer grammar T; A : '1' [\t0-9a-f$] ; B : '2' [\t0-9$] ; C : '3' [\t\n$ ] ; D : '4' [\t\n] ; E : '5' [\t] ;
          F : '6' ~[a-z] ; G : '7' ~[a-zA-Z] ; H : '8' . ; I : '9' ('$' | [A-Z] | 'a') ; J : '0' [\p{Greek}] ;",
    );
    let expected = [
        ("A", "1a"),
        ("B", "20"),
        ("C", "3 "),
        ("D", "4\n"),
        ("E", "5\t"),
        ("F", "6A"),
        ("G", "70"),
        ("H", "8a"),
        ("I", "9a"),
        ("J", "0\u{370}"),
    ];
    assert_texts(&found, &expected);
}

#[test]
fn case_insensitive_rules() {
    let found = texts("lexer grammar T; options { caseInsensitive = true; } A : '1' ~[a-y] ; B : 'If' ;");
    assert_texts(&found, &[("A", "1z"), ("B", "if")]);
}

#[test]
fn keywords_are_not_identifiers() {
    let found =
        texts("grammar T; s : ID | A | IF | I ; A : 'a' ; IF : 'if' ; I : 'i' ; F : 'f' ; X : [if]+ ; ID : [a-z]+ ;");
    assert_texts(&found, &[("ID", "b"), ("X", "ff"), ("s", "a")]);
}

#[test]
fn texts_that_always_match_another_rule_are_not_trusted() {
    let found = texts("grammar T; s : B | 'long' ; A : 'a'+ ; B : 'aa' ;");
    assert_eq!(found.get("B").map(|short| (&short.text[..], short.trust)), Some(("aa", Trust::Unverified)));
    assert_texts(&found, &[("A", "a"), ("s", "long")]);
}

#[test]
fn predicates_are_respected() {
    let found = texts("lexer grammar T; A : [a-z] {false}? ; B : [a-z] ;");
    assert_eq!(found.get("A").map(|short| short.trust), Some(Trust::Unverified));
    assert_texts(&found, &[("B", "a")]);
}

#[test]
fn separators_only_where_they_are_needed() {
    let found = texts(
        r"grammar T; s : 'do' ID ';' ; call : ID '(' ID ')' ; minus : '-' '-' ; dec : '--' ; two : ID ID 'do' ;
          ID : [a-z]+ ; WS : [ \t\n]+ -> skip ; COMMENT : '#' ~[\n]* -> channel(HIDDEN) ;",
    );
    let expected = [("s", "do a;"), ("call", "a(a)"), ("minus", "- -"), ("two", "a a do"), ("WS", ""), ("COMMENT", "")];
    assert_texts(&found, &expected);
    assert_eq!(found.separator(), Some(" "));
}

#[test]
fn without_hidden_tokens_there_is_no_separator() {
    let found = texts("grammar T; s : 'do' ID | 'a' ';' ID '.' ; t : ID ID ; ID : [b-z]+ ;");
    assert_texts(&found, &[("s", "a;b.")]);
    assert_eq!(found.get("t").map(|short| (&short.text[..], short.trust)), Some(("bb", Trust::Unverified)));
    assert_eq!(found.separator(), None);
}

#[test]
fn recursion_never_wins() {
    let found = texts(
        "grammar T; s : e EOF ; e : e '*' e | '(' e ')' | '-' e | INT ; l : '[' (l (',' l)*)? ']' ;
         INT : [0-9]+ ; C : '/*' (C | .)*? '*/' ; D : '<' (D | 'x') '>' ;",
    );
    assert_texts(&found, &[("s", "0"), ("e", "0"), ("l", "[]"), ("C", "/**/"), ("D", "<x>")]);
}

#[test]
fn the_empty_text_is_the_shortest() {
    let found = texts("grammar T; s : A* EOF ; t : A | ; u : (A | B)? {act} ; v : EOF | A ; A : 'a' ; B : 'b' ;");
    assert_texts(&found, &[("s", ""), ("t", ""), ("u", ""), ("v", "")]);
}

#[test]
fn sets_of_tokens() {
    let found = texts("grammar T; s : ~(A | BB) ; t : . ; u : (BB | CCC) ; A : 'a' ; BB : 'bb' ; CCC : 'ccc' ;");
    assert_texts(&found, &[("s", "ccc"), ("t", "a"), ("u", "bb")]);
}

#[test]
fn endless_rules_have_no_text() {
    let found = texts("grammar T; s : t | A ; t : A t ; A : 'a' ; B : 'b' B ; fragment F : 'f' F ;");
    assert_eq!(found.endless(), ["B", "F", "t"]);
    assert_eq!((found.get("t"), found.get("B"), found.get("F")), (None, None, None));
    assert_texts(&found, &[("s", "a")]);
}

#[test]
fn texts_of_astronomical_length_do_not_count() {
    let rules: String = (0..60).map(|n| format!("r{n} : r{0} r{0} ; ", n + 1)).collect();
    let found = texts(&format!("grammar T; {rules} r60 : ID ; ID : [a-z]+ ; WS : ' ' -> skip ;"));
    assert!(found.endless().contains(&"r0".to_owned()));
    assert_texts(&found, &[("r57", "a a a a a a a a")]);
    assert!(found.get("r50").is_some());
}

#[test]
fn tokens_without_rules_are_empty() {
    let found = texts("grammar T; tokens { INDENT } s : INDENT 'x' | 'long' ; A : 'yy' -> type(B) ; B : 'zzz' ;");
    assert_eq!(found.get("INDENT").map(|short| &short.text[..]), Some(""));
    assert_eq!(found.get("A").map(|short| (&short.text[..], short.trust)), Some(("yy", Trust::Unverified)));
    assert_texts(&found, &[("s", "long"), ("B", "yy")]);
}

#[test]
fn the_user_takes_precedence() {
    let source = "grammar T; s : t A B ; t : 'x' ; A : 'a' F ; B : 'b'+ ; fragment F : [f] ; WS : ' ' -> skip ;";
    let found = with(source, &[("B", "bbb"), ("t", "x x"), ("F", "f"), ("NEW", "?")]);
    assert_texts(&found, &[("B", "bbb"), ("t", "x x"), ("A", "af"), ("NEW", "?")]);
    assert_eq!(found.get("B").map(|short| short.trust), Some(Trust::User));
    assert_eq!(found.get("s").map(|short| &short.text[..]), Some("x xafbbb"));
}

const MODES_LEXER: &str = r#"lexer grammar L;
    OPEN : '<' -> pushMode(IN) ; TEXT : ~[<"]+ ; QUOTE : '"' -> more, mode(STRING) ;
    mode IN; CLOSE : '>' -> popMode ; NAME : [a-z]+ ; WS : ' ' -> skip ;
    mode STRING; CHAR : ~["] -> more ; END : '"' -> mode(DEFAULT_MODE) ;"#;

#[test]
fn modes() {
    let parser =
        "parser grammar P; options { tokenVocab = L; } d : tag TEXT END ; tag : OPEN names CLOSE ; names : NAME NAME ;";
    let grammar = load(&[("L.g4", MODES_LEXER), ("P.g4", parser)]);
    let found = shortest(&grammar, &mut engine(&grammar), &Replacements::new());
    verify(&grammar, &found);
    let expected =
        [("tag", "<a a>"), ("names", "a a"), ("END", "\"\""), ("d", "<a a>a\"\""), ("NAME", "a"), ("TEXT", "a")];
    assert_texts(&found, &expected);
    assert_eq!((found.get("names").unwrap().mode, found.get("tag").unwrap().mode), (1, 0));
}

#[test]
fn texts_of_real_grammars_are_what_they_are_said_to_be() {
    let Some(grammars) = nub_testing::shared("grammars") else { return };
    for folder in fs::read_dir(grammars).unwrap() {
        let folder = folder.unwrap().path();
        let files: BTreeSet<PathBuf> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|end| end == "g4"))
            .collect();
        let files: Vec<PathBuf> = files.into_iter().collect();
        let grammar = Grammar::load(&files).unwrap_or_else(|error| panic!("{error}"));
        let found = shortest(&grammar, &mut engine(&grammar), &Replacements::new());
        verify(&grammar, &found);
        assert!(found.endless().is_empty(), "{}: {:?}", folder.display(), found.endless());
        let parser_rules = grammar.parser_rules().iter().map(|rule| found.get(&rule.name.text).unwrap());
        let doubtful = parser_rules.filter(|short| short.trust == Trust::Unverified).count();
        assert!(doubtful * 20 <= grammar.parser_rules().len(), "{}: {doubtful} rules", folder.display());
    }
}

/// An alternative or block of the given elements.
fn block(element: &[&'static str]) -> impl Strategy<Value = String> + use<> {
    let leaf = prop::sample::select(element.to_vec()).prop_map(str::to_owned);
    leaf.prop_recursive(3, 16, 3, |inner| {
        let suffix = prop::sample::select(vec!["", "?", "*", "+", "*?"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|all| all.join(" ")),
            (prop::collection::vec(inner, 1..4), suffix).prop_map(|(all, end)| format!("({}){end}", all.join(" | "))),
        ]
    })
}

fn any_grammar() -> impl Strategy<Value = String> {
    // No EOF: a parser never leaves a loop over the end of the input.
    let parser = ["r0", "r1", "r2", "A", "B", "C", "'a'", "'-'", "~A", ".", "{p}?"];
    let lexer = ["'a'", "'ab'", "'-'", "[a-c]", "~[b]", ".", "F", "'x'..'z'"];
    let rules = (prop::collection::vec(block(&parser), 3), prop::collection::vec(block(&lexer), 4));
    let hides = prop::sample::select(vec!["", "WS : ' ' -> skip ;", "WS : [ b]+ -> channel(HIDDEN) ;"]);
    (rules, hides).prop_map(|((parser, lexer), hides)| {
        let parser: String = (0..).zip(parser).map(|(n, block)| format!("r{n} : {block} ;\n")).collect();
        let [a, b, c, f] = &lexer[..] else { unreachable!("four rules") };
        format!("grammar T;\n{parser}A : {a} ;\nB : {b} ;\nC : {c} ;\nfragment F : {f} ;\n{hides}\n")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// Every rule has a text or is known to have none, and verified texts are correct.
    #[test]
    fn texts_of_any_grammar(source in any_grammar()) {
        // Some of them are not valid grammars: empty loops, endless recursion.
        if let Ok(grammar) = Grammar::from_sources(&[("T.g4", &source)]) {
            let found = shortest(&grammar, &mut engine(&grammar), &Replacements::new());
            verify(&grammar, &found);
            for rule in grammar.rules().filter(|rule| !rule.fragment) {
                let name = &rule.name.text;
                prop_assert!(found.get(name).is_some() != found.endless().contains(name), "{}", name);
            }
        }
    }
}
