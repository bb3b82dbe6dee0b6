//! Conflicts and their explanations.

use super::automaton::{Automaton, StateId};
use crate::grammar::{Grammar, ProductionId, Symbol, TokenId};

/// A state in which the parser could do more than one thing with the next token and the grammar does not say which.
#[derive(Clone, Debug)]
pub struct Conflict {
    pub(super) place: Place,
    /// The tokens it occurs with.
    pub tokens: Vec<TokenId>,
    /// A production in which the token can be shifted, and where; `None` if it cannot be shifted.
    pub shifted: Option<(ProductionId, usize)>,
    /// The productions that could be reduced. The first one wins, unless the token is shifted.
    pub productions: Vec<ProductionId>,
}

/// The parser's position.
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
    /// A shortest sequence of symbols after which the parser has to decide.
    pub fn path(&self) -> &[Symbol] {
        &self.place.path
    }

    /// Explains the conflict: what has been read, what could be done, what is done, and how to make that explicit.
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
            text += &format!("\n    shift:   {}", grammar.show_with_dot(production, dot));
        }
        for &production in &self.productions {
            let end = grammar.production(production).symbols.len();
            text += &format!("\n    reduce:  {}", grammar.show_with_dot(production, end));
        }
        text += match self.shifted {
            Some(_) => "\n  YACC shifts; %left, %right or %prec would make that explicit",
            None => "\n  YACC reduces the production that comes first in the file",
        };
        text
    }
}
