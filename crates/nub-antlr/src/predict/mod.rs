//! Prediction: which alternative of a decision the parser takes.
//!
//! This is ALL(\*) (Parr, Harwell and Fisher, *Adaptive LL(\*) parsing: the power of dynamic analysis*, 2014): the
//! alternatives are followed in parallel over the network, first without the caller (SLL), remembered in an automaton
//! per decision; where that cannot tell, again with the real stack (LL), remembered nowhere.

mod closure;
mod condition;
mod config;
mod conflict;
pub(crate) mod context;
mod dfa;
mod full;
pub(crate) mod net;
mod predictor;
mod sll;
pub(crate) mod token_set;

pub(crate) use predictor::{Host, Predictor};
