//! On a small file of every language: it is understood, and what the grammar allows is valid.

mod common;
#[path = "common/edits.rs"]
mod edits;
#[path = "common/samples.rs"]
mod files;

use common::check;
use edits::{Row, sample};
use files::samples;

#[test]
fn samples_are_understood() {
    for (language, text) in samples() {
        let parsed = check(language.name, &text);
        assert_eq!(parsed.errors, 0, "{}", language.name);
        assert_eq!(parsed.matched, parsed.rules, "{}", language.name);
        assert!(parsed.rules > 5, "{}", language.name);
    }
}

/// The same bytes give the same tree.
#[test]
fn trees_are_deterministic() {
    for (language, text) in samples() {
        let shape = |parsed: &nub_syntax::treesitter::Parsed| {
            let tree = &parsed.tree;
            let describe = |node| {
                format!("{:?} {} {:?} {}", tree.kind(node), tree.name(node), tree.span(node), tree.replacement(node))
            };
            common::pre_order(tree).into_iter().map(describe).collect::<Vec<_>>()
        };
        assert_eq!(shape(&check(language.name, &text)), shape(&check(language.name, &text)));
    }
}

/// Sampled edits that the grammar allows. Real files are in the table of the README; the samples here squeeze every
/// feature of a language into a few lines, which is harder.
#[test]
fn allowed_edits_are_valid() {
    let mut total = (0, 0);
    for (language, text) in samples() {
        let mut row = Row::default();
        sample(language, &text, &mut row, 60, None);
        let (tried, valid) = row.edits.iter().fold((0, 0), |sum, edit| (sum.0 + edit.0, sum.1 + edit.1));
        assert!(valid * 100 >= tried * 90, "{}: {valid} of {tried} edits are valid", language.name);
        total = (total.0 + tried, total.1 + valid);
    }
    assert!(total.1 * 100 >= total.0 * 99, "{} of {} edits are valid", total.1, total.0);
}
