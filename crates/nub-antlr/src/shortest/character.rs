//! Which member of a character set to take.

use crate::atn::{EOF, IntervalSet, Transition};

/// How unusual a character is: small and capital letters, digits, other printable characters, line breaks, the rest.
pub(super) fn rank(character: char) -> u32 {
    match character {
        'a'..='z' => 0,
        'A'..='Z' => 1,
        '0'..='9' => 2,
        ' '..='~' => 3,
        '\n' => 4,
        _ => OTHER,
    }
}

/// The rank of characters that are neither printable nor a line break.
const OTHER: u32 = 5;

/// The characters of the first ranks, best first; all others follow in code point order.
const ORDER: [(u32, u32); 7] = [(97, 122), (65, 90), (48, 57), (32, 47), (58, 64), (91, 96), (123, 126)];

const MAX: i32 = 0x10_FFFF;

/// The characters that a transition of a lexer accepts. `None` if it consumes none.
pub(super) fn accepted(transition: &Transition) -> Option<IntervalSet> {
    match transition {
        Transition::Atom { label, .. } if *label != EOF => Some([(*label, *label)].into_iter().collect()),
        Transition::Set { set, .. } => {
            let inside = set.intervals().iter().filter(|&&(_, high)| high >= 0);
            Some(inside.map(|&(low, high)| (low.max(0), high)).collect())
        }
        Transition::NotSet { set, .. } => Some(set.complement(0, MAX)),
        Transition::Wildcard { .. } => Some([(0, MAX)].into_iter().collect()),
        _ => None,
    }
}

/// The members of a set, best first. Only a few: similar ones are left out.
pub(super) fn members(set: &IntervalSet) -> impl Iterator<Item = char> + '_ {
    const OTHERS: usize = 4;
    let usual = ORDER.iter().flat_map(|&(low, high)| low..=high).chain([10]).filter_map(char::from_u32);
    let usual = usual.filter(|&c| set.contains(c as i32));
    let others = set.intervals().iter().flat_map(|&(low, high)| low..=high.min(low.saturating_add(3)));
    let others = others.filter_map(|c| char::from_u32(u32::try_from(c).ok()?)).filter(|&c| rank(c) == OTHER);
    usual.chain(others.take(OTHERS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(intervals: &[(i32, i32)]) -> Vec<char> {
        members(&intervals.iter().copied().collect()).take(3).collect()
    }

    #[test]
    fn letters_come_first() {
        assert_eq!(set(&[(0, MAX)]), ['a', 'b', 'c']);
        assert_eq!(set(&[(48, 57), (65, 70)]), ['A', 'B', 'C']);
        assert_eq!(set(&[(9, 10), (13, 13), (32, 32)]), [' ', '\n', '\t']);
        assert_eq!(set(&[(0x300, 0x301), (0xD800, 0xDFFF)]), ['\u{300}', '\u{301}']);
        assert_eq!(set(&[]), []);
    }
}
