//! The result, and every step on the way to it, depends on the input, the algorithm and the test, and on nothing else:
//! not on the number of jobs, not on which test is faster, not on what is cached, not on interruptions.

mod common;
#[path = "../../nub-core/tests/oracle/mod.rs"]
mod oracle;

use common::{Recorder, Trace};
use nub_core::{Batch, Edit, Granularity, ListAlgorithm, Search, TextPhase, TextSearch};
use nub_run::{
    CacheKind, CacheSettings, Counts, Fingerprint, Finished, Interrupt, Job, Observer, ObserverError, Outcome,
    Reduction, RunSettings, Settled, Source, Speculate, Tested, Unresolved, test::ClosureTest,
};
use oracle::{Oracle, algorithm, any_oracle, hash};
use proptest::{collection::vec, prelude::*, sample::Index};
use std::{
    collections::{HashMap, HashSet},
    sync::Mutex,
    thread,
    time::Duration,
};

/// Letters and line ends. Few of them, so that different configurations often have the same text.
const LETTERS: &[u8] = b"abcdefg\n";

/// Something to be reduced.
#[derive(Clone, Debug)]
struct Problem {
    input: Vec<u8>,
    oracle: Oracle,
    passes: Vec<TextPhase>,
}

fn values(text: &[u8]) -> Vec<u32> {
    let position = |byte| LETTERS.iter().position(|letter| letter == byte).expect("a letter of the input");
    text.iter().map(|byte| position(byte) as u32).collect()
}

fn problem() -> impl Strategy<Value = Problem> {
    let granularity = prop_oneof![Just(Granularity::Char), Just(Granularity::Line)];
    let passes = vec((granularity, algorithm()), 1..3);
    let input = vec(0..LETTERS.len(), 1..30);
    (input, any_oracle(LETTERS.len() as u32), passes).prop_map(|(input, oracle, passes)| {
        let input: Vec<u8> = input.into_iter().map(|letter| LETTERS[letter]).collect();
        let pass = |(granularity, algorithm): (Granularity, ListAlgorithm)| TextPhase { granularity, algorithm };
        Problem { oracle: oracle.on(values(&input)), input, passes: passes.into_iter().map(pass).collect() }
    })
}

impl Problem {
    fn search(&self) -> TextSearch {
        TextSearch::new(&self.passes[..], &self.input[..])
    }

    /// Some candidates have no outcome, but always the same ones.
    fn outcome(&self, text: &[u8]) -> Outcome {
        match self.oracle.accepts(&values(text)) {
            true => Outcome::Interesting,
            false if hash(7, &values(text)).is_multiple_of(10) => Outcome::Unresolved(Unresolved::TimedOut),
            false => Outcome::Uninteresting,
        }
    }

    fn run(&self, jobs: usize, cache: CacheSettings) -> Session {
        self.run_with(jobs, cache, &Interrupt::new(), |_| Ok(()))
    }

    /// Runs what `prepare` leaves to be done, with tests that take different times.
    fn run_with(
        &self,
        jobs: usize,
        cache: CacheSettings,
        interrupt: &Interrupt,
        prepare: impl FnOnce(&mut Reduction<'_, TextSearch>) -> Result<(), nub_run::RunError>,
    ) -> Session {
        let executed = Mutex::new(vec![]);
        let test = ClosureTest(|text: &[u8]| {
            executed.lock().unwrap().push(text.to_vec());
            thread::sleep(Duration::from_micros(hash(jobs as u64, &values(text)) % 300));
            self.outcome(text)
        });
        let mut log = Log::default();
        let mut run = Reduction::new(self.search(), RunSettings { jobs, cache, ordered: true }, &mut log);
        prepare(&mut run).unwrap();
        let finished = run.run(&test, interrupt).unwrap();
        Session { jobs, finished, log, executed: executed.into_inner().unwrap() }
    }
}

/// What a journal would hold: everything that happens, in the order of time.
#[derive(Default)]
struct Log {
    entries: Vec<Entry>,
    recorder: Recorder,
}

#[derive(Clone, Debug)]
enum Entry {
    Tested(Vec<u8>, Outcome),
    Settled(Vec<(Outcome, Source)>),
}

impl Observer for Log {
    fn tested(&mut self, test: &Tested<'_>, _: &Counts) -> Result<(), ObserverError> {
        self.entries.push(Entry::Tested(test.edit.content.to_vec(), test.outcome));
        Ok(())
    }

    fn settled(&mut self, settled: &Settled, counts: &Counts) -> Result<(), ObserverError> {
        let outcomes = settled.candidates.iter().map(|candidate| (candidate.outcome, candidate.source)).collect();
        self.entries.push(Entry::Settled(outcomes));
        self.recorder.settled(settled, counts)
    }
}

struct Session {
    jobs: usize,
    finished: Finished,
    log: Log,
    /// What was executed, in the order of time.
    executed: Vec<Vec<u8>>,
}

type Decisions = Vec<(String, Outcome, Vec<u8>)>;

impl Session {
    fn best(&self) -> Vec<u8> {
        self.finished.best.content.to_vec()
    }

    /// What must be the same for every number of jobs. (Where a outcome comes from need not: what was a lost guess for
    /// one is a cache hit later.)
    fn decisions(&self) -> Decisions {
        decisions(&self.log.recorder.trace)
    }

    fn bests(&self) -> &[Vec<u8>] {
        &self.log.recorder.bests
    }
}

fn decisions(trace: &Trace) -> Decisions {
    trace.iter().map(|(label, outcome, _, text)| (label.clone(), *outcome, text.clone())).collect()
}

/// All the settings of a cache.
fn caches() -> impl Iterator<Item = CacheSettings> {
    CacheKind::ALL.into_iter().flat_map(|kind| {
        [(false, false), (false, true), (true, false), (true, true)].map(|(interesting, evict)| CacheSettings {
            kind,
            interesting,
            evict,
            per_phase: false,
        })
    })
}

fn any_cache() -> impl Strategy<Value = CacheSettings> {
    any::<Index>().prop_map(|index| *index.get(&caches().collect::<Vec<_>>()))
}

/// The sequential algorithm with the simplest possible cache: everything is remembered for ever.
struct Model {
    trace: Vec<(String, Outcome, bool, Vec<u8>)>,
    executed: Vec<Vec<u8>>,
    best: Vec<u8>,
}

impl Model {
    fn new(problem: &Problem, cache: CacheSettings) -> Self {
        let mut search = problem.search();
        let mut remembered: HashMap<Vec<u8>, Outcome> = HashMap::new();
        let (mut trace, mut executed) = (vec![], vec![]);
        while let Some(batch) = search.propose() {
            // Equal candidates of one window are tested once, whatever comes of it.
            let mut in_this_batch: HashMap<Vec<u8>, Outcome> = HashMap::new();
            let mut interesting = vec![];
            for (i, candidate) in batch.iter().enumerate() {
                let text = candidate.what.content.to_vec();
                let key = key(cache.kind, &candidate.what);
                let hit = key.as_ref().and_then(|key| remembered.get(key).or(in_this_batch.get(key))).copied();
                let outcome = hit.unwrap_or_else(|| {
                    executed.push(text.clone());
                    problem.outcome(&text)
                });
                if outcome.is_interesting() {
                    interesting.push(i);
                }
                in_this_batch.extend(key.map(|key| (key, outcome)));
                trace.push((candidate.label.to_string(), outcome, hit.is_some(), text));
            }
            let both = cache.interesting && cache.kind != CacheKind::ContentHash;
            remembered.extend(in_this_batch.into_iter().filter(|(_, outcome)| both || !outcome.is_interesting()));
            search.answer(&interesting);
        }
        Self { trace, executed, best: search.current().content.to_vec() }
    }
}

fn key(kind: CacheKind, edit: &Edit) -> Option<Vec<u8>> {
    match kind {
        CacheKind::None => None,
        CacheKind::Content | CacheKind::ContentHash => Some(edit.content.to_vec()),
        CacheKind::Config => {
            let mut key = edit.scope.to_le_bytes().to_vec();
            edit.content.identify(&mut |bytes| key.extend_from_slice(bytes));
            Some(key)
        }
    }
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 400, ..ProptestConfig::default() }
}

/// What holds for the counts of every complete run.
fn check_counts(session: &Session) {
    let counts = session.finished.counts;
    let trace = &session.log.recorder.trace;
    check_executed(session, 0);
    assert_eq!(counts.decisive, trace.len());
    assert_eq!(counts.interesting, trace.iter().filter(|(_, outcome, ..)| outcome.is_interesting()).count());
    assert_eq!(counts.cache_hits, trace.iter().filter(|(_, _, source, _)| *source == Source::Cache).count());
    assert_eq!((counts.killed, counts.not_started), (0, 0));
    // Every outcome is that of a test of that very text, and no test speaks twice.
    let tested: Vec<(&Vec<u8>, Outcome)> = tests(&session.log.entries).collect();
    let timed_out = Outcome::Unresolved(Unresolved::TimedOut);
    assert_eq!(counts.timed_out, tested.iter().filter(|(_, outcome)| *outcome == timed_out).count());
    let mut spoken = HashSet::new();
    for (label, outcome, source, text) in trace {
        if let Source::Test(number) = source {
            assert_eq!(tested[*number], (text, *outcome), "{label}");
            assert!(spoken.insert(number), "{label}");
        }
    }
}

/// Every execution is counted, except for those that nobody waits for when the run ends. `before` were executed in former
/// sessions.
fn check_executed(session: &Session, before: usize) {
    let counted = tests(&session.log.entries).count();
    assert_eq!(session.finished.counts.tests, before + counted);
    // The last decision was one of them; each worker may have been busy with another, with one more in reserve.
    let under_way = session.executed.len() - counted;
    assert!(under_way < 2 * session.jobs, "{under_way} executions were not counted");
}

fn tests(entries: &[Entry]) -> impl Iterator<Item = (&Vec<u8>, Outcome)> {
    entries.iter().filter_map(|entry| match entry {
        Entry::Tested(text, outcome) => Some((text, *outcome)),
        Entry::Settled(_) => None,
    })
}

/// Texts that were decided by more than one test, although a cache of contents should have known.
fn decided_twice(trace: &Trace) -> Vec<&[u8]> {
    let mut seen = HashSet::new();
    let by_test =
        |(_, outcome, source, _): &&(_, Outcome, Source, _)| *source != Source::Cache && !outcome.is_interesting();
    trace.iter().filter(by_test).map(|(.., text)| &text[..]).filter(|text| !seen.insert(*text)).collect()
}

fn is_by_content(kind: CacheKind) -> bool {
    matches!(kind, CacheKind::Content | CacheKind::ContentHash)
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn every_number_of_jobs_takes_the_same_decisions(problem in problem(), cache in any_cache()) {
        let sequential = problem.run(1, cache);
        check_counts(&sequential);
        for jobs in [2, 3, 8, 64] {
            let parallel = problem.run(jobs, cache);
            prop_assert!(parallel.finished.complete);
            prop_assert_eq!(parallel.best(), sequential.best(), "{} jobs", jobs);
            prop_assert_eq!(parallel.decisions(), sequential.decisions(), "{} jobs", jobs);
            prop_assert_eq!(parallel.bests(), sequential.bests(), "{} jobs", jobs);
            check_counts(&parallel);
            if is_by_content(cache.kind) {
                prop_assert!(decided_twice(&parallel.log.recorder.trace).is_empty(), "{} jobs", jobs);
            }
        }
    }
}

proptest! {
    #![proptest_config(config(500))]

    /// Eviction included: what it forgets would not have been asked for again.
    #[test]
    fn one_job_executes_exactly_the_tests_of_the_sequential_algorithm(problem in problem(), cache in any_cache()) {
        let model = Model::new(&problem, cache);
        let session = problem.run(1, cache);
        prop_assert_eq!(session.best(), model.best);
        prop_assert_eq!(&session.executed, &model.executed, "in this order");
        let trace = session.log.recorder.trace.iter();
        let trace: Vec<_> = trace.map(|(l, o, source, text)| (l.clone(), *o, *source == Source::Cache, text.clone())).collect();
        prop_assert_eq!(trace, model.trace);
        let counts = session.finished.counts;
        prop_assert_eq!(counts.tests, counts.decisive - counts.cache_hits);
        prop_assert_eq!(counts.cancelled, 0);
    }

    /// Why it is enough to store uninteresting outcomes: what was interesting was the best, and candidates are smaller.
    #[test]
    fn one_at_a_time_no_interesting_text_is_asked_for_again(mut problem in problem()) {
        for pass in &mut problem.passes {
            pass.algorithm.settings.window = 1;
        }
        let model = Model::new(&problem, CacheSettings { kind: CacheKind::None, interesting: false, evict: false, per_phase: false });
        let mut seen = HashSet::new();
        for (label, outcome, _, text) in &model.trace {
            prop_assert!(!outcome.is_interesting() || seen.insert(text), "{label} again");
        }
    }

    #[test]
    fn no_cache_changes_the_result(problem in problem()) {
        let without = Model::new(&problem, CacheSettings { kind: CacheKind::None, interesting: false, evict: false, per_phase: false });
        for cache in caches() {
            let desk = Simulation::run(&problem, cache, 3, 1);
            prop_assert_eq!(&desk.recorder.bests.last().unwrap_or(&problem.input), &&without.best, "{:?}", cache);
        }
    }
}

/// Virtual workers: each step, one of the jobs at work ends, whichever chance wants. What is cancelled never ends, as if
/// it had been killed in time; so nothing hides how often a text is tested.
struct Simulation {
    recorder: Recorder,
    /// Every execution that came to its end.
    executed: Vec<(Vec<u8>, Outcome)>,
}

impl Simulation {
    fn run(problem: &Problem, cache: CacheSettings, workers: usize, seed: u64) -> Self {
        let mut speculate = Speculate::new(problem.search(), cache);
        let mut this = Self { recorder: Recorder::default(), executed: vec![] };
        let mut at_work: Vec<Job> = vec![];
        loop {
            while let Some(settled) = speculate.settle() {
                this.recorder.settled(&settled, &Counts::default()).unwrap();
            }
            while at_work.len() < workers
                && let Some(job) = speculate.next_job()
            {
                at_work.push(job);
            }
            if speculate.can_settle() {
                continue;
            }
            if speculate.is_done() {
                return this;
            }
            assert!(!at_work.is_empty(), "nothing to do, and not done");
            let chance = hash(seed, &[this.executed.len() as u32]) as usize;
            let job = at_work.swap_remove(chance % at_work.len());
            let text = job.edit.content.to_vec();
            let outcome = problem.outcome(&text);
            let number = this.executed.len();
            this.executed.push((text, outcome));
            if let Some(ticket) = speculate.finish(&job, outcome, number) {
                at_work.retain(|job| job.ticket <= ticket);
            }
        }
    }
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn every_order_of_outcomes_leads_to_the_same_decisions(
        problem in problem(),
        cache in any_cache(),
        workers in prop_oneof![1..5usize, Just(8), Just(64), Just(1000)],
        seed: u64,
    ) {
        let model = Model::new(&problem, cache);
        let simulation = Simulation::run(&problem, cache, workers, seed);
        let decided: Decisions = model.trace.into_iter().map(|(label, outcome, _, text)| (label, outcome, text)).collect();
        prop_assert_eq!(decisions(&simulation.recorder.trace), decided);

        if is_by_content(cache.kind) {
            let stored = |outcome: Outcome| !outcome.is_interesting() || cache.interesting && cache.kind == CacheKind::Content;
            let mut seen = HashSet::new();
            for (text, _) in simulation.executed.iter().filter(|(_, outcome)| stored(*outcome)) {
                prop_assert!(seen.insert(text), "{:?} is executed twice", String::from_utf8_lossy(text));
            }
        }
    }
}

/// What is left of a session that broke off: the start of its log.
struct Torso<'a>(&'a [Entry]);

impl Torso<'_> {
    fn settled(&self) -> impl Iterator<Item = &Vec<(Outcome, Source)>> {
        self.0.iter().filter_map(|entry| match entry {
            Entry::Settled(outcomes) => Some(outcomes),
            Entry::Tested(..) => None,
        })
    }

    fn decisions(&self) -> usize {
        self.settled().map(Vec::len).sum()
    }

    fn unsettled(&self) -> HashMap<Fingerprint, (usize, Outcome)> {
        let used: Vec<Source> = self.settled().flatten().map(|(_, source)| *source).collect();
        let unused = tests(self.0).enumerate().filter(|(number, _)| !used.contains(&Source::Test(*number)));
        unused.map(|(number, (text, outcome))| (Fingerprint::of_bytes(text), (number, outcome))).collect()
    }

    /// Goes on where the session broke off.
    fn resume(&self, problem: &Problem, jobs: usize, cache: CacheSettings) -> Session {
        problem.run_with(jobs, cache, &Interrupt::new(), |run| {
            let mut settled = self.settled();
            run.replay(|_: &Batch<Edit>| Ok(settled.next().cloned()))?;
            run.resume_tests(tests(self.0).map(|(_, outcome)| outcome), self.unsettled());
            Ok(())
        })
    }

    /// Whether the two sessions together are the same as one that was not interrupted.
    fn check(&self, problem: &Problem, cache: CacheSettings, whole: &Session) {
        for jobs in [1, 3] {
            let resumed = self.resume(problem, jobs, cache);
            assert!(resumed.finished.complete);
            assert_eq!(resumed.best(), whole.best());
            assert_eq!(resumed.decisions(), whole.decisions()[self.decisions()..]);

            let counts = resumed.finished.counts;
            assert_eq!(counts.decisive, whole.finished.counts.decisive);
            assert_eq!(counts.interesting, whole.finished.counts.interesting);
            check_executed(&resumed, tests(self.0).count());
            if is_by_content(cache.kind) && jobs == 1 {
                let mut seen: HashSet<&Vec<u8>> = tests(self.0).map(|(text, _)| text).collect();
                let uninteresting = |text: &&Vec<u8>| !problem.outcome(text).is_interesting();
                for text in resumed.executed.iter().filter(uninteresting) {
                    assert!(seen.insert(text), "{:?} is tested again", String::from_utf8_lossy(text));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn a_run_cut_off_anywhere_can_be_resumed(
        problem in problem(),
        cache in any_cache(),
        jobs in prop_oneof![Just(1), Just(2), Just(8)],
        cuts in vec(any::<Index>(), 3),
    ) {
        let whole = problem.run(jobs, cache);
        for cut in cuts {
            let cut = cut.index(whole.log.entries.len() + 1);
            Torso(&whole.log.entries[..cut]).check(&problem, cache, &whole);
        }
    }

    #[test]
    fn an_interrupted_run_keeps_its_best_and_can_be_resumed(
        problem in problem(),
        cache in any_cache(),
        jobs in prop_oneof![Just(1), Just(2), Just(8)],
        after in 0..4000u64,
    ) {
        let whole = problem.run(1, cache);
        let interrupt = Interrupt::new();
        let interrupted = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_micros(after));
                interrupt.trigger();
            });
            problem.run_with(jobs, cache, &interrupt, |_| Ok(()))
        });
        prop_assert!(whole.decisions().starts_with(&interrupted.decisions()));
        prop_assert!(whole.bests().starts_with(interrupted.bests()));
        prop_assert_eq!(interrupted.bests().last().unwrap_or(&problem.input), &interrupted.best());
        if interrupted.finished.complete {
            prop_assert_eq!(interrupted.decisions().len(), whole.decisions().len());
        }
        Torso(&interrupted.log.entries).check(&problem, cache, &whole);
    }
}

#[test]
fn a_recording_of_another_run_is_refused() {
    let passes = vec![TextPhase { granularity: Granularity::Char, algorithm: ListAlgorithm::default() }];
    let problem = Problem { input: b"abcdefg".to_vec(), oracle: Oracle::default().on([]), passes };
    let outcome = (Outcome::Uninteresting, Source::Test(0));
    let replay = |decided: Result<Option<Vec<(Outcome, Source)>>, String>| {
        let mut nobody = ();
        let mut reduction = Reduction::new(problem.search(), RunSettings::default(), &mut nobody);
        reduction.replay(|_| decided.clone()).unwrap_err().to_string()
    };
    let wrong_size = replay(Ok(Some(vec![outcome; 2])));
    assert_eq!(wrong_size, "the recorded run does not fit: a batch of 1 was recorded with 2");
    let other = replay(Err("a0_i0_r0_c1 instead of a0_i0_r0_c0".to_owned()));
    assert_eq!(other, "the recorded run does not fit: a0_i0_r0_c1 instead of a0_i0_r0_c0");
}

/// Many workers, tests that take no time at all, and a search that changes its mind often.
#[test]
fn sixty_four_jobs_and_thousands_of_trivial_tests() {
    let input: Vec<u8> = (0..2500u32).map(|i| b'a' + (i * i % 23) as u8).collect();
    let mut tests = 0;
    for (round, minimizer) in nub_core::ListMinimizer::ALL.into_iter().enumerate() {
        let settings = nub_core::ListSettings { window: minimizer.default_window(), ..Default::default() };
        let algorithm = ListAlgorithm { minimizer, star: true, settings };
        let search = || TextSearch::new([TextPhase { granularity: Granularity::Char, algorithm }], &input[..]);
        let is_interesting = |text: &[u8]| {
            let count = |letter| text.iter().filter(|&&byte| byte == letter).count();
            count(b'a') >= 30 + round && count(b'b') + count(b'e') >= 60 && text.len().is_multiple_of(3)
        };
        let settings = |jobs| RunSettings { jobs, ..RunSettings::default() };
        let (one, sequential) = common::run(search(), settings(1), is_interesting);
        let (many, parallel) = common::run(search(), settings(64), is_interesting);
        tests += one.counts.tests;
        assert_eq!(decisions(&sequential.trace), decisions(&parallel.trace));
        assert_eq!(sequential.bests, parallel.bests);
        assert!(many.counts.tests + many.counts.cache_hits >= many.counts.decisive);
    }
    assert!(tests > 5000, "only {tests} tests");
}
