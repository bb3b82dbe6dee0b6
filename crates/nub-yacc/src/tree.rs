//! Parse trees.

use crate::{
    grammar::{Grammar, ProductionId, Symbol, TokenId},
    lalr::StateId,
};
use std::{fmt, ops::Range};

/// What the lexer did with a piece of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A token for the parser.
    Matched,
    /// Whitespace, comments and the like, hidden from the parser.
    Skipped,
    /// No lexer rule matches it.
    Unknown,
}

/// A piece of the input. Together, the lexemes cover it without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// The token; `None` if it is hidden from the parser or the grammar does not have it.
    pub token: Option<TokenId>,
    /// The position.
    pub span: Range<usize>,
    /// What the lexer did with it.
    pub origin: Origin,
}

/// A node of a [`ParseTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// A rule, by one of its productions.
    Rule(ProductionId),
    /// A token: the index of a lexeme.
    Token(u32),
    /// A token that is missing, but that the parser needed to continue.
    Missing(TokenId),
    /// The end of the input, if a rule mentions it.
    End,
    /// What the parser could not make sense of, as a plain list.
    Error,
}

#[derive(Clone, Debug)]
struct Node {
    kind: NodeKind,
    children: Range<u32>,
    /// The parser's state before it.
    state: StateId,
}

/// A syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}:{}: {}", self.line, self.column, self.message)
    }
}

/// The parse tree of an input, which may have errors.
#[derive(Clone, Debug)]
pub struct ParseTree {
    nodes: Vec<Node>,
    lists: Vec<NodeId>,
    root: NodeId,
    pub(crate) lexemes: Vec<Lexeme>,
    pub(crate) errors: Vec<SyntaxError>,
}

impl ParseTree {
    pub(crate) fn new(lexemes: Vec<Lexeme>) -> Self {
        Self { nodes: vec![], lists: vec![], root: NodeId(0), lexemes, errors: vec![] }
    }

    pub(crate) fn add(&mut self, kind: NodeKind, state: StateId, children: &[NodeId]) -> NodeId {
        let first = self.lists.len() as u32;
        self.lists.extend_from_slice(children);
        self.nodes.push(Node { kind, children: first..self.lists.len() as u32, state });
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub(crate) fn set_root(&mut self, root: NodeId) {
        self.root = root;
    }

    /// The topmost node.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// What a node is.
    pub fn kind(&self, node: NodeId) -> NodeKind {
        self.nodes[node.0 as usize].kind
    }

    /// The children of a node, in order.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        let Range { start, end } = self.nodes[node.0 as usize].children;
        &self.lists[start as usize..end as usize]
    }

    pub(crate) fn state(&self, node: NodeId) -> StateId {
        self.nodes[node.0 as usize].state
    }

    /// All nodes with the bytes they cover, from their first token to their last. Nodes without tokens have empty
    /// spans.
    pub fn spans(&self) -> impl Iterator<Item = (NodeId, Range<usize>)> {
        // Children come before their parents, so one traversal is enough.
        let mut spans: Vec<Range<usize>> = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let span = match node.kind {
                NodeKind::Token(lexeme) => self.lexemes[lexeme as usize].span.clone(),
                _ => {
                    let children = self.children(NodeId(index as u32)).iter();
                    let inner = children.map(|child| &spans[child.0 as usize]).filter(|span| !span.is_empty());
                    let union = inner.fold(None, |all: Option<Range<usize>>, span| match all {
                        Some(all) => Some(all.start..span.end),
                        None => Some(span.clone()),
                    });
                    union.unwrap_or(0..0)
                }
            };
            spans.push(span);
        }
        spans.into_iter().enumerate().map(|(index, span)| (NodeId(index as u32), span))
    }

    /// All pieces of the input, including those hidden from the parser.
    pub fn lexemes(&self) -> &[Lexeme] {
        &self.lexemes
    }

    /// The syntax errors.
    pub fn errors(&self) -> &[SyntaxError] {
        &self.errors
    }

    /// The tree as nested lists: `(sum (sum 1) + 2)`. Actions in the middle of an alternative are not shown.
    pub fn to_lisp(&self, grammar: &Grammar, input: &[u8]) -> String {
        let mut text = String::new();
        // What remains to be written: a node, or the end of a list.
        let mut stack = vec![Some(self.root)];
        while let Some(next) = stack.pop() {
            let Some(node) = next else {
                text.push(')');
                continue;
            };
            if !text.is_empty() && !self.is_action(grammar, node) {
                text.push(' ');
            }
            match self.kind(node) {
                NodeKind::Token(lexeme) => {
                    text += &String::from_utf8_lossy(&input[self.lexemes[lexeme as usize].span.clone()]);
                }
                NodeKind::End => text += "<end>",
                NodeKind::Missing(token) => {
                    text += "<missing ";
                    text += grammar.name(Symbol::Token(token));
                    text.push('>');
                }
                NodeKind::Error | NodeKind::Rule(_) if self.is_action(grammar, node) => {}
                kind @ (NodeKind::Error | NodeKind::Rule(_)) => {
                    text.push('(');
                    text += match kind {
                        NodeKind::Rule(production) => &grammar.rule(grammar.production(production).rule).name,
                        _ => "error",
                    };
                    stack.push(None);
                    stack.extend(self.children(node).iter().rev().copied().map(Some));
                }
            }
        }
        text
    }

    fn is_action(&self, grammar: &Grammar, node: NodeId) -> bool {
        match self.kind(node) {
            NodeKind::Rule(production) => grammar.rule(grammar.production(production).rule).is_action(),
            _ => false,
        }
    }
}

/// The line and column of a position, both from 1.
pub(crate) fn line_and_column(input: &[u8], at: usize) -> (usize, usize) {
    let before = &input[..at.min(input.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let characters = before[start..].utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len());
    (line, characters.sum::<usize>() + 1)
}
