//! How much of an input is outside its language.

use super::{language::Language, reparse};

/// The parts of an input that a parser could not make sense of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Errors {
    /// The number of places with unexpected or missing text.
    pub parts: usize,
    /// The bytes of unexpected text.
    pub bytes: usize,
}

/// Finds the syntax errors of an input; `None` if it cannot be parsed at all.
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
    fn unexpected_and_missing_text() {
        let json = language("json").expect("built in");
        assert_eq!(errors(json, b"[1, 2]"), Some(Errors::default()));
        assert_eq!(errors(json, b"[1, }}, 2]"), Some(Errors { parts: 1, bytes: 3 }));
        assert_eq!(errors(json, b"[1, 2"), Some(Errors { parts: 1, bytes: 0 }));
    }
}
