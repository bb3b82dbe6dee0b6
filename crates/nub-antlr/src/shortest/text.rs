//! Texts and their order.

use std::sync::Arc;

/// The extra cost of a token that our own lexer does not produce from its text: any other path is better.
const DOUBT: usize = 64;

/// Longer texts are of no use. A grammar of a few lines can have a shortest text of astronomical length.
const LIMIT: usize = 1 << 12;

/// A text and its cost. Texts are ordered by length in characters, then by how unusual their characters are, then
/// alphabetically; so no text becomes better by growing.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Text {
    cost: usize,
    unusual: u32,
    text: Arc<str>,
}

impl Text {
    /// A text for the parser: only length and text count, so that `0` is preferred to a name that may not be defined.
    pub(super) fn plain(text: &str) -> Self {
        Self { cost: text.chars().count(), unusual: 0, text: text.into() }
    }

    /// A text for the parser that does not lex as its token by itself.
    pub(super) fn doubtful(text: &str) -> Self {
        Self { cost: text.chars().count() + DOUBT, unusual: 0, text: text.into() }
    }

    /// A text for the lexer.
    pub(super) fn usual(text: &str) -> Self {
        let unusual = text.chars().map(super::character::rank).sum();
        Self { cost: text.chars().count(), unusual, text: text.into() }
    }

    /// This text followed by another.
    pub(super) fn then(&self, other: &Self) -> Self {
        let text = match (self.text.is_empty(), other.text.is_empty()) {
            (true, _) => Arc::clone(&other.text),
            (_, true) => Arc::clone(&self.text),
            _ => [&*self.text, &*other.text].concat().into(),
        };
        Self { cost: self.cost + other.cost, unusual: self.unusual + other.unusual, text }
    }

    /// Whether it is too long to be of use.
    pub(super) fn is_too_long(&self) -> bool {
        self.cost > LIMIT
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_usual_texts_are_better() {
        let mut texts = ["ab", "\t", "A", "a", "0", "$", "b", "", " ", "\n"].map(Text::usual);
        texts.sort();
        assert_eq!(texts.each_ref().map(Text::as_str), ["", "a", "b", "A", "0", " ", "$", "\n", "\t", "ab"]);
        assert!(Text::plain("0") < Text::plain("a"));
    }
}
