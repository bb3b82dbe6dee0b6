//! Largest first: whatever part of the input is the largest that has not been tried is tried next.
//!
//! The idea is that of the node reducer of Perses (Sun et al., *Perses: syntax-guided program reduction*, ICSE 2018,
//! Algorithm 1), on any tree whose grammar is known: a queue of nodes, the largest first; elements of lists go together,
//! with the separators that the grammar wants to go with them; any node can be replaced by something below it that the
//! grammar would take in its place. What is different here: lists are not finished one by one. The parts of all lists
//! wait in the same queue as the nodes, so that no time is spent on a line while there is a page to try.

use crate::{
    Batch, Candidate, Content as _, Edit, Label, Search, Structure, Unit, Weights,
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
pub(crate) const ASK: usize = 500;

/// The search.
#[derive(Clone)]
pub struct LargestFirst {
    structure: Arc<dyn Structure>,
    splices: Splices,
    /// What waits. Shared, like `lists`, because a search is cloned for every candidate.
    queue: Arc<BinaryHeap<(usize, Task)>>,
    lists: Arc<Vec<List>>,
    work: Option<Work>,
    /// How many tasks were begun: the scope of configurations.
    scope: u64,
}

/// What waits for its turn. (Of tasks of the same size, parts of the list that was found last come first, and of these
/// the last in the input: what is used is mostly defined before.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Task {
    /// Something could take the place of the node, or its elements could go.
    Node(NodeId),
    /// These elements of a list could go.
    Part { list: usize, from: Unit, to: Unit },
}

/// Elements of a node that could go.
#[derive(Clone, Debug)]
struct List {
    node: NodeId,
    elements: Arc<[NodeId]>,
    weights: Weights,
    /// Whether elements go without separators, so that neighbours are one piece of the input.
    free: bool,
    /// Everything that is gone: elements and separators. Of no interest in a free list.
    gone: Vec<NodeId>,
}

/// What is being tried.
#[derive(Clone)]
enum Work {
    /// Elements of a list go, with these separators.
    Remove { list: usize, from: Unit, to: Unit, gone: Arc<[NodeId]> },
    /// One of these takes the place of a node.
    Substitute { node: NodeId, by: Arc<[NodeId]>, at: usize },
}

impl LargestFirst {
    /// A search over an input of this structure, which must be interesting.
    pub fn new(structure: Arc<dyn Structure>) -> Self {
        let tree = structure.tree();
        let root = (tree.span(tree.root()).len(), Task::Node(tree.root()));
        let (queue, lists) = (Arc::new(BinaryHeap::from([root])), Arc::new(vec![]));
        Self { structure, splices: Splices::none(), queue, lists, work: None, scope: 0 }
    }

    /// How many bytes of a node are left.
    fn size(&self, node: NodeId) -> usize {
        self.splices.left(self.structure.tree().span(node))
    }

    /// Begins with the largest task that waits. False if there is none left.
    fn next_work(&mut self) -> bool {
        while let Some((size, task)) = Arc::make_mut(&mut self.queue).pop() {
            self.scope += 1;
            match task {
                Task::Node(node) if self.size(node) < size => {
                    // It has become smaller while it waited.
                    self.enqueue([node]);
                }
                Task::Node(node) => {
                    let by = self.substitutes(node);
                    if by.is_empty() {
                        self.open_list(node);
                    } else {
                        self.work = Some(Work::Substitute { node, by: by.into(), at: 0 });
                    }
                }
                Task::Part { list, from, to } => match self.removal(list, from, to) {
                    Some(gone) => self.work = Some(Work::Remove { list, from, to, gone: gone.into() }),
                    // The grammar wants some of them to stay: no test is needed.
                    None => self.split(list, from, to),
                },
            }
            if self.work.is_some() {
                return true;
            }
        }
        false
    }

    fn enqueue(&mut self, nodes: impl IntoIterator<Item = NodeId>) {
        for node in nodes {
            let size = self.size(node);
            if size > 0 && !self.structure.tree().kind(node).is_token() {
                Arc::make_mut(&mut self.queue).push((size, Task::Node(node)));
            }
        }
    }

    fn enqueue_part(&mut self, list: usize, from: Unit, to: Unit) {
        let size = self.lists[list].weights.of(from, to) as usize;
        Arc::make_mut(&mut self.queue).push((size, Task::Part { list, from, to }));
    }

    /// Finds the elements of a node that could go. The others are nodes like any other.
    fn open_list(&mut self, node: NodeId) {
        let structure = Arc::clone(&self.structure);
        let elements: Vec<NodeId> = structure.elements(node).into_iter().filter(|&node| self.size(node) > 0).collect();
        // To ask about every single one of a long list takes longer than to be wrong about some of them.
        let ask = elements.len() <= ASK;
        let may_go = |&element: &NodeId| {
            structure.may_go(node, element).unwrap_or_else(|| match ask {
                true => structure.removal(node, &[element]).is_some(),
                false => !structure.tree().kind(element).is_token(),
            })
        };
        let (elements, others): (Vec<NodeId>, Vec<NodeId>) = elements.into_iter().partition(may_go);
        self.enqueue(others);
        if elements.is_empty() {
            return;
        }
        let weights = Weights::new(elements.iter().map(|&element| self.size(element) as u64));
        let (list, to) = (self.lists.len(), elements.len() as Unit);
        let (elements, free) = (elements.into(), structure.is_free(node));
        Arc::make_mut(&mut self.lists).push(List { node, elements, weights, free, gone: vec![] });
        self.enqueue_part(list, 0, to);
    }

    /// Everything that is gone from a list without these elements; `None` if they cannot go.
    fn removal(&self, list: usize, from: Unit, to: Unit) -> Option<Vec<NodeId>> {
        let List { node, elements, gone, free, .. } = &self.lists[list];
        let dropped = &elements[from as usize..to as usize];
        if *free {
            // All of a list is what its parent has been asked about.
            return (dropped.len() < elements.len()).then(Vec::new);
        }
        // What is gone already must be part of it: another choice of separators would take out one more of them.
        self.structure.removal(*node, &[gone, dropped].concat())
    }

    /// These elements cannot go together. A single one is a node like any other.
    fn split(&mut self, list: usize, from: Unit, to: Unit) {
        if to - from > 1 {
            let middle = self.lists[list].weights.middle(from, to);
            self.enqueue_part(list, from, middle);
            self.enqueue_part(list, middle, to);
        } else {
            let element = self.lists[list].elements[from as usize];
            self.enqueue([element]);
        }
    }

    /// What could take the place of a node: the nearest nodes below it that the grammar would take there, the smallest
    /// first.
    fn substitutes(&self, node: NodeId) -> Vec<NodeId> {
        let (structure, tree, size) = (&self.structure, self.structure.tree(), self.size(node));
        let mut found = vec![];
        let mut waiting: VecDeque<(NodeId, usize)> = structure.elements(node).into_iter().map(|n| (n, 1)).collect();
        while let Some((descendant, depth)) = waiting.pop_front() {
            let left = self.size(descendant);
            if left == 0 || tree.kind(descendant).is_token() && left < tree.span(descendant).len() {
                continue;
            }
            if left < size && structure.may_replace(node, descendant) {
                found.push((left, descendant));
            } else if depth < DEPTH {
                waiting.extend(structure.elements(descendant).into_iter().map(|node| (node, depth + 1)));
            }
        }
        found.sort_by_key(|&(left, _)| left);
        found.truncate(SUBSTITUTES);
        found.into_iter().map(|(_, substitute)| substitute).collect()
    }

    /// The state if the work at hand succeeds.
    fn tried(&self) -> Option<Splices> {
        let tree = self.structure.tree();
        match self.work.as_ref()? {
            Work::Remove { list, from, to, .. } if self.lists[*list].free => {
                let elements = &self.lists[*list].elements[*from as usize..*to as usize];
                let span = tree.span(*elements.first()?).start..tree.span(*elements.last()?).end;
                Some(self.splices.with([Splice::cut(span)]))
            }
            Work::Remove { gone, .. } => Some(self.splices.with(gone.iter().map(|&node| Splice::cut(tree.span(node))))),
            Work::Substitute { node, by, at } => {
                Some(self.splices.with(Splice::hoist(&tree.span(*node), &tree.span(*by.get(*at)?))))
            }
        }
    }

    fn edit(&self, splices: Splices) -> Edit {
        let content = Arc::new(Spliced { tree: Arc::clone(self.structure.tree()), splices });
        let weight = content.len() as u64;
        Edit { phase: 0, scope: self.scope, units: self.queue.len(), weight, step: "largest".into(), content }
    }
}

impl Search for LargestFirst {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        loop {
            if let Some(splices) = self.tried() {
                let what = match self.work {
                    Some(Work::Substitute { at, .. }) => format!("s{at}"),
                    _ => "r".to_owned(),
                };
                let label = Label::new(what).within(format_args!("t{}", self.scope));
                let edit = self.edit(splices);
                if edit.weight > 0 {
                    return Some(vec![Candidate { label, what: edit }]);
                }
                // The empty input is never proposed: nub asks about it on its own account.
                self.answer(&[]);
                continue;
            }
            // All substitutes were refused.
            if let Some(Work::Substitute { node, .. }) = self.work.take() {
                self.open_list(node);
            }
            if !self.next_work() {
                return None;
            }
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        let accepted = if interesting.is_empty() { None } else { self.tried() };
        match (self.work.take(), accepted) {
            (Some(Work::Remove { list, gone, .. }), Some(splices)) => {
                self.splices = splices;
                let list = &mut Arc::make_mut(&mut self.lists)[list];
                list.gone = gone.to_vec();
            }
            (Some(Work::Remove { list, from, to, .. }), None) => self.split(list, from, to),
            (Some(Work::Substitute { by, at, .. }), Some(splices)) => {
                self.splices = splices;
                self.enqueue([by[at]]);
            }
            (Some(Work::Substitute { node, by, at }), None) => {
                self.work = Some(Work::Substitute { node, by, at: at + 1 });
            }
            (None, _) => {}
        }
    }

    fn current(&self) -> Edit {
        self.edit(self.splices.clone())
    }
}
