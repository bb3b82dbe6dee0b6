//! Tables: what the parser does in each state with each token.
//!
//! YACC's parsers are LALR(1). [`automaton`] builds the states (sets of places in productions where the parser might be),
//! [`lookahead`] finds out which tokens may follow where a production ends (DeRemer and Pennello, *Efficient computation of
//! LALR(1) look-ahead sets*, TOPLAS 1982), and [`table`] decides what to do where there is a choice, as YACC decides it.

mod automaton;
mod bits;
mod conflict;
mod lookahead;
mod table;

pub(crate) use automaton::{Automaton, StateId};
pub use conflict::Conflict;
pub(crate) use table::{Action, Table};
