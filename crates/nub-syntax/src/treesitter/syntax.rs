//! The grammar's view of the nodes of a tree.

use super::{compiled::Compiled, language::Language};
use crate::grammar::{Automaton, ChildKind};
use nub_core::tree::NodeId;

/// The grammar's view of the nodes of a tree. It tells whether an edit keeps the tree in the language.
///
/// Preparing the tree does not change the answers: nodes keep their numbers, and nodes added by a preparation have no
/// kind.
#[derive(Debug)]
pub struct Syntax {
    pub(super) language: &'static Language,
    pub(super) compiled: &'static Compiled,
    /// By node index.
    pub(super) infos: Vec<Info>,
    /// The children of all rules known to the grammar, one rule after another.
    pub(super) lists: Vec<NodeId>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Info {
    pub(super) kind: Option<ChildKind>,
    /// The rule that the node is a child of, ignoring groups in between. `None` for extra nodes, which may occur
    /// anywhere.
    pub(super) parent: Option<NodeId>,
    /// The index among the parent's children.
    pub(super) index: u32,
    /// The state of the parent's automaton before the node.
    pub(super) state: Option<u32>,
    /// The node's own children, in `lists`.
    pub(super) list: (u32, u32),
    pub(super) automaton: Option<Automaton>,
    /// Whether the name of its field says that the node is a definition.
    pub(super) defines: bool,
    /// The column where it starts.
    pub(super) column: u32,
    /// Whether it spans several lines.
    pub(super) has_lines: bool,
    /// Whether its replacement was tried and adds no error.
    pub(super) replaceable: bool,
}

impl Syntax {
    /// The language.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// Everything derived from the language's grammar.
    pub fn compiled(&self) -> &'static Compiled {
        self.compiled
    }

    fn info(&self, node: NodeId) -> Option<&Info> {
        self.infos.get(node.index())
    }

    /// The kind of a node; `None` for groups, errors, and text hidden by the grammar.
    pub fn kind(&self, node: NodeId) -> Option<ChildKind> {
        self.info(node)?.kind
    }

    /// Whether a name is being defined here, judging by the field names of the grammar.
    pub fn is_definition(&self, node: NodeId) -> bool {
        self.info(node).is_some_and(|info| info.defines)
    }

    /// Whether a node is a literal token: a keyword, a bracket, a separator.
    pub fn is_spelled_out(&self, node: NodeId) -> bool {
        self.kind(node).is_some_and(|kind| !self.compiled.grammar().kind_name(kind).1)
    }

    /// The rule that the node is a child of; `None` for the root and for extra nodes, which may occur anywhere.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.info(node)?.parent
    }

    /// The children that the grammar rule of a node mentions, without the groups that the tree puts them into.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        let (start, end) = self.info(node).map_or((0, 0), |info| info.list);
        &self.lists[start as usize..end as usize]
    }

    /// Whether the children of a node form a sentence of its rule. If not, no edit of them is known to be valid.
    pub fn is_matched(&self, node: NodeId) -> bool {
        self.info(node).is_some_and(|info| info.automaton.is_some())
    }

    /// Whether the replacement of a node was tried on nodes of its kind and adds no error.
    pub fn has_valid_replacement(&self, node: NodeId) -> bool {
        self.info(node).is_some_and(|info| info.replaceable)
    }

    /// Whether these nodes could be the children of `parent`. They may come from anywhere in the tree.
    pub fn accepts(&self, parent: NodeId, children: &[NodeId]) -> bool {
        let Some(automaton) = self.info(parent).and_then(|info| info.automaton) else { return false };
        let kinds: Option<Vec<ChildKind>> = children.iter().map(|&child| self.kind(child)).collect();
        kinds.is_some_and(|kinds| self.compiled.children.accepts(automaton, &kinds))
    }

    /// Whether one node could replace another. A literal token (`;`) never replaces a node with a rule of its own, even
    /// where the grammar would accept both.
    pub fn may_replace(&self, node: NodeId, by: NodeId) -> bool {
        let (Some(old), Some(kind), Some(new)) = (self.info(node), self.kind(node), self.kind(by)) else {
            return false;
        };
        let Some(parent) = old.parent else { return false };
        let moves = self.info(by).is_some_and(|by| by.has_lines && by.column != old.column);
        if self.compiled.layout && moves {
            return false;
        }
        if kind == new {
            return true;
        }
        let named = |kind: ChildKind| self.compiled.grammar().kind_name(kind).1;
        if named(kind) != named(new) {
            return false;
        }
        let Some(automaton) = self.info(parent).and_then(|info| info.automaton) else { return false };
        let list = self.children(parent);
        let index = old.index as usize;
        if old.state.is_none() {
            let kinds: Option<Vec<ChildKind>> = list.iter().map(|&child| self.kind(child)).collect();
            return kinds.is_some_and(|kinds| self.compiled.children.may_replace(automaton, &kinds, index, new));
        }
        let kind = |i: usize| self.kind(*list.get(i)?);
        let state = |i: usize| self.info(*list.get(i)?)?.state;
        self.compiled.children.may_replace_at(automaton, kind, state, index, new)
    }

    /// The children of `parent` to remove so that these can be removed: with their separators, if necessary. `None` if
    /// they cannot be removed or are not children of `parent`.
    pub fn removal(&self, parent: NodeId, drop: &[NodeId]) -> Option<Vec<NodeId>> {
        let automaton = self.info(parent)?.automaton?;
        let list = self.children(parent);
        let index =
            |&node: &NodeId| self.info(node).filter(|info| info.parent == Some(parent)).map(|info| info.index as usize);
        let mut indices: Vec<usize> = drop.iter().map(index).collect::<Option<_>>()?;
        indices.sort_unstable();
        indices.dedup();
        let kinds: Vec<ChildKind> = list.iter().map(|&child| self.kind(child)).collect::<Option<_>>()?;
        let removed = self.compiled.children.removal(automaton, &kinds, &indices)?;
        Some(removed.into_iter().map(|index| list[index]).collect())
    }
}
