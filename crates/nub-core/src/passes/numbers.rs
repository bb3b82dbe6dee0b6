//! Numbers become 0.

use super::{Alteration, Pass};
use crate::{Structure, tree::Splice};

pub(super) const PASS: Pass = Pass { name: "numbers", about: "makes numbers 0", alterations };

fn alterations(structure: &dyn Structure) -> Vec<Alteration> {
    let tree = structure.tree();
    let numbers = tree.leaves().into_iter().filter(|&token| {
        let text = tree.text(token);
        text.first().is_some_and(u8::is_ascii_digit) && text != b"0"
    });
    numbers.map(|token| vec![Splice::replace(tree.span(token), b"0")]).collect()
}
