//! From tokens to text, with separators only where tokens would otherwise merge.

use super::derive::Piece;
use crate::Engine;

/// With more tokens than this, separators go everywhere, because finding their places takes quadratic time.
const TOKENS: usize = 128;

/// How many different separators are tried.
const SEPARATORS: usize = 4;

/// The shortest text found that lexes into the wanted tokens; if there is none, the plain text.
pub(super) fn join(engine: &mut Engine, pieces: &[Piece], mode: usize, separators: &[String]) -> (String, bool) {
    let texts: Vec<&str> = pieces.iter().map(Piece::text).filter(|text| !text.is_empty()).collect();
    let plain = texts.concat();
    let Some(wanted) = wanted(engine, pieces, mode) else {
        // It is unknown which tokens the user's texts become here. A parser may still accept them.
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

/// Joins from left to right, with a separator where the tokens so far would otherwise change.
fn spaced(engine: &mut Engine, texts: &[&str], wanted: &[i32], mode: usize, separator: &str) -> String {
    let mut text = String::new();
    for (number, next) in texts.iter().enumerate() {
        let joined = format!("{text}{next}");
        let fits = wanted.get(..=number).is_some_and(|wanted| kinds(engine, &joined, mode) == wanted);
        text = if fits || text.is_empty() { joined } else { format!("{text}{separator}{next}") };
    }
    text
}

/// The types that the tokens should have. Tokens without text only come from code in the parser.
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

/// The types of the visible tokens of a text; 0 for anything that is not a token.
fn kinds(engine: &mut Engine, text: &str, mode: usize) -> Vec<i32> {
    let (tokens, errors) = engine.tokens(text.as_bytes(), mode);
    if !errors.is_empty() {
        return vec![0];
    }
    let seen = tokens.iter().filter(|token| token.visible() && token.start < token.end);
    seen.map(|token| token.kind).collect()
}
