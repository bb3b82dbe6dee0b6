//! A definition goes, and something of it takes the place of the name: a type for its alias, a value for its variable.
//!
//! Deletions that work only together. Nothing is known about what the name means: the definition is whatever list
//! element the name occurs in first, and whatever in there could stand where the name is used is tried.

use super::{Alteration, Pass, names};
use crate::{
    Structure,
    tree::{NodeId, Splice},
};
use std::collections::HashMap;

pub(super) const PASS: Pass = Pass {
    name: "inline",
    about: "removes the definition of a name and puts a part of it where the name is used",
    alterations,
};

/// How many parts of a definition are tried for one name.
const PARTS: usize = 3;

fn alterations(structure: &dyn Structure) -> Vec<Alteration> {
    let tree = structure.tree();
    let parents = parents(structure);
    let mut alterations = vec![];
    for name in names(structure) {
        let [first, uses @ ..] = &name.nodes[..] else { continue };
        let Some((definition, gone)) = definition(structure, &parents, *first) else { continue };
        let span = tree.span(definition);
        let uses: Vec<NodeId> = uses.iter().copied().filter(|&node| !span.contains(&tree.span(node).start)).collect();
        let Some(&some) = uses.first() else { continue };
        let mut parts: Vec<NodeId> = below(structure, definition);
        parts.retain(|&part| !tree.span(part).contains(&tree.span(*first).start) && structure.may_replace(some, part));
        parts.sort_by_key(|&part| tree.span(part).len());
        parts.dedup_by_key(|part| tree.input()[tree.span(*part)].to_vec());
        for part in parts.into_iter().take(PARTS) {
            let text = &tree.input()[tree.span(part)];
            let mut alteration: Alteration = gone.iter().map(|&node| Splice::cut(tree.span(node))).collect();
            alteration.extend(uses.iter().map(|&node| Splice::replace(tree.span(node), text)));
            alterations.push(alteration);
        }
    }
    alterations
}

/// The parent of every node that has one.
fn parents(structure: &dyn Structure) -> HashMap<NodeId, NodeId> {
    let root = structure.tree().root();
    let mut parents = HashMap::new();
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        for child in structure.elements(node) {
            parents.insert(child, node);
            waiting.push(child);
        }
    }
    parents
}

/// The smallest list element around a name, and what goes with it.
fn definition(
    structure: &dyn Structure,
    parents: &HashMap<NodeId, NodeId>,
    name: NodeId,
) -> Option<(NodeId, Vec<NodeId>)> {
    let mut node = *parents.get(&name)?;
    loop {
        let parent = *parents.get(&node)?;
        if let Some(gone) = structure.removal(parent, &[node]) {
            return Some((node, gone));
        }
        node = parent;
    }
}

/// All nodes below a node.
fn below(structure: &dyn Structure, node: NodeId) -> Vec<NodeId> {
    let mut found = structure.elements(node);
    let mut at = 0;
    while let Some(&node) = found.get(at) {
        found.extend(structure.elements(node));
        at += 1;
    }
    found
}
