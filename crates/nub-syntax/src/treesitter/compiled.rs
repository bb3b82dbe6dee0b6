//! Everything that is derived from the grammar of a language, once.

use super::{convert::convert, language::Language};
use crate::grammar::{ChildKind, Children, Grammar, Phi};
use flate2::read::ZlibDecoder;
use std::{collections::HashMap, io::Read, sync::Arc};

/// The grammar of a language, and what is derived from it.
#[derive(Debug)]
pub struct Compiled {
    /// The automata over lists of children, with the grammar.
    pub children: Children,
    /// The shortest texts.
    pub phi: Phi,
    /// The parser.
    pub(super) parser: tree_sitter::Language,
    /// The kinds of the parser's symbols.
    kinds: Vec<ChildKind>,
}

impl Compiled {
    /// Derives everything.
    ///
    /// # Errors
    /// If the grammar cannot be understood; which a test rules out for the grammars that are built in.
    pub(super) fn new(language: &Language) -> Result<Self, super::ConvertError> {
        let parser = language.parser();
        let mut json = vec![];
        // What cannot be unpacked cannot be parsed either, and that is reported.
        _ = ZlibDecoder::new(language.grammar).read_to_end(&mut json);
        let mut grammar = convert(&json, |name| parser.id_for_node_kind(name, false) != 0)?;
        let kinds = kinds(&mut grammar, &parser);
        let phi = Phi::new(&grammar, &overrides(language.overrides));
        Ok(Self { children: Children::new(Arc::new(grammar)), phi, parser, kinds })
    }

    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        self.children.grammar()
    }

    /// The kind of a node; `None` for an ERROR.
    pub(super) fn kind(&self, node: tree_sitter::Node<'_>) -> Option<ChildKind> {
        self.kinds.get(usize::from(node.kind_id())).copied()
    }
}

fn kinds(grammar: &mut Grammar, parser: &tree_sitter::Language) -> Vec<ChildKind> {
    let kind = |id: u16| {
        let name = parser.node_kind_for_id(id).unwrap_or_default();
        (name, parser.node_kind_is_named(id))
    };
    let count = u16::try_from(parser.node_kind_count()).unwrap_or(u16::MAX);
    (0..count).map(kind).map(|(name, named)| grammar.kind(name, named)).collect()
}

/// Reads texts of rules: a line is `rule = "text"`, with the escapes of JSON; `#` starts a comment.
pub(super) fn overrides(file: &str) -> HashMap<String, String> {
    let line = |line: &str| {
        let (rule, text) = line.split_once('=').filter(|_| !line.starts_with('#'))?;
        Some((rule.trim().to_owned(), serde_json::from_str(text.trim()).ok()?))
    };
    file.lines().filter_map(line).collect()
}
