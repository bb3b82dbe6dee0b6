//! Grammars, from files to networks.

mod case;
mod check;
mod compile;
mod import;
pub(crate) mod ir;
mod left_recursion;
mod load;
mod lower;
mod options;
mod parse;
mod similar;
mod tokens;
mod unit;

use std::{collections::HashMap, fs, path::Path};

pub use load::LoadError;
use load::{Library, Loader};
pub use parse::NoSuchRule;

use crate::{
    Compiled,
    g4::{self, Diagnostic, Report, Sources, ast::Rule},
};

/// A grammar, ready to run.
///
/// ```
/// let grammar = nub_antlr::Grammar::from_sources(&[(
///     "Sum.g4",
///     "grammar Sum; sum : sum '+' sum | NUMBER ; NUMBER : [0-9]+ ;",
/// )])?;
/// let compiled = grammar.compiled();
/// assert_eq!(compiled.vocabulary.display(1), "'+'");
/// assert!(compiled.parser.atn.rules[0].left_recursive);
/// assert_eq!(grammar.parser_rules()[0].block.alternatives.len(), 2);
/// # Ok::<(), nub_antlr::LoadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Grammar {
    compiled: Compiled,
    lexer_rules: Vec<Rule>,
    parser_rules: Vec<Rule>,
    warnings: Vec<Diagnostic>,
}

impl Grammar {
    /// Loads a grammar from files: a combined grammar, or a lexer and a parser in any order, or just a parser whose
    /// option `tokenVocab` names the lexer beside it. Imports are searched beside the file, and in `lib` beside it.
    ///
    /// # Errors
    ///
    /// Lists all mistakes with their places.
    ///
    /// ```no_run
    /// match nub_antlr::Grammar::load(&["JavaLexer.g4", "JavaParser.g4"]) {
    ///     Ok(grammar) => println!("{} rules", grammar.rules().count()),
    ///     Err(error) => eprintln!("{error}"),
    /// }
    /// ```
    pub fn load(paths: &[impl AsRef<Path>]) -> Result<Self, LoadError> {
        let mut report = Report::default();
        let mut texts = Vec::new();
        for path in paths.iter().map(AsRef::as_ref) {
            match fs::read(path) {
                Ok(bytes) => texts.push((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned())),
                Err(error) => {
                    report.file_error(path.display().to_string(), format!("cannot be read: {error}"));
                }
            }
        }
        Self::from_texts(texts, &Library::Files, report)
    }

    /// Loads a grammar from texts with file names. Texts that others import do not count as given grammars.
    ///
    /// # Errors
    ///
    /// See [`load`](Self::load).
    pub fn from_sources(sources: &[(&str, &str)]) -> Result<Self, LoadError> {
        let texts = sources.iter().map(|&(name, text)| (name.to_owned(), text.to_owned()));
        let library: HashMap<String, String> = texts.clone().collect();
        let grammars = texts.filter(|(name, _)| !name.ends_with(".tokens")).collect();
        Self::from_texts(grammars, &Library::Texts(library), Report::default())
    }

    fn from_texts(texts: Vec<(String, String)>, library: &Library, mut report: Report) -> Result<Self, LoadError> {
        let mut sources = Sources::default();
        let result = {
            let mut loader = Loader { library, sources: &mut sources, report: &mut report, parsed: HashMap::new() };
            let files = texts.into_iter().filter_map(|(name, text)| loader.add(name, text)).collect();
            compile::compile(files, &mut loader)
        };
        match result {
            Some((compiled, lexer_rules, parser_rules)) if !report.has_errors() => {
                Ok(Self { compiled, lexer_rules, parser_rules, warnings: report.into_diagnostics() })
            }
            _ => Err(LoadError::new(report.into_diagnostics())),
        }
    }

    /// The form that the engine runs.
    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    /// The warnings about the grammar.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The rules of the parser as written, including imported ones; by number, as in the network.
    pub fn parser_rules(&self) -> &[Rule] {
        &self.parser_rules
    }

    /// The rules of the lexer as written, including imported ones; by number, as in the network. In a combined grammar
    /// the first ones come from the literals of the parser.
    pub fn lexer_rules(&self) -> &[Rule] {
        &self.lexer_rules
    }

    /// The fixed text of a token whose rule is just a literal, without quotes and escapes.
    ///
    /// ```
    /// let source = ("T.g4", r"grammar T; s : '\u{1F600}' '\n' A; A : [a-z] ;");
    /// let grammar = nub_antlr::Grammar::from_sources(&[source])?;
    /// assert_eq!(grammar.literal_text(1).as_deref(), Some("\u{1F600}"));
    /// assert_eq!(grammar.literal_text(2).as_deref(), Some("\n"));
    /// assert_eq!(grammar.literal_text(3), None);
    /// # Ok::<(), nub_antlr::LoadError>(())
    /// ```
    pub fn literal_text(&self, token_type: i32) -> Option<String> {
        let index = usize::try_from(token_type).ok()?;
        let written = self.compiled.vocabulary.literal.get(index)?.as_deref()?;
        Some(g4::decode(written).text())
    }

    /// All rules, those of the parser first.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.parser_rules.iter().chain(&self.lexer_rules)
    }
}
