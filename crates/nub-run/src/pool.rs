//! Workers: threads that take jobs in order and run them.
//!
//! A worker does not wait for the scheduler between two tests. A shared queue holds jobs in the order of the sequential
//! algorithm. A worker whose candidate was uninteresting, as the queue assumes, takes the next job at once, and reports
//! several outcomes together if tests are quick. A worker whose candidate was interesting closes the queue behind its
//! own batch before it reports. So no job starts that the sequential algorithm would not have started. (In isolation, a
//! candidate on the passing side is just as unexpected and closes the queue too.)

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

/// A message to the scheduler from a worker or an interrupt.
pub(crate) enum Event {
    /// Jobs have ended, in this order.
    Finished(Vec<Done>),
    /// A worker cannot work.
    NoRunner(io::Error),
    /// The run is to stop.
    Interrupted,
}

/// A job that has ended.
pub(crate) struct Done {
    pub(crate) job: Job,
    pub(crate) result: Result<Report, Stop>,
    pub(crate) started: Instant,
}

/// How long a worker may hold back the outcome that the scheduler expects anyway: uninteresting. Waking the scheduler
/// costs a tenth of the cheapest test, so outcomes of tests quicker than this are reported several at a time.
pub(crate) const QUICK: Duration = Duration::from_millis(2);
/// The maximum number of outcomes held back.
pub(crate) const HELD: usize = 8;

/// The queue, and which worker runs which batch.
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
    /// The batch that each worker is running.
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

    /// The number of jobs that no worker has taken yet.
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

    /// Called when the scheduler knows that a job of this batch had news, and has cancelled the jobs that this makes
    /// void.
    pub(crate) fn reopen(&self, ticket: Ticket) {
        let mut state = self.lock();
        if let Some(position) = state.closed_after.iter().position(|&closed| closed == ticket) {
            state.closed_after.swap_remove(position);
        }
        drop(state);
        self.work.notify_all();
    }

    /// Shuts the pool down when the guard is dropped, even if a worker cannot be started or an observer panics. The
    /// threads wait for work and their scope waits for the threads, so the run would hang otherwise.
    pub(crate) fn shut_down_on_drop(&self) -> ShutDown<'_> {
        ShutDown(self)
    }

    /// Cancels everything and ends the workers.
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

    /// The body of a worker's thread.
    pub(crate) fn work(&self, worker: usize, test: &dyn Test, events: &Sender<Event>) {
        let _panic = ReportPanic(events);
        let mut runner = match test.runner(worker) {
            Ok(runner) => runner,
            // A closed channel means that the scheduler has ended and does not need the message.
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

    /// The next job. If `wait` is true, waits for one; `Nothing` then means that there will be none.
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

/// The result of asking the queue for a job.
enum Taken {
    Job(Job),
    Nothing,
}

/// Shuts a pool down when it is dropped.
pub(crate) struct ShutDown<'a>(&'a Pool);

impl Drop for ShutDown<'_> {
    fn drop(&mut self) {
        self.0.shut_down();
    }
}

/// Tells the scheduler that a worker has panicked; otherwise the scheduler would wait for its outcome for ever.
struct ReportPanic<'a>(&'a Sender<Event>);

impl Drop for ReportPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(Event::NoRunner(io::Error::other("a worker panicked")));
        }
    }
}
