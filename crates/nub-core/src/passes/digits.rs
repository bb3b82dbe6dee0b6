//! Shortens numbers of several digits to one digit, wherever they are, even in names (`int64_t`) and strings.

use super::{Pass, Place};
use crate::{Structure, tree::Splice};

pub(super) const PASS: Pass = Pass {
    name: "digits",
    about: "shortens every run of digits to a single one, even in names",
    places,
    together: true,
};

fn places(structure: &dyn Structure) -> Vec<Place> {
    let text = structure.tree().input();
    let mut places = vec![];
    let mut at = 0;
    for run in text.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()) {
        let span = at..at + run.len();
        at = span.end;
        if run.len() > 1 && run[0].is_ascii_digit() {
            places.push((b'0'..=b'9').map(|digit| vec![Splice::replace(span.clone(), &[digit])]).collect());
        }
    }
    places
}
