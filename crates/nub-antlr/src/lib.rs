//! ANTLR v4 grammars at run time.

pub mod atn;
mod compiled;
pub mod g4;
mod grammar;
mod vocabulary;

pub use compiled::{Compiled, LexerGrammar, ParserGrammar};
pub use g4::{Diagnostic, Severity};
pub use grammar::{Grammar, LoadError};
pub use vocabulary::Vocabulary;
