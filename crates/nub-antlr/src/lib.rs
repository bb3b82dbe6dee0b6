//! ANTLR v4 grammars at run time.

pub mod atn;
pub mod check;
mod compiled;
mod engine;
pub mod format;
pub mod g4;
mod grammar;
mod input;
mod lexer;
mod parser;
mod predict;
mod recover;
pub mod semantics;
pub mod shortest;
mod token;
pub mod tree;
mod vocabulary;

pub use compiled::{Compiled, LexerGrammar, ParserGrammar};
pub use engine::{Engine, Statistics};
pub use g4::{Diagnostic, Severity};
pub use grammar::{Grammar, LoadError};
pub use input::Input;
pub use lexer::{Cursor, Looking, Place};
pub use parser::ParseOptions;
pub use token::{Origin, SyntaxError, Token};
pub use tree::{NodeId, NodeKind, ParseTree};
pub use vocabulary::Vocabulary;
