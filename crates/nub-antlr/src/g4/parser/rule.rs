//! Rules, except for the elements of their alternatives.

use super::{
    super::{
        ast::{Alternative, Block, Command, Name, Rule},
        lexer::{Bracket, Keyword, Kind},
    },
    MAX_DEPTH, Parsed, Parser,
};

impl Parser<'_> {
    pub(super) fn rule(&mut self, mode: Option<String>) -> Parsed<Rule> {
        let fragment = self.modifiers();
        let name = self.name("the name of a rule")?;
        let mut rule = Rule {
            name,
            fragment,
            mode,
            options: Vec::new(),
            arguments: None,
            returns: None,
            locals: None,
            throws: Vec::new(),
            actions: Vec::new(),
            block: Block::default(),
            handlers: Vec::new(),
        };
        if self.at(Kind::Arguments) {
            if rule.is_lexer_rule() {
                self.report.error(self.sources, self.token.span, "lexer rules cannot have arguments");
            }
            rule.arguments = Some(self.arguments("")?);
        }
        while !self.at_symbol(":") {
            self.rule_prequel(&mut rule)?;
        }
        if rule.is_lexer_rule() {
            self.bracket = Bracket::Set;
        }
        self.advance();
        rule.block = self.block(rule.is_lexer_rule())?;
        self.bracket = Bracket::Arguments;
        self.expect(";", &format!("at the end of rule {}", rule.name.text))?;
        self.handlers(&mut rule)?;
        Ok(rule)
    }

    fn modifiers(&mut self) -> bool {
        let mut fragment = false;
        while let Kind::Keyword(modifier) = self.token.kind {
            match modifier {
                Keyword::Fragment => fragment = true,
                Keyword::Public | Keyword::Private | Keyword::Protected => {}
                _ => break,
            }
            self.advance();
        }
        fragment
    }

    fn rule_prequel(&mut self, rule: &mut Rule) -> Parsed<()> {
        match self.token.kind {
            Kind::Options => rule.options.extend(self.options()?),
            Kind::Symbol("@") => rule.actions.push(self.named_action()?),
            Kind::Keyword(Keyword::Returns) => {
                self.advance();
                rule.returns = Some(self.arguments("after `returns`")?);
            }
            Kind::Keyword(Keyword::Locals) => {
                self.advance();
                rule.locals = Some(self.arguments("after `locals`")?);
            }
            Kind::Keyword(Keyword::Throws) => {
                self.advance();
                rule.throws.push(self.dotted_name("the name of an exception")?);
                while self.eat(",") {
                    rule.throws.push(self.dotted_name("the name of an exception")?);
                }
            }
            _ => return Err(self.unexpected(&format!("`:` after the name of rule {}", rule.name.text))),
        }
        Ok(())
    }

    fn arguments(&mut self, after: &str) -> Parsed<String> {
        if !self.at(Kind::Arguments) {
            return Err(self.unexpected(&format!("`[` {after}")));
        }
        let token = self.advance();
        Ok(self.inner(token))
    }

    fn handlers(&mut self, rule: &mut Rule) -> Parsed<()> {
        loop {
            match self.token.kind {
                Kind::Keyword(Keyword::Catch) => {
                    self.advance();
                    self.arguments("after `catch`")?;
                }
                Kind::Keyword(Keyword::Finally) => {
                    self.advance();
                }
                _ => return Ok(()),
            }
            if !self.at(Kind::Action) {
                return Err(self.unexpected("`{` of the handler"));
            }
            let token = self.advance();
            rule.handlers.push(self.inner(token));
        }
    }

    /// Alternatives up to `;` or `)`.
    pub(super) fn block(&mut self, in_lexer: bool) -> Parsed<Block> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format!("blocks are nested deeper than {MAX_DEPTH} levels");
            self.report.error(self.sources, self.token.span, message).hint("move inner blocks into separate rules");
            return Err(super::Failed);
        }
        let mut block = Block::default();
        loop {
            block.alternatives.push(self.alternative(in_lexer)?);
            if !self.eat("|") {
                self.depth -= 1;
                return Ok(block);
            }
        }
    }

    fn alternative(&mut self, in_lexer: bool) -> Parsed<Alternative> {
        let start = self.token.span;
        let mut alternative = Alternative::default();
        if !in_lexer && self.at_symbol("<") {
            alternative.options = self.element_options()?;
        }
        while !matches!(self.token.kind, Kind::Symbol("|" | ";" | ")" | "->" | "#") | Kind::End) {
            alternative.elements.push(self.element(in_lexer)?);
        }
        if in_lexer && self.eat("->") {
            alternative.commands.push(self.command()?);
            while self.eat(",") {
                alternative.commands.push(self.command()?);
            }
        }
        if self.depth == 1 && !in_lexer && self.eat("#") {
            alternative.label = Some(self.name("the label of the alternative")?);
        }
        alternative.span = start.to(self.previous);
        if self.previous.end < start.start {
            alternative.span.end = start.start;
        }
        Ok(alternative)
    }

    fn command(&mut self) -> Parsed<Command> {
        let name = if self.at(Kind::Keyword(Keyword::Mode)) {
            let token = self.advance();
            self.named(token)
        } else {
            self.name("a command")?
        };
        let mut argument: Option<Name> = None;
        if self.eat("(") {
            argument = Some(if self.at(Kind::Integer) {
                let token = self.advance();
                self.named(token)
            } else {
                self.name("the argument of the command")?
            });
            self.expect(")", "after the argument of the command")?;
        }
        Ok(Command { name, argument })
    }
}
