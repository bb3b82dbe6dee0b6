//! A grammar: tokens, rules and productions.
//!
//! This is a YACC file with its names resolved. As in YACC, an action in the middle of an alternative becomes an empty
//! rule. It can cause a conflict, because the parser has to recognise it before seeing what follows.

use crate::{
    diagnostic::Report,
    yacc::ast::{Alternative, Element, File, Name, Place},
};
use std::{collections::HashMap, ops::Range};

pub use crate::yacc::ast::Associativity;

/// A token of a [`Grammar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenId(pub(crate) u32);

/// A rule of a [`Grammar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub(crate) u32);

/// A production of a [`Grammar`]: one alternative of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProductionId(pub(crate) u32);

impl TokenId {
    /// The end of the input.
    pub const END: Self = Self(0);
    /// The token `error`, which the parser produces at a syntax error.
    pub const ERROR: Self = Self(1);

    /// The index, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl RuleId {
    /// The rule that YACC adds: the start rule followed by the end of the input.
    pub const ACCEPT: Self = Self(0);

    /// The index, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ProductionId {
    /// The production that YACC adds.
    pub const ACCEPT: Self = Self(0);

    /// The index, from 0, in file order.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A token or a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// A token.
    Token(TokenId),
    /// A rule.
    Rule(RuleId),
}

/// A token.
#[derive(Clone, Debug)]
pub struct Token {
    /// The name: `NUMBER`, `'+'`, `"<="`.
    pub name: String,
    /// The text, if the grammar spells it out.
    pub literal: Option<String>,
    /// How tightly it binds, and its associativity. Larger numbers bind tighter.
    pub precedence: Option<(u32, Associativity)>,
    /// The number that the grammar assigns.
    pub(crate) number: Option<i64>,
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The name. It begins with `$@` if the rule represents an action in the middle of an alternative.
    pub name: String,
    /// The alternatives.
    pub productions: Vec<ProductionId>,
    /// The position of its first definition.
    pub span: Range<usize>,
}

impl Rule {
    /// Whether it represents an action in the middle of an alternative, and so derives no text.
    pub fn is_action(&self) -> bool {
        self.name.starts_with("$@")
    }
}

/// One alternative of a rule.
#[derive(Clone, Debug)]
pub struct Production {
    /// The rule.
    pub rule: RuleId,
    /// The symbols it consists of.
    pub symbols: Vec<Symbol>,
    /// The token that determines its precedence: that of `%prec`, or else its last one.
    pub precedence: Option<TokenId>,
    /// The position in the file.
    pub span: Range<usize>,
    /// Whether any input can contain it: its symbols derive texts, and its rule can be reached from the start rule.
    pub useful: bool,
}

/// A grammar.
#[derive(Clone, Debug)]
pub struct Grammar {
    tokens: Vec<Token>,
    rules: Vec<Rule>,
    productions: Vec<Production>,
    start: RuleId,
    names: HashMap<Name, Symbol>,
    /// The numbers of conflicts that the grammar declares: `%expect` and `%expect-rr`.
    pub expected: (Option<usize>, Option<usize>),
    /// Whether the grammar is meant for a GLR parser, which follows both sides of a conflict.
    pub glr: bool,
}

impl Grammar {
    /// Resolves the names of a file. `extra` holds tokens that are declared elsewhere.
    pub(crate) fn new(file: &File, extra: &[String], start: Option<&str>, report: &mut Report<'_>) -> Option<Self> {
        let mut grammar = Self {
            tokens: vec![],
            rules: vec![],
            productions: vec![],
            start: RuleId::ACCEPT,
            names: HashMap::new(),
            expected: (file.expect, file.expect_rr),
            glr: file.glr,
        };
        grammar.add_token(Name::Plain("$end".to_owned()));
        grammar.add_token(Name::Plain("error".to_owned()));
        grammar.rules.push(Rule { name: "$accept".to_owned(), productions: vec![], span: 0..0 });
        grammar.declare_rules(file);
        grammar.declare_tokens(file, extra, report);
        let first = grammar.find_start(file, start, report)?;
        grammar.start = first;
        let symbols = vec![Symbol::Rule(first), Symbol::Token(TokenId::END)];
        grammar.add_production(RuleId::ACCEPT, symbols, None, 0..0);
        grammar.define_rules(file, report);
        (!report.has_errors()).then(|| {
            grammar.mark_useful();
            grammar
        })
    }

    fn declare_rules(&mut self, file: &File) {
        for rule in &file.rules {
            let name = Name::Plain(rule.name.clone());
            if !self.names.contains_key(&name) {
                let id = self.add_rule(rule.name.clone(), rule.span.clone());
                self.names.insert(name, Symbol::Rule(id));
            }
        }
    }

    fn declare_tokens(&mut self, file: &File, extra: &[String], report: &mut Report<'_>) {
        let levels = file.precedences.iter().enumerate();
        let ranked = levels.flat_map(|(level, (associativity, tokens))| {
            tokens.iter().map(move |token| (token, Some((level as u32 + 1, *associativity))))
        });
        for (declared, precedence) in file.tokens.iter().map(|token| (token, None)).chain(ranked) {
            let name = &declared.token.name;
            let Some(Symbol::Token(id)) = self.names.get(name).copied().or_else(|| Some(self.add_token(name.clone())))
            else {
                let name = written(name);
                let hint = "a name is either a token from the lexer or a rule";
                report.error(&declared.token.span, format!("{name} is declared as a token, but also has a rule"), hint);
                continue;
            };
            let token = &mut self.tokens[id.index()];
            token.precedence = precedence.or(token.precedence);
            token.number = declared.number.or(token.number);
            if let Some(alias) = &declared.alias {
                token.literal = Some(alias.clone());
                self.names.insert(Name::Text(alias.clone()), Symbol::Token(id));
            }
        }
        // A token with the number 0 is the end of the input, whatever its name.
        for index in 2..self.tokens.len() {
            if self.tokens[index].number == Some(0) {
                let names =
                    self.names.iter_mut().filter(|(_, symbol)| **symbol == Symbol::Token(TokenId(index as u32)));
                names.for_each(|(_, symbol)| *symbol = Symbol::Token(TokenId::END));
            }
        }
        for name in extra {
            let name = Name::Plain(name.clone());
            if !self.names.contains_key(&name) {
                self.add_token(name);
            }
        }
    }

    fn find_start(&self, file: &File, start: Option<&str>, report: &mut Report<'_>) -> Option<RuleId> {
        let rule = |name: &str| match self.names.get(&Name::Plain(name.to_owned())) {
            Some(&Symbol::Rule(rule)) => Some(rule),
            _ => None,
        };
        match (start, &file.start) {
            (Some(name), _) => {
                if rule(name).is_none() {
                    let some: Vec<&str> = self.rules[1..].iter().take(12).map(|rule| rule.name.as_str()).collect();
                    let more = if self.rules.len() > 13 { ", …" } else { "" };
                    let hint = format!("it has {}{more}", some.join(", "));
                    report.file_error(format!("the grammar has no rule {name:?} to start with"), hint);
                }
                rule(name)
            }
            (None, Some(place)) => {
                let name = written(&place.name);
                if rule(&name).is_none() {
                    report.error(&place.span, format!("there is no start rule {name}"), "");
                }
                rule(&name)
            }
            (None, None) => file.rules.first().and_then(|first| rule(&first.name)),
        }
    }

    fn define_rules(&mut self, file: &File, report: &mut Report<'_>) {
        for rule in &file.rules {
            let Some(&Symbol::Rule(id)) = self.names.get(&Name::Plain(rule.name.clone())) else { continue };
            for alternative in &rule.alternatives {
                self.define(id, alternative, report);
            }
        }
    }

    fn define(&mut self, rule: RuleId, alternative: &Alternative, report: &mut Report<'_>) {
        let mut symbols = vec![];
        for (at, element) in alternative.elements.iter().enumerate() {
            match element {
                Element::Symbol(place) => symbols.extend(self.symbol(place, report)),
                Element::Action(_) if at + 1 == alternative.elements.len() => {}
                Element::Action(span) => {
                    let name = format!("$@{}", self.rules.iter().filter(|rule| rule.is_action()).count() + 1);
                    let action = self.add_rule(name, span.clone());
                    self.add_production(action, vec![], None, span.clone());
                    symbols.push(Symbol::Rule(action));
                }
            }
        }
        let last = symbols.iter().rev().find_map(|symbol| match symbol {
            Symbol::Token(token) => Some(*token),
            Symbol::Rule(_) => None,
        });
        // A %prec token only needs a precedence, no other declaration.
        let named = alternative.precedence.as_ref().and_then(|place| match self.names.get(&place.name) {
            Some(&Symbol::Token(token)) => Some(token),
            _ => {
                let name = written(&place.name);
                let message = format!("%prec {name}: there is no such token");
                report.error(
                    &place.span,
                    message,
                    "give it a precedence: `%left NAME`, `%right NAME` or `%nonassoc NAME`",
                );
                None
            }
        });
        self.add_production(rule, symbols, named.or(last), alternative.span.clone());
    }

    fn symbol(&mut self, place: &Place, report: &mut Report<'_>) -> Option<Symbol> {
        if let Some(&symbol) = self.names.get(&place.name) {
            return Some(symbol);
        }
        if let Name::Plain(name) = &place.name {
            let message = format!("{name} is used, but is not declared as a token and has no rule");
            report.error(&place.span, message, format!("`%token {name}`, or a rule `{name} : … ;`"));
            // Report it only once.
            self.add_token(place.name.clone());
            return None;
        }
        Some(self.add_token(place.name.clone()))
    }

    fn add_token(&mut self, name: Name) -> Symbol {
        let literal = match &name {
            Name::Plain(_) => None,
            Name::Char(text) | Name::Text(text) => Some(text.clone()),
        };
        let symbol = Symbol::Token(TokenId(self.tokens.len() as u32));
        self.tokens.push(Token { name: written(&name), literal, precedence: None, number: None });
        self.names.insert(name, symbol);
        symbol
    }

    fn add_rule(&mut self, name: String, span: Range<usize>) -> RuleId {
        self.rules.push(Rule { name, productions: vec![], span });
        RuleId(self.rules.len() as u32 - 1)
    }

    fn add_production(&mut self, rule: RuleId, symbols: Vec<Symbol>, precedence: Option<TokenId>, span: Range<usize>) {
        let id = ProductionId(self.productions.len() as u32);
        self.rules[rule.index()].productions.push(id);
        self.productions.push(Production { rule, symbols, precedence, span, useful: false });
    }

    /// Finds the productions that derive a text and can be reached.
    fn mark_useful(&mut self) {
        let productive = self.productive();
        let has_text = |symbol: &Symbol| match symbol {
            Symbol::Token(_) => true,
            Symbol::Rule(rule) => productive[rule.index()],
        };
        let mut reached = vec![false; self.rules.len()];
        reached[RuleId::ACCEPT.index()] = true;
        let mut waiting = vec![RuleId::ACCEPT];
        while let Some(rule) = waiting.pop() {
            for production in self.rules[rule.index()].productions.clone() {
                let production = &mut self.productions[production.index()];
                if !production.symbols.iter().all(has_text) {
                    continue;
                }
                production.useful = true;
                for symbol in &production.symbols {
                    if let Symbol::Rule(rule) = symbol
                        && !std::mem::replace(&mut reached[rule.index()], true)
                    {
                        waiting.push(*rule);
                    }
                }
            }
        }
    }

    /// Which rules derive a finite text. Each production counts the rules it still waits for, so no rule is visited twice.
    pub(crate) fn productive(&self) -> Vec<bool> {
        let mut productive = vec![false; self.rules.len()];
        let mut missing: Vec<usize> = vec![];
        let mut uses: Vec<Vec<usize>> = vec![vec![]; self.rules.len()];
        let mut waiting = vec![];
        for (id, production) in self.productions.iter().enumerate() {
            let rules = production.symbols.iter().filter_map(|symbol| match symbol {
                Symbol::Rule(rule) => Some(rule.index()),
                Symbol::Token(_) => None,
            });
            let mut count = 0;
            for rule in rules {
                uses[rule].push(id);
                count += 1;
            }
            missing.push(count);
            if count == 0 {
                waiting.push(production.rule.index());
            }
        }
        while let Some(rule) = waiting.pop() {
            if std::mem::replace(&mut productive[rule], true) {
                continue;
            }
            for &production in &uses[rule] {
                missing[production] -= 1;
                if missing[production] == 0 {
                    waiting.push(self.productions[production].rule.index());
                }
            }
        }
        productive
    }

    /// The tokens; the first two are the end of the input and `error`.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The rules; the first one is added by YACC.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The productions, in file order.
    pub fn productions(&self) -> &[Production] {
        &self.productions
    }

    /// The productions with their ids.
    pub fn numbered_productions(&self) -> impl ExactSizeIterator<Item = (ProductionId, &Production)> {
        self.productions.iter().enumerate().map(|(index, production)| (ProductionId(index as u32), production))
    }

    /// A token.
    pub fn token(&self, token: TokenId) -> &Token {
        &self.tokens[token.index()]
    }

    /// A rule.
    pub fn rule(&self, rule: RuleId) -> &Rule {
        &self.rules[rule.index()]
    }

    /// A production.
    pub fn production(&self, production: ProductionId) -> &Production {
        &self.productions[production.index()]
    }

    /// The start rule.
    pub fn start(&self) -> RuleId {
        self.start
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        match symbol {
            Symbol::Token(token) => &self.token(token).name,
            Symbol::Rule(rule) => &self.rule(rule).name,
        }
    }

    /// The rule with this name.
    pub fn find_rule(&self, name: &str) -> Option<RuleId> {
        match self.names.get(&Name::Plain(name.to_owned())) {
            Some(&Symbol::Rule(rule)) => Some(rule),
            _ => None,
        }
    }

    /// The token with this name.
    pub fn find_token(&self, name: &str) -> Option<TokenId> {
        match self.names.get(&Name::Plain(name.to_owned())) {
            Some(&Symbol::Token(token)) => Some(token),
            _ => None,
        }
    }

    /// The token that the rules write as this literal, a character or a string.
    pub fn find_literal(&self, text: &str) -> Option<TokenId> {
        let names = [Name::Char(text.to_owned()), Name::Text(text.to_owned())];
        names.iter().find_map(|name| match self.names.get(name) {
            Some(&Symbol::Token(token)) => Some(token),
            _ => None,
        })
    }

    /// The token with this number.
    pub(crate) fn find_number(&self, number: i64) -> Option<TokenId> {
        let numbered = self.tokens.iter().position(|token| token.number == Some(number));
        numbered.map(|index| TokenId(index as u32)).or_else(|| {
            let char = char::from(u8::try_from(number).ok()?);
            self.find_literal(&char.to_string())
        })
    }

    /// A production as it is written: `sum: sum '+' NUMBER`.
    pub fn show(&self, production: ProductionId) -> String {
        self.show_with_dot(production, usize::MAX)
    }

    /// A production as it is written, with a dot before one of its symbols.
    pub(crate) fn show_with_dot(&self, id: ProductionId, dot: usize) -> String {
        let production = self.production(id);
        let mut text = format!("{}:", self.rule(production.rule).name);
        for (at, &symbol) in production.symbols.iter().enumerate() {
            text += if at == dot { " • " } else { " " };
            text += self.name(symbol);
        }
        if dot == production.symbols.len() {
            text += " •";
        } else if production.symbols.is_empty() {
            text += " %empty";
        }
        text
    }
}

/// A name as it is written in a grammar.
fn written(name: &Name) -> String {
    match name {
        Name::Plain(name) => name.clone(),
        Name::Char(text) => format!("'{}'", text.escape_debug()),
        Name::Text(text) => format!("\"{}\"", text.escape_debug()),
    }
}
