//! Skipping code in another language: C, or something similar. None of it is ever executed.

/// The end of a comment that starts at `at`, if there is one.
pub(crate) fn comment(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at..at + 2)? {
        b"/*" => {
            let end = text[at + 2..].windows(2).position(|two| two == b"*/");
            Some(end.map_or(text.len(), |end| at + 2 + end + 2))
        }
        b"//" => Some(line_end(text, at)),
        _ => None,
    }
}

/// The end of the line that contains `at`: the position of its line break.
pub(crate) fn line_end(text: &[u8], at: usize) -> usize {
    text[at..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |end| at + end)
}

/// The end of a quoted literal that starts at `at`, after its closing quote. A line break ends it too, so that a lone
/// apostrophe does not swallow the rest of a file.
pub(crate) fn quoted(text: &[u8], at: usize) -> Option<usize> {
    let quote = text[at];
    let mut next = at + 1;
    while let Some(&byte) = text.get(next) {
        match byte {
            b'\\' => next += 2,
            b'\n' => return None,
            _ if byte == quote => return Some(next + 1),
            _ => next += 1,
        }
    }
    None
}

/// The end of a braced piece of code that starts at `at`, after its closing brace.
pub(crate) fn braced(text: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut next = at;
    while let Some(&byte) = text.get(next) {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(next + 1);
                }
            }
            b'"' | b'\'' => {
                next = quoted(text, next).unwrap_or(next + 1);
                continue;
            }
            b'/' => {
                if let Some(end) = comment(text, next) {
                    next = end;
                    continue;
                }
            }
            _ => {}
        }
        next += 1;
    }
    None
}

/// The code without comments and without the contents of its strings, so that it can be searched for words.
pub(crate) fn bare(code: &str) -> String {
    let text = code.as_bytes();
    let mut bare = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if let Some(end) = comment(text, at) {
            bare.push(b' ');
            at = end;
        } else if text[at] == b'"' {
            let end = quoted(text, at).unwrap_or(at + 1);
            bare.extend_from_slice(b"\"\"");
            at = end;
        } else if text[at] == b'\'' {
            let end = quoted(text, at).unwrap_or(at + 1).min(text.len());
            bare.extend_from_slice(&text[at..end]);
            at = end;
        } else {
            bare.push(text[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&bare).into_owned()
}

/// The value of a C literal, given without its quotes. Escapes for bytes that are not valid text become U+FFFD.
pub(crate) fn unescape(literal: &str) -> String {
    let mut bytes = vec![];
    let mut rest = literal.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let Some(escaped) = rest.next() else { break };
        bytes.push(match escaped {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'0'..=b'7' => {
                let mut value = u32::from(escaped - b'0');
                for _ in 0..2 {
                    let Some(digit) = rest.next_if(|byte| (b'0'..=b'7').contains(byte)) else { break };
                    value = value * 8 + u32::from(digit - b'0');
                }
                value as u8
            }
            b'x' => {
                let mut value = 0;
                while let Some(digit) = rest.peek().and_then(|&byte| (byte as char).to_digit(16)) {
                    rest.next();
                    value = (value << 4 | digit) & 0xff;
                }
                value as u8
            }
            other => other,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_in_comments_and_literals_do_not_count() {
        let text = br#"{ "}" '}' /* } */ // }
            { } } rest"#;
        assert_eq!(braced(text, 0), Some(text.len() - " rest".len()));
        assert_eq!(braced(b"{ it's }", 0), Some(8), "a lone apostrophe is not a literal");
        assert_eq!(braced(b"{ {", 0), None);
    }

    #[test]
    fn escapes() {
        assert_eq!(unescape(r"a\n\t\\\'\x41\101\0"), "a\n\t\\'AA\0");
        assert_eq!(unescape("\\"), "");
    }
}
