//! Largest first: always try the largest part of the input that has not been tried yet.
//!
//! The idea comes from the node reducer of Perses (Sun et al., *Perses: syntax-guided program reduction*, ICSE 2018,
//! Algorithm 1), applied to any tree whose grammar is known: nodes wait in a queue, the largest first; elements of
//! lists are removed together, along with the separators that the grammar requires; any node can be replaced by a
//! descendant that the grammar allows in its place. Unlike Perses, this search does not finish one list before the
//! next. The parts of all lists wait in the same queue as the nodes, so no time is spent on a line while there is a
//! page to try.

use crate::{
    Batch, Candidate, Content as _, Edit, Input, Label, Needs, Scope, Search, Started, Step, Structure, Unit, Validity,
    Weights,
    tree::{NodeId, Splice, Spliced, Splices},
};
use std::{
    collections::{BinaryHeap, VecDeque},
    sync::Arc,
};

/// How deep below a node to look for a substitute, as in Perses.
const DEPTH: usize = 5;
/// The most substitutes tried for one node.
const SUBSTITUTES: usize = 12;
/// The longest list whose elements are checked against the grammar one by one.
pub(crate) const ASK: usize = 500;

/// A search that always tries the largest part first.
#[derive(Clone)]
pub struct LargestFirst {
    structure: Arc<dyn Structure>,
    splices: Splices,
    /// Waiting tasks with their sizes. Shared, like `lists`, because a search is cloned for every candidate.
    queue: Arc<BinaryHeap<(usize, Task)>>,
    lists: Arc<Vec<List>>,
    work: Option<Work>,
    /// The number of tasks started: the scope of configurations.
    scope: u64,
}

/// A task in the queue. (Among tasks of the same size, parts of the most recently found list come first, and among
/// those the last in the input: definitions mostly precede their uses.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Task {
    /// Replace the node with a descendant, or remove some of its elements.
    Node(NodeId),
    /// Remove these elements of a list.
    Part { list: usize, from: Unit, to: Unit },
}

/// The removable elements of a node.
#[derive(Clone, Debug)]
struct List {
    node: NodeId,
    elements: Arc<[NodeId]>,
    weights: Weights,
    /// Whether elements are removed without separators, so that neighbours form one piece of the input.
    free: bool,
    /// Everything removed so far: elements and separators. Not used for a free list.
    removed: Vec<NodeId>,
}

/// The task in progress.
#[derive(Clone)]
enum Work {
    /// Remove elements of a list. `removed` holds everything then removed from the list, separators included.
    Remove { list: usize, from: Unit, to: Unit, removed: Arc<[NodeId]> },
    /// Replace a node with one of these.
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

    /// Starts the largest waiting task. False if there is none left.
    fn next_work(&mut self) -> bool {
        while let Some((size, task)) = Arc::make_mut(&mut self.queue).pop() {
            self.scope += 1;
            match task {
                Task::Node(node) if self.size(node) < size => {
                    // It has shrunk while it waited.
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
                    Some(removed) => self.work = Some(Work::Remove { list, from, to, removed: removed.into() }),
                    // The grammar requires some of them: no test is needed.
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

    /// Makes a list of the removable elements of a node. The other elements are enqueued as ordinary nodes.
    fn open_list(&mut self, node: NodeId) {
        let structure = Arc::clone(&self.structure);
        let elements: Vec<NodeId> = structure.elements(node).into_iter().filter(|&node| self.size(node) > 0).collect();
        // In a long list, checking every element takes longer than being wrong about some of them.
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
        Arc::make_mut(&mut self.lists).push(List { node, elements, weights, free, removed: vec![] });
        self.enqueue_part(list, 0, to);
    }

    /// Everything removed from a list once these elements are removed; `None` if they cannot be removed.
    fn removal(&self, list: usize, from: Unit, to: Unit) -> Option<Vec<NodeId>> {
        let List { node, elements, removed, free, .. } = &self.lists[list];
        let dropped = &elements[from as usize..to as usize];
        if *free {
            // Removing the whole list was already tried as part of its parent.
            return (dropped.len() < elements.len()).then(Vec::new);
        }
        // Earlier removals must be included: another choice of separators would remove one too many.
        self.structure.removal(*node, &[removed, dropped].concat())
    }

    /// Splits elements that cannot be removed together. A single element is enqueued as an ordinary node.
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

    /// Substitutes for a node: its nearest descendants that the grammar allows in its place, the smallest first.
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

    /// The state if the current work succeeds.
    fn tried(&self) -> Option<Splices> {
        let tree = self.structure.tree();
        match self.work.as_ref()? {
            Work::Remove { list, from, to, .. } if self.lists[*list].free => {
                let elements = &self.lists[*list].elements[*from as usize..*to as usize];
                let span = tree.span(*elements.first()?).start..tree.span(*elements.last()?).end;
                Some(self.splices.with([Splice::cut(span)]))
            }
            Work::Remove { removed, .. } => {
                Some(self.splices.with(removed.iter().map(|&node| Splice::cut(tree.span(node)))))
            }
            Work::Substitute { node, by, at } => {
                Some(self.splices.with(Splice::hoist(&tree.span(*node), &tree.span(*by.get(*at)?))))
            }
        }
    }

    fn edit(&self, splices: Splices) -> Edit {
        let content = Arc::new(Spliced { tree: Arc::clone(self.structure.tree()), splices });
        let weight = content.len() as u64;
        Edit { scope: Scope::list(self.scope), units: self.queue.len(), weight, step: "largest".into(), content }
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
                // The empty input is never proposed: nub tests it separately.
                self.answer(&[]);
                continue;
            }
            // All substitutes were rejected.
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
            (Some(Work::Remove { list, removed, .. }), Some(splices)) => {
                self.splices = splices;
                let list = &mut Arc::make_mut(&mut self.lists)[list];
                list.removed = removed.to_vec();
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

/// [`LargestFirst`] as a step of a plan.
#[derive(Clone, Copy, Debug)]
pub struct LargestStep;

impl LargestStep {
    pub(crate) const ABOUT: &str =
        "removes the largest parts first, with their separators, or replaces them by a part of them";
}

impl Step for LargestStep {
    fn name(&self) -> String {
        "largest".to_owned()
    }

    fn needs(&self) -> Needs {
        Needs::Structure
    }

    fn start(&self, input: &Input<'_>) -> Option<Started> {
        let structure = input.structure()?;
        let started = Started::smaller(LargestFirst::new(Arc::clone(&structure)));
        Some(if structure.is_strict() { started.with(Validity::Required(structure)) } else { started })
    }

    fn repeats(&self) -> bool {
        true
    }
}
