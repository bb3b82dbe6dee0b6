//! Every single character becomes the least that will do: a blank, or 0 for a digit.
//!
//! Nothing gets shorter by this, but a result in which every character that is left matters is easier to read, and two
//! reductions of one failure are more likely to end with the same bytes.

use super::{Pass, Place};
use crate::{Structure, tree::Splice};

pub(super) const PASS: Pass =
    Pass { name: "lower", about: "makes characters blanks, and digits 0 or 1", places, together: true };

fn places(structure: &dyn Structure) -> Vec<Place> {
    let text = structure.tree().input();
    let place = |(at, &byte): (usize, &u8)| {
        let digits = if byte.is_ascii_digit() { &b"01"[..] } else { b"" };
        let lower = [b" ", digits].concat().into_iter().filter(|&lower| lower < byte && byte.is_ascii());
        lower.map(|lower| vec![Splice::replace(at..at + 1, &[lower])]).collect()
    };
    text.iter().enumerate().map(place).collect()
}
