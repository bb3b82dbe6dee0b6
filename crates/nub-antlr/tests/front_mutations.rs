//! Any bytes either load as a grammar or give messages.

mod common;

use nub_antlr::Grammar;
use proptest::prelude::*;

/// Grammars that together use all constructs.
fn texts() -> Vec<String> {
    let directory = common::data().join("grammars");
    let mut paths: Vec<_> =
        std::fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("a text")).collect()
}

fn load(text: &str) {
    match Grammar::from_sources(&[("T.g4", text)]) {
        Ok(grammar) => assert_eq!(grammar.rules().count(), {
            let compiled = grammar.compiled();
            compiled.lexer.atn.rules.len() + compiled.parser.atn.rules.len()
        }),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

const KNOWN: &[&str] = &[
    "'",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ":",
    ";",
    "|",
    "~",
    "..",
    ".",
    "->",
    "\\",
    "\\u{",
    "\\p{",
    "*",
    "+",
    "?",
    "<",
    ">",
    "=",
    "+=",
    "#",
    "@",
    "::",
    "/*",
    "*/",
    "//",
    "\n",
    "options {",
    "tokens {",
    "mode M;",
    "fragment",
    "catch",
    "grammar",
    "e",
    "E",
    "EOF",
    "'\u{e9}'",
    "\u{1F600}",
    "\0",
    ",",
    "\\uD800",
    "[a-",
    "''",
    "[]",
    "skip",
    "type(",
];

/// A piece of the grammar language.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![4 => prop::sample::select(KNOWN).prop_map(str::to_owned), 1 => "\\PC{0,3}"]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn mutated_grammars(
        which in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..12, piece()), 1..6),
    ) {
        let texts = texts();
        let mut chars: Vec<char> = which.get(&texts).chars().collect();
        for (at, removed, inserted) in edits {
            let at = at.index(chars.len() + 1);
            let end = (at + removed).min(chars.len());
            chars.splice(at..end, inserted.chars());
        }
        load(&chars.into_iter().collect::<String>());
    }

    #[test]
    fn pieces_in_any_order(pieces in prop::collection::vec(piece(), 0..60)) {
        load(&pieces.concat());
        load(&format!("grammar T; s : {} ;", pieces.join(" ")));
        load(&format!("lexer grammar T; S : {} ;", pieces.join(" ")));
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        load(&String::from_utf8_lossy(&bytes));
    }
}
