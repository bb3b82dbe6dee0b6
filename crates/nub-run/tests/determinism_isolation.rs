//! Isolation is as deterministic as a reduction is, although it heeds what passes as well as what fails: the same sides and
//! the same steps for every number of jobs, every timing, every cache and after every interruption.

mod common;
#[path = "../../nub-core/tests/oracle/lcs.rs"]
mod lcs;

use common::Recorder;
use lcs::Lcs;
use nub_core::{Granularity, Isolation, Parts};
use nub_run::{
    CacheKind, CacheSettings, Finished, Interrupt, Outcome, Reduction, RunSettings, Source, Unresolved,
    test::ClosureTest,
};
use proptest::{collection::vec, prelude::*};
use std::{sync::Arc, thread, time::Duration};

#[derive(Clone, Debug)]
struct Problem {
    passing: Vec<u8>,
    failing: Vec<u8>,
    unresolved: u64,
    seed: u64,
}

fn hash(seed: u64, text: &[u8]) -> u64 {
    let mixed = text
        .iter()
        .fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 7
}

fn problem() -> impl Strategy<Value = Problem> {
    let text = || {
        vec(0..4usize, 0..20)
            .prop_map(|lines| lines.iter().flat_map(|&line| ["a\n", "b c\n", "d", "\n"][line].bytes()).collect())
    };
    (text(), text(), 0..80u64, any::<u64>())
        .prop_map(|(passing, failing, unresolved, seed): (Vec<u8>, Vec<u8>, _, _)| Problem {
            passing,
            failing,
            unresolved,
            seed,
        })
        .prop_filter("two inputs", |problem| problem.passing != problem.failing)
}

impl Problem {
    fn outcome(&self, text: &[u8]) -> Outcome {
        match hash(self.seed, text) % 100 {
            _ if text == self.failing => Outcome::Interesting,
            _ if text == self.passing => Outcome::Uninteresting,
            part if part < self.unresolved => Outcome::Unresolved(Unresolved::Skipped),
            part if part % 2 == 0 => Outcome::Interesting,
            _ => Outcome::Uninteresting,
        }
    }

    fn search(&self) -> Isolation {
        let parts = [Granularity::Line, Granularity::Char].map(Parts::Units);
        Isolation::new(parts, Arc::new(Lcs), &self.passing[..], &self.failing[..])
    }

    fn run(&self, jobs: usize, kind: CacheKind) -> (Finished, Recorder) {
        let mut recorder = Recorder::default();
        let cache = CacheSettings { kind, evict: false, ..CacheSettings::default() };
        let settings = RunSettings { jobs, cache, ordered: false };
        let test = ClosureTest(|text: &[u8]| {
            thread::sleep(Duration::from_micros(hash(jobs as u64, text) % 200));
            self.outcome(text)
        });
        let reduction = Reduction::new(self.search(), settings, &mut recorder);
        let finished = reduction.run(&test, &Interrupt::new()).unwrap();
        assert!(finished.complete);
        (finished, recorder)
    }

    fn passing_side(&self, finished: &Finished) -> Vec<u8> {
        finished.passing.as_ref().map_or_else(|| self.passing.clone(), |side| side.content.to_vec())
    }
}

/// What is the same whatever the number of jobs: labels, outcomes and texts.
fn steps(recorder: &Recorder) -> Vec<(String, Outcome, Vec<u8>)> {
    recorder.trace.iter().map(|(label, outcome, _, text)| (label.clone(), *outcome, text.clone())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn the_same_for_every_number_of_jobs_and_every_cache(problem in problem()) {
        let (first, one) = problem.run(1, CacheKind::None);
        prop_assert_eq!(problem.outcome(&first.best.content.to_vec()), Outcome::Interesting);
        prop_assert_eq!(problem.outcome(&problem.passing_side(&first)), Outcome::Uninteresting);
        prop_assert_eq!(first.counts.tests, first.counts.decisive, "one job runs the tests of the algorithm");
        for (jobs, kind) in [(1, CacheKind::ContentHash), (3, CacheKind::ContentHash), (8, CacheKind::None), (8, CacheKind::Config)] {
            let (other, several) = problem.run(jobs, kind);
            prop_assert_eq!(steps(&several), steps(&one), "{} jobs, {:?}", jobs, kind);
            prop_assert_eq!(other.best.content.to_vec(), first.best.content.to_vec());
            prop_assert_eq!(problem.passing_side(&other), problem.passing_side(&first));
        }
    }

    #[test]
    fn a_recorded_run_goes_on_where_it_was(problem in problem(), cut in any::<prop::sample::Index>()) {
        let (whole, recorder) = problem.run(4, CacheKind::ContentHash);
        let replayed = cut.index(recorder.trace.len() + 1);
        let mut outcomes = recorder.trace[..replayed].iter().map(|(_, outcome, ..)| *outcome);
        let mut rest = Recorder::default();
        let settings = RunSettings { jobs: 2, cache: CacheSettings { evict: false, ..CacheSettings::default() }, ordered: false };
        let mut again = Reduction::new(problem.search(), settings, &mut rest);
        again.replay(|_| Ok(outcomes.next().map(|outcome| vec![(outcome, Source::Cache)]))).unwrap();
        let test = ClosureTest(|text: &[u8]| problem.outcome(text));
        let finished = again.run(&test, &Interrupt::new()).unwrap();
        prop_assert_eq!(steps(&rest), &steps(&recorder)[replayed..]);
        prop_assert_eq!(finished.best.content.to_vec(), whole.best.content.to_vec());
        prop_assert_eq!(problem.passing_side(&finished), problem.passing_side(&whole));
    }
}
