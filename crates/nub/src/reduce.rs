//! The main command: `nub TEST INPUT`.

use crate::{
    algorithm::Strategy,
    args::ReduceArgs,
    check::{check, not_interesting},
    exit, front_end,
    job::{BrokenOff, Workshop, fail, interrupted, record_event, resume_command, run, show_timeout},
    record::Recorder,
    report::{self, Known},
    screen::{self, Event, Screen, bytes},
    session::{self, Session},
    settings::{Output, Task, TestChoice},
};
use anyhow::{Context, Result, bail};
use nub_core::Edit;
use nub_run::{
    Counts, Fingerprint, Finished, Outcome, RunSettings,
    best::BestFile,
    journal::{self, Conclusion, Journal, Notes},
    test::shell_quote,
};
use serde_json::json;
use std::{
    ffi::OsStr,
    io::{self, Write},
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

/// Reduces, and returns the exit code.
pub fn main(args: &ReduceArgs) -> ExitCode {
    let task = match session::recall(args.clone()).and_then(|args| Ok((Task::new(&args)?, args))) {
        Ok(task) => task,
        Err(error) => return fail(&error),
    };
    let (task, args) = task;
    let mut screen = screen::choose(&args.screen);
    let result = reduce(&task, &args, &mut *screen);
    drop(screen);
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => fail(&error),
    }
}

fn reduce(task: &Task, args: &ReduceArgs, screen: &mut dyn Screen) -> Result<u8> {
    session::check_unfinished(task)?;
    let mut session = Session::open(task)?;
    let original = Arc::clone(&session.original);
    let front_end = front_end::for_reduction(&args.algorithm, &task.input, &original)?;
    let strategy = Strategy::new(&args.algorithm, front_end)?;
    let mut settings = strategy.settings();
    settings["test"] = json!(task.test.to_string());
    session.check_settings(&settings)?;
    let best_file = session.best_file(task)?;
    if let Some(path) = &task.report {
        report::check(task, path)?;
    }
    let workshop = Workshop::new(task, original.len())?;
    let started = Instant::now();
    screen.show(&Event::Start {
        version: env!("CARGO_PKG_VERSION"),
        input: &task.input.display().to_string(),
        output: &task.output_name(),
        bytes: original.len(),
        test: &task.test.to_string(),
        language: strategy.front_end.name(),
        algorithm: strategy.plan.name(),
        granularity: &strategy.plan.granularity(),
        jobs: task.jobs,
        passing: None,
    });
    if strategy.plan.uses_structure()
        && let Some(message) = strategy.front_end.complaint(&task.input.display().to_string(), &original)
    {
        screen.show(&Event::Note { message: &message });
    }

    let resumed = session.resumed.take();
    let (recording, journal) = match resumed {
        Some((_, recording, journal)) => {
            if let Some(slowest) = session.slowest {
                workshop.setup.time_limit().observe(Outcome::Interesting, slowest);
            }
            (Some(recording), Some(journal))
        }
        None => match initial_checks(task, args.allow_empty, &strategy, &workshop, &original, screen)? {
            Checked::Interesting(elapsed) => {
                let path = workshop.journal_path(task);
                (None, session::begin_journal(task, settings, &session, elapsed, path.as_deref())?)
            }
            Checked::Ended(code) => return Ok(code),
            Checked::EmptySuffices(elapsed) => {
                if task.journal.restart {
                    session::forget(&task.journal.unfinished, false, session.older_backup)?;
                }
                // There is nothing to resume, so a journal is written only if the user wants to keep it or wants a report.
                let wanted = task.journal.keep || task.report.is_some();
                let path = workshop.journal_path(task).filter(|_| wanted);
                let journal = session::begin_journal(task, settings, &session, elapsed, path.as_deref())?;
                return finish_empty(task, best_file, journal, &session, started, screen);
            }
        },
    };
    show_timeout(task, &workshop.setup, screen);

    let settings = RunSettings { jobs: task.jobs, cache: strategy.cache, ordered: strategy.ordered };
    let always_starts = !matches!(task.test, TestChoice::Worker(_));
    let mut recorder = Recorder {
        journal,
        best: best_file,
        passing: None,
        screen,
        started,
        step: "".into(),
        always_starts,
        size: original.len(),
    };
    if recorder.journal.is_some() && recording.is_some() {
        record_event(&mut recorder, journal::Event::Resumed, Duration::ZERO, "")?;
    }
    let search = strategy.search(Arc::clone(&original));
    let finished = run(search, settings, &mut recorder, recording.as_ref(), &workshop);
    let format = !args.output.no_format;
    conclude(task, format, &strategy, &workshop, recorder, finished, &original, session.older_backup, started)
}

/// The outcome of the tests before the search.
enum Checked {
    /// The original is interesting; how long its test took.
    Interesting(Duration),
    /// The empty input is interesting, and the user allows it; how long the test of the original took.
    EmptySuffices(Duration),
    /// There is nothing to do.
    Ended(u8),
}

fn initial_checks(
    task: &Task,
    allow_empty: bool,
    strategy: &Strategy,
    workshop: &Workshop,
    original: &Arc<[u8]>,
    screen: &mut dyn Screen,
) -> Result<Checked> {
    let interrupted = || {
        let (reason, code) = interrupted(workshop);
        let message = format!("{reason} before the reduction started; nothing was changed");
        (Checked::Ended(code), message)
    };
    let Some(report) = check("original", &workshop.test, original, &workshop.brake, screen)? else {
        let (ended, message) = interrupted();
        screen.show(&Event::Warning { message: &message });
        return Ok(ended);
    };
    if !report.outcome.is_interesting() {
        if let Some(why) = report.details.as_deref().and_then(|details| details.not_started.as_deref()) {
            bail!("the test cannot be run: {why}{}", task.swapped_hint());
        }
        let name = task.input.file_name().unwrap_or(OsStr::new("input"));
        let message = not_interesting(&workshop.test, &report, name, original);
        screen.show(&Event::Warning { message: message.trim_end() });
        return Ok(Checked::Ended(exit::NOT_INTERESTING));
    }
    let elapsed = report.elapsed;
    if original.is_empty() || !(strategy.check_empty || allow_empty) {
        return Ok(Checked::Interesting(elapsed));
    }
    let Some(report) = check("empty", &workshop.test, &Vec::new(), &workshop.brake, screen)? else {
        let (ended, message) = interrupted();
        screen.show(&Event::Warning { message: &message });
        return Ok(ended);
    };
    if !report.outcome.is_interesting() {
        return Ok(Checked::Interesting(elapsed));
    }
    if allow_empty {
        return Ok(Checked::EmptySuffices(elapsed));
    }
    screen.show(&Event::Warning {
        message: "the empty input is interesting, too, so the test is probably wrong: it should exit with 1 if the failure \
                  does not occur. Nothing was changed. (--allow-empty reduces anyway)",
    });
    Ok(Checked::Ended(exit::TRIVIAL))
}

/// Ends a reduction to the empty input, which the user allows.
fn finish_empty(
    task: &Task,
    best_file: Option<BestFile>,
    mut journal: Option<Journal>,
    session: &Session,
    started: Instant,
    screen: &mut dyn Screen,
) -> Result<u8> {
    if let Some(mut file) = best_file {
        file.write(&Vec::new())?;
    }
    let elapsed = started.elapsed();
    let recorded = record_end(journal.as_mut(), &[], Notes::default(), (journal::Event::Finished, ""), elapsed);
    let last_chance = task.journal.path.is_none();
    let known = Known { original: Some(&session.original), result: Some(&[]), last_chance };
    let (report, code) = report_on(task, journal.as_ref(), &known, screen);
    screen.show(&Event::Finish {
        complete: true,
        bytes_before: session.original.len(),
        bytes_after: 0,
        output: &task.output_name(),
        seconds: elapsed.as_secs_f64(),
        cache_peak: 0,
        minimal: vec![],
        only_valid: false,
        report: report.as_deref(),
        counts: (&Counts::default()).into(),
    });
    recorded?;
    if let Some(path) = task.journal.path.as_ref().filter(|_| journal.is_some() && code == 0) {
        let _ = session::forget(path, task.journal.keep, session.older_backup);
    }
    Ok(code)
}

/// Records the result of a session, and how the session ended.
fn record_end(
    journal: Option<&mut Journal>,
    result: &[u8],
    notes: Notes,
    (event, reason): (journal::Event, &str),
    elapsed: Duration,
) -> Result<()> {
    let Some(journal) = journal else { return Ok(()) };
    journal.conclude(&Conclusion { fingerprint: Fingerprint::of_bytes(result), bytes: result.len(), notes })?;
    Ok(journal.session(event, elapsed, reason)?)
}

/// Writes the report if the user asked for one. Returns its name and the exit code: the result is fine without the report,
/// but the user should notice that it is missing.
fn report_on(
    task: &Task,
    journal: Option<&Journal>,
    known: &Known<'_>,
    screen: &mut dyn Screen,
) -> (Option<String>, u8) {
    let (Some(path), Some(journal)) = (&task.report, journal) else { return (None, 0) };
    match report::write(path, journal.path(), known) {
        Ok(()) => (Some(path.display().to_string()), 0),
        Err(error) => {
            let onward = match &task.journal.path {
                Some(journal) => format!("; to try again, run: nub report {}", shell_quote(journal.as_os_str())),
                None => String::new(),
            };
            screen.show(&Event::Warning { message: &format!("no report was written: {error:#}{onward}") });
            (None, exit::FAILED)
        }
    }
}

/// Reports how the reduction ended, tests the result once more, and removes files that are no longer needed.
#[allow(clippy::too_many_arguments, reason = "everything a reduction leaves behind")]
fn conclude(
    task: &Task,
    format: bool,
    strategy: &Strategy,
    workshop: &Workshop,
    mut recorder: Recorder<'_>,
    finished: Result<Finished>,
    original: &[u8],
    older_backup: bool,
    started: Instant,
) -> Result<u8> {
    let mut finished = match finished {
        Ok(finished) => finished,
        Err(error) => {
            let _ = record_event(&mut recorder, journal::Event::Interrupted, started.elapsed(), &error.to_string());
            let best = (recorder.size < original.len() && !matches!(task.output, Output::Stdout))
                .then(|| format!("the best result so far ({}) is in {}", bytes(recorder.size), task.output_name()));
            let _ = report_on(task, recorder.journal.as_ref(), &Known::default(), recorder.screen);
            let onward = (task.journal.path.is_some() && task.journal.resumable)
                .then(|| format!("once this is fixed, run: {}", resume_command()));
            return Err(BrokenOff { error, advice: best.into_iter().chain(onward).collect() }.into());
        }
    };
    let reduced = finished.counts.interesting > 0;
    let mut code = 0;
    if finished.complete && reduced {
        settle_drift(workshop, &mut finished, &mut recorder)?;
        code = check_result(workshop, &finished.best, recorder.screen)?;
        if code == 0 && format {
            make_readable(strategy, workshop, &mut finished, &mut recorder)?;
        }
    }
    if matches!(task.output, Output::Stdout) {
        let result = finished.best.content.to_vec();
        let written = io::stdout().write_all(&result).and_then(|()| io::stdout().flush());
        if let Err(error) = written.context("cannot write the result") {
            let onward = task
                .journal
                .path
                .is_some()
                .then(|| format!("to print it without running tests again, run: {}", resume_command()));
            return Err(BrokenOff { error, advice: onward.into_iter().collect() }.into());
        }
    } else if let (Output::File(_), false, Some(file)) = (&task.output, reduced, &mut recorder.best) {
        // Nothing could be removed, but the user asked for a file.
        file.write(&*finished.best.content)?;
    }
    let (reason, stopped) = interrupted(workshop);
    let minimality = strategy.plan.minimality(strategy.front_end.knowledge());
    // Nothing is known about a result for which the test contradicts itself.
    let minimal = if finished.complete && code == 0 { minimality.units } else { vec![] };
    let notes = Notes {
        cache_peak: finished.cache_peak,
        cancelled: finished.counts.cancelled,
        minimal: minimal.iter().map(ToString::to_string).collect(),
        only_valid: minimality.only_valid,
    };
    let event =
        if finished.complete { (journal::Event::Finished, "") } else { (journal::Event::Interrupted, &*reason) };
    let (elapsed, result) = (started.elapsed(), finished.best.content.to_vec());
    let recorded = record_end(recorder.journal.as_mut(), &result, notes, event, elapsed);
    let last_chance = task.journal.path.is_none() || !task.journal.resumable;
    let known = Known { original: Some(original), result: Some(&result), last_chance };
    let (report, report_code) = report_on(task, recorder.journal.as_ref(), &known, recorder.screen);
    recorder.screen.show(&Event::Finish {
        complete: finished.complete,
        bytes_before: original.len(),
        bytes_after: result.len(),
        output: &task.output_name(),
        seconds: elapsed.as_secs_f64(),
        cache_peak: finished.cache_peak,
        minimal,
        only_valid: minimality.only_valid,
        report: report.as_deref(),
        counts: (&finished.counts).into(),
    });
    recorded?;
    if finished.complete {
        if let Some(path) = task.journal.path.as_ref().filter(|_| report_code == 0) {
            // The reduction is finished; its journal would only block the next one.
            let _ = session::forget(path, task.journal.keep, older_backup);
        }
        return Ok(if code == 0 { report_code } else { code });
    }
    if task.journal.path.is_some() && task.journal.resumable {
        eprintln!("nub: {reason}: to continue, run: {}", resume_command());
    }
    Ok(stopped)
}

/// A search that imitates the reference tool may end in a state that differs in whitespace from the candidate it tested
/// last. This state is the published result; nub returns it, too, if it is interesting.
fn settle_drift(workshop: &Workshop, finished: &mut Finished, recorder: &mut Recorder<'_>) -> Result<()> {
    let (best, end) = (finished.best.content.to_vec(), finished.end.content.to_vec());
    if best == end {
        return Ok(());
    }
    let report = check("end", &workshop.test, &end, &workshop.brake, recorder.screen)?;
    if report.is_some_and(|report| report.outcome.is_interesting()) {
        if let Some(file) = &mut recorder.best {
            file.write(&end)?;
        }
        finished.best = finished.end.clone();
        return Ok(());
    }
    let message = "the final state of the published algorithm differs in whitespace from the last candidate it tested, and \
                   is not interesting: the result is that candidate";
    recorder.screen.show(&Event::Warning { message });
    Ok(())
}

/// Formats the result, if it stays interesting.
fn make_readable(
    strategy: &Strategy,
    workshop: &Workshop,
    finished: &mut Finished,
    recorder: &mut Recorder<'_>,
) -> Result<()> {
    if !strategy.formats {
        return Ok(());
    }
    let structure = strategy.front_end.analyse(&finished.best.content.to_vec(), strategy.plan.hidden);
    let Some(text) = structure.and_then(|structure| nub_core::formatted(&*structure)) else { return Ok(()) };
    let report = check("formatted", &workshop.test, &text, &workshop.brake, recorder.screen)?;
    if report.is_some_and(|report| report.outcome.is_interesting()) {
        if let Some(file) = &mut recorder.best {
            file.write(&text)?;
        }
        finished.best.content = Arc::new(text);
    }
    Ok(())
}

/// Warns about a flaky test, one that has another outcome for the result than before.
fn check_result(workshop: &Workshop, best: &Edit, screen: &mut dyn Screen) -> Result<u8> {
    let Some(report) = check("result", &workshop.test, &*best.content, &workshop.brake, screen)? else { return Ok(0) };
    if report.outcome.is_interesting() {
        return Ok(0);
    }
    let message = format!(
        "the result ({}) was interesting when it was found and is {} now: the test is flaky. Make it deterministic, or \
         raise --timeout.",
        bytes(best.content.len()),
        screen::outcome_name(report.outcome)
    );
    screen.show(&Event::Warning { message: &message });
    Ok(exit::FLAKY)
}
