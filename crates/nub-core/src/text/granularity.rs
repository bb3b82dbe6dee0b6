//! Cutting bytes into units.

use std::sync::Arc;

/// What a unit of the input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Granularity {
    /// A line with its end. Lines end where Python's `str.splitlines` says, as in the reference tool: at `\n`, `\r\n`,
    /// `\r`, and at the rarer separators (vertical tab, form feed, U+001C–U+001E, U+0085, U+2028, U+2029).
    Line,
    /// A Unicode character; a byte that is part of none is a unit of its own.
    Char,
    /// A byte.
    Byte,
    /// A word, a number, a string, an operator, a run of blanks or a line end, by rules that fit most languages.
    Token,
}

impl Granularity {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Line, Self::Char, Self::Byte, Self::Token];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Char => "char",
            Self::Byte => "byte",
            Self::Token => "token",
        }
    }

    /// The granularity with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|granularity| granularity.name() == name)
    }

    /// Cuts `bytes` into units. Every byte belongs to exactly one unit, and no unit is empty.
    pub(crate) fn cut(self, bytes: &[u8]) -> Cuts {
        let length: fn(&[u8]) -> usize = match self {
            Self::Byte => return Cuts::EveryByte(bytes.len()),
            Self::Char if bytes.is_ascii() => return Cuts::EveryByte(bytes.len()),
            Self::Char => char_length,
            Self::Line => line_length,
            Self::Token => token_length,
        };
        let mut ends = vec![0];
        let mut at = 0;
        while at < bytes.len() {
            at += length(&bytes[at..]);
            ends.push(u32::try_from(at).expect("an input is smaller than 4 GiB"));
        }
        Cuts::At(ends.into())
    }
}

/// Where an input is cut.
#[derive(Clone, Debug)]
pub(crate) enum Cuts {
    /// Every byte is a unit: no table needed, however large the input.
    EveryByte(usize),
    /// Unit `i` is `at[i]..at[i + 1]`.
    At(Arc<[u32]>),
}

impl Cuts {
    /// The number of units.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::EveryByte(n) => *n,
            Self::At(at) => at.len() - 1,
        }
    }

    /// Where unit `unit` starts; for the number of units, where the last one ends.
    pub(crate) fn start(&self, unit: u32) -> usize {
        match self {
            Self::EveryByte(_) => unit as usize,
            Self::At(at) => at[unit as usize] as usize,
        }
    }
}

/// The length of the first line, with its end.
fn line_length(bytes: &[u8]) -> usize {
    for (i, &byte) in bytes.iter().enumerate() {
        let rest = &bytes[i..];
        match byte {
            b'\r' if rest.starts_with(b"\r\n") => return i + 2,
            b'\n' | b'\r' | 0x0b | 0x0c | 0x1c..=0x1e => return i + 1,
            0xc2 if rest.starts_with("\u{85}".as_bytes()) => return i + 2,
            0xe2 if rest.starts_with("\u{2028}".as_bytes()) || rest.starts_with("\u{2029}".as_bytes()) => return i + 3,
            _ => {}
        }
    }
    bytes.len()
}

/// The length of the first character: 1 if the bytes are not UTF-8 there.
fn char_length(bytes: &[u8]) -> usize {
    let expected = match bytes[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return 1,
    };
    let complete = bytes.get(..expected).is_some_and(|bytes| std::str::from_utf8(bytes).is_ok());
    if complete { expected } else { 1 }
}

/// Operators of more than one character that are one token in most languages; the longer ones first.
const OPERATORS: [&[u8]; 31] = [
    b">>>=", b"...", b"<<=", b">>=", b">>>", b"===", b"!==", b"<=>", b"**=", b"->", b"=>", b"::", b"==", b"!=", b"<=",
    b">=", b"&&", b"||", b"++", b"--", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=", b"<<", b">>", b"**",
];

/// The length of the first token.
fn token_length(bytes: &[u8]) -> usize {
    let span = |is: fn(u8) -> bool| bytes.iter().position(|&byte| !is(byte)).unwrap_or(bytes.len());
    match bytes[0] {
        b'\r' if bytes.starts_with(b"\r\n") => 2,
        b'\n' | b'\r' => 1,
        byte if is_blank(byte) => span(is_blank),
        byte if byte.is_ascii_digit() => number_length(bytes),
        byte if is_word(byte) => span(is_word),
        quote @ (b'"' | b'\'' | b'`') => string_length(bytes, quote).unwrap_or(1),
        _ => OPERATORS.iter().find(|operator| bytes.starts_with(operator)).map_or(1, |operator| operator.len()),
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

/// Letters, digits and whatever is not ASCII: identifiers of any script, cut at no character's inside.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

/// Digits with what may stick to them: suffixes, a fraction, an exponent with its sign.
fn number_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        let after_exponent = matches!(bytes[at - 1], b'e' | b'E') && !bytes.starts_with(b"0x");
        let fraction = byte == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        if !(is_word(byte) || fraction || after_exponent && matches!(byte, b'+' | b'-')) {
            break;
        }
        at += 1;
    }
    at
}

/// The length of a string that is closed on the same line; none if it is not, and then the quote is an apostrophe.
fn string_length(bytes: &[u8], quote: u8) -> Option<usize> {
    let mut at = 1;
    loop {
        match *bytes.get(at)? {
            b'\n' => return None,
            b'\\' => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pieces(granularity: Granularity, bytes: &[u8]) -> Vec<&[u8]> {
        let cuts = granularity.cut(bytes);
        (0..cuts.len() as u32).map(|unit| &bytes[cuts.start(unit)..cuts.start(unit + 1)]).collect()
    }

    fn texts(granularity: Granularity, text: &str) -> Vec<&str> {
        pieces(granularity, text.as_bytes()).into_iter().map(|bytes| std::str::from_utf8(bytes).unwrap()).collect()
    }

    #[test]
    fn lines_keep_their_ends() {
        assert_eq!(texts(Granularity::Line, "a\nb\r\nc\rd\n\ne"), ["a\n", "b\r\n", "c\r", "d\n", "\n", "e"]);
        assert_eq!(texts(Granularity::Line, "a\u{85}b\u{2028}c\x0cd"), ["a\u{85}", "b\u{2028}", "c\x0c", "d"]);
        assert!(pieces(Granularity::Line, b"").is_empty());
        assert_eq!(pieces(Granularity::Line, b"\xc2\n\xe2\x80"), [&b"\xc2\n"[..], b"\xe2\x80"]);
    }

    #[test]
    fn characters_are_code_points_or_stray_bytes() {
        assert_eq!(texts(Granularity::Char, "aé€😀"), ["a", "é", "€", "😀"]);
        assert_eq!(pieces(Granularity::Char, b"\xff\xc3\xa9\xc3"), [&b"\xff"[..], b"\xc3\xa9", b"\xc3"]);
        assert_eq!(pieces(Granularity::Byte, b"\xc3\xa9"), [b"\xc3", b"\xa9"]);
    }

    #[test]
    fn tokens_of_most_languages() {
        assert_eq!(
            texts(Granularity::Token, "if (x1>=0x1F) f(\"a \\\" b\", 1.5e-3, 'it');\n"),
            [
                "if",
                " ",
                "(",
                "x1",
                ">=",
                "0x1F",
                ")",
                " ",
                "f",
                "(",
                "\"a \\\" b\"",
                ",",
                " ",
                "1.5e-3",
                ",",
                " ",
                "'it'",
                ")",
                ";",
                "\n"
            ]
        );
        assert_eq!(texts(Granularity::Token, "don't\nx"), ["don", "'", "t", "\n", "x"]);
        assert_eq!(
            texts(Granularity::Token, "größe::x ... 1..2"),
            ["größe", "::", "x", " ", "...", " ", "1", ".", ".", "2"]
        );
    }

    proptest! {
        #[test]
        fn every_byte_is_in_one_unit(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "\\PC{0,50}") {
            for granularity in Granularity::ALL {
                for input in [&bytes[..], text.as_bytes()] {
                    let pieces = pieces(granularity, input);
                    prop_assert_eq!(pieces.concat(), input);
                    prop_assert!(pieces.iter().all(|piece| !piece.is_empty()));
                }
            }
        }
    }
}
