//! Prediction: which alternative of a decision the parser takes.
//!
//! This is ALL(\*) (Parr, Harwell and Fisher, *Adaptive LL(\*) parsing: the power of dynamic analysis*, 2014): the
//! alternatives are followed in parallel over the network. The first attempt ignores the caller (SLL) and caches its
//! results in an automaton per decision; if it cannot tell, the second uses the real stack (LL) and caches nothing.

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
