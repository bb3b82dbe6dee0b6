//! Conflicts, and how to explain them.

use super::automaton::{Automaton, StateId};
use crate::grammar::{Grammar, ProductionId, Symbol, TokenId};

/// A place where the parser could do more than one thing with the next token, and the grammar does not say which.
#[derive(Clone, Debug)]
pub struct Conflict {
    pub(super) place: Place,
    /// The tokens.
    pub tokens: Vec<TokenId>,
    /// A production that goes on with the token, and where; `None` if the token cannot be shifted.
    pub shifted: Option<(ProductionId, usize)>,
    /// The productions that could end before the token; the first of them wins, unless the token is shifted.
    pub productions: Vec<ProductionId>,
}

/// Where the parser is.
#[derive(Clone, Debug)]
pub(super) struct Place {
    path: Vec<Symbol>,
}

impl Place {
    pub(super) fn new(automaton: &Automaton, state: StateId) -> Self {
        Self { path: automaton.path(state) }
    }
}

impl Conflict {
    /// A shortest row of symbols behind which the parser has to decide.
    pub fn path(&self) -> &[Symbol] {
        &self.place.path
    }

    /// Explains it: what has been read, what could be done, what is done, and how the grammar could say so.
    pub fn explain(&self, grammar: &Grammar) -> String {
        let names = |symbols: &[Symbol]| -> String {
            symbols.iter().map(|&symbol| grammar.name(symbol)).collect::<Vec<_>>().join(" ")
        };
        let tokens: Vec<&str> = self.tokens.iter().take(8).map(|&token| grammar.token(token).name.as_str()).collect();
        let more = self.tokens.len().saturating_sub(tokens.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let kind = if self.shifted.is_some() { "shift/reduce" } else { "reduce/reduce" };
        let path =
            if self.path().is_empty() { "at the start".to_owned() } else { format!("after `{}`", names(self.path())) };
        let mut text = format!("{kind} conflict {path}, before {}{more}:", tokens.join(" "));
        if let Some((production, dot)) = self.shifted {
            text += &format!("\n    goes on:  {}", grammar.show_with_dot(production, dot));
        }
        for &production in &self.productions {
            let end = grammar.production(production).symbols.len();
            text += &format!("\n    ends:     {}", grammar.show_with_dot(production, end));
        }
        text += match self.shifted {
            Some(_) => "\n  YACC shifts, so it goes on; %left, %right or %prec would say so",
            None => "\n  YACC takes the one that stands first in the file",
        };
        text
    }
}
