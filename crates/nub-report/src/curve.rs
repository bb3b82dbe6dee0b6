//! The size over tests and over time: a falling staircase, with what was at work under it.
//!
//! This is the picture by which reducers are compared in the literature (Kiss, thesis, Figure 5.4): where the curve is
//! steep, a step earns its tests; where it is flat, it does not. Sizes are on a logarithmic axis, because the last
//! hundred bytes matter as much as the first megabyte. Below the curve is a ribbon of the steps; lines mark where the plan
//! began again, and dots where a search inside of a step did.

use crate::{
    Run, colour,
    escape::Html,
    numbers::{bytes, count, time},
    scale::{Linear, Logarithmic},
};
use nub_run::journal::Moment;
use std::{fmt::Write as _, time::Duration};

/// What is on the horizontal axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    /// Tests executed.
    Tests,
    /// Running time.
    Time,
}

/// How large a picture is, in its own units. Text has the same size in all of them, so a phone needs one of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Its class in the style sheet, which shows only one of them.
    pub(crate) class: &'static str,
    width: f64,
    height: f64,
    ticks: usize,
}

/// For a screen, and for paper.
pub(crate) const WIDE: Frame = Frame { class: "wide", width: 760.0, height: 320.0, ticks: 8 };
/// For a phone.
pub(crate) const NARROW: Frame = Frame { class: "narrow", width: 340.0, height: 300.0, ticks: 4 };

const LEFT: f64 = 58.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 16.0;
const RIBBON: f64 = 18.0;
/// Below the ribbon: the numbers of the axis and its name.
const BOTTOM: f64 = 36.0;

/// Points that are closer than this are one point to the eye.
const INVISIBLE: f64 = 0.4;

/// More iterations than this are marked below the curve only.
const MANY: usize = 30;

impl Axis {
    fn name(self) -> &'static str {
        match self {
            Self::Tests => "tests",
            Self::Time => "time",
        }
    }

    fn of(self, moment: Moment) -> f64 {
        match self {
            Self::Tests => moment.tests as f64,
            Self::Time => moment.at.as_secs_f64(),
        }
    }

    fn end(self, run: &Run) -> f64 {
        self.of(Moment { tests: run.history.tests.len(), at: run.history.running })
    }

    fn label(self, value: f64) -> String {
        match self {
            Self::Tests => count(value as usize),
            Self::Time => time(Duration::from_secs_f64(value.max(0.0))),
        }
    }

    /// Round values up to `end`, about `wanted` of them, with what to write there.
    fn ticks(self, end: f64, wanted: usize) -> Vec<(f64, String)> {
        let (unit, name) = match self {
            Self::Tests => (1.0, ""),
            Self::Time if end < 1.0 => (0.001, " ms"),
            Self::Time if end < 120.0 => (1.0, " s"),
            Self::Time if end < 7200.0 => (60.0, " min"),
            Self::Time => (3600.0, " h"),
        };
        let ticks = Linear::new(end / unit, 0.0, 1.0).ticks(wanted, self == Self::Tests).into_iter();
        let label = |tick: f64| match self {
            Self::Tests => count(tick as usize),
            // The error of a sum of tenths is not worth a digit.
            Self::Time => format!("{}{name}", (tick * 1e3).round() / 1e3),
        };
        ticks.map(|tick| (tick * unit, label(tick))).collect()
    }
}

/// Draws the curve of a run.
pub(crate) fn curve(run: &Run, axis: Axis, frame: Frame) -> String {
    let Frame { class, width, height, .. } = frame;
    let (right, ribbon) = (width - RIGHT, height - BOTTOM - RIBBON);
    let end = axis.end(run);
    let x = Linear::new(end, LEFT, right);
    let sizes = run.history.commits.iter().map(|commit| commit.bytes).chain([run.bytes_before(), run.bytes_after()]);
    let (least, most) = (sizes.clone().min().unwrap_or(0) as f64, sizes.max().unwrap_or(0) as f64);
    let y = Logarithmic::new(least, most, 1.0, ribbon - 6.0, TOP);

    let mut svg = format!(
        "<svg class=\"curve {class}\" viewBox=\"0 0 {width} {height}\" role=\"img\" data-axis=\"{0}\" data-from=\"{LEFT}\" \
         data-to=\"{right}\" data-end=\"{end}\"><title>Size over {0}</title><desc>{1} at first, {2} after {3}; {4} new \
         bests.</desc>",
        axis.name(),
        bytes(run.bytes_before()),
        bytes(run.bytes_after()),
        Html(&spoken(axis, end)),
        run.history.commits.len(),
    );
    for tick in y.ticks() {
        let at = y.at(tick);
        let _ = write!(
            svg,
            "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{right}\"/><text class=\"y\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            LEFT - 6.0,
            at + 4.0,
            size_label(tick)
        );
    }
    for (tick, label) in axis.ticks(end, frame.ticks) {
        let _ = write!(
            svg,
            "<text class=\"{}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            if x.at(tick) > right - 16.0 { "x last" } else { "x" },
            x.at(tick).min(right + RIGHT - 2.0),
            height - BOTTOM + 15.0,
            label
        );
    }
    let _ = write!(svg, "<text class=\"x axis\" x=\"{right}\" y=\"{:.1}\">{}</text>", height - 4.0, axis.name());
    draw_ribbon(&mut svg, run, axis, &x, ribbon);
    draw_marks(&mut svg, run, axis, &x, ribbon);
    let path = staircase(run, axis, &x, &y);
    let _ = write!(
        svg,
        "<path class=\"area\" d=\"{path}V{0:.1}H{LEFT}Z\"/><path class=\"line\" d=\"{path}\"/><path class=\"hair\" d=\"M0 \
         {TOP}V{0:.1}\" visibility=\"hidden\"/></svg>",
        ribbon - 6.0
    );
    svg
}

fn spoken(axis: Axis, end: f64) -> String {
    match axis {
        Axis::Tests => format!("{} tests", axis.label(end)),
        Axis::Time => axis.label(end),
    }
}

fn size_label(bytes: f64) -> String {
    match bytes {
        _ if bytes < 1e3 => format!("{bytes:.0} B"),
        _ if bytes < 1e6 => format!("{:.0} kB", bytes / 1e3),
        _ => format!("{:.0} MB", bytes / 1e6),
    }
}

/// The path of the curve: across at the size so far, then down to the new one.
fn staircase(run: &Run, axis: Axis, x: &Linear, y: &Logarithmic) -> String {
    let mut path = format!("M{:.1} {:.1}", x.at(0.0), y.at(run.bytes_before() as f64));
    let commits = run.history.commits.iter().map(|commit| (axis.of(commit.when), commit.bytes));
    let (mut drawn, mut waiting) = (x.at(0.0), None);
    for (value, size) in commits {
        let point = (x.at(value), y.at(size as f64));
        if let Some((before, at)) = waiting
            && point.0 - drawn > INVISIBLE
        {
            let _ = write!(path, "H{before:.1}V{at:.1}");
            drawn = before;
        }
        waiting = Some(point);
    }
    if let Some((before, at)) = waiting {
        let _ = write!(path, "H{before:.1}V{at:.1}");
    }
    let _ = write!(path, "H{:.1}V{:.1}", x.at(axis.end(run)), y.at(run.bytes_after() as f64));
    path
}

/// What was at work when.
fn draw_ribbon(svg: &mut String, run: &Run, axis: Axis, x: &Linear, top: f64) {
    let history = &run.history;
    let mut drawn = f64::NEG_INFINITY;
    for (i, visit) in history.visits.iter().enumerate() {
        let from = x.at(axis.of(visit.from)).max(drawn);
        let next = history.visits.get(i + 1).map_or(axis.end(run), |next| axis.of(next.from));
        let to = x.at(next);
        if to - from < INVISIBLE {
            continue;
        }
        drawn = to;
        let name = &history.steps[visit.step].name;
        let _ = write!(
            svg,
            "<g class=\"step\" {}><title>{}</title><rect x=\"{from:.1}\" y=\"{top:.1}\" width=\"{:.1}\" \
             height=\"{RIBBON}\"/>",
            colour::hue(visit.step, history.steps.len()),
            Html(name),
            to - from
        );
        if to - from > 6.2 * name.chars().count() as f64 + 6.0 {
            let _ = write!(svg, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", (from + to) / 2.0, top + 13.0, Html(name));
        }
        svg.push_str("</g>");
    }
}

/// Where the plan began again, and where a search did.
fn draw_marks(svg: &mut String, run: &Run, axis: Axis, x: &Linear, bottom: f64) {
    // Many lines would hide the curve.
    let top = if run.history.iterations.len() > MANY { bottom - 10.0 } else { TOP };
    let mut drawn = f64::NEG_INFINITY;
    for moment in &run.history.iterations {
        let at = x.at(axis.of(*moment));
        if at - drawn > 3.0 {
            drawn = at;
            let _ = write!(svg, "<path class=\"iteration\" d=\"M{at:.1} {top:.1}V{bottom:.1}\"/>");
        }
    }
    let (mut drawn, mut labelled, mut round) = (f64::NEG_INFINITY, f64::NEG_INFINITY, 0);
    for visit in &run.history.visits {
        let at = x.at(axis.of(visit.from));
        if visit.round == round || at - drawn <= 3.0 {
            round = visit.round;
            continue;
        }
        (round, drawn) = (visit.round, at);
        let _ = write!(svg, "<path class=\"round\" d=\"M{at:.1} {TOP}V{bottom:.1}\"/>");
        if at - labelled > 16.0 {
            labelled = at;
            let _ = write!(svg, "<text class=\"x\" x=\"{at:.1}\" y=\"{:.1}\">{}</text>", TOP - 5.0, round + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;
    use nub_run::{
        Fingerprint, Outcome,
        journal::{Commit, Header, History, Step, Visit},
    };

    /// A run of `commits`, each a test and a millisecond after the one before, that removes a byte each.
    fn run(commits: usize) -> Run {
        let moment = |i: usize| Moment { tests: i, at: Duration::from_millis(i as u64) };
        let fingerprint = Fingerprint::of_bytes(b"");
        let commit = |i: usize| {
            let (label, bytes) = (String::new(), commits - i);
            Commit { when: moment(i), decisive: i, bytes, units: 0, step: 0, label, fingerprint }
        };
        let history = History {
            tests: vec![(Outcome::Interesting, Duration::from_millis(1)); commits],
            running: moment(commits).at,
            commits: (1..=commits).map(commit).collect(),
            steps: vec![Step { name: "a<b".to_owned(), ..Step::default() }],
            visits: vec![Visit { step: 0, from: Moment::default(), round: 0 }],
            ..History::default()
        };
        let header = Header::new("/in", &vec![b'x'; commits]);
        let gone = Text::Missing(String::new());
        Run { header, history, original: gone.clone(), result: gone, resumable: true }
    }

    fn path(svg: &str) -> &str {
        svg.split("class=\"line\" d=\"").nth(1).unwrap().split('"').next().unwrap()
    }

    #[test]
    fn a_staircase_worked_by_hand() {
        // From 4 bytes to 0 in 4 tests, from 58 to 748. The axis of sizes goes from 1 byte at 260 to 5 bytes at 16, so a
        // size is at 260 - 244 log5(size); and 0 is shown as 1.
        let svg = curve(&run(4), Axis::Tests, WIDE);
        assert_eq!(path(&svg), "M58.0 49.8H230.5V93.4H403.0V154.9H575.5V260.0H748.0V260.0H748.0V260.0");
        assert!(svg.contains("<title>a&lt;b</title>"));
    }

    #[test]
    fn a_long_run_is_thinned_out() {
        let points = |commits| path(&curve(&run(commits), Axis::Time, WIDE)).matches('H').count();
        assert_eq!(points(100), 101);
        assert!(points(200_000) < 2_000, "{}", points(200_000));
    }

    #[test]
    fn times_are_round_in_their_unit() {
        let labels = |end| Axis::Time.ticks(end, 4).into_iter().map(|(_, label)| label).collect::<Vec<_>>();
        assert_eq!(labels(0.008), ["0 ms", "2 ms", "4 ms", "6 ms", "8 ms"]);
        assert_eq!(labels(1.3), ["0 s", "0.5 s", "1 s"]);
        assert_eq!(labels(823.0), ["0 min", "5 min", "10 min"]);
        assert_eq!(labels(86_400.0), ["0 h", "10 h", "20 h"]);
        assert_eq!(Axis::Time.ticks(823.0, 4)[1].0, 300.0);
    }
}
