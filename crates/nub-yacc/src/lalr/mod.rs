//! The parse tables: what the parser does in each state with each token.
//!
//! YACC's parsers are LALR(1). [`automaton`] builds the states (sets of positions in productions). [`lookahead`]
//! computes which tokens may follow a complete production (DeRemer and Pennello, *Efficient computation of LALR(1)
//! look-ahead sets*, TOPLAS 1982). [`table`] resolves conflicts the way YACC does.

mod automaton;
mod bits;
mod conflict;
mod lookahead;
mod table;

pub(crate) use automaton::{Automaton, StateId};
pub use conflict::Conflict;
pub(crate) use table::{Action, Table};
