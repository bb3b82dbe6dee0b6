//! Splits the text of a grammar into tokens.

use super::{Report, Sources, ast::Span, scan};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name that begins with a capital letter.
    TokenName,
    /// Any other name.
    RuleName,
    Integer,
    Literal,
    /// `{ … }`
    Action,
    /// `{ … }?`
    Predicate,
    /// `[ … ]` in a lexer rule.
    CharSet,
    /// `[ … ]` elsewhere.
    Arguments,
    Keyword(Keyword),
    /// `options {`: the words that precede a brace are keywords only there.
    Options,
    Tokens,
    Channels,
    Symbol(&'static str),
    End,
}

/// Reserved words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keyword {
    Import,
    Fragment,
    Lexer,
    Parser,
    Grammar,
    Protected,
    Public,
    Private,
    Returns,
    Locals,
    Throws,
    Catch,
    Finally,
    Mode,
}

/// A token; its text is found through its span.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// How to read a bracket: only the parser knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bracket {
    Set,
    Arguments,
}

/// Longer ones first.
const SYMBOLS: &[&str] = &[
    "->", "::", "+=", "..", "=>", ":", ";", ",", "(", ")", "=", "?", "*", "+", "|", "$", ".", "@", "#", "~", "<", ">",
    "}", "^", "!",
];

pub(crate) struct Lexer<'a> {
    sources: &'a Sources,
    text: &'a str,
    file: u32,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(sources: &'a Sources, file: u32) -> Self {
        let text = sources.get(file).text();
        let at = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        Self { sources, text, file, at }
    }

    /// The next token. Characters that begin no token are reported and skipped.
    pub(crate) fn next(&mut self, bracket: Bracket, report: &mut Report) -> Token {
        loop {
            self.skip_blank(report);
            let rest = &self.text[self.at..];
            let Some(first) = rest.chars().next() else { return self.token(Kind::End, 0) };
            match first {
                '\'' => return self.delimited(scan::literal(rest), Kind::Literal, "literal", "'", report),
                '[' if bracket == Bracket::Set => {
                    return self.delimited(scan::char_set(rest), Kind::CharSet, "set", "]", report);
                }
                '[' => return self.nested(scan::arguments(rest), Kind::Arguments, "bracket", report),
                '{' => {
                    let length = scan::action(rest);
                    let predicate = length.is_some_and(|length| rest[length..].starts_with('?'));
                    let kind = if predicate { Kind::Predicate } else { Kind::Action };
                    return self.nested(length.map(|length| length + usize::from(predicate)), kind, "action", report);
                }
                '0'..='9' => {
                    return self.token(Kind::Integer, rest.bytes().take_while(u8::is_ascii_digit).count());
                }
                _ if is_name_start(first) => return self.word(rest),
                _ => {}
            }
            if let Some(symbol) = SYMBOLS.iter().find(|&symbol| rest.starts_with(symbol)) {
                return self.token(Kind::Symbol(symbol), symbol.len());
            }
            let token = self.token(Kind::End, first.len_utf8());
            report.set_incomplete();
            let problem = report.error(self.sources, token.span, format!("unexpected character {first:?}"));
            match first {
                '"' => problem.hint("literals are written in single quotes"),
                '_' => problem.hint("names begin with a letter"),
                _ => {}
            }
        }
    }

    fn skip_blank(&mut self, report: &mut Report) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{c}']);
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.at += scan::line(trimmed.as_bytes());
            } else if trimmed.starts_with("/*") {
                let length = scan::comment(trimmed.as_bytes());
                if length.is_none() {
                    report.error(self.sources, self.span(2), "the comment is not closed");
                }
                self.at += length.unwrap_or(trimmed.len());
            } else {
                return;
            }
        }
    }

    fn word(&mut self, rest: &str) -> Token {
        let length = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        let after = rest[length..].trim_start_matches([' ', '\t', '\r', '\n', '\u{c}']);
        if after.starts_with('{') {
            let section = match word {
                "options" => Some(Kind::Options),
                "tokens" => Some(Kind::Tokens),
                "channels" => Some(Kind::Channels),
                _ => None,
            };
            if let Some(section) = section {
                return self.token(section, rest.len() - after.len() + 1);
            }
        }
        let kind = match keyword(word) {
            Some(keyword) => Kind::Keyword(keyword),
            None if super::ast::is_token_name(word) => Kind::TokenName,
            None => Kind::RuleName,
        };
        self.token(kind, length)
    }

    fn delimited(&mut self, length: Option<usize>, kind: Kind, what: &str, close: &str, report: &mut Report) -> Token {
        let Some(length) = length else {
            let length = scan::line(&self.text.as_bytes()[self.at..]);
            let token = self.token(kind, length);
            let problem = report.error(self.sources, token.span, format!("the {what} is not closed on its line"));
            problem.hint(format!("close it with {close}"));
            report.set_incomplete();
            return token;
        };
        self.token(kind, length)
    }

    fn nested(&mut self, length: Option<usize>, kind: Kind, what: &str, report: &mut Report) -> Token {
        if length.is_none() {
            report.set_incomplete();
            report
                .error(self.sources, self.span(1), format!("the {what} that opens here is not closed"))
                .hint("quotes and comments inside it count: a single quote or brace in them may hide the closing one");
        }
        self.token(kind, length.unwrap_or(self.text.len() - self.at))
    }

    fn token(&mut self, kind: Kind, length: usize) -> Token {
        let span = self.span(length);
        self.at += length;
        Token { kind, span }
    }

    fn span(&self, length: usize) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { file: self.file, start: offset(self.at), end: offset(self.at + length) }
    }
}

fn keyword(word: &str) -> Option<Keyword> {
    Some(match word {
        "import" => Keyword::Import,
        "fragment" => Keyword::Fragment,
        "lexer" => Keyword::Lexer,
        "parser" => Keyword::Parser,
        "grammar" => Keyword::Grammar,
        "protected" => Keyword::Protected,
        "public" => Keyword::Public,
        "private" => Keyword::Private,
        "returns" => Keyword::Returns,
        "locals" => Keyword::Locals,
        "throws" => Keyword::Throws,
        "catch" => Keyword::Catch,
        "finally" => Keyword::Finally,
        "mode" => Keyword::Mode,
        _ => return None,
    })
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic()
}

fn is_name_part(c: char) -> bool {
    is_name_start(c) || c.is_numeric() || matches!(c, '_' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}' | '\u{2040}')
}
