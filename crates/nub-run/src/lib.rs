//! Runs a reduction.

mod outcome;
pub mod test;

pub use outcome::{Outcome, Unresolved};
