//! Binary data: the result and every step on the way to it are the same for any number of jobs.

mod common;

use common::Recorder;
use nub_core::{ListAlgorithm, binary::BinarySearch};
use nub_run::{CacheSettings, Interrupt, Outcome, Reduction, RunSettings, test::ClosureTest};

/// A magic number, a count, and strings with their lengths.
fn input() -> Vec<u8> {
    let string = |i: u8| {
        let text: Vec<u8> = (0..20 + i % 13).map(|at| at.wrapping_mul(31).wrapping_add(i.wrapping_mul(97))).collect();
        [vec![text.len() as u8], text].concat()
    };
    let strings: Vec<u8> = (0..100).flat_map(string).collect();
    [b"\0fmt".to_vec(), vec![100], strings].concat()
}

/// The strings, if the input is well-formed.
fn read(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let (&count, mut rest) = bytes.strip_prefix(b"\0fmt")?.split_first()?;
    let mut strings = vec![];
    for _ in 0..count {
        let (&len, after) = rest.split_first()?;
        let (string, after) = after.split_at_checked(usize::from(len))?;
        strings.push(string);
        rest = after;
    }
    rest.is_empty().then_some(strings)
}

#[test]
fn every_number_of_jobs_takes_the_same_steps() {
    let input = input();
    let needed = read(&input).unwrap()[57][3..6].to_vec();
    let run = |jobs: usize| {
        let test = ClosureTest(|bytes: &[u8]| {
            let strings = read(bytes).unwrap_or_default();
            match strings.iter().any(|string| string.windows(3).any(|window| window == needed)) {
                true => Outcome::Interesting,
                false => Outcome::Uninteresting,
            }
        });
        let search = BinarySearch::new(ListAlgorithm::default(), &input[..]);
        let settings = RunSettings { jobs, cache: CacheSettings::default(), ordered: true };
        let mut recorder = Recorder::default();
        Reduction::new(search, settings, &mut recorder).run(&test, &Interrupt::new()).unwrap();
        let steps: Vec<_> =
            recorder.trace.into_iter().map(|(label, outcome, _, text)| (label, outcome, text)).collect();
        (steps, recorder.bests)
    };
    let (steps, bests) = run(1);
    assert_eq!(bests.last().unwrap(), &[b"\0fmt\x01\x03", &needed[..]].concat());
    for jobs in [2, 4] {
        assert!(run(jobs) == (steps.clone(), bests.clone()), "{jobs} jobs");
    }
}
