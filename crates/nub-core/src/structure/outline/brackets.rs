//! Which brackets belong together, in a text that may have smileys in it.

use super::tokens::{Token, TokenKind};

/// No partner.
pub(super) const NONE: u32 = u32::MAX;
/// Brackets in more brackets than that are marks like any other. Whoever removes some of the outer ones will see them.
const DEPTH: usize = 64;
/// How many open brackets a closing one may leave without a partner.
const FORGIVEN: usize = 4;

/// An open bracket.
struct Opened {
    at: usize,
    byte: u8,
    line: u32,
    /// The indentation of the line that it is on.
    indentation: u32,
    /// The smallest indentation of a line since.
    smallest: u32,
}

/// The partner of every bracket and quotation mark, by the number of its token.
///
/// If all brackets of the text are balanced, they are all meant. If not, those are believed that are closed on the same
/// line, and those that have nothing but deeper lines inside.
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

/// How far a line is indented: a tab is as good as eight blanks.
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
