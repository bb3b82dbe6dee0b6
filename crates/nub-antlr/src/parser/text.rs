//! Tokens in messages and trees.

use crate::{
    Vocabulary,
    atn::EOF,
    lexer::escape,
    predict::token_set::TokenSet,
    token::{Origin, Token},
};

/// The text of a token.
pub(crate) fn token_text(token: &Token, source: &[u8], vocabulary: &Vocabulary) -> String {
    if token.origin == Origin::Missing {
        return format!("<missing {}>", vocabulary.display(token.kind));
    }
    if token.kind == EOF {
        return "<EOF>".to_owned();
    }
    String::from_utf8_lossy(&source[token.span()]).into_owned()
}

/// A text as quoted in messages.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", escape(text))
}

/// A set of token types as shown in messages.
pub(crate) fn set_text(tokens: &TokenSet, vocabulary: &Vocabulary) -> String {
    let name = |token: i32| if token == EOF { "<EOF>".to_owned() } else { vocabulary.display(token) };
    let names: Vec<String> = tokens.iter().map(name).collect();
    if let [one] = &names[..] { one.clone() } else { format!("{{{}}}", names.join(", ")) }
}
