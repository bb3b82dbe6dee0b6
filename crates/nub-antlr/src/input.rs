//! The characters of an input.
//!
//! ANTLR counts code points: columns, `.` and sets all see one character where UTF-8 has up to four bytes. Inputs of a
//! reducer need not be valid UTF-8, so a byte that is not part of a character counts as a character, U+FFFD.

use crate::atn::EOF;

/// The character for a byte that is not part of valid UTF-8.
const REPLACEMENT: i32 = 0xFFFD;

/// An input as characters with their byte offsets.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    bytes: &'a [u8],
    wide: Option<Wide>,
}

/// The characters of an input that is not plain ASCII.
#[derive(Clone, Debug)]
struct Wide {
    characters: Vec<i32>,
    offsets: Vec<u32>,
}

impl<'a> Input<'a> {
    /// Decodes bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, wide: (!bytes.is_ascii()).then(|| Wide::decode(bytes)) }
    }

    /// How many characters it has.
    pub fn len(&self) -> usize {
        self.wide.as_ref().map_or(self.bytes.len(), |wide| wide.characters.len())
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The character at a position, or [`EOF`].
    #[inline]
    pub fn at(&self, position: usize) -> i32 {
        match &self.wide {
            None => self.bytes.get(position).map_or(EOF, |&byte| i32::from(byte)),
            Some(wide) => wide.characters.get(position).copied().unwrap_or(EOF),
        }
    }

    /// Where the bytes of the character at a position begin.
    pub fn offset(&self, position: usize) -> usize {
        match &self.wide {
            None => position.min(self.bytes.len()),
            Some(wide) => wide.offsets.get(position).map_or(self.bytes.len(), |&offset| offset as usize),
        }
    }

    /// The bytes of a range of characters.
    pub fn slice(&self, from: usize, to: usize) -> &'a [u8] {
        &self.bytes[self.offset(from)..self.offset(to).max(self.offset(from))]
    }

    /// The text of a range of characters.
    pub fn text(&self, from: usize, to: usize) -> String {
        String::from_utf8_lossy(self.slice(from, to)).into_owned()
    }

    /// All bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
}

impl Wide {
    fn decode(bytes: &[u8]) -> Self {
        let mut wide = Self { characters: Vec::with_capacity(bytes.len()), offsets: Vec::with_capacity(bytes.len()) };
        let mut offset = 0;
        for chunk in bytes.utf8_chunks() {
            for character in chunk.valid().chars() {
                wide.push(character as i32, &mut offset, character.len_utf8());
            }
            for _ in chunk.invalid() {
                wide.push(REPLACEMENT, &mut offset, 1);
            }
        }
        wide
    }

    fn push(&mut self, character: i32, offset: &mut usize, length: usize) {
        self.characters.push(character);
        self.offsets.push(u32::try_from(*offset).unwrap_or(u32::MAX));
        *offset += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_is_one_unit_however_many_bytes_it_has() {
        let input = Input::new("aé€𝄞z".as_bytes());
        assert_eq!(input.len(), 5);
        assert_eq!(input.at(3), 0x1D11E);
        assert_eq!(input.offset(4), 10);
        assert_eq!(input.at(5), EOF);
    }

    #[test]
    fn invalid_bytes_keep_their_places() {
        let input = Input::new(b"a\xff\xc3z");
        assert_eq!((input.at(1), input.at(2), input.at(3)), (REPLACEMENT, REPLACEMENT, i32::from(b'z')));
        assert_eq!(input.slice(1, 3), b"\xff\xc3");
    }
}
