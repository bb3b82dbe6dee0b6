//! Hierarchical delta debugging: Misherghi and Su, *HDD: hierarchical delta debugging*, ICSE 2006. The recursive form,
//! HDDr: Kiss, Hodován and Gyimóthy, A-TEST 2018. The coarse form: Hodován, Kiss and Gyimóthy, A-TEST 2017.

use crate::{
    Batch, Candidate, Configuration, Content, Edit, Hoist, HoistOrder, Iterate, Label, ListAlgorithm, ListSettings,
    Order, Scope, Search, SplitFactor, Weights,
    tree::{Change, Cuts, NodeId, Spacing, State, Tree},
};
use std::{collections::VecDeque, sync::Arc};

/// The order in which the lists of a tree are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traversal {
    /// HDD: all nodes of a level at once, from the root down.
    Levels,
    /// HDDr: the children of one node at a time. Nodes wait in a queue; the four combinations are breadth-first and
    /// depth-first, forward and reversed. The published runs set neither flag: reversed depth-first.
    Nodes {
        /// Take the oldest node in the queue rather than the newest.
        pop_first: bool,
        /// Append children to the queue from right to left.
        append_reversed: bool,
    },
}

/// One phase of a tree reduction: which lists of nodes it visits, and what it does with each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Which lists, in which order.
    pub traversal: Traversal,
    /// Whether, and how, lists of nodes are minimised. A removed node leaves its minimal replacement behind.
    pub prune: Option<ListAlgorithm>,
    /// Whether, and in which order, nodes are replaced by descendants, after pruning.
    pub hoist: Option<HoistOrder>,
    /// Only nodes with an empty replacement are units: Coarse HDD.
    pub coarse: bool,
    /// Whether the phase is repeated until it changes nothing: the `*` of HDD\*.
    pub star: bool,
}

impl Phase {
    /// The phases of an algorithm by its name (without `+`): `hdd`, `hddr*`, `coarse-hdd*`, `hoist*`, `coarse-hoistr`,
    /// `hddh*`, `coarse-hddhr*`, `hdd-plus`, … They prune with `list` and hoist in `order`; the recursive forms use the
    /// traversal `recursive`.
    pub fn named(name: &str, list: ListAlgorithm, order: HoistOrder, recursive: Traversal) -> Option<Vec<Self>> {
        if name == "hdd-plus" {
            // HDD once, then every node on its own, breadth-first, until no node can be removed.
            let single = ListSettings { split_factor: SplitFactor::Infinite, subsets: Order::Skip, ..list.settings };
            let hdd = Self { traversal: Traversal::Levels, prune: Some(list), hoist: None, coarse: false, star: false };
            let singly = ListAlgorithm { settings: single, ..list };
            return Some(vec![hdd, Self { prune: Some(singly), star: true, ..hdd }]);
        }
        let (name, star) = name.strip_suffix('*').map_or((name, false), |name| (name, true));
        let (name, coarse) = name.strip_prefix("coarse-").map_or((name, false), |name| (name, true));
        let (prune, hoist, traversal) = match name {
            "hdd" => (true, false, Traversal::Levels),
            "hddr" => (true, false, recursive),
            "hddh" => (true, true, Traversal::Levels),
            "hddhr" => (true, true, recursive),
            "hoist" => (false, true, Traversal::Levels),
            "hoistr" => (false, true, recursive),
            _ => return None,
        };
        Some(vec![Self { traversal, prune: prune.then_some(list), hoist: hoist.then_some(order), coarse, star }])
    }

    /// The names that [`named`](Self::named) knows, without `*` and `coarse-`, and what they do.
    pub const NAMES: [(&str, &str); 7] = [
        ("hdd", "hierarchical delta debugging: ddmin on the levels of the tree"),
        ("hddr", "HDD on the children of one node at a time"),
        ("hddh", "HDD that also hoists on each level"),
        ("hddhr", "HDDr that also hoists"),
        ("hoist", "replaces nodes by descendants of the same kind, level by level"),
        ("hoistr", "hoists among the children of one node at a time"),
        ("hdd-plus", "HDD, then every node alone, until none can be removed"),
    ];

    /// Whether no single node can be removed from its result: a 1-tree-minimal one. `unchanged`: it was started on that
    /// very result, and changed nothing. The last iteration of a starred phase is such a run.
    pub fn is_tree_minimal(&self, unchanged: bool) -> bool {
        (self.star || unchanged) && !self.coarse && self.prune.is_some_and(|list| list.is_one_minimal(true))
    }

    /// All parameters, the same in every version.
    pub(crate) fn spelling(&self) -> String {
        let lists = match self.traversal {
            Traversal::Levels => "levels",
            Traversal::Nodes { pop_first: false, append_reversed: false } => "nodes depth-first reversed",
            Traversal::Nodes { pop_first: false, append_reversed: true } => "nodes depth-first",
            Traversal::Nodes { pop_first: true, append_reversed: false } => "nodes breadth-first",
            Traversal::Nodes { pop_first: true, append_reversed: true } => "nodes breadth-first reversed",
        };
        let prune = self.prune.map_or(String::new(), |list| format!(" prune {}", list.spelling()));
        let hoist = match self.hoist {
            None => "",
            Some(HoistOrder::Preorder) => " hoist preorder",
            Some(HoistOrder::Furthest) => " hoist furthest",
        };
        let (coarse, star) = (if self.coarse { " coarse" } else { "" }, if self.star { " *" } else { "" });
        format!("{lists}{prune}{hoist}{coarse}{star}")
    }

    fn transformations(self) -> VecDeque<Transformation> {
        let (prune, hoist) = (self.prune.map(Transformation::Prune), self.hoist.map(Transformation::Hoist));
        prune.into_iter().chain(hoist).collect()
    }
}

/// One kind of work on a list of nodes.
#[derive(Clone, Copy, Debug)]
enum Transformation {
    Prune(ListAlgorithm),
    Hoist(HoistOrder),
}

/// A search over a tree: HDD, HDDr, their coarse forms, hoisting, and all their combinations.
///
/// ```text
/// for each phase, repeated if it is starred and has changed something:
///     for each list of nodes, in the order of the traversal:
///         prune it, then hoist what is left of it
/// ```
#[derive(Clone)]
pub struct TreeSearch {
    tree: Arc<Tree>,
    spacing: Spacing,
    phases: Arc<[Phase]>,
    phase: usize,
    iteration: usize,
    /// Whether this iteration has changed anything.
    changed: bool,
    state: State,
    walk: Walk,
    /// The transformations still to be applied to the list of nodes.
    transformations: VecDeque<Transformation>,
    nodes: Arc<[NodeId]>,
    work: Option<Work>,
    /// The number of lists worked on so far: the scope of configurations.
    scope: u64,
}

/// Where in the tree a search is.
#[derive(Clone, Debug)]
enum Walk {
    /// All nodes of the level visited last; none at the start.
    Levels(Option<Arc<[NodeId]>>),
    /// The node whose children were visited last, and the queue. (Shared, because a search is cloned for every
    /// candidate but moves to another node far less often.)
    Nodes { last: Option<NodeId>, queue: Arc<VecDeque<NodeId>> },
}

/// A transformation in progress.
#[derive(Clone, Debug)]
enum Work {
    /// A list minimiser on the nodes.
    Prune(Iterate),
    /// One node is left: can it be removed, too? ddmin never tries to remove everything; HDD does.
    PruneLast(Configuration),
    /// Replacing nodes with their descendants.
    Hoist(Hoist),
}

impl TreeSearch {
    /// A search over a prepared tree, whose text must be interesting.
    ///
    /// # Panics
    /// If there are no phases.
    pub fn new(phases: impl Into<Arc<[Phase]>>, tree: Arc<Tree>, spacing: Spacing) -> Self {
        let phases = phases.into();
        let walk = start(phases[0].traversal, tree.root());
        let (state, transformations, nodes) = (tree.initial_state(), VecDeque::new(), Arc::from([]));
        let (phase, iteration, changed, work, scope) = (0, 0, false, None, 0);
        Self { tree, spacing, phases, phase, iteration, changed, state, walk, transformations, nodes, work, scope }
    }

    /// Everything that has been done to the tree so far.
    pub fn state(&self) -> State {
        self.state.with(&self.tree, &self.change())
    }

    /// Finds the next work to do. False if there is none left.
    fn next_work(&mut self) -> bool {
        loop {
            if let Some(transformation) = self.transformations.pop_front() {
                self.scope += 1;
                self.work = Some(self.begin(transformation));
                return true;
            }
            if self.next_list() {
                self.transformations = self.phases[self.phase].transformations();
            } else if !self.next_iteration() {
                return false;
            }
        }
    }

    fn begin(&self, transformation: Transformation) -> Work {
        match transformation {
            Transformation::Prune(list) => {
                let weights = if list.minimizer.is_weighted() { self.weights() } else { Weights::equal() };
                Work::Prune(list.start(Configuration::full(self.nodes.len()), weights))
            }
            Transformation::Hoist(order) => {
                let (tree, nodes) = (Arc::clone(&self.tree), Arc::clone(&self.nodes));
                Work::Hoist(Hoist::new(tree, self.state.clone(), nodes, order))
            }
        }
    }

    /// Starts the next iteration of a starred phase that has changed something, or the next phase.
    fn next_iteration(&mut self) -> bool {
        if self.phases[self.phase].star && self.changed {
            self.iteration += 1;
        } else if self.phase + 1 < self.phases.len() {
            self.phase += 1;
            self.iteration = 0;
        } else {
            return false;
        }
        self.changed = false;
        self.walk = start(self.phases[self.phase].traversal, self.tree.root());
        true
    }

    /// Moves on to the next list that has units in it. False at the end of the traversal.
    fn next_list(&mut self) -> bool {
        while let Some(list) = self.advance() {
            let phase = self.phases[self.phase];
            let is_unit = |node: &NodeId| {
                !self.tree.is_fixed(*node) && (!phase.coarse || self.tree.replacement(*node).is_empty())
            };
            self.nodes = list.into_iter().filter(is_unit).collect();
            if !self.nodes.is_empty() {
                return true;
            }
        }
        false
    }

    /// The next list of the traversal: the kept nodes of the next level, or the kept children of the next node.
    fn advance(&mut self) -> Option<Vec<NodeId>> {
        match &self.walk {
            Walk::Levels(last) => {
                let level: Vec<NodeId> = match last {
                    None => vec![self.state.resolve(self.tree.root())],
                    Some(last) => last.iter().flat_map(|&node| self.kept_children(node)).collect(),
                };
                let level: Vec<NodeId> = level.into_iter().filter(|&node| self.state.is_kept(node)).collect();
                self.walk = Walk::Levels(Some(level.as_slice().into()));
                (!level.is_empty()).then_some(level)
            }
            Walk::Nodes { last, queue } => {
                let Traversal::Nodes { pop_first, append_reversed } = self.phases[self.phase].traversal else {
                    return None;
                };
                let mut children = last.map(|node| self.kept_children(node)).unwrap_or_default();
                if append_reversed {
                    children.reverse();
                }
                let mut queue = Arc::clone(queue);
                let waiting = Arc::make_mut(&mut queue);
                waiting.extend(children);
                let node = if pop_first { waiting.pop_front() } else { waiting.pop_back() }?;
                self.walk = Walk::Nodes { last: Some(node), queue };
                Some(self.kept_children(node))
            }
        }
    }

    /// The kept children of `node`, or of the descendant hoisted into its place; none if that node is removed.
    fn kept_children(&self, node: NodeId) -> Vec<NodeId> {
        let node = self.state.resolve(node);
        if !self.state.is_kept(node) {
            return vec![];
        }
        let children = self.tree.children(node).map(|child| self.state.resolve(child));
        children.filter(|&child| self.state.is_kept(child)).collect()
    }

    /// For each node of the list, the bytes of its remaining tokens.
    fn weights(&self) -> Weights {
        let mut waiting = vec![];
        Weights::new(self.nodes.iter().map(|&node| {
            let mut bytes = 0;
            waiting.push(node);
            while let Some(node) = waiting.pop() {
                if self.tree.kind(node).is_token() {
                    bytes += self.tree.text(node).len() as u64;
                } else {
                    waiting.extend(self.kept_children(node));
                }
            }
            bytes
        }))
    }

    /// The change that keeps only the nodes at these positions of the list.
    fn prune(&self, kept: &Configuration) -> Change {
        let mut removed: Vec<NodeId> = (0..)
            .zip(self.nodes.iter())
            .filter(|&(position, _)| !kept.contains(position))
            .map(|(_, &node)| node)
            .collect();
        removed.sort_unstable();
        Change { removed, ..Change::default() }
    }

    /// The candidates of the current work. When it has none left, its result becomes part of the state.
    fn propose_work(&mut self) -> Option<Batch<Change>> {
        loop {
            let batch = match self.work.as_mut()? {
                Work::Prune(list) => list
                    .propose()
                    .map(|batch| batch.into_iter().map(|Candidate { label, what }| (label, what)).collect::<Vec<_>>()),
                Work::PruneLast(_) => Some(vec![(Label::new("empty"), Configuration::full(0))]),
                Work::Hoist(hoist) => match hoist.propose() {
                    Some(batch) => return Some(batch),
                    None => None,
                },
            };
            if let Some(batch) = batch {
                let candidate = |(label, what)| Candidate { label, what: self.prune(&what) };
                return Some(batch.into_iter().map(candidate).collect());
            }
            self.finish_work();
        }
    }

    fn finish_work(&mut self) {
        match self.work.take() {
            Some(Work::Prune(list)) if list.current().len() == 1 => self.work = Some(Work::PruneLast(list.current())),
            work => {
                self.work = work;
                self.commit_work();
            }
        }
    }

    fn commit_work(&mut self) {
        let change = self.change();
        self.work = None;
        if change != Change::default() {
            self.changed = true;
            self.state = self.state.with(&self.tree, &change);
        }
    }

    /// The change that the current work has achieved so far.
    fn change(&self) -> Change {
        match &self.work {
            None => Change::default(),
            Some(Work::Prune(list)) => self.prune(&list.current()),
            Some(Work::PruneLast(configuration)) => self.prune(configuration),
            Some(Work::Hoist(hoist)) => hoist.current(),
        }
    }

    fn edit(&self, state: State, change: Change, units: usize) -> Edit {
        let phase = self.phases[self.phase];
        let step = match (phase.prune, phase.hoist) {
            (Some(_), None) => "prune",
            (None, _) => "hoist",
            (Some(_), Some(_)) => "prune+hoist",
        };
        let written = match self.spacing {
            Spacing::Original => Written::Cuts(self.tree.cuts(&state, &change)),
            spacing => Written::State(state, spacing),
        };
        let content = TreeEdit { tree: Arc::clone(&self.tree), change, written };
        Edit {
            scope: Scope { step: 0, phase: self.phase as u32, list: self.scope },
            units,
            weight: content.len() as u64,
            step: step.into(),
            content: Arc::new(content),
        }
    }
}

fn start(traversal: Traversal, root: NodeId) -> Walk {
    match traversal {
        Traversal::Levels => Walk::Levels(None),
        Traversal::Nodes { .. } => Walk::Nodes { last: None, queue: Arc::new([root].into()) },
    }
}

impl Search for TreeSearch {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        loop {
            if let Some(batch) = self.propose_work() {
                let outer = format!("p{}_i{}_l{}", self.phase, self.iteration, self.scope);
                let lift = |candidate: Candidate<Change>| {
                    candidate.lift(&outer, |change| {
                        let units = self.nodes.len() - change.removed.len();
                        self.edit(self.state.clone(), change, units)
                    })
                };
                return Some(batch.into_iter().map(lift).collect());
            }
            if !self.next_work() {
                return None;
            }
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        match &mut self.work {
            Some(Work::Prune(list)) => list.answer(interesting),
            Some(Work::Hoist(hoist)) => hoist.answer(interesting),
            Some(Work::PruneLast(configuration)) => {
                if !interesting.is_empty() {
                    *configuration = Configuration::full(0);
                }
                self.commit_work();
            }
            None => {}
        }
    }

    fn current(&self) -> Edit {
        self.edit(self.state(), Change::default(), self.nodes.len())
    }
}

/// A tree in a state, with a change tried on top of it.
struct TreeEdit {
    tree: Arc<Tree>,
    change: Change,
    written: Written,
}

/// The data needed to write a candidate.
enum Written {
    /// Takes time proportional to the difference from the input.
    Cuts(Cuts),
    /// Takes time proportional to the tree.
    State(State, Spacing),
}

impl Content for TreeEdit {
    fn write(&self, sink: &mut dyn FnMut(&[u8])) {
        match &self.written {
            Written::Cuts(cuts) => cuts.write(&self.tree, sink),
            Written::State(state, spacing) => self.tree.unparse(state, &self.change, *spacing, sink),
        }
    }

    fn identify(&self, sink: &mut dyn FnMut(&[u8])) {
        for node in &self.change.removed {
            sink(&node.0.to_le_bytes());
        }
        for (node, descendant) in &self.change.hoisted {
            sink(&[node.0.to_le_bytes(), descendant.0.to_le_bytes()].concat());
        }
    }
}
