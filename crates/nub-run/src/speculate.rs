//! Speculation, written once around any search.
//!
//! Most candidates are uninteresting. So while a test runs, [`Speculate`] clones the search, answers "none interesting"
//! on the clone, and already has the next candidates; it keeps one clone per open batch. Outcomes may arrive in any
//! order, but batches are *settled* in the order of the sequential algorithm. A batch that turns out to hold something
//! interesting makes the guess of everything after it wrong: those batches are dropped, their tests cancelled, and the
//! search goes on from the clone of that batch, answered truly.
//!
//! Precisely, the guess is that a outcome changes nothing: that it is none that the search
//! [heeds](nub_core::Search::heeds). Isolation also heeds what passes, and so a pass makes guesses wrong there, too.
//!
//! Hence the settled sequence is that of the sequential algorithm, for every number of jobs and every timing.
//!
//! Nothing here runs anything: no thread, no clock, no process. The scheduler drives it with real workers; a simulator
//! can drive it with virtual ones.

use crate::{
    Fingerprint, Outcome,
    cache::{Cache, CacheSettings, Key},
};
use nub_core::{Batch, Edit, Label, Search};
use std::collections::{HashMap, VecDeque};

/// How far cached outcomes may carry the speculation beyond the oldest open test.
const MAX_OPEN: usize = 4096;

/// The number of a batch: ascending, never used again.
pub type Ticket = u64;

/// A candidate that has to be tested.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its batch.
    pub ticket: Ticket,
    /// Its position in the batch.
    pub index: usize,
    /// What is to be tested.
    pub edit: Edit,
    key: Option<Key>,
}

/// Where a outcome comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The test with this number, counted by whoever runs them.
    Test(usize),
    /// The cache, or an equal candidate that was open.
    Cache,
}

/// A batch whose outcomes are final, in the order of the sequential algorithm.
#[derive(Debug)]
pub struct Settled {
    /// Its candidates.
    pub candidates: Vec<SettledCandidate>,
    /// The new best, if one of them was interesting: the first of these.
    pub committed: Option<Edit>,
    /// The new passing side of a search that heeds what passes, if one of them passed.
    pub passing: Option<Edit>,
    /// How many units the state of the search has now.
    pub left: usize,
}

/// A candidate with its final outcome.
#[derive(Debug)]
pub struct SettledCandidate {
    /// Where in the algorithm it comes from.
    pub label: Label,
    /// What was tested.
    pub edit: Edit,
    /// The outcome.
    pub outcome: Outcome,
    /// Where it comes from.
    pub source: Source,
}

/// A search, run ahead of its outcomes.
#[derive(Debug)]
pub struct Speculate<S> {
    /// The batches that are not settled, oldest first.
    open: VecDeque<Open<S>>,
    /// The search after the newest open batch; `None` if it has nothing more to propose, or if it cannot go on before
    /// that batch is complete.
    frontier: Option<S>,
    /// The search after the newest open batch, if it has nothing more to propose.
    ended: Option<S>,
    /// Jobs of the newest open batch that nobody has taken yet.
    ready: VecDeque<Job>,
    next_ticket: Ticket,
    cache: Cache,
    /// The open candidates by key, so that an equal one waits instead of running.
    open_keys: HashMap<Key, (Ticket, usize)>,
    /// Outcomes of tests that a former session ran but had not settled.
    known: HashMap<Fingerprint, (usize, Outcome)>,
    best: Edit,
}

#[derive(Debug)]
struct Open<S> {
    ticket: Ticket,
    /// The search that has proposed this batch and waits for its answer.
    search: S,
    slots: Vec<Slot>,
}

#[derive(Debug)]
struct Slot {
    label: Label,
    edit: Edit,
    key: Option<Key>,
    outcome: Option<(Outcome, Source)>,
    /// Equal candidates that wait for this one's outcome.
    waiting: Vec<(Ticket, usize)>,
}

impl<S> Open<S> {
    fn is_complete(&self) -> bool {
        self.slots.iter().all(|slot| slot.outcome.is_some())
    }

    /// The outcomes as far as they are known, and for the others the guess that they change nothing.
    fn outcomes(&self) -> Vec<Outcome> {
        let outcome = |slot: &Slot| slot.outcome.map_or(Outcome::SKIPPED, |(outcome, _)| outcome);
        self.slots.iter().map(outcome).collect()
    }
}

impl<S: Search> Open<S> {
    /// Whether a outcome is known that changes the state of the search.
    fn has_news(&self) -> bool {
        self.slots.iter().any(|slot| slot.outcome.is_some_and(|(outcome, _)| S::heeds(outcome)))
    }
}

impl<S: Search<Proposal = Edit>> Speculate<S> {
    /// Starts with nothing open.
    pub fn new(search: S, cache: CacheSettings) -> Self {
        Self {
            open: VecDeque::new(),
            best: search.current(),
            frontier: Some(search),
            ended: None,
            ready: VecDeque::new(),
            next_ticket: 0,
            cache: Cache::new(cache),
            open_keys: HashMap::new(),
            known: HashMap::new(),
        }
    }

    /// Gives the outcomes of tests that a former session ran but had not settled, with their numbers.
    pub fn set_known(&mut self, known: HashMap<Fingerprint, (usize, Outcome)>) {
        self.known = known;
    }

    /// The best state so far.
    pub fn best(&self) -> &Edit {
        &self.best
    }

    /// The state that the search has come to its own end with, if it has.
    pub fn end(&self) -> Option<Edit> {
        self.ended.as_ref().filter(|_| self.open.is_empty()).map(Search::current)
    }

    /// The cache, to look at.
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// Whether everything is settled and nothing is left to propose.
    pub fn is_done(&mut self) -> bool {
        self.open.is_empty() && self.next_batch().is_none()
    }

    /// The next candidate to test, if there is one that does not depend on outcomes that are still to come.
    pub fn next_job(&mut self) -> Option<Job> {
        loop {
            if let Some(job) = self.ready.pop_front() {
                return Some(job);
            }
            if self.open.len() >= MAX_OPEN {
                return None;
            }
            let batch = self.next_batch()?;
            self.open_batch(batch);
        }
    }

    fn next_batch(&mut self) -> Option<Batch<Edit>> {
        let batch = self.frontier.as_mut()?.propose();
        if batch.is_none() {
            self.ended = self.frontier.take();
        }
        batch
    }

    fn open_batch(&mut self, batch: Batch<Edit>) {
        let Some(search) = self.frontier.take() else { return };
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        let mut slots: Vec<Slot> = Vec::with_capacity(batch.len());
        for (index, candidate) in batch.into_iter().enumerate() {
            let edit = candidate.what;
            let key = self.cache.key(&edit);
            let outcome = key.as_ref().and_then(|key| self.cache.get(key)).map(|outcome| (outcome, Source::Cache));
            let mut slot = Slot { label: candidate.label, edit, key, outcome, waiting: vec![] };
            if slot.outcome.is_none() && !self.share_with_equal(&mut slot, &mut slots, (ticket, index)) {
                if let Some(key) = &slot.key {
                    self.open_keys.insert(key.clone(), (ticket, index));
                }
                slot.outcome = self.known_outcome(&slot);
                if slot.outcome.is_none() {
                    self.ready.push_back(Job { ticket, index, edit: slot.edit.clone(), key: slot.key.clone() });
                }
            }
            slots.push(slot);
        }
        self.open.push_back(Open { ticket, search, slots });
        self.advance_frontier();
    }

    /// What a former session says about a candidate.
    fn known_outcome(&mut self, slot: &Slot) -> Option<(Outcome, Source)> {
        if self.known.is_empty() {
            return None;
        }
        let (number, outcome) = self.known.remove(&Fingerprint::of(&*slot.edit.content))?;
        // As if it had been tested now: if this batch is dropped, the outcome is still known.
        if let Some(key) = &slot.key {
            self.cache.learn(key, outcome);
        }
        Some((outcome, Source::Test(number)))
    }

    /// If an equal candidate is open, makes this one share its outcome, at once or when it comes. `newest` are the slots
    /// before it in its batch.
    fn share_with_equal(&mut self, slot: &mut Slot, newest: &mut [Slot], this: (Ticket, usize)) -> bool {
        let Some(&(ticket, index)) = slot.key.as_ref().and_then(|key| self.open_keys.get(key)) else { return false };
        let equal = if ticket == this.0 { newest.get_mut(index) } else { self.slot_mut(ticket, index) };
        match equal.map(|equal| (equal.outcome, &mut equal.waiting)) {
            Some((None, waiting)) => {
                waiting.push(this);
                true
            }
            // Known, but not settled, and so not in a cache of configurations. This candidate is dropped if that one is.
            Some((Some((outcome, _)), _)) if !outcome.is_interesting() => {
                slot.outcome = Some((outcome, Source::Cache));
                true
            }
            _ => false,
        }
    }

    fn position(&self, ticket: Ticket) -> Option<usize> {
        self.open.binary_search_by_key(&ticket, |open| open.ticket).ok()
    }

    fn slot_mut(&mut self, ticket: Ticket, index: usize) -> Option<&mut Slot> {
        let position = self.position(ticket)?;
        self.open[position].slots.get_mut(index)
    }

    /// Puts the frontier behind the newest open batch: with its true outcomes if something in it is known to be
    /// news, which needs all of them, and with the guess that nothing is otherwise.
    fn advance_frontier(&mut self) {
        let Some(newest) = self.open.back() else { return };
        self.frontier = (!newest.has_news() || newest.is_complete()).then(|| {
            let mut search = newest.search.clone();
            search.judge(&newest.outcomes());
            search
        });
    }

    /// Takes the outcome on a job. If it makes later guesses wrong, returns the ticket after which every job is void.
    pub fn finish(&mut self, job: &Job, outcome: Outcome, number: usize) -> Option<Ticket> {
        if let Some(key) = &job.key {
            self.cache.learn(key, outcome);
        }
        let mut void_after: Option<Ticket> = None;
        let mut to_tell = vec![(job.ticket, job.index, Source::Test(number))];
        while let Some((ticket, index, source)) = to_tell.pop() {
            let Some(slot) = self.slot_mut(ticket, index) else { continue };
            slot.outcome = Some((outcome, source));
            let waiting = std::mem::take(&mut slot.waiting);
            to_tell.extend(waiting.into_iter().map(|(ticket, index)| (ticket, index, Source::Cache)));
            if S::heeds(outcome) {
                self.drop_after(ticket);
                void_after = Some(void_after.map_or(ticket, |earlier| earlier.min(ticket)));
            }
        }
        if self.open.back().is_some_and(Open::has_news) && self.frontier.is_none() {
            self.advance_frontier();
        }
        void_after
    }

    /// Forgets the batches that were opened on the guess that the one with this ticket holds no news.
    fn drop_after(&mut self, ticket: Ticket) {
        let Some(position) = self.position(ticket) else { return };
        let dropped = self.open.split_off(position + 1);
        self.ready.retain(|job| job.ticket <= ticket);
        (self.frontier, self.ended) = (None, None);
        for key in dropped.into_iter().flat_map(|open| open.slots).filter_map(|slot| slot.key) {
            if self.open_keys.get(&key).is_some_and(|&(equal, _)| equal > ticket) {
                self.open_keys.remove(&key);
            }
        }
    }

    /// Whether the oldest open batch can be settled.
    pub fn can_settle(&self) -> bool {
        self.open.front().is_some_and(Open::is_complete)
    }

    /// Settles the oldest open batch, if all its outcomes are known.
    pub fn settle(&mut self) -> Option<Settled> {
        if !self.can_settle() {
            return None;
        }
        let oldest = self.open.pop_front()?;
        let (news, outcomes) = (oldest.has_news(), oldest.outcomes());
        let Open { mut search, slots, ticket } = oldest;
        let mut candidates = Vec::with_capacity(slots.len());
        for (index, slot) in slots.into_iter().enumerate() {
            let Some((outcome, source)) = slot.outcome else { continue };
            if let Some(key) = slot.key {
                if self.open_keys.get(&key) == Some(&(ticket, index)) {
                    self.open_keys.remove(&key);
                }
                self.cache.put(key, slot.edit.scope, outcome);
            }
            candidates.push(SettledCandidate { label: slot.label, edit: slot.edit, outcome, source });
        }
        if news {
            search.judge(&outcomes);
            self.best = search.current();
        }
        // What is in the file must be what was tested. A search that imitates the reference tool may be in a state
        // that differs from it in blanks.
        let first = |outcome| {
            let position = outcomes.iter().position(|&other| other == outcome).filter(|_| S::heeds(outcome));
            position.map(|position| candidates[position].edit.clone())
        };
        let (committed, passing) = (first(Outcome::Interesting), first(Outcome::Uninteresting));
        if committed.is_some() {
            self.cache.commit(&self.best);
        }
        Some(Settled { committed, passing, left: self.best.units, candidates })
    }

    /// Proposes the next batch and settles it at once with the outcomes that `outcomes` gives for its candidates: how a
    /// recorded run is replayed. `None` if nothing is left to propose; an error of `outcomes` is passed on.
    pub fn replay<E>(
        &mut self,
        outcomes: impl FnOnce(&Batch<Edit>) -> Result<Vec<(Outcome, Source)>, E>,
    ) -> Result<Option<Settled>, E> {
        let Some(batch) = self.next_batch() else { return Ok(None) };
        let outcomes = outcomes(&batch)?;
        let Some(search) = self.frontier.take() else { return Ok(None) };
        let slots = batch.into_iter().zip(outcomes).map(|(candidate, outcome)| Slot {
            key: self.cache.key(&candidate.what),
            label: candidate.label,
            edit: candidate.what,
            outcome: Some(outcome),
            waiting: vec![],
        });
        let slots = slots.collect();
        self.open.push_back(Open { ticket: self.next_ticket, search, slots });
        self.next_ticket += 1;
        self.advance_frontier();
        Ok(self.settle())
    }
}

#[cfg(test)]
mod tests;
