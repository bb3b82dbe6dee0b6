//! The syntax of lex files, as lex and flex read them.
//!
//! [`read`] splits the file into definitions, start conditions and rules. [`pattern`] reads the regular expressions,
//! which match bytes and have operators of their own. Actions are code, which is never executed: [`action`] determines
//! which token an action returns and which start condition it enters, and warns where it cannot.

pub(crate) mod action;
pub(crate) mod pattern;
pub(crate) mod read;

use crate::grammar::TokenId;
use regex_syntax::hir::Hir;
use std::{collections::HashMap, ops::Range};

/// A regular expression.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub(crate) main: Hir,
    /// What has to follow without being part of the token: `main/trailing`.
    pub(crate) trailing: Option<Hir>,
    /// Whether it matches only at the start of a line.
    pub(crate) at_line_start: bool,
}

/// Which token an action returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Returned {
    /// None: the text is dropped or belongs to the next token.
    Nothing,
    /// This one.
    Token(TokenId),
    /// The one whose literal is the first character of the text.
    FirstByte,
    /// One that the grammar does not have.
    Unknown,
}

/// How an action changes the start condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begin {
    To(usize),
    Push(usize),
    Pop,
}

/// What an action does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Act {
    pub(crate) returned: Returned,
    pub(crate) begin: Option<Begin>,
    /// `yymore()`: the text becomes the beginning of the next token.
    pub(crate) more: bool,
    /// `yyless(n)`: only this many bytes are consumed.
    pub(crate) less: Option<usize>,
    /// The code reads up to and including this text by itself.
    pub(crate) until: Option<&'static str>,
}

impl Act {
    /// Drops the text.
    pub(crate) const SKIP: Self =
        Self { returned: Returned::Nothing, begin: None, more: false, less: None, until: None };
}

/// A rule of the lexer.
#[derive(Clone, Debug)]
pub(crate) struct LexRule {
    /// The start conditions in which it is active.
    pub(crate) conditions: Vec<usize>,
    pub(crate) pattern: Pattern,
    pub(crate) act: Act,
    /// The position in the file; empty if the rule comes from a literal of the grammar.
    pub(crate) span: Range<usize>,
    /// The shortest text, if the file gives one.
    pub(crate) shortest: Option<String>,
}

/// The rules of a lexer.
#[derive(Clone, Debug, Default)]
pub(crate) struct LexRules {
    pub(crate) rules: Vec<LexRule>,
    /// How many start conditions there are.
    pub(crate) conditions: usize,
    /// The actions at the end of the input, by start condition.
    pub(crate) at_end: HashMap<usize, Act>,
}
