//! The tests that nub runs outside the search: of the original, of the empty input, and of the final result.

use crate::{
    screen::{Event, Screen, outcome_name},
    settings::ReadyTest,
    signals::Brake,
};
use anyhow::Result;
use nub_core::Content;
use nub_run::{
    Outcome, Unresolved,
    test::{Report, Scratch, Stop, predicate::signal_name},
};
use std::{ffi::OsStr, fmt::Write};

/// How many bytes of the test's output are shown.
const SHOWN: usize = 4000;

/// Runs the test once. `None` if it was interrupted.
pub fn check(
    what: &str,
    test: &ReadyTest,
    content: &dyn Content,
    brake: &Brake,
    screen: &mut dyn Screen,
) -> Result<Option<Report>> {
    let test = test.detailed();
    let report = match test.as_test().runner(0)?.run(content, &brake.cancel) {
        Ok(report) => report,
        Err(Stop::Cancelled) => return Ok(None),
        Err(fatal) => return Err(fatal.into()),
    };
    let (outcome, seconds) = (outcome_name(report.outcome), report.elapsed.as_secs_f64());
    screen.show(&Event::Check { what, outcome, seconds });
    Ok(Some(report))
}

/// The message for an original input that is not interesting.
pub fn not_interesting(test: &ReadyTest, report: &Report, name: &OsStr, content: &dyn Content) -> String {
    let headline = format!("{} is not interesting, so there is nothing to reduce.", name.display());
    unexpected(&headline, test, report, name, content)
}

/// The message for an unexpected outcome: what happened, what the test printed, and a command to reproduce it in a
/// directory that is kept.
pub fn unexpected(headline: &str, test: &ReadyTest, report: &Report, name: &OsStr, content: &dyn Content) -> String {
    let mut text = format!("{headline}\n");
    let details = report.details.as_deref();
    let mut say = |line: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
    };
    let how = match (report.outcome, details.map(|details| (details.exit_code, details.signal))) {
        (Outcome::Unresolved(Unresolved::TimedOut), _) => "was still running and was killed (see --timeout)".to_owned(),
        (Outcome::Interesting, Some((Some(code), _))) => format!("exited with {code}"),
        (Outcome::Unresolved(Unresolved::Skipped), Some((Some(code), _))) => match test {
            ReadyTest::PassesIf(_) if code != 125 => {
                format!("did not exit with 0, and the test of --passes-if exited with {code}")
            }
            _ => format!("exited with {code}, which means that the input neither passes nor fails"),
        },
        (_, Some((Some(0), _))) => "exited with 0, but the other conditions do not hold".to_owned(),
        (_, Some((Some(code), _))) => format!("exited with {code}"),
        (_, Some((_, Some(signal)))) => format!("was ended by {}", signal_name(signal)),
        (outcome, _) => format!("answered {}", outcome_name(outcome)),
    };
    say(format_args!("The test {how} ({:.3} s).", report.elapsed.as_secs_f64()));
    if let Some(details) = details {
        for (what, output) in [("standard output", &details.stdout), ("standard error", &details.stderr)] {
            if output.is_empty() {
                say(format_args!("It printed nothing on {what}."));
                continue;
            }
            let start = output.len().saturating_sub(SHOWN);
            let cut = if start > 0 { " (the last part)" } else { "" };
            say(format_args!("It printed on {what}{cut}:"));
            for line in String::from_utf8_lossy(&output[start..]).lines() {
                say(format_args!("  | {line}"));
            }
        }
    }
    match Scratch::keep(name, content) {
        Ok(candidate) => {
            say(format_args!("To reproduce this, run:\n  {}; echo $?", test.shell_command(&candidate)));
        }
        Err(error) => say(format_args!("(nub could not keep a copy to reproduce this: {error})")),
    }
    text
}
