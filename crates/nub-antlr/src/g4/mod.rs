//! The grammar language, from text to syntax tree.
//!
//! Everything that can be checked in one file without knowing the others is checked here.

pub mod ast;
mod charset;
mod error;
mod escape;
mod lexer;
mod parser;
mod scan;
mod source;
mod unicode;

pub(crate) use error::Report;
pub use error::{Diagnostic, Severity};
pub(crate) use parser::parse;
pub(crate) use source::{Source, Sources};

/// Decodes a literal as written, with its quotes.
pub(crate) fn decode(written: &str) -> ast::Literal {
    charset::literal(written, &mut Vec::new())
}
