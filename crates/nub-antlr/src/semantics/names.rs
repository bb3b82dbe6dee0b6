//! Names that the code of a grammar may use.

use crate::compiled::Compiled;
use std::collections::HashMap;

/// Token types and modes by name.
#[derive(Clone, Debug, Default)]
pub struct Names {
    tokens: HashMap<String, i32>,
    modes: HashMap<String, usize>,
    channels: HashMap<String, u32>,
}

impl Names {
    pub(crate) fn new(grammar: &Compiled) -> Self {
        let tokens = grammar.vocabulary.by_name().into_iter().map(|(name, kind)| (name.to_owned(), kind)).collect();
        let modes = grammar.lexer.modes.iter().enumerate().map(|(number, name)| (name.clone(), number)).collect();
        let channels = (0u32..).zip(&grammar.lexer.channels).map(|(number, name)| (name.clone(), number)).collect();
        Self { tokens, modes, channels }
    }

    /// Names of tokens only, numbered from 1.
    #[cfg(test)]
    pub(crate) fn of_tokens(names: &[&str]) -> Self {
        let tokens = names.iter().zip(1..).map(|(name, kind)| ((*name).to_owned(), kind)).collect();
        Self { tokens, ..Self::default() }
    }

    /// The type of a token, or a type that no token has if the name is unknown.
    pub fn token(&self, name: &str) -> i32 {
        self.tokens.get(name).copied().unwrap_or(i32::MIN)
    }

    /// The types of tokens; unknown names are left out.
    pub fn tokens(&self, names: &[&str]) -> Vec<i32> {
        names.iter().filter_map(|name| self.tokens.get(*name).copied()).collect()
    }

    /// The number of a mode.
    pub fn mode(&self, name: &str) -> Option<usize> {
        self.modes.get(name).copied()
    }

    /// The number of a channel.
    pub fn channel(&self, name: &str) -> Option<u32> {
        self.channels.get(name).copied()
    }

    /// The value of a constant of a recogniser.
    pub(crate) fn constant(&self, name: &str) -> Option<i64> {
        let predefined = match name {
            "EOF" => Some(-1),
            "HIDDEN" => Some(1),
            "DEFAULT_TOKEN_CHANNEL" | "DEFAULT_CHANNEL" | "DEFAULT_MODE" => Some(0),
            _ => None,
        };
        let token = || self.tokens.get(name).map(|&kind| i64::from(kind));
        let mode = || self.modes.get(name).and_then(|&mode| i64::try_from(mode).ok());
        let channel = || self.channels.get(name).map(|&channel| i64::from(channel));
        predefined.or_else(token).or_else(mode).or_else(channel)
    }
}
