//! On trees, too, every decision is the same for any number of jobs.

mod common;

use common::{Trace, run};
use nub_core::{
    HoistOrder, ListAlgorithm, Phase, Smaller, Traversal, TreeSearch,
    tree::{Kind, NodeId, Position, Spacing, Tree, TreeBuilder, prepare},
};
use nub_run::{CacheSettings, RunSettings};
use proptest::prelude::*;
use std::sync::Arc;

/// A tree, written down as a value.
#[derive(Clone, Debug)]
enum Shape {
    Token(char),
    /// The number of its symbol, whether its replacement is empty, and its children.
    Rule(u8, bool, Vec<Shape>),
}

fn shape() -> impl Strategy<Value = Shape> {
    let token = proptest::char::range('a', 'f').prop_map(Shape::Token);
    let rule = |inner| (0..3u8, any::<bool>(), proptest::collection::vec(inner, 1..4));
    token.prop_recursive(4, 24, 4, move |inner| rule(inner).prop_map(|(s, empty, parts)| Shape::Rule(s, empty, parts)))
}

fn build(shape: &Shape) -> Tree {
    fn add(builder: &mut TreeBuilder, shape: &Shape) -> NodeId {
        let place = Position { line: 1, column: 0 };
        match shape {
            Shape::Token(letter) => {
                let bytes = builder.append(letter.to_string().as_bytes());
                builder.token(Kind::Token, "token", bytes, "x", place..place)
            }
            Shape::Rule(symbol, empty, parts) => {
                let parts: Vec<NodeId> = parts.iter().map(|part| add(builder, part)).collect();
                let replacement = if *empty { "" } else { "x" };
                builder.rule(Kind::Rule, &symbol.to_string(), replacement, place..place, parts)
            }
        }
    }
    let mut builder = TreeBuilder::new([]);
    let root = add(&mut builder, shape);
    let mut tree = builder.finish(root);
    prepare::all(&mut tree);
    tree
}

const ALGORITHMS: [&str; 5] = ["hdd*", "hddr*", "hoist*", "hddh*+hdd-plus", "coarse-hddr*+hoistr*+hddhr*"];

/// Interesting are texts that contain these letters in this order, except for some texts chosen by a hash, to make the
/// test less regular.
fn is_interesting(text: &[u8], needed: &[u8], seed: u64) -> bool {
    let mut letters = text.iter();
    let hash = text.iter().fold(seed, |hash, &byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)));
    needed.iter().all(|needed| letters.any(|letter| letter == needed)) && !hash.is_multiple_of(5)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_number_of_jobs_makes_the_same_decisions(
        shape in shape(),
        algorithm in proptest::sample::select(&ALGORITHMS[..]),
        needed in "[a-f]{0,2}",
        seed in any::<u64>(),
    ) {
        let tree = Arc::new(build(&shape));
        let traversal = Traversal::Nodes { pop_first: false, append_reversed: false };
        let named = |name| Phase::named(name, ListAlgorithm::default(), HoistOrder::Preorder, traversal).unwrap();
        let phases: Vec<Phase> = algorithm.split('+').flat_map(named).collect();
        let decisions = |jobs: usize| {
            let search = Smaller::new(TreeSearch::new(phases.clone(), Arc::clone(&tree), Spacing::Original));
            let settings = RunSettings { jobs, cache: CacheSettings::default(), ordered: true };
            let (finished, recorder) = run(search, settings, |text| is_interesting(text, needed.as_bytes(), seed));
            let trace: Trace = recorder.trace;
            let decided: Vec<_> = trace.into_iter().map(|(label, outcome, _, text)| (label, outcome, text)).collect();
            (decided, recorder.bests, finished.best.content.to_vec())
        };
        let sequential = decisions(1);
        for jobs in [2, 4] {
            prop_assert_eq!(&decisions(jobs), &sequential, "{} jobs", jobs);
        }
    }
}
