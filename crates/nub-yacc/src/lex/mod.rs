//! The syntax of lex files, as lex and flex read them.
//!
//! [`read`] takes the file apart: definitions, start conditions, rules. [`pattern`] reads regular expressions, which are
//! about bytes and have operators of their own. An action is code, and nothing of it is ever run; [`action`] finds out
//! which token it returns and which start condition it goes to, and says so where it cannot.

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
    /// What has to follow, without being part of the token: `main/trailing`.
    pub(crate) trailing: Option<Hir>,
    /// Whether it matches only at the start of a line.
    pub(crate) at_line_start: bool,
}

/// Which token an action returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Returned {
    /// None: the text is dropped, or is a part of the next token.
    Nothing,
    /// This one.
    Token(TokenId),
    /// The one that is written like the first character of the text.
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
    /// `yymore()`: the text is the beginning of the next token's.
    pub(crate) more: bool,
    /// `yyless(n)`: only so many bytes are used.
    pub(crate) less: Option<usize>,
    /// The code reads on by itself, up to this text.
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
    /// The start conditions in which it holds.
    pub(crate) conditions: Vec<usize>,
    pub(crate) pattern: Pattern,
    pub(crate) act: Act,
    /// Where it is in the file; nowhere if the grammar implies it.
    pub(crate) span: Range<usize>,
    /// What the file says is its shortest text.
    pub(crate) shortest: Option<String>,
}

/// The rules of a lexer.
#[derive(Clone, Debug, Default)]
pub(crate) struct LexRules {
    pub(crate) rules: Vec<LexRule>,
    /// How many start conditions there are.
    pub(crate) conditions: usize,
    /// What happens at the end of the input, by start condition.
    pub(crate) at_end: HashMap<usize, Act>,
}
