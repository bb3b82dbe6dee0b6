//! Removes a parameter together with the argument in every call: the same element of every list that follows a name.
//!
//! The pass knows nothing about functions: it assumes that all lists in brackets directly after the same name
//! correspond, whether they hold parameters, arguments or type arguments.

use super::{Pass, Place, lineage::Lineage, names};
use crate::{
    Structure,
    tree::{NodeId, Splice},
};
use std::collections::HashMap;

pub(super) const PASS: Pass = Pass {
    name: "parameters",
    about: "removes a parameter together with the argument in every call",
    places,
    together: true,
};

/// The largest input, in names. Anything larger is work for the other passes first.
const NAMES: usize = 2000;

fn places(structure: &dyn Structure) -> Vec<Place> {
    let tree = structure.tree();
    let names = names(structure);
    if names.len() > NAMES {
        return vec![];
    }
    let lineage = Lineage::new(structure);
    // The outermost node that starts at each offset; parents come before their children.
    let mut starts: HashMap<usize, NodeId> = HashMap::new();
    for &node in lineage.nodes.iter().filter(|&&node| !tree.kind(node).is_token()) {
        starts.entry(tree.span(node).start).or_insert(node);
    }
    let leaves = tree.leaves();
    let after: HashMap<NodeId, NodeId> = leaves.windows(2).map(|pair| (pair[0], pair[1])).collect();
    let list_after = |name: &NodeId| -> Option<NodeId> {
        let bracket = after.get(name)?;
        let opens = matches!(tree.text(*bracket), b"(" | b"[" | b"<");
        starts.get(&tree.span(*bracket).start).copied().filter(|_| opens)
    };
    let mut places = vec![];
    for name in &names {
        let lists: Vec<NodeId> = name.nodes.iter().filter_map(list_after).collect();
        if lists.len() < 2 {
            continue;
        }
        // The elements proper, without brackets and commas.
        let elements: Vec<Vec<NodeId>> = lists
            .iter()
            .map(|&list| {
                let mut elements = structure.elements(list);
                elements
                    .retain(|&element| tree.source(element).first().is_some_and(|byte| !b",;()[]<>".contains(byte)));
                elements
            })
            .collect();
        let longest = elements.iter().map(Vec::len).max().unwrap_or(0);
        for position in 0..longest {
            let removed = lists.iter().zip(&elements).filter_map(|(&list, elements)| {
                let &element = elements.get(position)?;
                structure.removal(list, &[element])
            });
            let alteration = removed.flatten().map(|node| Splice::cut(tree.span(node))).collect();
            places.push(vec![alteration]);
        }
    }
    places
}
