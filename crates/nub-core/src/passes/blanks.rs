//! Removes everything between two tokens; where they would merge, one blank stays.

use super::{Pass, Place, only};
use crate::{Structure, tree::Splice};

pub(super) const PASS: Pass =
    Pass { name: "blanks", about: "removes blanks and comments between tokens", places, together: true };

fn places(structure: &dyn Structure) -> Vec<Place> {
    let tree = structure.tree();
    let mut end = 0;
    let mut alterations = vec![];
    let mut add = |gap: std::ops::Range<usize>| {
        if !gap.is_empty() {
            alterations.push(vec![Splice::cut(gap)]);
        }
    };
    for token in tree.leaves() {
        let span = tree.span(token);
        add(end..span.start);
        end = span.end.max(end);
    }
    add(end..tree.input().len());
    only(alterations)
}
