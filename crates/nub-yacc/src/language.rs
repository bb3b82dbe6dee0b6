//! A grammar with its lexer, ready to parse.

use crate::{
    diagnostic::{Diagnostic, LoadError, Report, Source, general},
    grammar::{Grammar, ProductionId, RuleId, Symbol, TokenId},
    lalr::{Automaton, Conflict, StateId, Table},
    lex::{self, LexRules, Returned},
    lexer::{Lexer, Words},
    parser::{self, Overlay, Tables},
    spec,
    tree::{Lexeme, NodeId, ParseTree},
    yacc,
};
use regex_syntax::hir::{Class, Hir, HirKind};
use std::{fs, path::Path};

/// A language, as a YACC file and a lex file define it.
///
/// See the [crate documentation](crate) for an example.
#[derive(Debug)]
pub struct Language {
    name: String,
    grammar: Grammar,
    tables: Tables,
    lexer: Lexer,
    words: Words,
    warnings: Vec<Diagnostic>,
    yacc: Source,
    tokens: Tokens,
}

/// Where the tokens are defined.
#[derive(Debug)]
enum Tokens {
    /// In the third section of the grammar.
    Here,
    /// In a lex file.
    Lex(Source),
    /// Unknown.
    Elsewhere,
}

/// A position in a tree: the parser's state before a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(StateId);

impl Language {
    /// Reads a YACC file and its lex file. Without a lex file, the third section of the YACC file has to define the
    /// tokens. The input is parsed with the rule `start`, or else with the grammar's own start rule.
    ///
    /// # Errors
    /// If a file cannot be read, or has mistakes.
    pub fn load(yacc: &Path, lex: Option<&Path>, start: Option<&str>) -> Result<Self, LoadError> {
        let yacc = (yacc.display().to_string(), read(yacc)?);
        let lex = lex.map(|path| Ok((path.display().to_string(), read(path)?))).transpose()?;
        Self::from_sources((&yacc.0, &yacc.1), lex.as_ref().map(|(name, text)| (&**name, &**text)), start)
    }

    /// Like [`load`](Self::load), from texts with names for messages.
    ///
    /// # Errors
    /// If there are mistakes in the texts.
    pub fn from_sources(yacc: (&str, &str), lex: Option<(&str, &str)>, start: Option<&str>) -> Result<Self, LoadError> {
        let lex = lex.map(|(name, text)| Source::new(name, text));
        Self::build(Source::new(yacc.0, yacc.1), lex.map_or(Tokens::Here, Tokens::Lex), start)
    }

    /// Reads only the grammar, to inspect it. There is no lexer, so nothing can be parsed.
    ///
    /// # Errors
    /// If the file cannot be read, or has mistakes.
    pub fn load_grammar(yacc: &Path, start: Option<&str>) -> Result<Self, LoadError> {
        Self::build(Source::new(&yacc.display().to_string(), &read(yacc)?), Tokens::Elsewhere, start)
    }

    fn build(source: Source, tokens: Tokens, start: Option<&str>) -> Result<Self, LoadError> {
        let mut report = Report::new(&source);
        let file = yacc::parse::parse(&source, &mut report);
        let mut definitions = vec![];
        if matches!(tokens, Tokens::Here) && !report.has_errors() {
            definitions = file.trailer.map(|at| spec::read(&source, at, &mut report)).unwrap_or_default();
            if definitions.is_empty() && !report.has_errors() {
                report.file_error("nothing says what the tokens look like", spec::FORM);
            }
        }
        let names: Vec<String> =
            definitions.iter().map(|definition| definition.name.clone()).filter(|name| name != "SKIP").collect();
        let grammar = match report.has_errors() {
            true => None,
            false => Grammar::new(&file, &names, start, &mut report),
        };
        let Some(grammar) = grammar else { return Err(LoadError(report.messages)) };
        if !grammar.productive()[RuleId::ACCEPT.index()] {
            let name = &grammar.rule(grammar.start()).name;
            let hint = "every alternative leads back to the rule itself: add one that does not";
            let message = format!("the start rule {name} has no finite text");
            report.error(&grammar.rule(grammar.start()).span, message, hint);
            return Err(LoadError(report.messages));
        }
        let mut messages = report.messages;
        let mut report = Report::new(if let Tokens::Lex(lex) = &tokens { lex } else { &source });
        let rules = match &tokens {
            Tokens::Lex(lex) => lex::read::read(lex, &grammar, &mut report),
            Tokens::Here => spec::rules(definitions, &grammar),
            Tokens::Elsewhere => LexRules { conditions: 1, ..LexRules::default() },
        };
        let lexer = if report.has_errors() { None } else { Lexer::new(rules, &grammar, &mut report) };
        report.messages.sort_by_key(|message| (message.line, message.column));
        messages.append(&mut report.messages);
        let Some(lexer) = lexer else { return Err(LoadError(messages)) };
        let Some(automaton) = Automaton::new(&grammar) else {
            let hint = "so many states are rarely intended: is there a rule that repeats itself in many ways?";
            messages.push(general(
                &source.name,
                "the grammar needs too many parser states".to_owned(),
                hint.to_owned(),
            ));
            return Err(LoadError(messages));
        };
        let tables = Tables::new(&grammar, Table::new(&grammar, &automaton));
        let words = Words::new(&lexer, &grammar);
        let file = Path::new(&source.name);
        let name = file.file_stem().map_or(source.name.clone(), |stem| stem.to_string_lossy().into_owned());
        Ok(Self { name, grammar, tables, lexer, words, warnings: messages, yacc: source, tokens })
    }

    /// The name of the file, without its extension.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// Everything that was not understood.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The conflicts of the grammar, one for each state and each choice.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.tables.table.conflicts
    }

    /// How many shift/reduce and reduce/reduce conflicts there are, as Bison counts them: for each state and token.
    pub fn conflict_counts(&self) -> (usize, usize) {
        (self.tables.table.shift_reduce, self.tables.table.reduce_reduce)
    }

    /// How many states the parser has.
    pub fn states(&self) -> usize {
        self.tables.table.states
    }

    /// How many rules the lexer has.
    pub fn lexer_rules(&self) -> usize {
        self.lexer.rules().rules.len()
    }

    /// The line of a position in the YACC file.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.yacc.line(at)
    }

    /// Whether there is a lexer.
    pub(crate) fn has_lexer(&self) -> bool {
        !matches!(self.tokens, Tokens::Elsewhere)
    }

    pub(crate) fn yacc_file(&self) -> &str {
        &self.yacc.name
    }

    /// The positions of the lexer rules that can never match.
    pub(crate) fn dead_rules(&self) -> impl Iterator<Item = (&str, usize)> {
        let source = if let Tokens::Lex(lex) = &self.tokens { lex } else { &self.yacc };
        let spans = self.words.dead.iter().map(|&rule| &self.lexer.rules().rules[rule].span);
        spans.filter(|span| !span.is_empty()).map(|span| (source.name.as_str(), source.line(span.start)))
    }

    /// Cuts an input into lexemes that cover it without gaps.
    pub fn lex(&self, input: &[u8]) -> Vec<Lexeme> {
        self.lexer.run(input)
    }

    /// Parses an input. Any bytes will do.
    pub fn parse(&self, input: &[u8]) -> ParseTree {
        parser::parse(&self.grammar, &self.tables, input, self.lexer.run(input))
    }

    /// The shortest text of a token, if one is known.
    pub fn shortest(&self, token: TokenId) -> Option<&str> {
        self.words.tokens[token.index()].as_deref()
    }

    /// Whether a token has only one text: a keyword, a bracket, an operator.
    pub fn is_spelled_out(&self, token: TokenId) -> bool {
        let rules = || self.lexer.rules().rules.iter();
        let mut own = rules().filter(|rule| rule.act.returned == Returned::Token(token)).peekable();
        if own.peek().is_none() {
            return true;
        }
        own.all(|rule| is_keyword(&rule.pattern.main))
    }

    /// The place of a node.
    pub fn place(&self, tree: &ParseTree, node: NodeId) -> Place {
        Place(tree.state(node))
    }

    /// Whether the parser, at this place and before the token `next`, reduces these tokens to the symbol.
    pub fn derives(&self, place: Place, symbol: Symbol, tokens: &[TokenId], next: TokenId) -> bool {
        let rule = match symbol {
            Symbol::Token(token) => return tokens == [token],
            Symbol::Rule(rule) => rule,
        };
        let base = [place.0];
        let mut stack = Overlay::new(&base);
        let mut steps = usize::MAX;
        tokens.iter().all(|&token| token != TokenId::END && stack.shift(&self.tables, token, &mut steps))
            && self.ends_as(stack, place, rule, next)
    }

    /// Whether a symbol found elsewhere could replace another one at this place, before the token `next`.
    pub fn may_stand_for(&self, place: Place, symbol: Symbol, found: Symbol, next: TokenId) -> bool {
        let (Symbol::Rule(rule), Symbol::Rule(found)) = (symbol, found) else { return symbol == found };
        let base = [place.0];
        let mut stack = Overlay::new(&base);
        rule == found || stack.goto(&self.tables, found) && self.ends_as(stack, place, rule, next)
    }

    /// Whether the top of the stack reduces to the rule and nothing else.
    fn ends_as(&self, mut stack: Overlay<'_>, place: Place, rule: RuleId, next: TokenId) -> bool {
        let Some(goal) = self.tables.table.goto(place.0, rule) else { return false };
        let done = |stack: &Overlay<'_>| stack.height() == 2 && stack.state() == Some(goal);
        let mut steps = usize::MAX;
        stack.reduce_until(&self.tables, next, &mut steps, done) == Some(false)
    }

    /// The number of a place: equal places have equal numbers.
    pub fn place_number(&self, place: Place) -> u64 {
        u64::from(place.0.0)
    }

    /// The rule of a production.
    pub fn rule_of(&self, production: ProductionId) -> RuleId {
        self.grammar.production(production).rule
    }
}

/// Whether an expression matches only one text, ignoring case.
fn is_keyword(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Literal(_) | HirKind::Look(_) => true,
        HirKind::Class(Class::Bytes(class)) => {
            let members: Vec<u8> =
                class.ranges().iter().flat_map(|range| range.start()..=range.end()).take(3).collect();
            matches!(members.as_slice(), [a, b] if a.eq_ignore_ascii_case(b)) || members.len() == 1
        }
        HirKind::Class(Class::Unicode(class)) => {
            let members: Vec<char> =
                class.ranges().iter().flat_map(|range| range.start()..=range.end()).take(3).collect();
            matches!(members.as_slice(), [a, b] if a.eq_ignore_ascii_case(b)) || members.len() == 1
        }
        HirKind::Concat(parts) => parts.iter().all(is_keyword),
        HirKind::Capture(capture) => is_keyword(&capture.sub),
        HirKind::Repetition(_) | HirKind::Alternation(_) => false,
    }
}

fn read(path: &Path) -> Result<String, LoadError> {
    match fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) => {
            let hint = "check the path and its permissions".to_owned();
            Err(LoadError(vec![general(&path.display().to_string(), format!("cannot be read: {error}"), hint)]))
        }
    }
}
