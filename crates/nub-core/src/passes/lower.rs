//! Lowers every character: to a blank, or a digit to 0 or 1.
//!
//! This does not make the input shorter. But a result in which every remaining character matters is easier to read, and
//! two reductions of the same failure are more likely to end with the same bytes.

use super::{Pass, Place};
use crate::{Structure, tree::Splice};

pub(super) const PASS: Pass =
    Pass { name: "lower", about: "replaces characters with blanks, and digits with 0 or 1", places, together: true };

fn places(structure: &dyn Structure) -> Vec<Place> {
    let text = structure.tree().input();
    let place = |(at, &byte): (usize, &u8)| {
        let digits = if byte.is_ascii_digit() { &b"01"[..] } else { b"" };
        let lower = [b" ", digits].concat().into_iter().filter(|&lower| lower < byte && byte.is_ascii());
        lower.map(|lower| vec![Splice::replace(at..at + 1, &[lower])]).collect()
    };
    text.iter().enumerate().map(place).collect()
}
