//! A run without machines: any search, any number of virtual workers, virtual time.
//!
//! [`simulate`] drives [`Speculate`] as the scheduler does, but a test takes no time: somebody says what its outcome would be,
//! and how long it would have taken. So it can be asked what a thousand workers would do, in a second, and with the same
//! answer every time.

use crate::{
    CacheSettings, Outcome,
    speculate::{Job, Settled, Source, Speculate},
};
use nub_core::{Edit, Search};
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashSet},
    time::Duration,
};

/// Whoever knows what a test would say, and how long it would take. Always the same for the same candidate.
pub trait VirtualTest {
    /// How long nub itself would take to come up with the candidate: the one thing that only one can do at a time.
    fn overhead(&mut self, _edit: &Edit) -> Duration {
        Duration::ZERO
    }

    /// How long the test would take.
    fn elapsed(&mut self, edit: &Edit) -> Duration;

    /// What it would say. Only asked if nobody cancels it.
    fn outcome(&mut self, edit: &Edit) -> Outcome;
}

/// Two functions: how long, and what.
impl<T: FnMut(&Edit) -> Duration, O: FnMut(&Edit) -> Outcome> VirtualTest for (T, O) {
    fn elapsed(&mut self, edit: &Edit) -> Duration {
        self.0(edit)
    }

    fn outcome(&mut self, edit: &Edit) -> Outcome {
        self.1(edit)
    }
}

/// What came of a simulated run.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// From the first test to the end of the last one that mattered.
    pub elapsed: Duration,
    /// Executed tests.
    pub tests: usize,
    /// Executed tests whose outcome nobody needed.
    pub wasted: usize,
    /// Tests that were begun, and cancelled when it turned out that nobody would need them.
    pub cancelled: usize,
    /// Candidates that the sequential algorithm asks about: the same for every number of workers.
    pub decisive: usize,
    /// Working time of all workers on tests that mattered.
    pub useful: Duration,
    /// Working time of all workers on others.
    pub lost: Duration,
    /// Time in which workers had nothing to do.
    pub idle: Duration,
    /// The result.
    pub best: Edit,
}

/// Runs a search to its end, on paper, with so many workers (at least one).
///
/// ```
/// use nub_core::{Edit, Granularity, ListAlgorithm, TextPhase, TextSearch};
/// use nub_run::{CacheSettings, Outcome, simulate};
/// use std::time::Duration;
///
/// let pass = TextPhase { granularity: Granularity::Char, algorithm: ListAlgorithm::default() };
/// let run = |workers| {
///     let has_q = |edit: &Edit| match edit.content.to_vec().contains(&b'q') {
///         true => Outcome::Interesting,
///         false => Outcome::Uninteresting,
///     };
///     let search = TextSearch::new([pass], *b"the quick brown fox");
///     simulate(search, CacheSettings::default(), workers, (|_: &Edit| Duration::from_secs(1), has_q))
/// };
/// let (one, eight) = (run(1), run(8));
/// assert_eq!(one.elapsed.as_secs(), one.tests as u64);
/// assert!(eight.elapsed < one.elapsed);
/// assert_eq!(one.best.content.to_vec(), eight.best.content.to_vec());
/// ```
pub fn simulate<S: Search<Proposal = Edit>>(
    search: S,
    cache: CacheSettings,
    workers: usize,
    test: impl VirtualTest,
) -> Simulated {
    Simulation::new(search, cache, workers, test).run()
}

/// A test that a worker is at.
struct Running {
    job: Job,
    began: Duration,
    number: usize,
}

struct Simulation<S, T> {
    speculate: Speculate<S>,
    test: T,
    now: Duration,
    /// When whoever comes up with candidates is ready for the next.
    scheduler: Duration,
    /// What each worker is at.
    running: Vec<Option<Running>>,
    /// When which test ends; of equal ones, the one that began first. The last is the worker.
    ends: BinaryHeap<Reverse<(Duration, usize, usize)>>,
    begun: usize,
    /// How long each executed test took.
    times: Vec<Duration>,
    needed: HashSet<usize>,
    cancelled: usize,
    decisive: usize,
    lost: Duration,
}

impl<S: Search<Proposal = Edit>, T: VirtualTest> Simulation<S, T> {
    fn new(search: S, cache: CacheSettings, workers: usize, test: T) -> Self {
        Self {
            speculate: Speculate::new(search, cache),
            test,
            now: Duration::ZERO,
            scheduler: Duration::ZERO,
            running: (0..workers.max(1)).map(|_| None).collect(),
            ends: BinaryHeap::new(),
            begun: 0,
            times: vec![],
            needed: HashSet::new(),
            cancelled: 0,
            decisive: 0,
            lost: Duration::ZERO,
        }
    }

    fn run(mut self) -> Simulated {
        loop {
            while let Some(settled) = self.speculate.settle() {
                self.settled(&settled);
            }
            self.begin();
            if self.speculate.is_done() {
                break;
            }
            if !self.speculate.can_settle() {
                let Some(Reverse((at, begun, worker))) = self.ends.pop() else { break };
                self.finish(at, begun, worker);
            }
        }
        let useful: Duration = self.needed.iter().map(|&number| self.times[number]).sum();
        let executed: Duration = self.times.iter().sum();
        let lost = self.lost + (executed - useful);
        let workers = u32::try_from(self.running.len()).unwrap_or(u32::MAX);
        Simulated {
            elapsed: self.now,
            tests: self.times.len(),
            wasted: self.times.len() - self.needed.len(),
            cancelled: self.cancelled,
            decisive: self.decisive,
            useful,
            lost,
            idle: (self.now * workers).saturating_sub(useful + lost),
            best: self.speculate.best().clone(),
        }
    }

    fn settled(&mut self, settled: &Settled) {
        self.decisive += settled.candidates.len();
        for candidate in &settled.candidates {
            if let Source::Test(number) = candidate.source {
                self.needed.insert(number);
            }
        }
    }

    /// Gives everybody who has nothing to do the next candidate.
    fn begin(&mut self) {
        for worker in 0..self.running.len() {
            if self.running[worker].is_some() {
                continue;
            }
            let Some(job) = self.speculate.next_job() else { return };
            let elapsed = self.test.elapsed(&job.edit);
            let began = self.now.max(self.scheduler) + self.test.overhead(&job.edit);
            self.scheduler = began;
            self.ends.push(Reverse((began + elapsed, self.begun, worker)));
            self.running[worker] = Some(Running { job, began, number: self.begun });
            self.begun += 1;
        }
    }

    fn finish(&mut self, at: Duration, begun: usize, worker: usize) {
        // What was cancelled is still in the queue.
        if self.running[worker].as_ref().is_none_or(|running| running.number != begun) {
            return;
        }
        let Some(running) = self.running[worker].take() else { return };
        self.now = at;
        let number = self.times.len();
        self.times.push(at - running.began);
        let outcome = self.test.outcome(&running.job.edit);
        let Some(void_after) = self.speculate.finish(&running.job, outcome, number) else { return };
        for other in &mut self.running {
            if let Some(void) = other.take_if(|other| other.job.ticket > void_after) {
                self.cancelled += 1;
                self.lost += at.saturating_sub(void.began);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interrupt, Reduction, RunSettings, test::ClosureTest};
    use nub_core::{Granularity, ListAlgorithm, ListMinimizer, ListSettings, TextPhase, TextSearch};
    use proptest::prelude::*;

    fn search(input: &[u8], minimizer: ListMinimizer, window: usize) -> TextSearch {
        let settings = ListSettings { window, ..ListSettings::default() };
        let algorithm = ListAlgorithm { minimizer, star: true, settings };
        TextSearch::new([TextPhase { granularity: Granularity::Char, algorithm }], input)
    }

    fn outcome(needed: &[u8], bytes: &[u8]) -> Outcome {
        // As often as it is listed, and with an even number of others: not monotone.
        let mut rest = bytes.to_vec();
        for byte in needed {
            let Some(at) = rest.iter().position(|other| other == byte) else { return Outcome::Uninteresting };
            rest.remove(at);
        }
        if rest.len().is_multiple_of(2) { Outcome::Interesting } else { Outcome::Uninteresting }
    }

    fn on(workers: usize, input: &[u8], needed: &[u8], time: impl Fn(&[u8]) -> u64) -> Simulated {
        let elapsed = |edit: &Edit| Duration::from_millis(time(&edit.content.to_vec()));
        let outcome = |edit: &Edit| outcome(needed, &edit.content.to_vec());
        simulate(search(input, ListMinimizer::Ddmin, 1), CacheSettings::default(), workers, (elapsed, outcome))
    }

    #[test]
    fn nothing_is_interesting_so_workers_share_the_work_evenly() {
        // ddmin without subsets on eight units that are all needed: complements of 2, 4 and 8 parts, 14 tests.
        let [one, seven] = [1, 7].map(|workers| on(workers, b"abcdefgh", b"abcdefgh", |_| 1000));
        assert_eq!((one.tests, one.elapsed.as_secs(), one.wasted), (14, 14, 0));
        assert_eq!((seven.tests, seven.elapsed.as_secs(), seven.wasted), (14, 2, 0));
        assert_eq!((seven.useful.as_secs(), seven.lost.as_secs(), seven.idle.as_secs()), (14, 0, 0));
    }

    /// Tests of three seconds, and a second to come up with each.
    struct Slow;

    impl VirtualTest for Slow {
        fn overhead(&mut self, _: &Edit) -> Duration {
            Duration::from_secs(1)
        }

        fn elapsed(&mut self, _: &Edit) -> Duration {
            Duration::from_secs(3)
        }

        fn outcome(&mut self, _: &Edit) -> Outcome {
            Outcome::Uninteresting
        }
    }

    #[test]
    fn only_one_candidate_is_made_at_a_time() {
        // Complements of two and of four parts: six tests.
        let run = |workers| simulate(search(b"abcd", ListMinimizer::Ddmin, 1), CacheSettings::default(), workers, Slow);
        let (one, many) = (run(1), run(100));
        assert_eq!((one.tests, one.elapsed.as_secs(), one.idle.as_secs()), (6, 24, 6));
        assert_eq!((many.tests, many.elapsed.as_secs(), many.useful.as_secs()), (6, 9, 18));
    }

    proptest! {
        #[test]
        fn one_worker_is_the_sequential_algorithm(
            input in "[a-d]{2,24}",
            needed in proptest::sample::subsequence((0..24).collect::<Vec<usize>>(), 0..4),
            window in 1_usize..4,
            greedy: bool,
        ) {
            let input = input.into_bytes();
            let needed: Vec<u8> = needed.into_iter().filter_map(|at| input.get(at).copied()).collect();
            prop_assume!(outcome(&needed, &input).is_interesting());
            let minimizer = if greedy { ListMinimizer::Greeddy } else { ListMinimizer::Ddmin };
            let test = ClosureTest(|bytes: &[u8]| outcome(&needed, bytes));
            let real = Reduction::new(search(&input, minimizer, window), RunSettings::default(), &mut ())
                .run(&test, &Interrupt::new()).unwrap();
            let outcome = |edit: &Edit| outcome(&needed, &edit.content.to_vec());
            let test = (|_: &Edit| Duration::from_secs(1), outcome);
            let run = simulate(search(&input, minimizer, window), RunSettings::default().cache, 1, test);
            prop_assert_eq!(run.tests, real.counts.tests);
            prop_assert_eq!(run.decisive, real.counts.decisive);
            prop_assert_eq!(run.wasted, 0);
            prop_assert_eq!(run.best.content.to_vec(), real.best.content.to_vec());
        }

        #[test]
        fn workers_change_nothing_but_the_time(input in "[a-d]{2,24}", workers in 2_usize..20, seed: u64) {
            let input = input.into_bytes();
            let needed = &input[..input.len() % 2 + 2 * (input.len() / 8)];
            prop_assume!(outcome(needed, &input).is_interesting());
            let time = |bytes: &[u8]| 1 + bytes.iter().fold(seed, |hash, &byte| hash.wrapping_mul(31) ^ u64::from(byte)) % 50;
            let (one, many) = (on(1, &input, needed, time), on(workers, &input, needed, time));
            prop_assert_eq!(one.best.content.to_vec(), many.best.content.to_vec());
            prop_assert_eq!(one.decisive, many.decisive);
            prop_assert!(many.elapsed <= one.elapsed);
            let accounted = many.useful + many.lost + many.idle;
            // Tests that are still running at the end are idle time, because nobody waits for them.
            prop_assert_eq!(accounted, many.elapsed * workers as u32);
        }
    }
}
