//! All numbers of the page once more, for programs: the element `run`, in JSON.
//!
//! Names are those of the events of `--json`, where there are such.

use crate::{Run, histogram::Durations};
use nub_run::{Outcome, Unresolved, journal::State};
use serde_json::{Value, json};
use std::time::Duration;

/// More new bests than this are thinned out evenly; the journal has them all.
const MOST_COMMITS: usize = 3000;

/// The numbers.
pub(crate) fn data(run: &Run, durations: &Durations) -> Value {
    let (header, history) = (&run.header, &run.history);
    let count = |unresolved| history.count(Outcome::Unresolved(unresolved));
    let notes = history.notes();
    let step = history.commits.len().div_ceil(MOST_COMMITS).max(1);
    let last = history.commits.len().saturating_sub(1);
    let commits = history.commits.iter().enumerate().filter(|(i, _)| i % step == 0 || *i == last);
    let commits: Vec<Value> = commits
        .map(|(_, c)| json!([c.when.tests, c.decisive, seconds(c.when.at), c.bytes, c.units, c.step, c.label]))
        .collect();
    let steps: Vec<Value> = history
        .steps
        .iter()
        .map(|step| {
            json!({
                "step": step.name,
                "visits": step.visits,
                "tests": step.tests,
                "decisive": step.decisive,
                "cache_hits": step.cache_hits,
                "interesting": step.interesting,
                "removed": step.removed,
                "seconds": seconds(step.time),
            })
        })
        .collect();
    json!({
        "version": header.nub,
        "created": header.created,
        "input": header.input.to_string_lossy(),
        "output": header.output.as_ref().map(|path| path.to_string_lossy()),
        "command": header.command,
        "settings": header.settings,
        "jobs": header.jobs,
        "state": run.state(),
        "reason": match history.state() { State::Interrupted(reason) => Some(reason), _ => None },
        "bytes_before": run.bytes_before(),
        "bytes_after": run.bytes_after(),
        "fingerprint_before": header.fingerprint.to_string(),
        "fingerprint_after": history.result().map_or(header.fingerprint, |(fingerprint, _)| fingerprint).to_string(),
        "seconds": seconds(history.running),
        "tests": history.tests.len(),
        "unused": history.unused,
        "decisive": history.decisive,
        "cache_hits": history.cache_hits,
        "interesting": history.interesting,
        "timed_out": count(Unresolved::TimedOut),
        "killed": count(Unresolved::Killed),
        "not_started": count(Unresolved::NotStarted),
        "cancelled": notes.map(|_| history.cancelled),
        "cache_peak": notes.map(|notes| notes.cache_peak),
        "minimal": notes.map(|notes| &notes.minimal),
        "only_valid": notes.map(|notes| notes.only_valid),
        "test_seconds": {
            "sum": seconds(durations.sum()),
            "min": seconds(durations.quantile(0.0)),
            "median": seconds(durations.quantile(0.5)),
            "p90": seconds(durations.quantile(0.9)),
            "p99": seconds(durations.quantile(0.99)),
            "max": seconds(durations.quantile(1.0)),
        },
        "steps": steps,
        "visits": history.visits.iter().map(|v| json!([v.step, v.from.tests, seconds(v.from.at), v.round])).collect::<Vec<_>>(),
        "iterations": history.iterations.iter().map(|m| json!([m.tests, seconds(m.at)])).collect::<Vec<_>>(),
        "commits_in_all": history.commits.len(),
        "commit_fields": ["tests", "decisive", "seconds", "bytes", "units", "step", "label"],
        "commits": commits,
    })
}

fn seconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e6
}

/// JSON inside of a page: the only thing that can end it there is a `<`.
pub(crate) fn embedded(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c")
}
