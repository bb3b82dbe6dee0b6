//! Picireny's replacements: its own tables, and small grammars.

use nub_antlr::{
    Grammar,
    shortest::{Replacements, reference},
};
use nub_testing::{repository, shared};
use std::{collections::BTreeMap, fs, path::Path};

fn compare(folder: &Path, files: &[&str], table: &Path) {
    let paths: Vec<_> = files.iter().map(|file| folder.join(file)).collect();
    let grammar = Grammar::load(&paths).unwrap_or_else(|error| panic!("{error}"));
    let ours: BTreeMap<String, String> = reference(&grammar, &Replacements::new()).into_iter().collect();
    let golden = fs::read_to_string(table).unwrap();
    let golden: BTreeMap<String, String> = serde_json::from_str(&golden).unwrap();
    for (name, text) in &golden {
        assert_eq!(ours.get(name), Some(text), "{name}");
    }
    for name in ours.keys() {
        assert!(golden.contains_key(name), "{name} is not in the table");
    }
}

/// Grammars of our own, for which Picireny 21.8 has computed the tables.
#[test]
fn small_grammars() {
    let folder = repository().join("crates/nub-recorded/data/small");
    compare(&folder, &["Script.g4"], &folder.join("script.replacements.json"));
    compare(&folder, &["PageLexer.g4", "PageParser.g4"], &folder.join("page.replacements.json"));
}

fn compare_shared(grammar: &str, files: &[&str], table: &str) {
    let (Some(grammars), Some(trees)) = (shared("grammars"), shared("fidelity/trees")) else { return };
    compare(&grammars.join(grammar), files, &trees.join(table));
}

#[test]
fn javascript() {
    compare_shared("javascript-2022", &["JavaScriptLexer.g4", "JavaScriptParser.g4"], "replacements.js.json");
}

#[test]
fn c() {
    compare_shared("c-2021", &["C.g4"], "replacements.c.json");
}

fn texts(source: &str, replacements: &[(&str, &str)]) -> BTreeMap<String, String> {
    let grammar = Grammar::from_sources(&[("T.g4", source)]).unwrap_or_else(|error| panic!("{error}"));
    let replacements = replacements.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect();
    reference(&grammar, &replacements).into_iter().collect()
}

#[test]
fn sets_and_negations() {
    let table = texts(
        r"lexer grammar T; A : [_0-9] ; B : [_$] ; C : ~[\n] ; D : ~[\u0000-z] ; E : 'c'..'d' ; F : . ; G : ~'b' ;",
        &[],
    );
    let expected = [("A", "0"), ("B", "_"), ("C", "\t"), ("D", "{"), ("E", "c"), ("EOF", ""), ("F", "a"), ("G", "a")];
    assert_eq!(table, expected.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect());
}

#[test]
fn blanks_separate_elements_of_the_parser_only() {
    let table = texts("grammar T; s : (A 'x')+ (A | s)? {act} A ; A : 'a' B ; fragment B : [b] ;", &[]);
    assert_eq!(table["s"], "ab x ab");
    assert!(!table.contains_key("T__0"));
}

#[test]
fn endless_rules_have_no_text() {
    let table = texts("grammar T; s : 'a' t | A ; t : 'x' t ; A : 'long' ;", &[]);
    assert_eq!((table.get("s").map(String::as_str), table.get("t")), (Some("long"), None));
}

#[test]
fn the_user_takes_precedence() {
    let table = texts("grammar T; s : t A ; t : 'x' ; A : 'a' ;", &[("A", "long"), ("t", ""), ("NEW", "x")]);
    assert_eq!((&table["s"][..], &table["NEW"][..]), ("long", "x"));
}
