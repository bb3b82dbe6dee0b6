//! A million lines, ten of which are needed, reduced by the real scheduler with one job.
//!
//! The test is a function in this process, so that what is measured is nub: but it has to look at all the bytes of a
//! candidate, like a real one.

use crate::{
    machine,
    report::{Report, thousands},
};
use anyhow::{Context as _, Result, ensure};
use memchr::memmem;
use nub_core::{Granularity, ListAlgorithm, ListMinimizer, ListSettings, TextPhase, TextSearch};
use nub_run::{Interrupt, Outcome, Reduction, RunSettings, test::ClosureTest};
use std::{fmt::Write as _, sync::Arc, time::Instant};

const LINES: usize = 1_000_000;
const NEEDED: usize = 10;
/// What a needed line begins with; a digit follows.
const MARK: &str = "needed line ";

pub(crate) fn run(report: &mut Report) -> Result<()> {
    report.text(
        "ddmin\\* and ddmin with lines as units, one job, default cache, from the text in memory to the result; the test \
         searches the candidate for the ten needed lines, which are spread evenly. *Peak* is the most memory that the \
         process ever had (VmHWM), the text and the copy that the test gets included; the second row can only repeat the \
         peak of the first.",
    );
    let text = text();
    let mut rows = vec![];
    for star in [true, false] {
        let bytes = Arc::clone(&text);
        let start = Instant::now();
        let algorithm = ListAlgorithm { minimizer: ListMinimizer::Ddmin, star, settings: ListSettings::default() };
        let search = TextSearch::new([TextPhase { granularity: Granularity::Line, algorithm }], bytes);
        let finished =
            Reduction::new(search, RunSettings::default(), &mut ()).run(&ClosureTest(outcome), &Interrupt::new())?;
        let elapsed = start.elapsed().as_secs_f64();
        let result = finished.best.content.to_vec();
        ensure!(finished.best.units == NEEDED && outcome(&result) == Outcome::Interesting, "not the ten needed lines");
        let peak = machine::peak_memory().context("VmHWM is unknown")? as f64 / 1e6;
        let name = if star { "ddmin\\*" } else { "ddmin" };
        rows.push(vec![
            name.to_owned(),
            format!("{:.1} MB", text.len() as f64 / 1e6),
            thousands(finished.counts.tests),
            format!("{elapsed:.2} s"),
            format!("{peak:.0} MB"),
        ]);
        if star {
            report.goal("time", "< 5 s", format!("{elapsed:.2} s"), elapsed < 5.0);
            report.goal("peak memory", "< 300 MB", format!("{peak:.0} MB"), peak < 300.0);
        }
    }
    report.table(&["algorithm", "input", "tests", "time", "peak"], &rows);
    Ok(())
}

fn text() -> Arc<[u8]> {
    let mut text = String::new();
    for line in 0..LINES {
        let part = LINES / NEEDED;
        // In the middle of each tenth.
        if line % part == part / 2 {
            let _ = writeln!(text, "{MARK}{}", line / part);
        } else {
            let _ = writeln!(text, "value[{line}] = compute({line});");
        }
    }
    text.into_bytes().into()
}

fn outcome(candidate: &[u8]) -> Outcome {
    let mut found = [false; NEEDED];
    for at in memmem::find_iter(candidate, MARK) {
        if let Some(digit) = candidate.get(at + MARK.len()) {
            found[usize::from(digit - b'0')] = true;
        }
    }
    if found == [true; NEEDED] { Outcome::Interesting } else { Outcome::Uninteresting }
}
