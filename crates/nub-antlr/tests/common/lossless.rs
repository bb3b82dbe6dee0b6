//! Checks that no part of an input is lost.

use nub_antlr::{NodeKind, Origin, ParseTree};

/// Asserts that all bytes are in tokens, and that all tokens that the parser saw are in the tree, in order.
pub(crate) fn assert_lossless(tree: &ParseTree, source: &[u8]) {
    let end = tree.tokens().iter().position(|token| token.kind == nub_antlr::atn::EOF).expect("an end");
    let mut at = 0;
    for token in &tree.tokens()[..end] {
        assert_eq!(token.span().start, at, "there is a gap between tokens");
        at = token.span().end;
    }
    assert_eq!(at, source.len());
    let mut leaves = Vec::new();
    collect(tree, &mut leaves);
    let seen = leaves.iter().filter(|&&token| tree.tokens()[token].origin == Origin::Matched && token != end);
    let rest = tree.rest();
    let visible = (0..end).filter(|&token| tree.tokens()[token].visible() && !rest.contains(&token));
    assert!(seen.copied().eq(visible), "the leaves are not the visible tokens");
}

fn collect(tree: &ParseTree, leaves: &mut Vec<usize>) {
    let mut work = vec![tree.root()];
    while let Some(node) = work.pop() {
        match tree.kind(node) {
            NodeKind::Token(token) | NodeKind::Error(token) => leaves.push(token as usize),
            _ => {
                let children: Vec<_> = tree.children(node).collect();
                work.extend(children.into_iter().rev());
            }
        }
    }
}
