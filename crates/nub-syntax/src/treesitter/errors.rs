//! How much of an input is not of its language.

use super::{language::Language, reparse};

/// What a parser could not make sense of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Errors {
    /// Places: what is in the way, and what is missing.
    pub parts: usize,
    /// The bytes of what is in the way.
    pub bytes: usize,
}

/// Finds the parts of an input that are not of the language; `None` if it cannot be parsed at all.
pub fn errors(language: &Language, input: &[u8]) -> Option<Errors> {
    let tree = reparse::full(language, input)?;
    let mut errors = Errors::default();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            errors.parts += 1;
            errors.bytes += node.byte_range().len();
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(errors);
            }
        }
    }
}

#[cfg(all(test, feature = "json"))]
mod tests {
    use super::*;
    use crate::treesitter::language;

    #[test]
    fn what_is_in_the_way_and_what_is_missing() {
        let json = language("json").expect("built in");
        assert_eq!(errors(json, b"[1, 2]"), Some(Errors::default()));
        assert_eq!(errors(json, b"[1, }}, 2]"), Some(Errors { parts: 1, bytes: 3 }));
        assert_eq!(errors(json, b"[1, 2"), Some(Errors { parts: 1, bytes: 0 }));
    }
}
