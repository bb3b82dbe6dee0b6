//! User-defined languages: YACC and lex files, read at run time.
//!
//! `nub-yacc` loads the grammar and parses. This module turns its trees into the reducer's trees, and its grammar into
//! the [model](crate::grammar) shared by all front ends, which provides replacements and removals.
//!
//! An LR parser knows more about a position than the grammar does: its state before a node and the token after it. So
//! the parser itself decides whether a text or another node may replace a node. That costs no more than reading the
//! text.
//!
//! ```
//! use nub_core::Hidden;
//! use nub_syntax::yacc::{Language, Settings};
//!
//! let grammar = "%% list : list ',' N | N ; %% N : \"[0-9]+\" SKIP : \" +\"";
//! let language = Language::from_sources(("list.y", grammar), None, &Settings::default())?;
//! let (tree, errors) = language.parse(b"1, 22, 3", Hidden::Gaps);
//! assert_eq!(errors, 0);
//! // N; `, N`; `, N`: the rule's recursion is flattened.
//! assert_eq!(tree.children(tree.root()).len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod convert;
mod model;
mod structure;

pub use structure::Yacc;

use model::Shapes;
use nub_core::{Hidden, tree::Tree};
use nub_yacc::{
    LoadError, Origin, ParseTree, Place,
    grammar::{RuleId, Symbol, TokenId},
};
use std::{collections::HashMap, path::Path};

/// The settings of a language.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The start rule; the grammar's own if `None`.
    pub start: Option<String>,
    /// User-defined replacements, by name of rule or token.
    pub own_replacements: HashMap<String, String>,
}

/// A language with a user-defined grammar.
#[derive(Debug)]
pub struct Language {
    language: nub_yacc::Language,
    shapes: Shapes,
    own: HashMap<String, String>,
}

impl Language {
    /// Loads the grammar from a YACC file, and its lexer from a lex file or from the third section of the YACC file.
    ///
    /// # Errors
    /// If the files cannot be read, have errors, or lack the start rule.
    pub fn load(yacc: &Path, lex: Option<&Path>, settings: &Settings) -> Result<Self, LoadError> {
        let language = nub_yacc::Language::load(yacc, lex, settings.start.as_deref())?;
        Ok(Self::new(language, settings))
    }

    /// Like [`load`](Self::load), from texts with names for messages.
    ///
    /// # Errors
    /// If there are mistakes in the texts.
    pub fn from_sources(yacc: (&str, &str), lex: Option<(&str, &str)>, settings: &Settings) -> Result<Self, LoadError> {
        let language = nub_yacc::Language::from_sources(yacc, lex, settings.start.as_deref())?;
        Ok(Self::new(language, settings))
    }

    /// Creates a language from a loaded grammar.
    pub fn new(language: nub_yacc::Language, settings: &Settings) -> Self {
        let own = settings.own_replacements.clone();
        let shapes = Shapes::new(&language, &own);
        Self { language, shapes, own }
    }

    /// The grammar, its lexer and its parser.
    pub fn language(&self) -> &nub_yacc::Language {
        &self.language
    }

    /// The shortest text of a rule, by name.
    pub fn phi(&self, rule: &str) -> Option<&str> {
        let rule = self.shapes.rule(self.language.grammar().find_rule(rule)?)?;
        self.shapes.phi.of(rule).map(|text| &**text)
    }

    /// The parse tree, as a YACC parser would build it.
    pub fn parse_tree(&self, input: &[u8]) -> ParseTree {
        self.language.parse(input)
    }

    /// The reducer's tree, and the number of syntax errors in the input.
    pub fn parse(&self, input: &[u8], hidden: Hidden) -> (Tree, usize) {
        let (tree, _, errors) = convert::convert(self, input, hidden);
        (tree, errors)
    }

    /// Whether the parser accepts a text for a rule at this position.
    fn fits(&self, place: Place, rule: RuleId, text: &str, next: TokenId) -> bool {
        let lexemes = self.language.lex(text.as_bytes());
        let mut tokens: Vec<TokenId> = vec![];
        for lexeme in lexemes {
            match (lexeme.origin, lexeme.token) {
                (Origin::Matched, Some(token)) => tokens.push(token),
                (Origin::Skipped, _) => {}
                _ => return false,
            }
        }
        self.language.derives(place, Symbol::Rule(rule), &tokens, next)
    }
}
