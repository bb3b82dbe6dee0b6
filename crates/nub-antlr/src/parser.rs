//! From tokens to trees: the network is followed state by state.
//!
//! The stack of rule calls is explicit, so that nesting costs memory and not the stack of the process.

mod frames;
mod host;
mod ll1;
mod look;
mod run;
mod text;

pub(crate) use frames::Frame;
pub(crate) use look::Look;
pub(crate) use run::{Failure, Parser};
pub(crate) use text::{quoted, set_text, token_text};

/// What to do while parsing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// Give every round of a quantified part (`?`, `*`, `+`) a node of its own.
    pub quantifiers: bool,
    /// The mode in which the lexer begins.
    pub mode: usize,
}
