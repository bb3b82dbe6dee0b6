//! The shortest texts of the rules of a grammar: what a reducer replaces a whole subtree with.

mod candidates;
mod character;
mod derive;
mod join;
mod lexical;
mod more;
mod own;
mod reference;
mod solve;
mod text;

pub use own::{Shortest, shortest};
pub use reference::reference;

use std::collections::HashMap;

/// Texts by the name of a rule or token. Those of the user win over everything.
pub type Replacements = HashMap<String, String>;

/// A short text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Short {
    /// The text.
    pub text: String,
    /// Where it comes from.
    pub trust: Trust,
    /// The mode in which its first token begins.
    pub mode: usize,
}

/// How sure it is that a text is one of its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trust {
    /// The user says so.
    User,
    /// Our own lexer and parser say so.
    Verified,
    /// It should be one, but it is none by itself: because of a predicate, or of what has to stand around it.
    Unverified,
}
