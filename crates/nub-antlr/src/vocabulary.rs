//! The names of tokens.

use std::collections::HashMap;

/// The names of a grammar's token types.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// By type: the name of the rule or the entry of `tokens { … }`, if it has one. Literals of a combined grammar that
    /// no rule defines are `T__0`, `T__1`, …
    pub symbolic: Vec<Option<String>>,
    /// By type: the literal, if the token always has the same text, as written in the grammar with its quotes.
    pub literal: Vec<Option<String>>,
}

impl Vocabulary {
    /// The name of a token type in ANTLR's messages: its literal, otherwise its name, otherwise its number.
    pub fn display(&self, token_type: i32) -> String {
        if token_type == crate::atn::EOF {
            return "EOF".to_owned();
        }
        let index = usize::try_from(token_type).unwrap_or(usize::MAX);
        let named = |names: &[Option<String>]| names.get(index).cloned().flatten();
        named(&self.literal).or_else(|| named(&self.symbolic)).unwrap_or_else(|| token_type.to_string())
    }

    /// The token types by name.
    pub fn by_name(&self) -> HashMap<&str, i32> {
        let names = self.symbolic.iter().enumerate();
        names.filter_map(|(index, name)| Some((name.as_deref()?, i32::try_from(index).ok()?))).collect()
    }
}
