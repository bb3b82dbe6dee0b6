//! The structure of a document, as the algorithms see it.

use super::{
    NAME, Parsed, check,
    encoding::{decode, is_utf8},
    facts::{Facts, Removable, Set, What},
};
use nub_core::{
    FrontEnd, Hidden, Knowledge, Structure,
    tree::{NodeId, Tree},
};
use std::{collections::HashSet, ops::Range, sync::Arc};

/// XML, as a front end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Xml;

impl FrontEnd for Xml {
    fn name(&self) -> &str {
        NAME
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Grammar
    }

    fn analyse(&self, bytes: &[u8], _: Hidden) -> Option<Arc<dyn Structure>> {
        let Parsed { tree, facts, errors } = super::parse(bytes)?;
        let label = check::label(&decode(bytes)?);
        Some(Arc::new(Analysed { tree: Arc::new(tree), facts, errors, label }))
    }

    fn tree(&self, bytes: &[u8], _: Hidden) -> Option<Tree> {
        Some(super::parse(bytes)?.tree)
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn errors(&self, bytes: &[u8]) -> usize {
        super::errors(bytes)
    }

    fn complaint(&self, input: &str, bytes: &[u8]) -> Option<String> {
        match super::errors(bytes) {
            0 => None,
            errors => Some(format!(
                "{input} is not well-formed XML ({errors} errors): the malformed parts are reduced as plain lists"
            )),
        }
    }
}

struct Analysed {
    tree: Arc<Tree>,
    facts: Facts,
    errors: usize,
    /// The declared encoding.
    label: Option<Vec<u8>>,
}

impl Analysed {
    /// Whether all prefixes of an element would be declared if it replaced another one. Coming from inside the other
    /// one, it may only rely on declarations outside both, because others may be removed later.
    fn has_prefixes(&self, node: NodeId, by: NodeId) -> bool {
        let Some(inner) = self.facts.elements.get(&by) else { return false };
        let outer = self.tree.span(node);
        let mut at = by;
        while let Some(parent) = self.facts.info(at).parent {
            let around = self.facts.elements.get(&parent);
            if around.is_some_and(|around| !self.facts.prefixes.are_apart(inner.free, around.declares)) {
                return false;
            }
            if parent == node {
                return true;
            }
            if self.tree.span(parent).start < outer.start {
                break;
            }
            at = parent;
        }
        // It comes from somewhere else.
        inner.free == Set::EMPTY
    }
}

impl Structure for Analysed {
    fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    fn elements(&self, node: NodeId) -> Vec<NodeId> {
        self.tree.children(node).collect()
    }

    fn removal(&self, parent: NodeId, drop: &[NodeId]) -> Option<Vec<NodeId>> {
        let mut removed = vec![];
        let mut closes = false;
        for &node in drop {
            match self.facts.info(node).removable {
                Removable::Fixed => return None,
                Removable::Follows => {}
                Removable::Close => closes |= self.facts.info(node).parent == Some(parent),
                Removable::Free => removed.push(node),
                Removable::Coupled | Removable::Twin => {
                    removed.push(node);
                    for &companion in self.facts.companions(node) {
                        removed.push(companion);
                        removed.extend(self.facts.companions(companion));
                    }
                }
            }
        }
        if closes
            && let Some(element) = self.facts.elements.get(&parent)
            && let Some((end, blank)) = element.end
        {
            let children: Vec<NodeId> = self.tree.children(parent).collect();
            let range = element.content.start as usize..element.content.end as usize;
            let all: HashSet<NodeId> = removed.iter().copied().collect();
            if children.get(range.clone())?.iter().all(|node| all.contains(node)) {
                removed.push(*children.get(range.start.checked_sub(1)?)?);
                removed.extend(end.into_iter().chain(blank));
            }
        }
        removed.sort_unstable();
        removed.dedup();
        (!removed.is_empty()).then_some(removed)
    }

    fn may_go(&self, _: NodeId, element: NodeId) -> Option<bool> {
        Some(matches!(self.facts.info(element).removable, Removable::Free | Removable::Coupled | Removable::Close))
    }

    fn is_free(&self, parent: NodeId) -> bool {
        self.facts.lists.contains(&parent)
    }

    fn may_replace(&self, node: NodeId, by: NodeId) -> bool {
        match (self.facts.info(node).what, self.facts.info(by).what) {
            (What::Element, What::Element) => self.has_prefixes(node, by),
            (What::Word, What::Word) | (What::Blank, What::Blank) => true,
            (What::ValueWord, What::ValueWord) => !self.tree.source(by).iter().any(|byte| matches!(byte, b'"' | b'\'')),
            // They must have the same quotation mark.
            (What::Equals, What::Equals) => self.tree.source(node).last() == self.tree.source(by).last(),
            _ => false,
        }
    }

    fn may_unwrap(&self, node: NodeId, of: NodeId) -> Option<Range<usize>> {
        let element =
            self.facts.elements.get(&node).filter(|element| node == of && !element.is_root && !element.binds)?;
        let Range { start, end } = element.content;
        let content = self.tree.children(node).skip(start as usize).take((end - start) as usize);
        let spans: Vec<Range<usize>> = content.map(|item| self.tree.span(item)).collect();
        Some(spans.first()?.start..spans.last()?.end)
    }

    fn is_name(&self, token: NodeId) -> bool {
        matches!(self.facts.info(token).what, What::Name | What::Declared)
    }

    fn is_definition(&self, token: NodeId) -> bool {
        self.facts.info(token).what == What::Declared
    }

    fn is_valid(&self, text: &[u8]) -> bool {
        let Some(decoded) = decode(text) else { return false };
        // Only UTF-8 and the encoding of the input are known here.
        let label = check::label(&decoded);
        let same = label.is_none() || label == self.label || is_utf8(label.as_deref()) && decoded.is_ascii_based();
        same && check::errors_in(&decoded) <= self.errors
    }

    /// A candidate built from a well-formed document is well-formed. If the document is not, there is no telling what
    /// its reader accepts.
    fn is_strict(&self) -> bool {
        self.errors == 0
    }
}
