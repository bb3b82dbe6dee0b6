//! A position in a document that moves forward over what it finds.

use std::ops::Range;

#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a [u8], at: usize) -> Self {
        Self { text, at }
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Skips this text, if it comes next.
    pub(super) fn literal(&mut self, literal: &[u8]) -> bool {
        let found = self.rest().starts_with(literal);
        self.at += if found { literal.len() } else { 0 };
        found
    }

    /// Skips blanks. Returns whether there were any.
    pub(super) fn blanks(&mut self) -> bool {
        let blanks = self.rest().iter().take_while(|&&byte| is_blank(byte)).count();
        self.at += blanks;
        blanks > 0
    }

    /// Skips a name.
    pub(super) fn name(&mut self) -> Option<Range<usize>> {
        self.peek().filter(|&byte| starts_name(byte))?;
        self.token()
    }

    /// Skips characters that can occur in a name.
    pub(super) fn token(&mut self) -> Option<Range<usize>> {
        let length = self.rest().iter().take_while(|&&byte| is_in_name(byte)).count();
        let start = self.at;
        self.at += length;
        (length > 0).then_some(start..self.at)
    }

    /// Skips a quoted text and returns the range between the quotation marks.
    pub(super) fn quoted(&mut self) -> Option<Range<usize>> {
        let quote = self.peek().filter(|&byte| matches!(byte, b'"' | b'\''))?;
        let start = self.at + 1;
        let length = self.text[start..].iter().position(|&byte| byte == quote)?;
        self.at = start + length + 1;
        Some(start..start + length)
    }

    /// Moves past the next occurrence of this text and returns its position.
    pub(super) fn until(&mut self, end: &[u8]) -> Option<usize> {
        let found = find(self.text, self.at, end)?;
        self.at = found + end.len();
        Some(found)
    }
}

/// The next position of a text at or after `from`.
pub(super) fn find(text: &[u8], mut from: usize, what: &[u8]) -> Option<usize> {
    let (&last, before) = what.split_last()?;
    from += before.len();
    loop {
        let at = from + text.get(from..)?.iter().position(|&byte| byte == last)?;
        if text[..at].ends_with(before) {
            return Some(at - before.len());
        }
        from = at + 1;
    }
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

pub(super) fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':') || !byte.is_ascii()
}

fn is_in_name(byte: u8) -> bool {
    starts_name(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
}

/// Whether a name with non-ASCII characters is valid (XML 1.0, productions 4 and 4a).
pub(super) fn is_proper_name(name: &[u8]) -> bool {
    let Ok(name) = std::str::from_utf8(name) else { return false };
    let starts = |c: char| {
        c.is_ascii()
            || matches!(c, '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}'
                | '\u{37f}'..='\u{1fff}' | '\u{200c}' | '\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}'
                | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
    };
    let continues = |c: char| matches!(c, '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}' | '\u{2040}') || starts(c);
    name.chars().next().is_some_and(starts) && name.chars().all(continues)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finding() {
        assert_eq!(find(b"a--->", 0, b"-->"), Some(2));
        assert_eq!(find(b"-->", 1, b"-->"), None);
        assert_eq!(find(b"", 3, b">"), None);
    }

    #[test]
    fn names() {
        assert!(is_proper_name("é·".as_bytes()) && !is_proper_name("·é".as_bytes()) && !is_proper_name("×".as_bytes()));
    }
}
