//! Where nodes lie in the input.

use super::{NodeId, ParseTree, Visitor};
use std::ops::Range;

impl ParseTree {
    /// The bytes of each node, by [`NodeId::index`]: from its first token to its last. The range of a node without
    /// bytes is empty and lies after the preceding token.
    ///
    /// All spans are computed at once in a single walk; the span of one node alone would need a walk over its subtree.
    pub fn spans(&self) -> Vec<Range<usize>> {
        let mut spans = Spans { spans: vec![0..0; self.len()], open: Vec::new(), end: 0 };
        self.visit(self.root(), &mut spans);
        spans.spans
    }
}

struct Spans {
    spans: Vec<Range<usize>>,
    /// Nodes that have begun, but contain no bytes yet.
    open: Vec<NodeId>,
    /// The end of the last token with bytes.
    end: usize,
}

impl Visitor for Spans {
    fn enter(&mut self, tree: &ParseTree, node: NodeId) {
        self.open.push(node);
        if let Some(token) = tree.token(node).filter(|token| !token.span().is_empty()) {
            self.end = token.span().end;
            for node in self.open.drain(..) {
                self.spans[node.index()].start = token.span().start;
            }
        }
    }

    fn leave(&mut self, _tree: &ParseTree, node: NodeId) {
        // A node that is still open has no bytes, and it is the one that was opened last.
        if self.open.last() == Some(&node) {
            self.open.pop();
            self.spans[node.index()].start = self.end;
        }
        self.spans[node.index()].end = self.end;
    }
}

#[cfg(test)]
mod tests {
    use crate::Grammar;

    #[test]
    fn spans_go_from_the_first_token_to_the_last() {
        let text = "grammar T; s : e a e b EOF ; a : A e ; b : e | A ; e : ; A : 'a' ; WS : ' ' -> skip ;";
        let grammar = Grammar::from_sources(&[("T.g4", text)]).expect("a grammar");
        let tree = grammar.parse("s", b"  a  a ").expect("a rule");
        let spans = tree.spans();
        assert_eq!(tree.to_lisp(), "(s e (a a e) e (b a) <EOF>)");
        assert_eq!(spans[tree.root().index()], 2..6);
        let children: Vec<_> = tree.children(tree.root()).map(|child| spans[child.index()].clone()).collect();
        assert_eq!(children, [0..0, 2..3, 3..3, 5..6, 6..6]);
    }

    #[test]
    fn a_tree_without_bytes_has_empty_spans() {
        let grammar = Grammar::from_sources(&[("T.g4", "grammar T; s : s A | ; A : 'a' ;")]).expect("a grammar");
        let tree = grammar.parse("s", b"").expect("a rule");
        assert!(tree.spans().iter().all(|span| *span == (0..0)));
        let tree = grammar.parse("s", b"aa").expect("a rule");
        assert_eq!(tree.spans()[tree.root().index()], 0..2);
    }
}
