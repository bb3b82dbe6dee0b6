//! `nub compare A B --test TEST INPUT`: which way finds the smaller result, and which is faster.
//!
//! nub runs itself once for each way, one after the other, with the result and the journal in a temporary directory. The
//! numbers come from the journals, so they are the same as in a report.

use crate::{args::CompareArgs, exit, settings::Usage, signals::Brake};
use anyhow::{Context, Result};
use nub_run::{
    journal::{History, Reader},
    test::predicate,
};
use rustix::process::{Pid, Signal, kill_process};
use serde::Serialize;
use serde_json::json;
use std::{
    fs,
    io::Write,
    path::Path,
    process::{Child, Command, ExitCode, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// How long a reduction may take to end after a signal before nub sends it SIGTERM, and before nub kills it and its
/// guardian cleans up.
const MOMENT: Duration = Duration::from_millis(200);
const PATIENCE: Duration = Duration::from_secs(10);

/// `nub compare`.
pub fn main(args: &CompareArgs) -> ExitCode {
    match compare(args) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            let code = exit::failed(&error);
            if error.is::<Usage>() { ExitCode::from(exit::USAGE) } else { code }
        }
    }
}

/// One way to reduce, and how it went.
#[derive(Debug, Serialize)]
struct Way {
    /// As given on the command line.
    name: String,
    /// The size of the result.
    bytes: usize,
    tokens: usize,
    tests: usize,
    decisive: usize,
    cache_hits: usize,
    seconds: f64,
    /// How many tests it took to reach the final size of the other way, before formatting; `None` if it never did.
    tests_to_other: Option<usize>,
    #[serde(skip)]
    result: Vec<u8>,
    /// Tests and size of every new best.
    #[serde(skip)]
    course: Vec<(usize, usize)>,
}

fn compare(args: &CompareArgs) -> Result<u8> {
    let brake = Brake::install().context("cannot listen for signals")?;
    let directory = tempfile::Builder::new().prefix("nub-compare-").tempdir();
    let directory = directory.context("cannot create a directory for the results (set TMPDIR to another directory)")?;
    let original = fs::metadata(&args.input).with_context(|| format!("cannot read {}", args.input.display()))?.len();
    let mut ways = Vec::new();
    for (name, place) in [(&args.a, "a"), (&args.b, "b")] {
        let place = directory.path().join(place);
        let status = wait(reduce(args, name, &place)?, &brake)?;
        if let Some(signal) = brake.signal() {
            eprintln!(
                "nub: {} during {name}: nothing was compared and nothing was changed",
                predicate::signal_name(signal)
            );
            return Ok(exit::signal(signal));
        }
        if !status.success() {
            eprintln!("nub: the reduction with {name} failed (see above): nothing was compared");
            return Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(exit::FAILED));
        }
        ways.push(Way::read(name, &place, original as usize)?);
    }
    let ends: Vec<usize> = ways.iter().map(Way::end).collect();
    for (way, other) in ways.iter_mut().zip(ends.into_iter().rev()) {
        way.tests_to_other = way.course.iter().find(|(_, bytes)| *bytes <= other).map(|(tests, _)| *tests);
    }
    let text = if args.json {
        let identical = ways[0].result == ways[1].result;
        json!({ "bytes_before": original, "a": ways[0], "b": ways[1], "identical": identical }).to_string() + "\n"
    } else {
        table(&ways)
    };
    // A reader that closes the pipe has read enough.
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(0)
}

/// Turns an argument into the options it stands for.
fn options(name: &str) -> Vec<String> {
    match name {
        "default" => vec![],
        _ if name.starts_with('-') => name.split_whitespace().map(str::to_owned).collect(),
        _ => vec!["--algorithm".to_owned(), name.to_owned()],
    }
}

fn reduce(args: &CompareArgs, name: &str, place: &Path) -> Result<Child> {
    let program = std::env::current_exe().context("cannot find nub itself")?;
    let mut command = Command::new(program);
    command.args(options(name)).args(["--quiet", "--jobs", &args.jobs.to_string()]);
    command.arg("--output").arg(place).arg("--journal").arg(place.with_extension("nub-journal"));
    match (&args.test, &args.worker) {
        (Some(test), _) => command.arg(test),
        (None, Some(worker)) => command.arg("--worker").arg(worker),
        (None, None) => {
            return Err(Usage("the test is missing: give --test TEST or --worker COMMAND".to_owned()).into());
        }
    };
    command.arg(&args.input).stdin(Stdio::null()).stdout(Stdio::null());
    command.spawn().context("cannot start another nub process")
}

/// Waits for a reduction, and ends it if a signal arrives. A terminal sends signals to both processes, so the child first
/// gets a moment to end by itself.
fn wait(mut child: Child, brake: &Brake) -> Result<ExitStatus> {
    let (mut interrupted, mut asked) = (None, false);
    loop {
        if let Some(status) = child.try_wait().context("cannot wait for a reduction")? {
            return Ok(status);
        }
        let since = brake.signal().map(|_| interrupted.get_or_insert_with(Instant::now).elapsed()).unwrap_or_default();
        if since > PATIENCE {
            let _ = child.kill();
        } else if since > MOMENT && !asked {
            asked = true;
            let _ = kill_process(Pid::from_child(&child), Signal::TERM);
        }
        thread::sleep(Duration::from_millis(10));
    }
}

impl Way {
    fn read(name: &str, place: &Path, original: usize) -> Result<Self> {
        let (_, history) = History::read(Reader::open(&place.with_extension("nub-journal"))?)?;
        let result = fs::read(place).with_context(|| format!("cannot read the result of {name}"))?;
        let course = history.commits.iter().map(|commit| (commit.when.tests, commit.bytes));
        Ok(Self {
            name: name.to_owned(),
            bytes: result.len(),
            tokens: nub_report::count_tokens(&result),
            tests: history.tests.len(),
            decisive: history.decisive,
            cache_hits: history.cache_hits,
            seconds: history.running.as_secs_f64(),
            tests_to_other: None,
            course: [(0, original)].into_iter().chain(course).collect(),
            result,
        })
    }

    /// The smallest size that the search found; formatting may have added to it.
    fn end(&self) -> usize {
        self.course.last().map_or(0, |(_, bytes)| *bytes)
    }
}

fn table(ways: &[Way]) -> String {
    type Cell = fn(&Way) -> String;
    let rows: [(&str, Cell); 7] = [
        ("result, bytes", |way| way.bytes.to_string()),
        ("result, tokens", |way| way.tokens.to_string()),
        ("tests", |way| way.tests.to_string()),
        ("decided candidates", |way| way.decisive.to_string()),
        ("of these from the cache", |way| way.cache_hits.to_string()),
        ("tests to the other's size", |way| way.tests_to_other.map_or("never".to_owned(), |tests| tests.to_string())),
        ("seconds", |way| format!("{:.2}", way.seconds)),
    ];
    let mut text = format!("{:<26} {:>20} {:>20}\n", "", ways[0].name, ways[1].name);
    for (name, cell) in rows {
        text.push_str(&format!("{name:<26} {:>20} {:>20}\n", cell(&ways[0]), cell(&ways[1])));
    }
    let identical = ways[0].result == ways[1].result;
    text.push_str(if identical { "The results are identical.\n" } else { "The results differ.\n" });
    text
}
