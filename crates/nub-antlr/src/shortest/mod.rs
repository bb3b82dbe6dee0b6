//! The shortest texts of the rules of a grammar, with which a reducer replaces whole subtrees.

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

/// Texts by the name of a rule or token. The user's take precedence over all others.
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

/// How certain it is that a text belongs to its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trust {
    /// The user says so.
    User,
    /// Our own lexer and parser accept it.
    Verified,
    /// It should, but is rejected by itself, because of a predicate or because it needs a certain context.
    Unverified,
}
