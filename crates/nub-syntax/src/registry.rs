//! The built-in languages: one list for all front ends.

use crate::{
    treesitter,
    xml::{self, Xml},
};
use nub_core::FrontEnd;
use std::{
    fmt,
    sync::{Arc, LazyLock},
};

/// A built-in language: how its files are recognised, and the front end that understands them.
pub struct Language {
    /// The name, as on the command line.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// File extensions, in lower case and without the dot.
    pub extensions: &'static [&'static str],
    /// Complete file names.
    pub files: &'static [&'static str],
    /// Interpreters of its scripts.
    pub shebangs: &'static [&'static str],
    source: Source,
}

/// Where the front end comes from.
enum Source {
    TreeSitter(&'static treesitter::Language),
    Xml,
}

impl Language {
    /// The tree-sitter parser and grammar, if the front end uses them.
    pub fn tree_sitter(&self) -> Option<&'static treesitter::Language> {
        match self.source {
            Source::TreeSitter(language) => Some(language),
            Source::Xml => None,
        }
    }

    /// The front end for its inputs.
    pub fn front_end(&self) -> Arc<dyn FrontEnd> {
        match self.source {
            Source::TreeSitter(language) => Arc::new(language),
            Source::Xml => Arc::new(Xml),
        }
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({})", self.name)
    }
}

/// The built-in languages, sorted by name.
pub fn languages() -> &'static [Language] {
    static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
        let tree_sitter = treesitter::languages().iter().map(|language| Language {
            name: language.name,
            aliases: language.aliases,
            extensions: language.extensions,
            files: language.files,
            shebangs: language.shebangs,
            source: Source::TreeSitter(language),
        });
        let xml = Language {
            name: xml::NAME,
            aliases: &[],
            extensions: &xml::EXTENSIONS,
            files: &[],
            shebangs: &[],
            source: Source::Xml,
        };
        let mut all: Vec<Language> = tree_sitter.chain([xml]).collect();
        all.sort_by_key(|language| language.name);
        all
    });
    &LANGUAGES
}

/// The language with this name or alias, in upper or lower case.
pub fn language(name: &str) -> Option<&'static Language> {
    let name = name.to_lowercase();
    languages().iter().find(|language| language.name == name || language.aliases.contains(&name.as_str()))
}
