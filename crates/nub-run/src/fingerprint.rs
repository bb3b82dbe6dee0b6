//! The identity of a text in 128 bits.
//!
//! Two candidates with the same bytes have the same outcome, whatever configurations they came from. Nobody wants to
//! keep the bytes of a million candidates to find that out, so the content cache and the journal keep a fingerprint:
//! XXH3, 128 bits, which hashes about as fast as memory is read. Among a billion *different* texts the chance that any
//! two collide is around 10⁻²¹, far below that of a faulty memory bit. It is no cryptographic hash, and need not be: the
//! only texts compared are those that nub itself derived from one input.

use std::{fmt, str::FromStr};

use nub_core::Content;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_128};

/// The fingerprint of a text: equal texts have equal fingerprints, and different texts, for all practical purposes,
/// different ones. Written as 32 lower-case hexadecimal digits; stable across versions and machines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(u128);

impl Fingerprint {
    /// The fingerprint of a candidate, taken slice by slice without putting it together.
    pub fn of(content: &dyn Content) -> Self {
        // A candidate of single characters comes in slices of one byte, and a call of `update` for each of them costs
        // more than the hashing; so small slices are gathered first. Larger ones would still pay for it with 1 KiB.
        let mut gathered = [0; 8 << 10];
        let mut used = 0;
        let mut hasher = Xxh3Default::new();
        content.write(&mut |slice| {
            if let Some(free) = gathered.get_mut(used..used + slice.len()) {
                free.copy_from_slice(slice);
                used += slice.len();
            } else {
                hasher.update(&gathered[..used]);
                used = 0;
                if let Some(free) = gathered.get_mut(..slice.len()) {
                    free.copy_from_slice(slice);
                    used = slice.len();
                } else {
                    hasher.update(slice);
                }
            }
        });
        hasher.update(&gathered[..used]);
        Self(hasher.digest128())
    }

    /// The fingerprint of bytes that are in one piece; the same as [`of`](Self::of) them in any pieces.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes))
    }

    /// The fingerprint as a number, e.g. to choose a shard with.
    pub fn bits(self) -> u128 {
        self.0
    }

    /// The fingerprint with these [`bits`](Self::bits).
    pub fn from_bits(bits: u128) -> Self {
        Self(bits)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// A text that should have been a fingerprint, but is not 32 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a fingerprint is 32 hexadecimal digits (0-9, a-f)")]
pub struct ParseFingerprintError;

impl FromStr for Fingerprint {
    type Err = ParseFingerprintError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // `from_str_radix` alone would also take `+1` and capitals, and then one fingerprint had several spellings.
        let digits = text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if !digits {
            return Err(ParseFingerprintError);
        }
        u128::from_str_radix(text, 16).map(Self).map_err(|_| ParseFingerprintError)
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Pieces<'a>(&'a [u8], &'a [usize]);

    impl Content for Pieces<'_> {
        fn write(&self, sink: &mut dyn FnMut(&[u8])) {
            let mut rest = self.0;
            let mut sizes = self.1.iter().cycle();
            while !rest.is_empty() {
                let (piece, tail) = rest.split_at((*sizes.next().unwrap()).min(rest.len()));
                sink(piece);
                rest = tail;
            }
        }
        fn identify(&self, sink: &mut dyn FnMut(&[u8])) {
            self.write(sink);
        }
    }

    #[test]
    fn does_not_depend_on_the_slices() {
        let bytes: Vec<u8> = (0..10_000u32).map(|i| (i * 7 + i / 256) as u8).collect();
        for len in [0, 1, 16, 240, 241, 1023, 1024, 1025, 2048, 10_000] {
            let text = &bytes[..len];
            for sizes in [&[1][..], &[1024], &[1023, 2], &[3000, 1], &[500, 0, 600], &[10_000]] {
                assert_eq!(Fingerprint::of(&Pieces(text, sizes)), Fingerprint::of_bytes(text), "{len} in {sizes:?}");
            }
        }
    }

    #[test]
    fn is_xxh3_and_stays_so() {
        // Journals outlive versions of nub: the value is part of their format. From the reference implementation.
        assert_eq!(Fingerprint::of_bytes(b"").to_string(), "99aa06d3014798d86001c324468d497f");
    }

    #[test]
    fn has_one_spelling() {
        let fingerprint = Fingerprint::of_bytes(b"nub");
        assert_eq!(fingerprint.to_string().parse(), Ok(fingerprint));
        assert_eq!(Fingerprint(1).to_string(), "00000000000000000000000000000001");
        for wrong in ["", "1", "+0000000000000000000000000000001", &"A".repeat(32), &"0".repeat(33), &"é".repeat(16)] {
            assert_eq!(wrong.parse::<Fingerprint>(), Err(ParseFingerprintError), "{wrong}");
        }
    }
}
