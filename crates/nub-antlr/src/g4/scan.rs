//! Finds the end of nested foreign code.
//!
//! Actions are written in some other language. All that can be assumed about it is that its braces, quotes and comments
//! look like those of C.

/// The length of the action at the start of `text`, which begins with `{`; `None` if it is not closed.
pub(crate) fn action(text: &str) -> Option<usize> {
    nested(text, b'{', b'}', true)
}

/// The length of the arguments at the start of `text`, which begins with `[`; `None` if they are not closed.
pub(crate) fn arguments(text: &str) -> Option<usize> {
    nested(text, b'[', b']', false)
}

fn nested(text: &str, open: u8, close: u8, comments: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'"' | b'\'' => at += string(&bytes[at..])? - 1,
            b'/' if comments && bytes.get(at + 1) == Some(&b'/') => at += line(&bytes[at..]) - 1,
            b'/' if comments && bytes.get(at + 1) == Some(&b'*') => at += comment(&bytes[at..])? - 1,
            _ if byte == open => depth += 1,
            _ if byte == close => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

fn string(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            _ if byte == bytes[0] => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The length up to the end of the line.
pub(crate) fn line(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| byte == b'\n' || byte == b'\r').unwrap_or(bytes.len())
}

/// The length of the comment that begins with `/*`.
pub(crate) fn comment(bytes: &[u8]) -> Option<usize> {
    bytes.get(2..)?.windows(2).position(|pair| pair == b"*/").map(|at| at + 4)
}

/// The length of the set at the start of `text`, which begins with `[`; `None` if it is not closed on its line.
pub(crate) fn char_set(text: &str) -> Option<usize> {
    delimited(text, b']')
}

/// The length of the literal at the start of `text`, which begins with a quote; `None` if it is not closed on its line.
pub(crate) fn literal(text: &str) -> Option<usize> {
    delimited(text, b'\'')
}

fn delimited(text: &str, close: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' | b'\r' => return None,
            b'\\' if !matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => at += 1,
            _ if byte == close => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_in_quotes_and_comments_do_not_count() {
        let text = "{ a { b } '}' \"}\" /* } */ // }\n }";
        assert_eq!(action(&format!("{text} rest }}")), Some(text.len()));
        assert_eq!(action("{ \\} }x"), Some(6));
        assert_eq!(action("{ { }"), None);
        assert_eq!(action("{ '"), None);
        assert_eq!(action("{\\"), None);
    }

    #[test]
    fn sets_end_at_an_unescaped_bracket() {
        assert_eq!(char_set(r"[a\]] x"), Some(5));
        assert_eq!(char_set("[a\n]"), None);
        assert_eq!(arguments("[int[] x = \"]\"] : "), Some(15));
        assert_eq!(literal(r"'\'' "), Some(4));
    }
}
