//! What happened in a run, told for people: how the size fell, which step did what, how long tests took.
//!
//! A journal is a list of single events. A [`History`] is their sum, and all that a report needs to know; it is made in
//! one reading, with memory for one number per test.

use std::{collections::HashSet, time::Duration};

use super::{
    Conclusion, Damage, Decided, Event, Executed, Header, JournalError, Notes, Reader, Record, Session, Source,
    recording::OpenBatch,
};
use crate::{Fingerprint, Outcome};

/// The sum of a journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// Outcome and duration of every executed test, in the order of their numbers.
    pub tests: Vec<(Outcome, Duration)>,
    /// How many of these no decision has used: speculation in vain, or what was not decided when the run ended.
    pub unused: usize,
    /// Candidates that the sequential algorithm asked about.
    pub decisive: usize,
    /// How many of these were answered without a test of their own.
    pub cache_hits: usize,
    /// How many of the decisive candidates were interesting.
    pub interesting: usize,
    /// The steps, in the order of their first decision.
    pub steps: Vec<Step>,
    /// Every stay in a step, in order.
    pub visits: Vec<Visit>,
    /// Where a search began anew on what it had left: the `i` of labels, from the second iteration on.
    pub iterations: Vec<Moment>,
    /// Every new best, in order.
    pub commits: Vec<Commit>,
    /// The beginnings and ends of sessions, but for the beginning of the first.
    pub sessions: Vec<Session>,
    /// What the last session ended with, if it ended in an orderly way.
    pub conclusion: Option<Conclusion>,
    /// Tests that were cancelled, over all sessions that ended in an orderly way.
    pub cancelled: usize,
    /// How long nub was at work, over all sessions.
    pub running: Duration,
    /// What cut the journal short, if anything did.
    pub damage: Option<Damage>,
}

/// A point in a run, on both axes of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// Tests executed so far.
    pub tests: usize,
    /// Running time so far.
    pub at: Duration,
}

/// What one step did, over all its visits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// How often it was at work.
    pub visits: usize,
    /// Tests executed for it, those in vain included.
    pub tests: usize,
    /// Candidates it decided.
    pub decisive: usize,
    /// How many of these were answered without a test of their own.
    pub cache_hits: usize,
    /// How many of these were interesting.
    pub interesting: usize,
    /// How many bytes it removed. Negative if it made the input longer, which only published algorithms do.
    pub removed: i64,
    /// How long nub was at work for it.
    pub time: Duration,
}

/// One stay in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The position of the step in [`History::steps`].
    pub step: usize,
    /// When it began.
    pub from: Moment,
    /// How often the plan has begun again: grows when a step comes back.
    pub round: usize,
}

/// A new best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// When it was decided.
    pub when: Moment,
    /// How many candidates were decided until then.
    pub decisive: usize,
    /// Its size.
    pub bytes: usize,
    /// How many units it keeps.
    pub units: usize,
    /// The position of its step in [`History::steps`].
    pub step: usize,
    /// Its name in the algorithm.
    pub label: String,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
}

/// How a run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// The search had nothing left to try.
    Finished,
    /// It ended early, for this reason.
    Interrupted(String),
    /// The journal does not say: the run was killed, or is still at work.
    Open,
}

impl History {
    /// Reads a whole journal.
    pub fn read(mut reader: Reader) -> Result<(Header, Self), JournalError> {
        let mut author = Author::new(reader.header());
        for record in reader.by_ref() {
            author.take(record?);
        }
        let mut history = author.finish();
        history.damage = reader.damage().cloned();
        Ok((reader.into_header(), history))
    }

    /// How the run stands.
    pub fn state(&self) -> State {
        match self.sessions.last() {
            Some(Session { event: Event::Finished, .. }) => State::Finished,
            Some(Session { event: Event::Interrupted, reason, .. }) => State::Interrupted(reason.clone()),
            _ => State::Open,
        }
    }

    /// What the last session noted at its end.
    pub fn notes(&self) -> Option<&Notes> {
        self.conclusion.as_ref().map(|conclusion| &conclusion.notes)
    }

    /// Fingerprint and size of the result: what the last session ended with, or else the last commit; `None` if nothing
    /// was ever removed.
    pub fn result(&self) -> Option<(Fingerprint, usize)> {
        let concluded = self.conclusion.as_ref();
        concluded
            .map(|conclusion| (conclusion.fingerprint, conclusion.bytes))
            .or_else(|| self.commits.last().map(|commit| (commit.fingerprint, commit.bytes)))
    }

    /// How many executed tests had this outcome.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.tests.iter().filter(|(other, _)| *other == outcome).count()
    }
}

/// Writes a history, record by record.
struct Author {
    history: History,
    /// For every executed test: fingerprint, whether a decision used it, and the step at work when it was recorded.
    executed: Vec<(Fingerprint, bool, Option<usize>)>,
    batch: Option<OpenBatch>,
    step: Option<String>,
    /// The size of the best so far.
    bytes: usize,
    /// The end of the last test that is recorded.
    clock: Duration,
    /// Until when the time is accounted for. `None` at the beginning of a session: what elapses before its first test is
    /// no step's.
    accounted: Option<Duration>,
    /// The steps since the plan began again.
    round: HashSet<usize>,
    /// The beginning of the last label, up to its iteration.
    iteration: String,
}

impl Author {
    fn new(header: &Header) -> Self {
        Self {
            history: History::default(),
            executed: Vec::new(),
            batch: None,
            step: None,
            bytes: usize::try_from(header.input_len).unwrap_or(usize::MAX),
            clock: Duration::ZERO,
            accounted: None,
            round: HashSet::new(),
            iteration: String::new(),
        }
    }

    fn take(&mut self, record: Record) {
        match (record, &mut self.batch) {
            (Record::Batch(len), None) => self.batch = Some(OpenBatch::new(len)),
            (record @ (Record::Decided(_) | Record::Step(_)), Some(batch)) => batch.push(record),
            (Record::Step(name), None) => self.step = Some(name),
            (Record::Decided(decided), None) => self.settle(vec![Record::Decided(decided)]),
            (Record::Executed(test), _) => self.executed(&test),
            (Record::Session(session), _) => self.session(session),
            (Record::Result(conclusion), _) => {
                self.history.cancelled += conclusion.notes.cancelled;
                self.history.conclusion = Some(conclusion);
            }
            (Record::Batch(_), Some(_)) => {}
        }
        // A batch that is not complete when the journal ends is as good as not decided.
        if let Some(batch) = self.batch.take_if(|batch| batch.is_complete()) {
            self.settle(batch.records);
        }
    }

    fn executed(&mut self, test: &Executed) {
        self.accounted.get_or_insert(test.started.max(self.clock));
        self.clock = self.clock.max(test.ended());
        self.history.running = self.history.running.max(self.clock);
        self.history.tests.push((test.outcome, test.duration));
        let at_work = self.history.visits.last().map(|visit| visit.step);
        self.executed.push((test.fingerprint, false, at_work));
    }

    fn session(&mut self, session: Session) {
        self.clock = self.clock.max(session.running);
        self.history.running = self.history.running.max(self.clock);
        self.accounted = None;
        if session.event == Event::Resumed {
            // The run went on, so what it had ended with is no longer its result.
            self.history.conclusion = None;
        }
        self.history.sessions.push(session);
    }

    fn settle(&mut self, records: Vec<Record>) {
        // Of several interesting candidates the first is the new best, as in the scheduler.
        let mut committed = false;
        for record in records {
            match record {
                Record::Step(name) => self.step = Some(name),
                Record::Decided(decided) => committed |= self.decided(decided, !committed),
                _ => {}
            }
        }
    }

    /// True if it is a new best.
    fn decided(&mut self, decided: Decided, may_commit: bool) -> bool {
        let before = self.accounted.unwrap_or(self.clock);
        let here = self.visit(before);
        let when = self.now();
        self.mark_iteration(&decided.label);
        let (fingerprint, outcome) = match decided.source {
            Source::Executed(index) => (self.executed[index].0, self.history.tests[index].0),
            Source::Cached(known) => (known.fingerprint, known.outcome),
        };
        let step = &mut self.history.steps[here];
        match decided.source {
            Source::Executed(index) => step.tests += usize::from(!std::mem::replace(&mut self.executed[index].1, true)),
            Source::Cached(_) => {
                step.cache_hits += 1;
                self.history.cache_hits += 1;
            }
        }
        step.decisive += 1;
        self.history.decisive += 1;
        step.time += self.clock.saturating_sub(before);
        self.accounted = Some(self.clock);
        if !outcome.is_interesting() {
            return false;
        }
        step.interesting += 1;
        self.history.interesting += 1;
        if may_commit {
            step.removed += self.bytes as i64 - decided.bytes as i64;
            self.bytes = decided.bytes;
            let Decided { bytes, units, label, .. } = decided;
            let decisive = self.history.decisive;
            self.history.commits.push(Commit { when, decisive, bytes, units, step: here, label, fingerprint });
        }
        may_commit
    }

    fn now(&self) -> Moment {
        Moment { tests: self.history.tests.len(), at: self.clock }
    }

    /// The position of the step at work, which may have begun with this decision, at `at`.
    fn visit(&mut self, at: Duration) -> usize {
        let name = self.step.as_deref().unwrap_or("");
        let steps = &mut self.history.steps;
        let known = steps.iter().position(|step| step.name == name);
        let step = known.unwrap_or_else(|| {
            steps.push(Step { name: name.to_owned(), ..Step::default() });
            steps.len() - 1
        });
        let last = self.history.visits.last();
        if last.is_some_and(|visit| visit.step == step) {
            return step;
        }
        let mut round = last.map_or(0, |visit| visit.round);
        if !self.round.insert(step) {
            round += 1;
            self.round = HashSet::from([step]);
        }
        steps[step].visits += 1;
        // The test of its first decision is already counted, and is its own.
        let tests = if last.is_none() { 0 } else { self.history.tests.len().saturating_sub(1) };
        self.history.visits.push(Visit { step, from: Moment { tests, at }, round });
        self.iteration.clear();
        step
    }

    /// Notices that the iteration in a label (`a0_i2_r3_c5`) is another than before.
    fn mark_iteration(&mut self, label: &str) {
        let mut end = 0;
        for part in label.split('_') {
            end += part.len();
            let number = part.strip_prefix('i').and_then(|digits| digits.parse::<u64>().ok());
            if let Some(number) = number {
                if self.iteration != label[..end] {
                    label[..end].clone_into(&mut self.iteration);
                    if number > 0 {
                        let now = self.now();
                        self.history.iterations.push(now);
                    }
                }
                return;
            }
            end += 1;
        }
    }

    fn finish(mut self) -> History {
        for &(_, used, at_work) in &self.executed {
            if !used {
                self.history.unused += 1;
                if let Some(step) = self.history.steps.get_mut(at_work.unwrap_or(0)) {
                    step.tests += 1;
                }
            }
        }
        self.history
    }
}

#[cfg(test)]
mod tests {
    use super::{super::*, *};
    use crate::Unresolved;

    const I: Outcome = Outcome::Interesting;
    const U: Outcome = Outcome::Uninteresting;

    fn print(bytes: usize) -> Fingerprint {
        Fingerprint::of_bytes(&bytes.to_le_bytes())
    }

    fn executed(journal: &mut Journal, outcome: Outcome, bytes: usize, started: u64, took: u64) -> Source {
        let (started, duration) = (Duration::from_millis(started), Duration::from_millis(took));
        Source::Executed(journal.executed(Executed { fingerprint: print(bytes), outcome, bytes, started, duration }))
    }

    fn decide<'a>(step: &'a str, label: &'a str, bytes: usize, source: Source) -> Decision<'a> {
        Decision { label, step, units: bytes / 10, bytes, source }
    }

    fn history(path: &std::path::Path) -> History {
        History::read(Reader::open(path).unwrap()).unwrap().1
    }

    #[test]
    fn a_small_run_worked_by_hand() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("j");
        let header = Header { jobs: Some(2), ..Header::new("/in", &[0; 100]) };
        let mut journal = Journal::create(&path, &header).unwrap();
        // Lines: one in vain, one refused, one that removes 40 bytes.
        executed(&mut journal, U, 90, 10, 5);
        let refused = executed(&mut journal, U, 80, 10, 20);
        let kept = executed(&mut journal, I, 60, 30, 20);
        journal.decided(&[decide("line", "a0_i0_r0_c1", 80, refused)]).unwrap();
        journal.decided(&[decide("line", "a0_i0_r0_c0", 60, kept)]).unwrap();
        let cached = Source::Cached(Known { fingerprint: print(80), outcome: U });
        journal.decided(&[decide("line", "a0_i1_r0_c0", 80, cached)]).unwrap();
        // Characters: a batch of two that are both interesting.
        let (one, two) = (executed(&mut journal, I, 50, 50, 10), executed(&mut journal, I, 40, 50, 30));
        journal.decided(&[decide("char", "a1_i0_w0", 50, one), decide("char", "a1_i0_w1", 40, two)]).unwrap();
        let hung = executed(&mut journal, Outcome::Unresolved(Unresolved::TimedOut), 10, 80, 20);
        journal.decided(&[decide("line", "a0_i0_r0_c0", 10, hung)]).unwrap();
        let notes = Notes { cache_peak: 3, cancelled: 2, minimal: vec!["line".into()], only_valid: true };
        journal.conclude(&Conclusion { fingerprint: print(55), bytes: 55, notes: notes.clone() }).unwrap();
        journal.session(Event::Finished, Duration::from_millis(130), "").unwrap();
        drop(journal);

        let (read, history) = History::read(Reader::open(&path).unwrap()).unwrap();
        assert_eq!(read, header);
        let millis = Duration::from_millis;
        let step = |name: &str, visits, tests, decisive, cache_hits, interesting, removed, time| Step {
            name: name.to_owned(),
            visits,
            tests,
            decisive,
            cache_hits,
            interesting,
            removed,
            time: millis(time),
        };
        // Time: from the start of the first test, at 10 ms, to the end of the last, at 100 ms.
        assert_eq!(history.steps, [step("line", 2, 4, 4, 1, 1, 40, 60), step("char", 1, 2, 2, 0, 2, 10, 30)]);
        let rounds: Vec<_> = history.visits.iter().map(|visit| (visit.step, visit.round, visit.from.tests)).collect();
        assert_eq!(rounds, [(0, 0, 0), (1, 0, 4), (0, 1, 5)]);
        assert_eq!(history.iterations, [Moment { tests: 3, at: millis(50) }]);
        let sizes: Vec<_> = history.commits.iter().map(|c| (c.when.tests, c.decisive, c.bytes, c.step)).collect();
        assert_eq!(sizes, [(3, 2, 60, 0), (5, 4, 50, 1)]);
        assert_eq!((history.tests.len(), history.unused, history.decisive), (6, 1, 6));
        assert_eq!((history.cache_hits, history.interesting, history.cancelled), (1, 3, 2));
        assert_eq!(history.count(Outcome::Unresolved(Unresolved::TimedOut)), 1);
        assert_eq!((history.running, history.state()), (millis(130), State::Finished));
        assert_eq!(history.result(), Some((print(55), 55)));
        assert_eq!(history.notes(), Some(&notes));
    }

    #[test]
    fn a_run_that_was_killed_and_resumed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("j");
        let mut journal = Journal::create(&path, &Header::new("/in", &[0; 100])).unwrap();
        let kept = executed(&mut journal, I, 60, 5, 20);
        journal.decided(&[decide("line", "r0", 60, kept)]).unwrap();
        journal.conclude(&Conclusion { fingerprint: print(60), bytes: 60, notes: Notes::default() }).unwrap();
        journal.session(Event::Interrupted, Duration::from_millis(40), "SIGINT").unwrap();
        drop(journal);
        assert_eq!(history(&path).state(), State::Interrupted("SIGINT".into()));

        let (_, _, mut journal) = Journal::resume(&path).unwrap();
        journal.session(Event::Resumed, Duration::ZERO, "").unwrap();
        let kept = executed(&mut journal, I, 30, 5, 20);
        journal.decided(&[decide("line", "r1", 30, kept)]).unwrap();
        drop(journal); // kill -9

        let history = history(&path);
        assert_eq!(history.state(), State::Open);
        assert_eq!(history.result(), Some((print(30), 30)), "what the former session ended with is out of date");
        assert_eq!(history.notes(), None);
        // The second session begins at 40 ms of running time, and its first test 5 ms later.
        assert_eq!(history.commits[1].when, Moment { tests: 2, at: Duration::from_millis(65) });
        assert_eq!(history.steps[0].time, Duration::from_millis(40));
        assert_eq!(history.running, Duration::from_millis(65));
    }

    #[test]
    fn half_a_batch_is_not_decided() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("j");
        let mut journal = Journal::create(&path, &Header::new("/in", &[0; 100])).unwrap();
        let (one, two) = (executed(&mut journal, I, 60, 0, 1), executed(&mut journal, U, 50, 0, 1));
        journal.decided(&[decide("line", "w0", 60, one), decide("line", "w1", 50, two)]).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let last_line = whole[..whole.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
        std::fs::write(&path, &whole[..last_line]).unwrap();
        let cut = history(&path);
        assert_eq!((cut.decisive, cut.commits.len(), cut.unused), (0, 0, 2));
    }
}
