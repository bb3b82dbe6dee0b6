//! Closures before levels: what the failure reaches stays, and everything else goes, in a few dozen tests.
//!
//! Names tie a program together: a definition can go only when its uses go. So the elements of all lists are items that
//! need each other (a statement its function, a use the definition of its name), and only sets of items are tested that
//! are *closed*: with an item everything that it needs. The smallest one is looked for by generalised binary reduction
//! (Kalhauge and Palsberg, *Binary reduction of dependency graphs*, ESEC/FSE 2019, Algorithm 1): put the items in order,
//! find by bisection the shortest prefix whose closure is interesting, and learn that its last item is needed; begin
//! anew with all that is known to be needed, until that is enough. Each item learnt costs log n tests.
//!
//! What needs what is a guess from identical names. A wrong guess makes the result larger, a missing one costs log n
//! tests; neither makes it wrong. Where names mean nothing this is a list search.

use crate::{
    Batch, Candidate, Content as _, Edit, Label, Search, Structure,
    structure::largest::ASK,
    tree::{NodeId, Splice, Spliced, Splices},
};
use std::{
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    sync::Arc,
};

/// How many items are told apart at most, those of outer lists first.
const ITEMS: usize = 20_000;
/// An element with more than this part of the input is not only an item, but has items in it: a class, a namespace.
const LARGE: usize = 8;
/// Smaller inputs have nothing to gain.
const BYTES: usize = 2000;

/// The search.
#[derive(Clone)]
pub struct Closures {
    structure: Arc<dyn Structure>,
    items: Arc<Items>,
    /// Known to be needed, with all that these need.
    learnt: Arc<Set>,
    /// What else is kept, in the order in which it may go: every step is closed with those before it and what is learnt.
    steps: Arc<[Step]>,
    /// So many steps are not enough; `None` if even what is learnt has not been tried alone.
    too_few: Option<usize>,
    /// So many steps are enough.
    enough: usize,
    /// How many items were learnt.
    rounds: u64,
}

type Set = Vec<bool>;

/// Items that come together, and how many bytes they and those before them have.
#[derive(Clone, Debug)]
struct Step {
    items: Vec<usize>,
    weight: u64,
}

/// Elements of lists, and what they need.
struct Items {
    /// The node and the list that it is an element of. An item comes behind the one around it.
    nodes: Vec<(NodeId, NodeId)>,
    needs: Vec<Vec<usize>>,
    /// How many bytes are in an item and in no item inside of it.
    weights: Vec<u64>,
}

impl Items {
    fn new(structure: &dyn Structure) -> Self {
        let tree = structure.tree();
        let large = tree.input().len() / LARGE;
        let mut nodes: Vec<(NodeId, NodeId)> = vec![];
        let mut around: Vec<Option<usize>> = vec![];
        let mut leaves: Vec<(NodeId, Option<usize>)> = vec![];
        let mut waiting = VecDeque::from([(tree.root(), None)]);
        while let Some((node, item)) = waiting.pop_front() {
            let elements = structure.elements(node);
            // What is inside of a small item stays together.
            let inside = item.is_some_and(|item: usize| tree.span(nodes[item].0).len() <= large);
            if elements.is_empty() {
                leaves.push((node, item));
            }
            let ask = elements.len() <= ASK && !inside;
            for element in elements {
                let may_go = nodes.len() < ITEMS
                    && !inside
                    && !tree.kind(element).is_token()
                    && (!ask || structure.removal(node, &[element]).is_some());
                if may_go {
                    nodes.push((element, node));
                    around.push(item);
                    waiting.push_back((element, Some(nodes.len() - 1)));
                } else {
                    waiting.push_back((element, item));
                }
            }
        }
        let mut weights: Vec<u64> = nodes.iter().map(|&(node, _)| tree.span(node).len() as u64).collect();
        for (item, around) in around.iter().enumerate() {
            if let Some(around) = *around {
                weights[around] = weights[around].saturating_sub(tree.span(nodes[item].0).len() as u64);
            }
        }
        leaves.sort_by_key(|&(leaf, _)| tree.span(leaf).start);
        let needs = needs(structure, &leaves, &around);
        Self { nodes, needs, weights }
    }

    /// Everything that an item needs and that is not in `set` comes into it, and is returned.
    fn close(&self, set: &mut Set, item: usize) -> Vec<usize> {
        let mut added = vec![];
        let mut waiting = vec![item];
        while let Some(item) = waiting.pop() {
            if !std::mem::replace(&mut set[item], true) {
                added.push(item);
                waiting.extend(&self.needs[item]);
            }
        }
        added
    }
}

/// What every item needs: the one around it, and where the names in it are defined.
fn needs(structure: &dyn Structure, leaves: &[(NodeId, Option<usize>)], around: &[Option<usize>]) -> Vec<Vec<usize>> {
    let tree = structure.tree();
    let mut needs: Vec<Vec<usize>> = around.iter().map(|around| around.iter().copied().collect()).collect();
    let names = || {
        let named = leaves.iter().filter(|&&(leaf, _)| !tree.text(leaf).is_empty() && structure.is_name(leaf));
        named.map(|&(leaf, item)| (leaf, tree.text(leaf), item))
    };
    // A name is defined where the grammar says so first, or else where it occurs first; but not for an item that has a
    // definition of its own.
    let mut own: HashSet<(Option<usize>, &[u8])> = HashSet::new();
    let mut defined: HashMap<&[u8], Option<usize>> = HashMap::new();
    let mut first: HashMap<&[u8], Option<usize>> = HashMap::new();
    for (leaf, text, item) in names() {
        first.entry(text).or_insert(item);
        if structure.is_definition(leaf) {
            defined.entry(text).or_insert(item);
            own.insert((item, text));
        }
    }
    for (_, text, item) in names() {
        if let (Some(user), false) = (item, own.contains(&(item, text))) {
            let definition = defined.get(text).or_else(|| first.get(text)).copied().flatten();
            needs[user].extend(definition.filter(|&definition| definition != user));
        }
    }
    for needs in &mut needs {
        needs.sort_unstable();
        needs.dedup();
    }
    needs
}

impl Closures {
    /// A search over an input of this structure, which must be interesting. `None` for an input that is too small to gain
    /// by it.
    pub fn new(structure: Arc<dyn Structure>) -> Option<Self> {
        if structure.tree().input().len() < BYTES {
            return None;
        }
        let items = Arc::new(Items::new(&*structure));
        let learnt = Arc::new(vec![false; items.nodes.len()]);
        let mut all: Vec<usize> = (0..items.nodes.len()).collect();
        all.sort_by_key(|&item| structure.tree().span(items.nodes[item].0).start);
        let mut closures = Self { structure, items, learnt, steps: [].into(), too_few: None, enough: 0, rounds: 0 };
        closures.order(all.into_iter());
        Some(closures)
    }

    /// Puts the steps in order anew: these items, and what each needs.
    fn order(&mut self, items: impl Iterator<Item = usize>) {
        let mut set = Set::clone(&self.learnt);
        let mut weight = 0;
        let steps = items.filter_map(|item| {
            let items = self.items.close(&mut set, item);
            weight += items.iter().map(|&item| self.items.weights[item]).sum::<u64>();
            (!items.is_empty()).then_some(Step { items, weight })
        });
        self.steps = steps.collect();
        (self.too_few, self.enough) = (None, self.steps.len());
    }

    /// How many steps to try: those with half of the bytes in question.
    fn middle(&self) -> usize {
        let Some(too_few) = self.too_few else { return 0 };
        let weight = |steps: usize| steps.checked_sub(1).map_or(0, |last| self.steps[last].weight);
        let half = weight(too_few).midpoint(weight(self.enough));
        let middle = self.steps.partition_point(|step| step.weight <= half);
        middle.clamp(too_few + 1, self.enough - 1)
    }

    /// What is learnt and the first few steps: everything else is cut.
    fn splices(&self, steps: usize) -> Splices {
        let mut kept = Set::clone(&self.learnt);
        for &item in self.steps[..steps].iter().flat_map(|step| &step.items) {
            kept[item] = true;
        }
        let mut lists: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        for (item, &(node, list)) in self.items.nodes.iter().enumerate() {
            if !kept[item] {
                lists.entry(list).or_default().push(node);
            }
        }
        let tree = self.structure.tree();
        // What the grammar does not let go stays.
        let gone = lists.iter().filter_map(|(&list, dropped)| self.structure.removal(list, dropped)).flatten();
        Splices::none().with(gone.map(|node| Splice::cut(tree.span(node))))
    }

    fn edit(&self, steps: usize) -> Edit {
        let content = Arc::new(Spliced { tree: Arc::clone(self.structure.tree()), splices: self.splices(steps) });
        let weight = content.len() as u64;
        Edit { phase: 0, scope: self.rounds, units: steps, weight, step: "closures".into(), content }
    }
}

impl Search for Closures {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        loop {
            if self.enough == 0 {
                return None;
            }
            if self.too_few.is_some_and(|too_few| too_few + 1 == self.enough) {
                // The last step is needed.
                let (last, rest) = (self.enough - 1, Arc::clone(&self.steps));
                let learnt = Arc::make_mut(&mut self.learnt);
                for &item in &rest[last].items {
                    // What it needs may be in the steps before.
                    self.items.close(learnt, item);
                }
                self.rounds += 1;
                self.order(rest[..last].iter().flat_map(|step| step.items.iter().copied()));
                continue;
            }
            let steps = self.middle();
            let edit = self.edit(steps);
            if edit.weight > 0 {
                let label = Label::new(format_args!("p{steps}")).within(format_args!("r{}", self.rounds));
                return Some(vec![Candidate { label, what: edit }]);
            }
            // The empty input is never proposed: nub asks about it on its own account.
            self.too_few = Some(steps);
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        let steps = self.middle();
        match interesting.is_empty() {
            true => self.too_few = Some(steps),
            false => self.enough = steps,
        }
    }

    fn current(&self) -> Edit {
        self.edit(self.enough)
    }
}
