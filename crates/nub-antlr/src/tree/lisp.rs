//! Trees as text.

use super::{NodeId, NodeKind, ParseTree, Visitor};
use crate::{atn::Quantifier, lexer::escape};

impl ParseTree {
    /// The tree as ANTLR's `TestRig -tree` prints it: `(rule child child)`, and just the name for a node without
    /// children.
    pub fn to_lisp(&self) -> String {
        let mut printer = Printer { text: String::new() };
        self.visit(self.root(), &mut printer);
        printer.text
    }
}

struct Printer {
    text: String,
}

impl Visitor for Printer {
    fn enter(&mut self, tree: &ParseTree, node: NodeId) {
        if node != tree.root() {
            self.text.push(' ');
        }
        if tree.first_child(node).is_some() {
            self.text.push('(');
        }
        match tree.kind(node) {
            NodeKind::Rule(rule) => self.text.push_str(&tree.grammar().parser.atn.rules[rule.index()].name),
            NodeKind::Token(token) | NodeKind::Error(token) => {
                self.text.push_str(&escape(&tree.text(&tree.tokens()[token as usize])));
            }
            NodeKind::Quantifier(quantifier) => self.text.push(match quantifier {
                Quantifier::Optional => '?',
                Quantifier::Star => '*',
                Quantifier::Plus => '+',
            }),
        }
    }

    fn leave(&mut self, tree: &ParseTree, node: NodeId) {
        if tree.first_child(node).is_some() {
            self.text.push(')');
        }
    }
}
