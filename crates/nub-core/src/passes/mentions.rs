//! Removes everything that mentions a name, all at once: a declaration with the statements that use it, a function with
//! its calls.
//!
//! None of these could be removed alone: the uses need the definition, and perhaps each other.

use super::{Alteration, Pass, Place, lineage::Lineage, names};
use crate::{
    Structure,
    tree::{NodeId, Splice},
};
use std::collections::BTreeMap;

pub(super) const PASS: Pass =
    Pass { name: "mentions", about: "removes everything that mentions a name, at once", places, together: true };

/// The largest input, in names. Anything larger is work for the other passes first.
const NAMES: usize = 500;
/// How many elements around a name are tried: the argument, then the statement.
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
            let removed = structure.removal(*parent, elements)?;
            alteration.extend(removed.into_iter().map(|node| Splice::cut(structure.tree().span(node))));
        }
        Some(alteration)
    };
    names.iter().map(|name| (0..AROUND).filter_map(|around| alteration(&name.nodes, around)).collect()).collect()
}
