//! Rules with all names resolved, from which networks are built.
//!
//! At this point blocks of single tokens have become sets, and left recursion has become loops; ANTLR's tool does both
//! before it builds its network.

use crate::{
    atn::{ActionId, CodeId, IntervalSet, LexerCommand, Quantifier, RuleId},
    g4::ast::Span,
};

/// A rule.
pub(crate) struct RuleIr {
    pub(crate) name: String,
    pub(crate) alternatives: Vec<AltIr>,
    pub(crate) left_recursive: bool,
    pub(crate) token_type: i32,
    pub(crate) fragment: bool,
    /// The number of its mode, for a lexer rule.
    pub(crate) mode: usize,
}

/// An alternative.
#[derive(Default)]
pub(crate) struct AltIr {
    pub(crate) nodes: Vec<Node>,
    pub(crate) commands: Vec<LexerCommand>,
}

/// An element of an alternative. A loop that the author wrote knows its place.
pub(crate) enum Node {
    /// One character or token.
    Match(Match),
    /// A literal in a lexer: several characters in sequence.
    Sequence(Vec<Match>),
    Call {
        rule: RuleId,
        precedence: u32,
    },
    Predicate(CodeId),
    Precedence(u32),
    Action(Option<ActionId>),
    Block(Vec<AltIr>),
    Loop {
        alternatives: Vec<AltIr>,
        quantifier: Quantifier,
        greedy: bool,
        written: Option<Span>,
    },
}

/// What one character or token must be.
#[derive(Clone)]
pub(crate) enum Match {
    Atom(i32),
    Set(IntervalSet),
    NotSet(IntervalSet),
    Wildcard,
}
