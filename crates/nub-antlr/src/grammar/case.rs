//! Letters in both cases, for `caseInsensitive`.

/// The ranges that a range stands for when case does not matter.
///
/// ANTLR looks only at the two bounds: they must have the same case, and be equally far apart in both cases. Otherwise,
/// as in `[0-z]`, the range stands for itself.
pub(crate) fn fold(low: u32, high: u32) -> Vec<(u32, u32)> {
    let (lower, upper) = ((lower_case(low), lower_case(high)), (upper_case(low), upper_case(high)));
    let mixed = (lower.0 == low) != (lower.1 == high);
    let width = |(low, high): (u32, u32)| i64::from(high) - i64::from(low);
    if lower == upper || mixed || width(lower) != width(upper) {
        return vec![(low, high)];
    }
    vec![lower, upper]
}

/// Unicode's mapping of one character to one character; Rust only has the one to strings.
fn lower_case(c: u32) -> u32 {
    if c == 0x130 {
        return u32::from('i');
    }
    single(c, |c| single_char(c.to_lowercase()))
}

fn upper_case(c: u32) -> u32 {
    match c {
        // Greek letters with an iota subscript or adscript: several characters in upper case, one in title case.
        0x1F80..=0x1FAF => c | 8,
        0x1FB3 | 0x1FC3 | 0x1FF3 => c + 9,
        _ => single(c, |c| single_char(c.to_uppercase())),
    }
}

fn single(c: u32, map: impl Fn(char) -> Option<char>) -> u32 {
    char::from_u32(c).and_then(map).map_or(c, u32::from)
}

fn single_char(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next();
    if chars.next().is_some() { None } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_one_case_fold() {
        assert_eq!(fold(97, 122), [(97, 122), (65, 90)]);
        assert_eq!(fold(65, 65), [(97, 97), (65, 65)]);
        assert_eq!(fold(48, 57), [(48, 57)]);
        assert_eq!(fold(48, 122), [(48, 122)]);
        assert_eq!(fold(65, 122), [(65, 122)]);
        assert_eq!(fold(0xDF, 0xDF), [(0xDF, 0xDF)]);
        assert_eq!(fold(0x1F80, 0x1F80), [(0x1F80, 0x1F80), (0x1F88, 0x1F88)]);
    }
}
