//! From the words of a YACC file to its contents.

use super::{
    ast::{Alternative, Associativity, Element, File, Name, Place, Rule, TokenDeclaration},
    scan::{Scanner, Word},
};
use crate::{
    code::comment,
    diagnostic::{Report, Source},
};
use std::ops::Range;

/// Reads a file. Reports what it cannot understand and continues after it.
pub(crate) fn parse(source: &Source, report: &mut Report<'_>) -> File {
    let mut scanner = Scanner::new(&source.text);
    let ahead = scanner.next(report);
    let mut parser = Parser { scanner, ahead, file: File::default(), end: source.text.len() };
    parser.file(report);
    parser.file
}

struct Parser<'a> {
    scanner: Scanner<'a>,
    ahead: Option<(Word, Range<usize>)>,
    file: File,
    end: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Word> {
        self.ahead.as_ref().map(|(word, _)| word)
    }

    fn span(&self) -> Range<usize> {
        self.ahead.as_ref().map_or(self.end..self.end, |(_, span)| span.clone())
    }

    fn next(&mut self, report: &mut Report<'_>) -> Option<(Word, Range<usize>)> {
        let next = self.scanner.next(report);
        std::mem::replace(&mut self.ahead, next)
    }

    fn file(&mut self, report: &mut Report<'_>) {
        // A grammar without declarations may omit the first `%%`. Its tokens then follow the only `%%`.
        let mut seen = false;
        loop {
            match self.peek() {
                None => break,
                Some(Word::Section) if seen || !self.file.rules.is_empty() => {
                    // Stop scanning here: the rest is in another language.
                    self.file.trailer = Some(self.span().end);
                    break;
                }
                Some(Word::Section) => {
                    seen = true;
                    self.next(report);
                }
                Some(Word::Directive(_)) => self.declaration(report),
                Some(Word::Name(_)) => self.rule(report),
                Some(Word::Semicolon | Word::Noise | Word::Tag) => {
                    self.next(report);
                }
                Some(_) => {
                    let span = self.span();
                    let text = self.described(&span);
                    report.error(&span, format!("expected a rule or a declaration, not {text}"), "");
                    self.next(report);
                }
            }
        }
        if self.file.rules.is_empty() && !report.has_errors() {
            report.file_error(
                "there are no rules",
                "the rules of a grammar come after a line with %%: `sum : sum '+' NUMBER | NUMBER ;`",
            );
        }
    }

    fn described(&self, span: &Range<usize>) -> String {
        match self.peek() {
            Some(Word::Code) => "code".to_owned(),
            Some(Word::Name(name)) => format!("{name:?}"),
            Some(Word::Text(text) | Word::Char(text)) => format!("the literal {text:?}"),
            Some(Word::Number(number)) => number.to_string(),
            Some(Word::Colon) => "`:`".to_owned(),
            Some(Word::Bar) => "`|`".to_owned(),
            Some(Word::Bracket) => "`[…]`".to_owned(),
            _ if span.is_empty() => "the end of the file".to_owned(),
            _ => "this".to_owned(),
        }
    }

    fn declaration(&mut self, report: &mut Report<'_>) {
        let Some((Word::Directive(name), span)) = self.next(report) else { return };
        match name.as_str() {
            "token" | "term" => {
                let tokens = self.tokens(report);
                self.file.tokens.extend(tokens);
            }
            "left" => self.precedence(Associativity::Left, report),
            "right" => self.precedence(Associativity::Right, report),
            "nonassoc" | "binary" => self.precedence(Associativity::None, report),
            "precedence" => self.precedence(Associativity::Undefined, report),
            "start" => {
                if let Some(Word::Name(name)) = self.peek() {
                    let name = Name::Plain(name.clone());
                    self.file.start.get_or_insert(Place { name, span: self.span() });
                    self.next(report);
                } else {
                    report.error(&span, "%start needs the name of a rule", "`%start program`");
                }
                // Bison accepts several, but an input can only be parsed with one of them.
                while let Some(Word::Name(_)) = self.peek() {
                    report.warning(&self.span(), "only the first start rule is used", "choose another with --start");
                    self.next(report);
                }
            }
            "expect" => self.file.expect = self.number(report).or(self.file.expect),
            "expect-rr" => self.file.expect_rr = self.number(report).or(self.file.expect_rr),
            "glr-parser" => self.file.glr = true,
            // These concern the types of values, file names, or the generated program. Their arguments are skipped.
            "type" | "nterm" | "union" | "code" | "define" | "destructor" | "printer" | "initial-action"
            | "parse-param" | "lex-param" | "param" | "pure-parser" | "locations" | "error-verbose" | "debug"
            | "verbose" | "defines" | "header" | "output" | "file-prefix" | "name-prefix" | "no-lines"
            | "token-table" | "yacc" | "require" | "skeleton" | "language" | "default-prec" | "fixed-output-files"
            | "ident" | "token-prefix" | "api" | "actiontype" | "epp" | "avoid-insert" | "avoid-insertion"
            | "expect-unused" | "parse-generics" | "implicit-tokens" => self.skip_arguments(report),
            "no-default-prec" => {
                report.warning(
                    &span,
                    "%no-default-prec is not supported: every rule gets the precedence of its last token",
                    "",
                );
            }
            _ => {
                report.warning(&span, format!("the declaration %{name} is unknown and is ignored"), "");
                self.skip_arguments(report);
            }
        }
    }

    /// Skips everything up to the next declaration, section or rule.
    fn skip_arguments(&mut self, report: &mut Report<'_>) {
        loop {
            match self.peek() {
                None | Some(Word::Section | Word::Directive(_) | Word::Colon | Word::Bar) => return,
                Some(Word::Semicolon) => {
                    self.next(report);
                    return;
                }
                // In the second section a declaration ends where a rule begins.
                Some(Word::Name(_)) if self.rule_follows() => return,
                Some(_) => {
                    self.next(report);
                }
            }
        }
    }

    /// Whether a colon follows the next name.
    fn rule_follows(&self) -> bool {
        let mut rest = self.scanner.rest();
        loop {
            rest = rest.trim_start();
            rest = match (comment(rest.as_bytes(), 0), rest.strip_prefix('[')) {
                (Some(end), _) => rest.get(end..).unwrap_or_default(),
                (None, Some(name)) => name.split_once(']').map_or("", |(_, rest)| rest),
                (None, None) => return rest.starts_with(':'),
            }
        }
    }

    fn number(&mut self, report: &mut Report<'_>) -> Option<usize> {
        let Some(Word::Number(number)) = self.peek() else { return None };
        let number = usize::try_from(*number).ok();
        self.next(report);
        number
    }

    fn precedence(&mut self, associativity: Associativity, report: &mut Report<'_>) {
        let tokens = self.tokens(report);
        self.file.precedences.push((associativity, tokens));
    }

    /// Names and literals, each with an optional number and alias.
    fn tokens(&mut self, report: &mut Report<'_>) -> Vec<TokenDeclaration> {
        let mut tokens: Vec<TokenDeclaration> = vec![];
        loop {
            match self.peek() {
                Some(Word::Name(_)) if self.rule_follows() => return tokens,
                Some(Word::Name(name)) => {
                    let token = Place { name: Name::Plain(name.clone()), span: self.span() };
                    tokens.push(TokenDeclaration { token, number: None, alias: None });
                }
                Some(Word::Char(text)) => {
                    let token = Place { name: Name::Char(text.clone()), span: self.span() };
                    tokens.push(TokenDeclaration { token, number: None, alias: None });
                }
                Some(Word::Text(text)) => {
                    let text = text.clone();
                    match tokens.last_mut() {
                        Some(TokenDeclaration { token: Place { name: Name::Plain(_), .. }, alias, .. })
                            if alias.is_none() =>
                        {
                            *alias = Some(text);
                        }
                        _ => {
                            let token = Place { name: Name::Text(text), span: self.span() };
                            tokens.push(TokenDeclaration { token, number: None, alias: None });
                        }
                    }
                }
                Some(&Word::Number(number)) => {
                    if let Some(token) = tokens.last_mut() {
                        token.number = Some(number);
                    }
                }
                Some(Word::Tag | Word::Noise) => {}
                Some(Word::Semicolon) => {
                    self.next(report);
                    return tokens;
                }
                _ => return tokens,
            }
            self.next(report);
        }
    }

    fn rule(&mut self, report: &mut Report<'_>) {
        let Some((Word::Name(name), span)) = self.next(report) else { return };
        if self.peek() == Some(&Word::Bracket) {
            self.next(report);
        }
        if self.peek() != Some(&Word::Colon) {
            let found = self.described(&self.span());
            report.error(
                &self.span(),
                format!("expected `:` after the rule name {name}, not {found}"),
                "a rule is `name : alternative | alternative ;`",
            );
            self.recover(report);
            return;
        }
        self.next(report);
        let mut alternatives = vec![];
        loop {
            alternatives.push(self.alternative(report));
            match self.peek() {
                Some(Word::Bar) => {
                    self.next(report);
                }
                Some(Word::Semicolon) => {
                    self.next(report);
                    // `a : b ; | c ;`, which Bison accepts with a warning.
                    if self.peek() != Some(&Word::Bar) {
                        break;
                    }
                    self.next(report);
                }
                _ => break,
            }
        }
        self.file.rules.push(Rule { name, span, alternatives });
    }

    /// Skips to where the next rule might begin.
    fn recover(&mut self, report: &mut Report<'_>) {
        loop {
            match self.peek() {
                None | Some(Word::Section) => return,
                Some(Word::Semicolon) => {
                    self.next(report);
                    return;
                }
                Some(Word::Name(_)) if self.rule_follows() => return,
                Some(_) => {
                    self.next(report);
                }
            }
        }
    }

    fn alternative(&mut self, report: &mut Report<'_>) -> Alternative {
        let start = self.span().start;
        let mut alternative = Alternative { span: start..start, ..Alternative::default() };
        loop {
            let span = self.span();
            match self.peek() {
                Some(Word::Name(_)) if self.rule_follows() => return alternative,
                Some(Word::Name(name)) => {
                    let name = Name::Plain(name.clone());
                    alternative.elements.push(Element::Symbol(Place { name, span: span.clone() }));
                }
                Some(Word::Char(text)) => {
                    let name = Name::Char(text.clone());
                    alternative.elements.push(Element::Symbol(Place { name, span: span.clone() }));
                }
                Some(Word::Text(text)) => {
                    let name = Name::Text(text.clone());
                    alternative.elements.push(Element::Symbol(Place { name, span: span.clone() }));
                }
                Some(Word::Code) => alternative.elements.push(Element::Action(span.clone())),
                Some(Word::Directive(directive)) => match directive.as_str() {
                    "prec" => {
                        self.next(report);
                        let name = match self.peek() {
                            Some(Word::Name(name)) => Name::Plain(name.clone()),
                            Some(Word::Char(text)) => Name::Char(text.clone()),
                            Some(Word::Text(text)) => Name::Text(text.clone()),
                            _ => {
                                report.error(&span, "%prec needs the name of a token", "`%prec UNARY`");
                                continue;
                            }
                        };
                        alternative.precedence = Some(Place { name, span: self.span() });
                    }
                    // An explicit empty alternative, and directives that only choose between parses of a GLR parser or
                    // count conflicts.
                    "empty" | "dprec" | "merge" | "expect" | "expect-rr" => {}
                    _ => return alternative,
                },
                // The name or type of a value, or the number of a %dprec.
                Some(Word::Bracket | Word::Tag | Word::Number(_)) => {}
                // `= { action }`, as in the first YACC.
                Some(Word::Noise) => {}
                Some(Word::Colon) => {
                    report.error(
                        &span,
                        "unexpected `:` in the middle of a rule",
                        "is the `;` of the rule before it missing?",
                    );
                }
                Some(Word::Bar | Word::Semicolon | Word::Section) | None => return alternative,
            }
            alternative.span.end = span.end;
            self.next(report);
        }
    }
}
