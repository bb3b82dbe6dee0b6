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
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--edits" => count = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(count),
            "--verbose" => verbose = true,
            path => {
                let Ok(input) = std::fs::read(path) else { continue };
                let Some(language) = detect(Some(Path::new(path)), &input) else { continue };
                let row = rows.entry(language.name).or_default();
                sample(language, &input, row, count, verbose.then_some(path));
            }
        }
    }
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    println!("| language | files | bytes | nodes | errors | matched | {} | valid |", EDITS.join(" | "));
    println!("|---|---|---|---|---|---|{}---|", "---|".repeat(EDITS.len()));
    let mut total = (0, 0);
    for (name, row) in &rows {
        let edits: Vec<String> = row.edits.iter().map(|(tried, valid)| format!("{valid}/{tried}")).collect();
        let (tried, valid) = row.edits.iter().fold((0, 0), |sum, edit| (sum.0 + edit.0, sum.1 + edit.1));
        total = (total.0 + tried, total.1 + valid);
        let Row { files, bytes, nodes, errors, rules, matched, .. } = row;
        let (matched, valid) = (share(*matched, *rules), share(valid, tried));
        println!(
            "| {name} | {files} | {bytes} | {nodes} | {errors} | {matched:.2} % | {} | {valid:.2} % |",
            edits.join(" | ")
        );
    }
    println!("\n{} of {} edits are valid: {:.3} %", total.1, total.0, share(total.1, total.0));
}
