//! The languages with a tree-sitter parser.
//!
//! The parser builds the tree. Its `grammar.json`, converted into nub's own model, says how the tree may be edited.
//! Cargo features select the built-in languages.

mod checker;
mod compiled;
mod convert;
mod errors;
mod language;
mod parse;
mod reparse;
mod replacements;
mod single;
mod structure;
mod syntax;

pub use checker::{Checker, TextEdit};
pub use compiled::Compiled;
pub use convert::ConvertError;
pub use errors::{Errors, errors};
pub use language::{Language, language, languages};
pub use parse::{ParseError, Parsed, parse, parse_with};
pub use single::{ChangeKind, single_changes};
pub use syntax::Syntax;
