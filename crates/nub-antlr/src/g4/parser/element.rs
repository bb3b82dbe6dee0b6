//! The elements of alternatives.

use super::{
    super::{
        ast::{Alternative, Block, Element, ElementKind, GrammarOption, Label, Literal, Span},
        charset::{self, Mistake},
        lexer::{Kind, Token},
    },
    Failed, Parsed, Parser,
};
use crate::atn::Quantifier;

impl Parser<'_> {
    pub(super) fn element(&mut self, in_lexer: bool) -> Parsed<Element> {
        let start = self.token.span;
        let (kind, label) = match self.token.kind {
            Kind::Action | Kind::Predicate => return self.code(),
            Kind::TokenName | Kind::RuleName => {
                let token = self.advance();
                if self.at_symbol("=") || self.at_symbol("+=") {
                    let list = self.at_symbol("+=");
                    self.advance();
                    if in_lexer {
                        let problem = self.report.error(self.sources, token.span, "lexer rules cannot have labels");
                        problem.hint("only elements of parser rules can be labelled");
                    }
                    let label = Label { name: self.named(token), list };
                    (self.atom(in_lexer)?, Some(label))
                } else {
                    (self.reference(token, in_lexer)?, None)
                }
            }
            _ => (self.atom(in_lexer)?, None),
        };
        let mut element = Element { kind, label, options: Vec::new(), span: start.to(self.previous) };
        if self.at_symbol("<") {
            element.options = self.element_options()?;
        }
        self.quantified(element, start)
    }

    fn code(&mut self) -> Parsed<Element> {
        let token = self.advance();
        let text = self.inner(token);
        let predicate = token.kind == Kind::Predicate;
        let kind = if predicate { ElementKind::Predicate(text) } else { ElementKind::Action(text) };
        let mut element = Element { kind, label: None, options: Vec::new(), span: token.span };
        if self.at_symbol("<") {
            element.options = self.element_options()?;
        }
        Ok(element)
    }

    fn quantified(&mut self, element: Element, start: Span) -> Parsed<Element> {
        let quantifier = match self.token.kind {
            Kind::Symbol("?") => Quantifier::Optional,
            Kind::Symbol("*") => Quantifier::Star,
            Kind::Symbol("+") => Quantifier::Plus,
            _ => return Ok(element),
        };
        self.advance();
        let greedy = !self.eat("?");
        let span = start.to(self.previous);
        // The label of a single element stays on the element; that of a block stays on the block.
        let block = match element {
            Element { kind: ElementKind::Block(block), label: None, .. } => block,
            element => {
                let span = element.span;
                Block { alternatives: vec![Alternative { elements: vec![element], span, ..Alternative::default() }] }
            }
        };
        let kind = ElementKind::Quantified { block, quantifier, greedy };
        Ok(Element { kind, label: None, options: Vec::new(), span })
    }

    fn atom(&mut self, in_lexer: bool) -> Parsed<ElementKind> {
        match self.token.kind {
            Kind::TokenName | Kind::RuleName => {
                let token = self.advance();
                self.reference(token, in_lexer)
            }
            Kind::Literal => {
                let literal = self.literal();
                if !self.eat("..") {
                    return Ok(ElementKind::Literal(literal));
                }
                if !self.at(Kind::Literal) {
                    return Err(self.unexpected("a literal after `..`"));
                }
                Ok(ElementKind::Range(literal, self.literal()))
            }
            Kind::CharSet => {
                let token = self.advance();
                let mut mistakes = Vec::new();
                let set = charset::char_set(self.text(token), &mut mistakes);
                self.report_mistakes(token, mistakes);
                Ok(ElementKind::CharSet(set))
            }
            Kind::Symbol(".") => {
                self.advance();
                Ok(ElementKind::Wildcard)
            }
            Kind::Symbol("~") => {
                self.advance();
                self.negated(in_lexer)
            }
            Kind::Symbol("(") => {
                self.advance();
                self.skip_block_prequel()?;
                let block = self.block(in_lexer)?;
                self.expect(")", "at the end of the block")?;
                Ok(ElementKind::Block(block))
            }
            _ => Err(self.unexpected("an element of the rule, `|` or `;`")),
        }
    }

    /// `( options { … } @init { … } : … )` is a relic of earlier versions and has no meaning.
    fn skip_block_prequel(&mut self) -> Parsed<()> {
        let mut found = false;
        loop {
            match self.token.kind {
                Kind::Options => drop(self.options()?),
                Kind::Symbol("@") => drop(self.named_action()?),
                _ if found || self.at_symbol(":") => return self.expect(":", "after the options of the block"),
                _ => return Ok(()),
            }
            found = true;
        }
    }

    fn reference(&mut self, token: Token, in_lexer: bool) -> Parsed<ElementKind> {
        let name = self.text(token).to_owned();
        if token.kind == Kind::TokenName {
            return Ok(if name == "EOF" { ElementKind::Eof } else { ElementKind::Token(name) });
        }
        let mut arguments = None;
        if !in_lexer && self.at(Kind::Arguments) {
            let token = self.advance();
            arguments = Some(self.inner(token));
        }
        Ok(ElementKind::Rule { name, arguments })
    }

    fn literal(&mut self) -> Literal {
        let token = self.advance();
        let mut mistakes = Vec::new();
        let literal = charset::literal(self.text(token), &mut mistakes);
        if self.text(token) == "''" {
            let problem = self.report.error(self.sources, token.span, "the literal is empty");
            problem.hint("an alternative without elements matches nothing");
        }
        self.report_mistakes(token, mistakes);
        literal
    }

    fn report_mistakes(&mut self, token: Token, mistakes: Vec<Mistake>) {
        for mistake in mistakes {
            let offset = |at: usize| token.span.start + u32::try_from(at).unwrap_or(0);
            let span = Span { start: offset(mistake.start), end: offset(mistake.end), ..token.span };
            let problem = self.report.error(self.sources, span, mistake.message);
            if let Some(hint) = mistake.hint {
                problem.hint(hint);
            }
        }
    }

    /// The operand of `~`: one member, or several in parentheses.
    fn negated(&mut self, in_lexer: bool) -> Parsed<ElementKind> {
        if !self.eat("(") {
            return Ok(ElementKind::Not(vec![self.member(in_lexer)?]));
        }
        let mut members = vec![self.member(in_lexer)?];
        while self.eat("|") {
            members.push(self.member(in_lexer)?);
        }
        self.expect(")", "or `|` in the negated set")?;
        Ok(ElementKind::Not(members))
    }

    fn member(&mut self, in_lexer: bool) -> Parsed<Element> {
        let start = self.token.span;
        if !matches!(self.token.kind, Kind::Literal | Kind::TokenName | Kind::CharSet) {
            self.unexpected("a token, a literal or a set of characters after `~`");
            return Err(Failed);
        }
        let kind = self.atom(in_lexer)?;
        let mut element = Element { kind, label: None, options: Vec::new(), span: start.to(self.previous) };
        if self.at_symbol("<") {
            element.options = self.element_options()?;
        }
        Ok(element)
    }

    /// `< name = value, name >`
    pub(super) fn element_options(&mut self) -> Parsed<Vec<GrammarOption>> {
        self.advance();
        let mut options = Vec::new();
        loop {
            let name = self.dotted_name("the name of an option")?;
            if self.eat("=") {
                options.push(self.option_value(name)?);
            } else {
                let value_span = name.span;
                options.push(GrammarOption { name, value: None, value_span });
            }
            if !self.eat(",") {
                self.expect(">", "after the options")?;
                return Ok(options);
            }
        }
    }
}
