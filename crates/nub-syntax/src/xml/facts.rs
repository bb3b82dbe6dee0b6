//! What is known about the nodes of a document besides the tree: which of them can be removed, and what must be removed
//! with them.

use nub_core::tree::NodeId;
use std::collections::{HashMap, HashSet};

/// Whether a node can be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Removable {
    /// On its own.
    Free,
    /// With its companions.
    Coupled,
    /// Like `Coupled`, but already tried as a companion: the prefix in an end tag.
    Twin,
    /// The `>` of a start tag: if the element is empty, with the nodes whose removal turns `<a></a>` into `<a/>`.
    Close,
    /// Only as a companion.
    Follows,
    /// Never.
    Fixed,
}

/// The role of a node, which determines what can replace it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Element,
    /// A part of a text.
    Word,
    /// A part of the value of an attribute.
    ValueWord,
    /// A name that can be changed.
    Name,
    /// The same, where a prefix is declared.
    Declared,
    /// The blank before an attribute.
    Blank,
    /// The text between an attribute's name and its value.
    Equals,
    Other,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Info {
    pub(super) parent: Option<NodeId>,
    pub(super) removable: Removable,
    pub(super) what: What,
}

/// The nodes removed with the `>` of a start tag: the `<` and the name of the end tag, and the blank after the name.
pub(super) type EndTag = ([NodeId; 2], Option<NodeId>);

#[derive(Clone, Debug)]
pub(super) struct Element {
    /// The range of its children that is its content.
    pub(super) content: std::ops::Range<u32>,
    /// `None` if it has no end tag.
    pub(super) end: Option<EndTag>,
    /// The prefixes that are used in it but declared outside: see [`Prefixes`].
    pub(super) free: Set,
    /// The prefixes that it declares.
    pub(super) declares: Set,
    /// Whether anything in its content uses them.
    pub(super) binds: bool,
    /// Whether it is the root element.
    pub(super) is_root: bool,
}

/// Everything that is known about a document.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// By node index.
    pub(super) infos: Vec<Info>,
    pub(super) elements: HashMap<NodeId, Element>,
    /// Nodes whose children can each be removed independently.
    pub(super) lists: HashSet<NodeId>,
    pub(super) companions: HashMap<NodeId, Vec<NodeId>>,
    pub(super) prefixes: Prefixes,
}

impl Facts {
    pub(super) fn info(&self, node: NodeId) -> Info {
        let none = Info { parent: None, removable: Removable::Fixed, what: What::Other };
        self.infos.get(node.index()).copied().unwrap_or(none)
    }

    pub(super) fn companions(&self, node: NodeId) -> &[NodeId] {
        self.companions.get(&node).map_or(&[], Vec::as_slice)
    }
}

/// A set of prefixes, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct Set(u32);

impl Set {
    /// No prefixes.
    pub(super) const EMPTY: Self = Self(0);
    /// Too many prefixes to keep track of.
    pub(super) const MANY: Self = Self(u32::MAX);
}

/// The largest number of prefixes in a set. A document with more allows fewer changes instead of taking more memory.
const LARGEST: usize = 16;

/// Interned sets of prefixes. A document has many elements, but most of them use the same prefixes.
#[derive(Debug)]
pub(super) struct Prefixes {
    sets: Vec<Box<[u32]>>,
    numbers: HashMap<Box<[u32]>, Set>,
    unions: HashMap<(Set, Set), Set>,
}

impl Default for Prefixes {
    fn default() -> Self {
        Self { sets: vec![[].into()], numbers: HashMap::from([([].into(), Set::EMPTY)]), unions: HashMap::new() }
    }
}

impl Prefixes {
    /// The prefixes in a set, in ascending order.
    pub(super) fn of(&self, set: Set) -> &[u32] {
        self.sets.get(set.0 as usize).map_or(&[], |set| set)
    }

    /// The set of these prefixes, which must be in ascending order.
    fn set(&mut self, prefixes: Vec<u32>) -> Set {
        if prefixes.len() > LARGEST {
            return Set::MANY;
        }
        if let Some(&set) = self.numbers.get(prefixes.as_slice()) {
            return set;
        }
        let set = Set(self.sets.len() as u32);
        self.sets.push(prefixes.clone().into());
        self.numbers.insert(prefixes.into(), set);
        set
    }

    pub(super) fn with(&mut self, set: Set, prefix: u32) -> Set {
        let one = self.set(vec![prefix]);
        self.union(set, one)
    }

    pub(super) fn union(&mut self, a: Set, b: Set) -> Set {
        if a == b || b == Set::EMPTY {
            return a;
        }
        if a == Set::EMPTY || b == Set::MANY {
            return b;
        }
        if a == Set::MANY {
            return a;
        }
        if let Some(&union) = self.unions.get(&(a, b)) {
            return union;
        }
        let mut all = [self.of(a), self.of(b)].concat();
        all.sort_unstable();
        all.dedup();
        let union = self.set(all);
        self.unions.insert((a, b), union);
        union
    }

    pub(super) fn minus(&mut self, set: Set, subtracted: Set) -> Set {
        if subtracted == Set::EMPTY || set == Set::MANY || set == Set::EMPTY {
            return set;
        }
        let left = self.of(set).iter().copied().filter(|prefix| !self.of(subtracted).contains(prefix)).collect();
        self.set(left)
    }

    /// Whether two sets are known to be disjoint.
    pub(super) fn are_apart(&self, a: Set, b: Set) -> bool {
        let empty = a == Set::EMPTY || b == Set::EMPTY;
        let known = a != Set::MANY && b != Set::MANY;
        empty || known && !self.of(a).iter().any(|prefix| self.of(b).contains(prefix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_prefixes() {
        let mut prefixes = Prefixes::default();
        let one = prefixes.with(Set::EMPTY, 1);
        let both = prefixes.with(one, 0);
        assert_eq!(prefixes.of(both), [0, 1]);
        assert_eq!(prefixes.union(one, both), both);
        assert_eq!(prefixes.minus(both, one), prefixes.with(Set::EMPTY, 0));
        assert!(!prefixes.are_apart(one, both) && prefixes.are_apart(Set::EMPTY, Set::MANY));
        let many = (0..100).fold(Set::EMPTY, |set, prefix| prefixes.with(set, prefix));
        assert!(many == Set::MANY && !prefixes.are_apart(many, one));
        assert_eq!(prefixes.union(one, many), many);
    }
}
