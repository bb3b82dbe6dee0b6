//! The encoding of a document.
//!
//! An XML parser detects it from the first bytes and the declaration (XML 1.0, appendix F). Most encodings agree with
//! ASCII on all markup, so nothing has to be converted: bytes from 128 on are part of a text or a name, whatever they
//! mean. UTF-16 does not, so a UTF-16 document is converted to UTF-8, and positions are mapped back.

use std::borrow::Cow;

/// A document in the form that the scanner reads.
#[derive(Debug)]
pub(super) struct Decoded<'a> {
    pub(super) text: Cow<'a, [u8]>,
    /// For UTF-16: the position of each byte of `text` in the input, and the end of the input.
    places: Option<Vec<u32>>,
    /// Whether all characters are complete.
    pub(super) whole: bool,
}

impl Decoded<'_> {
    /// Whether the markup is ASCII in the input.
    pub(super) fn is_ascii_based(&self) -> bool {
        self.places.is_none()
    }

    /// The position in the input of a position in the text.
    pub(super) fn place(&self, at: usize) -> usize {
        self.places.as_ref().map_or(at, |places| places[at] as usize)
    }
}

/// Decodes an input; `None` for encodings that are not supported: UTF-32, EBCDIC.
pub(super) fn decode(input: &[u8]) -> Option<Decoded<'_>> {
    match input {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] | [0, 0, 0, b'<', ..] | [b'<', 0, 0, 0, ..] => None,
        // `<?xm` in EBCDIC.
        [0x4c, 0x6f, 0xa7, 0x94, ..] => None,
        [0xff, 0xfe, ..] | [b'<', 0, _, 0, ..] => Some(from_utf16(input, u16::from_le_bytes)),
        [0xfe, 0xff, ..] | [0, b'<', 0, _, ..] => Some(from_utf16(input, u16::from_be_bytes)),
        _ => Some(Decoded { text: input.into(), places: None, whole: true }),
    }
}

fn from_utf16(input: &[u8], unit: fn([u8; 2]) -> u16) -> Decoded<'static> {
    let units = input.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let mut text = String::with_capacity(input.len());
    let mut places = Vec::with_capacity(input.len());
    let mut whole = input.len().is_multiple_of(2);
    let mut at = 0;
    for character in char::decode_utf16(units) {
        let (character, bytes) = match character {
            Ok(character) => (character, 2 * character.len_utf16()),
            Err(_) => {
                whole = false;
                (char::REPLACEMENT_CHARACTER, 2)
            }
        };
        text.push(character);
        places.resize(text.len(), at);
        at += bytes as u32;
    }
    // Half a character at the end belongs to no character.
    places.push(at);
    Decoded { text: text.into_bytes().into(), places: Some(places), whole }
}

/// Whether a document is UTF-8 according to its declared encoding, or declares none.
pub(super) fn is_utf8(label: Option<&[u8]>) -> bool {
    label.is_none_or(|label| {
        [&b"utf-8"[..], b"utf8", b"us-ascii", b"ascii"].iter().any(|name| label.eq_ignore_ascii_case(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_in_utf16_are_mapped_back() {
        let mut input = vec![0xff, 0xfe];
        input.extend("<é😀/>".encode_utf16().flat_map(u16::to_le_bytes));
        let decoded = decode(&input).expect("UTF-16");
        assert_eq!(&*decoded.text, "\u{feff}<é😀/>".as_bytes());
        let slash = decoded.text.iter().position(|&byte| byte == b'/').expect("it is there");
        assert_eq!(&input[decoded.place(slash)..], b"/\0>\0");
        assert_eq!(decoded.place(decoded.text.len()), input.len());
        assert!(decoded.whole && !decode(&input[..5]).expect("UTF-16").whole);
    }

    #[test]
    fn encodings_not_based_on_ascii_are_rejected() {
        assert!(decode(b"<\0\0\0a\0\0\0").is_none());
        assert!(decode(b"\x4c\x6f\xa7\x94").is_none());
        assert!(decode(b"\xe9").is_some_and(|decoded| decoded.is_ascii_based()));
    }
}
