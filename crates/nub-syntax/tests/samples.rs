//! A small file of every language is understood, and the changes its grammar allows are valid.

mod common;
#[path = "common/samples.rs"]
mod files;

use common::check;
use files::samples;
use nub_core::tree::{Spacing, prepare};
use nub_syntax::treesitter::{Checker, single_changes};

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

/// All single changes that the grammar allows, written as a search writes them. The evaluation (`validity`) has the
/// figures for real files. The samples here squeeze every feature of a language into a few lines, which is harder.
#[test]
fn allowed_changes_are_valid() {
    let mut total = (0, 0);
    for (language, text) in samples() {
        let mut parsed = check(language.name, &text);
        prepare::all(&mut parsed.tree);
        let checker = Checker::new(language, text).expect("it can be parsed");
        let (state, changes) = (parsed.tree.initial_state(), single_changes(&parsed.tree, &parsed.syntax));
        let is_valid = |change| {
            let mut edited = vec![];
            let sink = &mut |bytes: &[u8]| edited.extend_from_slice(bytes);
            parsed.tree.unparse(&state, change, Spacing::Original, sink);
            checker.accepts(&edited)
        };
        let (tried, valid) = (changes.len(), changes.iter().filter(|(.., change)| is_valid(change)).count());
        assert!(valid * 100 >= tried * 90, "{}: {valid} of {tried} changes are valid", language.name);
        total = (total.0 + tried, total.1 + valid);
    }
    assert!(total.1 * 100 >= total.0 * 99, "{} of {} changes are valid", total.1, total.0);
}
