//! The memory of the outcome caches: per entry, and at the peak of real runs in comparison with the thesis.

use crate::{
    random::Random,
    report::{Report, thousands},
};
use anyhow::{Context as _, Result, ensure};
use nub_core::{Content, Edit, Granularity, ListAlgorithm, Search as _, TextPhase, TextSearch};
use nub_recorded::Recording;
use nub_run::{Cache, CacheKind, CacheSettings, Outcome, Speculate};
use peak_alloc::PeakAlloc;
use std::sync::Arc;

/// Counts what is allocated, in this whole program.
#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// The three savings of chapter 4 of the thesis, switched on one by one.
const SAVINGS: [(&str, &str, CacheSettings); 4] = [
    ("content of all outcomes", "baseline", settings(CacheKind::Content, true, false)),
    ("1: only uninteresting ones", "proposal_1", settings(CacheKind::Content, false, false)),
    ("1+2: and evicted when larger", "proposals_1_2", settings(CacheKind::Content, false, true)),
    ("1+2+3: and hashed (default)", "proposals_1_2_3", settings(CacheKind::ContentHash, false, true)),
];

const fn settings(kind: CacheKind, interesting: bool, evict: bool) -> CacheSettings {
    CacheSettings { kind, interesting, evict, per_phase: false }
}

pub(crate) fn run(report: &mut Report) -> Result<()> {
    report.text("Bytes are what the cache has allocated at a moment, counted by the allocator.");
    per_entry(report)?;
    recorded(report)
}

/// How entries arrive. It matters, because the entries are ordered by size first.
#[derive(Clone, Copy)]
enum Arrival {
    /// All candidates of one size: single units that cannot go.
    OneSize,
    /// Each is smaller than the one before: every candidate is refused only because of one unit.
    Descending,
    /// Any size.
    Random,
}

fn per_entry(report: &mut Report) -> Result<()> {
    report.section("Bytes per entry, content-hash");
    report.text(
        "The entries lie in a B-tree, whose nodes are fuller or emptier depending on the order in which entries arrive: \
         *one size*, as in the last sweep of a list; *descending* sizes; *random* sizes.",
    );
    let mut rows = vec![];
    let mut most: f64 = 0.0;
    for (name, arrival) in
        [("one size", Arrival::OneSize), ("descending", Arrival::Descending), ("random", Arrival::Random)]
    {
        for entries in [1_000, 10_000, 100_000, 1_000_000] {
            let bytes = fill(arrival, entries)?;
            most = most.max(bytes);
            rows.push(vec![name.to_owned(), thousands(entries), format!("{bytes:.1}")]);
        }
    }
    report.table(&["arrival", "entries", "bytes per entry"], &rows);
    report.goal("an entry, at worst", "≤ 40 bytes", format!("{most:.1} bytes"), most <= 40.0);
    Ok(())
}

/// Bytes per entry.
fn fill(arrival: Arrival, entries: usize) -> Result<f64> {
    let mut random = Random::new(entries as u64);
    // Only its content matters here.
    let any = text_search(b"x", ListAlgorithm::default()).current();
    let before = ALLOCATED.current_usage();
    let mut cache = Cache::new(SAVINGS[3].2);
    for entry in 0..entries {
        let size = match arrival {
            Arrival::OneSize => 1_000_000,
            Arrival::Descending => 2_000_000 - entry,
            Arrival::Random => random.below(1_000_000),
        };
        let content = Arc::new(Pretended { size, identity: random.next() });
        let edit = Edit { content, ..any.clone() };
        let key = cache.key(&edit).context("it has a key")?;
        cache.put(key, 0, Outcome::Uninteresting);
    }
    ensure!(cache.len() == entries, "every entry is a different one");
    Ok((ALLOCATED.current_usage() - before) as f64 / entries as f64)
}

/// A few bytes that say they are many.
struct Pretended {
    size: usize,
    identity: u64,
}

impl Content for Pretended {
    fn write(&self, sink: &mut dyn FnMut(&[u8])) {
        sink(&self.identity.to_le_bytes());
    }
    fn identify(&self, sink: &mut dyn FnMut(&[u8])) {
        self.write(sink);
    }
    fn len(&self) -> usize {
        self.size
    }
}

fn recorded(report: &mut Report) -> Result<()> {
    report.section("At the peak of recorded runs");
    report.text(
        "Recorded runs of ddmin with characters as units, and of HDD\\*, on JavaScript programs, repeated step by step with each kind of \
         cache (kB = 1000 bytes). *Thesis* is Table 4.2, where there is a figure, *part* our bytes divided by it. The \
         first three keep whole contents, so that no implementation can be much smaller than another; only the last is \
         what nub does.",
    );
    let (Some(cases), Some(published)) = (nub_recorded::javascript()?, nub_recorded::published()?) else {
        report.left_out();
        return Ok(());
    };
    let thesis = &published["4.2 cache kB at peak, ddmin on characters"];
    let mut rows = vec![];
    let mut largest_part: f64 = 0.0;
    for (variant, name) in [("ddmin_char", "ddmin"), ("ddminstar_char", "ddmin\\*"), ("hdd", "HDD\\*")] {
        for (case, recording) in cases.iter().filter_map(|case| Some((case, case.variant(variant)?))) {
            let number = &case.number;
            let steps = repeat(recording).with_context(|| format!("{number} {variant}"))?;
            for (saving, column, settings) in SAVINGS {
                let Peak { entries, bytes } = peak(&steps, settings);
                // The thesis has ddmin only.
                let figure = thesis[format!("jerry-{number}")][column].as_f64().filter(|_| variant == "ddmin_char");
                let part = figure.map(|figure| bytes as f64 / 1000.0 / figure);
                if column == "proposals_1_2_3" {
                    largest_part = part.map_or(largest_part, |part| largest_part.max(part));
                }
                let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
                rows.push(vec![
                    format!("{number} {name}, {saving}"),
                    thousands(entries),
                    format!("{:.1}", bytes as f64 / 1000.0),
                    or_dash(figure.map(|figure| format!("{figure:.1}"))),
                    or_dash(part.map(|part| format!("{part:.2}"))),
                ]);
            }
        }
    }
    report.table(&["run and cache", "entries at the peak", "kB at the peak", "thesis, kB", "part"], &rows);
    let measured = format!("{largest_part:.2} at most");
    report.goal("all three savings, part of the thesis's figure", "≤ 0.25", measured, largest_part <= 0.25);
    Ok(())
}

fn text_search(text: &[u8], algorithm: ListAlgorithm) -> TextSearch {
    TextSearch::new([TextPhase { granularity: Granularity::Char, algorithm }], text)
}

/// What was settled at once: the candidates with their outcomes, and the new best.
struct Step {
    candidates: Vec<(Edit, Outcome)>,
    committed: Option<Edit>,
}

/// Repeats a recorded run.
fn repeat(recording: &Recording) -> Result<Vec<Step>> {
    let mut speculate = Speculate::new(recording.search(), recording.settings().cache);
    let mut steps = vec![];
    let mut tests = 0;
    while !speculate.is_done() {
        if let Some(job) = (!speculate.can_settle()).then(|| speculate.next_job()).flatten() {
            let interesting = recording.oracle.is_interesting(&job.edit.content.to_vec());
            let outcome = match interesting.context("a candidate is not in the recording")? {
                true => Outcome::Interesting,
                false => Outcome::Uninteresting,
            };
            speculate.finish(&job, outcome, tests);
            tests += 1;
        }
        while let Some(settled) = speculate.settle() {
            let candidates = settled.candidates.into_iter().map(|candidate| (candidate.edit, candidate.outcome));
            steps.push(Step { candidates: candidates.collect(), committed: settled.committed });
        }
    }
    ensure!(tests == recording.expected.tests, "{tests} tests are not those of the recording");
    Ok(steps)
}

struct Peak {
    entries: usize,
    bytes: usize,
}

/// What a cache has allocated, at most, during a run.
fn peak(steps: &[Step], settings: CacheSettings) -> Peak {
    let before = ALLOCATED.current_usage();
    let mut cache = Cache::new(settings);
    let mut bytes = 0;
    for step in steps {
        for (edit, outcome) in &step.candidates {
            if let Some(key) = cache.key(edit) {
                cache.put(key, edit.scope, *outcome);
            }
            bytes = bytes.max(ALLOCATED.current_usage() - before);
        }
        if let Some(best) = &step.committed {
            cache.commit(best);
        }
    }
    Peak { entries: cache.peak(), bytes }
}
