//! The messages that authors get about mistakes in their grammars.
//!
//! Each file of `data/diagnostics` holds a grammar, in one or more files, and all messages about it.

mod common;

use nub_antlr::{Grammar, Severity};

/// All messages about a grammar.
fn messages(sources: &[(&str, &str)]) -> String {
    match Grammar::from_sources(sources) {
        Ok(grammar) => {
            assert!(grammar.warnings().iter().all(|warning| warning.severity == Severity::Warning));
            grammar.warnings().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn messages_are_as_recorded() {
    let directory = common::data().join("diagnostics");
    let mut count = 0;
    for entry in std::fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let mut sections: Vec<(&str, &str)> =
            text.split("=== ").skip(1).map(|section| section.split_once('\n').expect("a name and a text")).collect();
        let (_, expected) = sections.pop().expect("the messages come last");
        let found = messages(&sections);
        assert_eq!(found, expected.trim_end_matches('\n'), "\n{}\n{found}\n", path.display());
        count += 1;
    }
    assert!(count >= 20);
}

#[test]
fn a_missing_file_is_named() {
    let error = Grammar::load(&["no/such/Grammar.g4"]).expect_err("there is no such file");
    assert!(error.to_string().starts_with("no/such/Grammar.g4: error: cannot be read: "), "{error}");
}

#[test]
fn imports_are_searched_beside_the_file_and_in_lib() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("T.g4");
    std::fs::write(&path, "grammar T; import U; s : A ;").expect("a file");
    let error = Grammar::load(&[&path]).expect_err("the import is missing").to_string();
    let lib = directory.path().join("lib");
    let hint = format!("looked for {} and {}", directory.path().join("U.g4").display(), lib.join("U.g4").display());
    assert!(error.contains(&hint), "{error}");
    std::fs::create_dir(&lib).expect("a directory");
    std::fs::write(lib.join("U.g4"), "grammar U; A : 'a' ;").expect("a file");
    let grammar = Grammar::load(&[&path]).expect("the import exists");
    assert_eq!(grammar.lexer_rules()[0].name.text, "A");
}

#[test]
fn types_come_from_a_tokens_file() {
    let grammar = Grammar::from_sources(&[
        ("L.g4", "lexer grammar L; options { tokenVocab = Shared; } A : 'a' ; B : 'b' ;"),
        ("Shared.tokens", "B=3\nX=1\n"),
    ]);
    let grammar = grammar.expect("a valid grammar");
    let types: Vec<i32> = grammar.compiled().lexer.atn.rules.iter().map(|rule| rule.token_type).collect();
    assert_eq!(types, [4, 3]);
}

/// Depth is limited for nested blocks, and only there.
#[test]
fn deep_nesting_is_an_error_and_long_rules_are_not() {
    let deep = format!("grammar T; s : {}'a'{} ;", "(".repeat(10_000), ")".repeat(10_000));
    let error = messages(&[("T.g4", &deep)]);
    assert!(error.contains("blocks are nested deeper than 200 levels"), "{error}");
    let long = format!("grammar T; s : {} ; t : {} ; A : 'a' ;", "A ".repeat(20_000), "A A | ".repeat(20_000));
    assert_eq!(messages(&[("T.g4", &long)]), "");
}

#[test]
fn long_lines_are_truncated() {
    let text = format!("grammar T; s : {} b {} ; A : 'a' ;", "A ".repeat(500), "A ".repeat(500));
    let message = messages(&[("T.g4", &text)]);
    let lines: Vec<&str> = message.lines().collect();
    let caret = lines[2].find('^').expect("a caret");
    assert_eq!(lines[1].get(caret..=caret), Some("b"), "{message}");
    assert!(lines[1].len() < 180);
}
