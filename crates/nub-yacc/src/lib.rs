//! YACC and lex at run time.

pub mod check;
mod code;
mod diagnostic;
pub mod grammar;
mod lalr;
mod language;
mod lex;
mod lexer;
mod parser;
mod spec;
mod tree;
mod yacc;

pub use diagnostic::{Diagnostic, LoadError, Severity};
pub use grammar::Grammar;
pub use lalr::Conflict;
pub use language::{Language, Place};
pub use tree::{Lexeme, NodeId, NodeKind, Origin, ParseTree, SyntaxError};
