//! Tokens in the third section of a grammar, as an alternative to a lex file.
//!
//! ```text
//! NUMBER : "[0-9]+" "0"
//! SKIP   : "[ \t\n]+"
//! ```
//!
//! Each definition is a name, a regular expression in the syntax of the [`regex`](https://docs.rs/regex) crate, and
//! optionally the shortest text. `SKIP` is hidden from the parser. Literals in the rules need no definition and take
//! precedence over definitions that match the same text.

use crate::{
    code::{comment, quoted},
    diagnostic::{Report, Source},
    grammar::{Grammar, TokenId},
    lex::{Act, LexRule, LexRules, Pattern, Returned},
};
use regex_syntax::{ParserBuilder, hir::Hir};
use std::ops::Range;

/// A definition.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    span: Range<usize>,
    pattern: Hir,
    shortest: Option<String>,
}

/// The form of a definition, for messages.
pub(crate) const FORM: &str = "define the tokens after a second %% as NAME : \"regular expression\" \"shortest text\", \
                               or pass a lex file with --lex";

/// Reads the section that begins at `at`.
pub(crate) fn read(source: &Source, at: usize, report: &mut Report<'_>) -> Vec<Definition> {
    let mut reader = Reader { text: &source.text, at };
    let mut definitions = vec![];
    while let Some(start) = reader.start() {
        match reader.definition(start) {
            Ok(definition) => definitions.push(definition),
            Err((at, message)) => {
                report.error(&(at..at + 1), message, FORM);
                return definitions;
            }
        }
    }
    definitions
}

/// The rules of a lexer: literals of the grammar first, then the definitions.
pub(crate) fn rules(definitions: Vec<Definition>, grammar: &Grammar) -> LexRules {
    let pattern = |main: Hir| Pattern { main, trailing: None, at_line_start: false };
    let rule = |main: Hir, returned: Returned, span: Range<usize>, shortest: Option<String>| LexRule {
        conditions: vec![0],
        pattern: pattern(main),
        act: Act { returned, ..Act::SKIP },
        span,
        shortest,
    };
    let defined: Vec<&str> = definitions.iter().map(|definition| definition.name.as_str()).collect();
    let mut rules = vec![];
    for (id, token) in grammar.tokens().iter().enumerate() {
        if let Some(literal) =
            token.literal.as_ref().filter(|text| !text.is_empty() && !defined.contains(&&*token.name))
        {
            let returned = Returned::Token(TokenId(id as u32));
            rules.push(rule(Hir::literal(literal.as_bytes()), returned, 0..0, None));
        }
    }
    for Definition { name, span, pattern, shortest } in definitions {
        let returned = match name.as_str() {
            "SKIP" => Returned::Nothing,
            name => grammar.find_token(name).map_or(Returned::Unknown, Returned::Token),
        };
        rules.push(rule(pattern, returned, span, shortest));
    }
    LexRules { rules, conditions: 1, ..LexRules::default() }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    /// The start of the next definition.
    fn start(&mut self) -> Option<usize> {
        self.skip();
        (self.at < self.text.len()).then_some(self.at)
    }

    fn skip(&mut self) {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let blank = rest.find(|c: char| !c.is_whitespace() && c != ';').unwrap_or(rest.len());
            self.at += blank;
            match comment(self.text.as_bytes(), self.at) {
                Some(end) => self.at = end,
                None => return,
            }
        }
    }

    fn definition(&mut self, start: usize) -> Result<Definition, (usize, String)> {
        let rest = &self.text[start..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && !"_.-".contains(c)).unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        if name.is_empty() {
            return Err((start, "expected the name of a token".to_owned()));
        }
        self.at = start + end;
        self.skip();
        if !self.text[self.at..].starts_with(':') {
            return Err((self.at, format!("expected `:` after the name {name}")));
        }
        self.at += 1;
        self.skip();
        let place = self.at;
        let Some(regex) = self.literal()? else {
            return Err((self.at, "expected a regular expression in quotation marks".to_owned()));
        };
        let mut parser = ParserBuilder::new().utf8(false).build();
        let pattern = parser.parse(&regex.replace("\\\"", "\"")).map_err(|error| {
            let kind = match &error {
                regex_syntax::Error::Parse(error) => error.kind().to_string(),
                regex_syntax::Error::Translate(error) => error.kind().to_string(),
                _ => error.to_string(),
            };
            (place, format!("{regex:?} is not a valid regular expression: {kind}"))
        })?;
        self.skip();
        let shortest = self.literal()?.map(|text| crate::code::unescape(&text));
        Ok(Definition { name, span: start..self.at, pattern, shortest })
    }

    /// A literal in quotation marks, as written.
    fn literal(&mut self) -> Result<Option<String>, (usize, String)> {
        if !self.text[self.at..].starts_with('"') {
            return Ok(None);
        }
        let Some(end) = quoted(self.text.as_bytes(), self.at) else {
            return Err((self.at, "this quotation mark is never closed".to_owned()));
        };
        let text = self.text.get(self.at + 1..end - 1).unwrap_or_default().to_owned();
        self.at = end;
        Ok(Some(text))
    }
}
