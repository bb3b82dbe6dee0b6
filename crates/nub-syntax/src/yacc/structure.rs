//! The structure of an input, as the algorithms see it.

use super::{Language, convert};
use crate::grammar::ChildKind;
use nub_core::{
    FrontEnd, Hidden, Knowledge, Structure,
    tree::{NodeId, Tree},
};
use nub_yacc::{
    Place,
    grammar::{Symbol, TokenId},
};
use std::{ops::Range, sync::Arc};

/// The grammar's view of the nodes of a tree.
#[derive(Debug, Default)]
pub(super) struct Syntax {
    /// By node index.
    pub(super) infos: Vec<Info>,
    /// The children of all rules, one rule after another.
    pub(super) lists: Vec<NodeId>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Info {
    pub(super) symbol: Option<Symbol>,
    /// The parser's state before the node.
    pub(super) place: Option<Place>,
    /// The token after it.
    pub(super) next: Option<TokenId>,
    /// The rule that it is a child of, ignoring groups in between.
    pub(super) parent: Option<NodeId>,
    /// The index among the parent's children.
    pub(super) index: u32,
    /// Its own children, in `lists`.
    pub(super) list: (u32, u32),
    /// Whether its children are exactly those of its production.
    pub(super) matched: bool,
}

impl Syntax {
    fn info(&self, node: NodeId) -> Option<&Info> {
        self.infos.get(node.index())
    }

    fn children(&self, node: NodeId) -> &[NodeId] {
        let (start, end) = self.info(node).map_or((0, 0), |info| info.list);
        &self.lists[start as usize..end as usize]
    }
}

/// A language with YACC and lex files, as a front end.
#[derive(Clone, Debug)]
pub struct Yacc(pub Arc<Language>);

impl FrontEnd for Yacc {
    fn name(&self) -> &str {
        self.0.language().name()
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Grammar
    }

    fn analyse(&self, bytes: &[u8], hidden: Hidden) -> Option<Arc<dyn Structure>> {
        let (tree, syntax, errors) = convert::convert(&self.0, bytes, hidden);
        Some(Arc::new(Analysed { tree: Arc::new(tree), syntax, language: Arc::clone(&self.0), errors }))
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

struct Analysed {
    tree: Arc<Tree>,
    syntax: Syntax,
    language: Arc<Language>,
    errors: usize,
}

impl Analysed {
    fn kind(&self, node: NodeId) -> Option<ChildKind> {
        self.language.shapes.kind(self.syntax.info(node)?.symbol?)
    }

    fn kinds(&self, nodes: &[NodeId]) -> Option<Vec<ChildKind>> {
        nodes.iter().map(|&node| self.kind(node)).collect()
    }

    /// Whether these could be the children of a node.
    fn accepts(&self, parent: NodeId, children: &[NodeId]) -> bool {
        let Some(Symbol::Rule(rule)) = self.syntax.info(parent).and_then(|info| info.symbol) else { return false };
        let shapes = &self.language.shapes;
        let (Some(rule), Some(kinds)) = (shapes.rule(rule), self.kinds(children)) else { return false };
        shapes.children.accepts(shapes.children.any(rule), &kinds)
    }

    /// The removal of elements that the grammar knows about.
    fn known_removal(&self, parent: NodeId, drop: &[NodeId]) -> Option<Vec<NodeId>> {
        let Symbol::Rule(rule) = self.syntax.info(parent)?.symbol? else { return None };
        let shapes = &self.language.shapes;
        let list = self.syntax.children(parent);
        let index = |&node: &NodeId| {
            let info = self.syntax.info(node).filter(|info| info.parent == Some(parent))?;
            Some(info.index as usize)
        };
        let mut indices: Vec<usize> = drop.iter().map(index).collect::<Option<_>>()?;
        indices.sort_unstable();
        indices.dedup();
        let automaton = shapes.children.any(shapes.rule(rule)?);
        let removed = shapes.children.removal(automaton, &self.kinds(list)?, &indices)?;
        Some(removed.into_iter().map(|index| list[index]).collect())
    }
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
        if !self.syntax.info(parent).is_some_and(|info| info.matched) {
            // An error, or a rule that contains one: a plain list.
            return Some(drop.to_vec());
        }
        let (known, anywhere): (Vec<NodeId>, Vec<NodeId>) =
            drop.iter().partition(|&&node| self.syntax.info(node).is_some_and(|info| info.parent.is_some()));
        let mut removal = if known.is_empty() { vec![] } else { self.known_removal(parent, &known)? };
        removal.extend(anywhere);
        Some(removal)
    }

    /// The parser decides: what would it make of the other node at this position?
    fn may_replace(&self, node: NodeId, by: NodeId) -> bool {
        let (Some(old), Some(new)) = (self.syntax.info(node), self.syntax.info(by)) else { return false };
        match (old.place, old.symbol, new.symbol, old.next) {
            (Some(place), Some(symbol), Some(found), Some(next)) => {
                old.parent.is_some() && self.language.language.may_stand_for(place, symbol, found, next)
            }
            _ => false,
        }
    }

    fn may_unwrap(&self, node: NodeId, of: NodeId) -> Option<Range<usize>> {
        let parent = self.syntax.info(node)?.parent?;
        let inner = self.syntax.children(of);
        let is_rule = |child: &NodeId| {
            let symbol = self.syntax.info(*child).and_then(|info| info.symbol);
            symbol.is_some_and(|symbol| !self.language.shapes.is_spelled_out(symbol))
        };
        let (first, last) = (inner.iter().position(is_rule)?, inner.iter().rposition(is_rule)?);
        if first == last {
            // With a single node, hoisting does the same.
            return None;
        }
        let run = &inner[first..=last];
        let mut list = self.syntax.children(parent).to_vec();
        let index = self.syntax.info(node)?.index as usize;
        list.splice(index..=index, run.iter().copied());
        self.accepts(parent, &list).then(|| self.tree.span(run[0]).start..self.tree.span(inner[last]).end)
    }

    fn is_name(&self, token: NodeId) -> bool {
        match self.syntax.info(token).and_then(|info| info.symbol) {
            Some(symbol @ Symbol::Token(_)) => !self.language.shapes.is_spelled_out(symbol),
            _ => false,
        }
    }

    fn is_valid(&self, text: &[u8]) -> bool {
        self.language.language.parse(text).errors().len() <= self.errors
    }
}
