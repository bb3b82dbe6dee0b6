//! One progress line on a terminal.

use super::{Event, Numbers, Screen, bytes, count, percent, summary};
use indicatif::{ProgressBar, ProgressStyle};
use nub_core::Granularity;
use std::time::{Duration, Instant};

/// How often the line is drawn: often enough to look alive, and rarely enough to cost nothing.
const TICK: Duration = Duration::from_millis(120);

pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
    original: usize,
    size: usize,
    units: usize,
    /// Whether this is an isolation; and how many changes are left, once this is known.
    isolating: bool,
    differences: Option<usize>,
    step: String,
    tests: usize,
    hits: usize,
    /// The tests of former sessions, which do not count for the speed of this one.
    tests_before: usize,
    drawn: Instant,
}

impl Progress {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        // The template is a constant; if it is ever wrong, the default style is better than no reduction.
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            bar.set_style(style);
        }
        let now = Instant::now();
        let (step, drawn) = (String::new(), now - TICK);
        Self {
            bar,
            started: now,
            original: 0,
            size: 0,
            units: 0,
            isolating: false,
            differences: None,
            step,
            tests: 0,
            hits: 0,
            tests_before: 0,
            drawn,
        }
    }

    fn draw(&mut self) {
        if self.drawn.elapsed() < TICK {
            return;
        }
        self.drawn = Instant::now();
        if self.isolating {
            let left = self.differences.map_or_else(|| "isolating".to_owned(), |n| count(n, &self.step) + " left");
            self.bar.set_message(format!("{left}  {} tests, {} cached ", self.tests, self.hits));
            return;
        }
        let rate = (self.tests - self.tests_before) as f64 / self.started.elapsed().as_secs_f64().max(0.001);
        self.bar.set_message(format!(
            "{} left ({:.2} %)  {}{}, {}/s, {} cached ",
            bytes(self.size),
            percent(self.size, self.original),
            work(&self.step, self.units),
            count(self.tests, "test"),
            decent(rate),
            self.hits,
        ));
    }

    fn count(&mut self, counts: &Numbers) {
        self.tests = counts.tests;
        self.hits = counts.cache_hits;
    }
}

/// The step at work, followed by two blanks: how many units a list has left, or the name of a step that has none.
fn work(step: &str, units: usize) -> String {
    match Granularity::from_name(step) {
        Some(_) => count(units, step) + "  ",
        None if step.is_empty() => String::new(),
        None => format!("{step}  "),
    }
}

/// A rate with as many digits as it deserves: slow tests do not run at 0/s.
fn decent(rate: f64) -> String {
    if rate < 9.95 { format!("{rate:.1}") } else { format!("{rate:.0}") }
}

impl Screen for Progress {
    fn show(&mut self, event: &Event<'_>) {
        match event {
            Event::Start { bytes: size, input, passing, .. } => {
                (self.original, self.size, self.isolating) = (*size, *size, passing.is_some());
                let what = passing.map_or_else(|| "the original".to_owned(), |passing| format!("it and {passing}"));
                self.bar.set_message(format!("{input}: testing {what}"));
                self.bar.enable_steady_tick(TICK);
            }
            Event::Resume { tests, bytes: size, .. } => {
                (self.tests_before, self.tests, self.size) = (*tests, *tests, *size);
            }
            Event::Timeout { seconds, adaptive: true } => {
                self.bar.println(format!("nub: time-out {seconds:.1} s per test (adaptive; see --timeout)"));
            }
            Event::Step { step, .. } => (self.step, self.units) = ((*step).to_owned(), 0),
            Event::Test { .. } => self.tests += 1,
            Event::Decide { cached, units, .. } => {
                self.hits += usize::from(*cached);
                self.units = self.units.max(*units);
            }
            Event::Best { bytes: size, units, counts, .. } => {
                (self.size, self.units) = (*size, *units);
                self.count(counts);
            }
            Event::Narrow { differences, counts, .. } => {
                self.differences = Some(*differences);
                self.count(counts);
            }
            Event::Note { message } => self.bar.suspend(|| eprintln!("nub: note: {message}")),
            Event::Warning { message } => self.bar.suspend(|| eprintln!("nub: warning: {message}")),
            Event::Finish { .. } | Event::Isolated { .. } => {
                self.bar.finish_and_clear();
                for line in summary(event).unwrap_or_default().lines() {
                    eprintln!("nub: {line}");
                }
                return;
            }
            _ => {}
        }
        self.draw();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_english() {
        assert_eq!(work("char", 1), "1 character  ");
        assert_eq!(work("line", 2), "2 lines  ");
        assert_eq!(work("identifiers", 3), "identifiers  ");
        assert_eq!(work("", 0), "");
        assert_eq!([0.25, 9.96, 41.3].map(decent), ["0.2", "10", "41"]);
    }
}
