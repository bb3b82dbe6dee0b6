//! The shortest word of a regular expression.

use super::phi::better;
use regex_syntax::{
    ParserBuilder,
    hir::{Class, Hir, HirKind},
};

/// The shortest text that a regular expression matches. `None` if there is none or the expression cannot be parsed.
///
/// Repetitions are used as few times as allowed. Among alternatives the [better](super::phi) one wins. From a character
/// class, a letter is preferred: `0.a` looks like a malformed number, `a.a` does not.
pub fn shortest_word(pattern: &str) -> Option<String> {
    let parse = |pattern: &str| ParserBuilder::new().unicode(true).utf8(false).build().parse(pattern).ok();
    let hir = parse(pattern).or_else(|| parse(&escape_braces(pattern)))?;
    word(&hir)
}

/// In JavaScript's regular expressions, which tree-sitter grammars use, braces that are not a repetition are literal.
/// The parser here needs them escaped.
fn escape_braces(pattern: &str) -> String {
    let mut escaped = String::with_capacity(pattern.len() + 8);
    let mut rest = pattern.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match c {
            '\\' => {
                escaped.push(c);
                if let Some((_, next)) = rest.next() {
                    // `\p{…}`, `\u{…}` and `\x{…}` keep their braces and their contents.
                    escaped.push(next);
                    if matches!(next, 'p' | 'P' | 'u' | 'x') && rest.next_if(|&(_, c)| c == '{').is_some() {
                        escaped.push('{');
                        while let Some((_, c)) = rest.next_if(|&(_, c)| c != '}') {
                            escaped.push(c);
                        }
                        escaped.extend(rest.next().map(|(_, c)| c));
                    }
                }
            }
            '{' => {
                let inside = pattern[at + 1..].split('}').next().unwrap_or("");
                let closed = pattern[at + 1..].contains('}');
                let counts = closed
                    && inside.starts_with(|c: char| c.is_ascii_digit())
                    && inside.chars().all(|c| c.is_ascii_digit() || c == ',');
                if counts {
                    escaped.push('{');
                    escaped.push_str(inside);
                    escaped.push('}');
                    while rest.next().is_some_and(|(_, c)| c != '}') {}
                } else {
                    escaped.push_str("\\{");
                }
            }
            '}' => escaped.push_str("\\}"),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Recursive, but `regex-syntax` limits the nesting of an expression to 250.
fn word(hir: &Hir) -> Option<String> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(String::new()),
        HirKind::Literal(literal) => String::from_utf8(literal.0.to_vec()).ok(),
        HirKind::Class(class) => member(class).map(String::from),
        HirKind::Repetition(repetition) if repetition.min == 0 => Some(String::new()),
        // The bound keeps `a{1000000000}` from becoming a gigabyte.
        HirKind::Repetition(repetition) => {
            word(&repetition.sub).filter(|_| repetition.min <= 1000).map(|word| word.repeat(repetition.min as usize))
        }
        HirKind::Capture(capture) => word(&capture.sub),
        HirKind::Concat(parts) => parts.iter().map(word).collect(),
        HirKind::Alternation(parts) => parts.iter().filter_map(word).reduce(|a, b| if better(&b, &a) { b } else { a }),
    }
}

/// The member of a class that is least likely to run into its neighbours.
fn member(class: &Class) -> Option<char> {
    let has = |c: char| match class {
        Class::Unicode(class) => class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&c)),
        Class::Bytes(class) => class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&(c as u8))),
    };
    let letters = ('a'..='z').chain('A'..='Z').chain(['_']).chain('0'..='9');
    let punctuation = (' '..='~').filter(char::is_ascii_punctuation);
    let blank = [' ', '\n', '\t', '\r'];
    letters.chain(punctuation).chain(blank).find(|&c| has(c)).or_else(|| match class {
        Class::Unicode(class) => class.ranges().first().map(regex_syntax::hir::ClassUnicodeRange::start),
        // A byte that is not ASCII is not text, so it is of no use.
        Class::Bytes(class) => class.ranges().first().map(|range| range.start() as char).filter(char::is_ascii),
    })
}

#[cfg(test)]
mod tests {
    use super::shortest_word;

    #[test]
    fn words() {
        let check = |pattern: &str, word: &str| assert_eq!(shortest_word(pattern).as_deref(), Some(word), "{pattern}");
        check("[0-9]+", "0");
        check("[a-zA-Z_]\\w*", "a");
        check("\\d|[_\\d]x", "0");
        check("(ab|c){2,}", "cc");
        check("[^a-z]", "A");
        check("\\p{XID_Start}\\p{XID_Continue}*", "a");
        check("a{3}x{", "aaax{");
        check("\\$\\{[a-z]+}", "${a}");
        check("[^\\x00-\\x7f]", "\u{80}");
    }

    #[test]
    fn no_word() {
        assert_eq!(shortest_word("["), None);
        assert_eq!(shortest_word("[a&&b]"), None);
        assert_eq!(shortest_word("a{1000000}"), None);
    }
}
