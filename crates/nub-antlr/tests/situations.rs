//! The situations that ANTLR's documentation explains: prediction, left recursion, lexers, predicates, recovery.
//!
//! Each file of `situations` holds inputs with the trees and messages of the Java tool, which `situations/make` writes.

use nub_antlr::{Grammar, ParseOptions};
use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/situations")
}

fn load(name: &str) -> Grammar {
    let path = |suffix: &str| folder().join(format!("{name}{suffix}.g4"));
    let files = if path("").exists() { vec![path("")] } else { vec![path("Lexer"), path("Parser")] };
    Grammar::load(&files).unwrap_or_else(|error| panic!("{error}"))
}

/// The contents of a file with our trees and messages.
fn ours(name: &str, expected: &str) -> String {
    let mut engine = load(name).engine();
    assert_eq!(engine.semantics().warnings().count(), 0, "{name}: some predicates are unknown");
    let start = engine.rule("s").expect("a rule s");
    let paragraphs = expected.trim_end().split("\n\n").map(|paragraph| {
        let input = paragraph.lines().next().expect("an input");
        let source = input.replace("\\n", "\n").replace("\\\\", "\\");
        let tree = engine.parse(start, source.as_bytes(), &ParseOptions::default());
        let mut text = format!("{input}\n{}\n", tree.to_lisp());
        tree.errors().iter().for_each(|error| writeln!(text, "! {error}").unwrap());
        text
    });
    paragraphs.collect::<Vec<_>>().join("\n")
}

#[test]
fn trees_and_messages_are_those_of_antlr() {
    let mut count = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            let name = path.file_stem().unwrap().to_str().unwrap();
            let expected = fs::read_to_string(&path).unwrap();
            assert_eq!(ours(name, &expected), expected, "{name}");
            count += 1;
        }
    }
    assert_eq!(count, 17);
}
