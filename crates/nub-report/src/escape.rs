//! Text inside HTML. Whatever the bytes are, they are displayed and never interpreted.

use std::fmt;

/// A text as HTML: markup is escaped, and invisible characters are made visible.
pub(crate) struct Html<'a>(pub(crate) &'a str);

impl fmt::Display for Html<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\n' | '\t' => f.write_char(c)?,
                // Unicode has a picture for each of the first 32.
                '\0'..='\x1f' => f.write_char(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'))?,
                '\x7f' => f.write_char('\u{2421}')?,
                _ if is_deceptive(c) => write!(f, "⟨{:04X}⟩", u32::from(c))?,
                _ => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Characters that are invisible or change how others are displayed. An input that consists of them would be a mystery,
/// and one that reverses its neighbours would be misleading.
fn is_deceptive(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{9f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{e000}'..='\u{f8ff}')
        || u32::from(c) & 0xfffe == 0xfffe
}

/// Bytes as HTML. Invalid UTF-8 becomes replacement characters.
pub(crate) fn bytes(bytes: &[u8]) -> String {
    Html(&String::from_utf8_lossy(bytes)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup() {
        assert_eq!(bytes(b"</script><b a='\"'>&"), "&lt;/script&gt;&lt;b a=&#39;&quot;&#39;&gt;&amp;");
    }

    #[test]
    fn invisible_characters_are_shown() {
        assert_eq!(bytes(b"a\0b\r\n\tc\x7f\xff"), "a\u{2400}b\u{240d}\n\tc\u{2421}\u{fffd}");
        assert_eq!(bytes("\u{202e}evil\u{feff}".as_bytes()), "⟨202E⟩evil⟨FEFF⟩");
    }
}
