//! What the input is made of, as far as nub knows.

use crate::{
    args::{AlgorithmArgs, GrammarArgs, Preset},
    grammar::{self, Brought},
    screen::percent,
    settings::Usage,
};
use anyhow::{Context, Result};
use nub_core::{
    Analyse, Parser, PlainText,
    binary::is_binary,
    tree::{Tree, prepare},
};
use nub_syntax::{
    recorded,
    treesitter::{self, Errors, Hidden, Language},
    xml,
};
use std::{fs, path::Path, sync::Arc};

/// The structure of an input.
#[derive(Clone, Debug)]
pub enum Structure {
    /// Bytes.
    Text,
    /// Text in no known language, with the structure that it shows.
    Outline,
    /// Bytes that are no text.
    Binary,
    /// A language that nub knows.
    Language(&'static Language),
    /// XML, which has a front end of its own.
    Xml,
    /// A language whose grammar the user has brought.
    Grammar(Brought),
    /// A tree that somebody else has made of it.
    Recorded(Arc<Tree>),
}

impl Structure {
    /// What the arguments say, or what the input looks like.
    pub fn find(args: &AlgorithmArgs, input: &Path, bytes: &[u8]) -> Result<Self> {
        if let Some(path) = &args.tree {
            let json = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            let tree = recorded::read(&json).with_context(|| format!("{} is not a tree", path.display()))?;
            return Ok(Self::Recorded(Arc::new(tree)));
        }
        Self::of(args.language.as_deref(), &args.grammar, args.preset, input, bytes)
    }

    /// The language that was named, that of a grammar that was brought, or what the input looks like.
    pub fn of(
        language: Option<&str>,
        grammar: &GrammarArgs,
        preset: Option<Preset>,
        input: &Path,
        bytes: &[u8],
    ) -> Result<Self> {
        grammar.check()?;
        if grammar.is_given() {
            return Ok(Self::Grammar(grammar::load(grammar, preset)?));
        }
        Ok(match language {
            None | Some("auto") => match treesitter::detect(Some(input), bytes) {
                Some(language) => Self::built_in(language),
                None if is_binary(bytes) => Self::Binary,
                None => Self::Outline,
            },
            Some("none") => Self::Text,
            Some("text") => Self::Outline,
            Some(name) => match treesitter::language(name) {
                Some(language) => Self::built_in(language),
                None => {
                    let message = format!("unknown language {name:?}: `nub languages` lists those that are built in");
                    return Err(Usage(message).into());
                }
            },
        })
    }

    fn built_in(language: &'static Language) -> Self {
        if language.name == xml::NAME { Self::Xml } else { Self::Language(language) }
    }

    /// Its name, for people.
    pub fn name(&self) -> &str {
        match self {
            Self::Text | Self::Outline => "text",
            Self::Binary => "binary",
            Self::Language(language) => language.name,
            Self::Xml => xml::NAME,
            Self::Grammar(language) => language.name(),
            Self::Recorded(_) => "recorded tree",
        }
    }

    /// What knows the grammar of it, if anybody does.
    pub fn analyser(&self, hidden: Hidden) -> Option<Arc<dyn Analyse>> {
        match self {
            Self::Language(language) => Some(Arc::new(treesitter::Analyser { language, hidden })),
            Self::Grammar(language) => Some(language.analyser(hidden)),
            Self::Xml => Some(Arc::new(xml::Analyser)),
            Self::Outline => Some(Arc::new(PlainText)),
            Self::Text | Self::Binary | Self::Recorded(_) => None,
        }
    }

    /// What the user should know about an input of this name: that much of it cannot be understood.
    pub fn note(&self, input: &str, bytes: &[u8]) -> Option<String> {
        if let Self::Grammar(language) = self {
            let (errors, first) = language.syntax_errors(bytes)?;
            let name = self.name();
            return Some(format!(
                "{input} has {errors} syntax errors for the grammar {name}, the first in {first}: it may not get as small \
                 as it could"
            ));
        }
        if let Self::Xml = self {
            return match xml::errors(bytes) {
                0 => None,
                errors => Some(format!(
                    "{input} is not well-formed XML ({errors} errors): what is wrong is reduced as plain lists"
                )),
            };
        }
        let Self::Language(language) = self else { return None };
        let Errors { parts, bytes: wrong } = treesitter::errors(language, bytes)?;
        let share = percent(wrong, bytes.len());
        let (parts, are, lists) = match parts {
            0 => return None,
            1 => ("1 part".to_owned(), "is", "it is reduced as a plain list"),
            _ => (format!("{parts} parts"), "are", "they are reduced as plain lists"),
        };
        Some(format!("{parts} of {input} ({share:.1} % of its bytes) {are} not valid {}: {lists}", language.name))
    }

    /// What makes trees of it.
    pub fn parser(&self, preparations: Preparations) -> Option<Arc<dyn Parser>> {
        match self {
            Self::Text | Self::Outline | Self::Binary => None,
            Self::Language(language) => Some(Arc::new(LanguageParser { language, preparations })),
            Self::Xml => Some(Arc::new(XmlParser { preparations })),
            Self::Grammar(language) => Some(Arc::new(GrammarParser { language: language.clone(), preparations })),
            Self::Recorded(tree) => Some(Arc::new(RecordedTree { tree: Arc::clone(tree), preparations })),
        }
    }
}

/// How a tree is made and prepared.
#[derive(Clone, Copy, Debug)]
pub struct Preparations {
    pub hidden: Hidden,
    pub flatten: bool,
    pub squeeze: bool,
    pub skip_unremovable: bool,
}

impl Preparations {
    /// As the arguments say.
    pub fn new(args: &AlgorithmArgs) -> Self {
        Self {
            hidden: args.hidden(),
            flatten: !args.no_flatten,
            squeeze: !args.no_squeeze,
            skip_unremovable: !args.no_skip_unremovable,
        }
    }

    fn apply(self, mut tree: Tree) -> Tree {
        prepare::remove_empty(&mut tree);
        if self.flatten {
            prepare::flatten_recursion(&mut tree);
        }
        if self.squeeze {
            prepare::squeeze(&mut tree);
        }
        if self.skip_unremovable {
            prepare::skip_unremovable(&mut tree);
        }
        tree
    }
}

/// The grammar of a language.
struct LanguageParser {
    language: &'static Language,
    preparations: Preparations,
}

impl Parser for LanguageParser {
    fn parse(&self, bytes: &[u8]) -> Option<Tree> {
        let parsed = treesitter::parse_with(self.language, bytes, self.preparations.hidden).ok()?;
        Some(self.preparations.apply(parsed.tree))
    }
}

/// XML.
struct XmlParser {
    preparations: Preparations,
}

impl Parser for XmlParser {
    fn parse(&self, bytes: &[u8]) -> Option<Tree> {
        Some(self.preparations.apply(xml::parse(bytes)?.tree))
    }

    fn checker(&self, bytes: &[u8]) -> Option<Arc<dyn nub_core::Structure>> {
        xml::Analyser.analyse(bytes)
    }
}

/// A grammar of the user.
struct GrammarParser {
    language: Brought,
    preparations: Preparations,
}

impl Parser for GrammarParser {
    fn parse(&self, bytes: &[u8]) -> Option<Tree> {
        Some(self.preparations.apply(self.language.parse(bytes, self.preparations.hidden).0))
    }
}

/// A tree of the input, whatever the bytes.
struct RecordedTree {
    tree: Arc<Tree>,
    preparations: Preparations,
}

impl Parser for RecordedTree {
    fn parse(&self, _: &[u8]) -> Option<Tree> {
        Some(self.preparations.apply((*self.tree).clone()))
    }
}
