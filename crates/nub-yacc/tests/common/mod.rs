//! The four test grammars.
#![allow(dead_code, reason = "not every test uses everything")]

use nub_yacc::Language;
use std::path::PathBuf;

/// The path of a test file.
pub(crate) fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// The names of the grammars, with their inputs.
pub(crate) const GRAMMARS: [(&str, &str); 4] =
    [("arithmetic", "arithmetic.txt"), ("json", "json.json"), ("lua", "lua.lua"), ("c", "c.c")];

/// One of the grammars.
pub(crate) fn grammar(name: &str) -> Language {
    let (yacc, lex) = (path(&format!("grammars/{name}.y")), path(&format!("grammars/{name}.l")));
    Language::load(&yacc, Some(&lex), None).unwrap_or_else(|error| panic!("{error}"))
}

/// A test input.
pub(crate) fn input(name: &str) -> Vec<u8> {
    std::fs::read(path(&format!("inputs/{name}"))).unwrap()
}

/// A grammar that defines its tokens itself.
pub(crate) fn single(text: &str) -> Language {
    Language::from_sources(("test.y", text), None, None).unwrap_or_else(|error| panic!("{error}"))
}

/// A grammar and a lexer.
pub(crate) fn both(yacc: &str, lex: &str) -> Language {
    Language::from_sources(("test.y", yacc), Some(("test.l", lex)), None).unwrap_or_else(|error| panic!("{error}"))
}

/// The tree of an input without errors.
pub(crate) fn lisp(language: &Language, input: &str) -> String {
    let tree = language.parse(input.as_bytes());
    assert!(tree.errors().is_empty(), "{:?}", tree.errors());
    tree.to_lisp(language.grammar(), input.as_bytes())
}
