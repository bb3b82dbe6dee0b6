//! Merges names of the same kind: a name is replaced by the most frequent one, or by another frequent one. Duplicate
//! definitions can then be removed.

use super::{Name, Pass, Place, names};
use crate::{Structure, tree::Splice};
use std::{cmp::Reverse, collections::HashMap};

pub(super) const PASS: Pass =
    Pass { name: "merge", about: "replaces names with a more frequent name of their kind", places, together: true };

/// How many replacements are tried for one name.
const OTHERS: usize = 3;

fn places(structure: &dyn Structure) -> Vec<Place> {
    let names = names(structure);
    let mut kinds: HashMap<&str, Vec<&Name<'_>>> = HashMap::new();
    for name in &names {
        kinds.entry(name.kind).or_default().push(name);
    }
    for of_kind in kinds.values_mut() {
        of_kind.sort_by_key(|name| Reverse(name.places.len()));
    }
    let place = |name: &Name<'_>| {
        let of_kind = kinds[name.kind].iter();
        // Only the less frequent of two names is replaced by the other, never the reverse.
        let more_frequent = of_kind.take_while(|other| other.text != name.text).take(OTHERS);
        more_frequent
            .map(|other| name.places.iter().map(|place| Splice::replace(place.clone(), other.text)).collect())
            .collect()
    };
    names.iter().map(place).collect()
}
