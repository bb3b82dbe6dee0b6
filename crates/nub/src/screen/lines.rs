//! Plain lines on standard error: for logs, and for --quiet and --verbose.

use super::{Event, Screen, bytes, count, percent, summary};
use std::time::{Duration, Instant};

/// New bests are shown no more often than this, except with --verbose.
const INTERVAL: Duration = Duration::from_secs(5);

pub(super) struct Lines {
    quiet: bool,
    verbose: u8,
    original: usize,
    shown: Instant,
}

impl Lines {
    pub(super) fn new(quiet: bool, verbose: u8) -> Self {
        Self { quiet, verbose, original: 0, shown: Instant::now() }
    }
}

impl Screen for Lines {
    fn show(&mut self, event: &Event<'_>) {
        if self.quiet && !matches!(event, Event::Warning { .. }) {
            return;
        }
        match event {
            Event::Start { input, bytes: size, language, algorithm, granularity, jobs, test, .. } => {
                self.original = *size;
                eprintln!(
                    "nub: {input}: {}, {language}, {algorithm} on {granularity}, {jobs} {}, test: {test}",
                    bytes(*size),
                    if *jobs == 1 { "job" } else { "jobs" }
                );
            }
            Event::Resume { decisive, tests, bytes: size } => {
                eprintln!("nub: resumed at {} after {decisive} decided candidates and {tests} tests", bytes(*size));
            }
            Event::Timeout { seconds, adaptive: true } => eprintln!("nub: time-out {seconds:.1} s (adaptive)"),
            Event::Timeout { seconds, .. } if self.verbose > 0 => eprintln!("nub: time-out {seconds:.1} s"),
            Event::Check { what, outcome, seconds } if self.verbose > 0 => {
                eprintln!("nub: {what}: {outcome} ({seconds:.3} s)");
            }
            Event::Step { step, bytes: size } => eprintln!("nub: step {step} at {}", bytes(*size)),
            Event::Best { bytes: size, units, counts, label, .. }
                if self.verbose > 0 || self.shown.elapsed() >= INTERVAL =>
            {
                self.shown = Instant::now();
                let left = percent(*size, self.original);
                let tests = counts.tests;
                eprintln!("nub: {} ({left:.2} %), {units} units, {tests} tests, {label}", bytes(*size));
            }
            Event::Narrow { side, differences, step, label, counts, .. }
                if self.verbose > 0 || self.shown.elapsed() >= INTERVAL =>
            {
                self.shown = Instant::now();
                eprintln!("nub: {} left, {} tests, {side} {label}", count(*differences, step), counts.tests);
            }
            Event::Decide { label, outcome, bytes: size, cached, .. } if self.verbose > 1 => {
                let cached = if *cached { " (cached)" } else { "" };
                eprintln!("nub: {label}: {}: {outcome}{cached}", bytes(*size));
            }
            Event::Note { message } => eprintln!("nub: note: {message}"),
            Event::Warning { message } => eprintln!("nub: warning: {message}"),
            Event::Finish { .. } | Event::Isolated { .. } => {
                for line in summary(event).unwrap_or_default().lines() {
                    eprintln!("nub: {line}");
                }
            }
            _ => {}
        }
    }
}
