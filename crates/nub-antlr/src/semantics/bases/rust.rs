//! Rust: numbers with dots.

use crate::{
    atn::EOF,
    lexer::{Cursor, Looking},
    semantics::{LexerBase, Names, ParserBase, ParserView, Value},
    token::Token,
};

/// After one of these a dot is a field access, so no float can follow the dot.
const OPERAND_ENDS: [&str; 24] = [
    "CHAR_LITERAL",
    "STRING_LITERAL",
    "RAW_STRING_LITERAL",
    "BYTE_LITERAL",
    "BYTE_STRING_LITERAL",
    "RAW_BYTE_STRING_LITERAL",
    "INTEGER_LITERAL",
    "DEC_LITERAL",
    "HEX_LITERAL",
    "OCT_LITERAL",
    "BIN_LITERAL",
    "KW_SUPER",
    "KW_SELFVALUE",
    "KW_SELFTYPE",
    "KW_CRATE",
    "KW_DOLLARCRATE",
    "GT",
    "RCURLYBRACE",
    "RSQUAREBRACKET",
    "RPAREN",
    "KW_AWAIT",
    "NON_KEYWORD_IDENTIFIER",
    "RAW_IDENTIFIER",
    "KW_MACRORULES",
];

/// The form that a number may take depends on the two tokens before it.
#[derive(Debug)]
pub(in crate::semantics) struct Lexer {
    operand_ends: Vec<i32>,
    dot: i32,
    last: Option<i32>,
    before: Option<i32>,
}

impl Lexer {
    pub(in crate::semantics) fn new(names: &Names) -> Self {
        Self { operand_ends: names.tokens(&OPERAND_ENDS), dot: names.token("DOT"), last: None, before: None }
    }
}

impl LexerBase for Lexer {
    fn methods(&self) -> &'static [&'static str] {
        &["sof", "floatliteralpossible", "floatdotpossible"]
    }

    fn reset(&mut self) {
        (self.last, self.before) = (None, None);
    }

    fn predicate(&mut self, method: &str, _arguments: &[Value], at: &Looking<'_, '_>) -> bool {
        match method {
            "sof" => at.ahead(-1) <= 0,
            "floatliteralpossible" => match (self.last, self.before) {
                (Some(last), Some(before)) => last != self.dot || !self.operand_ends.contains(&before),
                _ => true,
            },
            "floatdotpossible" => {
                let [next, second, third] = [1, 2, 3].map(|distance| match at.ahead(distance) {
                    EOF => '\0',
                    other => u32::try_from(other).ok().and_then(char::from_u32).unwrap_or('\0'),
                });
                match next {
                    '.' | '_' => false,
                    'f' => matches!((second, third), ('3', '2') | ('6', '4')),
                    next => !next.is_ascii_alphabetic(),
                }
            }
            _ => true,
        }
    }

    fn emitted(&mut self, token: &Token, _cursor: &mut Cursor<'_>) {
        if token.channel == 0 {
            self.before = self.last.replace(token.kind);
        }
    }
}

/// Operators of two characters.
#[derive(Debug)]
pub(in crate::semantics) struct Parser {
    less: i32,
    greater: i32,
}

impl Parser {
    pub(in crate::semantics) fn new(names: &Names) -> Self {
        Self { less: names.token("LT"), greater: names.token("GT") }
    }
}

impl ParserBase for Parser {
    fn methods(&self) -> &'static [&'static str] {
        &["nextlt", "nextgt"]
    }

    fn predicate(&mut self, method: &str, _arguments: &[Value], view: &ParserView<'_>) -> bool {
        view.kind(1) == if method == "nextlt" { self.less } else { self.greater }
    }
}
