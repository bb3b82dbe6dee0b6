//! Items of lists, the largest first.
//!
//! As in [`LargestFirst`](crate::LargestFirst), parts of all lists wait in one queue, and whatever is the largest is tried
//! next: the whole list, then its halves, down to single items, and then the lists inside of those. What is tried with a
//! part depends on what binary data is like:
//!
//! - its items go, and the count and all sizes around follow;
//! - they go together with the items at the same places of another list that has as many: what belongs to one thing is
//!   often kept in several tables (a function's type here, its code there);
//! - others often refer to items by their number, so that they cannot go, but they can become as small as anything of
//!   their kind: empty, or the smallest item of the same list, or nothing but zeros and the last byte.

use super::blob::{Blob, Item, List};
use crate::{
    Batch, Candidate, Configuration, Content as _, Edit, Label, Search, Unit, Weights,
    tree::{Splice, Splices},
};
use std::{collections::BinaryHeap, ops::Range, sync::Arc};

/// Lists that lose items at the same places as another one at most.
const PARTNERS: usize = 4;
/// How often something may fail with a list before it has to have succeeded with it: this often, and so often again for
/// every success.
const PATIENCE: (u32, u32) = (12, 6);

/// The search.
#[derive(Clone)]
pub(super) struct Blocks {
    blob: Arc<Blob>,
    state: State,
    /// What waits: how large it is, the list, and the part of it.
    queue: Arc<BinaryHeap<(u64, usize, Unit, Unit)>>,
    weights: Arc<[Weights]>,
    /// Per list and kind of try, how often it failed and how often it succeeded.
    record: Arc<Vec<[(u32, u32); KINDS]>>,
    work: Option<Work>,
    scope: u64,
}

/// What has been done.
#[derive(Clone)]
struct State {
    splices: Splices,
    /// The items that are left, per list.
    left: Arc<Vec<Configuration>>,
}

/// What is being tried with a part of a list.
#[derive(Clone)]
struct Work {
    list: usize,
    from: Unit,
    to: Unit,
    /// What can be tried, and which of it is at hand.
    tries: Arc<[Try]>,
    at: usize,
}

/// What can be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Try {
    /// The items go.
    Remove,
    /// They go with the items at the same places of all lists of that length.
    RemoveAll,
    /// They go with the items at the same places of this list.
    RemoveWith(usize),
    /// Their payloads become empty.
    Empty,
    /// The smallest item takes their places.
    Smallest,
    /// Their largest payload becomes so many zeros and its last byte.
    Zeros(usize),
}

const KINDS: usize = 7;

impl Try {
    fn kind(self) -> usize {
        match self {
            Self::Remove => 0,
            Self::RemoveAll => 1,
            Self::RemoveWith(_) => 2,
            Self::Empty => 3,
            Self::Smallest => 4,
            Self::Zeros(count) => 5 + (count - 1).min(1),
        }
    }
}

impl Blocks {
    /// A search over data, which must be interesting.
    pub(super) fn new(blob: Arc<Blob>) -> Self {
        let weight = |item: &Item| item.span.len() as u64;
        let weights = blob.lists().iter().map(|list| Weights::new(list.items.iter().map(weight))).collect();
        let left = blob.lists().iter().map(|list| Configuration::full(list.items.len())).collect();
        let state = State { splices: Splices::none(), left: Arc::new(left) };
        let record = Arc::new(vec![Default::default(); blob.lists().len()]);
        let mut search = Self { blob, state, queue: Arc::default(), weights, record, work: None, scope: 0 };
        search.enqueue_list(None);
        search
    }

    /// The list inside of a block, or of the whole, waits for its turn.
    fn enqueue_list(&mut self, block: Option<usize>) {
        if let Some(list) = self.blob.list(block) {
            let to = self.blob.lists()[list].items.len() as Unit;
            let size = self.weights[list].of(0, to);
            Arc::make_mut(&mut self.queue).push((size, list, 0, to));
        }
    }

    /// What could be done with a part of a list.
    fn tries(&self, list: usize, from: Unit, to: Unit) -> Vec<Try> {
        let left = &self.state.left[list];
        if !(from..to).any(|unit| left.contains(unit)) {
            return vec![];
        }
        let mut tries = vec![Try::Remove];
        let partners = self.partners(list);
        if partners.len() > 1 {
            tries.push(Try::RemoveAll);
        }
        tries.extend(partners.into_iter().map(Try::RemoveWith));
        tries.extend([Try::Empty, Try::Smallest, Try::Zeros(1), Try::Zeros(2)]);
        let record = &self.record[list];
        tries.retain(|tried| {
            let (failed, succeeded) = record[tried.kind()];
            failed < PATIENCE.0 + PATIENCE.1 * succeeded
        });
        // What has helped before comes first.
        tries.sort_by_key(|tried| u32::MAX - record[tried.kind()].1.min(1));
        tries
    }

    /// The lists that have as many items left as this one, and not all of them by chance.
    fn partners(&self, list: usize) -> Vec<usize> {
        let left = self.state.left[list].len();
        let same = |&other: &usize| {
            let items = &self.blob.lists()[other].items;
            let span = items[0].span.start..items[items.len() - 1].span.end;
            other != list && self.state.left[other].len() == left && !self.state.splices.cover(span)
        };
        if left < 2 {
            return vec![];
        }
        (0..self.blob.lists().len()).filter(same).take(PARTNERS).collect()
    }

    /// The state if this succeeds; `None` if there is nothing to do.
    fn tried(&self, work: &Work) -> Option<State> {
        let &Work { list, from, to, .. } = work;
        let List { items, .. } = &self.blob.lists()[list];
        let chosen: Vec<Unit> = self.state.left[list].units().filter(|unit| (from..to).contains(unit)).collect();
        let spans = |list: usize, units: &[Unit]| -> Vec<Splice> {
            let items = &self.blob.lists()[list].items;
            // Items that follow each other are one cut.
            let mut cuts: Vec<Range<usize>> = vec![];
            for span in units.iter().map(|&unit| items[unit as usize].span.clone()) {
                match cuts.last_mut() {
                    Some(last) if last.end == span.start => last.end = span.end,
                    _ => cuts.push(span),
                }
            }
            cuts.into_iter().map(Splice::cut).collect()
        };
        let mut left = Arc::clone(&self.state.left);
        let mut new = vec![];
        match *work.tries.get(work.at)? {
            Try::Remove => {
                new = spans(list, &chosen);
                Arc::make_mut(&mut left)[list] = self.state.left[list].without(from, to);
            }
            tried @ (Try::RemoveAll | Try::RemoveWith(_)) => {
                let places: Vec<usize> = places(&self.state.left[list], from, to);
                let mut lists = match tried {
                    Try::RemoveWith(other) => vec![other],
                    _ => self.partners(list),
                };
                lists.push(list);
                for list in lists {
                    let units: Vec<Unit> = self.state.left[list].units().collect();
                    let (mut gone, mut kept) = (vec![], vec![]);
                    for (place, &unit) in units.iter().enumerate() {
                        if places.binary_search(&place).is_ok() { gone.push(unit) } else { kept.push(unit) }
                    }
                    new.extend(spans(list, &gone));
                    Arc::make_mut(&mut left)[list] = Configuration::from_units(kept);
                }
            }
            Try::Empty => {
                for &unit in &chosen {
                    let blocks = &self.blob.blocks()[items[unit as usize].blocks.clone()];
                    let payloads = blocks.iter().map(|block| block.payload.clone());
                    new.extend(payloads.filter(|payload| !payload.is_empty()).map(Splice::cut));
                }
            }
            Try::Smallest => {
                let bytes = self.blob.bytes();
                let item = |unit: Unit| &bytes[items[unit as usize].span.clone()];
                let untouched =
                    self.state.left[list].units().filter(|&unit| !self.state.splices.touch(&items[unit as usize].span));
                let smallest = untouched.map(item).min_by_key(|bytes| (bytes.len(), *bytes))?;
                let larger = |unit: &&Unit| (item(**unit).len(), item(**unit)) > (smallest.len(), smallest);
                let larger = chosen.iter().filter(larger);
                new.extend(larger.map(|&unit| Splice::replace(items[unit as usize].span.clone(), smallest)));
            }
            Try::Zeros(count) => {
                for &unit in &chosen {
                    let blocks = &self.blob.blocks()[items[unit as usize].blocks.clone()];
                    let largest = blocks.iter().map(|block| block.payload.clone()).max_by_key(ExactSizeIterator::len);
                    if let Some(payload) = largest.filter(|payload| payload.len() > count + 1) {
                        let last = self.blob.bytes()[payload.end - 1];
                        new.push(Splice::replace(payload, &[&vec![0; count][..], &[last]].concat()));
                    }
                }
            }
        }
        if left == self.state.left {
            // What has become smaller already is left in peace.
            new.retain(|splice| !self.state.splices.touch(&(splice.span.start as usize..splice.span.end as usize)));
        }
        if new.is_empty() {
            return None;
        }
        Some(State { splices: self.state.splices.with(new), left })
    }

    fn edit(&self, state: &State) -> Option<Edit> {
        let items = self.blob.lists().iter().map(|list| list.items.len());
        let fewer: Vec<(usize, u64)> = (items.zip(state.left.iter()).enumerate())
            .map(|(list, (items, left))| (list, (items - left.len()) as u64))
            .filter(|&(_, fewer)| fewer > 0)
            .collect();
        let content = self.blob.repaired(&state.splices, &fewer)?;
        let weight = content.len() as u64;
        let units = self.queue.len();
        Some(Edit { phase: 0, scope: self.scope, units, weight, step: "blocks".into(), content: Arc::new(content) })
    }

    /// Begins with the largest part that waits. False if there is none left.
    fn next_work(&mut self) -> bool {
        let Some((_, list, from, to)) = Arc::make_mut(&mut self.queue).pop() else { return false };
        self.scope += 1;
        let tries = self.tries(list, from, to);
        if !tries.is_empty() {
            self.work = Some(Work { list, from, to, tries: tries.into(), at: 0 });
        }
        true
    }

    /// Nothing could be done with a part.
    fn split(&mut self, list: usize, from: Unit, to: Unit) {
        if to - from > 1 {
            let middle = self.weights[list].middle(from, to);
            for (from, to) in [(from, middle), (middle, to)] {
                let size = self.weights[list].of(from, to);
                Arc::make_mut(&mut self.queue).push((size, list, from, to));
            }
        } else {
            for block in self.blob.lists()[list].items[from as usize].blocks.clone() {
                self.enqueue_list(Some(block));
            }
        }
    }
}

/// The places, among the units that are left, of those from `from` to `to`.
fn places(left: &Configuration, from: Unit, to: Unit) -> Vec<usize> {
    left.units().enumerate().filter(|(_, unit)| (from..to).contains(unit)).map(|(place, _)| place).collect()
}

impl Search for Blocks {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        loop {
            if let Some(work) = &mut self.work.clone() {
                while work.at < work.tries.len() {
                    let edit = self.tried(work).and_then(|state| self.edit(&state));
                    // The empty input is never proposed: nub asks about it on its own account.
                    if let Some(edit) = edit.filter(|edit| edit.weight > 0) {
                        let label = Label::new(format_args!("w{}", work.at)).within(format_args!("b{}", self.scope));
                        self.work = Some(work.clone());
                        return Some(vec![Candidate { label, what: edit }]);
                    }
                    work.at += 1;
                }
                self.work = None;
                self.split(work.list, work.from, work.to);
            }
            if !self.next_work() {
                return None;
            }
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        let Some(work) = &mut self.work else { return };
        let Some(&tried) = work.tries.get(work.at) else { return };
        let (list, at) = (work.list, work.at);
        work.at += 1;
        let record = &mut Arc::make_mut(&mut self.record)[list][tried.kind()];
        if interesting.is_empty() {
            record.0 += 1;
            return;
        }
        record.1 += 1;
        if let Some(work) = self.work.take()
            && let Some(state) = self.tried(&Work { at, ..work })
        {
            self.state = state;
        }
    }

    fn current(&self) -> Edit {
        self.edit(&self.state).unwrap_or_else(|| {
            let content = Arc::clone(self.blob.bytes());
            let weight = content.len() as u64;
            Edit { phase: 0, scope: self.scope, units: 0, weight, step: "blocks".into(), content: Arc::new(content) }
        })
    }
}
