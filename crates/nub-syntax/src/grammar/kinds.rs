//! The kinds of children, which are the input symbols of the automata.

use std::collections::HashMap;

/// The kind of a child: the name of a node, and whether it names a rule (`identifier`) or a literal token (`;`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChildKind(u32);

impl ChildKind {
    /// The index, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Interned kinds.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    names: Vec<(Box<str>, bool)>,
    ids: [HashMap<Box<str>, ChildKind>; 2],
}

impl Kinds {
    pub(super) fn intern(&mut self, name: &str, named: bool) -> ChildKind {
        if let Some(kind) = self.find(name, named) {
            return kind;
        }
        let kind = ChildKind(self.names.len() as u32);
        self.names.push((name.into(), named));
        self.ids[usize::from(named)].insert(name.into(), kind);
        kind
    }

    pub(super) fn find(&self, name: &str, named: bool) -> Option<ChildKind> {
        self.ids[usize::from(named)].get(name).copied()
    }

    pub(super) fn name(&self, kind: ChildKind) -> (&str, bool) {
        let (name, named) = &self.names[kind.index()];
        (name, *named)
    }

    pub(super) fn by_index(&self, index: usize) -> Option<ChildKind> {
        (index < self.names.len()).then_some(ChildKind(index as u32))
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }
}

/// A set of kinds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KindSet(Vec<u64>);

impl KindSet {
    /// The set with one kind.
    pub fn of(kind: ChildKind) -> Self {
        let mut set = Self::default();
        set.insert(kind);
        set
    }

    /// Adds a kind.
    pub fn insert(&mut self, kind: ChildKind) {
        let word = kind.index() / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (kind.index() % 64);
    }

    /// Whether the set contains the kind.
    pub fn contains(&self, kind: ChildKind) -> bool {
        self.0.get(kind.index() / 64).is_some_and(|word| word >> (kind.index() % 64) & 1 == 1)
    }

    /// Adds all kinds of another set.
    pub fn extend(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    /// The kinds in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = ChildKind> + '_ {
        let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 == 1);
        self.0.iter().enumerate().flat_map(move |(i, &word)| bits(word).map(move |bit| ChildKind(i as u32 * 64 + bit)))
    }
}
