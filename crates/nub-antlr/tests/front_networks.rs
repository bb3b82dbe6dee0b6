//! Our networks are those of ANTLR's tool, which generated the data of these tests.

mod common;

use std::path::{Path, PathBuf};

use common::{compare::compare, interp::Interp};
use nub_antlr::Grammar;

fn load(paths: &[PathBuf]) -> Grammar {
    Grammar::load(paths).unwrap_or_else(|error| panic!("{error}"))
}

/// Compares with the networks of the given names in a directory.
fn compare_with(grammar: &Grammar, directory: &Path, names: &[&str]) {
    for name in names {
        let path = directory.join(format!("{name}.interp.gz"));
        compare(name, grammar, &Interp::read_gz(&path));
    }
}

fn small(files: &[&str], goldens: &[&str]) {
    let directory = common::data().join("grammars");
    let paths: Vec<PathBuf> = files.iter().map(|file| directory.join(file)).collect();
    compare_with(&load(&paths), &common::data().join("interp/small"), goldens);
}

#[test]
fn left_recursion() {
    small(&["LeftRecursion.g4"], &["LeftRecursionLexer", "LeftRecursion"]);
}

#[test]
fn sets() {
    small(&["Sets.g4"], &["SetsLexer", "Sets"]);
}

#[test]
fn loops() {
    small(&["Loops.g4"], &["LoopsLexer", "Loops"]);
}

#[test]
fn case() {
    small(&["Case.g4"], &["CaseLexer", "Case"]);
}

#[test]
fn tokens() {
    small(&["Tokens.g4"], &["TokensLexer", "Tokens"]);
    small(&["Aliases.g4"], &["Aliases"]);
}

#[test]
fn modes() {
    small(&["ModesParser.g4", "ModesLexer.g4"], &["ModesLexer", "ModesParser"]);
    small(&["ModesParser.g4"], &["ModesLexer", "ModesParser"]);
}

#[test]
fn predicates() {
    small(&["Predicates.g4"], &["PredicatesLexer", "Predicates"]);
}

#[test]
fn imports() {
    small(&["Importing.g4"], &["ImportingLexer_", "Importing"]);
    small(&["ImportingLexer.g4"], &["ImportingLexer"]);
}

#[test]
fn words() {
    small(&["Words.g4"], &["WordsLexer", "Words"]);
}

/// All shared grammars, one directory each.
#[test]
fn shared_grammars() {
    let Some(shared) = nub_testing::shared("grammars") else { return };
    let mut directories: Vec<PathBuf> =
        std::fs::read_dir(shared).expect("a directory").map(|entry| entry.expect("an entry").path()).collect();
    directories.sort();
    for directory in directories.iter().filter(|path| path.is_dir()) {
        let name = directory.file_name().and_then(|name| name.to_str()).expect("a name");
        let files = std::fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path());
        let files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "g4")).collect();
        let grammar = load(&files);
        let goldens = common::data().join("interp").join(name);
        let mut compared = 0;
        for golden in std::fs::read_dir(&goldens).unwrap_or_else(|error| panic!("{}: {error}", goldens.display())) {
            let golden = golden.expect("an entry").path();
            compare(&golden.display().to_string(), &grammar, &Interp::read_gz(&golden));
            compared += 1;
        }
        assert_eq!(compared, 2, "{name}: a lexer and a parser");
    }
}
