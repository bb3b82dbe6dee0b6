//! ANTLR v4 grammars at run time.

pub mod atn;
mod compiled;
mod vocabulary;

pub use compiled::{Compiled, LexerGrammar, ParserGrammar};
pub use vocabulary::Vocabulary;
