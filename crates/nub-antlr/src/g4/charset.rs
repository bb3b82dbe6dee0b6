//! Character sets in brackets, and the text of literals.

use super::{
    ast::{CharSet, Literal},
    escape::{self, Escape, Within},
};
use crate::atn::IntervalSet;

/// A mistake inside a literal or set: the byte range in its text, and the reason.
pub(crate) struct Mistake {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) message: String,
    pub(crate) hint: Option<&'static str>,
}

impl Mistake {
    fn escape(text: &str, start: usize, length: usize, hint: &'static str) -> Self {
        let end = (start + length).min(text.len());
        let message = format!("invalid escape sequence {}", &text[start..end]);
        Self { start, end, message, hint: Some(hint) }
    }
}

const LITERAL_ESCAPES: &str = r"in a literal: \n \r \t \b \f \\ \' \uXXXX \u{XXXXXX}";
const SET_ESCAPES: &str = r"in a set: \n \r \t \b \f \\ \] \- \uXXXX \u{XXXXXX} \p{Property} \P{Property}";

/// Decodes a literal; `written` includes its quotes.
pub(crate) fn literal(written: &str, mistakes: &mut Vec<Mistake>) -> Literal {
    let inner = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
    let mut code_points: Vec<u32> = Vec::new();
    let mut at = 0;
    while let Some(c) = inner[at..].chars().next() {
        if c != '\\' {
            code_points.push(u32::from(c));
            at += c.len_utf8();
            continue;
        }
        match escape::read(&inner[at..], Within::Literal) {
            Ok((Escape::Char(value), length)) => {
                push_code_unit(&mut code_points, value);
                at += length;
            }
            Ok((Escape::Property(_), length)) => at += length,
            Err(length) => {
                mistakes.push(Mistake::escape(written, at + 1, length, LITERAL_ESCAPES));
                at += length;
            }
        }
    }
    Literal { written: written.to_owned(), code_points }
}

/// Two escaped surrogates are one character, as in UTF-16.
fn push_code_unit(code_points: &mut Vec<u32>, value: u32) {
    if let (0xDC00..=0xDFFF, Some(high @ 0xD800..=0xDBFF)) = (value, code_points.last().copied()) {
        code_points.pop();
        code_points.push(0x1_0000 + ((high - 0xD800) << 10) + (value - 0xDC00));
    } else {
        code_points.push(value);
    }
}

/// Reads a set; `written` includes its brackets.
pub(crate) fn char_set(written: &str, mistakes: &mut Vec<Mistake>) -> CharSet {
    let inner = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
    let mut set = CharSet { written: written.to_owned(), ranges: Vec::new(), properties: IntervalSet::new() };
    let before = mistakes.len();
    // The last character, if a `-` may still turn it into the start of a range; and whether one did.
    let mut pending: Option<(u32, usize)> = None;
    let mut in_range = false;
    let mut at = 0;
    while let Some(c) = inner[at..].chars().next() {
        let start = at;
        at += c.len_utf8();
        let mut value = u32::from(c);
        if c == '\\' {
            match escape::read(&inner[start..], Within::Set) {
                Ok((Escape::Char(escaped), length)) => {
                    value = escaped;
                    at = start + length;
                }
                Ok((Escape::Property(property), length)) => {
                    at = start + length;
                    // A property before a `-` cannot be a range bound either.
                    let dash = inner[at..].starts_with('-') && inner.len() > at + 1;
                    if in_range || dash {
                        let message = "a Unicode property cannot be the bound of a range".to_owned();
                        let hint = Some(r"write \- for the character");
                        mistakes.push(Mistake { start: start + 1, end: at + 1, message, hint });
                    }
                    in_range = false;
                    set.ranges.extend(pending.take().map(|(c, _)| (c, c)));
                    property.intervals().iter().for_each(|&(low, high)| set.properties.insert(low, high));
                    continue;
                }
                Err(length) => {
                    mistakes.push(Mistake::escape(written, start + 1, length, SET_ESCAPES));
                    at = start + length;
                    continue;
                }
            }
        } else if c == '-' && !in_range && start != 0 && at != inner.len() && pending.is_some() {
            in_range = true;
            continue;
        }
        if in_range {
            in_range = false;
            let (low, low_start) = pending.take().expect("a range has a start");
            if low > value {
                let message = format!("the range {} is empty", &inner[low_start..at]);
                let hint = Some("a range goes from the lower character to the higher one");
                mistakes.push(Mistake { start: low_start + 1, end: at + 1, message, hint });
            } else {
                set.ranges.push((low, value));
            }
        } else {
            set.ranges.extend(pending.replace((value, start)).map(|(c, _)| (c, c)));
        }
    }
    set.ranges.extend(pending.map(|(c, _)| (c, c)));
    if set.ranges.is_empty() && set.properties.is_empty() && mistakes.len() == before {
        let hint = Some("a set needs at least one character");
        mistakes.push(Mistake { start: 0, end: written.len(), message: "the set is empty".to_owned(), hint });
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(written: &str) -> Vec<(u32, u32)> {
        let mut mistakes = Vec::new();
        let set = char_set(written, &mut mistakes);
        assert!(mistakes.is_empty(), "{written}: {}", mistakes[0].message);
        set.ranges
    }

    #[test]
    fn a_dash_at_either_end_is_a_character() {
        assert_eq!(set("[a-c]"), [(97, 99)]);
        assert_eq!(set("[-a]"), [(45, 45), (97, 97)]);
        assert_eq!(set("[a-]"), [(97, 97), (45, 45)]);
        assert_eq!(set(r"[a\-c]"), [(97, 97), (45, 45), (99, 99)]);
        assert_eq!(set(r"[\u{41}-\u005A]"), [(0x41, 0x5A)]);
    }

    #[test]
    fn escaped_surrogates_are_one_character() {
        let mut mistakes = Vec::new();
        assert_eq!(literal(r"'\uD83D\uDE00x'", &mut mistakes).code_points, [0x1F600, 120]);
        assert_eq!(literal(r"'\n\''", &mut mistakes).text(), "\n'");
        assert!(mistakes.is_empty());
    }

    #[test]
    fn mistakes_are_reported() {
        for wrong in [r"[\z]", r"[\u12]", r"[\p{Nope}]", "[z-a]", "[]", r"[a-\p{L}]", r"[\", r"[\u{110000}]"] {
            let mut mistakes = Vec::new();
            char_set(wrong, &mut mistakes);
            assert!(!mistakes.is_empty(), "{wrong}");
        }
    }
}
