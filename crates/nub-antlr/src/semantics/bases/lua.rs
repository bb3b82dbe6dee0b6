//! Lua: long comments.

use crate::{
    atn::EOF,
    lexer::{Cursor, Looking},
    semantics::{LexerBase, Names, ParserBase, ParserView, Value},
    token::SyntaxError,
};

/// Comments with long brackets of any level; the action reads them itself.
#[derive(Debug, Default)]
pub(in crate::semantics) struct Lexer;

impl Lexer {
    /// Reads a bracket and its equals signs. Returns the level plus 2 if the second bracket follows, which is not
    /// consumed.
    fn separator(cursor: &Cursor<'_>, at: &mut usize) -> usize {
        let bracket = cursor.input.at(*at);
        *at += 1;
        let signs = *at;
        while cursor.input.at(*at) == i32::from(b'=') {
            *at += 1;
        }
        let level = *at - signs;
        match (cursor.input.at(*at) == bracket, level) {
            (true, _) => level + 2,
            (false, 0) => 1,
            (false, _) => 0,
        }
    }

    fn comment(cursor: &mut Cursor<'_>) {
        let (line, column) = (cursor.line, cursor.column.saturating_sub(2));
        let mut at = cursor.position;
        if cursor.input.at(at) == i32::from(b'[') {
            let level = Self::separator(cursor, &mut at);
            if level >= 2 {
                at += 1;
                loop {
                    let character = cursor.input.at(at);
                    if character == EOF {
                        let message = "unfinished long comment".to_owned();
                        cursor.errors.push(SyntaxError { line, column, message });
                        break;
                    }
                    if character != i32::from(b']') {
                        at += 1;
                    } else if Self::separator(cursor, &mut at) == level {
                        at += 1;
                        break;
                    }
                }
                return cursor.advance(at);
            }
        }
        while ![EOF, i32::from(b'\n')].contains(&cursor.input.at(at)) {
            at += 1;
        }
        cursor.advance(at);
    }
}

impl LexerBase for Lexer {
    fn methods(&self) -> &'static [&'static str] {
        &["handlecomment", "isline1col0"]
    }

    fn reset(&mut self) {}

    fn predicate(&mut self, method: &str, _arguments: &[Value], at: &Looking<'_, '_>) -> bool {
        method != "isline1col0" || at.position == 1
    }

    fn action(&mut self, method: &str, _arguments: &[Value], cursor: &mut Cursor<'_>) {
        if method == "handlecomment" {
            Self::comment(cursor);
        }
    }
}

/// Function calls.
#[derive(Debug)]
pub(in crate::semantics) struct Parser {
    name: i32,
    open: Vec<i32>,
}

impl Parser {
    pub(in crate::semantics) fn new(names: &Names) -> Self {
        Self { name: names.token("NAME"), open: names.tokens(&["OP"]) }
    }
}

impl ParserBase for Parser {
    fn methods(&self) -> &'static [&'static str] {
        &["isfunctioncall"]
    }

    fn predicate(&mut self, _method: &str, _arguments: &[Value], view: &ParserView<'_>) -> bool {
        view.kind(1) == self.name && !self.open.contains(&view.kind(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Input;

    #[test]
    fn a_comment_ends_at_its_own_bracket_or_line() {
        for (source, length) in [("--[==[ ]] ]==] x", 14), ("--[[ a\n]] x", 9), ("-- a\nx", 4), ("--[= a\nx", 6)] {
            let input = Input::new(source.as_bytes());
            let mut cursor = Cursor::new(&input, 0);
            cursor.advance(2);
            Lexer.action("handlecomment", &[], &mut cursor);
            assert_eq!(cursor.position, length, "{source}");
            assert!(cursor.errors.is_empty());
        }
    }
}
