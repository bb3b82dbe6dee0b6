//! What each step cost, and what it was good for.

use crate::{
    Run, colour,
    escape::Html,
    numbers::{bytes, count, counted, grouped, time},
};
use std::{fmt::Write as _, time::Duration};

/// The table of steps.
pub(crate) fn steps(run: &Run) -> String {
    let history = &run.history;
    let mut html = String::from(
        "<table class=\"steps\"><thead><tr><th scope=\"col\">Step</th><th scope=\"col\">Visits</th>\
         <th scope=\"col\">Tests</th><th scope=\"col\">From cache</th><th scope=\"col\">Interesting</th>\
         <th scope=\"col\">Bytes removed</th><th scope=\"col\">Time</th></tr></thead><tbody>",
    );
    let mut accounted = Duration::ZERO;
    for (i, step) in history.steps.iter().enumerate() {
        accounted += step.time;
        let _ = write!(
            html,
            "<tr><th scope=\"row\"><span class=\"swatch\" {}></span>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
             <td>{}</td><td>{}</td></tr>",
            colour::hue(i, history.steps.len()),
            Html(&step.name),
            count(step.visits),
            count(step.tests),
            count(step.cache_hits),
            count(step.interesting),
            grouped(step.removed),
            time(step.time)
        );
    }
    let last = history.commits.last().map_or(run.bytes_before(), |commit| commit.bytes);
    let difference = last as i64 - run.bytes_after() as i64;
    let rest = history.running.saturating_sub(accounted);
    // What is left over: nub's own tests of the original and the result, and line breaks that make it good to read.
    let _ = write!(
        html,
        "<tr class=\"rest\"><th scope=\"row\"><span class=\"swatch none\"></span>before and after</th><td></td><td></td>\
         <td></td><td></td><td>{}</td><td>{}</td></tr>",
        if difference == 0 { String::new() } else { grouped(difference) },
        time(rest)
    );
    let _ = write!(
        html,
        "</tbody><tfoot><tr><th scope=\"row\">All</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
         </tr></tfoot></table>",
        count(history.visits.len()),
        count(history.tests.len()),
        count(history.cache_hits),
        count(history.interesting),
        grouped(run.bytes_before() as i64 - run.bytes_after() as i64),
        time(history.running)
    );
    html
}

/// Which answers cost a test, and which did not.
pub(crate) fn answers(run: &Run) -> String {
    let history = &run.history;
    let tested = history.decisive - history.cache_hits;
    let mut rows = vec![
        ("Questions of the algorithm", count(history.decisive)),
        ("answered by a test", count(tested)),
        ("answered from the cache", count(history.cache_hits)),
        ("Tests", count(history.tests.len())),
        ("ahead of time and in vain", count(history.unused)),
    ];
    if let Some(notes) = history.notes() {
        rows.push(("cancelled, and not counted", count(history.cancelled)));
        rows.push(("Outcomes remembered at most", count(notes.cache_peak)));
    }
    list(&rows)
}

/// A list of names and numbers.
pub(crate) fn list(rows: &[(&str, String)]) -> String {
    let mut html = String::from("<dl>");
    for (name, value) in rows {
        let class = if name.starts_with(char::is_lowercase) { " class=\"part\"" } else { "" };
        let _ = write!(html, "<div{class}><dt>{}</dt><dd>{value}</dd></div>", Html(name));
    }
    html.push_str("</dl>");
    html
}

/// What happened between the beginning and the end, if there was more than one session.
pub(crate) fn sessions(run: &Run) -> String {
    let history = &run.history;
    if history.sessions.len() < 2 {
        return String::new();
    }
    let mut html =
        format!("<h3>Sessions</h3><ol class=\"sessions\"><li>started {}", crate::numbers::date(run.header.created));
    for session in &history.sessions {
        let reason = if session.reason.is_empty() { String::new() } else { format!(" ({})", Html(&session.reason)) };
        let _ = write!(
            html,
            "<li>{}{reason} {}, after {} of work",
            session.event.name(),
            crate::numbers::date(session.unix),
            time(session.running)
        );
    }
    html.push_str("</ol>");
    html
}

/// The numbers that matter most, in large letters.
pub(crate) fn headline(run: &Run) -> String {
    let history = &run.history;
    let (before, after) = (run.bytes_before(), run.bytes_after());
    let mut html = String::from("<ul class=\"headline\">");
    for (value, what) in [
        (format!("{} → {}", bytes(before), bytes(after)), crate::numbers::percent(after, before) + " is left"),
        (counted(history.tests.len(), "test"), format!("and {} from the cache", counted(history.cache_hits, "answer"))),
        (
            time(history.running),
            run.header.jobs.map_or("of work".to_owned(), |jobs| format!("{} at a time", counted(jobs, "test"))),
        ),
    ] {
        let _ = write!(html, "<li><strong>{}</strong><span>{}</span></li>", Html(&value), Html(&what));
    }
    html.push_str("</ul>");
    html
}
