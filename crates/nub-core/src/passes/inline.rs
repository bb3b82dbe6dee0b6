//! Removes a definition and replaces the name everywhere: an alias with its type, a variable with its value, or any
//! name with the smallest text that the grammar allows there.
//!
//! These deletions work only together. The pass does not know what a name means: it takes the first list element with
//! the name for its definition, and tries every part of it that could stand where the name is used.

use super::{Alteration, Pass, Place, lineage::Lineage, names, smallest::samples};
use crate::{
    Structure,
    tree::{NodeId, Splice},
};

pub(super) const PASS: Pass = Pass {
    name: "inline",
    about: "removes the definition of a name and replaces its uses with a part of it, or with a default",
    places,
    together: true,
};

/// How many parts of a definition are tried for one name.
const PARTS: usize = 3;
/// How many other texts are tried.
const DEFAULTS: usize = 1;

fn places(structure: &dyn Structure) -> Vec<Place> {
    let tree = structure.tree();
    let lineage = Lineage::new(structure);
    let samples = samples(structure, &lineage.nodes);
    let mut places = vec![];
    for name in names(structure) {
        let [first, uses @ ..] = &name.nodes[..] else { continue };
        let Some((parent, definition)) = lineage.removable(*first).next() else { continue };
        let Some(removed) = structure.removal(parent, &[definition]) else { continue };
        let span = tree.span(definition);
        let uses: Vec<NodeId> = uses.iter().copied().filter(|&node| !span.contains(&tree.span(node).start)).collect();
        let Some(&some) = uses.first() else { continue };
        let fits = |part: &NodeId| lineage.same_text(some).any(|node| structure.may_replace(node, *part));
        // Text in brackets can stand almost anywhere, whatever the grammar calls it.
        let in_brackets = |part: &NodeId| tree.source(*part).starts_with(b"(") && tree.source(*part).ends_with(b")");
        let mut parts: Vec<NodeId> = below(structure, definition);
        parts.retain(|part| !tree.span(*part).contains(&tree.span(*first).start) && (fits(part) || in_brackets(part)));
        parts.sort_by_key(|&part| (tree.span(part).len(), tree.span(part).start));
        parts.dedup_by_key(|part| tree.source(*part));
        let defaults = samples.iter().copied().filter(|sample| tree.source(*sample) != name.text && fits(sample));
        let texts = parts.into_iter().take(PARTS).chain(defaults.take(DEFAULTS)).map(|part| tree.source(part));
        let alteration = |text: &[u8]| -> Alteration {
            let definition = removed.iter().map(|&node| Splice::cut(tree.span(node)));
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
