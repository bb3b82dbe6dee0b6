//! Speculation without threads: scenarios worked out by hand.

use super::*;
use crate::cache::CacheKind;
use Outcome::{Interesting, Uninteresting};
use nub_core::{Granularity, ListAlgorithm, ListMinimizer, ListSettings, Order, SplitFactor, TextPhase, TextSearch};

/// Complements only, from the first to the last. On `abcd`: `cd ab | bcd acd abd abc`.
const FORWARD: ListSettings = ListSettings {
    split: nub_core::Split::Zeller,
    split_factor: SplitFactor::By(2),
    subsets: Order::Skip,
    complements: Order::Forward,
    complements_first: false,
    window: 1,
};

/// At once down to single characters. On `abcd`: `bcd acd abd abc`.
const SINGLE: ListSettings = ListSettings { split_factor: SplitFactor::Infinite, ..FORWARD };

fn cache(kind: CacheKind, interesting: bool) -> CacheSettings {
    CacheSettings { kind, interesting, evict: true, per_phase: false }
}

/// Workers made of paper: a job is taken, and finished when the test says so.
struct Desk {
    speculate: Speculate<TextSearch>,
    taken: Vec<(String, Job)>,
    finished: usize,
}

impl Desk {
    fn new(text: &str, settings: ListSettings, cache: CacheSettings) -> Self {
        Self::with(ListMinimizer::Ddmin, text, settings, cache)
    }

    fn with(minimizer: ListMinimizer, text: &str, settings: ListSettings, cache: CacheSettings) -> Self {
        let algorithm = ListAlgorithm { minimizer, star: false, settings };
        let search = TextSearch::new([TextPhase { granularity: Granularity::Char, algorithm }], text.as_bytes());
        Self { speculate: Speculate::new(search, cache), taken: vec![], finished: 0 }
    }

    /// Takes up to `n` jobs; their texts.
    fn take(&mut self, n: usize) -> Vec<String> {
        let jobs: Vec<Job> = (0..n).map_while(|_| self.speculate.next_job()).collect();
        let jobs: Vec<(String, Job)> = jobs.into_iter().map(|job| (text(&job.edit), job)).collect();
        self.taken.extend(jobs.iter().cloned());
        jobs.into_iter().map(|(text, _)| text).collect()
    }

    /// Finishes the oldest job with that text; the ticket after which everything is void.
    fn finish(&mut self, text: &str, outcome: Outcome) -> Option<Ticket> {
        let position = self.taken.iter().position(|(taken, _)| taken == text).expect("a job that was taken");
        let (_, job) = self.taken.remove(position);
        self.finished += 1;
        self.speculate.finish(&job, outcome, self.finished - 1)
    }

    /// Settles what can be settled: `r0_c1 ab I0` is the outcome of test 0, `U-` one from the cache, and `> ab` a
    /// new best.
    fn settle(&mut self) -> Vec<String> {
        let mut lines = vec![];
        while let Some(settled) = self.speculate.settle() {
            lines.extend(settled.candidates.iter().map(line));
            lines.extend(settled.committed.map(|best| format!("> {}", text(&best))));
        }
        lines
    }
}

fn text(edit: &Edit) -> String {
    String::from_utf8(edit.content.to_vec()).unwrap()
}

fn line(candidate: &SettledCandidate) -> String {
    let label = candidate.label.as_str().strip_prefix("a0_i0_").unwrap();
    let source = match candidate.source {
        Source::Test(number) => number.to_string(),
        Source::Cache => "-".to_owned(),
    };
    format!("{label} {} {}{source}", text(&candidate.edit), candidate.outcome.letter())
}

#[test]
fn outcomes_in_any_order_are_settled_in_the_order_of_the_algorithm() {
    let mut desk = Desk::new("abcd", FORWARD, CacheSettings::default());
    assert_eq!(desk.take(3), ["cd", "ab", "bcd"]);
    assert_eq!(desk.finish("bcd", Uninteresting), None);
    assert_eq!(desk.finish("ab", Uninteresting), None);
    assert!(desk.settle().is_empty(), "the first is still open");
    assert_eq!(desk.finish("cd", Uninteresting), None);
    assert_eq!(desk.settle(), ["r0_c0 cd U2", "r0_c1 ab U1", "r1_c0 bcd U0"]);

    assert_eq!(desk.take(9), ["acd", "abd", "abc"], "and no more than that");
    for text in ["abc", "acd", "abd"] {
        assert!(!desk.speculate.is_done());
        desk.finish(text, Uninteresting);
    }
    assert_eq!(desk.settle(), ["r1_c1 acd U4", "r1_c2 abd U5", "r1_c3 abc U3"]);
    assert!(desk.speculate.is_done());
    assert_eq!(text(desk.speculate.best()), "abcd");
}

#[test]
fn the_search_goes_on_from_a_success_while_an_earlier_test_runs() {
    let mut desk = Desk::new("abcd", FORWARD, CacheSettings::default());
    assert_eq!(desk.take(3), ["cd", "ab", "bcd"]);
    assert_eq!(desk.finish("ab", Interesting), Some(1), "bcd is void");
    assert_eq!(desk.take(1), ["a"]);
    assert!(desk.settle().is_empty(), "cd may still be interesting");
    assert_eq!(text(desk.speculate.best()), "abcd");

    assert_eq!(desk.finish("cd", Uninteresting), None, "which confirms what was assumed");
    assert_eq!(desk.settle(), ["r0_c0 cd U1", "r0_c1 ab I0", "> ab"]);
    assert_eq!(desk.take(9), ["b"]);
    desk.finish("b", Uninteresting);
    desk.finish("a", Uninteresting);
    assert_eq!(desk.settle(), ["r1_c1 a U3", "r1_c0 b U2"]);
    assert!(desk.speculate.is_done());
}

#[test]
fn an_earlier_success_makes_a_later_one_void() {
    let mut desk = Desk::new("abcd", FORWARD, CacheSettings::default());
    assert_eq!(desk.take(2), ["cd", "ab"]);
    assert_eq!(desk.finish("ab", Interesting), Some(1));
    assert_eq!(desk.take(2), ["a", "b"]);
    assert_eq!(desk.finish("b", Interesting), Some(3));
    assert_eq!(desk.finish("cd", Interesting), Some(0));
    assert_eq!(desk.settle(), ["r0_c0 cd I2", "> cd"]);

    assert_eq!(desk.finish("a", Interesting), None, "too late: nobody asks any more");
    assert!(desk.settle().is_empty());
    assert_eq!(desk.take(9), ["d", "c"]);
    desk.finish("c", Uninteresting);
    desk.finish("d", Uninteresting);
    assert_eq!(desk.settle(), ["r1_c0 d U5", "r1_c1 c U4"]);
    assert!(desk.speculate.is_done());
    assert_eq!(text(desk.speculate.best()), "cd");
}

#[test]
fn jobs_that_nobody_has_taken_go_with_their_batch() {
    let settings = ListSettings { window: 3, ..SINGLE };
    let mut desk = Desk::with(ListMinimizer::Greeddy, "abcd", settings, CacheSettings::default());
    assert_eq!(desk.take(4), ["bcd", "acd", "abd", "abc"]);
    // The second batch, with only abc in it, is void; of the first, everything is still needed.
    assert_eq!(desk.finish("acd", Interesting), Some(0));
    assert!(desk.take(9).is_empty(), "GreeDDy goes on when it knows the whole window");

    let mut desk = Desk::with(ListMinimizer::Greeddy, "abcdef", settings, CacheSettings::default());
    assert_eq!(desk.take(4), ["bcdef", "acdef", "abdef", "abcef"]);
    assert_eq!(desk.finish("bcdef", Uninteresting), None);
    assert_eq!(desk.finish("acdef", Interesting), Some(0), "abcdf and abcde were ready, and are not any more");
    assert!(desk.take(9).is_empty());
    assert_eq!(desk.finish("abdef", Uninteresting), None);
    assert_eq!(desk.settle(), ["r0_c0 bcdef U0", "r0_c1 acdef I1", "r0_c2 abdef U2", "> acdef"]);
    assert_eq!(desk.take(1), ["adef"], "it goes on where it was, with c now");
}

#[test]
fn a_window_is_settled_as_a_whole_and_then_combined() {
    let settings = ListSettings { window: 2, ..SINGLE };
    let mut desk = Desk::with(ListMinimizer::Greeddy, "abcd", settings, CacheSettings::default());
    assert_eq!(desk.take(4), ["bcd", "acd", "abd", "abc"]);
    assert_eq!(desk.finish("acd", Interesting), Some(0));
    assert!(desk.settle().is_empty() && desk.take(9).is_empty());
    assert_eq!(desk.finish("bcd", Interesting), Some(0));
    // The first of them is the new best, and their combination, cd, is next. Should it be uninteresting, bcd has a
    // run of its own: cd again, which waits, bd, and bc.
    assert_eq!(desk.take(9), ["cd", "bd", "bc"]);
    assert_eq!(desk.settle(), ["r0_c0 bcd I1", "r0_c1 acd I0", "> bcd"]);
    assert_eq!(desk.finish("bc", Uninteresting), None);
    assert_eq!(desk.finish("cd", Uninteresting), None);
    assert_eq!(desk.settle(), ["r0_c0+1 cd U3"]);
    assert_eq!(desk.finish("bd", Uninteresting), None);
    assert_eq!(desk.settle(), ["r1_c0 cd U-", "r1_c1 bd U4", "r1_c2 bc U2"]);
    assert!(desk.speculate.is_done());
}

#[test]
fn equal_candidates_wait_for_the_one_that_runs() {
    // Without either a, aab is ab.
    let mut desk = Desk::new("aab", SINGLE, CacheSettings::default());
    assert_eq!(desk.take(9), ["ab", "aa"]);
    desk.finish("aa", Uninteresting);
    desk.finish("ab", Uninteresting);
    assert_eq!(desk.settle(), ["r0_c0 ab U1", "r0_c1 ab U-", "r0_c2 aa U0"]);

    // As configurations they are different, and without a cache nobody compares.
    for kind in [CacheKind::None, CacheKind::Config] {
        let mut desk = Desk::new("aab", SINGLE, cache(kind, false));
        assert_eq!(desk.take(9), ["ab", "ab", "aa"]);
    }
}

#[test]
fn equal_candidates_of_a_window_share_even_an_interesting_outcome() {
    let settings = ListSettings { window: 3, ..SINGLE };
    let mut desk = Desk::new("aab", settings, CacheSettings::default());
    assert_eq!(desk.take(9), ["ab", "aa"]);
    desk.finish("aa", Uninteresting);
    assert_eq!(desk.finish("ab", Interesting), Some(0));
    assert_eq!(desk.settle(), ["r0_c0 ab I1", "r0_c1 ab I-", "r0_c2 aa U0", "> ab"]);
}

#[test]
fn an_equal_candidate_that_waits_is_dropped_with_its_batch() {
    let mut desk = Desk::new("aab", SINGLE, CacheSettings::default());
    assert_eq!(desk.take(9), ["ab", "aa"]);
    assert_eq!(desk.finish("ab", Interesting), Some(0), "also the second ab, which waited for the first");
    assert_eq!(desk.settle(), ["r0_c0 ab I0", "> ab"]);
    assert_eq!(desk.take(9), ["b", "a"]);
}

/// Two subsets are each other's complements: `ab cd | cd ab`, and only the configurations say so here.
#[test]
fn an_equal_candidate_whose_outcome_is_known_but_not_settled_answers_too() {
    for kind in [CacheKind::Config, CacheKind::Content, CacheKind::ContentHash] {
        let settings = ListSettings { subsets: Order::Forward, ..FORWARD };
        let mut desk = Desk::new("abcd", settings, cache(kind, false));
        assert_eq!(desk.take(2), ["ab", "cd"]);
        desk.finish("cd", Uninteresting);
        assert_eq!(desk.take(1), ["a"], "{kind:?}: cd is known, and ab is under way");
        desk.finish("ab", Uninteresting);
        let expected = ["r0_s0 ab U1", "r0_s1 cd U0", "r0_c0 cd U-", "r0_c1 ab U-"];
        assert_eq!(desk.settle(), expected, "{kind:?}");
    }
}

/// `cd ab | ab cd | bcd acd abd abc | a b c d` on `abcd`: the last subsets are asked about again after cd.
const COMPLEMENTS_FIRST: ListSettings = ListSettings { subsets: Order::Forward, complements_first: true, ..FORWARD };

/// Takes everything down to the single letters, and then cd turns out to be interesting.
fn with_abandoned_speculation(cache: CacheSettings) -> Desk {
    let mut desk = Desk::new("abcd", COMPLEMENTS_FIRST, cache);
    assert_eq!(desk.take(10), ["cd", "ab", "bcd", "acd", "abd", "abc", "a", "b", "c", "d"]);
    assert_eq!(desk.finish("cd", Interesting), Some(0));
    assert_eq!(desk.settle(), ["r0_c0 cd I0", "> cd"]);
    desk
}

#[test]
fn a_stale_outcome_changes_nothing_but_the_content_cache() {
    for (kind, asked_again) in
        [(CacheKind::Content, vec![]), (CacheKind::ContentHash, vec![]), (CacheKind::Config, vec!["d", "c"])]
    {
        let mut desk = with_abandoned_speculation(cache(kind, false));
        for stale in ["c", "d", "abc"] {
            assert_eq!(desk.finish(stale, Uninteresting), None, "{kind:?}");
            assert!(desk.settle().is_empty(), "{kind:?}");
        }
        assert_eq!(desk.take(9), asked_again, "{kind:?}");
        for asked in asked_again {
            desk.finish(asked, Uninteresting);
        }
        desk.settle();
        assert!(desk.speculate.is_done(), "{kind:?}");
        assert_eq!(text(desk.speculate.best()), "cd");
        assert!(desk.speculate.open_keys.is_empty(), "{kind:?}: what is dropped leaves nothing behind");
    }
}

/// Only uninteresting outcomes are remembered by default. A success that came too early is asked for again, tested
/// again, and found again: a test lost, and nothing else.
#[test]
fn a_stale_success_is_tested_again_unless_successes_are_stored() {
    let mut desk = with_abandoned_speculation(cache(CacheKind::Content, false));
    desk.finish("d", Interesting);
    assert_eq!(desk.take(1), ["d"]);

    let mut desk = with_abandoned_speculation(cache(CacheKind::Content, true));
    desk.finish("d", Interesting);
    assert!(desk.take(1).is_empty());
    assert_eq!(desk.settle(), ["r1_c0 d I-", "> d"]);
}

#[test]
fn a_replay_that_ends_leaves_the_search_where_it_was() {
    let mut desk = Desk::new("abcd", FORWARD, CacheSettings::default());
    let mut recorded = vec![vec![(Uninteresting, Source::Test(0))]].into_iter();
    let mut replay = |desk: &mut Desk| desk.speculate.replay(|_| recorded.next().ok_or("the end"));
    assert!(replay(&mut desk).unwrap().is_some());
    assert_eq!(replay(&mut desk).unwrap_err(), "the end");
    assert!(!desk.speculate.is_done());
    assert_eq!(desk.take(2), ["ab", "bcd"]);
}

#[test]
fn outcomes_of_a_former_session_are_used_once_and_never_lost() {
    let known = |texts: &[&str]| {
        let number = |(i, text): (usize, &&str)| (Fingerprint::of_bytes(text.as_bytes()), (10 + i, Uninteresting));
        texts.iter().enumerate().map(number).collect()
    };
    let mut desk = Desk::new("abcd", COMPLEMENTS_FIRST, CacheSettings::default());
    desk.speculate.set_known(known(&["ab", "d"]));
    assert_eq!(desk.take(9), ["cd", "bcd", "acd", "abd", "abc", "a", "b", "c"], "ab (twice) and d are known");
    // Everything after cd is void, but what is known stays known.
    desk.finish("cd", Interesting);
    desk.settle();
    assert_eq!(desk.take(9), ["c"]);
    desk.finish("c", Uninteresting);
}
