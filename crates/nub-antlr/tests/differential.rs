//! Our trees against those of ANTLR's own Java parsers: every grammar and input of the golden data.

mod common;

use common::golden::{Golden, shared};
use nub_antlr::semantics::{Overrides, Semantics};
use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

/// A grammar of ours that is ready to parse: start rule and bytes to number of errors and tree.
type Parse = Box<dyn Fn(&str, &[u8]) -> (usize, String)>;

/// The only place that knows our own interface.
fn our_parser(files: &[PathBuf]) -> Result<Parse, String> {
    let grammar = nub_antlr::Grammar::load(files).map_err(|error| error.to_string())?;
    Ok(Box::new(move |start, bytes| {
        let mut engine =
            nub_antlr::Engine::new(grammar.compiled(), Semantics::new(grammar.compiled(), &Overrides::new()));
        let start = engine.rule(start).expect("a rule of the grammar");
        let tree = engine.parse(start, bytes, &nub_antlr::ParseOptions::default());
        (tree.errors().len(), tree.to_lisp())
    }))
}

/// A row of the table.
#[derive(Default)]
struct Row {
    files: usize,
    identical: usize,
    /// What differs, and how.
    differing: Vec<String>,
    /// Inputs that ANTLR finds errors in: the trees are not compared, but we must find errors too.
    with_errors: usize,
    /// Those of them that we accept.
    accepted: Vec<String>,
    seconds: f64,
}

/// `NUB_UPDATE=1 cargo test -p nub-antlr --test differential` writes `DIFFERENTIAL.md` anew;
/// `NUB_ANTLR_ONLY=lua` compares one grammar and leaves the table alone.
#[test]
fn the_trees_are_those_of_antlr() {
    let Some(shared) = shared() else { return };
    let only = std::env::var("NUB_ANTLR_ONLY").ok();
    let mut grammars: BTreeMap<String, Vec<Golden>> = BTreeMap::new();
    for golden in Golden::all() {
        if only.as_ref().is_none_or(|only| *only == golden.grammar) {
            grammars.entry(golden.grammar.clone()).or_default().push(golden);
        }
    }
    let mut rows = BTreeMap::new();
    for (name, inputs) in &grammars {
        let row = compare(inputs, &shared);
        eprintln!(
            "{name}: {} of {} identical, {} with errors, {:.1} s",
            row.identical, row.files, row.with_errors, row.seconds
        );
        row.differing.iter().chain(&row.accepted).for_each(|line| eprintln!("    {line}"));
        rows.insert(name.as_str(), row);
    }
    let table = table(&rows);
    eprintln!("{table}");
    if only.is_some() {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("DIFFERENTIAL.md");
    if std::env::var_os("NUB_UPDATE").is_some() {
        fs::write(&path, &table).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written, table, "run NUB_UPDATE=1 cargo test -p nub-antlr --test differential");
}

fn compare(inputs: &[Golden], shared: &Path) -> Row {
    let mut row = Row { files: inputs.len(), ..Row::default() };
    let begin = Instant::now();
    let parse = match our_parser(&inputs[0].grammar_files(shared)) {
        Ok(parse) => parse,
        Err(error) => {
            row.differing = inputs.iter().map(|golden| format!("`{}`: no grammar: {error}", golden.input)).collect();
            return row;
        }
    };
    for golden in inputs {
        let (errors, lisp) = parse(&golden.start, &golden.input_bytes(shared));
        let input = &golden.input;
        match (golden.errors(), errors) {
            (0, 0) if golden.is_tree(&lisp) => row.identical += 1,
            (0, 0) => row.differing.push(format!("`{input}`: {}", first_difference(golden, &lisp))),
            (0, _) => row.differing.push(format!("`{input}`: errors that ANTLR does not report")),
            (_, 0) => {
                row.with_errors += 1;
                row.accepted.push(format!("`{input}`: no error, but ANTLR says: {}", golden.messages[0]));
            }
            _ => row.with_errors += 1,
        }
    }
    row.seconds = begin.elapsed().as_secs_f64();
    row
}

/// Where two trees part, with a little of each.
fn first_difference(golden: &Golden, ours: &str) -> String {
    let Some(theirs) = golden.tree() else {
        return format!("{} bytes instead of {}, or others", ours.len(), golden.length);
    };
    let same = ours.char_indices().zip(theirs.chars()).find(|((_, ours), theirs)| ours != theirs);
    let at = same.map_or(ours.len().min(theirs.len()), |((at, _), _)| at);
    let start = ours[..at].char_indices().rev().nth(30).map_or(0, |(start, _)| start);
    let excerpt = |text: &str| text[start..].chars().take(80).collect::<String>();
    format!("at byte {at}, ours `{}`, ANTLR's `{}`", excerpt(ours), excerpt(&theirs))
}

fn table(rows: &BTreeMap<&str, Row>) -> String {
    let mut text = String::from(
        "# Trees of nub-antlr and of ANTLR\n\n\
         Written by `NUB_UPDATE=1 cargo test -p nub-antlr --test differential`; without `NUB_UPDATE` that test fails if \
         anything here changes.\n\
         A tree is identical if its text is that of `TestRig -tree`, byte by byte. Skipped are inputs in which ANTLR too \
         finds syntax errors:\nrecovery may differ there, but our parser must report an error as well.\n\
         Where a grammar names base classes, both sides have those of `tests/oracle/bases/README.md`.\n\n\
         | grammar | files | identical | differing | skipped (syntax errors in ANTLR too) |\n\
         | --- | --- | --- | --- | --- |\n",
    );
    let mut total = [0; 4];
    for (name, row) in rows {
        let (wrong, skipped) = (row.differing.len() + row.accepted.len(), row.with_errors - row.accepted.len());
        let cells = [row.files, row.identical, wrong, skipped];
        writeln!(text, "| {name} | {} | {} | {} | {} |", cells[0], cells[1], cells[2], cells[3]).unwrap();
        total.iter_mut().zip(cells).for_each(|(total, cell)| *total += cell);
    }
    writeln!(text, "| **all** | {} | {} | {} | {} |", total[0], total[1], total[2], total[3]).unwrap();
    let different: Vec<String> = rows
        .iter()
        .flat_map(|(name, row)| {
            row.differing.iter().chain(&row.accepted).map(move |line| format!("- {name}: {line}\n"))
        })
        .collect();
    if !different.is_empty() {
        write!(text, "\n## Differing\n\n{}", different.concat()).unwrap();
    }
    text
}
