//! What a candidate costs nub itself: proposing it, hashing its bytes, keeping the books. No process, no file, no
//! thread; every candidate is uninteresting, as most of them are.

use crate::{
    machine::cpu_time,
    measure::Samples,
    report::{Report, thousands},
};
use anyhow::{Context as _, Result};
use nub_core::{
    Edit, Granularity, ListAlgorithm, ListMinimizer, ListSettings, Search, SplitFactor, TextPhase, TextSearch,
};
use nub_run::{Cache, CacheSettings, Outcome, Speculate};
use std::{fmt::Write as _, time::Duration};

const MEGABYTE: usize = 1_000_000;
/// So many candidates are measured as one: a look at the clock costs a system call.
const CHUNK: usize = 25;
const CHUNKS: usize = 100;
/// In milliseconds.
const GOAL: f64 = 0.2;

pub(crate) fn run(report: &mut Report) -> Result<()> {
    report.text(&format!(
        "Processor time of one candidate of 1 MB, without a file and without a test: the median of {CHUNKS} means of \
         {CHUNK} candidates each. *Propose* is the search alone, *hash* the key for the content-hash cache, *all* what \
         the scheduler does at one job (propose, hash, look up, settle), *rest* what is left of that. A *run* is a \
         stretch of consecutive units that are kept: every success leaves one more, and every later candidate has to \
         copy and hash them one by one.",
    ));
    let mut rows = vec![];
    let mut measure = |name: &str, search: TextSearch| -> Result<f64> {
        let cost = Cost::measure(&search)?;
        let milliseconds = |seconds: f64| format!("{:.4}", seconds * 1e3);
        let rest = cost.all.median() - cost.propose.median() - cost.hash.median();
        rows.push(vec![
            name.to_owned(),
            thousands(search.current().units),
            milliseconds(cost.propose.median()),
            milliseconds(cost.hash.median()),
            milliseconds(rest),
            milliseconds(cost.all.median()),
            milliseconds(cost.all.min()),
            milliseconds(cost.all.percentile(95)),
        ]);
        Ok(cost.all.median() * 1e3)
    };
    let lines = measure("lines, the beginning", at_single_lines())?;
    let mut late = vec![];
    for runs in [1000, 10_000, 30_000] {
        late.push((runs, measure(&format!("characters, {} runs", thousands(runs)), with_runs(runs))?));
    }
    let head = [
        "candidates",
        "units",
        "propose, ms",
        "hash, ms",
        "rest, ms",
        "**all, ms**",
        "all, minimum",
        "all, 95th percentile",
    ];
    report.table(&head, &rows);
    report.goal("a candidate of lines", "≤ 0.2 ms", format!("{lines:.3} ms"), lines <= GOAL);
    for (runs, cost) in late {
        let what = format!("a candidate of characters with {} runs", thousands(runs));
        report.goal(&what, "≤ 0.2 ms", format!("{cost:.3} ms"), cost <= GOAL);
    }
    Ok(())
}

fn search(granularity: Granularity, split_factor: SplitFactor, text: &[u8]) -> TextSearch {
    let settings = ListSettings { split_factor, ..ListSettings::default() };
    let algorithm = ListAlgorithm { minimizer: ListMinimizer::Ddmin, star: true, settings };
    TextSearch::new([TextPhase { granularity, algorithm }], text)
}

/// About 30,000 lines, of which single ones are to be removed.
fn at_single_lines() -> TextSearch {
    let mut text = String::new();
    for line in 0.. {
        if text.len() >= MEGABYTE {
            break;
        }
        let _ = writeln!(text, "int value_{line} = compute({line});");
    }
    search(Granularity::Line, SplitFactor::Infinite, text.as_bytes())
}

/// Characters, of which single ones are to be removed; every other stretch of a text of twice the size is gone.
fn with_runs(runs: usize) -> TextSearch {
    let text: Vec<u8> = (0..2 * MEGABYTE).map(|i| b' ' + (i % 95) as u8).collect();
    let mut search = search(Granularity::Char, SplitFactor::By(2 * runs), &text);
    for part in 0..2 * runs {
        search.propose();
        search.answer(if part % 2 == 0 { &[0] } else { &[] });
    }
    // The rest of the sweep, after which the units are single characters.
    for _ in 0..runs {
        search.propose();
        search.answer(&[]);
    }
    search
}

struct Cost {
    propose: Samples,
    hash: Samples,
    all: Samples,
}

impl Cost {
    fn measure(search: &TextSearch) -> Result<Self> {
        let (propose, hash): (Vec<_>, Vec<_>) = Self::parts(search.clone())?.into_iter().unzip();
        let all = Self::all(search.clone())?;
        let samples = |times: Vec<Duration>| Samples::of_times(times.into_iter().map(|time| time / CHUNK as u32));
        Ok(Self { propose: samples(propose), hash: samples(hash), all: samples(all) })
    }

    /// Proposing and hashing alone.
    fn parts(mut search: TextSearch) -> Result<Vec<(Duration, Duration)>> {
        let cache = Cache::new(CacheSettings::default());
        let mut times = vec![];
        for _ in 0..CHUNKS {
            let start = cpu_time();
            let mut edits: Vec<Edit> = Vec::with_capacity(CHUNK);
            for _ in 0..CHUNK {
                edits.extend(
                    search.propose().context("too few candidates")?.into_iter().map(|candidate| candidate.what),
                );
                search.answer(&[]);
            }
            let proposed = cpu_time();
            for edit in &edits {
                std::hint::black_box(cache.key(edit));
            }
            times.push((proposed - start, cpu_time() - proposed));
        }
        Ok(times)
    }

    /// All that happens between two tests.
    fn all(search: TextSearch) -> Result<Vec<Duration>> {
        let mut speculate = Speculate::new(search, CacheSettings::default());
        let mut times = vec![];
        for chunk in 0..CHUNKS {
            let start = cpu_time();
            for i in 0..CHUNK {
                let job = speculate.next_job().context("too few candidates")?;
                speculate.finish(&job, Outcome::Uninteresting, chunk * CHUNK + i);
                speculate.settle().context("everything is known")?;
            }
            times.push(cpu_time() - start);
        }
        Ok(times)
    }
}
