//! stub
use crate::{atn::CodeId, compiled::Compiled, input::Input, lexer::{Cursor, Looking}, parser::Frame, token::Token, tree::Builder};
#[derive(Debug, Default)]
pub struct LexerSemantics {}
impl LexerSemantics {
    pub(crate) fn reset(&mut self) {}
    pub(crate) fn predicate(&mut self, _code: CodeId, _at: &Looking<'_, '_>) -> bool { true }
    pub(crate) fn action(&mut self, _code: CodeId, _cursor: &mut Cursor<'_>) {}
    pub(crate) fn emitted(&mut self, _token: &Token, _cursor: &mut Cursor<'_>) {}
    pub(crate) fn at_end(&mut self, _cursor: &mut Cursor<'_>) {}
    pub(crate) fn filter(&mut self, tokens: Vec<Token>, _input: &Input<'_>) -> Vec<Token> { tokens }
}
#[derive(Debug, Default)]
pub struct ParserSemantics {}
#[derive(Debug)]
pub struct ParserView<'a> {
    pub grammar: &'a Compiled,
    pub source: &'a [u8],
    pub tokens: &'a [Token],
    pub stream: &'a [u32],
    pub at: usize,
    pub(crate) tree: &'a Builder,
    pub(crate) frames: &'a [Frame],
}
impl ParserSemantics {
    pub(crate) fn reset(&mut self) {}
    pub(crate) fn has_actions(&self) -> bool { false }
    pub(crate) fn predicate(&mut self, _code: CodeId, _view: &ParserView<'_>) -> bool { true }
    pub(crate) fn action(&mut self, _code: CodeId, _view: &ParserView<'_>) {}
}
#[derive(Debug, Default)]
pub struct Semantics { pub(crate) lexer: LexerSemantics, pub(crate) parser: ParserSemantics }
