//! Names of one kind become the same: the one that occurs most often, or another frequent one. What was defined twice can
//! then go.

use super::{Name, Pass, Place, names};
use crate::{Structure, tree::Splice};
use std::{cmp::Reverse, collections::HashMap};

pub(super) const PASS: Pass =
    Pass { name: "merge", about: "replaces names by a more frequent name of their kind", places, together: true };

/// How many names are tried for one.
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
        // Of two names only one becomes the other.
        let more_frequent = of_kind.take_while(|other| other.text != name.text).take(OTHERS);
        more_frequent
            .map(|other| name.places.iter().map(|place| Splice::replace(place.clone(), other.text)).collect())
            .collect()
    };
    names.iter().map(place).collect()
}
