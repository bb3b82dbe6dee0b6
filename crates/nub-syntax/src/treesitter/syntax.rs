//! What the grammar says about the nodes of a tree.

use super::{compiled::Compiled, language::Language};
use crate::grammar::{Automaton, ChildKind};
use nub_core::tree::NodeId;

/// Beside a tree: the grammar's view of its nodes. It answers whether an edit keeps the tree one of the language.
///
/// Preparing the tree does not change these answers: nodes keep their numbers, and those that a preparation has added
/// have no kind.
#[derive(Debug)]
pub struct Syntax {
    pub(super) language: &'static Language,
    pub(super) compiled: &'static Compiled,
    /// By number of the node.
    pub(super) infos: Vec<Info>,
    /// The children of all rules that the grammar knows about, one rule after the other.
    pub(super) lists: Vec<NodeId>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Info {
    pub(super) kind: Option<ChildKind>,
    /// The rule that the node is a child of, whatever groups are between; not for a node that may come anywhere.
    pub(super) parent: Option<NodeId>,
    /// Which child.
    pub(super) index: u32,
    /// The state of the parent's automaton before it.
    pub(super) state: Option<u32>,
    /// The node's own children, in `lists`.
    pub(super) list: (u32, u32),
    pub(super) automaton: Option<Automaton>,
    /// Whether the grammar's name for its place says that it is being defined.
    pub(super) defines: bool,
    /// The column that it starts in.
    pub(super) column: u32,
    /// Whether it has more than one line.
    pub(super) has_lines: bool,
    /// Whether its replacement was tried and adds no error.
    pub(super) replaceable: bool,
}

impl Syntax {
    /// The language.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// What is known about the language.
    pub fn compiled(&self) -> &'static Compiled {
        self.compiled
    }

    fn info(&self, node: NodeId) -> Option<&Info> {
        self.infos.get(node.index())
    }

    /// The kind of a node; `None` for groups, errors, and text that the grammar does not show.
    pub fn kind(&self, node: NodeId) -> Option<ChildKind> {
        self.info(node)?.kind
    }

    /// Whether a name is being defined where it stands, as far as the grammar's names for places tell.
    pub fn is_definition(&self, node: NodeId) -> bool {
        self.info(node).is_some_and(|info| info.defines)
    }

    /// Whether a node is a token that a rule spells out: a keyword, a bracket, a separator.
    pub fn is_spelled_out(&self, node: NodeId) -> bool {
        self.kind(node).is_some_and(|kind| !self.compiled.grammar().kind_name(kind).1)
    }

    /// The rule that the node is a child of; `None` for the root, and for what may come anywhere.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.info(node)?.parent
    }

    /// The children of a rule that its grammar rule speaks about, without the groups that the tree puts them into.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        let (start, end) = self.info(node).map_or((0, 0), |info| info.list);
        &self.lists[start as usize..end as usize]
    }

    /// Whether the children of a node were recognised as a sentence of its rule. If not, no edit of them is known to be
    /// valid.
    pub fn is_matched(&self, node: NodeId) -> bool {
        self.info(node).is_some_and(|info| info.automaton.is_some())
    }

    /// Whether the replacement of a node was tried on nodes of its kind and adds no error.
    pub fn has_valid_replacement(&self, node: NodeId) -> bool {
        self.info(node).is_some_and(|info| info.replaceable)
    }

    /// Whether these nodes, in this order, could be the children of `parent`. They may come from anywhere in the tree.
    pub fn accepts(&self, parent: NodeId, children: &[NodeId]) -> bool {
        let Some(automaton) = self.info(parent).and_then(|info| info.automaton) else { return false };
        let kinds: Option<Vec<ChildKind>> = children.iter().map(|&child| self.kind(child)).collect();
        kinds.is_some_and(|kinds| self.compiled.children.accepts(automaton, &kinds))
    }

    /// Whether one node could stand in the place of another. A token that is written out in a rule (`;`) is no substitute
    /// for a node with a rule of its own, even where the grammar would take both.
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

    /// Which children of `parent` have to go so that these can: with their separators, if need be. `None` if they cannot
    /// go, or are not children of `parent`.
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
