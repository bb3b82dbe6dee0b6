//! What an input is made of: everything that turns bytes into a [`nub_core::tree::Tree`], and everything that can be
//! known about such a tree from the grammar of its language.
//!
//! # One model, many front ends
//!
//! A grammar, wherever it comes from, is a [`grammar::Grammar`]: rules made of sequences, choices, repetitions, options
//! and tokens. Two things are derived from it, once for all front ends:
//!
//! - [`grammar::Phi`]: the shortest text of every symbol, which stands in the place of what is removed;
//! - [`grammar::Children`]: an automaton per rule over the kinds of its children, which answers the one question behind
//!   every edit that keeps an input well-formed: *is this list of children still a sentence of the rule?* Whether an
//!   element may go with its comma, whether an option may be dropped, whether a descendant may take its ancestor's place
//!   are all the same question about different lists.
//!
//! # Grammars of the user
//!
//! [`antlr`] reads ANTLR v4 grammars when nub runs, and makes trees of what they parse; [`yacc`] does so with YACC and lex
//! files.
//!
//! # Tree-sitter
//!
//! [`treesitter`] has the languages: [`treesitter::detect`] finds the language of a file, [`treesitter::parse`] gives its
//! tree and a [`treesitter::Syntax`] beside it, which knows the grammar symbol of every node, and a
//! [`treesitter::Checker`] confirms by an incremental parse that an edit adds no error.
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

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
