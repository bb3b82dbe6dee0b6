//! Parses tokens into a syntax tree.
//!
//! By recursive descent. After an error it resumes after the next `;`, so that one run finds the mistakes of all rules.

mod element;
mod prequel;
mod rule;

use super::{
    Report, Sources,
    ast::{GrammarFile, Name, Span},
    lexer::{Bracket, Kind, Lexer, Token},
};

/// How deep blocks may nest: far more than any author needs, and far less than the stack can hold.
pub(crate) const MAX_DEPTH: usize = 200;

/// A message was reported; the caller resumes after the next `;`.
pub(super) struct Failed;

type Parsed<T> = Result<T, Failed>;

/// Parses a file. Returns `None` and reports an error if it is not a grammar at all.
pub(crate) fn parse(sources: &Sources, file: u32, report: &mut Report) -> Option<GrammarFile> {
    let mut lexer = Lexer::new(sources, file);
    let token = lexer.next(Bracket::Arguments, report);
    let mut parser =
        Parser { sources, lexer, report, token, previous: token.span, bracket: Bracket::Arguments, depth: 0 };
    parser.file()
}

struct Parser<'a> {
    sources: &'a Sources,
    lexer: Lexer<'a>,
    report: &'a mut Report,
    /// The current token.
    token: Token,
    /// The place of the previous token.
    previous: Span,
    bracket: Bracket,
    depth: usize,
}

impl Parser<'_> {
    fn advance(&mut self) -> Token {
        let token = self.token;
        self.previous = token.span;
        self.token = self.lexer.next(self.bracket, self.report);
        token
    }

    fn text(&self, token: Token) -> &str {
        self.sources.text(token.span)
    }

    fn at(&self, kind: Kind) -> bool {
        self.token.kind == kind
    }

    fn at_symbol(&self, symbol: &'static str) -> bool {
        self.at(Kind::Symbol(symbol))
    }

    fn eat(&mut self, symbol: &'static str) -> bool {
        let found = self.at_symbol(symbol);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, symbol: &'static str, after: &str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { Err(self.unexpected(&format!("`{symbol}` {after}"))) }
    }

    /// Reports the current token.
    fn unexpected(&mut self, expected: &str) -> Failed {
        let found = match self.token.kind {
            Kind::End => "the end of the file".to_owned(),
            Kind::Action | Kind::Predicate => "an action".to_owned(),
            _ => format!("`{}`", self.sources.text(self.token.span)),
        };
        let message = format!("expected {expected}, found {found}");
        let problem = self.report.error(self.sources, self.token.span, message);
        match self.token.kind {
            Kind::Symbol("=>") => problem.hint("syntactic predicates are ANTLR 3; ANTLR 4 does not need them"),
            Kind::Symbol("^" | "!") => problem.hint("tree operators are ANTLR 3; ANTLR 4 always builds a tree"),
            Kind::Symbol("->") => problem.hint("commands go at the end of lexer rules"),
            Kind::CharSet | Kind::Arguments => problem.hint("sets of characters are only allowed in lexer rules"),
            Kind::Keyword(_) => problem.hint("this word is reserved"),
            _ => {}
        }
        Failed
    }

    /// The name of a rule or a token.
    fn name(&mut self, what: &str) -> Parsed<Name> {
        match self.token.kind {
            Kind::TokenName | Kind::RuleName => {
                let token = self.advance();
                Ok(self.named(token))
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn named(&self, token: Token) -> Name {
        Name { text: self.text(token).to_owned(), span: token.span }
    }

    /// A name that may contain dots, like names of classes and grammars.
    fn dotted_name(&mut self, what: &str) -> Parsed<Name> {
        let mut name = self.name(what)?;
        while self.eat(".") {
            let part = self.name("a name after `.`")?;
            name.text.push('.');
            name.text.push_str(&part.text);
            name.span = name.span.to(part.span);
        }
        Ok(name)
    }

    /// The text between the first and the last character of a token.
    fn inner(&self, token: Token) -> String {
        let text = self.text(token);
        let text = text.strip_suffix('?').unwrap_or(text);
        text.get(1..text.len().saturating_sub(1)).unwrap_or_default().to_owned()
    }

    /// Resumes after the next `;`, or at a token that can only begin a rule.
    fn recover(&mut self) {
        self.report.set_incomplete();
        self.bracket = Bracket::Arguments;
        self.depth = 0;
        loop {
            match self.token.kind {
                Kind::End => return,
                Kind::Symbol(";") => {
                    self.advance();
                    return;
                }
                _ => {
                    self.advance();
                }
            }
        }
    }
}
