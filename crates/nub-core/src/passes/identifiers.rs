//! Shortens names to `a`, `b`, …, in the order of their first occurrence, everywhere at once.

use super::{Pass, Place, names, only};
use crate::{Structure, tree::Splice};
use std::collections::HashSet;

pub(super) const PASS: Pass = Pass {
    name: "identifiers",
    about: "replaces names with short canonical ones, everywhere at once",
    places,
    together: true,
};

fn places(structure: &dyn Structure) -> Vec<Place> {
    let names = names(structure);
    let taken: HashSet<&[u8]> = names.iter().map(|name| name.text).collect();
    let mut fresh = (0..).map(short_name).filter(|name| !taken.contains(name.as_bytes()));
    let mut alterations = vec![];
    let mut next = fresh.next();
    for name in &names {
        let Some(short) = &next else { break };
        let better = (short.len(), short.as_bytes()) < (name.text.len(), name.text);
        if better {
            alterations
                .push(name.places.iter().map(|place| Splice::replace(place.clone(), short.as_bytes())).collect());
            next = fresh.next();
        }
    }
    only(alterations)
}

/// The names a, b, …, z, aa, ab, …
fn short_name(number: usize) -> String {
    let mut rest = number + 1;
    let mut name = vec![];
    while rest > 0 {
        rest -= 1;
        name.push(b'a' + (rest % 26) as u8);
        rest /= 26;
    }
    name.iter().rev().map(|&letter| char::from(letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn names_in_order() {
        assert_eq!([0, 25, 26, 27, 51, 52, 701, 702].map(short_name), ["a", "z", "aa", "ab", "az", "ba", "zz", "aaa"]);
    }
}
