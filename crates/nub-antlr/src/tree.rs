//! Parse trees.

mod builder;
mod lisp;
mod spans;

pub(crate) use builder::Builder;

use crate::{
    atn::{Quantifier, RuleId},
    compiled::Compiled,
    token::{SyntaxError, Token},
};
use std::{ops::Range, sync::Arc};

/// A node of a [`ParseTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// Its number, from 0; the root is 0 unless left recursion wrapped it.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// A rule and what it matched.
    Rule(RuleId),
    /// A token: an index into [`ParseTree::tokens`].
    Token(u32),
    /// A token that does not belong here, or one that recovery inserted.
    Error(u32),
    /// One iteration of a quantified part of a rule.
    Quantifier(Quantifier),
}

/// No node.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    kind: NodeKind,
    parent: u32,
    first: u32,
    last: u32,
    next: u32,
}

/// The result of parsing an input.
#[derive(Clone, Debug)]
pub struct ParseTree {
    grammar: Arc<Compiled>,
    source: Vec<u8>,
    nodes: Vec<Node>,
    root: NodeId,
    tokens: Vec<Token>,
    errors: Vec<SyntaxError>,
    rest: Range<usize>,
}

impl ParseTree {
    pub(crate) fn new(
        grammar: Arc<Compiled>,
        source: Vec<u8>,
        builder: Builder,
        tokens: Vec<Token>,
        errors: Vec<SyntaxError>,
        rest: Range<usize>,
    ) -> Self {
        let (nodes, root) = builder.finish();
        Self { grammar, source, nodes, root, tokens, errors, rest }
    }

    /// The node of the start rule.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false: there is always a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The kind of a node.
    pub fn kind(&self, node: NodeId) -> NodeKind {
        self.nodes[node.index()].kind
    }

    /// The rule of a node, if it is a rule node.
    pub fn rule(&self, node: NodeId) -> Option<RuleId> {
        match self.kind(node) {
            NodeKind::Rule(rule) => Some(rule),
            _ => None,
        }
    }

    /// The name of the rule of a node, if it is a rule node.
    pub fn rule_name(&self, node: NodeId) -> Option<&str> {
        self.rule(node).map(|rule| &self.grammar.parser.atn.rules[rule.index()].name[..])
    }

    /// The token of a node, if it is a token node.
    pub fn token(&self, node: NodeId) -> Option<&Token> {
        match self.kind(node) {
            NodeKind::Token(token) | NodeKind::Error(token) => self.tokens.get(token as usize),
            _ => None,
        }
    }

    /// The parent of a node.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        some(self.nodes[node.index()].parent)
    }

    /// The children of a node, in order.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(some(self.nodes[node.index()].first), |child| some(self.nodes[child.index()].next))
    }

    /// The first child of a node.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        some(self.nodes[node.index()].first)
    }

    /// The next node with the same parent.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        some(self.nodes[node.index()].next)
    }

    /// All tokens, including hidden and skipped ones and errors; after the end of the input come those that recovery
    /// inserted. Up to the end of the input they cover everything without gaps.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The errors in the input, those of the lexer first.
    pub fn errors(&self) -> &[SyntaxError] {
        &self.errors
    }

    /// The tokens that a start rule without `EOF` left unread: indices into [`tokens`](Self::tokens).
    pub fn rest(&self) -> Range<usize> {
        self.rest.clone()
    }

    /// The input.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// The grammar.
    pub fn grammar(&self) -> &Compiled {
        &self.grammar
    }

    /// The text of a token: `<EOF>` for the end, `<missing X>` for one that recovery inserted.
    pub fn text(&self, token: &Token) -> String {
        crate::parser::token_text(token, &self.source, &self.grammar.vocabulary)
    }

    /// Visits a subtree in depth-first order, without recursion.
    pub fn visit(&self, from: NodeId, visitor: &mut impl Visitor) {
        let mut at = from;
        loop {
            visitor.enter(self, at);
            if let Some(child) = self.first_child(at) {
                at = child;
                continue;
            }
            loop {
                visitor.leave(self, at);
                if at == from {
                    return;
                }
                if let Some(next) = self.next_sibling(at) {
                    at = next;
                    break;
                }
                match self.parent(at) {
                    Some(parent) => at = parent,
                    None => return,
                }
            }
        }
    }
}

fn some(node: u32) -> Option<NodeId> {
    (node != NONE).then_some(NodeId(node))
}

/// A visitor of a tree: see [`ParseTree::visit`].
pub trait Visitor {
    /// Before the children of a node.
    fn enter(&mut self, tree: &ParseTree, node: NodeId);
    /// After the children of a node.
    fn leave(&mut self, _tree: &ParseTree, _node: NodeId) {}
}
