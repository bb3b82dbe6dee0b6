//! Empties strings, or replaces them with 0. Equal strings change together, so comparisons between them still hold.

use super::{Pass, Place};
use crate::{Structure, tree::Splice};
use std::{collections::HashMap, ops::Range};

pub(super) const PASS: Pass = Pass {
    name: "strings",
    about: "empties strings or replaces them with 0, all equal ones at once",
    places,
    together: true,
};

fn places(structure: &dyn Structure) -> Vec<Place> {
    let tree = structure.tree();
    let mut places: Vec<Place> = vec![];
    let mut numbers: HashMap<&[u8], usize> = HashMap::new();
    for token in tree.leaves() {
        let (text, span) = (tree.text(token), tree.span(token));
        let Some(inner) = inside(tree.name(token), text) else { continue };
        let quoted = inner.len() < text.len();
        let number = *numbers.entry(text).or_insert_with(|| {
            places.push(vec![]);
            places.len() - 1
        });
        let empty = (!inner.is_empty()).then(|| Splice::cut(span.start + inner.start..span.start + inner.end));
        let zero = quoted.then(|| Splice::replace(span, b"0"));
        for (choice, splice) in empty.into_iter().chain(zero).enumerate() {
            if places[number].len() == choice {
                places[number].push(vec![]);
            }
            places[number][choice].push(splice);
        }
    }
    places
}

/// The range of the text inside a string: between its quotes, or the whole token if it is the part between the quotes.
fn inside(name: &str, text: &[u8]) -> Option<Range<usize>> {
    let quoted = |quote: u8| text.len() >= 2 && text.first() == Some(&quote) && text.last() == Some(&quote);
    if [b'"', b'\'', b'`'].into_iter().any(quoted) {
        return Some(1..text.len() - 1);
    }
    let part = ["string_content", "string_fragment", "string_literal_content", "template_chars"].contains(&name);
    (part && !text.is_empty()).then_some(0..text.len())
}

#[cfg(test)]
mod tests {
    use super::inside;

    #[test]
    fn the_text_inside_a_string() {
        assert_eq!(inside("string", b"'ab'"), Some(1..3));
        assert_eq!(inside("string", b"''"), Some(1..1));
        assert_eq!(inside("string_content", b"ab"), Some(0..2));
        assert_eq!(inside("identifier", b"ab"), None);
        assert_eq!(inside("char", b"'"), None);
    }
}
