//! Tokens to text: with something between them only where they would grow together.

use super::derive::Piece;
use crate::Engine;

/// With more tokens than this, separators go everywhere: to look for their places costs the square of the length.
const TOKENS: usize = 128;

/// So many different separators are tried.
const SEPARATORS: usize = 4;

/// The shortest text found that the lexer cuts into the wanted tokens; if there is none, the plain text.
pub(super) fn join(engine: &mut Engine, pieces: &[Piece], mode: usize, separators: &[String]) -> (String, bool) {
    let texts: Vec<&str> = pieces.iter().map(Piece::text).filter(|text| !text.is_empty()).collect();
    let plain = texts.concat();
    let Some(wanted) = wanted(engine, pieces, mode) else {
        // Nobody knows what tokens the user's texts are here. A parser still may.
        return (plain, true);
    };
    if kinds(engine, &plain, mode) == wanted {
        return (plain, true);
    }
    for separator in separators.iter().take(SEPARATORS) {
        if texts.len() <= TOKENS {
            let text = spaced(engine, &texts, &wanted, mode, separator);
            if kinds(engine, &text, mode) == wanted {
                return (text, true);
            }
        }
        let text = texts.join(separator);
        if kinds(engine, &text, mode) == wanted {
            return (text, true);
        }
    }
    (plain, false)
}

/// From left to right, with separators where the tokens so far would be others without.
fn spaced(engine: &mut Engine, texts: &[&str], wanted: &[i32], mode: usize, separator: &str) -> String {
    let mut text = String::new();
    for (number, next) in texts.iter().enumerate() {
        let joined = format!("{text}{next}");
        let fits = wanted.get(..=number).is_some_and(|wanted| kinds(engine, &joined, mode) == wanted);
        text = if fits || text.is_empty() { joined } else { format!("{text}{separator}{next}") };
    }
    text
}

/// The types the tokens should have. Those without text come from nowhere but the parser's own code.
fn wanted(engine: &mut Engine, pieces: &[Piece], mode: usize) -> Option<Vec<i32>> {
    let mut wanted = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Token(kind, text) if !text.is_empty() => wanted.push(*kind),
            Piece::Token(..) => {}
            Piece::Given(text) => match kinds(engine, text, mode) {
                kinds if kinds.contains(&0) => return None,
                kinds => wanted.extend(kinds),
            },
        }
    }
    Some(wanted)
}

/// The types of the visible tokens of a text; 0 for what is no token.
fn kinds(engine: &mut Engine, text: &str, mode: usize) -> Vec<i32> {
    let (tokens, errors) = engine.tokens(text.as_bytes(), mode);
    if !errors.is_empty() {
        return vec![0];
    }
    let seen = tokens.iter().filter(|token| token.visible() && token.start < token.end);
    seen.map(|token| token.kind).collect()
}
