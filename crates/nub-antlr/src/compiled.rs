//! A grammar, ready to run: the result of the front end and the input of the engine.

use crate::{Vocabulary, atn::Atn};

/// The lexer of a grammar.
#[derive(Clone, Debug)]
pub struct LexerGrammar {
    /// The name of the grammar.
    pub name: String,
    /// The option `superClass`, which selects built-in semantics of predicates and actions.
    pub super_class: Option<String>,
    /// Its network.
    pub atn: Atn,
    /// The modes by number; the first is `DEFAULT_MODE`.
    pub modes: Vec<String>,
    /// The channels by number; `DEFAULT_TOKEN_CHANNEL` is 0, `HIDDEN` is 1, and those of `channels { … }` start at 2.
    pub channels: Vec<String>,
}

/// The parser of a grammar.
#[derive(Clone, Debug)]
pub struct ParserGrammar {
    /// The name of the grammar.
    pub name: String,
    /// The option `superClass`.
    pub super_class: Option<String>,
    /// Its network.
    pub atn: Atn,
}

/// A lexer and a parser that belong together.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The lexer.
    pub lexer: LexerGrammar,
    /// The parser.
    pub parser: ParserGrammar,
    /// The names of the tokens of both.
    pub vocabulary: Vocabulary,
}
