//! The part of a grammar before its rules.

use super::{
    super::{
        ast::{GrammarFile, GrammarOption, GrammarType, Name, NamedAction},
        lexer::{Keyword, Kind},
    },
    Parsed, Parser,
};

impl Parser<'_> {
    pub(super) fn file(&mut self) -> Option<GrammarFile> {
        let Ok((grammar_type, name)) = self.declaration() else { return None };
        let mut file = GrammarFile {
            grammar_type,
            name,
            options: Vec::new(),
            imports: Vec::new(),
            tokens: Vec::new(),
            channels: Vec::new(),
            actions: Vec::new(),
            modes: Vec::new(),
            rules: Vec::new(),
        };
        while !self.at(Kind::End) {
            if self.part(&mut file).is_err() {
                self.recover();
            }
        }
        Some(file)
    }

    fn declaration(&mut self) -> Parsed<(GrammarType, Name)> {
        let grammar_type = match self.token.kind {
            Kind::Keyword(Keyword::Lexer) => GrammarType::Lexer,
            Kind::Keyword(Keyword::Parser) => GrammarType::Parser,
            _ => GrammarType::Combined,
        };
        if grammar_type != GrammarType::Combined {
            self.advance();
        }
        if !self.at(Kind::Keyword(Keyword::Grammar)) {
            return Err(self.unexpected("`grammar`, `lexer grammar` or `parser grammar`"));
        }
        self.advance();
        let name = self.name("the name of the grammar")?;
        // Even without the semicolon, the rest is still a grammar.
        let _ = self.expect(";", "after the name of the grammar");
        Ok((grammar_type, name))
    }

    fn part(&mut self, file: &mut GrammarFile) -> Parsed<()> {
        match self.token.kind {
            Kind::Options => file.options.extend(self.options()?),
            Kind::Tokens => file.tokens.extend(self.names("tokens")?),
            Kind::Channels => file.channels.extend(self.names("channels")?),
            Kind::Keyword(Keyword::Import) => self.imports(file)?,
            Kind::Symbol("@") => file.actions.push(self.named_action()?),
            Kind::Keyword(Keyword::Mode) => {
                self.advance();
                let name = self.name("the name of the mode")?;
                file.modes.push(name);
                self.expect(";", "after the name of the mode")?;
            }
            _ => {
                let mode = file.modes.last().map(|mode| mode.text.clone());
                file.rules.push(self.rule(mode)?);
            }
        }
        Ok(())
    }

    /// `options { name = value; … }`
    pub(super) fn options(&mut self) -> Parsed<Vec<GrammarOption>> {
        self.advance();
        let mut options = Vec::new();
        while !self.eat("}") {
            let name = self.name("the name of an option or `}`")?;
            self.expect("=", "after the name of the option")?;
            options.push(self.option_value(name)?);
            self.expect(";", "after the value of the option")?;
        }
        Ok(options)
    }

    pub(super) fn option_value(&mut self, name: Name) -> Parsed<GrammarOption> {
        let start = self.token.span;
        let value = match self.token.kind {
            Kind::Literal | Kind::Action => {
                let token = self.advance();
                self.inner(token)
            }
            Kind::Integer | Kind::Symbol("*") => {
                let token = self.advance();
                self.text(token).to_owned()
            }
            _ => self.dotted_name("the value of the option")?.text,
        };
        Ok(GrammarOption { name, value: Some(value), value_span: start.to(self.previous) })
    }

    fn names(&mut self, section: &str) -> Parsed<Vec<Name>> {
        self.advance();
        let mut names = Vec::new();
        while !self.eat("}") {
            names.push(self.name(&format!("a name or `}}` in `{section}`"))?);
            if self.at_symbol(";") {
                let problem = self.report.error(self.sources, self.token.span, "expected `,` or `}`, found `;`");
                problem.hint("names are separated by commas since ANTLR 4");
                self.advance();
            } else if !self.at_symbol("}") {
                self.expect(",", &format!("or `}}` in `{section}`"))?;
            }
        }
        Ok(names)
    }

    fn imports(&mut self, file: &mut GrammarFile) -> Parsed<()> {
        self.advance();
        loop {
            let mut name = self.name("the name of a grammar to import")?;
            // `import X = Y` imports Y.
            if self.eat("=") {
                name = self.name("the name of a grammar to import")?;
            }
            file.imports.push(name);
            if !self.eat(",") {
                return self.expect(";", "after the names of grammars to import");
            }
        }
    }

    /// `@scope::name { … }`
    pub(super) fn named_action(&mut self) -> Parsed<NamedAction> {
        self.advance();
        let mut name = self.action_name()?;
        let mut scope = None;
        if self.eat("::") {
            scope = Some(name);
            name = self.action_name()?;
        }
        if !self.at(Kind::Action) {
            return Err(self.unexpected("`{` after the name of the action"));
        }
        let token = self.advance();
        Ok(NamedAction { scope, name, code: self.inner(token) })
    }

    fn action_name(&mut self) -> Parsed<Name> {
        if matches!(self.token.kind, Kind::Keyword(Keyword::Lexer | Keyword::Parser)) {
            let token = self.advance();
            return Ok(self.named(token));
        }
        self.name("the name of an action")
    }
}
