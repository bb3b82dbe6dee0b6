//! The structure of an input in a known language, as the algorithms see it.

use super::{Checker, Errors, Language, Syntax, errors, parse_with};
use nub_core::{
    FrontEnd, Hidden, Knowledge, Structure,
    tree::{NodeId, Tree},
};
use std::{ops::Range, sync::Arc};

/// Languages in which a new line break or indentation is significant.
const LINES: [&str; 7] = ["python", "yaml", "bash", "make", "dockerfile", "toml", "ini"];

impl FrontEnd for &'static Language {
    fn name(&self) -> &str {
        self.name
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Grammar
    }

    fn analyse(&self, bytes: &[u8], hidden: Hidden) -> Option<Arc<dyn Structure>> {
        let parsed = parse_with(self, bytes, hidden).ok()?;
        let checker = Checker::new(self, bytes).ok()?;
        Some(Arc::new(Analysed { tree: Arc::new(parsed.tree), syntax: parsed.syntax, checker }))
    }

    fn tree(&self, bytes: &[u8], hidden: Hidden) -> Option<Tree> {
        parse_with(self, bytes, hidden).ok().map(|parsed| parsed.tree)
    }

    fn errors(&self, bytes: &[u8]) -> usize {
        parse_with(self, bytes, Hidden::Gaps).map_or(0, |parsed| parsed.errors)
    }

    fn complaint(&self, input: &str, bytes: &[u8]) -> Option<String> {
        let Errors { parts, bytes: wrong } = errors(self, bytes)?;
        let share = 100.0 * wrong as f64 / bytes.len().max(1) as f64;
        let (parts, are, lists) = match parts {
            0 => return None,
            1 => ("1 part".to_owned(), "is", "it is reduced as a plain list"),
            _ => (format!("{parts} parts"), "are", "they are reduced as plain lists"),
        };
        Some(format!("{parts} of {input} ({share:.1} % of its bytes) {are} not valid {}: {lists}", self.name))
    }
}

/// A tree with the grammar's view of it.
#[derive(Debug)]
struct Analysed {
    tree: Arc<Tree>,
    syntax: Arc<Syntax>,
    checker: Checker,
}

impl Structure for Analysed {
    fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// Groups in the tree do not matter here: the automaton knows what must be removed together.
    fn elements(&self, node: NodeId) -> Vec<NodeId> {
        self.tree.elements(node)
    }

    fn removal(&self, parent: NodeId, drop: &[NodeId]) -> Option<Vec<NodeId>> {
        if !self.syntax.is_matched(parent) {
            // An error, or text that the grammar does not cover: a plain list.
            return Some(drop.to_vec());
        }
        let (known, anywhere): (Vec<NodeId>, Vec<NodeId>) =
            drop.iter().partition(|&&node| self.syntax.parent(node).is_some());
        let mut removal = if known.is_empty() { vec![] } else { self.syntax.removal(parent, &known)? };
        removal.extend(anywhere);
        Some(removal)
    }

    fn may_replace(&self, node: NodeId, by: NodeId) -> bool {
        self.syntax.may_replace(node, by)
    }

    fn may_unwrap(&self, node: NodeId, of: NodeId) -> Option<Range<usize>> {
        let parent = self.syntax.parent(node)?;
        let inner = self.syntax.children(of);
        let is_rule = |child: &NodeId| !self.syntax.is_spelled_out(*child);
        let (first, last) = (inner.iter().position(is_rule)?, inner.iter().rposition(is_rule)?);
        if first == last {
            // With a single node, hoisting does the same.
            return None;
        }
        let run = &inner[first..=last];
        let mut list = self.syntax.children(parent).to_vec();
        let index = list.iter().position(|&child| child == node)?;
        list.splice(index..=index, run.iter().copied());
        self.syntax.accepts(parent, &list).then(|| self.tree.span(run[0]).start..self.tree.span(inner[last]).end)
    }

    fn is_name(&self, token: NodeId) -> bool {
        self.syntax.kind(token).is_some_and(|kind| self.syntax.compiled().grammar().is_open(kind))
    }

    fn is_definition(&self, token: NodeId) -> bool {
        self.syntax.is_definition(token)
    }

    fn is_free_form(&self) -> bool {
        !LINES.contains(&self.syntax.language().name)
    }

    fn is_valid(&self, text: &[u8]) -> bool {
        self.checker.accepts(text)
    }
}
