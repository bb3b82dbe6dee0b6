//! Encodings of numbers in binary data.

/// An encoding of a non-negative number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// One byte.
    U8,
    /// Two bytes, little-endian.
    U16Le,
    /// Two bytes, big-endian.
    U16Be,
    /// Four bytes, little-endian.
    U32Le,
    /// Four bytes, big-endian.
    U32Be,
    /// Eight bytes, little-endian.
    U64Le,
    /// Eight bytes, big-endian.
    U64Be,
    /// Seven bits per byte, the lowest first, and a bit that says whether more follow: LEB128, the `varint` of protocol
    /// buffers. It may be longer than necessary; linkers reserve space that way.
    Leb128,
    /// A length in ASN.1's distinguished encoding rules: below 128 the length itself, otherwise the number of bytes
    /// that hold it, and those bytes.
    Der,
    /// Decimal digits, padded with blanks to this many bytes, as in `ar` archives.
    Decimal(u8),
    /// Octal digits, padded with zeros to this many bytes, including a last byte that is not a digit, as in `tar`.
    Octal(u8),
}

use Encoding::{Decimal, Der, Leb128, Octal, U8, U16Be, U16Le, U32Be, U32Le, U64Be, U64Le};

impl Encoding {
    /// The number at the start of `bytes`, and its length in bytes.
    ///
    /// ```
    /// use nub_core::binary::Encoding;
    ///
    /// assert_eq!(Encoding::Leb128.read(&[0xe5, 0x8e, 0x26, 7]), Some((624_485, 3)));
    /// assert_eq!(Encoding::Der.read(&[0x82, 1, 0]), Some((256, 3)));
    /// assert_eq!(Encoding::U32Be.read(&[0, 0, 1]), None);
    /// ```
    pub fn read(self, bytes: &[u8]) -> Option<(u64, usize)> {
        let big = |bytes: &[u8]| bytes.iter().fold(0, |value, &byte| value << 8 | u64::from(byte));
        let little = |bytes: &[u8]| bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
        match self {
            U8 => bytes.first().map(|&byte| (u64::from(byte), 1)),
            U16Le => bytes.get(..2).map(|bytes| (little(bytes), 2)),
            U16Be => bytes.get(..2).map(|bytes| (big(bytes), 2)),
            U32Le => bytes.get(..4).map(|bytes| (little(bytes), 4)),
            U32Be => bytes.get(..4).map(|bytes| (big(bytes), 4)),
            U64Le => bytes.get(..8).map(|bytes| (little(bytes), 8)),
            U64Be => bytes.get(..8).map(|bytes| (big(bytes), 8)),
            Leb128 => {
                let mut value = 0;
                for (place, &byte) in bytes.iter().take(9).enumerate() {
                    value |= u64::from(byte & 0x7f) << (7 * place);
                    if byte < 0x80 {
                        return Some((value, place + 1));
                    }
                }
                None
            }
            Der => match *bytes.first()? {
                short @ 0..=0x7f => Some((u64::from(short), 1)),
                long @ 0x81..=0x84 => {
                    let width = usize::from(long - 0x80);
                    bytes.get(1..=width).map(|bytes| (big(bytes), 1 + width))
                }
                _ => None,
            },
            Decimal(width) => {
                let text = bytes.get(..usize::from(width))?.trim_ascii_end();
                digits(text, 10).map(|value| (value, usize::from(width)))
            }
            Octal(width) => {
                let (end, text) = bytes.get(..usize::from(width))?.split_last()?;
                (!end.is_ascii_digit()).then(|| digits(text, 8))?.map(|value| (value, usize::from(width)))
            }
        }
    }

    /// Encodes another number in place of `old`, in the same style: a number that was longer than necessary keeps its
    /// length. `None` if the number does not fit.
    pub fn rewrite(self, old: &[u8], value: u64) -> Option<Vec<u8>> {
        let fits = |width: usize| width >= 8 || value >> (8 * width) == 0;
        let big = |width: usize| fits(width).then(|| value.to_be_bytes()[8 - width..].to_vec());
        let little = |width: usize| fits(width).then(|| value.to_le_bytes()[..width].to_vec());
        match self {
            U8 => big(1),
            U16Le => little(2),
            U16Be => big(2),
            U32Le => little(4),
            U32Be => big(4),
            U64Le => little(8),
            U64Be => big(8),
            Leb128 => {
                let padded = old.len() > 1 && old.last() == Some(&0);
                let mut bytes = vec![];
                let mut rest = value;
                loop {
                    bytes.push((rest & 0x7f) as u8);
                    rest >>= 7;
                    if rest == 0 && !(padded && bytes.len() < old.len()) {
                        break;
                    }
                }
                let last = bytes.len() - 1;
                bytes[..last].iter_mut().for_each(|byte| *byte |= 0x80);
                Some(bytes)
            }
            Der => {
                let width = (8 - value.leading_zeros() as usize / 8).max(1);
                match value {
                    0..0x80 => Some(vec![value as u8]),
                    _ if width > 4 => None,
                    _ => Some([&[0x80 + width as u8], &value.to_be_bytes()[8 - width..]].concat()),
                }
            }
            Decimal(width) => {
                let text = format!("{value:<width$}", width = usize::from(width));
                (text.len() == usize::from(width)).then(|| text.into_bytes())
            }
            Octal(width) => {
                let text = format!("{value:0width$o}", width = usize::from(width).checked_sub(1)?);
                (text.len() + 1 == usize::from(width)).then(|| [text.as_bytes(), &old[old.len() - 1..]].concat())
            }
        }
    }

    /// How many more bits a random number in this encoding has than a number below `limit`: how unlikely it is to be
    /// right by chance.
    pub(super) fn surprise(self, width: usize, limit: usize) -> f64 {
        let bits = match self {
            Leb128 => 7 * width,
            Der => 8 * width - 8 * usize::from(width > 1),
            Decimal(_) | Octal(_) => 3 * width,
            _ => 8 * width,
        };
        (bits as f64 - (limit.max(2) as f64).log2()).max(0.0)
    }
}

/// Parses a number of at least one digit.
fn digits(text: &[u8], base: u32) -> Option<u64> {
    let text = str::from_utf8(text).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    u64::from_str_radix(text, base).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Encoding; 11] = [U8, U16Le, U16Be, U32Le, U32Be, U64Le, U64Be, Leb128, Der, Decimal(10), Octal(12)];

    #[test]
    fn numbers_survive_a_round_trip() {
        let olds: [&[u8]; 11] = [
            &[7],
            &[7, 0],
            &[0, 7],
            &[7, 0, 0, 0],
            &[0, 0, 0, 7],
            &[7, 0, 0, 0, 0, 0, 0, 0],
            &[0, 0, 0, 0, 0, 0, 0, 7],
            &[7],
            &[7],
            b"7         ",
            b"00000000007\0",
        ];
        for (encoding, old) in ALL.into_iter().zip(olds) {
            assert_eq!(encoding.read(old), Some((7, old.len())), "{encoding:?}");
            assert_eq!(encoding.rewrite(old, 7).as_deref(), Some(old), "{encoding:?}");
            for value in [0, 1, 100, 127, 128, 255, 256, 65_535, 1 << 24] {
                let Some(new) = encoding.rewrite(old, value) else { continue };
                assert_eq!(encoding.read(&new), Some((value, new.len())), "{encoding:?}");
            }
        }
    }

    #[test]
    fn numbers_that_do_not_fit_are_not_written() {
        assert_eq!(U8.rewrite(&[1], 256), None);
        assert_eq!(U16Be.rewrite(&[0, 1], 65_536), None);
        assert_eq!(Decimal(2).rewrite(b"9 ", 100), None);
        assert_eq!(Octal(3).rewrite(b"07 ", 64), None);
        assert_eq!(Der.rewrite(&[1], 1 << 32), None);
    }

    #[test]
    fn padding_is_kept() {
        let old = [0x85, 0x80, 0x80, 0x80, 0];
        assert_eq!(Leb128.read(&old), Some((5, 5)));
        assert_eq!(Leb128.rewrite(&old, 300), Some(vec![0xac, 0x82, 0x80, 0x80, 0]));
        assert_eq!(Leb128.rewrite(&[0xac, 2], 3), Some(vec![3]), "the shortest form stays the shortest form");
    }

    #[test]
    fn malformed_numbers_are_rejected() {
        assert_eq!(Leb128.read(&[0xff; 20]), None);
        assert_eq!(Der.read(&[0x80]), None);
        assert_eq!(Decimal(3).read(b"   "), None);
        assert_eq!(Decimal(3).read(b"1a "), None);
        assert!(ALL.iter().all(|encoding| encoding.read(&[]).is_none()));
    }
}
