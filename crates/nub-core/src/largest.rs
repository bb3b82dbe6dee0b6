//! Largest first: the elements of the largest node, then of the largest of what is left, and so on.
//!
//! This is the node reducer of Perses (Sun et al., ICSE 2018, Algorithm 1) on any tree whose grammar is known: a queue of
//! nodes, the largest first; the elements of a list are minimised together, with the separators that go with them; any
//! other node is replaced by what the grammar would take in its place. What is ours: lists are cut by weight and the
//! heaviest part goes first; the automaton of the rule says which separators go.

use crate::{
    Batch, Candidate, Edit, Halving, HalvingOrder, Label, Search, Structure, Weights,
    tree::{NodeId, Splice, Spliced, Splices},
};
use std::{
    collections::{BinaryHeap, VecDeque},
    sync::Arc,
};

/// How deep below a node a substitute for it is looked for, as in Perses.
const DEPTH: usize = 5;
/// How many substitutes are tried for one node at most.
const SUBSTITUTES: usize = 12;

/// The longest list whose elements are asked about one by one.
const ASK: usize = 500;

/// The search.
#[derive(Clone)]
pub struct LargestFirst {
    structure: Arc<dyn Structure>,
    splices: Splices,
    /// What waits, with its size. Shared, because a search is cloned for every candidate.
    queue: Arc<BinaryHeap<(usize, NodeId)>>,
    work: Option<Work>,
    /// How many nodes were worked on: the scope of configurations.
    scope: u64,
}

/// What is done with a node.
#[derive(Clone)]
enum Work {
    /// Some of its elements go.
    Elements { node: NodeId, elements: Arc<[NodeId]>, list: Halving },
    /// Something takes its place.
    Substitute { node: NodeId, candidates: Arc<[Substitute]>, at: usize },
}

/// What could take the place of a node.
#[derive(Clone, Debug)]
struct Substitute {
    splices: Vec<Splice>,
    /// What stands there then, if it is a node.
    node: Option<NodeId>,
}

impl LargestFirst {
    /// A search over an input of this structure, which must be interesting.
    pub fn new(structure: Arc<dyn Structure>) -> Self {
        let tree = structure.tree();
        let root = (tree.span(tree.root()).len(), tree.root());
        let queue = Arc::new(BinaryHeap::from([root]));
        Self { structure, splices: Splices::none(), queue, work: None, scope: 0 }
    }

    /// Takes the largest node that waits and finds something to do with it. False if there is none left.
    fn next_work(&mut self) -> bool {
        while let Some((size, node)) = Arc::make_mut(&mut self.queue).pop() {
            let left = self.splices.left(self.structure.tree().span(node));
            if left == 0 {
                continue;
            }
            if left < size {
                // It has become smaller while it waited.
                Arc::make_mut(&mut self.queue).push((left, node));
                continue;
            }
            self.scope += 1;
            let substitutes = self.substitutes(node);
            if !substitutes.is_empty() {
                self.work = Some(Work::Substitute { node, candidates: substitutes.into(), at: 0 });
                return true;
            }
            if self.begin_elements(node) {
                return true;
            }
        }
        false
    }

    /// Starts with the elements of a node. If none of them can go, they wait for their turn.
    fn begin_elements(&mut self, node: NodeId) -> bool {
        let structure = Arc::clone(&self.structure);
        let tree = structure.tree();
        let there = |&element: &NodeId| self.splices.left(tree.span(element)) > 0;
        let elements: Vec<NodeId> = structure.elements(node).into_iter().filter(there).collect();
        // To ask about every single one of a long list takes longer than to be wrong about some of them.
        let ask = elements.len() <= ASK;
        let may_go = |&element: &NodeId| match ask {
            true => structure.removal(node, &[element]).is_some(),
            false => !tree.kind(element).is_token(),
        };
        let removable: Arc<[NodeId]> = elements.iter().copied().filter(may_go).collect();
        if removable.is_empty() {
            self.enqueue(elements);
            return false;
        }
        let weights = Weights::new(removable.iter().map(|&element| self.splices.left(tree.span(element)) as u64));
        let list = Halving::new(HalvingOrder::Heaviest, weights);
        self.scope += 1;
        self.work = Some(Work::Elements { node, elements: removable, list });
        true
    }

    fn enqueue(&mut self, nodes: impl IntoIterator<Item = NodeId>) {
        let tree = self.structure.tree();
        let waiting = nodes.into_iter().filter(|&node| !tree.kind(node).is_token());
        let waiting = waiting.map(|node| (self.splices.left(tree.span(node)), node)).filter(|&(size, _)| size > 0);
        Arc::make_mut(&mut self.queue).extend(waiting);
    }

    /// What takes out these elements of a node, with their separators; `None` if the grammar knows no way.
    fn removal(&self, parent: NodeId, drop: &[NodeId]) -> Option<Vec<Splice>> {
        let tree = self.structure.tree();
        let removal = self.structure.removal(parent, drop)?;
        Some(removal.into_iter().map(|node| Splice::cut(tree.span(node))).collect())
    }

    /// What could take the place of a node: nearby descendants that the grammar would take there, the smallest first.
    fn substitutes(&self, node: NodeId) -> Vec<Substitute> {
        let structure = &self.structure;
        let tree = structure.tree();
        let (outer, size) = (tree.span(node), self.splices.left(tree.span(node)));
        let mut found = vec![];
        let mut waiting: VecDeque<(NodeId, usize)> = structure.elements(node).into_iter().map(|n| (n, 1)).collect();
        while let Some((descendant, depth)) = waiting.pop_front() {
            let inner = tree.span(descendant);
            let left = self.splices.left(inner.clone());
            if left == 0 || tree.kind(descendant).is_token() && left < inner.len() {
                continue;
            }
            if left < size && structure.may_replace(node, descendant) {
                let cuts = [outer.start..inner.start, inner.end..outer.end].map(Splice::cut);
                let splices = cuts.into_iter().filter(|cut| !cut.span.is_empty()).collect();
                found.push((left, Substitute { splices, node: Some(descendant) }));
            } else if depth < DEPTH {
                waiting.extend(structure.elements(descendant).into_iter().map(|node| (node, depth + 1)));
            }
        }
        found.sort_by_key(|&(left, _)| left);
        found.truncate(SUBSTITUTES);
        found.into_iter().map(|(_, substitute)| substitute).collect()
    }

    /// The elements that a configuration of the list drops.
    fn dropped(elements: &[NodeId], kept: &crate::Configuration) -> Vec<NodeId> {
        (0..).zip(elements).filter(|&(unit, _)| !kept.contains(unit)).map(|(_, &element)| element).collect()
    }

    /// The splices of the list at work.
    fn list_splices(&self) -> Splices {
        match &self.work {
            Some(Work::Elements { node, elements, list }) => {
                let dropped = Self::dropped(elements, &list.current());
                if dropped.is_empty() {
                    return self.splices.clone();
                }
                self.removal(*node, &dropped).map_or_else(|| self.splices.clone(), |cuts| self.splices.with(cuts))
            }
            _ => self.splices.clone(),
        }
    }

    fn edit(&self, splices: Splices) -> Edit {
        let tree = Arc::clone(self.structure.tree());
        let content = Arc::new(Spliced { tree, splices });
        let weight = crate::Content::len(&*content) as u64;
        Edit { phase: 0, scope: self.scope, units: 0, weight, pass: "largest".into(), content }
    }

    /// The next candidate of the work at hand; when it has none, what it has achieved becomes part of the state.
    fn propose_work(&mut self) -> Option<Candidate<Splices>> {
        loop {
            match self.work.as_mut()? {
                Work::Elements { node, elements, list } => {
                    let (node, elements) = (*node, Arc::clone(elements));
                    if let Some(batch) = list.propose() {
                        let candidate = batch.into_iter().next()?;
                        let dropped = Self::dropped(&elements, &candidate.what);
                        match self.removal(node, &dropped) {
                            Some(cuts) => {
                                let what = self.splices.with(cuts);
                                return Some(Candidate { label: candidate.label, what });
                            }
                            // The grammar wants one of them to stay: no test is needed.
                            None => self.answer(&[]),
                        }
                    } else {
                        self.splices = self.list_splices();
                        self.work = None;
                        let elements = self.structure.elements(node);
                        self.enqueue(elements);
                    }
                }
                Work::Substitute { node, candidates, at } => {
                    if let Some(substitute) = candidates.get(*at) {
                        let label = Label::new(format_args!("s{at}"));
                        return Some(Candidate { label, what: self.splices.with(substitute.splices.clone()) });
                    }
                    let node = *node;
                    self.work = None;
                    self.begin_elements(node);
                }
            }
        }
    }
}

impl Search for LargestFirst {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        loop {
            if let Some(candidate) = self.propose_work() {
                let outer = format!("n{}", self.scope);
                return Some(vec![candidate.lift(&outer, |splices| self.edit(splices))]);
            }
            if !self.next_work() {
                return None;
            }
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        match &mut self.work {
            Some(Work::Elements { list, .. }) => list.answer(interesting),
            Some(Work::Substitute { candidates, at, .. }) => {
                if interesting.is_empty() {
                    *at += 1;
                    return;
                }
                let substitute = candidates[*at].clone();
                self.splices = self.splices.with(substitute.splices);
                self.work = None;
                self.enqueue(substitute.node);
            }
            None => {}
        }
    }

    fn current(&self) -> Edit {
        self.edit(self.list_splices())
    }
}
