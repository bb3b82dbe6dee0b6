//! Languages whose grammar the user brings: YACC and lex files, read when nub runs.
//!
//! `nub-yacc` loads the grammar and parses; here its trees become trees of the reducer, and its grammar one of the
//! [model](crate::grammar) that all front ends share, from which replacements and removals follow.
//!
//! An LR parser knows more about a place than a grammar does: the state that it was in before a node, and the token behind
//! it. So whether a text may replace a node, or another node may, is asked of the parser itself, and costs no more than
//! reading that text.
//!
//! ```
//! use nub_core::Hidden;
//! use nub_syntax::yacc::{Language, Settings};
//!
//! let grammar = "%% list : list ',' N | N ; %% N : \"[0-9]+\" SKIP : \" +\"";
//! let language = Language::from_sources(("list.y", grammar), None, &Settings::default())?;
//! let (tree, errors) = language.parse(b"1, 22, 3", Hidden::Gaps);
//! assert_eq!(errors, 0);
//! // N; `, N`; `, N`: the recursion of the rule is gone.
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

/// How a language is set up.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The rule that an input is parsed with; the one that the grammar says if none is named.
    pub start: Option<String>,
    /// Replacements that the user wants, by name of rule or token.
    pub own_replacements: HashMap<String, String>,
}

/// A language with a grammar of its own.
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

    /// The same, from texts with names for messages.
    ///
    /// # Errors
    /// If there are mistakes in them.
    pub fn from_sources(yacc: (&str, &str), lex: Option<(&str, &str)>, settings: &Settings) -> Result<Self, LoadError> {
        let language = nub_yacc::Language::from_sources(yacc, lex, settings.start.as_deref())?;
        Ok(Self::new(language, settings))
    }

    /// A language that is loaded already.
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

    /// The parse tree, as YACC's parser would build it.
    pub fn parse_tree(&self, input: &[u8]) -> ParseTree {
        self.language.parse(input)
    }

    /// The tree of the reducer, and how many syntax errors the input has.
    pub fn parse(&self, input: &[u8], hidden: Hidden) -> (Tree, usize) {
        let (tree, _, errors) = convert::convert(self, input, hidden);
        (tree, errors)
    }

    /// Whether the parser, at this place, takes a text for a rule.
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
