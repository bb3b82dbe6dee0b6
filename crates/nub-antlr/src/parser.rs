//! From tokens to trees, by following the network state by state.
//!
//! The stack of rule calls is explicit, so that nesting costs heap memory and not the stack of the process.

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

/// Options for parsing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// Give every iteration of a quantified part (`?`, `*`, `+`) its own node.
    pub quantifiers: bool,
    /// The mode in which the lexer begins.
    pub mode: usize,
}
