//! Helpers shared by the tests.

mod pre_order;

use nub_syntax::treesitter::{Parsed, language, parse};
pub(crate) use pre_order::pre_order;

/// Parses an input and checks the invariants of every tree: tokens are in order and apart, so that tokens and gaps are
/// the input; a node covers its children; the grammar's view fits the tree.
pub(crate) fn check(name: &str, input: &[u8]) -> Parsed {
    let language = language(name).expect("built in");
    let parsed = parse(language, input).expect("any bytes are accepted");
    let Parsed { tree, syntax, .. } = &parsed;
    assert_eq!(&**tree.input(), input);
    let mut end = 0;
    let mut rebuilt = vec![];
    for node in pre_order(tree) {
        let span = tree.span(node);
        if tree.kind(node).is_token() {
            assert!(end <= span.start && span.start <= span.end && span.end <= input.len(), "{name}: {span:?}");
            rebuilt.extend_from_slice(&input[end..span.start]);
            rebuilt.extend_from_slice(tree.text(node));
            end = span.end;
        }
        for child in tree.children(node) {
            let inner = tree.span(child);
            assert!(span.start <= inner.start && inner.end <= span.end, "{name}: {inner:?} in {span:?}");
        }
        let children = syntax.children(node);
        assert!(children.iter().all(|&child| syntax.parent(child) == Some(node)));
        if syntax.is_matched(node) {
            assert!(syntax.accepts(node, children), "{name}: {}", tree.name(node));
        }
    }
    rebuilt.extend_from_slice(&input[end..]);
    assert_eq!(rebuilt, input);
    parsed
}
