//! The grammar language: text to syntax tree.
//!
//! Everything that can be said about one file without knowing the others happens here.

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

/// The literal that was written like this, with its quotes.
pub(crate) fn decode(written: &str) -> ast::Literal {
    charset::literal(written, &mut Vec::new())
}
