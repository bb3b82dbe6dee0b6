//! Checking whether an edit adds a syntax error.

use super::{
    language::Language,
    parse::ParseError,
    reparse::{self, Reparser, count_errors},
    replacements::spaced,
};
use std::{ops::Range, sync::Arc};
use tree_sitter::Tree;

/// A replacement of a part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The bytes to replace.
    pub range: Range<usize>,
    /// Their replacement.
    pub text: Vec<u8>,
}

impl TextEdit {
    /// Replaces these bytes of an input by a text, adding a blank where the text would otherwise merge with its
    /// neighbour.
    pub fn replacing(input: &[u8], range: Range<usize>, text: &str) -> Self {
        Self { text: spaced(input, range.clone(), text), range }
    }
}

/// Parses edited versions of a text to see whether they have more errors than the text itself: a cheap filter before
/// running a test. Only what an edit touches is parsed again.
#[derive(Debug)]
pub struct Checker {
    language: &'static Language,
    text: Vec<u8>,
    tree: Tree,
    errors: usize,
    lines: Arc<[usize]>,
}

impl Checker {
    /// A checker for edits of this text.
    ///
    /// # Errors
    /// If the text cannot be parsed at all: see [`ParseError`].
    pub fn new(language: &'static Language, text: impl Into<Vec<u8>>) -> Result<Self, ParseError> {
        let text = text.into();
        let tree = reparse::full(language, &text).ok_or(ParseError::Parser(language.name))?;
        let errors = count_errors(tree.root_node());
        Ok(Self { language, lines: reparse::lines(&text), text, tree, errors })
    }

    /// The number of ERROR and MISSING nodes in the text.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// The text.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Whether the text has no more errors after the edits, which must be in order and apart. `false` if they are not,
    /// or not within the text.
    pub fn adds_no_error(&self, edits: &[TextEdit]) -> bool {
        let mut end = 0;
        for edit in edits {
            if edit.range.start < end || edit.range.end < edit.range.start || edit.range.end > self.text.len() {
                return false;
            }
            end = edit.range.end;
        }
        let edits: Vec<(Range<usize>, &[u8])> =
            edits.iter().map(|edit| (edit.range.clone(), edit.text.as_slice())).collect();
        let tree = Reparser::new(self.language, &self.text, &self.tree, Arc::clone(&self.lines))
            .and_then(|mut parser| parser.parse(&edits));
        tree.is_some_and(|tree| count_errors(tree.root_node()) <= self.errors)
    }

    /// Whether another version of the text has no more errors. The difference is treated as one edit.
    pub fn accepts(&self, edited: &[u8]) -> bool {
        self.adds_no_error(&[difference(&self.text, edited)])
    }

    /// Continues with another text.
    ///
    /// # Errors
    /// If the text cannot be parsed at all: see [`ParseError`].
    pub fn commit(&mut self, text: impl Into<Vec<u8>>) -> Result<(), ParseError> {
        *self = Self::new(self.language, text)?;
        Ok(())
    }
}

/// A single edit that turns `old` into `new`.
fn difference(old: &[u8], new: &[u8]) -> TextEdit {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    TextEdit { range: start..old.len() - end, text: new[start..new.len() - end].to_vec() }
}

#[cfg(all(test, feature = "json"))]
mod tests {
    use super::*;
    use crate::treesitter::language;

    #[test]
    fn edits() {
        let json = language("json").unwrap();
        let checker = Checker::new(json, "[1, 2,\n 3]").unwrap();
        let edit = |range, text: &str| TextEdit { range, text: text.into() };
        assert!(checker.adds_no_error(&[]));
        assert!(checker.adds_no_error(&[edit(2..5, "")]));
        assert!(checker.adds_no_error(&[edit(1..4, ""), edit(5..9, "")]));
        assert!(!checker.adds_no_error(&[edit(1..2, ""), edit(4..5, "{")]));
        assert!(!checker.adds_no_error(&[edit(4..5, ""), edit(1..2, "")]), "out of order");
        assert!(!checker.adds_no_error(&[edit(4..50, "")]), "outside the text");
        assert!(checker.accepts(b"[1,\n 3]"));
        assert!(!checker.accepts(b"[1,,\n 3]"));
        assert!(checker.accepts(b"[1, 2,\n 3]"));
    }

    #[test]
    fn existing_errors_may_stay() {
        let json = language("json").unwrap();
        let mut checker = Checker::new(json, "[1, }, 2]").unwrap();
        assert!(checker.errors() > 0);
        assert!(checker.accepts(b"[1, }]"));
        assert!(checker.accepts(b"[1, 2]"));
        checker.commit("[1, 2]").unwrap();
        assert_eq!(checker.errors(), 0);
        assert!(!checker.accepts(b"[1, }, 2]"));
    }
}
