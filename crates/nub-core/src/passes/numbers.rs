//! Replaces numbers with 0, or else with 1.

use super::{Pass, Place};
use crate::{Structure, tree::Splice};

pub(super) const PASS: Pass = Pass { name: "numbers", about: "makes numbers 0, or else 1", places, together: true };

fn places(structure: &dyn Structure) -> Vec<Place> {
    let tree = structure.tree();
    let numbers = tree.leaves().into_iter().filter(|&token| tree.text(token).first().is_some_and(u8::is_ascii_digit));
    let place = |token| {
        let text = tree.text(token);
        let smaller = [b"0", b"1"].into_iter().filter(|number| (1, &number[..]) < (text.len(), text));
        smaller.map(|number| vec![Splice::replace(tree.span(token), number)]).collect()
    };
    numbers.map(place).collect()
}
