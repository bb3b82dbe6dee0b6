//! The display. Everything that can be shown is an [`Event`]; a [`Screen`] decides how to show it.

mod json;
mod lines;
mod progress;

use crate::args::ScreenArgs;
pub use nub_report::bytes;
use nub_run::{Counts, Outcome};
use serde::Serialize;
use std::io::IsTerminal;

/// Something worth showing. This is also the format of `--json` (docs/json-events.md): fields may be added but never
/// changed.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event<'a> {
    /// The run starts.
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
        /// The passing input, in an isolation.
        passing: Option<&'a str>,
    },
    /// nub ran a test outside the search: of the `original`, the `empty` input or the final `result`.
    Check { what: &'a str, outcome: &'a str, seconds: f64 },
    /// How long a test may take from now on.
    Timeout { seconds: f64, adaptive: bool },
    /// Something about the input that explains what follows.
    Note { message: &'a str },
    /// An interrupted run continues.
    Resume { decisive: usize, tests: usize, bytes: usize },
    /// Another step starts.
    Step { step: &'a str, bytes: usize },
    /// A test was executed.
    Test { number: usize, outcome: &'a str, bytes: usize, seconds: f64 },
    /// A candidate was decided, in the order of the sequential algorithm.
    Decide { label: &'a str, outcome: &'a str, bytes: usize, units: usize, cached: bool },
    /// There is a new best, and it is on disk.
    Best {
        bytes: usize,
        units: usize,
        step: &'a str,
        label: &'a str,
        #[serde(flatten)]
        counts: Numbers,
    },
    /// A side of an isolation moved closer to the other, and it is on disk.
    Narrow {
        side: &'a str,
        bytes: usize,
        differences: usize,
        step: &'a str,
        label: &'a str,
        #[serde(flatten)]
        counts: Numbers,
    },
    /// Something the user should know.
    Warning { message: &'a str },
    /// The reduction ended.
    Finish {
        complete: bool,
        bytes_before: usize,
        bytes_after: usize,
        output: &'a str,
        seconds: f64,
        cache_peak: usize,
        /// The kinds of units of which no single one can be removed.
        minimal: Vec<&'static str>,
        /// Whether this holds only among candidates that parse.
        only_valid: bool,
        /// Where the report is, if there is one.
        report: Option<&'a str>,
        #[serde(flatten)]
        counts: Numbers,
    },
    /// The isolation ended.
    Isolated {
        complete: bool,
        passing: &'a str,
        failing: &'a str,
        bytes_passing: usize,
        bytes_failing: usize,
        /// How many changes there were at first, and their units.
        differences_before: usize,
        units_before: &'a str,
        differences: usize,
        units: &'a str,
        /// From the passing to the failing side.
        diff: &'a str,
        seconds: f64,
        cache_peak: usize,
        only_valid: bool,
        #[serde(flatten)]
        counts: Numbers,
    },
}

/// [`Counts`] with the field names of the events.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Numbers {
    pub tests: usize,
    pub decisive: usize,
    pub cache_hits: usize,
    pub timed_out: usize,
    pub killed: usize,
    pub not_started: usize,
    pub cancelled: usize,
    pub skipped: usize,
}

impl From<&Counts> for Numbers {
    fn from(counts: &Counts) -> Self {
        let &Counts { tests, decisive, cache_hits, timed_out, killed, not_started, cancelled, skipped, .. } = counts;
        Self { tests, decisive, cache_hits, timed_out, killed, not_started, cancelled, skipped }
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
        Outcome::Unresolved(Unresolved::Skipped) => "skipped",
    }
}

/// A way to show events.
pub trait Screen {
    /// Shows an event.
    fn show(&mut self, event: &Event<'_>);
}

/// The screen that suits the arguments and the terminal.
pub fn choose(args: &ScreenArgs) -> Box<dyn Screen> {
    if args.json {
        return Box::new(json::Json);
    }
    if !args.quiet && args.verbose == 0 && std::io::stderr().is_terminal() {
        return Box::new(progress::Progress::new());
    }
    Box::new(lines::Lines::new(args.quiet, args.verbose))
}

/// How much is left, in percent.
pub fn percent(left: usize, of: usize) -> f64 {
    if of == 0 { 100.0 } else { 100.0 * left as f64 / of as f64 }
}

/// A number of things, in words: `1 line`, `2 lines`, `3 nodes`.
pub fn count(n: usize, unit: &str) -> String {
    let unit = match unit {
        "tree" => "node",
        "char" => "character",
        unit => unit,
    };
    format!("{n} {unit}{}", if n == 1 { "" } else { "s" })
}

/// The closing lines.
fn summary(event: &Event<'_>) -> Option<String> {
    if let Event::Isolated { .. } = event {
        return summary_of_sides(event);
    }
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
        "{headline} {} -> {} ({:.2} %) in {:.1} s, {}",
        bytes(*bytes_before),
        bytes(*bytes_after),
        percent(*bytes_after, *bytes_before),
        seconds,
        tests(counts),
    );
    if let [others @ .., last] = &minimal[..] {
        let units = if others.is_empty() { (*last).to_owned() } else { format!("{} or {last}", others.join(", ")) };
        let among = if *only_valid { " among valid inputs" } else { "" };
        text.push_str(&format!("\nminimal{among}: no single {units} can be removed"));
    }
    text.push_str(&format!("\nresult: {output}"));
    if let Some(report) = report {
        text.push_str(&format!("\nreport: {report}"));
    }
    Some(text)
}

/// How many tests there were, and how many of them were unresolved.
fn tests(counts: &Numbers) -> String {
    let mut text = format!("{} tests, {} cache hits", counts.tests, counts.cache_hits);
    let unresolved = [
        (counts.timed_out, "timed out"),
        (counts.killed, "killed"),
        (counts.not_started, "not started"),
        (counts.skipped, "skipped"),
    ];
    for (count, what) in unresolved {
        if count > 0 {
            text.push_str(&format!(", {count} {what}"));
        }
    }
    text
}

/// The closing lines of an isolation.
fn summary_of_sides(event: &Event<'_>) -> Option<String> {
    let &Event::Isolated { complete, passing, failing, differences, units, seconds, ref counts, only_valid, .. } =
        event
    else {
        return None;
    };
    let &Event::Isolated { differences_before, units_before, .. } = event else { return None };
    let headline = if complete { "isolated the difference" } else { "stopped at" };
    let mut text = format!(
        "{headline}: {} -> {} in {seconds:.1} s, {}",
        count(differences_before, units_before),
        count(differences, units),
        tests(counts)
    );
    if complete && differences > 1 {
        let of_what = if only_valid { " or do not parse" } else { "" };
        text.push_str(&format!("\nminimal: candidates with any single change more or less are unresolved{of_what}"));
    }
    text.push_str(&format!("\npasses: {passing}\nfails: {failing}"));
    Some(text)
}
