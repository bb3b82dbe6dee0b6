//! Pairs of brackets, in a text that may contain smileys.

use super::tokens::{Token, TokenKind};

/// No partner.
pub(super) const NONE: u32 = u32::MAX;
/// The deepest nesting of brackets. Deeper ones are ordinary marks, until some of the outer ones are removed.
const DEPTH: usize = 64;
/// How many open brackets are considered as the partner of a closing one. Those skipped stay without a partner.
const FORGIVEN: usize = 4;

/// An open bracket.
struct Opened {
    at: usize,
    byte: u8,
    line: u32,
    /// The indentation of the line that it is on.
    indentation: u32,
    /// The smallest indentation of any line since then.
    smallest: u32,
}

/// The partner of every bracket and quotation mark, by token index.
///
/// If all brackets of the text are balanced, all pairs count. If not, only those count that are closed on the same line
/// or that contain only lines with deeper indentation.
pub(super) fn partners(text: &[u8], tokens: &[Token]) -> Vec<u32> {
    let mut partners = vec![NONE; tokens.len()];
    let mut doubtful: Vec<(u32, u32)> = vec![];
    let mut clean = true;
    let mut open: Vec<Opened> = vec![];
    let (mut line, mut indentation, mut at_start) = (0, 0, true);
    let mut quote: Option<usize> = None;
    for (at, token) in tokens.iter().enumerate() {
        let start = token.start as usize;
        let byte = text[start];
        let starts_line = at_start && !matches!(token.kind, TokenKind::Blank | TokenKind::LineEnd);
        if starts_line {
            at_start = false;
            if token.kind != TokenKind::Close {
                note_line(&mut open, indentation);
            }
        }
        match token.kind {
            TokenKind::LineEnd => (line, indentation, at_start) = (line + 1, 0, true),
            TokenKind::Blank if at_start => {
                let end = tokens.get(at + 1).map_or(text.len(), |next| next.start as usize);
                indentation = width(&text[start..end]);
            }
            TokenKind::Quote => match quote.take() {
                Some(first) => pair(&mut partners, first, at),
                None => quote = Some(at),
            },
            TokenKind::Open => open.push(Opened { at, byte, line, indentation, smallest: u32::MAX }),
            TokenKind::Close => {
                let depth = open.iter().rev().take(FORGIVEN).position(|opened| closes(opened.byte, byte));
                clean &= depth == Some(0);
                let Some(depth) = depth else { continue };
                open.truncate(open.len() - depth);
                let Some(opened) = open.pop() else { continue };
                if opened.line == line || opened.smallest > opened.indentation {
                    pair(&mut partners, opened.at, at);
                } else {
                    doubtful.push((opened.at as u32, at as u32));
                }
                note_line(&mut open, opened.smallest);
                if starts_line {
                    note_line(&mut open, indentation);
                }
            }
            _ => {}
        }
    }
    if clean && open.is_empty() {
        doubtful.iter().for_each(|&(open, close)| pair(&mut partners, open as usize, close as usize));
    }
    limit_depth(&mut partners);
    partners
}

fn pair(partners: &mut [u32], open: usize, close: usize) {
    (partners[open], partners[close]) = (close as u32, open as u32);
}

fn note_line(open: &mut [Opened], indentation: u32) {
    if let Some(last) = open.last_mut() {
        last.smallest = last.smallest.min(indentation);
    }
}

fn closes(open: u8, close: u8) -> bool {
    matches!((open, close), (b'(', b')') | (b'[', b']') | (b'{', b'}'))
}

/// The width of an indentation. Tab stops are eight columns apart.
pub(super) fn width(blanks: &[u8]) -> u32 {
    blanks.iter().fold(0, |width: u32, &byte| if byte == b'\t' { (width / 8 + 1) * 8 } else { width + 1 })
}

fn limit_depth(partners: &mut [u32]) {
    let mut ends: Vec<u32> = vec![];
    for at in 0..partners.len() {
        let partner = partners[at];
        if partner == NONE {
            continue;
        }
        if partner > at as u32 {
            if ends.len() < DEPTH {
                ends.push(partner);
            } else {
                partners[at] = NONE;
                partners[partner as usize] = NONE;
            }
        } else {
            ends.pop();
        }
    }
}
