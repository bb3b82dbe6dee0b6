//! What isolation promises, whatever the test says: two sides that were tested, and a difference of which nothing more can
//! be said.

#[path = "oracle/lcs.rs"]
mod lcs;
mod oracle;

use lcs::Lcs;
use nub_core::{
    Analyse, Configuration, Dd, Granularity, Isolation, Outcome, Parts, PlainStructure, Search, Structure,
    tree::{Kind, NodeId, Position, TreeBuilder},
};
use oracle::{Oracle, any_oracle, hash, monotone};
use proptest::{collection::vec, prelude::*};
use std::{collections::HashSet, sync::Arc};

/// The most changes.
const MAX: usize = 24;

/// Something with three answers: nothing passes, everything fails, and between them the oracle decides; of the rest,
/// so many per cent have no answer.
#[derive(Clone, Debug)]
struct Test {
    n: usize,
    oracle: Oracle,
    unresolved: u64,
}

impl Test {
    fn outcome(&self, c: &Configuration) -> Outcome {
        let units: Vec<u32> = c.units().collect();
        if c.is_empty() {
            Outcome::Uninteresting
        } else if c.len() == self.n {
            Outcome::Interesting
        } else if hash(11, &units) % 100 < self.unresolved {
            Outcome::SKIPPED
        } else if self.oracle.accepts(&units) {
            Outcome::Interesting
        } else {
            Outcome::Uninteresting
        }
    }
}

fn test<O: Strategy<Value = Oracle>>(
    oracle: fn(u32) -> O,
    unresolved: impl Strategy<Value = u64>,
) -> impl Strategy<Value = Test> {
    (1..=MAX, oracle(MAX as u32), unresolved).prop_map(|(n, oracle, unresolved)| Test {
        n,
        oracle: oracle.on(0..n as u32),
        unresolved,
    })
}

/// Drives dd to its end, and checks at every step what must hold there. How many tests it took.
fn drive(search: &mut Dd, test: &Test) -> usize {
    let mut asked = HashSet::new();
    let mut count = 0;
    while let Some(batch) = search.propose() {
        assert_eq!(batch.len(), 1);
        let candidate = &batch[0].what;
        assert_eq!(search.propose().unwrap()[0].what, *candidate, "the same until it is answered");
        let (passing, failing) = (search.passing().clone(), search.failing());
        let within = |part: &Configuration, whole: &Configuration| part.units().all(|unit| whole.contains(unit));
        assert!(within(&passing, candidate) && within(candidate, &failing), "it lies between the sides");
        assert!(*candidate != passing && *candidate != failing, "and is neither");
        let before = search.difference().len();
        let outcome = test.outcome(candidate);
        search.judge(&[outcome]);
        match outcome {
            Outcome::Unresolved(_) => assert_eq!(search.difference().len(), before),
            Outcome::Uninteresting => assert_eq!((search.passing(), search.failing()), (candidate, failing)),
            Outcome::Interesting => assert_eq!((search.passing(), search.failing()), (&passing, candidate.clone())),
        }
        assert_eq!(search.difference().len() < before, Dd::heeds(outcome));
        if Dd::heeds(outcome) {
            assert!(asked.insert(candidate.units().collect::<Vec<_>>()), "nothing that helped is asked again");
        }
        count += 1;
    }
    count
}

proptest! {
    #[test]
    fn the_difference_is_one_minimal_and_both_sides_are_tested(test in test(any_oracle, 0..100u64)) {
        let mut search = Dd::new(Configuration::full(test.n));
        let tests = drive(&mut search, &test);
        let (passing, failing) = (search.passing().clone(), search.failing());
        prop_assert_eq!(test.outcome(&passing), Outcome::Uninteresting);
        prop_assert_eq!(test.outcome(&failing), Outcome::Interesting);
        prop_assert!(!search.difference().is_empty());
        let with = |change: u32| {
            let mut units: Vec<u32> = passing.units().chain([change]).collect();
            units.sort_unstable();
            Configuration::from_units(units)
        };
        if search.difference().len() > 1 {
            for change in search.difference().units() {
                prop_assert_eq!(test.outcome(&with(change)), Outcome::SKIPPED);
                prop_assert_eq!(test.outcome(&failing.without(change, change + 1)), Outcome::SKIPPED);
            }
        }
        prop_assert!(tests <= test.n * test.n + 3 * test.n, "{} tests for {} changes", tests, test.n);
    }

    #[test]
    fn with_an_answer_to_everything_one_change_is_found_by_halving(test in test(any_oracle, Just(0))) {
        let mut search = Dd::new(Configuration::full(test.n));
        let tests = drive(&mut search, &test);
        prop_assert_eq!(search.difference().len(), 1);
        prop_assert!(tests as u32 <= test.n.next_power_of_two().ilog2(), "{} tests for {} changes", tests, test.n);
    }

    #[test]
    fn a_monotone_failure_is_pinned_to_one_of_its_causes(test in test(monotone, Just(0)), needed in 0..MAX as u32) {
        let n = test.n as u32;
        let needed = needed % n;
        let mut search = Dd::new(Configuration::full(test.n));
        while let Some(batch) = search.propose() {
            let fails = batch[0].what.contains(needed) && batch[0].what.contains(n - 1);
            search.judge(&[if fails { Outcome::Interesting } else { Outcome::Uninteresting }]);
        }
        let left: Vec<u32> = search.difference().units().collect();
        prop_assert!(left == [needed] || left == [n - 1], "{:?}", left);
    }

    #[test]
    fn texts_are_mixed_and_end_side_by_side(
        old in vec(0..4u8, 0..30),
        new in vec(0..4u8, 0..30),
        unresolved in 0..60u64,
        seed: u64,
    ) {
        // Lines of one to three letters.
        let text = |lines: &[u8]| -> Vec<u8> {
            lines.iter().flat_map(|&line| ["a\n", "b b\n", "c", "\n"][line as usize].bytes()).collect()
        };
        let (old, new) = (text(&old), text(&new));
        prop_assume!(old != new);
        let outcome = |text: &[u8]| {
            let values: Vec<u32> = text.iter().map(|&byte| u32::from(byte)).collect();
            match hash(seed, &values) % 100 {
                _ if text == old => Outcome::Uninteresting,
                _ if text == new => Outcome::Interesting,
                part if part < unresolved => Outcome::SKIPPED,
                part if part % 2 == 0 => Outcome::Interesting,
                _ => Outcome::Uninteresting,
            }
        };
        let parts = [Granularity::Line, Granularity::Token, Granularity::Char].map(Parts::Units);
        let mut search = Isolation::new(parts, Arc::new(Lcs), &old[..], &new[..]);
        prop_assert_eq!(search.passing().content.to_vec(), old.clone());
        prop_assert_eq!(search.current().content.to_vec(), new.clone());
        let mut passes = vec![];
        while let Some(batch) = search.propose() {
            let candidate = batch[0].what.content.to_vec();
            prop_assert_eq!(candidate.len(), batch[0].what.content.len());
            passes.push(batch[0].what.step.to_string());
            let outcome = outcome(&candidate);
            search.judge(&[outcome]);
            match outcome {
                Outcome::Interesting => prop_assert_eq!(search.current().content.to_vec(), candidate),
                Outcome::Uninteresting => prop_assert_eq!(search.passing().content.to_vec(), candidate),
                Outcome::Unresolved(_) => {}
            }
        }
        prop_assert_eq!(outcome(&search.passing().content.to_vec()), Outcome::Uninteresting);
        prop_assert_eq!(outcome(&search.current().content.to_vec()), Outcome::Interesting);
        passes.dedup();
        prop_assert!(passes.len() <= 3, "coarse changes first: {:?}", passes);
        if unresolved == 0 {
            prop_assert_eq!(search.left(), 1);
        }
    }
}

/// The changes between two texts, as [`Isolation`] makes them one by one: what it proposes if nothing has an answer.
fn changes(granularity: Granularity, old: &str, new: &str) -> Vec<String> {
    let mut search = Isolation::new([Parts::Units(granularity)], Arc::new(Lcs), old.as_bytes(), new.as_bytes());
    let mut singles = vec![];
    while let Some(batch) = search.propose() {
        let label = batch[0].label.to_string();
        singles.push((label, String::from_utf8(batch[0].what.content.to_vec()).unwrap()));
        search.judge(&[Outcome::SKIPPED]);
    }
    let last = singles.last().map_or(String::new(), |(label, _)| label.rsplit_once('_').unwrap().0.to_owned());
    singles.retain(|(label, _)| label.starts_with(&last) && label.rsplit_once('_').unwrap().1.starts_with('s'));
    singles.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn a_changed_line_is_one_change_and_others_go_or_come() {
    assert_eq!(changes(Granularity::Line, "a=1\nb\nc\n", "a=2\nc\nd\n"), ["a=2\nb\nc\n", "a=1\nc\n", "a=1\nb\nc\nd\n"]);
    // Two lines become three: the third comes alone.
    assert_eq!(
        changes(Granularity::Line, "x\n1\n2\ny\n", "x\n3\n4\n5\ny\n"),
        ["x\n3\n2\ny\n", "x\n1\n4\ny\n", "x\n1\n2\n5\ny\n"]
    );
    assert_eq!(changes(Granularity::Line, "a\r\nb\r\n", "a\nb\n"), ["a\nb\r\n", "a\r\nb\n"], "line ends are a change");
    assert_eq!(changes(Granularity::Line, "a\nb", "x\nb\n"), ["x\nb", "a\nb\n"], "so is the last one");
    assert_eq!(changes(Granularity::Line, "", "a\nb\n"), ["a\n", "b\n"]);
    assert_eq!(changes(Granularity::Token, "f(1, 2)", "g(1, 3)"), ["g(1, 2)", "f(1, 3)"]);
}

const NOWHERE: Position = Position { line: 1, column: 0 };

/// The tree of a text of words and brackets: `a (b c) d`. Whatever is not closed is closed at the end.
struct Brackets;

impl Analyse for Brackets {
    fn analyse(&self, bytes: &[u8]) -> Option<Arc<dyn Structure>> {
        let mut builder = TreeBuilder::new(bytes);
        let mut open: Vec<Vec<NodeId>> = vec![vec![]];
        let mut at = 0;
        while at < bytes.len() {
            let word = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            let (name, len) = match bytes[at] {
                b' ' | b'\n' => {
                    at += 1;
                    continue;
                }
                b'(' => ("(", 1),
                b')' => (")", 1),
                _ => ("word", word.max(1)),
            };
            let token = builder.token(Kind::Token, name, at..at + len, "x", NOWHERE..NOWHERE);
            at += len;
            if name == "(" {
                open.push(vec![]);
            }
            open.last_mut().unwrap().push(token);
            if name == ")" && open.len() > 1 {
                let children = open.pop().unwrap();
                let list = builder.rule(Kind::Rule, "list", "()", NOWHERE..NOWHERE, children);
                open.last_mut().unwrap().push(list);
            }
        }
        let root = builder.rule(Kind::Rule, "root", "", NOWHERE..NOWHERE, open.concat());
        let balanced = |text: &[u8]| {
            let count = |wanted| text.iter().filter(|&&byte| byte == wanted).count();
            count(b'(') == count(b')')
        };
        Some(Arc::new(PlainStructure { tree: Arc::new(builder.finish(root)), is_valid: balanced }))
    }
}

/// What is left between two texts, if `fails` decides about what is balanced and nobody is asked about the rest.
fn isolate(old: &str, new: &str, fails: impl Fn(&str) -> bool) -> (Vec<String>, [String; 2]) {
    let parts = [Parts::Nodes(Arc::new(Brackets))];
    let structure = Brackets.analyse(new.as_bytes());
    let mut search = Isolation::new(parts, Arc::new(Lcs), old.as_bytes(), new.as_bytes()).with_structure(structure);
    let text = |edit: nub_core::Edit| String::from_utf8(edit.content.to_vec()).unwrap();
    let mut asked = vec![];
    while let Some(batch) = search.propose() {
        let candidate = text(batch[0].what.clone());
        search.judge(&[if fails(&candidate) { Outcome::Interesting } else { Outcome::Uninteresting }]);
        asked.push(candidate);
    }
    (asked, [text(search.passing()), text(search.current())])
}

#[test]
fn nodes_are_compared_from_the_root_down() {
    // The second lists belong together, and so only what is in them differs: `c`, which is `d` now, a list, and `g`.
    let (asked, sides) = isolate("(a) (b c)", "(a) (b d (e f) g)", |text| text.contains("(e f)"));
    assert_eq!(asked[..2], ["(a) (b d)", "(a) (b d (e f))"]);
    // Then the list in parts: what is not balanced is not asked about, so a bracket does not come alone.
    assert_eq!(asked[2..], ["(a) (b de)", "(a) (b de f)"]);
    assert_eq!(sides, ["(a) (b de f)".to_owned(), "(a) (b d (e f))".to_owned()]);
    // From nothing.
    let (asked, sides) = isolate("", "a (b c)", |text| text.contains('c'));
    assert_eq!(
        (asked, sides),
        (vec!["a".to_owned(), "ab".to_owned(), "ab c".to_owned()], ["ab".to_owned(), "ab c".to_owned()])
    );
}

proptest! {
    #[test]
    fn trees_are_mixed_to_texts_between_the_two(old in "[ab() ]{0,12}", new in "[ab() ]{0,12}", depth in 0..3usize) {
        prop_assume!(old != new);
        // Nothing has an answer: every single change is asked about at every depth, and all of them lie between the two.
        let parts = [Parts::Nodes(Arc::new(Brackets))];
        let mut search = Isolation::new(parts, Arc::new(Lcs), old.as_bytes(), new.as_bytes());
        let mut asked = 0;
        while let Some(batch) = search.propose() {
            let text = batch[0].what.content.to_vec();
            let sides = search.passing().content.len() + search.current().content.len();
            prop_assert!(text.len() <= sides, "{:?}", text);
            let outcome = if asked == depth { Outcome::Interesting } else { Outcome::SKIPPED };
            search.judge(&[outcome]);
            asked += 1;
        }
        prop_assert_eq!(search.passing().content.to_vec(), old.as_bytes());
        prop_assert!(search.left() >= 1);
    }
}
