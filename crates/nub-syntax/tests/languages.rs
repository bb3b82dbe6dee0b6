//! The languages match their grammars and are detected.

use nub_syntax::{detect, language, languages, treesitter};
use std::{collections::HashSet, path::Path};

#[test]
fn grammars_cover_parsers() {
    for language in treesitter::languages() {
        let compiled = language.compile().unwrap_or_else(|error| panic!("{}: {error}", language.name));
        let missing = compiled.kinds_without_rule();
        assert!(missing.is_empty(), "{}: the grammar has no rule for {missing:?}", language.name);
        assert!(compiled.grammar().rules().len() > 10);
    }
}

#[test]
fn given_texts_name_existing_rules() {
    for language in treesitter::languages() {
        let compiled = language.compile().expect("it is understood");
        for name in compiled.rules_with_given_text(language) {
            assert!(compiled.grammar().find(&name).is_some(), "{}: no rule {name}", language.name);
        }
    }
}

#[test]
fn names_are_unique() {
    let mut seen = HashSet::new();
    for language in languages() {
        for name in language.aliases.iter().chain([&language.name]) {
            assert!(seen.insert(*name), "{name}");
        }
        for extension in language.extensions {
            assert!(seen.insert(Box::leak(format!(".{extension}").into_boxed_str())), "{extension}");
        }
    }
}

#[test]
fn detection() {
    let check = |path: &str, text: &str, expected: Option<&str>| {
        // A language that is not built in is not detected.
        let expected = expected.filter(|name| language(name).is_some());
        let path = (!path.is_empty()).then(|| Path::new(path));
        assert_eq!(detect(path, text.as_bytes()).map(|language| language.name), expected, "{path:?} {text:?}");
    };
    check("a/b.c", "", Some("c"));
    check("b.C", "", Some("cpp"));
    check("b.h", "int x;", Some("c"));
    check("b.h", "namespace a {\n", Some("cpp"));
    check("X.JAVA", "", Some("java"));
    check("Cargo.lock", "", Some("toml"));
    check("Rakefile", "", Some("ruby"));
    check("run", "#!/bin/sh\n", Some("bash"));
    check("run", "#!/usr/bin/env -S python3.11 -u\n", Some("python"));
    check("run", "#!/usr/bin/env\n", None);
    check("", "#!\n", None);
    check("", "<?xml version='1.0'?>", Some("xml"));
    check("page.xhtml", "", Some("xml"));
    check("", "<\0?\0x\0", Some("xml"));
    check("", "\u{feff}<!DOCTYPE HTML>", Some("html"));
    check("", " {\"a\": [1]}\n", Some("json"));
    check("", "{ a: b }", None);
    check("", "; c\n(set-logic QF_BV)\n", Some("smt2"));
    check("", "hello", None);
    check("notes.txt", "hello", None);
    check("", "", None);
    assert!(language("no such language").is_none());
    if cfg!(feature = "javascript") {
        assert_eq!(language("JS").map(|language| language.name), Some("javascript"));
    }
}
