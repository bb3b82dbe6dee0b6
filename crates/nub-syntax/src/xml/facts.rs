//! What is known about the nodes of a document besides their tree: which of them may go, and what has to go with them.

use nub_core::tree::NodeId;
use std::collections::{HashMap, HashSet};

/// Whether a node may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Going {
    /// Alone.
    Free,
    /// With its companions.
    Coupled,
    /// The same, but as a companion it is tried already: the prefix in an end tag.
    Twin,
    /// The `>` of a start tag: if nothing is between the tags, with what makes `<a></a>` out of `<a/>`.
    Close,
    /// Only as a companion.
    Follows,
    /// Never.
    Fixed,
}

/// What a node is, as far as that matters for what could stand in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Element,
    /// A part of a text.
    Word,
    /// A part of the value of an attribute.
    ValueWord,
    /// A name that could be another one.
    Name,
    /// Likewise, where a prefix is declared.
    Declared,
    /// The blank before an attribute.
    Blank,
    /// What is between the name of an attribute and its value.
    Equals,
    Other,
}

/// What is known about a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Info {
    pub(super) parent: Option<NodeId>,
    pub(super) going: Going,
    pub(super) what: What,
}

/// What goes with the `>` of a start tag: the `<` and the name of the end tag, and the blank behind that.
pub(super) type EndTag = ([NodeId; 2], Option<NodeId>);

/// What is known about an element.
#[derive(Clone, Debug)]
pub(super) struct Element {
    /// Which of its children are its content.
    pub(super) content: std::ops::Range<u32>,
    /// `None` if it has no end tag.
    pub(super) end: Option<EndTag>,
    /// The prefixes that are used in it and declared outside: see [`Prefixes`].
    pub(super) free: Set,
    /// The prefixes that it declares.
    pub(super) declares: Set,
    /// Whether anything in its content uses them.
    pub(super) binds: bool,
    /// Whether it is all of the document.
    pub(super) is_root: bool,
}

/// All that is known about a document.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// By number of the node.
    pub(super) infos: Vec<Info>,
    pub(super) elements: HashMap<NodeId, Element>,
    /// Nodes with children of which any may go, and nothing goes with them.
    pub(super) lists: HashSet<NodeId>,
    pub(super) companions: HashMap<NodeId, Vec<NodeId>>,
    pub(super) prefixes: Prefixes,
}

impl Facts {
    pub(super) fn info(&self, node: NodeId) -> Info {
        let none = Info { parent: None, going: Going::Fixed, what: What::Other };
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
    /// So many that it is not known which.
    pub(super) const MANY: Self = Self(u32::MAX);
}

/// How many prefixes a set may have. A document with more is allowed less, instead of taking more memory.
const LARGEST: usize = 16;

/// Sets of prefixes, each of them once: a document has many elements, but most of them use the same prefixes.
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
    /// The prefixes in a set, ascending.
    pub(super) fn of(&self, set: Set) -> &[u32] {
        self.sets.get(set.0 as usize).map_or(&[], |set| set)
    }

    /// The set of these, ascending.
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

    pub(super) fn minus(&mut self, set: Set, gone: Set) -> Set {
        if gone == Set::EMPTY || set == Set::MANY || set == Set::EMPTY {
            return set;
        }
        let left = self.of(set).iter().copied().filter(|prefix| !self.of(gone).contains(prefix)).collect();
        self.set(left)
    }

    /// Whether two sets have nothing in common, as far as is known.
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
