//! The syntax of YACC files, with Bison's extensions.
//!
//! [`scan`] splits the text into words, and [`parse`] builds an [`ast::File`] from them. Of an action, only the
//! position is kept. Declarations about the generated program (`%union`, `%code`, `%define`, …) are skipped.

pub(crate) mod ast;
pub(crate) mod parse;
mod scan;
