//! Parts of tokens that belong to other grammars.

use super::Start;
use regex::bytes::{Regex, RegexBuilder};
use std::ops::Range;

/// Finds other grammars in the text of a token: a regular expression with groups `(?P<grammar:rule>…)`.
#[derive(Clone, Debug)]
pub struct Island {
    regex: Regex,
    /// By number of group.
    starts: Vec<Option<Start>>,
}

/// A part of the text of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Plain text.
    Text(Range<usize>),
    /// Text of another grammar, or of another rule of the same one.
    Island(Start, Range<usize>),
}

impl Island {
    /// An island from its pattern. The dot also matches line breaks.
    ///
    /// # Errors
    ///
    /// A description of the mistake in the pattern.
    ///
    /// ```
    /// use nub_antlr::format::{Island, Piece, Start};
    ///
    /// let island = Island::new("<(?P<js:program>[^>]*)>").unwrap();
    /// let pieces = island.split(b"<a>");
    /// assert_eq!(pieces, [Piece::Text(0..1), Piece::Island(Start::parse("js:program"), 1..2), Piece::Text(2..3)]);
    /// ```
    pub fn new(pattern: &str) -> Result<Self, String> {
        let (translated, names) = translate(pattern);
        let build = RegexBuilder::new(&translated).dot_matches_new_line(true).build();
        let regex = build.map_err(|error| {
            let message = error.to_string();
            format!("not a regular expression: {}", message.lines().last().unwrap_or_default().trim())
        })?;
        let start = |name: &str| {
            let number = name.strip_prefix(GROUP)?.parse::<usize>().ok()?;
            names.get(number).map(|name| Start::parse(name))
        };
        let starts: Vec<_> = regex
            .capture_names()
            .map(|name| name.map(|name| start(name).unwrap_or_else(|| Start::parse(name))))
            .collect();
        if starts.iter().all(Option::is_none) {
            return Err("it has no named group".to_owned());
        }
        Ok(Self { regex, starts })
    }

    /// The rules of its groups.
    pub fn starts(&self) -> impl Iterator<Item = &Start> {
        self.starts.iter().flatten()
    }

    /// The pieces of a token, without gaps. Groups that match nothing yield none; of overlapping groups, the first one
    /// counts.
    pub fn split(&self, text: &[u8]) -> Vec<Piece> {
        let mut found: Vec<(Range<usize>, &Start)> = Vec::new();
        for captures in self.regex.captures_iter(text) {
            let first = found.len();
            for (group, start) in captures.iter().zip(&self.starts) {
                if let (Some(group), Some(start)) = (group.filter(|group| !group.is_empty()), start) {
                    found.push((group.range(), start));
                }
            }
            found[first..].sort_by_key(|(range, _)| (range.start, range.end));
        }
        let mut pieces = Vec::new();
        let mut at = 0;
        for (range, start) in found {
            if range.start < at {
                continue;
            }
            if at < range.start {
                pieces.push(Piece::Text(at..range.start));
            }
            at = range.end;
            pieces.push(Piece::Island(start.clone(), range));
        }
        if at < text.len() {
            pieces.push(Piece::Text(at..text.len()));
        }
        pieces
    }
}

/// The prefix of the internal group names: `regex` does not allow a colon there.
const GROUP: &str = "nub_island_";

/// Renames all named groups to [`GROUP`] and their index in the second result.
fn translate(pattern: &str) -> (String, Vec<String>) {
    let mut translated = String::new();
    let mut names = Vec::new();
    let mut rest = pattern;
    let mut in_set = false;
    while let Some(first) = rest.chars().next() {
        let opened = if in_set { None } else { rest.strip_prefix("(?P<").or_else(|| named(rest)) };
        if let Some((name, after)) = opened.and_then(|opened| opened.split_once('>')) {
            translated.push_str(&format!("(?P<{GROUP}{}>", names.len()));
            names.push(name.to_owned());
            rest = after;
            continue;
        }
        // An escaped parenthesis opens no group, and neither does one in a set.
        let length = if first == '\\' { 1 + rest.chars().nth(1).map_or(0, char::len_utf8) } else { first.len_utf8() };
        in_set = match first {
            '[' => true,
            ']' => false,
            _ => in_set,
        };
        translated.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    (translated, names)
}

/// The text after `(?<`, unless that is a look-behind.
fn named(text: &str) -> Option<&str> {
    text.strip_prefix("(?<").filter(|name| !name.starts_with(['=', '!']))
}
