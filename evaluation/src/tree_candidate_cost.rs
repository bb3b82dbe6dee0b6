//! The cost of a candidate of a tree in nub itself: proposing it and writing its bytes. For any tree, it should not be
//! much more than the cost of copying the bytes.

use crate::{
    machine::cpu_time,
    measure::Samples,
    parse::INPUTS,
    report::{Report, thousands},
};
use anyhow::{Context as _, Result};
use nub_core::{
    HoistOrder, ListAlgorithm, Phase, Search, Smaller, Traversal, TreeSearch,
    tree::{Spacing, Tree, prepare},
};
use nub_syntax::{detect, treesitter::parse};
use std::{fs, hint::black_box, path::Path, sync::Arc, time::Duration};

/// How many candidates are measured together.
const CHUNK: usize = 50;
const CHUNKS: usize = 100;
/// In addition to two copies, in microseconds.
const ALLOWANCE: f64 = 50.0;

pub(crate) fn run(report: &mut Report) -> Result<()> {
    report.text(&format!(
        "Processor time of one candidate of a tree, as the scheduler gets it (only smaller ones) and written to \
         memory once, without a test: the median of {CHUNKS} means of {CHUNK} candidates each. *Copy* is a plain copy \
         of as many bytes as the candidates have. The test accepts *none* of the candidates, or *every tenth*: then \
         the tree has more cuts after every success, but fewer bytes.",
    ));
    let Some(shared) = nub_testing::find_shared("") else {
        report.left_out();
        return Ok(());
    };
    let (mut rows, mut worst) = (vec![], 0.0_f64);
    for name in INPUTS {
        let input = fs::read(shared.join(name)).with_context(|| format!("cannot read {name}"))?;
        let language = detect(Some(Path::new(name)), &input);
        let language = language.and_then(nub_syntax::Language::tree_sitter).context("the language is not built in")?;
        let mut tree = parse(language, &input)?.tree;
        prepare::all(&mut tree);
        let tree = Arc::new(tree);
        for algorithm in ["hdd*", "hddr*", "hoist*", "hoistr*"] {
            for accepted in [None, Some(10)] {
                let cost = Cost::measure(search(algorithm, &tree), &input, accepted)?;
                let allowed = 2.0 * cost.copy + ALLOWANCE;
                let outcomes = if accepted.is_some() { "every tenth" } else { "none" };
                let us = |time: f64| format!("{time:.1}");
                rows.push(vec![
                    format!("{algorithm} on {}, accepted: {outcomes}", thousands(input.len())).replace('*', "\\*"),
                    thousands(cost.bytes),
                    us(cost.copy),
                    us(cost.propose),
                    us(cost.write),
                    us(cost.propose + cost.write),
                    us(allowed),
                ]);
                worst = worst.max((cost.propose + cost.write) / allowed);
            }
        }
    }
    let head =
        ["candidates", "bytes at the end", "copy, µs", "propose, µs", "write, µs", "**both, µs**", "allowed, µs"];
    let measured = format!("{:.0} % of it at worst", 100.0 * worst);
    report.goal("a candidate of a tree", "≤ 2 copies + 50 µs", measured, worst <= 1.0);
    report.table(&head, &rows);
    Ok(())
}

fn search(algorithm: &str, tree: &Arc<Tree>) -> Smaller<TreeSearch> {
    let traversal = Traversal::Nodes { pop_first: false, append_reversed: false };
    let phases = Phase::named(algorithm, ListAlgorithm::default(), HoistOrder::Preorder, traversal).unwrap_or_default();
    Smaller::new(TreeSearch::new(phases, Arc::clone(tree), Spacing::Original))
}

/// In microseconds.
struct Cost {
    copy: f64,
    propose: f64,
    write: f64,
    bytes: usize,
}

impl Cost {
    fn measure(mut search: Smaller<TreeSearch>, input: &[u8], accepted: Option<usize>) -> Result<Self> {
        let (mut copy, mut propose, mut write) = (vec![], vec![], vec![]);
        let mut buffer: Vec<u8> = Vec::with_capacity(2 * input.len());
        for chunk in 0..CHUNKS {
            let (mut proposing, mut writing, mut copying) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
            let mut candidates = 0;
            while candidates < CHUNK {
                let start = cpu_time();
                let Some(batch) = search.propose() else { break };
                let proposed = cpu_time();
                buffer.clear();
                batch[0].what.content.write(&mut |bytes| buffer.extend_from_slice(bytes));
                black_box(&buffer);
                let (written, bytes) = (cpu_time(), buffer.len().min(input.len()));
                buffer.clear();
                buffer.extend_from_slice(&input[..bytes]);
                black_box(&buffer);
                let copied = cpu_time();
                let interesting = accepted.is_some_and(|nth| (chunk * CHUNK + candidates) % nth == nth - 1);
                search.answer(if interesting { &[0] } else { &[] });
                proposing += proposed - start + (cpu_time() - copied);
                writing += written - proposed;
                copying += copied - written;
                candidates += 1;
            }
            if candidates == 0 {
                break;
            }
            for (times, time) in [(&mut propose, proposing), (&mut write, writing), (&mut copy, copying)] {
                times.push(time / candidates as u32);
            }
        }
        let median = |times: Vec<Duration>| Samples::of_times(times).median() * 1e6;
        let bytes = search.current().content.len();
        Ok(Self { copy: median(copy), propose: median(propose), write: median(write), bytes })
    }
}
