//! Are edits that the grammar allows really valid? Samples single edits of files and parses the results.
//!
//! `cargo run -p nub-syntax --release --example validity -- [--edits N] [--verbose] FILES…`
//!
//! For every language: the files, how many of their nodes are understood, and for every kind of edit how many of the
//! sampled ones add no ERROR or MISSING node.

#[path = "../tests/common/edits.rs"]
mod edits;

use edits::{EDITS, Row, sample};
use nub_syntax::treesitter::detect;
use std::{collections::BTreeMap, path::Path};

fn main() {
    let (mut count, mut verbose) = (100, false);
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    // Edits of files without errors.
    let mut clean = (0, 0);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--edits" => count = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(count),
            "--verbose" => verbose = true,
            path => {
                let Ok(input) = std::fs::read(path) else { continue };
                let Some(language) = detect(Some(Path::new(path)), &input) else { continue };
                let mut row = Row::default();
                sample(language, &input, &mut row, count, verbose.then_some(path));
                if row.errors == 0 {
                    let (tried, valid) = sum(&row);
                    clean = (clean.0 + tried, clean.1 + valid);
                }
                rows.entry(language.name).or_default().add(&row);
            }
        }
    }
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    println!("| language | files | bytes | nodes | errors | matched | {} | valid |", EDITS.join(" | "));
    println!("|---|---|---|---|---|---|{}---|", "---|".repeat(EDITS.len()));
    let mut total = (0, 0);
    for (name, row) in &rows {
        let edits: Vec<String> = row.edits.iter().map(|(tried, valid)| format!("{valid}/{tried}")).collect();
        let (tried, valid) = sum(row);
        total = (total.0 + tried, total.1 + valid);
        let Row { files, bytes, nodes, errors, rules, matched, .. } = row;
        let (matched, valid) = (share(*matched, *rules), share(valid, tried));
        println!(
            "| {name} | {files} | {bytes} | {nodes} | {errors} | {matched:.2} % | {} | {valid:.2} % |",
            edits.join(" | ")
        );
    }
    println!("\n{} of {} edits are valid: {:.3} %", total.1, total.0, share(total.1, total.0));
    println!("of files without errors: {} of {}: {:.3} %", clean.1, clean.0, share(clean.1, clean.0));
}

/// All edits: tried, valid.
fn sum(row: &Row) -> (usize, usize) {
    row.edits.iter().fold((0, 0), |sum, edit| (sum.0 + edit.0, sum.1 + edit.1))
}

impl Row {
    fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.nodes += other.nodes;
        self.errors += other.errors;
        self.rules += other.rules;
        self.matched += other.matched;
        for (sum, edit) in self.edits.iter_mut().zip(other.edits) {
            *sum = (sum.0 + edit.0, sum.1 + edit.1);
        }
    }
}
