//! Checksums, which must be recomputed after an edit.

/// The CRC-32 of PNG, zip and Ethernet, over consecutive slices.
pub(super) fn crc32<'a>(slices: impl IntoIterator<Item = &'a [u8]>) -> u32 {
    let step = |crc: u32, &byte: &u8| TABLE[usize::from(crc as u8 ^ byte)] ^ crc >> 8;
    !slices.into_iter().flatten().fold(!0, step)
}

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut crc, mut bit) = (byte as u32, 0);
        while bit < 8 {
            crc = if crc & 1 == 1 { 0xedb8_8320 ^ crc >> 1 } else { crc >> 1 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_the_standard() {
        assert_eq!(crc32([&b"1234"[..], b"56789"]), 0xcbf4_3926);
        assert_eq!(crc32([&b"IEND"[..]]), 0xae42_6082, "the end of every PNG file");
    }
}
