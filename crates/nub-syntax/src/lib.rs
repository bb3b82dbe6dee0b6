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
//! # Built-in languages
//!
//! [`languages`] lists them, and [`detect`] finds the language of a file. [`xml`] is a front end of its own. All others
//! come from [`treesitter`]: [`treesitter::parse`] returns a tree and a [`treesitter::Syntax`], which knows the grammar
//! symbol of every node, and a [`treesitter::Checker`] confirms with an incremental parse that an edit adds no error.
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
mod detect;
mod diff;
pub mod grammar;
mod positions;
pub mod recorded;
mod registry;
pub mod treesitter;
pub mod xml;
pub mod yacc;

pub use detect::{detect, front_end};
pub use diff::Histogram;
pub use registry::{Language, language, languages};

/// The message about an input with syntax errors, for a user-defined grammar.
fn grammar_complaint(input: &str, grammar: &str, errors: usize, first: &dyn std::fmt::Display) -> String {
    format!(
        "{input} has {errors} syntax errors for the grammar {grammar}, the first in {first}: the result may be larger than \
         necessary"
    )
}

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
