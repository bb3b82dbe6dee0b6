//! The tree algorithms: the examples of their papers, and what they promise on any tree.

use nub_core::{
    Granularity, HoistOrder, LargestFirst, ListAlgorithm, ListMinimizer, Parser, Phase, PlainStructure, Search,
    Smaller, Stage, Stages, TextPhase, Traversal, TreeSearch, compare, drive,
    tree::{Change, Kind, NodeId, Position, Spacing, State, Tree, TreeBuilder, prepare},
};
use proptest::prelude::*;
use std::sync::Arc;

/// A tree as one writes it down.
#[derive(Clone, Debug)]
enum Shape {
    Token(&'static str, &'static str),
    Rule(&'static str, &'static str, Vec<Shape>),
}

/// A token that cannot be made smaller.
fn t(text: &'static str) -> Shape {
    Shape::Token(text, text)
}

fn rule(name: &'static str, replacement: &'static str, children: impl Into<Vec<Shape>>) -> Shape {
    Shape::Rule(name, replacement, children.into())
}

/// A part that may go.
fn optional(children: impl Into<Vec<Shape>>) -> Shape {
    rule("", "", children)
}

/// Builds the tree; all tokens stand in one line without blanks.
fn build(shape: &Shape) -> Tree {
    fn add(builder: &mut TreeBuilder, shape: &Shape, column: &mut u32) -> NodeId {
        let start = Position { line: 1, column: *column };
        match shape {
            Shape::Token(text, replacement) => {
                *column += text.len() as u32;
                let bytes = builder.append(text.as_bytes());
                let positions = start..Position { line: 1, column: *column };
                builder.token(Kind::Token, text, bytes, replacement, positions)
            }
            Shape::Rule(name, replacement, children) => {
                let children: Vec<NodeId> = children.iter().map(|child| add(builder, child, column)).collect();
                let positions = start..Position { line: 1, column: *column };
                builder.rule(Kind::Rule, name, replacement, positions, children)
            }
        }
    }
    let mut builder = TreeBuilder::new([]);
    let root = add(&mut builder, shape, &mut 0);
    builder.finish(root)
}

const REVERSED_DEPTH_FIRST: Traversal = Traversal::Nodes { pop_first: false, append_reversed: false };

fn search(algorithm: &str, tree: Tree, traversal: Traversal) -> TreeSearch {
    search_with(ListMinimizer::Ddmin, algorithm, tree, traversal)
}

fn search_with(minimizer: ListMinimizer, algorithm: &str, tree: Tree, traversal: Traversal) -> TreeSearch {
    let list = ListAlgorithm { minimizer, ..ListAlgorithm::default() };
    let named = |name| Phase::named(name, list, HoistOrder::Preorder, traversal).unwrap();
    let phases: Vec<Phase> = algorithm.split('+').flat_map(named).collect();
    TreeSearch::new(phases, Arc::new(tree), Spacing::Original)
}

/// The text that the algorithm leaves.
fn reduce(algorithm: &str, tree: Tree, is_interesting: impl Fn(&str) -> bool) -> String {
    let mut search = search(algorithm, tree, REVERSED_DEPTH_FIRST);
    drive(&mut search, |candidate| is_interesting(&text(&candidate.what.content.to_vec())));
    text(&search.current().content.to_vec())
}

fn written(tree: &Tree, state: &State) -> String {
    let mut bytes = vec![];
    tree.unparse(state, &Change::default(), Spacing::Original, &mut |slice| bytes.extend_from_slice(slice));
    text(&bytes)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Misherghi's arithmetic language (HDD thesis, §5.3): `E := E*E | E/E | E+E | E-E | (E) | N`, with Phi(E) = Phi(N) = 1.
mod arithmetic {
    use super::*;

    fn parse(input: &'static str) -> Shape {
        let (shape, rest) = sum(input);
        assert_eq!(rest, "");
        shape
    }

    fn binary(
        input: &'static str,
        operators: [&'static str; 2],
        operand: fn(&'static str) -> (Shape, &'static str),
    ) -> (Shape, &'static str) {
        let (mut left, mut rest) = operand(input);
        while let Some(&operator) = operators.iter().find(|operator| rest.starts_with(**operator)) {
            let (right, after) = operand(&rest[1..]);
            (left, rest) = (rule("E", "1", [left, t(operator), right]), after);
        }
        (left, rest)
    }

    fn sum(input: &'static str) -> (Shape, &'static str) {
        binary(input, ["+", "-"], product)
    }

    fn product(input: &'static str) -> (Shape, &'static str) {
        binary(input, ["*", "/"], atom)
    }

    fn atom(input: &'static str) -> (Shape, &'static str) {
        match input.strip_prefix('(') {
            Some(inner) => {
                let (inner, rest) = sum(inner);
                (rule("E", "1", [t("("), inner, t(")")]), &rest[1..])
            }
            None => (rule("E", "1", [Shape::Token(&input[..1], "1")]), &input[1..]),
        }
    }

    /// `None` if it divides by zero.
    fn value(shape: &Shape) -> Option<i64> {
        match shape {
            Shape::Token(digit, _) => digit.parse().ok(),
            Shape::Rule(_, _, children) => match &children[..] {
                [only] => value(only),
                [Shape::Token("(", _), inner, _] => value(inner),
                [left, Shape::Token(operator, _), right] => {
                    let (left, right) = (value(left)?, value(right)?);
                    match *operator {
                        "+" => Some(left + right),
                        "-" => Some(left - right),
                        "*" => Some(left * right),
                        _ => left.checked_div(right),
                    }
                }
                _ => unreachable!(),
            },
        }
    }

    fn divides_by_zero(text: &str) -> bool {
        !text.is_empty() && value(&parse(text.to_owned().leak())).is_none()
    }

    #[test]
    fn hdd_keeps_the_outer_sum_and_hoisting_does_not() {
        let input = "((1+(2*3))/(2-2))+(3*5)";
        assert!(divides_by_zero(input));
        let tree = || {
            // A root of its own: HDDr works on the children of nodes, and never on the root itself.
            let mut tree = build(&rule("program", "", [parse(input)]));
            prepare::squeeze(&mut tree);
            prepare::skip_unremovable(&mut tree);
            tree
        };
        assert_eq!(reduce("hdd*", tree(), divides_by_zero), "(1/(2-2))+1");
        assert_eq!(reduce("hddr*", tree(), divides_by_zero), "(1/(2-2))+1");
        assert_eq!(reduce("hoist*+hdd*", tree(), divides_by_zero), "1/(2-2)");
        assert_eq!(reduce("hddh*", tree(), divides_by_zero), "1/(2-2)");
        assert_eq!(reduce("hddhr*", tree(), divides_by_zero), "1/(2-2)");
    }
}

/// The hello-world of the hoisting paper (Figures 3 and 4): the call is inside of `if (1) { … }`.
#[test]
fn only_hoisting_removes_the_if_around_a_statement() {
    let call = rule("statement", ";", [t("puts"), t("("), t("\"hello\""), t(")"), t(";")]);
    let block = |inner: Shape| rule("compound", "{}", [t("{"), optional([inner]), t("}")]);
    let condition = [t("if"), t("("), rule("expression", "0", [Shape::Token("1", "0")]), t(")"), block(call)];
    let tree = build(&rule("function", "a(){}", [t("main"), t("()"), block(rule("statement", ";", condition))]));
    // Runs and prints: balanced, the call is there, and no condition hides it.
    let is_interesting =
        |text: &str| text.starts_with("main(){") && text.contains("puts(\"hello\");") && !text.contains("if(0)");
    assert_eq!(reduce("hdd*", tree.clone(), is_interesting), "main(){if(1){puts(\"hello\");}}");
    assert_eq!(reduce("hddr*", tree.clone(), is_interesting), "main(){if(1){puts(\"hello\");}}");
    for algorithm in ["hoist*", "hoistr*", "hddh*", "hddhr*", "hoist*+hdd*", "hoistr*+hddhr*"] {
        assert_eq!(reduce(algorithm, tree.clone(), is_interesting), "main(){puts(\"hello\");}", "{algorithm}");
    }
}

/// The spurious elements of the HDD thesis (Figure 5.6): `list: item | list ',' item` as a spine, and flattened.
#[test]
fn flattening_removes_elements_that_a_recursive_rule_leaves_behind() {
    let item = |text| rule("item", "0", [Shape::Token(text, "0")]);
    let list = ["b", "c", "d"]
        .into_iter()
        .fold(rule("list", "0", [item("a")]), |left, text| rule("list", "0", [left, t(","), item(text)]));
    let is_interesting = |text: &str| text.contains('d');
    let mut tree = build(&list);
    let spine = reduce("hdd*", tree.clone(), is_interesting);
    assert_eq!(spine, "0,d", "the list before the last comma can only be made small, not go");
    prepare::flatten_recursion(&mut tree);
    assert_eq!(reduce("hdd*", tree, is_interesting), "0,d", "the first element has no comma to go with");

    // The same with the needed element first: now the rest can go, commas included.
    let mut tree = build(&list);
    prepare::flatten_recursion(&mut tree);
    assert_eq!(reduce("hdd*", tree, |text| text.contains('a')), "a");
}

#[test]
fn squeezing_keeps_the_lowest_of_a_chain_and_unremovable_nodes_are_not_units() {
    let chain = rule("statement", "0", [rule("expression", "0", [rule("number", "0", [Shape::Token("7", "0")])])]);
    let mut tree = build(&rule("program", "", [chain, t(";")]));
    prepare::squeeze(&mut tree);
    let names: Vec<&str> = tree.children(tree.root()).map(|child| tree.name(child)).collect();
    assert_eq!(names, ["7", ";"]);
    prepare::skip_unremovable(&mut tree);
    let skipped: Vec<bool> = tree.children(tree.root()).map(|child| tree.is_skipped(child)).collect();
    assert_eq!(skipped, [false, true]);
    assert_eq!(reduce("hdd*", tree, |text| text.contains(';')), "0;");
}

#[test]
fn empty_nodes_are_removed_from_the_leaves_up() {
    let hollow = rule("a", "", [rule("b", "", [t("")]), rule("c", "", [])]);
    let mut tree = build(&rule("root", "", [hollow, t("x"), optional([])]));
    prepare::remove_empty(&mut tree);
    assert_eq!(tree.children(tree.root()).count(), 1);
}

/// A hundred thousand levels, through everything: no recursion anywhere.
#[test]
fn deep_nesting_does_not_overflow() {
    const DEPTH: usize = 100_000;
    let mut builder = TreeBuilder::new(["(".repeat(DEPTH), "x".to_owned()].concat());
    let place = Position { line: 1, column: 0 }..Position { line: 1, column: 1 };
    let mut node = builder.token(Kind::Token, "x", DEPTH..DEPTH + 1, "x", place.clone());
    for depth in (0..DEPTH).rev() {
        let open = builder.token(Kind::Token, "(", depth..depth + 1, "(", place.clone());
        let name = if depth % 3 == 0 { "call" } else { "group" };
        node = builder.rule(Kind::Rule, name, "x", place.clone(), [open, node]);
    }
    let mut tree = builder.finish(node);
    prepare::remove_empty(&mut tree);
    prepare::squeeze(&mut tree);
    prepare::skip_unremovable(&mut tree);
    for algorithm in ["hddr", "hoist", "hdd"] {
        let mut search = search(algorithm, tree.clone(), REVERSED_DEPTH_FIRST);
        // Everything is refused; some proposals are enough to walk down and write a tree that deep.
        for _ in 0..20 {
            let Some(batch) = search.propose() else { break };
            assert!(batch[0].what.content.len() <= DEPTH + 1);
            search.answer(&[]);
        }
    }
    prepare::flatten_recursion(&mut tree);
    assert_eq!(search("hdd", tree, REVERSED_DEPTH_FIRST).current().content.len(), DEPTH + 1);
}

fn shape() -> impl Strategy<Value = Shape> {
    let text = prop::sample::select(vec!["a", "b", "c", "(", ")", "x"]);
    let leaf = (text, prop::sample::select(vec!["", "x", "a"]))
        .prop_map(|(text, replacement)| Shape::Token(text, replacement));
    leaf.prop_recursive(5, 40, 4, |inner| {
        let name = prop::sample::select(vec!["r", "s", ""]);
        let replacement = prop::sample::select(vec!["", "", "x"]);
        (name, replacement, prop::collection::vec(inner, 1..4))
            .prop_map(|(name, replacement, children)| Shape::Rule(name, replacement, children))
    })
}

/// Accepts about a third of all texts that contain what is needed.
fn oracle(needed: char, seed: u64) -> impl Fn(&str) -> bool {
    move |text| {
        let hash = text.bytes().fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        text.contains(needed) && (seed.is_multiple_of(4) || hash >> 32 & 3 != 0)
    }
}

const TRAVERSALS: [Traversal; 4] = [
    Traversal::Nodes { pop_first: false, append_reversed: false },
    Traversal::Nodes { pop_first: false, append_reversed: true },
    Traversal::Nodes { pop_first: true, append_reversed: false },
    Traversal::Nodes { pop_first: true, append_reversed: true },
];

const ALGORITHMS: [&str; 12] = [
    "hdd*",
    "hddr*",
    "coarse-hdd*",
    "coarse-hddr*",
    "hoist*",
    "hoistr*",
    "hddh*",
    "hddhr*",
    "hdd-plus",
    "coarse-hddh*",
    "hoist*+hddh*",
    "coarse-hoistr*+hddhr*",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn the_untouched_tree_is_the_input(shape in shape()) {
        let mut tree = build(&shape);
        let input = text(tree.input());
        prop_assert_eq!(text(&search("hdd", tree.clone(), REVERSED_DEPTH_FIRST).current().content.to_vec()), input.clone());
        prepare::remove_empty(&mut tree);
        prepare::flatten_recursion(&mut tree);
        prepare::squeeze(&mut tree);
        prepare::skip_unremovable(&mut tree);
        prop_assert_eq!(text(&search("hdd", tree, REVERSED_DEPTH_FIRST).current().content.to_vec()), input);
    }

    #[test]
    fn results_are_interesting_and_committed_as_tested(
        shape in shape(), needed in prop::sample::select(vec!['a', '(', 'x']), seed: u64, traversal in 0usize..4,
        minimizer in prop::sample::select(&ListMinimizer::ALL[..]),
    ) {
        let tree = build(&shape);
        let is_interesting = oracle(needed, seed);
        prop_assume!(is_interesting(&text(tree.input())));
        for algorithm in ALGORITHMS {
            let mut search = search_with(minimizer, algorithm, tree.clone(), TRAVERSALS[traversal]);
            let mut best = text(tree.input());
            while let Some(batch) = search.propose() {
                let proposed = text(&batch[0].what.content.to_vec());
                let again = search.propose().unwrap();
                prop_assert_eq!(again[0].label.as_str(), batch[0].label.as_str());
                let interesting = is_interesting(&proposed);
                search.answer(if interesting { &[0] } else { &[] });
                if interesting {
                    best = proposed;
                }
                prop_assert_eq!(text(&search.current().content.to_vec()), best.clone(), "{}", algorithm);
            }
            prop_assert!(is_interesting(&best));
        }
    }

    /// The same for largest first: what is committed is what was tested, and everything that is tested is smaller.
    #[test]
    fn largest_first_commits_what_was_tested(
        shape in shape(), needed in prop::sample::select(vec!['a', '(', 'x']), seed: u64,
    ) {
        let tree = Arc::new(build(&shape));
        let is_interesting = oracle(needed, seed);
        let mut best = text(tree.input());
        prop_assume!(is_interesting(&best));
        let structure = PlainStructure { tree: Arc::clone(&tree), is_valid: |_: &[u8]| true };
        let mut search = Smaller::new(LargestFirst::new(Arc::new(structure)));
        let mut asked = 0;
        while let Some(batch) = search.propose() {
            let proposed = text(&batch[0].what.content.to_vec());
            prop_assert!(!proposed.is_empty() && proposed.len() <= best.len(), "{} after {}", proposed, best);
            let again = search.propose().unwrap();
            prop_assert_eq!(text(&again[0].what.content.to_vec()), proposed.clone());
            let interesting = is_interesting(&proposed);
            search.answer(if interesting { &[0] } else { &[] });
            if interesting {
                best = proposed;
            }
            prop_assert_eq!(text(&search.current().content.to_vec()), best.clone());
            asked += 1;
            prop_assert!(asked < 20 * tree.arena_len(), "it does not come to an end");
        }
    }

    #[test]
    fn fixed_points_of_hdd_are_1_tree_minimal(
        shape in shape(), needed in prop::sample::select(vec!['a', '(', 'x']), seed: u64, traversal in 0usize..4,
        minimizer in prop::sample::select(&ListMinimizer::ALL[..]),
    ) {
        let tree = build(&shape);
        let is_interesting = oracle(needed, seed);
        prop_assume!(is_interesting(&text(tree.input())));
        for algorithm in ["hdd*", "hddr*", "hdd-plus"] {
            let mut search = search_with(minimizer, algorithm, tree.clone(), TRAVERSALS[traversal]);
            drive(&mut search, |candidate| is_interesting(&text(&candidate.what.content.to_vec())));
            let state = search.state();
            let mut nodes = vec![tree.root()];
            while let Some(node) = nodes.pop() {
                if !state.is_kept(node) {
                    continue;
                }
                nodes.extend(tree.children(node));
                // HDDr never tests the root itself.
                if node != tree.root() || algorithm != "hddr*" {
                    let without = state.with(&tree, &Change { removed: vec![node], ..Change::default() });
                    prop_assert!(!is_interesting(&written(&tree, &without)), "{} can go after {}", tree.name(node), algorithm);
                }
            }
        }
    }
}

/// Parses bracketed lists: `(a(b c)d)`. Anything else has no structure.
struct Brackets;

impl Parser for Brackets {
    fn parse(&self, bytes: &[u8]) -> Option<Tree> {
        let place = Position { line: 1, column: 0 }..Position { line: 1, column: 0 };
        let mut builder = TreeBuilder::new(bytes);
        let mut open: Vec<Vec<NodeId>> = vec![vec![]];
        for (at, byte) in bytes.iter().enumerate().filter(|(_, byte)| !byte.is_ascii_whitespace()) {
            if *byte == b'(' {
                open.push(vec![]);
            }
            let replacement = std::str::from_utf8(&bytes[at..at + 1]).ok()?.trim_matches(char::is_alphabetic);
            let token = builder.token(Kind::Token, "token", at..at + 1, replacement, place.clone());
            open.last_mut()?.push(token);
            if *byte == b')' {
                let children = open.pop()?;
                let list = builder.rule(Kind::Rule, "list", "", place.clone(), children);
                open.last_mut()?.push(list);
            }
        }
        let children = open.pop().filter(|_| open.is_empty())?;
        let root = builder.rule(Kind::Rule, "root", "", place, children);
        Some(builder.finish(root))
    }
}

/// The second of three lists has most of the bytes, and so it is one of the first two parts.
#[test]
fn nodes_are_weighed_by_their_bytes() {
    let list = |tokens: &'static str| rule("list", "", tokens.split_inclusive(' ').map(t).collect::<Vec<_>>());
    let tree = build(&rule("root", "", [list("a "), list("b c d e f g h i "), list("j "), list("k "), list("l ")]));
    let first = |minimizer| {
        let mut search = search_with(minimizer, "hddr", tree.clone(), REVERSED_DEPTH_FIRST);
        text(&search.propose().unwrap()[0].what.content.to_vec())
    };
    assert_eq!(first(ListMinimizer::Dfs), "a b c d e f g h i j ", "the last two of five");
    assert_eq!(first(ListMinimizer::Heaviest), "j k l ", "the first two, which weigh most");
}

#[test]
fn stages_follow_each_other_on_what_is_left() {
    let phases =
        |name| Phase::named(name, ListAlgorithm::default(), HoistOrder::Preorder, REVERSED_DEPTH_FIRST).unwrap();
    let tree = |name| Stage::Tree {
        parser: Arc::new(Brackets),
        phases: phases(name).into(),
        spacing: Spacing::Original,
        smaller: true,
    };
    let text = Stage::Text([TextPhase { granularity: Granularity::Char, algorithm: ListAlgorithm::default() }].into());
    let reduce = |stages: &[Stage], input: &[u8]| {
        let mut search = Stages::new(stages, input);
        let mut last = search.current();
        drive(&mut search, |candidate| {
            let interesting = candidate.what.content.to_vec().contains(&b'x');
            assert!(!interesting || compare(&candidate.what, &last).is_lt(), "every commit is smaller");
            if interesting {
                last = candidate.what.clone();
            }
            interesting
        });
        String::from_utf8(search.current().content.to_vec()).unwrap()
    };
    let input = b"(a (b c) (d (x y)) (e))";
    assert_eq!(reduce(&[tree("hddr*")], input), "( ( (x)))");
    assert_eq!(reduce(&[tree("hddhr*")], input), "(x)");
    assert_eq!(reduce(&[tree("hddr*"), text.clone()], input), "x");
    assert_eq!(reduce(&[tree("hddr*"), text.clone()], b"(a (x)"), "x", "what does not parse is reduced as text");
    assert_eq!(reduce(&[], input), "(a (b c) (d (x y)) (e))");
}
