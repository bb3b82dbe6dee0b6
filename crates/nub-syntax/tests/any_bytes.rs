//! Any bytes give a tree, without loss and without panics.

mod common;
#[path = "common/samples.rs"]
mod files;

use common::check;
use files::samples;
use nub_core::tree::prepare;
use nub_syntax::{detect, treesitter::language};
use proptest::prelude::*;

/// A few languages of each kind: brackets, indentation, scanners written in C.
const SOME: [&str; 8] = ["json", "c", "javascript", "python", "rust", "html", "yaml", "ruby"];

/// Changes to a sample: at a position (per mille), remove this many bytes and insert these.
fn mutations() -> impl Strategy<Value = Vec<(usize, usize, Vec<u8>)>> {
    let bytes = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..4),
        proptest::sample::select(vec![
            "{", "}", "(", "\"", "'", "\n", "\r\n", "\0", "\u{feff}", "/*", "<<E", "é", "\t", "```", "\\"
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    proptest::collection::vec((0..1000usize, 0..20usize, bytes), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for name in SOME.into_iter().filter(|name| language(name).is_some()) {
            check(name, &bytes);
        }
        detect(None, &bytes);
    }

    #[test]
    fn mutated_samples(mutations in mutations(), pick in any::<prop::sample::Index>()) {
        let samples = samples();
        prop_assume!(!samples.is_empty());
        let (language, mut text) = samples[pick.index(samples.len())].clone();
        for (place, length, new) in mutations {
            let at = place * text.len() / 1000;
            text.splice(at..text.len().min(at + length), new);
        }
        let mut parsed = check(language.name, &text);
        prepare::remove_empty(&mut parsed.tree);
        prepare::flatten_recursion(&mut parsed.tree);
        prepare::squeeze(&mut parsed.tree);
        prepare::skip_unremovable(&mut parsed.tree);
    }
}

#[test]
fn empty_inputs() {
    for language in nub_syntax::treesitter::languages() {
        check(language.name, b"");
        check(language.name, b"\n \t\r\n");
    }
}

#[test]
#[cfg(feature = "json")]
fn deep_nesting() {
    let depth = 100_000;
    let json = "[".repeat(depth) + &"]".repeat(depth);
    assert_eq!(check("json", json.as_bytes()).errors, 0);
    let open = "[".repeat(depth);
    assert!(check("json", open.as_bytes()).errors > 0);
}

#[test]
#[cfg(feature = "json")]
fn errors_are_lists() {
    use nub_core::tree::Kind;
    let parsed = check("json", b"{\"a\": 1, ]] 2: }");
    assert!(parsed.errors > 0);
    let nodes = common::pre_order(&parsed.tree);
    let error = nodes.iter().find(|&&node| parsed.tree.name(node) == "ERROR").expect("there is one");
    assert_eq!(parsed.tree.replacement(*error), "");
    let removable = |node| matches!(parsed.tree.kind(node), Kind::Quantified | Kind::Error);
    assert!(parsed.tree.children(*error).all(removable));
}
