//! Everything that mentions a name goes, all at once: a declaration with the statements that use it, a function with its
//! calls.
//!
//! No part of it could go alone: the definition is needed by the uses, and the uses, perhaps, by each other.

use super::{Alteration, Pass, Place, lineage::Lineage, names};
use crate::{
    Structure,
    tree::{NodeId, Splice},
};
use std::collections::BTreeMap;

pub(super) const PASS: Pass =
    Pass { name: "mentions", about: "removes everything that mentions a name, at once", places, together: true };

/// Inputs with more names than this have not yet seen enough of the other passes.
const NAMES: usize = 500;
/// How many elements around a name are tried: the argument, the statement.
const AROUND: usize = 2;

fn places(structure: &dyn Structure) -> Vec<Place> {
    let names = names(structure);
    if names.len() > NAMES {
        return vec![];
    }
    let lineage = Lineage::new(structure);
    let alteration = |nodes: &[NodeId], around: usize| -> Option<Alteration> {
        let mut lists: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        for &node in nodes {
            let (parent, element) = lineage.removable(node).nth(around)?;
            lists.entry(parent).or_default().push(element);
        }
        let mut alteration = vec![];
        for (parent, elements) in &mut lists {
            elements.dedup();
            let gone = structure.removal(*parent, elements)?;
            alteration.extend(gone.into_iter().map(|node| Splice::cut(structure.tree().span(node))));
        }
        Some(alteration)
    };
    names.iter().map(|name| (0..AROUND).filter_map(|around| alteration(&name.nodes, around)).collect()).collect()
}
