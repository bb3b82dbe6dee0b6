//! Descriptions with several grammars.

use nub_antlr::format::{Format, Island, Piece, Start, load_replacements};
use std::{fs, path::Path};

fn error(json: &str) -> String {
    Format::parse(json, "f.json", Path::new("")).expect_err("an error").to_string()
}

#[test]
fn a_description_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.json");
    let json = r#"{"start": "html:doc", "grammars": {
        "html": {"files": ["H.g4", "h.py"], "islands": {"BODY": "(?P<js:program>.*)<"}, "replacements": {"TAG": "a"}},
        "js": {"files": ["J.g4"]}}}"#;
    fs::write(&path, json).unwrap();
    let format = Format::load(&path).unwrap();
    assert_eq!(format.start, Some(Start { grammar: "html".into(), rule: "doc".into() }));
    let html = &format.grammars["html"];
    assert_eq!(html.files, [folder.path().join("H.g4")]);
    assert_eq!(html.helpers, [folder.path().join("h.py")]);
    assert_eq!(html.replacements["TAG"], "a");
    assert_eq!(
        html.islands["BODY"].split(b"a\nb<"),
        [Piece::Island(Start::parse("js:program"), 0..3), Piece::Text(3..4)]
    );
}

#[test]
fn replacements_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.json");
    fs::write(&path, r#"{"NAME": "text"}"#).unwrap();
    assert_eq!(load_replacements(&path).unwrap()["NAME"], "text");
    fs::write(&path, r#"{"NAME": "text", "NAME": ""}"#).unwrap();
    assert!(load_replacements(&path).unwrap_err().to_string().contains("NAME appears twice"));
    let missing = load_replacements(&folder.path().join("none.json")).unwrap_err();
    assert!(missing.to_string().contains("none.json: cannot be read"));
}

#[test]
fn errors_say_what_to_do() {
    for (json, message) in [
        ("{", "f.json: EOF while parsing"),
        (r#"{"grammars": {}, "islands": {}}"#, "unknown field `islands`"),
        (r#"{"grammars": {"g": {"files": []}}}"#, "the grammar g has no files"),
        (r#"{"start": "x:s", "grammars": {"g": {"files": ["a"]}}}"#, "\"start\" is x:s, but there is no grammar x"),
        (
            r#"{"grammars": {"g": {"files": ["a"], "islands": {"A": "("}}}}"#,
            "the island A of the grammar g: not a regular",
        ),
        (r#"{"grammars": {"g": {"files": ["a"], "islands": {"A": "(a)"}}}}"#, "it has no named group"),
        (r#"{"grammars": {"g": {"files": ["a"], "islands": {"A": "(?P<h:s>a)"}}}}"#, "there is no grammar h"),
        (r#"{"grammars": {"g": {"files": ["a"]}, "g": {"files": ["b"]}}}"#, "g appears twice"),
    ] {
        let error = error(json);
        assert!(error.contains(message) && error.contains("hint: "), "{error}");
    }
}

fn split(pattern: &str, text: &str) -> Vec<(String, String)> {
    let pieces = Island::new(pattern).unwrap().split(text.as_bytes());
    let named = pieces.into_iter().map(|piece| match piece {
        Piece::Text(range) => (String::new(), text[range].to_owned()),
        Piece::Island(start, range) => (start.to_string(), text[range].to_owned()),
    });
    named.collect()
}

#[test]
fn every_match_has_its_groups() {
    let pieces = split("(?P<a:x>[0-9]+)|<(?P<b:y>[^>]*)>", "1<z>2<>");
    let expected = [("a:x", "1"), ("", "<"), ("b:y", "z"), ("", ">"), ("a:x", "2"), ("", "<>")];
    assert_eq!(pieces, expected.map(|(name, text)| (name.to_owned(), text.to_owned())));
}

#[test]
fn names_are_translated_only_where_groups_begin() {
    let pieces = split(r"\(?P<[(?P<x>]*\[(?P<a:x>.)(?P<a:x>.)(?P<plain>.)", "(P<[123");
    let expected = [("", "(P<["), ("a:x", "1"), ("a:x", "2"), (":plain", "3")];
    assert_eq!(pieces, expected.map(|(name, text)| (name.to_owned(), text.to_owned())));
}

#[test]
fn overlapping_groups_do_not_repeat_text() {
    assert_eq!(split("(?P<a:x>1(?P<b:y>2))", "12"), [("a:x".to_owned(), "12".to_owned())]);
    assert_eq!(
        split("(?P<a:x>(?P<b:y>1)2)", "12"),
        [("b:y".to_owned(), "1".to_owned()), (String::new(), "2".to_owned())]
    );
    assert_eq!(split("(?P<a:x>1)", "none"), [(String::new(), "none".to_owned())]);
}
