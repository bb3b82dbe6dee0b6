//! Tokens.

use std::ops::Range;

/// How a token came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A lexer rule matched it, and the parser may see it.
    Matched,
    /// A lexer rule matched it and threw it away (`skip`).
    Skipped,
    /// No lexer rule matched here.
    Error,
    /// Error recovery inserted it: it has no text.
    Missing,
}

/// A piece of the input. The tokens of a lexer cover it without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    /// Its type: an index into the [`Vocabulary`](crate::Vocabulary), [`EOF`](crate::atn::EOF), or 0 for none.
    pub kind: i32,
    /// Its channel; the parser sees channel 0.
    pub channel: u32,
    /// Its first byte.
    pub start: u32,
    /// The byte after it.
    pub end: u32,
    /// The line of its first character, from 1.
    pub line: u32,
    /// The column of its first character, from 0, in code points.
    pub column: u32,
    /// How it came about.
    pub origin: Origin,
}

impl Token {
    /// Its bytes.
    pub fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether the parser sees it.
    pub fn visible(&self) -> bool {
        self.channel == 0 && self.origin == Origin::Matched
    }
}

/// A mistake in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 0, in code points.
    pub column: u32,
    /// What is wrong, as ANTLR words it.
    pub message: String,
}

impl std::fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}:{} {}", self.line, self.column, self.message)
    }
}
