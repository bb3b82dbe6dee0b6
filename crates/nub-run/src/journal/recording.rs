//! What a journal holds for a replay, in a compact form.

use std::time::Duration;

use super::{Damage, Decided, Event, Executed, JournalError, Known, Reader, Record, Session, Source};
use crate::{Fingerprint, Outcome};

/// The outcomes of an earlier run, to be replayed: what was decided, batch by batch, and what was executed but not
/// decided. Labels and sizes stay in the file, so a million decisions take some 40 MB.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    executed: KnownOutcomes,
    /// For every executed test, whether a decision used it.
    used: Vec<bool>,
    cached: KnownOutcomes,
    decisions: Vec<Reference>,
    /// Position of the first decision, and length, of every batch of more than one.
    batches: Vec<(usize, usize)>,
    sessions: Vec<Session>,
    step: Option<String>,
    running: Duration,
    damage: Option<Damage>,
}

/// Two vectors instead of one of pairs: a pair would be padded to twice the size of a fingerprint.
#[derive(Clone, Debug, Default)]
struct KnownOutcomes {
    fingerprints: Vec<Fingerprint>,
    outcomes: Vec<Outcome>,
}

impl KnownOutcomes {
    fn push(&mut self, fingerprint: Fingerprint, outcome: Outcome) {
        self.fingerprints.push(fingerprint);
        self.outcomes.push(outcome);
    }

    fn get(&self, index: usize) -> Known {
        Known { fingerprint: self.fingerprints[index], outcome: self.outcomes[index] }
    }

    fn len(&self) -> usize {
        self.outcomes.len()
    }
}

#[derive(Clone, Copy, Debug)]
enum Reference {
    Executed(usize),
    Cached(usize),
}

/// A decisive outcome, to be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The outcome.
    pub known: Known,
    /// The number of the executed test that gave it; `None` if it came from a cache.
    pub test: Option<usize>,
}

/// An executed test whose outcome no decision has used: a known outcome for the continued run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// The number of the test, for the [`Source::Executed`] of a later decision.
    pub test: usize,
    /// The outcome.
    pub known: Known,
}

impl Recording {
    /// Reads all of a journal. Also returns the length of its usable part: a batch that is not complete is not part of
    /// it.
    pub(super) fn read(reader: &mut Reader) -> Result<(Self, u64), JournalError> {
        let mut recording = Self::default();
        let mut usable = reader.offset();
        let mut next_line = reader.line() + 1;
        let mut open: Option<OpenBatch> = None;
        while let Some(record) = reader.next() {
            match (record?, &mut open) {
                (Record::Batch(len), None) => open = Some(OpenBatch::new(len)),
                (record @ (Record::Decided(_) | Record::Step(_)), Some(batch)) => batch.push(record),
                (record, None) => recording.apply(record),
                // Anything else inside of a batch: the writer never does that.
                (_, Some(_)) => break,
            }
            if open.as_ref().is_none_or(OpenBatch::is_complete) {
                if let Some(batch) = open.take() {
                    recording.apply_batch(batch);
                }
                usable = reader.offset();
                next_line = reader.line() + 1;
            }
        }
        recording.damage = match open {
            None => {
                // Past records of later versions, which a cut must not remove.
                usable = reader.offset();
                reader.damage().cloned()
            }
            Some(_) => Some(Damage { line: next_line, offset: usable, what: "part of a batch that is not complete" }),
        };
        Ok((recording, usable))
    }

    fn apply(&mut self, record: Record) {
        match record {
            Record::Executed(test) => self.apply_executed(&test),
            Record::Step(name) => self.step = Some(name),
            Record::Decided(Decided { source, .. }) => self.apply_decided(source),
            Record::Session(session) => {
                self.running = self.running.max(session.running);
                self.sessions.push(session);
            }
            Record::Batch(_) | Record::Result(_) => {}
        }
    }

    fn apply_executed(&mut self, test: &Executed) {
        self.executed.push(test.fingerprint, test.outcome);
        self.used.push(false);
        self.running = self.running.max(test.ended());
    }

    fn apply_decided(&mut self, source: Source) {
        self.decisions.push(match source {
            Source::Executed(index) => {
                self.used[index] = true;
                Reference::Executed(index)
            }
            Source::Cached(known) => {
                self.cached.push(known.fingerprint, known.outcome);
                Reference::Cached(self.cached.len() - 1)
            }
        });
    }

    fn apply_batch(&mut self, batch: OpenBatch) {
        if batch.len > 1 {
            self.batches.push((self.decisions.len(), batch.len));
        }
        batch.records.into_iter().for_each(|record| self.apply(record));
    }

    /// The decisive outcomes, batch by batch, in the order in which the search asked for them.
    pub fn batches(&self) -> Batches<'_> {
        Batches { recording: self, position: 0, longer: 0 }
    }

    /// The outcomes that were found and not used, in the order in which they were found.
    pub fn leftovers(&self) -> impl Iterator<Item = Leftover> {
        let unused = self.used.iter().enumerate().filter(|(_, used)| !**used);
        unused.map(|(test, _)| Leftover { test, known: self.executed.get(test) })
    }

    /// How many outcomes were decisive.
    pub fn decided(&self) -> usize {
        self.decisions.len()
    }

    /// How many of those came from a cache.
    pub fn cached(&self) -> usize {
        self.cached.len()
    }

    /// How many tests were executed.
    pub fn executed(&self) -> usize {
        self.executed.len()
    }

    /// The outcomes of all executed tests, in the order of their numbers.
    pub fn outcomes(&self) -> impl Iterator<Item = Outcome> {
        self.executed.outcomes.iter().copied()
    }

    /// How long nub was at work, over all sessions.
    pub fn running(&self) -> Duration {
        self.running
    }

    /// The beginnings and ends of sessions, but for the beginning of the first (which is in the header).
    pub fn sessions(&self) -> &[Session] {
        &self.sessions
    }

    /// Whether the search had nothing left to try: there is nothing to resume.
    pub fn is_finished(&self) -> bool {
        self.sessions.last().is_some_and(|session| session.event == Event::Finished)
    }

    /// The step of the last decision.
    pub fn step(&self) -> Option<&str> {
        self.step.as_deref()
    }

    /// What cut the journal short, if anything did: worth a note to the user, no reason to stop.
    pub fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }
}

/// A batch of which not all decisions have been read.
pub(super) struct OpenBatch {
    len: usize,
    decided: usize,
    pub(super) records: Vec<Record>,
}

impl OpenBatch {
    pub(super) fn new(len: usize) -> Self {
        Self { len, decided: 0, records: Vec::new() }
    }

    pub(super) fn push(&mut self, record: Record) {
        self.decided += usize::from(matches!(record, Record::Decided(_)));
        self.records.push(record);
    }

    pub(super) fn is_complete(&self) -> bool {
        self.decided >= self.len
    }
}

/// The decisive outcomes of a [`Recording`], batch by batch.
#[derive(Clone, Debug)]
pub struct Batches<'a> {
    recording: &'a Recording,
    position: usize,
    /// How many batches of more than one are behind.
    longer: usize,
}

impl Iterator for Batches<'_> {
    type Item = Vec<Replayed>;

    fn next(&mut self) -> Option<Self::Item> {
        let Recording { executed, cached, decisions, batches, .. } = self.recording;
        let mut len = 1;
        if let Some((_, longer)) = batches.get(self.longer).filter(|(start, _)| *start == self.position) {
            len = *longer;
            self.longer += 1;
        }
        let batch = decisions.get(self.position..self.position + len)?;
        self.position += len;
        let replayed = |reference: &Reference| match *reference {
            Reference::Executed(test) => Replayed { known: executed.get(test), test: Some(test) },
            Reference::Cached(index) => Replayed { known: cached.get(index), test: None },
        };
        Some(batch.iter().map(replayed).collect())
    }
}
