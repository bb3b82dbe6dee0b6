//! Splitting a YACC file into words.

use crate::{
    code::{braced, comment, line_end, quoted, unescape},
    diagnostic::Report,
};
use std::ops::Range;

/// A word of a YACC file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Name(String),
    Char(String),
    Text(String),
    Number(i64),
    /// `%token` and the like, in lower case, with `-` for `_`.
    Directive(String),
    /// `<…>`
    Tag,
    /// `{ … }`
    Code,
    /// `[name]`
    Bracket,
    Colon,
    Semicolon,
    Bar,
    /// `%%`
    Section,
    /// `=` or `,`
    Noise,
}

/// Reads one word after another.
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// The next word; `None` at the end.
    pub(super) fn next(&mut self, report: &mut Report<'_>) -> Option<(Word, Range<usize>)> {
        loop {
            self.skip_blanks();
            let start = self.at;
            let byte = *self.bytes().get(start)?;
            let word = match byte {
                b':' => {
                    // `::=` is not YACC, but it clearly means `:`.
                    self.take_while(|byte| byte == b':' || byte == b'=');
                    Word::Colon
                }
                b';' => self.single(Word::Semicolon),
                b'|' => self.single(Word::Bar),
                b'=' | b',' => self.single(Word::Noise),
                b'<' => match self.tag() {
                    Some(end) => {
                        self.at = end;
                        Word::Tag
                    }
                    None => self.single(Word::Noise),
                },
                b'{' => match braced(self.bytes(), start) {
                    Some(end) => {
                        self.at = end;
                        Word::Code
                    }
                    None => {
                        report.error(&(start..start + 1), "this brace is never closed", "");
                        self.at = self.text.len();
                        return None;
                    }
                },
                b'[' => {
                    let end = self.text[start..].find(']').map_or(self.text.len(), |end| start + end + 1);
                    self.at = end;
                    Word::Bracket
                }
                b'"' | b'\'' => match self.literal(report) {
                    Some(word) => word,
                    None => continue,
                },
                b'%' => match self.directive() {
                    Some(word) => word,
                    None => continue,
                },
                b'_' if self.bytes()[start..].starts_with(b"_(\"") => {
                    // A string marked for translation: `%token ID _("identifier")`.
                    self.at += 2;
                    continue;
                }
                b')' => {
                    self.at += 1;
                    continue;
                }
                b'-' | b'0'..=b'9' => {
                    self.at += 1;
                    self.take_while(|byte| byte.is_ascii_alphanumeric());
                    Word::Number(number(&self.text[start..self.at]))
                }
                _ if is_name_start(byte) => {
                    self.take_while(|byte| is_name_start(byte) || byte.is_ascii_digit() || byte == b'-');
                    Word::Name(self.text[start..self.at].to_owned())
                }
                _ => {
                    self.skip_meaningless(report);
                    continue;
                }
            };
            return Some((word, start..self.at));
        }
    }

    /// A literal in quotes; `None` if it is never closed.
    fn literal(&mut self, report: &mut Report<'_>) -> Option<Word> {
        let start = self.at;
        let Some(end) = quoted(self.bytes(), start) else {
            report.error(&(start..start + 1), "this literal is never closed", "");
            self.at = line_end(self.bytes(), start);
            return None;
        };
        self.at = end;
        let literal = unescape(self.text.get(start + 1..end - 1).unwrap_or_default());
        Some(if self.bytes()[start] == b'"' { Word::Text(literal) } else { Word::Char(literal) })
    }

    fn skip_meaningless(&mut self, report: &mut Report<'_>) {
        let start = self.at;
        let c = self.text[start..].chars().next().unwrap_or(' ');
        self.at += c.len_utf8();
        report.error(&(start..self.at), format!("{c:?} has no meaning in a grammar"), "");
    }

    /// The unread text.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn single(&mut self, word: Word) -> Word {
        self.at += 1;
        word
    }

    fn take_while(&mut self, mut wanted: impl FnMut(u8) -> bool) {
        while self.bytes().get(self.at).is_some_and(|&byte| wanted(byte)) {
            self.at += 1;
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            self.take_while(|byte| byte.is_ascii_whitespace() || byte == 0x0b);
            match comment(self.bytes(), self.at) {
                Some(end) => self.at = end,
                None => {
                    // Preprocessor lines: some build systems run the preprocessor over a grammar.
                    let line_start = self.at == 0 || self.bytes()[self.at - 1] == b'\n';
                    if line_start && self.bytes().get(self.at) == Some(&b'#') {
                        self.at = line_end(self.bytes(), self.at);
                    } else {
                        return;
                    }
                }
            }
        }
    }

    /// `<type>`, which may contain `<` and `>`.
    fn tag(&self) -> Option<usize> {
        let mut depth = 0;
        for (at, byte) in self.bytes()[self.at..].iter().enumerate() {
            match byte {
                b'<' => depth += 1,
                b'>' if self.bytes()[self.at + at - 1] != b'-' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(self.at + at + 1);
                    }
                }
                b'\n' | b';' => return None,
                _ => {}
            }
        }
        None
    }

    /// A word that begins with `%`; `None` for code between `%{` and `%}` and for predicates, which are skipped.
    fn directive(&mut self) -> Option<Word> {
        let start = self.at;
        self.at += 1;
        match self.bytes().get(self.at) {
            Some(b'%') => Some(self.single(Word::Section)),
            Some(b'{') => {
                let end = self.text[self.at..].find("%}").map_or(self.text.len(), |end| self.at + end + 2);
                self.at = end;
                None
            }
            // A predicate of a GLR parser is assumed to hold.
            Some(b'?') => {
                self.at += 1;
                self.skip_blanks();
                self.at = braced(self.bytes(), self.at).unwrap_or(self.at);
                None
            }
            // Short forms from the first YACC.
            Some(b'<') => Some(self.short("left")),
            Some(b'>') => Some(self.short("right")),
            Some(b'2') => Some(self.short("nonassoc")),
            Some(b'0') => Some(self.short("token")),
            _ => {
                self.take_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
                let name = self.text[start + 1..self.at].to_ascii_lowercase().replace('_', "-");
                Some(Word::Directive(name))
            }
        }
    }

    fn short(&mut self, name: &str) -> Word {
        self.at += 1;
        Word::Directive(name.to_owned())
    }
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'.' || byte == b'$' || !byte.is_ascii()
}

fn number(text: &str) -> i64 {
    let parsed = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.unwrap_or(-1)
}
