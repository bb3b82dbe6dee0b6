//! Replaces a node with its elements: nested blocks, and the bodies of loops, functions, classes and namespaces.

use super::{Alteration, Pass, Place, only};
use crate::{Structure, tree::Splice};

pub(super) const PASS: Pass = Pass {
    name: "unwrap",
    about: "replaces nodes with the elements in them: nested blocks, bodies",
    places,
    together: true,
};

/// How deep below a node the elements may be: a loop has a body, which has elements.
const DEPTH: usize = 3;

fn places(structure: &dyn Structure) -> Vec<Place> {
    let tree = structure.tree();
    let mut alterations = vec![];
    let mut waiting = vec![tree.root()];
    while let Some(node) = waiting.pop() {
        waiting.extend(structure.elements(node).into_iter().rev());
        let mut level = vec![node];
        for _ in 0..DEPTH {
            if let Some(inner) = level.iter().find_map(|&of| structure.may_unwrap(node, of)) {
                alterations.push(Splice::hoist(&tree.span(node), &inner).collect());
                break;
            }
            level = level.into_iter().flat_map(|node| structure.elements(node)).collect();
        }
    }
    alterations.retain(|alteration: &Alteration| !alteration.is_empty());
    only(alterations)
}
