//! The scheduler: drives a search with a test, several candidates at a time, with the result of one at a time.

use crate::{
    Fingerprint, Outcome, Unresolved,
    cache::CacheSettings,
    pool::{Done, Event, HELD, Pool, QUICK},
    speculate::{Settled, Source, Speculate},
    test::{Details, Stop, Test},
};
use nub_core::{Edit, Search, compare};
use std::{
    collections::HashMap,
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, Sender},
    },
    thread,
    time::{Duration, Instant},
};

/// How a search is run.
#[derive(Clone, Copy, Debug)]
pub struct RunSettings {
    /// How many tests run at once, at least 1.
    pub jobs: usize,
    /// What is remembered of them.
    pub cache: CacheSettings,
    /// Whether every new best must be smaller in the order of [`Edit`]. Only the reproduction of published runs, whose
    /// replacements may be longer than what they replace, has a reason to say no.
    pub ordered: bool,
}

impl Default for RunSettings {
    fn default() -> Self {
        Self { jobs: 1, cache: CacheSettings::default(), ordered: true }
    }
}

/// What has been done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Executions of the test, those of lost speculation included.
    pub tests: usize,
    /// Candidates that the sequential algorithm asked about: the same for every number of jobs.
    pub decisive: usize,
    /// How many of these were answered without a test of their own.
    pub cache_hits: usize,
    /// How many of these were interesting.
    pub interesting: usize,
    /// Tests that ran into the time-out.
    pub timed_out: usize,
    /// Tests that were ended by a signal.
    pub killed: usize,
    /// Tests that could not be started.
    pub not_started: usize,
    /// Tests that said that there is no answer.
    pub skipped: usize,
    /// Tests that were cancelled because nobody needed their outcome any more. Not counted as tests.
    pub cancelled: usize,
}

impl Counts {
    fn tested(&mut self, outcome: Outcome) {
        self.tests += 1;
        match outcome {
            Outcome::Interesting | Outcome::Uninteresting => {}
            Outcome::Unresolved(Unresolved::TimedOut) => self.timed_out += 1,
            Outcome::Unresolved(Unresolved::Killed) => self.killed += 1,
            Outcome::Unresolved(Unresolved::NotStarted) => self.not_started += 1,
            Outcome::Unresolved(Unresolved::Skipped) => self.skipped += 1,
        }
    }

    fn settled(&mut self, settled: &Settled) {
        for candidate in &settled.candidates {
            self.decisive += 1;
            self.cache_hits += usize::from(candidate.source == Source::Cache);
            self.interesting += usize::from(candidate.outcome.is_interesting());
        }
    }
}

/// One execution of the test.
#[derive(Clone, Debug)]
pub struct Tested<'a> {
    /// Its number, from 0, over all sessions.
    pub number: usize,
    /// What was tested.
    pub edit: &'a Edit,
    /// The outcome.
    pub outcome: Outcome,
    /// When it was started.
    pub started: Instant,
    /// How long it ran.
    pub elapsed: Duration,
    /// How it ended, if the test tells.
    pub details: Option<&'a Details>,
}

/// An error of an observer: what could not be recorded or saved.
pub type ObserverError = Box<dyn std::error::Error + Send + Sync>;

/// Whoever records, saves and shows what happens: the journal, the best-so-far file, the screen.
///
/// Called on one thread, in order. An error stops the run.
pub trait Observer {
    /// A test has ended, in the order of time.
    fn tested(&mut self, _test: &Tested<'_>, _counts: &Counts) -> Result<(), ObserverError> {
        Ok(())
    }

    /// A batch is settled, in the order of the sequential algorithm. A new best must be safe on disk when this returns.
    fn settled(&mut self, _settled: &Settled, _counts: &Counts) -> Result<(), ObserverError> {
        Ok(())
    }
}

impl Observer for () {}

/// How a run ended.
#[derive(Debug)]
pub struct Finished {
    /// The best state found, as it was tested.
    pub best: Edit,
    /// The last candidate that passed, if the search heeds what passes and there was one.
    pub passing: Option<Edit>,
    /// The state of the search. The same, unless the search imitates the reference tool, which changes blanks after the
    /// test.
    pub end: Edit,
    /// The state that the search came to its own end with, if it did: in units of its last pass, whether or not that has
    /// found anything.
    pub last: Option<Edit>,
    /// Whether the search came to its own end; if not, it was interrupted.
    pub complete: bool,
    /// What was done, former sessions included.
    pub counts: Counts,
    /// How many outcomes the cache held at most.
    pub cache_peak: usize,
}

/// Why a run broke off.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A candidate could not be set up for the test.
    #[error(transparent)]
    Test(#[from] Stop),
    /// A worker could not be started.
    #[error("cannot start a worker: {0}")]
    Worker(#[from] io::Error),
    /// Something could not be recorded or saved.
    #[error(transparent)]
    Observer(ObserverError),
    /// A search broke the order that every reduction follows.
    #[error("internal error: {0} is not smaller than the best before it; please report this")]
    NotSmaller(String),
    /// The recorded run does not fit this search.
    #[error("the recorded run does not fit: {0}")]
    Replay(String),
}

/// A hand on the emergency brake: stops a run from another thread, for instance one that waits for signals.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<InterruptState>);

#[derive(Debug, Default)]
struct InterruptState {
    triggered: AtomicBool,
    events: Mutex<Option<Sender<Event>>>,
}

impl Interrupt {
    /// One that nobody has pulled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the run: its tests are killed, its best is kept.
    pub fn trigger(&self) {
        self.0.triggered.store(true, Ordering::Release);
        if let Some(events) = &*self.0.events.lock().unwrap_or_else(PoisonError::into_inner) {
            // A closed channel means that the run is over already.
            let _ = events.send(Event::Interrupted);
        }
    }

    /// Whether it has been pulled.
    pub fn is_triggered(&self) -> bool {
        self.0.triggered.load(Ordering::Acquire)
    }

    fn connect(&self, events: Option<Sender<Event>>) {
        *self.0.events.lock().unwrap_or_else(PoisonError::into_inner) = events;
    }
}

/// A search with everything that is needed to run it.
pub struct Reduction<'a, S> {
    speculate: Speculate<S>,
    settings: RunSettings,
    observer: &'a mut dyn Observer,
    counts: Counts,
    /// Number of the next test.
    next_number: usize,
    /// Whether the last test was quick.
    quick: bool,
    best: Edit,
    passing: Option<Edit>,
}

impl<'a, S: Search<Proposal = Edit> + Send> Reduction<'a, S> {
    /// Prepares to run `search`, whose current state must be known to be interesting.
    pub fn new(search: S, settings: RunSettings, observer: &'a mut dyn Observer) -> Self {
        let best = search.current();
        let speculate = Speculate::new(search, settings.cache);
        Self {
            speculate,
            settings,
            observer,
            counts: Counts::default(),
            next_number: 0,
            quick: false,
            best,
            passing: None,
        }
    }

    /// Repeats what a former session has settled, without running anything and without telling the observer.
    ///
    /// `decided` gives the outcomes of a batch: it is asked with the labels, contents and sizes of the candidates, and
    /// returns `None` at the end of the recording.
    pub fn replay(
        &mut self,
        mut decided: impl FnMut(&nub_core::Batch<Edit>) -> Result<Option<Vec<(Outcome, Source)>>, String>,
    ) -> Result<(), RunError> {
        loop {
            let mut ended = false;
            let settled = self.speculate.replay(|batch| match decided(batch) {
                Ok(Some(outcomes)) if outcomes.len() == batch.len() => Ok(outcomes),
                Ok(Some(outcomes)) => Err(format!("a batch of {} was recorded with {}", batch.len(), outcomes.len())),
                Ok(None) => {
                    ended = true;
                    Err(String::new())
                }
                Err(error) => Err(error),
            });
            match settled {
                Ok(Some(settled)) => {
                    self.counts.settled(&settled);
                    self.commit(&settled)?;
                }
                Ok(None) => return Ok(()),
                Err(_) if ended => return Ok(()),
                Err(error) => return Err(RunError::Replay(error)),
            }
        }
    }

    /// Takes over the tests of a former session: all their outcomes, to count them, and by content those that were not
    /// settled.
    pub fn resume_tests(
        &mut self,
        outcomes: impl IntoIterator<Item = Outcome>,
        unsettled: HashMap<Fingerprint, (usize, Outcome)>,
    ) {
        for outcome in outcomes {
            self.counts.tested(outcome);
            self.next_number += 1;
        }
        self.speculate.set_known(unsettled);
    }

    /// The same run with another observer: nobody needs to be told what is only replayed.
    pub fn observed_by<'b>(self, observer: &'b mut dyn Observer) -> Reduction<'b, S> {
        let Self { speculate, settings, observer: _, counts, next_number, quick, best, passing } = self;
        Reduction { speculate, settings, observer, counts, next_number, quick, best, passing }
    }

    /// The best state so far.
    pub fn best(&self) -> &Edit {
        &self.best
    }

    /// The last candidate that passed, if the search heeds what passes and there was one.
    pub fn passing(&self) -> Option<&Edit> {
        self.passing.as_ref()
    }

    /// What has been done so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Runs the search to its end, or until it is interrupted.
    pub fn run(mut self, test: &dyn Test, interrupt: &Interrupt) -> Result<Finished, RunError> {
        let jobs = self.settings.jobs.max(1);
        let pool = Pool::new(jobs, Self::is_news)?;
        let (sender, events) = mpsc::channel();
        interrupt.connect(Some(sender.clone()));
        let complete = thread::scope(|scope| {
            let _shut_down = pool.shut_down_at_the_end();
            for worker in 0..jobs {
                let (pool, sender) = (&pool, sender.clone());
                thread::Builder::new()
                    .name(format!("worker-{worker}"))
                    .spawn_scoped(scope, move || pool.work(worker, test, &sender))?;
            }
            drop(sender);
            self.drive(&pool, &events, interrupt)
        });
        interrupt.connect(None);
        let complete = complete?;
        // Tests that ended while the run was being stopped: their outcomes are for whoever resumes it.
        for event in events.try_iter() {
            if let Event::Finished(done) = event {
                done.into_iter().filter(|done| done.result.is_ok()).try_for_each(|done| self.finished(&pool, done))?;
            }
        }
        let cache_peak = self.speculate.cache().peak();
        let end = self.speculate.best().clone();
        let last = self.speculate.end();
        Ok(Finished { best: self.best, passing: self.passing, end, last, complete, counts: self.counts, cache_peak })
    }

    /// How many jobs should lie ready, so that no worker has to wait for the scheduler: one for each, and more if tests are
    /// so quick that outcomes come several at a time.
    fn reserve(&self) -> usize {
        self.settings.jobs.max(1) * if self.quick { 2 * HELD } else { 1 }
    }

    /// True if the search came to its end.
    fn drive(&mut self, pool: &Pool, events: &Receiver<Event>, interrupt: &Interrupt) -> Result<bool, RunError> {
        loop {
            while let Some(settled) = self.speculate.settle() {
                self.counts.settled(&settled);
                self.commit(&settled)?;
                self.observer.settled(&settled, &self.counts).map_err(RunError::Observer)?;
            }
            if interrupt.is_triggered() {
                return Ok(false);
            }
            while pool.waiting() < self.reserve() {
                let Some(job) = self.speculate.next_job() else { break };
                pool.push(job);
            }
            if self.speculate.is_done() {
                return Ok(true);
            }
            if self.speculate.can_settle() {
                continue;
            }
            match events.recv() {
                Ok(Event::Finished(done)) => done.into_iter().try_for_each(|done| self.finished(pool, done))?,
                Ok(Event::NoRunner(error)) => return Err(error.into()),
                Ok(Event::Interrupted) | Err(_) => return Ok(false),
            }
        }
    }

    fn finished(&mut self, pool: &Pool, Done { job, result, started }: Done) -> Result<(), RunError> {
        let report = match result {
            Ok(report) => report,
            Err(Stop::Cancelled) => {
                self.counts.cancelled += 1;
                return Ok(());
            }
            Err(fatal) => return Err(fatal.into()),
        };
        let number = self.next_number;
        self.next_number += 1;
        self.counts.tested(report.outcome);
        self.quick = report.elapsed < QUICK;
        if let Some(ticket) = self.speculate.finish(&job, report.outcome, number) {
            pool.cancel_after(ticket);
        }
        if Self::is_news(report.outcome) {
            pool.reopen(job.ticket);
        }
        let tested = Tested {
            number,
            edit: &job.edit,
            outcome: report.outcome,
            started,
            elapsed: report.elapsed,
            details: report.details.as_deref(),
        };
        self.observer.tested(&tested, &self.counts).map_err(RunError::Observer)
    }

    /// Whether an outcome changes the course of the search.
    fn is_news(outcome: Outcome) -> bool {
        S::heeds(outcome)
    }

    /// Takes the new best, if there is one. The order in which it must be smaller is what proves that a reduction ends.
    fn commit(&mut self, settled: &Settled) -> Result<(), RunError> {
        if let Some(passing) = &settled.passing {
            self.passing = Some(passing.clone());
        }
        let Some(best) = &settled.committed else { return Ok(()) };
        if self.settings.ordered && compare(best, &self.best).is_ge() {
            let labels: Vec<&str> = settled.candidates.iter().map(|candidate| candidate.label.as_str()).collect();
            return Err(RunError::NotSmaller(labels.join(", ")));
        }
        self.best = best.clone();
        Ok(())
    }
}
