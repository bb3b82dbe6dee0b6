//! The names of tokens.

use std::collections::HashMap;

/// What the tokens of a grammar are called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// By type: the name of the rule or the entry of `tokens { … }`, if it has one. Literals of a combined grammar that
    /// no rule defines are `T__0`, `T__1`, …
    pub symbolic: Vec<Option<String>>,
    /// By type: the one literal that the token always is, as written in the grammar, with its quotes.
    pub literal: Vec<Option<String>>,
}

impl Vocabulary {
    /// What ANTLR's messages call a type of token: its literal, else its name, else its number.
    pub fn display(&self, token_type: i32) -> String {
        if token_type == crate::atn::EOF {
            return "EOF".to_owned();
        }
        let index = usize::try_from(token_type).unwrap_or(usize::MAX);
        let named = |names: &[Option<String>]| names.get(index).cloned().flatten();
        named(&self.literal).or_else(|| named(&self.symbolic)).unwrap_or_else(|| token_type.to_string())
    }

    /// The types by name.
    pub fn by_name(&self) -> HashMap<&str, i32> {
        let names = self.symbolic.iter().enumerate();
        names.filter_map(|(index, name)| Some((name.as_deref()?, i32::try_from(index).ok()?))).collect()
    }
}
