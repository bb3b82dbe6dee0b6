//! Trees from grammars, compared node by node with those recorded from the reference tool.

use nub_core::tree::{Kind, NodeId, Tree, prepare};
use nub_syntax::{
    antlr::{Language, Replacements, Settings},
    recorded,
};
use nub_testing::{repository, shared};
use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

fn language(folder: &Path, files: &[&str], start: &str) -> Language {
    let files: Vec<PathBuf> = files.iter().map(|file| folder.join(file)).collect();
    let start = Some(start.to_owned());
    let settings = Settings { start, replacements: Replacements::Reference, ..Settings::default() };
    Language::load(&files, &settings).unwrap()
}

/// One line per node: depth, kind, name, replacement, positions and text.
fn lines(tree: &Tree) -> Vec<String> {
    let mut lines = vec![];
    let mut waiting: Vec<(NodeId, usize)> = vec![(tree.root(), 0)];
    while let Some((node, depth)) = waiting.pop() {
        let (kind, name, replacement) = (tree.kind(node), tree.name(node), tree.replacement(node));
        let (start, end) = (tree.start(node), tree.end(node));
        let text = String::from_utf8_lossy(tree.text(node));
        // The names of error tokens do not matter. A token that only a parser rule spells out has no name: ANTLR numbers
        // it, and the reference tool calls it invalid.
        let nameless = kind == Kind::Error || name == "<INVALID>" || name.starts_with("T__");
        let name = if nameless { "" } else { name };
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

fn theirs(json: &str) -> Vec<String> {
    let mut tree = recorded::read(json).unwrap();
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

/// Grammars and inputs of our own, which Picireny 21.8 has made trees of.
#[test]
fn trees_of_small_grammars_are_those_of_the_reference_tool() {
    let folder = repository().join("crates/nub-recorded/data/small");
    let script = language(&folder, &["Script.g4"], "program");
    let page = language(&folder, &["PageLexer.g4", "PageParser.g4"], "page");
    for (name, language) in [("script.js", &script), ("page.txt", &page)] {
        let input = fs::read(folder.join(name)).unwrap();
        let mut json = String::new();
        let compressed = fs::File::open(folder.join(format!("{name}.tree.json.gz"))).unwrap();
        flate2::read::GzDecoder::new(compressed).read_to_string(&mut json).unwrap();
        let difference = difference(&ours(language, &input), &theirs(&json));
        assert!(difference.is_none(), "{name}: {}", difference.unwrap());
    }
}

#[test]
fn c_trees_are_those_of_the_reference_tool() {
    let (Some(grammars), Some(trees)) = (shared("grammars/c-2021"), shared("fidelity/trees")) else { return };
    let c = language(&grammars, &["C.g4"], "compilationUnit");
    for name in ["hello", "sumprod-kr"] {
        let input = fs::read(trees.join(format!("{name}.c"))).unwrap();
        let tree = fs::read_to_string(trees.join(format!("{name}.tree.json"))).unwrap();
        let difference = difference(&ours(&c, &input), &theirs(&tree));
        assert!(difference.is_none(), "{name}: {}", difference.unwrap());
    }
}

/// All recorded JavaScript trees, including 3479. There the reference tool finds syntax errors that ANTLR does not: the
/// actions it inserts into quantified parts hide the predicates in them. We hide them, too.
#[test]
fn javascript_trees_are_those_of_the_reference_tool() {
    let (Some(grammars), Some(fidelity)) = (shared("grammars/javascript-2022"), shared("fidelity")) else { return };
    let javascript = language(&grammars, &["JavaScriptLexer.g4", "JavaScriptParser.g4"], "program");
    let mut identical = 0;
    let mut different = vec![];
    for entry in fs::read_dir(fidelity.join("jrts")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let input = json["input"].as_str().unwrap().as_bytes();
        let tree = fs::read_to_string(fidelity.join(json["tree"].as_str().unwrap())).unwrap();
        match difference(&ours(&javascript, input), &theirs(&tree)) {
            None => identical += 1,
            Some(difference) => different.push(format!("{name} {difference}")),
        }
    }
    assert!(different.is_empty(), "{identical} identical\n{}", different.join("\n"));
    assert!(identical >= 10, "only {identical} recordings");
}
