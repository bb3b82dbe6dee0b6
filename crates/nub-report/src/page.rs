//! The page: everything in the order in which people ask. How small, how fast, thanks to what; what is left; how to do
//! it again.

use crate::{
    Run, Text,
    curve::{Axis, NARROW, WIDE, curve},
    data,
    escape::Html,
    histogram::{self, Durations, histogram},
    kept::{Kept, kept},
    numbers::{bytes, count, date, percent, time},
    pane::{Marked, is_binary, pane},
    table,
};
use nub_run::{Outcome, Unresolved, journal::State, test::shell_quote};
use serde_json::Value;
use std::{ffi::OsStr, fmt::Write as _, ops::Range};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The hash of [`SCRIPT`]: no other script runs on the page. A test tells if it is out of date, and what it should be.
const SCRIPT_HASH: &str = "sha256-14P5s/0L943ZivOCJ6qg37DVXcyrL4oClqpUjBy0iGQ=";

/// Makes the page of a run.
pub fn page(run: &Run) -> String {
    let durations = Durations::of(run);
    let name = run.name();
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'; script-src '{SCRIPT_HASH}'; base-uri 'none'; form-action \
         'none'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" \
         content=\"light dark\">\n<meta name=\"generator\" content=\"nub {}\">\n<title>{}: {} → {}</title>\n<style>\n{STYLE}\
         </style>\n</head>\n<body>\n",
        Html(&run.header.nub),
        Html(&name),
        bytes(run.bytes_before()),
        bytes(run.bytes_after()),
    );
    head(&mut html, run, &name);
    html.push_str("<main>\n");
    curves(&mut html, run);
    steps(&mut html, run);
    tests(&mut html, run, &durations);
    texts(&mut html, run);
    settings(&mut html, run);
    html.push_str("</main>\n");
    let _ = write!(
        html,
        "<footer class=\"soft\">Made by nub {} from the journal of the run. The numbers are in the element <code>run</code> \
         of this page, in JSON.</footer>\n<script type=\"application/json\" id=\"run\">{}</script>\n<script>{SCRIPT}</script>\n\
         </body>\n</html>\n",
        env!("CARGO_PKG_VERSION"),
        data::embedded(&data::data(run, &durations))
    );
    html
}

fn head(html: &mut String, run: &Run, name: &str) {
    let _ = write!(html, "<header>\n<h1>{}</h1>\n<p class=\"soft\">{}</p>\n", Html(name), Html(&story(run)));
    html.push_str(&table::headline(run));
    if let State::Interrupted(_) | State::Open = run.history.state() {
        html.push_str("<p class=\"note\">This is not the end of the reduction");
        html.push_str(if run.resumable { ": <code>nub --resume</code> goes on with it.</p>" } else { ".</p>" });
    }
    if let Some(damage) = &run.history.damage {
        let _ = write!(html, "<p class=\"note\">The journal is damaged: {}.</p>", Html(&damage.to_string()));
    }
    html.push_str("</header>\n");
}

/// What became of the run, in a sentence or two.
fn story(run: &Run) -> String {
    let started = format!("Started {}", date(run.header.created));
    let ended = match run.history.state() {
        State::Finished => "finished".to_owned(),
        State::Interrupted(reason) => format!("interrupted ({reason})"),
        State::Open => "and not ended when this page was made: it was killed, or is still at work".to_owned(),
    };
    let minimal = run.history.notes().map_or(&[][..], |notes| &notes.minimal[..]);
    let Some((last, others)) = minimal.split_last() else { return format!("{started}, {ended}.") };
    let units = if others.is_empty() { last.clone() } else { format!("{} or {last}", others.join(", ")) };
    let only = run.history.notes().is_some_and(|notes| notes.only_valid);
    format!("{started}, {ended}. No single {units} can go{}.", if only { ", of what still parses" } else { "" })
}

fn curves(html: &mut String, run: &Run) {
    html.push_str("<section aria-labelledby=\"size\">\n<h2 id=\"size\">How the size fell</h2>\n");
    for (axis, id) in [(Axis::Tests, "size-over-tests"), (Axis::Time, "size-over-time")] {
        let _ = writeln!(
            html,
            "<figure id=\"{id}\">{}{}<p class=\"readout soft\"></p></figure>",
            curve(run, axis, WIDE),
            curve(run, axis, NARROW)
        );
    }
    html.push_str(
        "<p class=\"soft\">The ribbon shows the step at work; its colours are those of the table. \
         <svg class=\"key\" viewBox=\"0 0 20 10\" aria-hidden=\"true\"><path class=\"round\" d=\"M0 6H20\"/></svg>the plan \
         begins again, with its number above <svg class=\"key\" viewBox=\"0 0 20 10\" aria-hidden=\"true\"><path \
         class=\"iteration\" d=\"M0 6H20\"/></svg>a search inside of a step begins another iteration</p>\n</section>\n",
    );
}

fn steps(html: &mut String, run: &Run) {
    let _ = write!(
        html,
        "<section aria-labelledby=\"steps\">\n<h2 id=\"steps\">What the steps did</h2>\n<div class=\"scroll\" \
         tabindex=\"0\" role=\"region\" aria-labelledby=\"steps\">{}</div>\n<p class=\"soft\">Before and after: nub tests the original, the empty input and the result on its \
         own account, and gives the result line breaks in the end.</p>\n{}</section>\n",
        table::steps(run),
        table::sessions(run)
    );
}

fn tests(html: &mut String, run: &Run, durations: &Durations) {
    let history = &run.history;
    html.push_str("<section aria-labelledby=\"tests\">\n<h2 id=\"tests\">The tests</h2>\n<figure id=\"durations\">");
    for size in histogram::SIZES {
        html.push_str(&histogram(run, durations, size));
    }
    let none = history.tests.is_empty();
    html.push_str(if none {
        "<figcaption>No test was needed."
    } else {
        "<figcaption>How long tests took, and what they said: "
    });
    for (class, name) in histogram::LAYERS.into_iter().filter(|_| !none) {
        let _ = write!(html, "<span class=\"keyed\"><span class=\"key {class}\"></span>{name}</span> ");
    }
    html.push_str("</figcaption></figure>\n<div class=\"columns\">\n<div><h3>Time</h3>");
    let quantile = |share| time(durations.quantile(share));
    let at_once = durations.sum().as_secs_f64() / history.running.as_secs_f64().max(1e-6);
    let mut rows = vec![
        ("Half of them took up to", quantile(0.5)),
        ("9 of 10", quantile(0.9)),
        ("99 of 100", quantile(0.99)),
        ("The longest", quantile(1.0)),
        ("All together", time(durations.sum())),
        ("Running at a time, on average", format!("{at_once:.1}")),
    ];
    if let Some(check) = run.header.check_micros {
        rows.push(("The original took", time(std::time::Duration::from_micros(check))));
    }
    html.push_str(&table::list(&rows));
    html.push_str("</div>\n<div><h3>Outcomes</h3>");
    let unresolved = |what| history.count(Outcome::Unresolved(what));
    let mut rows = vec![
        ("Interesting", count(history.count(Outcome::Interesting))),
        ("Uninteresting", count(history.count(Outcome::Uninteresting))),
    ];
    for (name, what) in [
        ("Timed out", Unresolved::TimedOut),
        ("Killed by a signal", Unresolved::Killed),
        ("Not started", Unresolved::NotStarted),
    ] {
        rows.push((name, count(unresolved(what))));
    }
    html.push_str(&table::list(&rows));
    html.push_str("</div>\n<div><h3>Cache</h3>");
    html.push_str(&table::answers(run));
    html.push_str("</div>\n</div>\n</section>\n");
}

fn texts(html: &mut String, run: &Run) {
    html.push_str("<section aria-labelledby=\"texts\">\n<h2 id=\"texts\">What is left of it</h2>\n");
    let (original, result) = (run.original.bytes(), run.result.bytes());
    let aligned = original.zip(result).and_then(|(original, result)| kept(original, result));
    let dump = original.or(result).is_some_and(is_binary);
    match (&aligned, original, result) {
        (Some(kept), Some(original), _) => {
            let len: usize = kept.original.iter().map(Range::len).sum();
            let _ = write!(
                html,
                "<p class=\"soft\"><mark>Marked in the original</mark> is what is still there: {}, {} of it. <ins>Marked in \
                 the result</ins> is what is new: names, numbers, blanks. Where something occurs several times, this is a \
                 guess.</p>",
                bytes(len),
                percent(len, original.len())
            );
        }
        (None, Some(_), Some(_)) => html.push_str("<p class=\"soft\">They are too large to be compared.</p>"),
        _ => {}
    }
    let Kept { original: kept, result: old } = aligned.clone().unwrap_or_default();
    let new =
        if aligned.is_some() { result.map(|result| outside(&old, result.len())).unwrap_or_default() } else { vec![] };
    html.push_str("<div class=\"texts\">\n");
    for (class, title, text, marks, marked) in [
        ("original", "Original", &run.original, &kept, Marked::Kept),
        ("result", if run.state() == "finished" { "Result" } else { "Best so far" }, &run.result, &new, Marked::New),
    ] {
        let size = if class == "original" { run.bytes_before() } else { run.bytes_after() };
        let _ = write!(html, "<div class=\"{class}\"><h3>{title}, {}</h3>", bytes(size));
        let _ = match text {
            Text::Known(text) => {
                write!(html, "<div class=\"pane\" tabindex=\"0\">{}</div>", pane(text, marks, marked, dump))
            }
            Text::Missing(why) => write!(html, "<p class=\"note\">It cannot be shown: {}.</p>", Html(why)),
        };
        html.push_str("</div>\n");
    }
    html.push_str("</div>\n</section>\n");
}

/// What is between ranges, up to `len`.
fn outside(ranges: &[Range<usize>], len: usize) -> Vec<Range<usize>> {
    let starts = std::iter::once(0).chain(ranges.iter().map(|range| range.end));
    let ends = ranges.iter().map(|range| range.start).chain([len]);
    starts.zip(ends).map(|(start, end)| start..end).filter(|range| !range.is_empty()).collect()
}

fn settings(html: &mut String, run: &Run) {
    let header = &run.header;
    html.push_str("<section aria-labelledby=\"again\">\n<h2 id=\"again\">To do it again</h2>\n");
    let command: Vec<String> = header.command.iter().map(|word| shell_quote(OsStr::new(word))).collect();
    if !command.is_empty() {
        let _ = writeln!(html, "<pre class=\"command\">{}</pre>", Html(&command.join(" ")));
    }
    html.push_str("<dl class=\"settings\">");
    let mut row = |name: &str, value: &str| {
        let _ = write!(html, "<dt>{}</dt><dd>{}</dd>", Html(name), Html(value));
    };
    row("nub", &header.nub);
    row("input", &header.input.to_string_lossy());
    row("its size and XXH3", &format!("{} bytes, {}", header.input_len, header.fingerprint));
    row("output", &header.output.as_ref().map_or("standard output".into(), |path| path.to_string_lossy()));
    if let Some((fingerprint, len)) = run.history.result() {
        row("its size and XXH3", &format!("{len} bytes, {fingerprint}"));
    }
    if let Some(jobs) = header.jobs {
        row("jobs", &jobs.to_string());
    }
    let mut long = vec![];
    for (name, value) in header.settings.as_object().into_iter().flatten() {
        match value {
            Value::Null => {}
            Value::String(text) => row(name, text),
            Value::Array(items) => long.push((name, items)),
            other => row(name, &other.to_string()),
        }
    }
    html.push_str("</dl>\n");
    for (name, items) in long {
        let _ = write!(html, "<details><summary class=\"soft\">{}, in full</summary><ol class=\"soft\">", Html(name));
        for item in items {
            let text = item.as_str().map_or_else(|| item.to_string(), str::to_owned);
            let _ = write!(html, "<li><code>{}</code></li>", Html(&text));
        }
        html.push_str("</ol></details>\n");
    }
    html.push_str("</section>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest as _, Sha256};

    fn base64(bytes: &[u8]) -> String {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for chunk in bytes.chunks(3) {
            let bits = (0..3).fold(0, |bits, i| bits << 8 | u32::from(chunk.get(i).copied().unwrap_or(0)));
            for i in 0..4 {
                let digit = DIGITS[(bits >> (18 - 6 * i) & 63) as usize];
                text.push(if i <= chunk.len() { char::from(digit) } else { '=' });
            }
        }
        text
    }

    #[test]
    fn the_policy_allows_this_script_and_no_other() {
        assert_eq!(base64(b"any carnal pleas"), "YW55IGNhcm5hbCBwbGVhcw==");
        assert_eq!(SCRIPT_HASH, format!("sha256-{}", base64(&Sha256::digest(SCRIPT))));
    }

    #[test]
    fn what_is_outside() {
        assert_eq!(outside(&[0..2, 4..5], 7), [2..4, 5..7]);
        assert_eq!(outside(&[], 3), [0..3]);
        assert!(outside(&[], 0).is_empty());
    }
}
