//! Everything that is derived once from the grammar of a language.

use super::{convert::convert, language::Language};
use crate::grammar::{ChildKind, Children, Grammar, KindSet, Phi};
use flate2::read::ZlibDecoder;
use std::{
    collections::{HashMap, HashSet},
    io::Read,
    sync::Arc,
};

/// The grammar of a language, and everything derived from it.
#[derive(Debug)]
pub struct Compiled {
    /// The automata over lists of children, with the grammar.
    pub children: Children,
    /// The shortest texts.
    pub phi: Phi,
    /// Kinds whose nodes must not be replaced.
    kept: KindSet,
    /// Kinds whose nodes must not be removed alone, although the grammar allows it.
    needed: KindSet,
    /// Whether the meaning of a line depends on its column.
    pub(super) layout: bool,
    /// Kinds of rules that appear in the parser's trees.
    shown: KindSet,
    /// The kinds of the parser's symbols.
    kinds: Vec<ChildKind>,
}

impl Compiled {
    /// Derives everything.
    ///
    /// # Errors
    /// If the grammar cannot be understood. A test rules this out for the built-in grammars.
    pub(super) fn new(language: &Language) -> Result<Self, super::ConvertError> {
        let parser = language.parser();
        let mut json = vec![];
        // If unpacking fails, parsing fails too, and that is reported.
        _ = ZlibDecoder::new(language.grammar).read_to_end(&mut json);
        // The parser's own look-up is a linear search.
        let tokens: HashSet<&str> = (0..symbols(&parser))
            .filter(|&id| !parser.node_kind_is_named(id) && parser.node_kind_is_visible(id))
            .filter_map(|id| parser.node_kind_for_id(id))
            .collect();
        let mut grammar = convert(&json, |name| tokens.contains(name))?;
        let kinds = kinds(&mut grammar, &parser);
        let layout = language.overrides.lines().any(|line| line == "layout");
        let mut shown = KindSet::default();
        for (id, &kind) in kinds.iter().enumerate() {
            let id = id as u16;
            // The parser also lists supertypes as visible.
            if parser.node_kind_is_named(id) && parser.node_kind_is_visible(id) && !parser.node_kind_is_supertype(id) {
                shown.insert(kind);
            }
        }
        let phi = Phi::new(&grammar, &overrides(language.overrides));
        let mut listed = |directive: &str| {
            let mut kinds = KindSet::default();
            for name in language.overrides.lines().filter_map(|line| line.strip_prefix(directive)) {
                kinds.insert(grammar.kind(name.trim(), true));
            }
            kinds
        };
        let (kept, needed) = (listed("keep "), listed("needed "));
        Ok(Self { children: Children::new(Arc::new(grammar)), phi, kept, needed, layout, shown, kinds })
    }

    /// The kinds of nodes that the parser knows but the grammar does not: none, if their versions match.
    pub fn kinds_without_rule(&self) -> Vec<&str> {
        let named = |kind: &&ChildKind| self.shown.contains(**kind) && self.grammar().sources(**kind).is_empty();
        self.kinds.iter().filter(named).map(|&kind| self.grammar().kind_name(kind).0).collect()
    }

    /// The rules whose text is given in the language's `.phi` file.
    pub fn rules_with_given_text(&self, language: &Language) -> Vec<String> {
        overrides(language.overrides).into_keys().collect()
    }

    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        self.children.grammar()
    }

    /// Whether nodes of this kind must not be replaced by a text.
    pub(super) fn is_kept(&self, kind: ChildKind) -> bool {
        self.kept.contains(kind)
    }

    /// Whether nodes of this kind must not be removed alone.
    pub(super) fn is_needed(&self, kind: ChildKind) -> bool {
        self.needed.contains(kind)
    }

    /// The kind with this index.
    pub(super) fn kind_at(&self, index: usize) -> Option<ChildKind> {
        self.grammar().kind_by_index(index)
    }

    /// The kind of a node; `None` for an ERROR.
    pub(super) fn kind(&self, node: tree_sitter::Node<'_>) -> Option<ChildKind> {
        self.kinds.get(usize::from(node.kind_id())).copied()
    }
}

fn symbols(parser: &tree_sitter::Language) -> u16 {
    u16::try_from(parser.node_kind_count()).unwrap_or(u16::MAX)
}

fn kinds(grammar: &mut Grammar, parser: &tree_sitter::Language) -> Vec<ChildKind> {
    let kind = |id: u16| {
        let name = parser.node_kind_for_id(id).unwrap_or_default();
        (name, parser.node_kind_is_named(id))
    };
    (0..symbols(parser)).map(kind).map(|(name, named)| grammar.kind(name, named)).collect()
}

/// Reads the texts of rules. A line is `rule = "text"` with JSON escapes; `#` starts a comment. (The line `keep rule`
/// excludes nodes of this kind from replacement, `needed rule` says that they must not be removed alone, and `layout`
/// that text must not move to another column.)
pub(super) fn overrides(file: &str) -> HashMap<String, String> {
    let line = |line: &str| {
        let (rule, text) = line.split_once('=').filter(|_| !line.starts_with('#'))?;
        Some((rule.trim().to_owned(), serde_json::from_str(text.trim()).ok()?))
    };
    file.lines().filter_map(line).collect()
}
