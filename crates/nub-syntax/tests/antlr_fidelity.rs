//! Trees from grammars, compared node by node with those recorded from the reference tool.

use nub_core::tree::{Kind, NodeId, Tree, prepare};
use nub_syntax::{
    antlr::{Language, Replacements, Settings},
    recorded,
};
use std::{fs, path::PathBuf};

/// The folder of recordings. In continuous integration it must be there.
fn shared() -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let path = std::env::var_os("NUB_SHARED").map_or(beside, PathBuf::from);
    if path.is_dir() {
        return Some(path);
    }
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{} is missing", path.display());
    eprintln!("skipped: {} is missing", path.display());
    None
}

fn language(folder: &str, files: &[&str], start: &str) -> Option<Language> {
    let folder = shared()?.join("grammars").join(folder);
    let files: Vec<PathBuf> = files.iter().map(|file| folder.join(file)).collect();
    let start = Some(start.to_owned());
    let settings = Settings { start, replacements: Replacements::Reference, ..Settings::default() };
    Some(Language::load(&files, &settings).unwrap())
}

/// One line per node: depth, kind, name, replacement, positions and text.
fn lines(tree: &Tree) -> Vec<String> {
    let mut lines = vec![];
    let mut waiting: Vec<(NodeId, usize)> = vec![(tree.root(), 0)];
    while let Some((node, depth)) = waiting.pop() {
        let (kind, name, replacement) = (tree.kind(node), tree.name(node), tree.replacement(node));
        let (start, end) = (tree.start(node), tree.end(node));
        let text = String::from_utf8_lossy(tree.text(node));
        // The names of error tokens do not matter.
        let name = if kind == Kind::Error { "" } else { name };
        lines.push(format!(
            "{depth} {kind:?} {name} {replacement:?} {}:{}-{}:{} {text:?}",
            start.line, start.column, end.line, end.column
        ));
        let mut children: Vec<_> = tree.children(node).map(|child| (child, depth + 1)).collect();
        children.reverse();
        waiting.extend(children);
    }
    lines
}

fn recording(name: &str) -> Vec<String> {
    let path = shared().unwrap().join("fidelity/trees").join(format!("{name}.tree.json"));
    let mut tree = recorded::read(&fs::read_to_string(path).unwrap()).unwrap();
    prepare::remove_empty(&mut tree);
    lines(&tree)
}

fn ours(language: &Language, input: &[u8]) -> Vec<String> {
    let (mut tree, _) = language.parse(input, nub_core::Hidden::Gaps);
    assert_eq!(&**tree.input(), input);
    prepare::remove_empty(&mut tree);
    lines(&tree)
}

/// The first difference between two trees.
fn difference(ours: &[String], theirs: &[String]) -> Option<String> {
    let at = (0..ours.len().max(theirs.len())).find(|&at| ours.get(at) != theirs.get(at))?;
    let show =
        |lines: &[String]| lines[at.saturating_sub(2).min(lines.len())..(at + 3).min(lines.len())].join("\n    ");
    Some(format!("at line {at}:\n  ours:\n    {}\n  recorded:\n    {}", show(ours), show(theirs)))
}

#[test]
fn c_trees_are_those_of_the_reference_tool() {
    let Some(c) = language("c-2021", &["C.g4"], "compilationUnit") else { return };
    for name in ["hello", "sumprod-kr"] {
        let input = fs::read(shared().unwrap().join(format!("fidelity/trees/{name}.c"))).unwrap();
        let difference = difference(&ours(&c, &input), &recording(name));
        assert!(difference.is_none(), "{name}: {}", difference.unwrap());
    }
}

/// All recorded JavaScript trees, including 3479. There the reference tool finds syntax errors that ANTLR does not: the
/// actions it inserts into quantified parts hide the predicates in them. We hide them, too.
#[test]
fn javascript_trees_are_those_of_the_reference_tool() {
    let files = ["JavaScriptLexer.g4", "JavaScriptParser.g4"];
    let Some(javascript) = language("javascript-2022", &files, "program") else { return };
    let mut identical = 0;
    let mut different = vec![];
    for entry in fs::read_dir(shared().unwrap().join("fidelity/jrts")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let input = json["input"].as_str().unwrap().as_bytes();
        match difference(&ours(&javascript, input), &recording(&name)) {
            None => identical += 1,
            Some(difference) => different.push(format!("{name} {difference}")),
        }
    }
    assert!(different.is_empty(), "{identical} identical\n{}", different.join("\n"));
    assert!(identical >= 10, "only {identical} recordings");
}
