//! Workers: threads that take jobs in order and run them.
//!
//! A worker does not wait for the scheduler between two tests. Jobs lie ready in a shared queue in the order of the
//! sequential algorithm, and a worker whose candidate was uninteresting, as the queue assumes, takes the next one at
//! once, and reports several outcomes together if they come quickly. One whose candidate was interesting closes the queue behind its own batch before it reports, so that not even
//! a single job starts that the sequential algorithm would not have started. (In isolation a pass is no less of a surprise,
//! and does the same.)

use crate::{
    Outcome,
    speculate::{Job, Ticket},
    test::{Cancel, Report, Runner, Stop, Test},
};
use std::{
    collections::VecDeque,
    io, mem,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc::Sender},
    time::{Duration, Instant},
};

/// What a worker, or an interrupt, tells the scheduler.
pub(crate) enum Event {
    /// Jobs have ended, in this order.
    Finished(Vec<Done>),
    /// A worker cannot work.
    NoRunner(io::Error),
    /// Somebody wants everything to stop.
    Interrupted,
}

/// A job that has ended.
pub(crate) struct Done {
    pub(crate) job: Job,
    pub(crate) result: Result<Report, Stop>,
    pub(crate) started: Instant,
}

/// How long a worker may keep what the scheduler expects anyway, that a candidate was uninteresting, to itself. Waking the
/// scheduler costs a tenth of the cheapest test; so for tests that take less than this it is done for several at once.
pub(crate) const QUICK: Duration = Duration::from_millis(2);
/// And how many such outcomes.
pub(crate) const HELD: usize = 8;

/// The queue and who works on what.
pub(crate) struct Pool {
    state: Mutex<State>,
    work: Condvar,
    cancels: Vec<Arc<Cancel>>,
    /// Whether an outcome changes the course of the search; the queue assumes that none does.
    is_news: fn(Outcome) -> bool,
}

struct State {
    queue: VecDeque<Job>,
    /// Batches with news that the scheduler does not know of yet: no job of a later batch is taken.
    closed_after: Vec<Ticket>,
    /// The batch that each worker works on.
    running: Vec<Option<Ticket>>,
    shut_down: bool,
}

impl Pool {
    pub(crate) fn new(workers: usize, is_news: fn(Outcome) -> bool) -> io::Result<Self> {
        let state =
            State { queue: VecDeque::new(), closed_after: vec![], running: vec![None; workers], shut_down: false };
        let cancels = (0..workers).map(|_| Cancel::new().map(Arc::new)).collect::<io::Result<_>>()?;
        Ok(Self { state: Mutex::new(state), work: Condvar::new(), cancels, is_news })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many jobs nobody has taken yet.
    pub(crate) fn waiting(&self) -> usize {
        self.lock().queue.len()
    }

    pub(crate) fn push(&self, job: Job) {
        self.lock().queue.push_back(job);
        self.work.notify_one();
    }

    /// Cancels every job of a batch after `ticket`.
    pub(crate) fn cancel_after(&self, ticket: Ticket) {
        let mut state = self.lock();
        state.queue.retain(|job| job.ticket <= ticket);
        for (worker, running) in state.running.iter().enumerate() {
            if running.is_some_and(|running| running > ticket) {
                self.cancels[worker].cancel();
            }
        }
    }

    /// The scheduler knows that a job of this batch had news, and has cancelled what that makes void.
    pub(crate) fn reopen(&self, ticket: Ticket) {
        let mut state = self.lock();
        if let Some(position) = state.closed_after.iter().position(|&closed| closed == ticket) {
            state.closed_after.swap_remove(position);
        }
        drop(state);
        self.work.notify_all();
    }

    /// Shuts the pool down when the guard is dropped: also if a worker cannot be started or an observer panics. The
    /// threads wait for work and their scope waits for the threads, so nothing else would ever end.
    pub(crate) fn shut_down_at_the_end(&self) -> ShutDown<'_> {
        ShutDown(self)
    }

    /// Cancels everything and sends the workers home.
    fn shut_down(&self) {
        let mut state = self.lock();
        state.shut_down = true;
        state.queue.clear();
        for cancel in &self.cancels {
            cancel.cancel();
        }
        drop(state);
        self.work.notify_all();
    }

    /// What a worker's thread does.
    pub(crate) fn work(&self, worker: usize, test: &dyn Test, events: &Sender<Event>) {
        let _panic = TellPanic(events);
        let mut runner = match test.runner(worker) {
            Ok(runner) => runner,
            // A closed channel means that the scheduler is gone, and then nobody needs the message.
            Err(error) => return drop(events.send(Event::NoRunner(error))),
        };
        let mut held: Vec<Done> = Vec::new();
        loop {
            let job = match self.take(worker, held.is_empty()) {
                Taken::Job(job) => job,
                Taken::Nothing if held.is_empty() => return,
                Taken::Nothing => {
                    let _ = events.send(Event::Finished(mem::take(&mut held)));
                    continue;
                }
            };
            let done = self.run(&mut *runner, job, worker);
            let expected = matches!(&done.result, Ok(report) if !(self.is_news)(report.outcome));
            held.push(done);
            if !expected || held.len() >= HELD || held[0].started.elapsed() >= QUICK {
                let _ = events.send(Event::Finished(mem::take(&mut held)));
            }
        }
    }

    /// The next job. Waits for one, if told to; `Nothing` then means that there will be none.
    fn take(&self, worker: usize, wait: bool) -> Taken {
        let mut state = self.lock();
        loop {
            if state.shut_down {
                return Taken::Nothing;
            }
            let closed_after = state.closed_after.iter().min().copied().unwrap_or(Ticket::MAX);
            if state.queue.front().is_some_and(|job| job.ticket <= closed_after)
                && let Some(job) = state.queue.pop_front()
            {
                self.cancels[worker].reset();
                state.running[worker] = Some(job.ticket);
                return Taken::Job(job);
            }
            if !wait {
                return Taken::Nothing;
            }
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn run(&self, runner: &mut dyn Runner, job: Job, worker: usize) -> Done {
        let started = Instant::now();
        let result = runner.run(&*job.edit.content, &self.cancels[worker]);
        let mut state = self.lock();
        state.running[worker] = None;
        if result.as_ref().is_ok_and(|report| (self.is_news)(report.outcome)) {
            state.closed_after.push(job.ticket);
        }
        Done { job, result, started }
    }
}

/// What a worker gets from the queue.
enum Taken {
    Job(Job),
    Nothing,
}

/// Shuts a pool down, whatever happens.
pub(crate) struct ShutDown<'a>(&'a Pool);

impl Drop for ShutDown<'_> {
    fn drop(&mut self) {
        self.0.shut_down();
    }
}

/// Tells the scheduler if a worker panics, which would otherwise wait for its outcome for ever.
struct TellPanic<'a>(&'a Sender<Event>);

impl Drop for TellPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(Event::NoRunner(io::Error::other("a worker has panicked")));
        }
    }
}
