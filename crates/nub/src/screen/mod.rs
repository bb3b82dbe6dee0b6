//! What the user sees. Everything that can be seen is an [`Event`]; a [`Screen`] decides how.

mod json;
mod lines;
mod progress;

use crate::args::ScreenArgs;
use nub_run::{Counts, Outcome};
use serde::Serialize;
use std::io::IsTerminal;

/// Something worth showing. This is also the format of `--json` (docs/json-events.md): fields are added, never changed.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event<'a> {
    /// The reduction begins.
    Start {
        version: &'a str,
        input: &'a str,
        output: &'a str,
        bytes: usize,
        test: &'a str,
        language: &'a str,
        algorithm: &'a str,
        granularity: &'a str,
        jobs: usize,
    },
    /// nub has tested something on its own account: the `original`, the `empty` input or the final `result`.
    Check { what: &'a str, outcome: &'a str, seconds: f64 },
    /// How long a test may take from now on.
    Timeout { seconds: f64, adaptive: bool },
    /// Something about the input that explains what follows.
    Note { message: &'a str },
    /// An interrupted reduction goes on.
    Resume { decisive: usize, tests: usize, bytes: usize },
    /// Another pass begins.
    Pass { pass: &'a str, bytes: usize },
    /// A test was executed.
    Test { number: usize, outcome: &'a str, bytes: usize, seconds: f64 },
    /// A candidate was decided, in the order of the sequential algorithm.
    Decide { label: &'a str, outcome: &'a str, bytes: usize, units: usize, cached: bool },
    /// There is a new best, and it is safe on disk.
    Best {
        bytes: usize,
        units: usize,
        pass: &'a str,
        label: &'a str,
        #[serde(flatten)]
        counts: Numbers,
    },
    /// Something the user should know.
    Warning { message: &'a str },
    /// It is over.
    Finish {
        complete: bool,
        bytes_before: usize,
        bytes_after: usize,
        output: &'a str,
        seconds: f64,
        cache_peak: usize,
        /// Units of which not a single one can go.
        minimal: Vec<&'static str>,
        /// Whether that is known only of what parses.
        only_valid: bool,
        /// Where the report is, if there is one.
        report: Option<&'a str>,
        #[serde(flatten)]
        counts: Numbers,
    },
}

/// [`Counts`] in the names of the events.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Numbers {
    pub tests: usize,
    pub decisive: usize,
    pub cache_hits: usize,
    pub timed_out: usize,
    pub killed: usize,
    pub not_started: usize,
    pub cancelled: usize,
}

impl From<&Counts> for Numbers {
    fn from(counts: &Counts) -> Self {
        let &Counts { tests, decisive, cache_hits, timed_out, killed, not_started, cancelled, .. } = counts;
        Self { tests, decisive, cache_hits, timed_out, killed, not_started, cancelled }
    }
}

/// An outcome in words.
pub fn outcome_name(outcome: Outcome) -> &'static str {
    use nub_run::Unresolved;
    match outcome {
        Outcome::Interesting => "interesting",
        Outcome::Uninteresting => "uninteresting",
        Outcome::Unresolved(Unresolved::TimedOut) => "timed_out",
        Outcome::Unresolved(Unresolved::Killed) => "killed",
        Outcome::Unresolved(Unresolved::NotStarted) => "not_started",
    }
}

/// Somewhere to show events.
pub trait Screen {
    /// Shows an event.
    fn show(&mut self, event: &Event<'_>);
}

/// The screen that the arguments and the terminal ask for.
pub fn choose(args: &ScreenArgs) -> Box<dyn Screen> {
    if args.json {
        return Box::new(json::Json);
    }
    if !args.quiet && args.verbose == 0 && std::io::stderr().is_terminal() {
        return Box::new(progress::Progress::new());
    }
    Box::new(lines::Lines::new(args.quiet, args.verbose))
}

/// A number of bytes for people.
pub fn bytes(n: usize) -> String {
    match n {
        0..1_000 => format!("{n} B"),
        1_000..1_000_000 => format!("{:.1} kB", n as f64 / 1e3),
        _ => format!("{:.1} MB", n as f64 / 1e6),
    }
}

/// How much is left, in percent.
pub fn percent(left: usize, of: usize) -> f64 {
    if of == 0 { 100.0 } else { 100.0 * left as f64 / of as f64 }
}

/// The closing lines.
fn summary(event: &Event<'_>) -> Option<String> {
    let Event::Finish {
        complete, bytes_before, bytes_after, output, seconds, counts, minimal, only_valid, report, ..
    } = event
    else {
        return None;
    };
    let headline = match (complete, bytes_after < bytes_before) {
        (true, true) => "reduced",
        (true, false) => "nothing could be removed:",
        (false, _) => "stopped at",
    };
    let mut text = format!(
        "{headline} {} -> {} ({:.2} %) in {:.1} s, {} tests, {} cache hits",
        bytes(*bytes_before),
        bytes(*bytes_after),
        percent(*bytes_after, *bytes_before),
        seconds,
        counts.tests,
        counts.cache_hits,
    );
    for (count, what) in
        [(counts.timed_out, "timed out"), (counts.killed, "killed"), (counts.not_started, "not started")]
    {
        if count > 0 {
            text.push_str(&format!(", {count} {what}"));
        }
    }
    if let [others @ .., last] = &minimal[..] {
        let units = if others.is_empty() { (*last).to_owned() } else { format!("{} or {last}", others.join(", ")) };
        let of_what = if *only_valid { ", of what still parses" } else { "" };
        text.push_str(&format!("\nminimal: no single {units} can go{of_what}"));
    }
    text.push_str(&format!("\nresult: {output}"));
    if let Some(report) = report {
        text.push_str(&format!("\nreport: {report}"));
    }
    Some(text)
}
