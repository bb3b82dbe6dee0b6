//! What is left if a try succeeds.

use super::{Blocks, Try, Work};
use crate::{
    Configuration, Unit,
    tree::{Splice, Splices},
};
use std::{ops::Range, sync::Arc};

/// What has been done.
#[derive(Clone)]
pub(super) struct State {
    pub(super) splices: Splices,
    /// The items that are left, per list.
    pub(super) left: Arc<Vec<Configuration>>,
}

impl Blocks {
    /// The state if this succeeds; `None` if there is nothing to do.
    pub(super) fn tried(&self, work: &Work) -> Option<State> {
        let mut left = Arc::clone(&self.state.left);
        let mut new = match *work.tries.get(work.at)? {
            Try::Remove => {
                Arc::make_mut(&mut left)[work.list] = self.state.left[work.list].without(work.from, work.to);
                self.cuts(work.list, &self.chosen(work))
            }
            Try::RemoveAll => self.cut_together(work, self.partners(work.list), &mut left),
            Try::RemoveWith(other) => self.cut_together(work, vec![other], &mut left),
            Try::Empty => self.emptied(work),
            Try::Smallest => self.smallest(work)?,
            Try::Zeros(count) => self.zeros(work, count),
        };
        if left == self.state.left {
            // What has become smaller already is left in peace.
            new.retain(|splice| !self.state.splices.touch(&(splice.span.start as usize..splice.span.end as usize)));
        }
        if new.is_empty() {
            return None;
        }
        Some(State { splices: self.state.splices.with(new), left })
    }

    /// The items of a part that are left.
    fn chosen(&self, work: &Work) -> Vec<Unit> {
        self.state.left[work.list].units().filter(|unit| (work.from..work.to).contains(unit)).collect()
    }

    /// The payloads of an item.
    fn payloads(&self, list: usize, unit: Unit) -> impl Iterator<Item = Range<usize>> + '_ {
        let item = &self.blob.lists()[list].items[unit as usize];
        self.blob.blocks()[item.blocks.clone()].iter().map(|block| block.payload.clone())
    }

    /// These items go. Items that follow each other are one cut.
    fn cuts(&self, list: usize, units: &[Unit]) -> Vec<Splice> {
        let items = &self.blob.lists()[list].items;
        let mut cuts: Vec<Range<usize>> = vec![];
        for span in units.iter().map(|&unit| items[unit as usize].span.clone()) {
            match cuts.last_mut() {
                Some(last) if last.end == span.start => last.end = span.end,
                _ => cuts.push(span),
            }
        }
        cuts.into_iter().map(Splice::cut).collect()
    }

    /// The items of a part go, and with them those at the same places of other lists.
    fn cut_together(&self, work: &Work, mut lists: Vec<usize>, left: &mut Arc<Vec<Configuration>>) -> Vec<Splice> {
        let places = places(&self.state.left[work.list], work.from, work.to);
        let mut new = vec![];
        lists.push(work.list);
        for list in lists {
            let (mut gone, mut kept) = (vec![], vec![]);
            for (place, unit) in self.state.left[list].units().enumerate() {
                if places.binary_search(&place).is_ok() { gone.push(unit) } else { kept.push(unit) }
            }
            new.extend(self.cuts(list, &gone));
            Arc::make_mut(left)[list] = Configuration::from_units(kept);
        }
        new
    }

    /// The payloads of the items become empty.
    fn emptied(&self, work: &Work) -> Vec<Splice> {
        let payloads = self.chosen(work).into_iter().flat_map(|unit| self.payloads(work.list, unit));
        payloads.filter(|payload| !payload.is_empty()).map(Splice::cut).collect()
    }

    /// The smallest item of the list takes the places of larger ones; `None` if no item is as it was.
    fn smallest(&self, work: &Work) -> Option<Vec<Splice>> {
        let span = |unit: Unit| self.blob.lists()[work.list].items[unit as usize].span.clone();
        let size = |unit: Unit| {
            let bytes = &self.blob.bytes()[span(unit)];
            (bytes.len(), bytes)
        };
        let untouched = self.state.left[work.list].units().filter(|&unit| !self.state.splices.touch(&span(unit)));
        let smallest = untouched.map(size).min()?;
        let larger = self.chosen(work).into_iter().filter(|&unit| size(unit) > smallest);
        Some(larger.map(|unit| Splice::replace(span(unit), smallest.1)).collect())
    }

    /// The largest payload of each item becomes so many zeros and its last byte.
    fn zeros(&self, work: &Work, count: usize) -> Vec<Splice> {
        let largest = |unit| self.payloads(work.list, unit).max_by_key(ExactSizeIterator::len);
        let payloads = self.chosen(work).into_iter().filter_map(largest);
        let zeros = |payload: Range<usize>| {
            let last = self.blob.bytes()[payload.end - 1];
            Splice::replace(payload, &[&vec![0; count][..], &[last]].concat())
        };
        payloads.filter(|payload| payload.len() > count + 1).map(zeros).collect()
    }
}

/// The places, among the units that are left, of those from `from` to `to`.
fn places(left: &Configuration, from: Unit, to: Unit) -> Vec<usize> {
    left.units().enumerate().filter(|(_, unit)| (from..to).contains(unit)).map(|(place, _)| place).collect()
}
