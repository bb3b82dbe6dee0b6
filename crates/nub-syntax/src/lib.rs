//! From bytes to a [`nub_core::tree::Tree`], and everything that the grammar of its language says about such a tree.
//!
//! # One model, many front ends
//!
//! A grammar from any source becomes a [`grammar::Grammar`]: rules built from sequences, choices, repetitions, options
//! and tokens. Two things are derived from it, in the same way for all front ends:
//!
//! - [`grammar::Phi`]: the shortest text of every symbol, which replaces a removed node;
//! - [`grammar::Children`]: for each rule, an automaton over the kinds of its children. It answers the one question
//!   behind every edit that keeps an input well-formed: *is this list of children still a sentence of the rule?*
//!   Removing an element with its comma, dropping an option, replacing a node by a descendant: each is the same
//!   question about a different list.
//!
//! # User-defined grammars
//!
//! [`antlr`] reads ANTLR v4 grammars at run time and builds trees with them; [`yacc`] does the same with YACC and lex
//! files.
//!
//! # Tree-sitter
//!
//! [`treesitter`] has the built-in languages. [`treesitter::detect`] finds the language of a file.
//! [`treesitter::parse`] returns its tree and a [`treesitter::Syntax`], which knows the grammar symbol of every node. A
//! [`treesitter::Checker`] confirms with an incremental parse that an edit adds no error.
//!
//! ```
//! # #[cfg(feature = "json")] {
//! use nub_syntax::treesitter::{language, parse};
//!
//! let json = language("json").unwrap();
//! let parsed = parse(json, b"[1, {\"a\": 2}]").unwrap();
//! assert_eq!(parsed.errors, 0);
//! # }
//! ```

pub mod antlr;
mod diff;
pub mod grammar;
mod positions;
pub mod recorded;
pub mod treesitter;
pub mod xml;
pub mod yacc;

pub use diff::Histogram;
