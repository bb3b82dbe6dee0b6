//! A run that cannot go on says why and ends; whatever breaks, nothing waits for ever.

use nub_core::{Content, Edit, Granularity, ListAlgorithm, Search, TextPhase, TextSearch};
use nub_run::{
    Counts, Finished, Interrupt, Observer, ObserverError, Outcome, Reduction, RunError, RunSettings, Settled, Tested,
    test::{Cancel, ClosureTest, Report, Runner, Stop, Test},
};
use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

const INPUT: &[u8] = b"the quick brown fox jumps over the lazy dog";

/// Reduces a pangram to an `x` while something goes wrong.
fn run(jobs: usize, test: &dyn Test, observer: &mut dyn Observer, interrupt: &Interrupt) -> Result<Finished, RunError> {
    let pass = TextPhase { granularity: Granularity::Char, algorithm: ListAlgorithm::default() };
    let settings = RunSettings { jobs, ..RunSettings::default() };
    Reduction::new(TextSearch::new([pass], INPUT), settings, observer).run(test, interrupt)
}

fn contains_x(text: &[u8]) -> Outcome {
    if text.contains(&b'x') { Outcome::Interesting } else { Outcome::Uninteresting }
}

/// What `f` returns, or how it panics; and if it does neither, so does this test, instead of waiting with it.
fn in_time<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> thread::Result<T> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(catch_unwind(AssertUnwindSafe(f))));
    receiver.recv_timeout(Duration::from_secs(30)).expect("hangs")
}

const JOBS: [usize; 3] = [1, 2, 16];

/// A test that breaks in its own way, on the first candidate or on a later one.
struct Broken {
    runs: AtomicUsize,
    good_runs: usize,
    how: fn(&Cancel) -> Result<Report, Stop>,
}

impl Broken {
    fn after(good_runs: usize, how: fn(&Cancel) -> Result<Report, Stop>) -> Self {
        Self { runs: AtomicUsize::new(0), good_runs, how }
    }
}

impl Test for Broken {
    fn runner(&self, _: usize) -> io::Result<Box<dyn Runner + '_>> {
        Ok(Box::new(self))
    }
}

impl Runner for &Broken {
    fn run(&mut self, candidate: &dyn Content, cancel: &Cancel) -> Result<Report, Stop> {
        if self.runs.fetch_add(1, Ordering::Relaxed) >= self.good_runs {
            return (self.how)(cancel);
        }
        Ok(Report { outcome: contains_x(&candidate.to_vec()), elapsed: Duration::ZERO, details: None })
    }
}

#[test]
fn a_candidate_that_cannot_be_set_up_ends_the_run() {
    let full = |_: &Cancel| Err(Stop::Fatal { what: "x.c".into(), source: io::Error::other("no space left") });
    for jobs in JOBS {
        for good_runs in [0, 5] {
            let error = in_time(move || run(jobs, &Broken::after(good_runs, full), &mut (), &Interrupt::new()));
            assert_eq!(error.unwrap().unwrap_err().to_string(), "x.c: no space left");
        }
    }
}

#[test]
fn a_panic_of_the_test_is_passed_on() {
    for jobs in JOBS {
        for good_runs in [0, 5] {
            let test = Broken::after(good_runs, |_| panic!("the test is broken"));
            assert!(in_time(move || run(jobs, &test, &mut (), &Interrupt::new())).is_err());
        }
    }
}

#[test]
fn a_worker_that_cannot_start_ends_the_run() {
    /// Works for everybody but one.
    struct NoRoomFor(usize);
    impl Test for NoRoomFor {
        fn runner(&self, worker: usize) -> io::Result<Box<dyn Runner + '_>> {
            if worker == self.0 {
                return Err(io::Error::other("no directory for it"));
            }
            // Slow enough for the others not to be done before that one has complained.
            let slow = |_: &Cancel| {
                thread::sleep(Duration::from_millis(20));
                Ok(Report { outcome: Outcome::Uninteresting, elapsed: Duration::ZERO, details: None })
            };
            Ok(Box::new(ByFunction(slow)))
        }
    }
    struct ByFunction<F>(F);
    impl<F: FnMut(&Cancel) -> Result<Report, Stop>> Runner for ByFunction<F> {
        fn run(&mut self, _: &dyn Content, cancel: &Cancel) -> Result<Report, Stop> {
            (self.0)(cancel)
        }
    }
    for jobs in JOBS {
        let error = in_time(move || run(jobs, &NoRoomFor(jobs - 1), &mut (), &Interrupt::new()));
        assert_eq!(error.unwrap().unwrap_err().to_string(), "cannot start a worker: no directory for it");
    }
}

/// An observer that fails in its own way when it is told about something for the n-th time.
struct Unreliable {
    tested: usize,
    settled: usize,
    how: fn() -> Result<(), ObserverError>,
}

impl Observer for Unreliable {
    fn tested(&mut self, _: &Tested<'_>, _: &Counts) -> Result<(), ObserverError> {
        countdown(&mut self.tested, self.how)
    }

    fn settled(&mut self, _: &Settled, _: &Counts) -> Result<(), ObserverError> {
        countdown(&mut self.settled, self.how)
    }
}

fn countdown(left: &mut usize, then: fn() -> Result<(), ObserverError>) -> Result<(), ObserverError> {
    *left = left.saturating_sub(1);
    if *left == 0 { then() } else { Ok(()) }
}

fn with_observer(jobs: usize, mut observer: Unreliable) -> thread::Result<Result<Finished, RunError>> {
    in_time(move || run(jobs, &ClosureTest(contains_x), &mut observer, &Interrupt::new()))
}

const NEVER: usize = usize::MAX;

#[test]
fn what_cannot_be_recorded_ends_the_run() {
    let how = || Err("the disk is full".into());
    for jobs in JOBS {
        for (tested, settled) in [(1, NEVER), (6, NEVER), (NEVER, 1), (NEVER, 6)] {
            let error = with_observer(jobs, Unreliable { tested, settled, how }).unwrap().unwrap_err();
            assert!(matches!(error, RunError::Observer(_)), "{error:?}");
            assert_eq!(error.to_string(), "the disk is full");
        }
    }
}

#[test]
fn a_panic_of_an_observer_is_passed_on() {
    for jobs in JOBS {
        for (tested, settled) in [(1, NEVER), (6, NEVER), (NEVER, 6)] {
            let observer = Unreliable { tested, settled, how: || panic!("the observer is broken") };
            let panic = with_observer(jobs, observer).unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&"the observer is broken"));
        }
    }
}

/// A search that takes what it has for something smaller.
#[derive(Clone)]
struct Circular(TextSearch);

impl Search for Circular {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<nub_core::Batch<Edit>> {
        self.0.propose()
    }

    fn answer(&mut self, _: &[usize]) {}

    fn current(&self) -> Edit {
        self.0.current()
    }
}

#[test]
fn a_search_that_does_not_get_smaller_ends_the_run() {
    for jobs in JOBS {
        let error = in_time(move || {
            let pass = TextPhase { granularity: Granularity::Char, algorithm: ListAlgorithm::default() };
            let search = Circular(TextSearch::new([pass], INPUT));
            let settings = RunSettings { jobs, ..RunSettings::default() };
            let always = ClosureTest(|_: &[u8]| Outcome::Interesting);
            Reduction::new(search, settings, &mut ()).run(&always, &Interrupt::new())
        });
        let error = error.unwrap().unwrap_err();
        assert!(matches!(&error, RunError::NotSmaller(label) if label == "a0_i0_r0_c1"), "{error:?}");
    }
}

/// A test that hangs until somebody cancels it.
fn hang(cancel: &Cancel) -> Result<Report, Stop> {
    while !cancel.is_cancelled() {
        thread::sleep(Duration::from_micros(100));
    }
    Err(Stop::Cancelled)
}

#[test]
fn an_interrupt_ends_a_run_whose_tests_hang() {
    for jobs in JOBS {
        for good_runs in [0, 5] {
            let finished = in_time(move || {
                let interrupt = Interrupt::new();
                let (from_outside, test) = (interrupt.clone(), Broken::after(good_runs, hang));
                thread::spawn(move || {
                    thread::sleep(Duration::from_millis(5));
                    from_outside.trigger();
                });
                run(jobs, &test, &mut (), &interrupt)
            });
            let finished = finished.unwrap().unwrap();
            assert!(!finished.complete);
            assert!(contains_x(&finished.best.content.to_vec()).is_interesting());
        }
    }
}

#[test]
fn a_run_that_was_interrupted_before_it_began_runs_nothing() {
    let interrupt = Interrupt::new();
    interrupt.trigger();
    let test = Broken::after(0, |_| panic!("nobody asked"));
    let finished = run(4, &test, &mut (), &interrupt).unwrap();
    assert!(!finished.complete);
    assert_eq!(finished.counts, Counts::default());
    assert_eq!(finished.best.content.to_vec(), INPUT);
}

#[test]
fn an_interrupt_after_the_end_is_nobodys_concern() {
    let interrupt = Interrupt::new();
    let finished = run(2, &ClosureTest(contains_x), &mut (), &interrupt).unwrap();
    assert!(finished.complete);
    interrupt.trigger();
    assert!(interrupt.is_triggered());
}

/// The first test ends when three later ones have, some of them interesting: the search goes on from those, and still
/// the first one is needed.
#[test]
fn a_later_success_does_not_cancel_an_earlier_test() {
    struct Slow {
        started: AtomicUsize,
        ended: AtomicUsize,
    }
    impl Test for Slow {
        fn runner(&self, _: usize) -> io::Result<Box<dyn Runner + '_>> {
            Ok(Box::new(self))
        }
    }
    impl Runner for &Slow {
        fn run(&mut self, candidate: &dyn Content, cancel: &Cancel) -> Result<Report, Stop> {
            let first = self.started.fetch_add(1, Ordering::AcqRel) == 0;
            let start = Instant::now();
            while first && self.ended.load(Ordering::Acquire) < 3 && start.elapsed() < Duration::from_secs(10) {
                if cancel.is_cancelled() {
                    return Err(Stop::Cancelled);
                }
                thread::yield_now();
            }
            self.ended.fetch_add(1, Ordering::AcqRel);
            Ok(Report { outcome: contains_x(&candidate.to_vec()), elapsed: Duration::ZERO, details: None })
        }
    }
    let finished = in_time(|| {
        let test = Slow { started: AtomicUsize::new(0), ended: AtomicUsize::new(0) };
        run(2, &test, &mut (), &Interrupt::new())
    });
    let finished = finished.unwrap().unwrap();
    assert!(finished.complete);
    assert_eq!(finished.best.content.to_vec(), b"x");
}
