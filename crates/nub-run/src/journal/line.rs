//! Lines with a checksum, which distinguishes a complete line from a torn or damaged one.

use std::{
    borrow::Cow,
    fmt::Write as _,
    io::{self, BufRead, Read, Write as _},
};

/// No line of a journal is longer, not even the first line with a command of maximum length. A file of garbage without
/// a newline is abandoned at this point instead of being read into memory.
pub(super) const MAX_LINE: usize = 16 << 20;

/// The length of what follows the body of a line: a space, eight digits, a newline.
const TRAILER: usize = 10;

/// Appends the checksum to the line that begins at `start`.
pub(super) fn seal(buffer: &mut Vec<u8>, start: usize) {
    let checksum = crc32fast::hash(&buffer[start..]);
    writeln!(buffer, " {checksum:08x}").expect("writing to a vector cannot fail");
}

/// The body of a complete line (with its newline), or what is wrong with it.
fn open(line: &[u8]) -> Result<&str, &'static str> {
    let Some(body_len) = line.len().checked_sub(TRAILER) else {
        return Err(if line.ends_with(b"\n") { "too short" } else { "incomplete" });
    };
    let (body, trailer) = line.split_at(body_len);
    if trailer[TRAILER - 1] != b'\n' {
        return Err("incomplete");
    }
    // Compared as text, so that there is one way to write a checksum and every changed byte is noticed.
    let mut expected = [0; TRAILER];
    writeln!(&mut expected[..], " {:08x}", crc32fast::hash(body)).expect("ten bytes");
    if trailer != expected {
        return Err("damaged (wrong checksum)");
    }
    std::str::from_utf8(body).map_err(|_| "not UTF-8")
}

/// Reads lines one by one, checks them, and keeps track of the position in the file.
pub(super) struct Lines<R> {
    input: R,
    line: Vec<u8>,
    number: u64,
    offset: u64,
}

/// What [`Lines::next`] found.
pub(super) enum Line<'a> {
    /// The body of a complete line with a correct checksum.
    Body(&'a str),
    /// What is wrong with the line.
    Bad(&'static str),
    /// The end of the file, just after a newline.
    End,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, line: Vec::new(), number: 0, offset: 0 }
    }

    pub(super) fn next(&mut self) -> io::Result<Line<'_>> {
        self.line.clear();
        let len = (&mut self.input).take(MAX_LINE as u64).read_until(b'\n', &mut self.line)?;
        if len == 0 {
            return Ok(Line::End);
        }
        self.number += 1;
        Ok(match open(&self.line) {
            Ok(body) => {
                self.offset += len as u64;
                Line::Body(body)
            }
            Err(why) => Line::Bad(why),
        })
    }

    /// The last line read, as it is in the file, good or bad.
    pub(super) fn raw(&self) -> &[u8] {
        &self.line
    }

    /// The number of the last line read, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Where the last complete line ends.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }
}

/// Escapes a text so that it stays on its line.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    if !text.chars().any(needs_escape) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if needs_escape(c) {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                write!(escaped, "%{byte:02x}").expect("writing to a string cannot fail");
            }
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

fn needs_escape(c: char) -> bool {
    c == '%' || c.is_control()
}

/// Undoes [`escape`]; `None` if the text is not validly escaped.
pub(super) fn unescape(escaped: &str) -> Option<String> {
    let Some((plain, _)) = escaped.split_once('%') else {
        return Some(escaped.to_owned());
    };
    let mut bytes = plain.as_bytes().to_vec();
    let mut rest = escaped.as_bytes()[plain.len()..].iter();
    while let Some(&byte) = rest.next() {
        bytes.push(if byte == b'%' { digit(*rest.next()?)? << 4 | digit(*rest.next()?)? } else { byte });
    }
    String::from_utf8(bytes).ok()
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_texts_stay_on_their_line() {
        for text in ["", "i0_r3_c5", "a b", "100%", "%41", "new\nline\r\0", "é\u{85}ü", "trailing "] {
            let escaped = escape(text);
            assert!(!escaped.contains(char::is_control), "{escaped}");
            assert_eq!(unescape(&escaped).as_deref(), Some(text));
        }
        for wrong in ["%", "%4", "%4g", "%ff", "%C3%A9"] {
            assert_eq!(unescape(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn endless_garbage_is_not_read_into_memory() {
        let mut lines = Lines::new(io::BufReader::new(io::repeat(b'x')));
        assert!(matches!(lines.next(), Ok(Line::Bad("incomplete"))));
        assert_eq!(lines.raw().len(), MAX_LINE);
    }
}
