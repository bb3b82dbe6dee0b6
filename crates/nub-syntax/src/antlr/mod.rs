//! User-defined languages: ANTLR v4 grammars, read at run time.
//!
//! `nub-antlr` loads the grammar and parses. This module turns its trees into the reducer's trees, with one node per
//! iteration of a quantified part and the minimal replacement of every node. A language may have several grammars:
//! *islands* are parts of tokens that another grammar parses, such as scripts in a page.
//!
//! ```
//! use nub_antlr::Grammar;
//! use nub_core::Hidden;
//! use nub_syntax::antlr::{Language, Settings};
//!
//! let grammar = Grammar::from_sources(&[("List.g4", "grammar List; list : N (',' N)* EOF ; N : [0-9]+ ; WS : ' ' -> skip ;")])?;
//! let language = Language::new(grammar, &Settings::default())?;
//! let (tree, errors) = language.parse(b"1, 22, 3", Hidden::Gaps);
//! assert_eq!(errors, 0);
//! // N; `, N`; `, N`; the end of the input has no text.
//! assert_eq!(tree.children(tree.root()).len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod convert;

use nub_antlr::{
    Engine, Grammar, LoadError, ParseOptions, ParseTree,
    atn::RuleId,
    format::{Format, FormatError, Island, Start},
    semantics::{Overrides, Semantics},
    shortest,
};
use nub_core::{
    FrontEnd, Hidden, Knowledge, PlainStructure, Structure,
    tree::{Tree, TreeBuilder},
};
use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Which minimal replacements to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Replacements {
    /// Our own: as short as possible.
    #[default]
    Shortest,
    /// Exactly those of the reference tool, to reproduce published runs. As in its parsers, predicates inside
    /// quantified parts have no effect.
    Reference,
}

/// The settings of a language.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The start rule; the first parser rule if `None`.
    pub start: Option<String>,
    /// Which minimal replacements to use.
    pub replacements: Replacements,
    /// User-defined replacements, by name of rule or token.
    pub own_replacements: HashMap<String, String>,
    /// User-defined meanings of predicates and actions.
    pub overrides: Overrides,
}

/// Why a language cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The grammar has errors.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The description of several grammars has errors.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The rule does not exist.
    #[error("the grammar {grammar} has no parser rule {rule:?}: it has {some}")]
    Rule {
        /// The name of the grammar.
        grammar: String,
        /// The rule.
        rule: String,
        /// Some of the existing rules.
        some: String,
    },
    /// The grammar does not exist.
    #[error("there is no grammar {0:?}: give the start as GRAMMAR:RULE, with a grammar from the description")]
    Grammar(String),
    /// The grammar has no parser rules at all.
    #[error("the grammar {0} has no parser rules: add the parser grammar")]
    NoRules(String),
    /// There is no start rule.
    #[error("the description has no start rule: give it as GRAMMAR:RULE")]
    NoStart,
}

/// A language with a user-defined grammar.
#[derive(Debug)]
pub struct Language {
    /// The grammars; the first one contains the start rule.
    units: Vec<Unit>,
    start: RuleId,
}

/// One of the grammars of a language.
#[derive(Debug)]
struct Unit {
    grammar: Grammar,
    replacements: HashMap<String, String>,
    /// Parts of tokens that other grammars parse, by token name.
    islands: BTreeMap<String, Island>,
    /// The grammars and rules of the islands.
    starts: HashMap<Start, (usize, RuleId)>,
    /// It learns while it parses, so it is worth keeping.
    engine: Mutex<Engine>,
}

impl Unit {
    fn new(grammar: Grammar, settings: &Settings, own: &HashMap<String, String>) -> Result<Self, SetupError> {
        let compiled = grammar.compiled();
        if compiled.parser.atn.rules.is_empty() {
            return Err(SetupError::NoRules(compiled.lexer.name.clone()));
        }
        let mut engine = Engine::new(compiled, Semantics::new(compiled, &settings.overrides));
        let replacements = match settings.replacements {
            Replacements::Reference => {
                engine = engine.hiding_quantified_predicates();
                shortest::reference(&grammar, own)
            }
            Replacements::Shortest => {
                let texts = shortest::shortest(&grammar, &mut engine, own);
                texts.iter().map(|(name, short)| (name.to_owned(), short.text.clone())).collect()
            }
        };
        let engine = Mutex::new(engine);
        Ok(Self { grammar, replacements, islands: BTreeMap::new(), starts: HashMap::new(), engine })
    }

    fn rule(&self, name: &str) -> Result<RuleId, SetupError> {
        let rules = &self.grammar.compiled().parser.atn.rules;
        let number = rules.iter().position(|rule| rule.name == name).ok_or_else(|| {
            let some: Vec<&str> = rules.iter().take(12).map(|rule| rule.name.as_str()).collect();
            let more = if rules.len() > some.len() { ", …" } else { "" };
            let grammar = self.grammar.compiled().parser.name.clone();
            SetupError::Rule { grammar, rule: name.to_owned(), some: some.join(", ") + more }
        })?;
        Ok(RuleId(number as u32))
    }

    /// The engine. It is reset at the start of every parse, so a poisoned lock is harmless.
    fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Language {
    /// Loads the grammar from one or more `.g4` files.
    ///
    /// # Errors
    /// If the files cannot be read, have errors, or lack the start rule.
    pub fn load(files: &[impl AsRef<Path>], settings: &Settings) -> Result<Self, SetupError> {
        Self::new(Grammar::load(files)?, settings)
    }

    /// Creates a language from a loaded grammar.
    ///
    /// # Errors
    /// If it lacks the start rule.
    pub fn new(grammar: Grammar, settings: &Settings) -> Result<Self, SetupError> {
        let unit = Unit::new(grammar, settings, &settings.own_replacements)?;
        let start = settings.start.as_ref().map_or(Ok(RuleId(0)), |name| unit.rule(name))?;
        Ok(Self { units: vec![unit], start })
    }

    /// Creates a language from a description of several grammars.
    ///
    /// # Errors
    /// If a grammar cannot be loaded or a rule does not exist.
    pub fn described(format: &Format, settings: &Settings) -> Result<Self, SetupError> {
        let start = settings.start.as_deref().map(Start::parse).or_else(|| format.start.clone());
        let start = start.ok_or(SetupError::NoStart)?;
        // The grammar with the start rule comes first.
        let mut names: Vec<&String> = format.grammars.keys().collect();
        let first = names.iter().position(|name| **name == start.grammar);
        names.swap(0, first.ok_or_else(|| SetupError::Grammar(start.grammar.clone()))?);
        let mut units = vec![];
        for &name in &names {
            let described = &format.grammars[name];
            let mut own = described.replacements.clone();
            own.extend(settings.own_replacements.clone());
            let mut unit = Unit::new(Grammar::load(&described.files)?, settings, &own)?;
            unit.islands = described.islands.clone();
            units.push(unit);
        }
        for at in 0..units.len() {
            let starts: Vec<Start> = units[at].islands.values().flat_map(Island::starts).cloned().collect();
            for start in starts {
                let other = names.iter().position(|name| **name == start.grammar);
                let other = other.ok_or_else(|| SetupError::Grammar(start.grammar.clone()))?;
                let rule = units[other].rule(&start.rule)?;
                units[at].starts.insert(start, (other, rule));
            }
        }
        let start = units[0].rule(&start.rule)?;
        Ok(Self { units, start })
    }

    /// The grammar that contains the start rule.
    pub fn grammar(&self) -> &Grammar {
        &self.units[0].grammar
    }

    /// The name of the start rule.
    pub fn start(&self) -> &str {
        &self.grammar().compiled().parser.atn.rules[self.start.index()].name
    }

    /// Warnings about predicates and actions: one sentence for each meaning that is guessed.
    pub fn warnings(&self) -> Vec<String> {
        self.units.iter().flat_map(|unit| unit.engine().semantics().warnings().collect::<Vec<_>>()).collect()
    }

    /// The parse tree, as ANTLR would build it.
    pub fn parse_tree(&self, input: &[u8]) -> ParseTree {
        self.units[0].engine().parse(self.start, input, &ParseOptions::default())
    }

    /// The reducer's tree, and the number of syntax errors in the input.
    pub fn parse(&self, input: &[u8], hidden: Hidden) -> (Tree, usize) {
        let mut builder = TreeBuilder::new(input);
        let (root, errors) = convert::add(self, &mut builder, input, hidden);
        (builder.finish(root), errors)
    }
}

/// A language with an ANTLR grammar, as a front end.
#[derive(Clone, Debug)]
pub struct Antlr(pub Arc<Language>);

impl FrontEnd for Antlr {
    fn name(&self) -> &str {
        &self.0.grammar().compiled().parser.name
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Grammar
    }

    fn analyse(&self, bytes: &[u8], hidden: Hidden) -> Option<Arc<dyn Structure>> {
        let (tree, errors) = self.0.parse(bytes, hidden);
        let language = Arc::clone(&self.0);
        let is_valid = move |text: &[u8]| language.parse_tree(text).errors().len() <= errors;
        Some(Arc::new(PlainStructure { tree: Arc::new(tree), is_valid }))
    }

    fn tree(&self, bytes: &[u8], hidden: Hidden) -> Option<Tree> {
        Some(self.0.parse(bytes, hidden).0)
    }

    fn errors(&self, bytes: &[u8]) -> usize {
        self.0.parse_tree(bytes).errors().len()
    }

    fn complaint(&self, input: &str, bytes: &[u8]) -> Option<String> {
        let tree = self.0.parse_tree(bytes);
        let first = tree.errors().first()?;
        Some(crate::grammar_complaint(input, self.name(), tree.errors().len(), first))
    }
}
