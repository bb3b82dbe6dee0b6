//! Languages whose grammar the user brings: ANTLR v4 grammars, read when nub runs.
//!
//! `nub-antlr` loads the grammar and parses; here its trees become trees of the reducer, with one node per round of a
//! quantified part, and with the minimal replacement of every node.

mod convert;

use nub_antlr::{
    Engine, Grammar, LoadError, ParseOptions, ParseTree,
    atn::RuleId,
    semantics::{Overrides, Semantics},
};
use nub_core::{Analyse, PlainStructure, Structure, tree::Tree};
use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Whose minimal replacements are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Replacements {
    /// Ours: as short as can be.
    #[default]
    Shortest,
    /// Exactly those of the reference tool, for published runs. Its parsers do not see predicates inside of quantified
    /// parts, either.
    Reference,
}

/// What becomes of tokens that the parser does not see.
pub use crate::treesitter::Hidden;

/// How a language is set up.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The rule that an input is parsed with; the first parser rule if none is named.
    pub start: Option<String>,
    /// Whose minimal replacements.
    pub replacements: Replacements,
    /// Replacements that the user wants, by name of rule or token.
    pub own_replacements: HashMap<String, String>,
    /// What predicates and actions mean, where the user knows better.
    pub overrides: Overrides,
}

/// Why a language cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The grammar has errors.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// There is no such rule.
    #[error("the grammar has no parser rule {0:?}: choose one with --start; it has {1}")]
    Start(String, String),
    /// There are no parser rules at all.
    #[error("the grammar has no parser rules: give the parser grammar, too")]
    NoRules,
}

/// A language with a grammar of its own.
#[derive(Debug)]
pub struct Language {
    grammar: Grammar,
    start: RuleId,
    replacements: HashMap<String, String>,
    /// It learns from what it parses, so it is worth keeping.
    engine: Mutex<Engine>,
}

impl Language {
    /// Loads the grammar from one or more `.g4` files.
    ///
    /// # Errors
    /// If the files cannot be read, have errors, or lack the start rule.
    pub fn load(files: &[impl AsRef<Path>], settings: &Settings) -> Result<Self, SetupError> {
        Self::new(Grammar::load(files)?, settings)
    }

    /// A language of a grammar that is loaded already.
    ///
    /// # Errors
    /// If it lacks the start rule.
    pub fn new(grammar: Grammar, settings: &Settings) -> Result<Self, SetupError> {
        let rules = &grammar.compiled().parser.atn.rules;
        let start = match &settings.start {
            None => 0,
            Some(name) => rules.iter().position(|rule| rule.name == *name).ok_or_else(|| {
                let some: Vec<&str> = rules.iter().take(12).map(|rule| rule.name.as_str()).collect();
                let more = if rules.len() > some.len() { ", …" } else { "" };
                SetupError::Start(name.clone(), some.join(", ") + more)
            })?,
        };
        if rules.is_empty() {
            return Err(SetupError::NoRules);
        }
        let semantics = Semantics::new(grammar.compiled(), &settings.overrides);
        let mut engine = Engine::new(grammar.compiled(), semantics);
        if settings.replacements == Replacements::Reference {
            engine = engine.hiding_quantified_predicates();
        }
        let replacements = convert::replacements(&grammar, &mut engine, settings);
        Ok(Self { start: RuleId(start as u32), replacements, engine: Mutex::new(engine), grammar })
    }

    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// The name of the start rule.
    pub fn start(&self) -> &str {
        &self.grammar.compiled().parser.atn.rules[self.start.index()].name
    }

    /// The engine, whoever had it last: it is reset at the start of every parse.
    fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the user should know about predicates and actions: one sentence for each that is guessed.
    pub fn warnings(&self) -> Vec<String> {
        self.engine().semantics().warnings().collect()
    }

    /// The parse tree, as ANTLR would build it.
    pub fn parse_tree(&self, input: &[u8]) -> ParseTree {
        self.engine().parse(self.start, input, &ParseOptions::default())
    }

    /// The tree of the reducer, and how many syntax errors the input has.
    pub fn parse(&self, input: &[u8], hidden: Hidden) -> (Tree, usize) {
        let options = ParseOptions { quantifiers: true, ..ParseOptions::default() };
        let parsed = self.engine().parse(self.start, input, &options);
        (convert::tree(&parsed, &self.replacements, hidden), parsed.errors().len())
    }
}

/// Analyses inputs with a grammar.
#[derive(Clone, Debug)]
pub struct Analyser {
    /// The grammar.
    pub language: Arc<Language>,
    /// What becomes of hidden tokens.
    pub hidden: Hidden,
}

impl Analyse for Analyser {
    fn analyse(&self, bytes: &[u8]) -> Option<Arc<dyn Structure>> {
        let (tree, errors) = self.language.parse(bytes, self.hidden);
        let language = Arc::clone(&self.language);
        let is_valid = move |text: &[u8]| language.parse_tree(text).errors().len() <= errors;
        Some(Arc::new(PlainStructure { tree: Arc::new(tree), is_valid }))
    }
}
