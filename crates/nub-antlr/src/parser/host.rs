//! The state of a running parser, apart from the network.

use super::frames::{Frame, context};
use crate::{
    atn::CodeId,
    compiled::Compiled,
    predict::{
        Host,
        context::{ContextId, Contexts},
        net::Net,
    },
    semantics::{ParserSemantics, ParserView},
    token::{SyntaxError, Token},
    tree::{Builder, NodeId, NodeKind},
};

/// The state of a running parser.
#[derive(Debug)]
pub(crate) struct Core<'p> {
    pub(crate) grammar: &'p Compiled,
    pub(crate) source: &'p [u8],
    pub(crate) semantics: &'p mut ParserSemantics,
    /// All tokens.
    pub(crate) tokens: Vec<Token>,
    /// The tokens that the parser sees, as indices into `tokens`, and their types. The last is the end.
    pub(crate) stream: Vec<u32>,
    pub(crate) kinds: Vec<i32>,
    /// The index of the current token in `stream`.
    pub(crate) at: usize,
    pub(crate) frames: Vec<Frame>,
    pub(crate) tree: Builder,
    /// Open quantifier nodes, and the states at which they end.
    pub(super) marks: Vec<(NodeId, u32)>,
    pub(crate) errors: Vec<SyntaxError>,
}

impl Core<'_> {
    /// The parent of the next child.
    pub(crate) fn node(&self) -> Option<NodeId> {
        let frame = self.frames.last()?;
        let mark = self.marks.get(frame.marks..).and_then(<[_]>::last);
        Some(mark.map_or(frame.node, |&(node, _)| node))
    }

    /// The type of a token relative to the current one.
    #[inline]
    pub(crate) fn kind(&self, distance: usize) -> i32 {
        self.kinds.get(self.at + distance).or(self.kinds.last()).copied().unwrap_or(crate::atn::EOF)
    }

    /// The index of the current token.
    pub(crate) fn current(&self) -> u32 {
        self.stream[self.at.min(self.stream.len() - 1)]
    }

    /// Moves the current token into the tree. The end of the input stays current.
    pub(crate) fn consume(&mut self, error: bool) {
        let token = self.current();
        let kind = if error { NodeKind::Error(token) } else { NodeKind::Token(token) };
        if let Some(node) = self.node() {
            self.tree.add(Some(node), kind);
        }
        if self.at + 1 < self.stream.len() {
            self.at += 1;
        }
    }

    /// Whether a predicate holds at the current token.
    pub(crate) fn holds(&mut self, code: CodeId) -> bool {
        let view = ParserView {
            grammar: self.grammar,
            source: self.source,
            tokens: &self.tokens,
            stream: &self.stream,
            at: self.at,
            tree: &self.tree,
            frames: &self.frames,
        };
        self.semantics.predicate(code, &view)
    }

    /// Runs an action of the grammar.
    pub(crate) fn act(&mut self, code: CodeId) {
        if !self.semantics.has_actions() {
            return;
        }
        let view = ParserView {
            grammar: self.grammar,
            source: self.source,
            tokens: &self.tokens,
            stream: &self.stream,
            at: self.at,
            tree: &self.tree,
            frames: &self.frames,
        };
        self.semantics.action(code, &view);
    }
}

impl Host for Core<'_> {
    #[inline]
    fn token(&self, distance: usize) -> i32 {
        self.kind(distance)
    }

    fn predicate(&mut self, code: u32) -> bool {
        self.holds(CodeId(code))
    }

    fn precedence(&self) -> u32 {
        self.frames.last().map_or(0, |frame| frame.precedence)
    }

    fn stack(&mut self, contexts: &mut Contexts, net: &Net) -> ContextId {
        context(&mut self.frames, contexts, net)
    }
}
