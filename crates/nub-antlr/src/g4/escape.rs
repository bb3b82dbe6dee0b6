//! Escapes in literals and sets.

use super::unicode;
use crate::atn::IntervalSet;

/// The largest code point.
pub(crate) const MAX: u32 = 0x10_FFFF;

/// The meaning of an escape.
pub(crate) enum Escape {
    Char(u32),
    Property(IntervalSet),
}

/// Where an escape occurs: literals and sets each have some that the other lacks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Within {
    Literal,
    Set,
}

/// Reads the escape at the start of `text`, which begins with a backslash. Also returns its length in bytes; on
/// failure, the length of the invalid part.
pub(crate) fn read(text: &str, within: Within) -> Result<(Escape, usize), usize> {
    let mut chars = text.chars();
    chars.next();
    let Some(kind) = chars.next() else { return Err(text.len()) };
    let simple = |c: char| Ok((Escape::Char(u32::from(c)), 1 + kind.len_utf8()));
    match kind {
        'n' => simple('\n'),
        'r' => simple('\r'),
        't' => simple('\t'),
        'b' => simple('\u{8}'),
        'f' => simple('\u{c}'),
        '\\' => simple('\\'),
        '\'' if within == Within::Literal => simple('\''),
        ']' | '-' if within == Within::Set => simple(kind),
        'u' => code_point(text),
        'p' | 'P' if within == Within::Set => property(text, kind == 'P'),
        _ => Err(1 + kind.len_utf8()),
    }
}

fn code_point(text: &str) -> Result<(Escape, usize), usize> {
    let digits = &text[2..];
    let (digits, length) = if let Some(braced) = digits.strip_prefix('{') {
        let end = braced.find('}').ok_or(text.len().min(3))?;
        (&braced[..end], 3 + end + 1)
    } else {
        let end = digits.char_indices().take(4).take_while(|(_, c)| c.is_ascii_hexdigit()).count();
        if end < 4 {
            return Err(2 + end);
        }
        (&digits[..4], 6)
    };
    let hexadecimal = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit());
    match u32::from_str_radix(digits, 16) {
        Ok(value) if hexadecimal && value <= MAX => Ok((Escape::Char(value), length)),
        _ => Err(length),
    }
}

fn property(text: &str, negated: bool) -> Result<(Escape, usize), usize> {
    let name = text[2..].strip_prefix('{').ok_or(2usize)?;
    let end = name.find('}').ok_or(3usize)?;
    let length = 3 + end + 1;
    let set = unicode::property(&name[..end]).ok_or(length)?;
    let set = if negated { set.complement(0, super::ast::code_point(MAX)) } else { set };
    if set.is_empty() { Err(length) } else { Ok((Escape::Property(set), length)) }
}
