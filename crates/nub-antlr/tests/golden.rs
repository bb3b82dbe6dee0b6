//! Checks the golden data itself: it is complete, and the Java tool reproduces it.

mod common;

use common::golden::{Golden, golden_folder, shared};
use nub_testing::{program, tool};
use std::{
    collections::BTreeSet,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

#[test]
fn every_stored_tree_matches_the_index() {
    let all = Golden::all();
    for golden in &all {
        if let Some(tree) = golden.tree() {
            assert!(golden.is_tree(&tree), "{} is damaged", golden.tree.as_ref().unwrap());
        }
    }
    let listed: BTreeSet<PathBuf> =
        all.iter().filter_map(|golden| Some(golden_folder().join("trees").join(golden.tree.as_ref()?))).collect();
    let mut stored = BTreeSet::new();
    files(&golden_folder().join("trees"), &mut stored);
    assert_eq!(stored, listed, "the trees do not match the index");
}

#[test]
fn every_own_input_is_in_the_index() {
    let all = Golden::all();
    let listed: BTreeSet<PathBuf> = all
        .iter()
        .filter(|golden| !golden.input.starts_with("shared/"))
        .map(|golden| golden_folder().join(&golden.input))
        .collect();
    let mut stored = BTreeSet::new();
    files(&golden_folder().join("inputs"), &mut stored);
    stored.remove(&golden_folder().join("inputs/.gitattributes"));
    assert_eq!(stored, listed, "run tests/golden/make");
}

fn files(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.insert(path);
        }
    }
}

/// Regenerates a sample with the live tool: two grammars, one of them with base classes, two inputs each.
#[test]
fn the_java_tool_reproduces_the_golden_trees() {
    const SAMPLE: [(&str, [&str; 2]); 2] = [
        ("json", ["shared/grammars/json/examples/example1.json", "inputs/json/strings.json"]),
        ("lua", ["shared/grammars/lua/examples/api.lua", "inputs/lua/comments.lua"]),
    ];
    let Some(shared) = shared() else { return };
    if !program("javac") {
        return;
    }
    let oracle = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle");
    let folder = tempfile::tempdir().unwrap();
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("antlr-oracle");
    let fetched = Command::new(oracle.join("fetch")).arg(&cache).output().unwrap();
    if !fetched.status.success() {
        eprintln!("{}", String::from_utf8_lossy(&fetched.stderr));
    }
    if !tool(fetched.status.success(), "the ANTLR tool, which npm or pip download") {
        return;
    }
    let jar = String::from_utf8(fetched.stdout).unwrap().trim_end().to_owned();

    let all = Golden::all();
    for (grammar, inputs) in SAMPLE {
        let classes = folder.path().join(grammar);
        let build = Command::new(oracle.join("build"))
            .args([Path::new(&jar), &shared, Path::new(grammar), &classes])
            .output()
            .unwrap();
        assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
        let sample = inputs.map(|input| {
            let is_meant = |golden: &&Golden| golden.grammar == grammar && golden.input == input;
            all.iter().find(is_meant).unwrap_or_else(|| panic!("{input} is not in the index"))
        });

        let listed = fs::read_to_string(oracle.join("grammars")).unwrap();
        let prefix = listed.lines().find_map(|line| line.strip_prefix(&format!("{grammar} "))).unwrap();
        let mut java = Command::new("java")
            .args(["-Xmx1g", "-cp", &format!("{jar}:{}", classes.display()), "Oracle", "trees"])
            .args(prefix.split(' ').take(2))
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = java.stdin.take().unwrap();
        for (number, golden) in sample.iter().enumerate() {
            writeln!(stdin, "{grammar}.{number}\t{}", golden.input_path(&shared).display()).unwrap();
        }
        drop(stdin);
        let output = java.wait_with_output().unwrap();
        assert!(output.status.success());
        let reports = String::from_utf8(output.stdout).unwrap();
        for (number, (golden, report)) in sample.iter().zip(reports.lines()).enumerate() {
            let tree = fs::read_to_string(folder.path().join(format!("{grammar}.{number}"))).unwrap();
            assert!(golden.is_tree(&tree), "{} of {grammar} differs from the live tool", golden.input);
            let report: serde_json::Value = serde_json::from_str(&format!("{{{report}}}")).unwrap();
            assert_eq!(report["lexer_errors"], golden.lexer_errors);
            assert_eq!(report["parser_errors"], golden.parser_errors);
        }
        assert_eq!(reports.lines().count(), sample.len());
    }
}
