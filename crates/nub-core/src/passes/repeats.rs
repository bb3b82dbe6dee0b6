//! Removes parts that occur several times, everywhere at once: a field that all records have, an argument of all calls.
//!
//! Parts that need each other, or that must be equal, cannot be removed one by one.

use super::{Alteration, Pass, Place, only};
use crate::{Structure, tree::Splice};
use std::collections::HashMap;

pub(super) const PASS: Pass = Pass {
    name: "repeats",
    about: "removes parts that occur several times, everywhere at once",
    places,
    together: true,
};

fn places(structure: &dyn Structure) -> Vec<Place> {
    let tree = structure.tree();
    let mut alterations: Vec<(usize, Alteration)> = vec![];
    let mut numbers: HashMap<&[u8], usize> = HashMap::new();
    let mut waiting = vec![tree.root()];
    while let Some(parent) = waiting.pop() {
        let elements = structure.elements(parent);
        for &element in &elements {
            let text = &tree.input()[tree.span(element)];
            if text.trim_ascii().is_empty() {
                continue;
            }
            let Some(removed) = structure.removal(parent, &[element]) else { continue };
            let number = *numbers.entry(text.trim_ascii()).or_insert_with(|| {
                alterations.push((0, vec![]));
                alterations.len() - 1
            });
            let (times, alteration) = &mut alterations[number];
            *times += 1;
            alteration.extend(removed.into_iter().map(|node| Splice::cut(tree.span(node))));
        }
        waiting.extend(elements.into_iter().rev());
    }
    only(alterations.into_iter().filter(|(times, _)| *times > 1).map(|(_, alteration)| alteration).collect())
}
