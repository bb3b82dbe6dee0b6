//! Compares our trees with those of ANTLR's own Java parsers, for every grammar and input of the golden data.

mod common;

use common::golden::{Golden, shared};
use nub_antlr::{Grammar, ParseOptions};
use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Instant,
};

/// A row of the table.
#[derive(Default)]
struct Row {
    files: usize,
    identical: usize,
    /// The inputs whose trees differ, and how.
    differing: Vec<String>,
    /// Inputs in which ANTLR finds errors: the trees are not compared, but we must find errors too.
    with_errors: usize,
    /// Those of them that we accept.
    accepted: Vec<String>,
    seconds: f64,
}

/// `NUB_UPDATE=1 cargo test -p nub-antlr --test differential` rewrites `DIFFERENTIAL.md`;
/// `NUB_ANTLR_ONLY=lua` compares one grammar and leaves the table alone.
#[test]
fn the_trees_are_those_of_antlr() {
    let Some(shared) = shared() else { return };
    let only = std::env::var("NUB_ANTLR_ONLY").ok();
    let mut goldens = Golden::all();
    goldens.retain(|golden| only.as_ref().is_none_or(|only| *only == golden.grammar));
    let rows = compare_all(&jobs(&goldens), &shared);
    for (name, row) in &rows {
        eprintln!("{name}: {} of {} identical, {:.1} s", row.identical, row.files, row.seconds);
        row.differing.iter().chain(&row.accepted).for_each(|line| eprintln!("    {line}"));
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

/// The inputs of one grammar, to be parsed one after another by one engine: what it learns must change no tree. Inputs
/// with a large tree are separate jobs and come first, because they decide how long the whole run takes.
fn jobs(goldens: &[Golden]) -> Vec<Vec<&Golden>> {
    const LARGE: usize = 1 << 20;
    let mut jobs: BTreeMap<_, Vec<&Golden>> = BTreeMap::new();
    for golden in goldens {
        let large = (golden.length > LARGE).then_some((golden.length, &golden.input));
        jobs.entry((large, &golden.grammar)).or_default().push(golden);
    }
    jobs.into_values().rev().collect()
}

/// Runs the jobs on all processors.
fn compare_all<'a>(jobs: &[Vec<&'a Golden>], shared: &Path) -> BTreeMap<&'a str, Row> {
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(BTreeMap::<&str, Row>::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(inputs) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let row = compare(inputs, shared);
                    rows.lock().unwrap().entry(&inputs[0].grammar).or_default().add(row);
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap();
    // Independent of the order in which the jobs finished.
    rows.values_mut().for_each(|row| {
        row.differing.sort();
        row.accepted.sort();
    });
    rows
}

fn compare(inputs: &[&Golden], shared: &Path) -> Row {
    let mut row = Row { files: inputs.len(), ..Row::default() };
    let begin = Instant::now();
    let mut engine = match Grammar::load(&inputs[0].grammar_files(shared)) {
        Ok(grammar) => grammar.engine(),
        Err(error) => {
            row.differing = inputs.iter().map(|golden| format!("`{}`: no grammar: {error}", golden.input)).collect();
            return row;
        }
    };
    for golden in inputs {
        let start = engine.rule(&golden.start).expect("a rule of the grammar");
        let tree = engine.parse(start, &golden.input_bytes(shared), &ParseOptions::default());
        row.judge(golden, tree.errors().len(), &tree.to_lisp());
    }
    row.seconds = begin.elapsed().as_secs_f64();
    row
}

impl Row {
    fn judge(&mut self, golden: &Golden, errors: usize, lisp: &str) {
        let input = &golden.input;
        match (golden.errors(), errors) {
            (0, 0) if golden.is_tree(lisp) => self.identical += 1,
            (0, 0) => self.differing.push(format!("`{input}`: {}", first_difference(golden, lisp))),
            (0, _) => self.differing.push(format!("`{input}`: errors that ANTLR does not report")),
            (_, 0) => {
                self.with_errors += 1;
                self.accepted.push(format!("`{input}`: no error, but ANTLR reports: {}", golden.messages[0]));
            }
            _ => self.with_errors += 1,
        }
    }

    fn add(&mut self, other: Self) {
        self.files += other.files;
        self.identical += other.identical;
        self.differing.extend(other.differing);
        self.with_errors += other.with_errors;
        self.accepted.extend(other.accepted);
        self.seconds += other.seconds;
    }
}

/// The first place where two trees differ, with an excerpt of each.
fn first_difference(golden: &Golden, ours: &str) -> String {
    let Some(theirs) = golden.tree() else {
        return format!("{} bytes instead of {}, or different ones", ours.len(), golden.length);
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
         A tree is identical if its text is that of `TestRig -tree`, byte for byte. Inputs with syntax errors in ANTLR \
         too are skipped:\nrecovery may differ there, but our parser must report an error as well.\n\
         Where a grammar names base classes, both sides use those of `tests/oracle/bases/README.md`.\n\n\
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
