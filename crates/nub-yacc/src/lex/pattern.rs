//! The regular expressions of lex.
//!
//! They match bytes. Unlike in most dialects, text in quotation marks is literal, a blank ends the expression, `{name}`
//! is a definition, `/` gives the trailing context, `[a-z]{-}[aeiou]` is a difference, and `$` is short for `/
//!
//! `.

use super::Pattern;
use regex_syntax::hir::{Class, ClassBytes, ClassBytesRange, Hir, Look, Repetition};
use std::collections::HashMap;

/// How deeply definitions and parentheses may nest.
const DEEPEST: usize = 60;

/// The position and the message.
pub(crate) type Error = (usize, String);

/// The contents of the definitions section.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions {
    pub(crate) texts: HashMap<String, String>,
    pub(crate) ignore_case: bool,
}

/// Reads an expression up to the blank that ends it. Also returns the position of that blank.
pub(crate) fn parse(text: &str, at: usize, definitions: &Definitions) -> Result<(Pattern, usize), Error> {
    let flags = Flags { ignore_case: definitions.ignore_case, dot_all: false, extended: false };
    let mut parser = Parser { text: text.as_bytes(), at, definitions, flags, depth: 0, ends_at_blank: true };
    let at_line_start = parser.take(b'^');
    let mut main = parser.alternatives()?;
    let mut trailing = None;
    if parser.take(b'/') {
        trailing = Some(parser.alternatives()?);
    }
    if parser.take(b'$') {
        let end = Hir::literal(*b"\n");
        trailing = Some(match trailing {
            Some(trailing) => Hir::concat(vec![trailing, end]),
            None => end,
        });
    }
    match parser.peek() {
        None | Some(b' ' | b'\t' | b'\n' | b'\r') => {}
        Some(byte) => {
            return Err((parser.at, format!("{:?} is not expected in a regular expression here", byte as char)));
        }
    }
    if at_line_start {
        main = Hir::concat(vec![Hir::look(Look::StartLF), main]);
    }
    Ok((Pattern { main, trailing, at_line_start }, parser.at))
}

#[derive(Clone, Copy)]
struct Flags {
    ignore_case: bool,
    dot_all: bool,
    extended: bool,
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    definitions: &'a Definitions,
    flags: Flags,
    depth: usize,
    ends_at_blank: bool,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, Error> {
        Err((self.at, message.into()))
    }

    fn alternatives(&mut self) -> Result<Hir, Error> {
        let mut parts = vec![self.sequence()?];
        while self.take(b'|') {
            parts.push(self.sequence()?);
        }
        Ok(Hir::alternation(parts))
    }

    fn sequence(&mut self) -> Result<Hir, Error> {
        let mut parts = vec![];
        while let Some(byte) = self.peek() {
            match byte {
                b'|' | b')' | b'/' => break,
                b' ' | b'\t' | b'\n' | b'\r' if self.flags.extended => {
                    self.at += 1;
                    continue;
                }
                b'\n' | b'\r' => break,
                b' ' | b'\t' if self.ends_at_blank => break,
                // An anchor only at the end; elsewhere it is literal.
                b'$' if self.ends_here(self.at + 1) => break,
                _ => {}
            }
            let atom = self.atom()?;
            parts.push(self.repeated(atom)?);
        }
        Ok(Hir::concat(parts))
    }

    fn ends_here(&self, at: usize) -> bool {
        matches!(self.text.get(at), None | Some(b' ' | b'\t' | b'\n' | b'\r' | b')' | b'|'))
    }

    fn repeated(&mut self, mut atom: Hir) -> Result<Hir, Error> {
        loop {
            let (min, max) = match self.peek() {
                Some(b'*') => (0, None),
                Some(b'+') => (1, None),
                Some(b'?') => (0, Some(1)),
                Some(b'{') if self.text.get(self.at + 1).is_some_and(u8::is_ascii_digit) => {
                    atom = self.counted(atom)?;
                    continue;
                }
                _ => return Ok(atom),
            };
            self.at += 1;
            atom = Hir::repetition(Repetition { min, max, greedy: true, sub: Box::new(atom) });
        }
    }

    /// `{2}`, `{2,}` or `{2,5}`
    fn counted(&mut self, atom: Hir) -> Result<Hir, Error> {
        self.at += 1;
        let Some(min) = self.number() else { return self.error("expected a number of repetitions") };
        let max = if self.take(b',') { self.number() } else { Some(min) };
        if !self.take(b'}') {
            return self.error("expected } after the number of repetitions");
        }
        if max.is_some_and(|max| max < min) {
            return self.error("the maximum number of repetitions is less than the minimum");
        }
        Ok(Hir::repetition(Repetition { min, max, greedy: true, sub: Box::new(atom) }))
    }

    fn number(&mut self) -> Option<u32> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        std::str::from_utf8(&self.text[start..self.at]).ok()?.parse().ok()
    }

    fn atom(&mut self) -> Result<Hir, Error> {
        let Some(byte) = self.peek() else { return Ok(Hir::empty()) };
        match byte {
            b'"' => self.quotation(),
            b'[' => {
                let class = self.class_expression()?;
                Ok(Hir::class(Class::Bytes(class)))
            }
            b'(' => self.group(),
            b'{' => self.definition(),
            b'.' => {
                self.at += 1;
                let mut class = ClassBytes::new([ClassBytesRange::new(b'\n', b'\n')]);
                if self.flags.dot_all {
                    class = ClassBytes::empty();
                }
                class.negate();
                Ok(Hir::class(Class::Bytes(class)))
            }
            b'*' | b'+' | b'?' => self.error(format!("there is nothing to repeat before {:?}", byte as char)),
            b'\\' => {
                let byte = self.escape()?;
                Ok(self.byte(byte))
            }
            _ => {
                self.at += 1;
                Ok(self.byte(byte))
            }
        }
    }

    fn byte(&self, byte: u8) -> Hir {
        if self.flags.ignore_case && byte.is_ascii_alphabetic() {
            let mut class = ClassBytes::new([ClassBytesRange::new(byte, byte)]);
            class.case_fold_simple();
            return Hir::class(Class::Bytes(class));
        }
        Hir::literal([byte])
    }

    fn quotation(&mut self) -> Result<Hir, Error> {
        let start = self.at;
        self.at += 1;
        let mut parts = vec![];
        loop {
            match self.peek() {
                None | Some(b'\n') => return Err((start, "this quotation mark is never closed".to_owned())),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Hir::concat(parts));
                }
                Some(b'\\') => {
                    let byte = self.escape()?;
                    parts.push(self.byte(byte));
                }
                Some(byte) => {
                    self.at += 1;
                    parts.push(self.byte(byte));
                }
            }
        }
    }

    fn deeper(&mut self) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.error("the expression is nested too deeply: does a definition refer to itself?");
        }
        Ok(())
    }

    fn group(&mut self) -> Result<Hir, Error> {
        let start = self.at;
        self.deeper()?;
        self.at += 1;
        let before = (self.flags, self.ends_at_blank);
        // Inside parentheses a blank does not end the expression if `x` is set.
        if self.take(b'?') {
            if self.take(b'#') {
                while self.peek().is_some_and(|byte| byte != b')') {
                    self.at += 1;
                }
            } else {
                self.flags()?;
            }
        }
        let inner = self.alternatives()?;
        (self.flags, self.ends_at_blank) = before;
        if !self.take(b')') {
            let what = match self.peek() {
                Some(b'/') => "trailing context is not allowed inside parentheses",
                Some(b' ' | b'\t') => "a blank ends the expression inside this parenthesis: write \" \" instead",
                _ => "this parenthesis is never closed",
            };
            return Err((start, what.to_owned()));
        }
        self.depth -= 1;
        Ok(inner)
    }

    /// `(?i-s:`
    fn flags(&mut self) -> Result<(), Error> {
        let mut on = true;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b':' => return Ok(()),
                b'-' => on = false,
                b'i' => self.flags.ignore_case = on,
                b's' => self.flags.dot_all = on,
                b'x' => {
                    self.flags.extended = on;
                    self.ends_at_blank = !on;
                }
                _ => break,
            }
        }
        self.error("expected flags, such as (?i:")
    }

    /// `{name}`
    fn definition(&mut self) -> Result<Hir, Error> {
        let start = self.at;
        let end = self.text[start..].iter().position(|&byte| byte == b'}').map(|end| start + end);
        let Some(end) = end else { return self.error("this brace is never closed") };
        let name = String::from_utf8_lossy(&self.text[start + 1..end]).into_owned();
        let Some(text) = self.definitions.texts.get(&name) else {
            let message =
                format!("there is no definition {name}: define it in the first section, or write \"{{\" for a brace");
            return Err((start, message));
        };
        self.deeper()?;
        let text = text.trim_end();
        let mut inner = Parser {
            text: text.as_bytes(),
            at: 0,
            definitions: self.definitions,
            flags: self.flags,
            depth: self.depth,
            ends_at_blank: false,
        };
        let hir =
            inner.alternatives().map_err(|(_, message)| (start, format!("in the definition of {name}: {message}")))?;
        if inner.at < inner.text.len() {
            let rest = String::from_utf8_lossy(&inner.text[inner.at..]).into_owned();
            return Err((start, format!("in the definition of {name}: {rest:?} is not understood")));
        }
        self.depth -= 1;
        self.at = end + 1;
        Ok(hir)
    }

    /// A set, perhaps with others added or subtracted.
    fn class_expression(&mut self) -> Result<ClassBytes, Error> {
        let mut class = self.class()?;
        loop {
            let operator = self.text.get(self.at..self.at + 3);
            let add = match operator {
                Some(b"{-}") => false,
                Some(b"{+}") => true,
                _ => return Ok(class),
            };
            self.at += 3;
            if self.peek() != Some(b'[') {
                return self.error("expected a set after {-} or {+}");
            }
            let other = self.class()?;
            if add {
                class.union(&other);
            } else {
                class.difference(&other);
            }
        }
    }

    fn class(&mut self) -> Result<ClassBytes, Error> {
        let start = self.at;
        self.at += 1;
        let negated = self.take(b'^');
        let mut class = ClassBytes::empty();
        let mut first = true;
        loop {
            let byte = match self.peek() {
                None | Some(b'\n') => return Err((start, "this set is never closed".to_owned())),
                Some(b']') if !first => {
                    self.at += 1;
                    break;
                }
                Some(b'[') if self.text.get(self.at + 1) == Some(&b':') => {
                    self.named_class(&mut class)?;
                    first = false;
                    continue;
                }
                Some(b'\\') => self.escape()?,
                Some(byte) => {
                    self.at += 1;
                    byte
                }
            };
            first = false;
            let mut last = byte;
            if self.peek() == Some(b'-') && !matches!(self.text.get(self.at + 1), Some(b']') | None) {
                self.at += 1;
                last = match self.peek() {
                    Some(b'\\') => self.escape()?,
                    Some(byte) => {
                        self.at += 1;
                        byte
                    }
                    None => byte,
                };
                if last < byte {
                    let (first, last) = (char::from(byte), char::from(last));
                    return self.error(format!("the range {first:?}-{last:?} is empty"));
                }
            }
            class.push(ClassBytesRange::new(byte, last));
        }
        if self.flags.ignore_case {
            class.case_fold_simple();
        }
        if negated {
            class.negate();
        }
        Ok(class)
    }

    /// `[:alpha:]`
    fn named_class(&mut self, class: &mut ClassBytes) -> Result<(), Error> {
        let rest = &self.text[self.at + 2..];
        let Some(end) = rest.windows(2).position(|two| two == b":]") else {
            return self.error("this named set is never closed");
        };
        let name = String::from_utf8_lossy(&rest[..end]).into_owned();
        let (negated, plain) = name.strip_prefix('^').map_or((false, name.as_str()), |name| (true, name));
        let member: fn(&u8) -> bool = match plain {
            "alpha" => u8::is_ascii_alphabetic,
            "digit" => u8::is_ascii_digit,
            "alnum" => u8::is_ascii_alphanumeric,
            "upper" => u8::is_ascii_uppercase,
            "lower" => u8::is_ascii_lowercase,
            "space" => |byte| byte.is_ascii_whitespace() || *byte == 0x0b,
            "blank" => |byte| matches!(byte, b' ' | b'\t'),
            "punct" => u8::is_ascii_punctuation,
            "print" => |byte| (0x20..0x7f).contains(byte),
            "graph" => u8::is_ascii_graphic,
            "cntrl" => u8::is_ascii_control,
            "xdigit" => u8::is_ascii_hexdigit,
            _ => return self.error(format!("there is no set [:{name}:]")),
        };
        for byte in 0..=255u8 {
            if member(&byte) != negated {
                class.push(ClassBytesRange::new(byte, byte));
            }
        }
        self.at += 2 + end + 2;
        Ok(())
    }

    /// A backslash and the character after it.
    fn escape(&mut self) -> Result<u8, Error> {
        self.at += 1;
        let Some(byte) = self.peek() else { return self.error("there is nothing after this backslash") };
        self.at += 1;
        let digits = |parser: &mut Self, radix: u32, most: usize| {
            let mut value = 0u32;
            for _ in 0..most {
                let Some(digit) = parser.peek().and_then(|byte| char::from(byte).to_digit(radix)) else { break };
                value = value * radix + digit;
                parser.at += 1;
            }
            value as u8
        };
        Ok(match byte {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'0'..=b'7' => {
                self.at -= 1;
                digits(self, 8, 3)
            }
            b'x' => digits(self, 16, 2),
            b'\n' => return self.error("a line break cannot be escaped: write \\n"),
            other => other,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> String {
        let texts = HashMap::from([("D".to_owned(), "[0-9]".to_owned()), ("L".to_owned(), "{L}".to_owned())]);
        match parse(text, 0, &Definitions { texts, ignore_case: false }) {
            Ok((pattern, end)) => {
                let trailing = pattern.trailing.map(|hir| format!(" / {hir}")).unwrap_or_default();
                format!("{}{trailing} @{end}", pattern.main)
            }
            Err((at, message)) => format!("error at {at}: {message}"),
        }
    }

    #[test]
    fn expressions() {
        assert_eq!(show("{D}+ return N;"), r"(?-u:[0-9])+ @4");
        assert_eq!(show(r#""/*"\n"#), "(?:/\\*\n) @6");
        assert_eq!(show("[a-c]{-}[b]"), r"(?-u:[ac]) @11");
        assert_eq!(show("[]^-]"), r"(?-u:[\-\]\^]) @5");
        assert_eq!(show("a{2,3}$"), "a{2,3} / \n @7");
        assert_eq!(show("a$b"), r"(?:a\$b) @3");
        assert_eq!(show("0/x"), "0 / x @3");
        assert_eq!(show("(?i:ab)c"), "(?:(?-u:[Aa])(?-u:[Bb])c) @8");
        assert_eq!(show("[[:digit:]_]"), r"(?-u:[0-9_]) @12");
        assert_eq!(show(r"\101\x42\."), r"(?:AB\.) @10");
    }

    #[test]
    fn mistakes() {
        assert_eq!(show("\"a"), "error at 0: this quotation mark is never closed");
        assert!(show("{x}").contains("there is no definition x"));
        assert!(show("{L}").contains("refer to itself"));
        assert!(show("(a b)").contains("a blank ends the expression"));
        assert!(show("[z-a]").contains("is empty"));
        assert!(show("*").contains("nothing to repeat"));
    }
}
