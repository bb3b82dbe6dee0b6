//! Names of one kind become the same: the one that occurs most often. What was defined twice can then go.

use super::{Alteration, Name, Pass, names};
use crate::{Structure, tree::Splice};
use std::collections::HashMap;

pub(super) const PASS: Pass =
    Pass { name: "merge", about: "replaces names by the most frequent name of their kind", alterations };

fn alterations(structure: &dyn Structure) -> Vec<Alteration> {
    let names = names(structure);
    let mut most: HashMap<&str, &Name<'_>> = HashMap::new();
    for name in &names {
        let entry = most.entry(name.kind).or_insert(name);
        if name.places.len() > entry.places.len() {
            *entry = name;
        }
    }
    let others = names.iter().filter(|name| most[name.kind].text != name.text);
    others
        .map(|name| {
            name.places.iter().map(|place| Splice::replace(place.clone(), most[name.kind].text)).collect::<Alteration>()
        })
        .collect()
}
