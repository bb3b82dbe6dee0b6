//! A definition goes, and something takes the place of the name: a type for its alias, a value for its variable, or the
//! smallest thing that the grammar would take.
//!
//! Deletions that work only together. Nothing is known about what the name means: the definition is whatever list
//! element the name occurs in first, and whatever in there could stand where the name is used is tried.

use super::{Alteration, Pass, Place, lineage::Lineage, names, smallest::samples};
use crate::{
    Structure,
    tree::{NodeId, Splice},
};

pub(super) const PASS: Pass = Pass {
    name: "inline",
    about: "removes the definition of a name and puts a part of it, or a default, where the name is used",
    places,
    together: true,
};

/// How many parts of a definition are tried for one name.
const PARTS: usize = 3;
/// How many other things.
const DEFAULTS: usize = 1;

fn places(structure: &dyn Structure) -> Vec<Place> {
    let tree = structure.tree();
    let lineage = Lineage::new(structure);
    let samples = samples(structure, &lineage.nodes);
    let mut places = vec![];
    for name in names(structure) {
        let [first, uses @ ..] = &name.nodes[..] else { continue };
        let Some((parent, definition)) = lineage.removable(*first).next() else { continue };
        let Some(gone) = structure.removal(parent, &[definition]) else { continue };
        let span = tree.span(definition);
        let uses: Vec<NodeId> = uses.iter().copied().filter(|&node| !span.contains(&tree.span(node).start)).collect();
        let Some(&some) = uses.first() else { continue };
        let fits = |part: &NodeId| lineage.same_text(some).any(|node| structure.may_replace(node, *part));
        // What is in brackets stands almost anywhere, whatever the grammar calls it.
        let in_brackets = |part: &NodeId| tree.source(*part).starts_with(b"(") && tree.source(*part).ends_with(b")");
        let mut parts: Vec<NodeId> = below(structure, definition);
        parts.retain(|part| !tree.span(*part).contains(&tree.span(*first).start) && (fits(part) || in_brackets(part)));
        parts.sort_by_key(|&part| (tree.span(part).len(), tree.span(part).start));
        parts.dedup_by_key(|part| tree.source(*part));
        let defaults = samples.iter().copied().filter(|sample| tree.source(*sample) != name.text && fits(sample));
        let texts = parts.into_iter().take(PARTS).chain(defaults.take(DEFAULTS)).map(|part| tree.source(part));
        let alteration = |text: &[u8]| -> Alteration {
            let definition = gone.iter().map(|&node| Splice::cut(tree.span(node)));
            definition.chain(uses.iter().map(|&node| Splice::replace(tree.span(node), text))).collect()
        };
        places.push(texts.map(alteration).collect());
    }
    places
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
