//! The syntax of YACC files, with what Bison has added to it.
//!
//! [`scan`] cuts the text into words, [`parse`] makes an [`ast::File`] of them. Actions are kept as places where something
//! happens, and for nothing else; declarations that are about the generated program (`%union`, `%code`, `%define`, …)
//! are read over.

pub(crate) mod ast;
pub(crate) mod parse;
mod scan;
