//! Compares nub with its peers on one case.

use super::super::record::Record;

/// The goals, in the order of [`Summary::met`].
pub(super) const GOALS: [&str; 4] = [
    "no more tokens than any peer",
    "no more bytes than any peer",
    "fewer tests than the peer with the smallest result",
    "the first within twice the smallest result",
];

/// The summary of one case.
pub(super) struct Summary<'a> {
    /// The peer with the smallest result; of several, the one that needed the fewest tests.
    pub(super) peer: &'a Record,
    pub(super) nub: Option<&'a Record>,
    /// Twice the size of the smallest result of all: a tool that got there has done most of the work.
    pub(super) near: usize,
    /// The first tool that got there, and after how many seconds; `None` if no tool removed anything.
    pub(super) fastest: Option<(&'a Record, f64)>,
    /// Whether nub meets the [`GOALS`]; `None` if it has not been measured, and for goals that are meaningless because
    /// there is nothing to beat.
    pub(super) met: [Option<bool>; 4],
}

/// Twice the size of the smallest result.
pub(super) fn near(records: &[&Record]) -> usize {
    2 * records.iter().map(|record| record.size).min().unwrap_or(0)
}

/// The summary of the records of one case, whose input has this size; `None` without any peer.
pub(super) fn summary<'a>(size: usize, records: &[&'a Record]) -> Option<Summary<'a>> {
    let (nubs, peers): (Vec<&Record>, Vec<&Record>) = records.iter().partition(|record| record.tool == "nub");
    let nub = nubs.first().copied();
    let peer = *peers.iter().min_by_key(|record| (record.size, record.tokens, record.tests))?;
    let near = near(records);
    let reducing = records.iter().filter(|record| record.size < size);
    let times = reducing.filter_map(|&record| Some((record, record.reached(near)?.0)));
    let fastest = times.min_by(|a, b| a.1.total_cmp(&b.1));
    let met = nub.map_or([None; 4], |nub| {
        [
            Some(peers.iter().all(|peer| nub.tokens <= peer.tokens)),
            Some(nub.size <= peer.size),
            (peer.size < size).then_some(nub.tests < peer.tests),
            fastest.map(|(first, _)| first.tool == "nub"),
        ]
    });
    Some(Summary { peer, nub, near, fastest, met })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(tool: &str, tokens: usize, tests: usize, improvements: &[(u64, usize, usize)]) -> Record {
        Record {
            case: "case".to_owned(),
            tool: tool.to_owned(),
            version: String::new(),
            date: String::new(),
            limit: 300,
            cut_off: false,
            failed: None,
            size: improvements.last().map_or(0, |last| last.2),
            tokens,
            tests,
            seconds: 1.0,
            processor: None,
            half_way: 0.0,
            load: String::new(),
            load_after: String::new(),
            improvements: improvements.to_vec(),
            result: String::new(),
        }
    }

    #[test]
    fn twice_the_smallest_result_of_all_is_near() {
        let small = record("creduce", 5, 90, &[(1000, 1, 1000), (4000, 50, 20), (9000, 80, 10)]);
        let large = record("picire", 40, 500, &[(100, 1, 1000), (300, 10, 100)]);
        let summary = summary(1000, &[&small, &large]).unwrap();
        assert_eq!((summary.near, summary.peer.tool.as_str()), (20, "creduce"));
        assert_eq!((small.reached(20), large.reached(20)), (Some((4.0, 50)), None));
        assert!(summary.fastest.is_some_and(|(record, seconds)| record.tool == "creduce" && seconds == 4.0));
        assert_eq!(summary.met, [None; 4]);
    }

    #[test]
    fn each_goal_by_itself() {
        let peer = record("creduce", 5, 90, &[(4000, 50, 15), (9000, 80, 10)]);
        let met = |tokens, tests, at, size| {
            let nub = record("nub", tokens, tests, &[(at, 1, size)]);
            summary(1000, &[&peer, &nub]).unwrap().met.map(|met| met.unwrap())
        };
        assert_eq!(met(5, 89, 3999, 10), [true; 4]);
        assert_eq!(met(6, 89, 3999, 10), [false, true, true, true]);
        assert_eq!(met(5, 89, 3999, 11), [true, false, true, true]);
        assert_eq!(met(5, 90, 3999, 10), [true, true, false, true]);
        assert_eq!(met(5, 89, 4001, 10), [true, true, true, false]);
    }

    #[test]
    fn among_equal_results_the_one_with_fewer_tests_counts() {
        let slow = record("shrinkray", 5, 900, &[(1, 1, 10)]);
        let quick = record("creduce", 5, 90, &[(1, 1, 10)]);
        assert_eq!(summary(1000, &[&slow, &quick]).unwrap().peer.tool, "creduce");
    }

    #[test]
    fn a_tool_that_removes_nothing_cannot_be_beaten_in_tests_or_time() {
        let peer = record("picire", 50, 1, &[(1, 1, 100)]);
        let still = record("nub", 50, 7, &[(2, 1, 100)]);
        let both = summary(100, &[&peer, &still]).unwrap();
        assert_eq!(both.met, [Some(true), Some(true), None, None]);
        assert!(both.fastest.is_none());
        let moving = record("nub", 20, 7, &[(2, 1, 100), (3, 5, 60)]);
        assert_eq!(summary(100, &[&peer, &moving]).unwrap().met, [Some(true), Some(true), None, Some(true)]);
    }
}
