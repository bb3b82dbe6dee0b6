//! Replaces a node, and all nodes with the same text, with the smallest text in the input that could stand there.

use super::{Pass, Place, lineage::Lineage};
use crate::{
    Structure,
    tree::{NodeId, Splice},
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

pub(super) const PASS: Pass = Pass {
    name: "smallest",
    about: "replaces nodes with the smallest text of the input that fits there",
    places,
    together: true,
};

/// How many nodes are considered, the largest first.
const NODES: usize = 3000;
/// How many texts are tried for one node.
const TEXTS: usize = 2;

fn places(structure: &dyn Structure) -> Vec<Place> {
    let tree = structure.tree();
    let lineage = Lineage::new(structure);
    let mut nodes = lineage.nodes.clone();
    nodes.sort_by_key(|&node| Reverse(tree.span(node).len()));
    nodes.truncate(NODES);
    let samples = samples(structure, &lineage.nodes);
    // One place for each text and its replacements, in the order of first occurrence.
    let mut places: Vec<Place> = vec![];
    let mut numbers: HashMap<(&[u8], Vec<&[u8]>), usize> = HashMap::new();
    for node in nodes {
        let (span, text) = (tree.span(node), tree.source(node));
        // A node with the same text as its parent would be the same place again.
        if lineage.parent(node).is_none_or(|parent| tree.span(parent) == span) {
            continue;
        }
        let texts: Vec<&[u8]> = samples
            .iter()
            .filter(|&&sample| smaller(tree.source(sample), text) && structure.may_replace(node, sample))
            .map(|&sample| tree.source(sample))
            .take(TEXTS)
            .collect();
        if texts.is_empty() {
            continue;
        }
        let number = *numbers.entry((text, texts.clone())).or_insert_with(|| {
            places.push(vec![vec![]; texts.len()]);
            places.len() - 1
        });
        for (alteration, text) in places[number].iter_mut().zip(texts) {
            alteration.push(Splice::replace(span.clone(), text));
        }
    }
    places
}

/// The smallest node of every kind, the smallest first.
pub(super) fn samples(structure: &dyn Structure, nodes: &[NodeId]) -> Vec<NodeId> {
    let tree = structure.tree();
    let mut smallest: BTreeMap<&str, NodeId> = BTreeMap::new();
    for &node in nodes.iter().filter(|&&node| !tree.span(node).is_empty()) {
        let sample = smallest.entry(tree.name(node)).or_insert(node);
        if smaller(tree.source(node), tree.source(*sample)) {
            *sample = node;
        }
    }
    let mut samples: Vec<NodeId> = smallest.into_values().collect();
    samples.sort_by_key(|&node| (tree.source(node).len(), tree.source(node)));
    samples.dedup_by_key(|node| tree.source(*node));
    samples
}

fn smaller(a: &[u8], b: &[u8]) -> bool {
    (a.len(), a) < (b.len(), b)
}
