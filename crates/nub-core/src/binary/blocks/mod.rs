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
//!
//! | file | what it knows |
//! |---|---|
//! | `mod.rs` | which part of which list is next |
//! | `tries.rs` | what can be tried with a part, in which order, and when to give up |
//! | `states.rs` | what is left if a try succeeds |

mod states;
mod tries;

use super::blob::{Blob, Item};
use crate::{Batch, Candidate, Configuration, Content as _, Edit, Label, Scope, Search, Unit, Weights, tree::Splices};
use states::State;
use std::{collections::BinaryHeap, sync::Arc};
use tries::{Record, Try};

/// The search.
#[derive(Clone)]
pub(super) struct Blocks {
    blob: Arc<Blob>,
    state: State,
    /// What waits: how large it is, the list, and the part of it.
    queue: Arc<BinaryHeap<(u64, usize, Unit, Unit)>>,
    weights: Arc<[Weights]>,
    /// How the tries went, per list.
    record: Arc<Vec<Record>>,
    work: Option<Work>,
    scope: u64,
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

impl Blocks {
    /// A search over data, which must be interesting.
    pub(super) fn new(blob: Arc<Blob>) -> Self {
        let weight = |item: &Item| item.span.len() as u64;
        let weights = blob.lists().iter().map(|list| Weights::new(list.items.iter().map(weight))).collect();
        let left = blob.lists().iter().map(|list| Configuration::full(list.items.len())).collect();
        let state = State { splices: Splices::none(), left: Arc::new(left) };
        let record = Arc::new(vec![Record::default(); blob.lists().len()]);
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

    fn edit(&self, state: &State) -> Option<Edit> {
        let items = self.blob.lists().iter().map(|list| list.items.len());
        let fewer: Vec<(usize, u64)> = (items.zip(state.left.iter()).enumerate())
            .map(|(list, (items, left))| (list, (items - left.len()) as u64))
            .filter(|&(_, fewer)| fewer > 0)
            .collect();
        let content = self.blob.repaired(&state.splices, &fewer)?;
        let weight = content.len() as u64;
        let units = self.queue.len();
        Some(Edit { scope: Scope::list(self.scope), units, weight, step: "blocks".into(), content: Arc::new(content) })
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

impl Search for Blocks {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        loop {
            if let Some(work) = &mut self.work.clone() {
                while work.at < work.tries.len() {
                    let edit = self.tried(work).and_then(|state| self.edit(&state));
                    // The empty input is never proposed: nub asks about it itself.
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
        Arc::make_mut(&mut self.record)[list].note(tried, !interesting.is_empty());
        if interesting.is_empty() {
            return;
        }
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
            Edit { scope: Scope::list(self.scope), units: 0, weight, step: "blocks".into(), content: Arc::new(content) }
        })
    }
}
