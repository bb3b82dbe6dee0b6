//! Removes both brackets of a pair and keeps the text between them.

use super::{Pass, Place};
use crate::{
    Structure,
    tree::{NodeId, Splice},
};

pub(super) const PASS: Pass =
    Pass { name: "pairs", about: "removes both brackets of a pair and keeps the text between", places, together: true };

fn places(structure: &dyn Structure) -> Vec<Place> {
    let tree = structure.tree();
    let mut places = vec![];
    let mut waiting = vec![tree.root()];
    while let Some(node) = waiting.pop() {
        let elements = structure.elements(node);
        let mut open: Vec<NodeId> = vec![];
        let removable = |element| tree.kind(element).is_token() && structure.may_go(node, element) != Some(false);
        for &element in elements.iter().filter(|&&element| removable(element)) {
            match tree.text(element) {
                b"(" | b"[" | b"{" | b"<" => open.push(element),
                closing => {
                    if open.last().is_some_and(|&opening| closes(tree.text(opening), closing)) {
                        let pair = open.pop().into_iter().chain([element]);
                        places.push(vec![pair.map(|bracket| Splice::cut(tree.span(bracket))).collect()]);
                    }
                }
            }
        }
        waiting.extend(elements.into_iter().rev());
    }
    places
}

fn closes(opening: &[u8], closing: &[u8]) -> bool {
    [(b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"<", b">")].iter().any(|(a, b)| opening == *a && closing == *b)
}
