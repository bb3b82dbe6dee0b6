//! How long tests took: a few numbers, and a picture of their distribution.

use crate::{
    Run,
    numbers::{count, time},
    scale::{Linear, Logarithmic},
};
use nub_run::Outcome;
use std::{fmt::Write as _, time::Duration};

/// For screens and for phones.
pub(crate) const SIZES: [(&str, f64, f64); 2] =
    [(crate::curve::WIDE.class, 760.0, 190.0), (crate::curve::NARROW.class, 340.0, 190.0)];

const LEFT: f64 = 58.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 24.0;

/// Bars per decade.
const BARS: f64 = 8.0;

/// The durations of all tests, sorted.
pub(crate) struct Durations(Vec<Duration>);

impl Durations {
    pub(crate) fn of(run: &Run) -> Self {
        let mut durations: Vec<Duration> = run.history.tests.iter().map(|(_, duration)| *duration).collect();
        durations.sort_unstable();
        Self(durations)
    }

    /// The duration that this share of the tests does not exceed.
    pub(crate) fn quantile(&self, share: f64) -> Duration {
        let rank = (share * self.0.len() as f64).ceil() as usize;
        self.0.get(rank.max(1) - 1).copied().unwrap_or_default()
    }

    pub(crate) fn sum(&self) -> Duration {
        self.0.iter().sum()
    }
}

/// The part of a bar that an outcome belongs to.
fn layer(outcome: Outcome) -> usize {
    match outcome {
        Outcome::Interesting => 0,
        Outcome::Uninteresting => 1,
        Outcome::Unresolved(_) => 2,
    }
}

/// The classes and names of the parts, from the bottom.
pub(crate) const LAYERS: [(&str, &str); 3] =
    [("interesting", "interesting"), ("uninteresting", "uninteresting"), ("unresolved", "unresolved")];

/// Draws the distribution of durations.
pub(crate) fn histogram(run: &Run, durations: &Durations, (class, width, height): (&str, f64, f64)) -> String {
    if durations.0.is_empty() {
        return String::new();
    }
    let (shortest, longest) = (durations.quantile(0.0), durations.quantile(1.0));
    let seconds = |time: Duration| time.as_secs_f64().max(1e-6);
    let bar = |time: Duration| (seconds(time).log10() * BARS).floor() as i32;
    let (first, last) = (bar(shortest), bar(longest));
    let mut counts = vec![[0usize; 3]; usize::try_from(last - first + 1).unwrap_or(1)];
    for (outcome, duration) in &run.history.tests {
        counts[(bar(*duration) - first) as usize][layer(*outcome)] += 1;
    }
    let most = counts.iter().map(|layers| layers.iter().sum()).max().unwrap_or(0usize);
    let (bottom, right) = (height - BOTTOM, width - RIGHT);
    let y = Linear::new(most as f64, bottom, TOP);
    // A limit on the width: if all tests take the same time, there is one bar, not a wall.
    let step = ((right - LEFT) / counts.len() as f64).min(80.0);
    let x_of = |seconds: f64| LEFT + (seconds.log10() * BARS - f64::from(first)) * step;

    let mut svg = format!(
        "<svg class=\"histogram {class}\" viewBox=\"0 0 {width} {height}\" role=\"img\"><title>How long tests took</title>\
         <desc>Half of the tests took {} or less, the longest {}.</desc>",
        time(durations.quantile(0.5)),
        time(longest)
    );
    for tick in y.ticks(4, true) {
        let at = y.at(tick);
        let _ = write!(
            svg,
            "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{right}\"/><text class=\"y\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            LEFT - 6.0,
            at + 4.0,
            count(tick as usize)
        );
    }
    for (i, layers) in counts.iter().enumerate() {
        let mut below = 0;
        for (n, (name, _)) in layers.iter().zip(LAYERS) {
            if *n == 0 {
                continue;
            }
            let (from, to) = (y.at(below as f64), y.at((below + n) as f64));
            below += n;
            let _ = write!(
                svg,
                "<rect class=\"{name}\" x=\"{:.1}\" y=\"{to:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                LEFT + i as f64 * step,
                (step - 1.0).max(0.5),
                from - to
            );
        }
    }
    // The axis has its own round values, which need not be where a bar begins.
    let ends = (10f64.powf(f64::from(first) / BARS), 10f64.powf(f64::from(last + 1) / BARS));
    let mut written = f64::NEG_INFINITY;
    for tick in Logarithmic::new(ends.0, ends.1, 1e-6, 0.0, 1.0).ticks() {
        let at = x_of(tick);
        if (LEFT - 1.0..=LEFT + counts.len() as f64 * step + 1.0).contains(&at) && at - written > 44.0 {
            written = at;
            let label = time(Duration::from_secs_f64(tick)).replace(".0 ", " ");
            let _ = write!(
                svg,
                "<text class=\"{}\" x=\"{at:.1}\" y=\"{:.1}\">{label}</text>",
                if at > right - 16.0 { "x last" } else { "x" },
                height - 8.0
            );
        }
    }
    svg.push_str("</svg>");
    svg
}
