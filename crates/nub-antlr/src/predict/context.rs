//! Stacks of return states, in one graph.
//!
//! A prediction follows many stacks at once. They share their common parts: a context is a set of pairs of a return
//! state and a parent context, and equal contexts share a number (the graph-structured stack of Parr, Harwell and
//! Fisher 2014, §3.4).

use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// The number of a context.
pub(crate) type ContextId = u32;

/// The empty stack: the end of the start rule in full prediction, "anywhere" in SLL prediction.
pub(crate) const EMPTY: ContextId = 0;

/// The return state of the empty stack. It sorts after all others.
pub(crate) const EMPTY_RETURN: u32 = u32::MAX;

const ARRAY: u32 = 1 << 31;

/// The meaning of merging an empty stack with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    /// SLL: the empty stack stands for every stack, so it absorbs the other.
    Wildcard,
    /// Full prediction: the empty stack is one of the stacks.
    Exact,
}

/// All contexts created so far.
#[derive(Debug)]
pub(crate) struct Contexts {
    /// A pair of return state and parent; or, for several pairs, their start in `pairs` (marked) and their count.
    nodes: Vec<(u32, u32)>,
    pairs: Vec<(u32, ContextId)>,
    singles: FxHashMap<u64, ContextId>,
    arrays: FxHashMap<u64, Vec<ContextId>>,
    merged: [FxHashMap<u64, ContextId>; 2],
}

/// A merge in progress.
struct Task {
    key: u64,
    left: ContextId,
    right: ContextId,
    /// How many pairs of each side are done.
    at: (usize, usize),
    pairs: Vec<(u32, ContextId)>,
    /// The return state whose parents are being merged.
    waiting: u32,
}

impl Contexts {
    pub(crate) fn new() -> Self {
        Self {
            nodes: vec![(EMPTY_RETURN, EMPTY)],
            pairs: Vec::new(),
            singles: FxHashMap::default(),
            arrays: FxHashMap::default(),
            merged: [FxHashMap::default(), FxHashMap::default()],
        }
    }

    /// The number of contexts.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() + self.pairs.len()
    }

    /// The pairs of a context, by return state.
    #[inline]
    pub(crate) fn entries(&self, context: ContextId) -> &[(u32, ContextId)] {
        let node = &self.nodes[context as usize];
        if node.0 & ARRAY != 0 && node.0 != EMPTY_RETURN {
            let start = (node.0 & !ARRAY) as usize;
            &self.pairs[start..start + node.1 as usize]
        } else {
            std::slice::from_ref(node)
        }
    }

    /// Whether it contains the empty stack.
    #[inline]
    pub(crate) fn has_empty(&self, context: ContextId) -> bool {
        self.entries(context).last().is_some_and(|&(state, _)| state == EMPTY_RETURN)
    }

    /// The context with one more return state on top.
    #[inline]
    pub(crate) fn push(&mut self, parent: ContextId, state: u32) -> ContextId {
        let nodes = &mut self.nodes;
        *self.singles.entry(u64::from(parent) << 32 | u64::from(state)).or_insert_with(|| {
            nodes.push((state, parent));
            id(nodes.len() - 1)
        })
    }

    fn intern(&mut self, pairs: &[(u32, ContextId)]) -> ContextId {
        if let [(state, parent)] = *pairs {
            return if state == EMPTY_RETURN { EMPTY } else { self.push(parent, state) };
        }
        let mut hasher = FxHasher::default();
        for &(state, parent) in pairs {
            hasher.write_u64(u64::from(parent) << 32 | u64::from(state));
        }
        let hash = hasher.finish();
        if let Some(known) = self.arrays.get(&hash).and_then(|all| all.iter().find(|&&c| self.entries(c) == pairs)) {
            return *known;
        }
        let context = id(self.nodes.len());
        self.nodes.push((ARRAY | id(self.pairs.len()), id(pairs.len())));
        self.pairs.extend_from_slice(pairs);
        self.arrays.entry(hash).or_default().push(context);
        context
    }

    /// The union of two contexts. Merges of parents wait on an explicit stack, because the stacks of deeply nested
    /// inputs are too deep for recursion.
    pub(crate) fn merge(&mut self, left: ContextId, right: ContextId, root: Root) -> ContextId {
        if let Some(known) = self.merged_already(left, right, root) {
            return known;
        }
        let mut stack = vec![Task::new(left, right)];
        let mut done: Option<ContextId> = None;
        while let Some(mut task) = stack.pop() {
            if let Some(parent) = done.take() {
                task.pairs.push((task.waiting, parent));
            }
            match self.step(&mut task, root) {
                Some((left, right)) => {
                    stack.push(task);
                    stack.push(Task::new(left, right));
                }
                None => {
                    let merged = self.intern(&task.pairs);
                    self.merged[root as usize].insert(task.key, merged);
                    done = Some(merged);
                }
            }
        }
        done.unwrap_or(EMPTY)
    }

    fn merged_already(&self, left: ContextId, right: ContextId, root: Root) -> Option<ContextId> {
        if left == right {
            return Some(left);
        }
        if root == Root::Wildcard && (left == EMPTY || right == EMPTY) {
            return Some(EMPTY);
        }
        self.merged[root as usize].get(&merge_key(left, right)).copied()
    }

    /// Merges until a merge of two parents has to come first, and returns those.
    fn step(&self, task: &mut Task, root: Root) -> Option<(ContextId, ContextId)> {
        let (left, right) = (self.entries(task.left), self.entries(task.right));
        loop {
            let (i, j) = task.at;
            match (left.get(i), right.get(j)) {
                (Some(&a), Some(&b)) if a.0 == b.0 => {
                    task.at = (i + 1, j + 1);
                    match self.merged_already(a.1, b.1, root) {
                        Some(parent) => task.pairs.push((a.0, parent)),
                        None => {
                            task.waiting = a.0;
                            return Some((a.1, b.1));
                        }
                    }
                }
                (Some(&a), b) if b.is_none_or(|b| a.0 < b.0) => {
                    task.at.0 += 1;
                    task.pairs.push(a);
                }
                (_, Some(&b)) => {
                    task.at.1 += 1;
                    task.pairs.push(b);
                }
                (_, None) => return None,
            }
        }
    }

    /// Forgets cached merges if there are too many; contexts themselves stay.
    pub(crate) fn trim(&mut self) {
        const MANY: usize = 1 << 18;
        for memory in &mut self.merged {
            if memory.len() > MANY {
                memory.clear();
            }
        }
    }
}

impl Task {
    fn new(left: ContextId, right: ContextId) -> Self {
        Self { key: merge_key(left, right), left, right, at: (0, 0), pairs: Vec::new(), waiting: 0 }
    }
}

fn merge_key(left: ContextId, right: ContextId) -> u64 {
    u64::from(left.min(right)) << 32 | u64::from(left.max(right))
}

fn id(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_stack_absorbs_others_only_as_a_wildcard() {
        let mut contexts = Contexts::new();
        let one = contexts.push(EMPTY, 7);
        assert_eq!(contexts.merge(one, EMPTY, Root::Wildcard), EMPTY);
        let both = contexts.merge(one, EMPTY, Root::Exact);
        assert_eq!(contexts.entries(both), [(7, EMPTY), (EMPTY_RETURN, EMPTY)]);
        assert!(contexts.has_empty(both) && !contexts.has_empty(one));
    }

    #[test]
    fn equal_contexts_share_a_number() {
        let mut contexts = Contexts::new();
        let (a, b) = (contexts.push(EMPTY, 1), contexts.push(EMPTY, 2));
        let (deep_a, deep_b) = (contexts.push(a, 9), contexts.push(b, 9));
        let merged = contexts.merge(deep_a, deep_b, Root::Exact);
        let parents = contexts.merge(b, a, Root::Exact);
        assert_eq!(merged, contexts.push(parents, 9));
    }

    #[test]
    fn deep_stacks_merge_without_recursion() {
        let mut contexts = Contexts::new();
        let (mut a, mut b) = (contexts.push(EMPTY, 1), contexts.push(EMPTY, 2));
        for _ in 0..200_000 {
            (a, b) = (contexts.push(a, 3), contexts.push(b, 3));
        }
        let merged = contexts.merge(a, b, Root::Exact);
        assert_eq!(contexts.entries(merged).len(), 1);
    }
}
