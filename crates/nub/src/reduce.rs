//! The main job: `nub TEST INPUT`.

use crate::{
    algorithm::Plan,
    args::ReduceArgs,
    check::{check, not_interesting},
    exit,
    record::Recorder,
    report::{self, Known},
    screen::{self, Event, Screen, bytes},
    session::{self, Session},
    settings::{Output, ReadyTest, Task, TestChoice, Usage},
    signals::Brake,
    structure::Structure,
};
use anyhow::{Context, Result, bail};
use nub_core::{Edit, Stages};
use nub_run::{
    Counts, Fingerprint, Finished, Outcome, Reduction, RunSettings,
    best::BestFile,
    journal::{self, Conclusion, Journal, Notes},
    test::{Guardian, Run as TestRun, Scratch, Setup, predicate, shell_quote},
};
use std::{
    ffi::OsStr,
    fmt,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

/// Reduces, and tells the exit code.
pub fn main(args: &ReduceArgs) -> ExitCode {
    let task = match session::recall(args.clone()).and_then(|args| Ok((Task::new(&args)?, args))) {
        Ok((task, args)) => (task, args.screen),
        Err(error) => return fail(&error),
    };
    let (task, screen_args) = task;
    let mut screen = screen::choose(&screen_args);
    let result = reduce(&task, &mut *screen);
    drop(screen);
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => fail(&error),
    }
}

fn fail(error: &anyhow::Error) -> ExitCode {
    let code = exit::failed(error);
    if error.is::<Usage>() { ExitCode::from(exit::USAGE) } else { code }
}

/// A reduction that an error has ended: what happened, and then where the best result is and how to go on.
#[derive(Debug)]
struct BrokenOff {
    error: anyhow::Error,
    advice: Vec<String>,
}

impl fmt::Display for BrokenOff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.error)?;
        self.advice.iter().try_for_each(|line| write!(f, "\nnub: {line}"))
    }
}

impl std::error::Error for BrokenOff {}

/// What a reduction works with.
struct Workshop {
    brake: Brake,
    test: ReadyTest,
    setup: Setup,
    scratch: Arc<Scratch>,
    /// Dropped after everything that uses the scratch directory, which it would remove if nub could not.
    _guardian: Option<Guardian>,
}

impl Workshop {
    fn new(task: &Task, input_len: usize) -> Result<Self> {
        let brake = Brake::install().context("cannot listen for signals")?;
        let run = TestRun::begin();
        let mut guardian = None;
        // Without a guardian everything works, except cleaning up after kill -9.
        let scratch = Scratch::create_announced(task.temp_dir.as_deref(), input_len as u64, |path| {
            guardian = crate::guardian_command().and_then(|command| Guardian::start(command, path, run.id())).ok();
        })?;
        let scratch = Arc::new(scratch);
        let (test, setup) = ReadyTest::new(task, &run, &scratch)?;
        Ok(Self { brake, test, setup, scratch, _guardian: guardian })
    }

    /// Where the journal goes: to its place, or for a report without one to a place that is gone in the end.
    fn journal_path(&self, task: &Task) -> Option<PathBuf> {
        let temporary = || task.report.is_some().then(|| self.scratch.path().join("report.nub-journal"));
        task.journal.path.clone().or_else(temporary)
    }
}

fn reduce(task: &Task, screen: &mut dyn Screen) -> Result<u8> {
    session::check_unfinished(task)?;
    let mut session = Session::open(task)?;
    let original = Arc::clone(&session.original);
    let structure = Structure::find(&task.algorithm, &task.input, &original)?;
    let plan = Plan::new(&task.algorithm, &structure).map_err(|error| Usage(error.to_string()))?;
    session.check_settings(task, &plan)?;
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
        language: &plan.language,
        algorithm: &plan.algorithm,
        granularity: &plan.granularity,
        jobs: task.jobs,
    });
    if plan.uses_structure()
        && let Some(message) = structure.note(&task.input.display().to_string(), &original)
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
        None => match initial_checks(task, &plan, &workshop, &original, screen)? {
            Checked::Interesting(elapsed) => {
                let path = workshop.journal_path(task);
                (None, session::begin_journal(task, &plan, &session, elapsed, path.as_deref())?)
            }
            Checked::Ended(code) => return Ok(code),
            Checked::EmptySuffices(elapsed) => {
                if task.journal.restart {
                    session::forget(&task.journal.unfinished, false, session.older_backup)?;
                }
                // There is nothing to resume; a journal is only for those who want to see one, or a report.
                let wanted = task.journal.keep || task.report.is_some();
                let path = workshop.journal_path(task).filter(|_| wanted);
                let journal = session::begin_journal(task, &plan, &session, elapsed, path.as_deref())?;
                return finish_empty(task, best_file, journal, &session, started, screen);
            }
        },
    };
    show_timeout(task, &workshop.setup, screen);

    let settings = RunSettings { jobs: task.jobs, cache: plan.cache, ordered: plan.ordered };
    let always_starts = !matches!(task.test, TestChoice::Worker(_));
    let mut recorder =
        Recorder { journal, best: best_file, screen, started, pass: "".into(), always_starts, size: original.len() };
    if recorder.journal.is_some() && recording.is_some() {
        record_event(&mut recorder, journal::Event::Resumed, Duration::ZERO, "")?;
    }
    let search = Stages::new(plan.stages.clone(), Arc::clone(&original)).with_effort(plan.effort);
    let finished = run(search, settings, &mut recorder, recording.as_ref(), &workshop);
    conclude(task, &plan, &workshop, recorder, finished, &original, session.older_backup, started)
}

/// Replays what is recorded, and runs the rest.
fn run(
    search: Stages,
    settings: RunSettings,
    recorder: &mut Recorder<'_>,
    recording: Option<&journal::Recording>,
    workshop: &Workshop,
) -> Result<Finished> {
    let Some(recording) = recording else {
        return Ok(Reduction::new(search, settings, recorder).run(workshop.test.as_test(), &workshop.brake.interrupt)?);
    };
    let mut silent = ();
    let mut rehearsal = Reduction::new(search, settings, &mut silent);
    rehearsal.replay(session::replay(recording))?;
    let leftovers = recording.leftovers();
    let unsettled = leftovers.map(|left| (left.verdict.fingerprint, (left.test, left.verdict.outcome))).collect();
    rehearsal.resume_tests(recording.outcomes(), unsettled);
    let best = rehearsal.best().content.to_vec();
    let counts = *rehearsal.counts();
    recorder.screen.show(&Event::Resume { decisive: counts.decisive, tests: counts.tests, bytes: best.len() });
    recorder.size = best.len();
    // A run that was killed between its journal and its file has an older best in the file.
    if counts.interesting > 0
        && let Some(file) = &mut recorder.best
    {
        file.write(&best)?;
    }
    Ok(rehearsal.observed_by(recorder).run(workshop.test.as_test(), &workshop.brake.interrupt)?)
}

/// What nub knows before it begins.
enum Checked {
    /// The original is interesting, which took so long to find out.
    Interesting(Duration),
    /// The empty input is interesting, and the user insists. The test of the original took so long.
    EmptySuffices(Duration),
    /// There is nothing to do.
    Ended(u8),
}

fn initial_checks(
    task: &Task,
    plan: &Plan,
    workshop: &Workshop,
    original: &Arc<[u8]>,
    screen: &mut dyn Screen,
) -> Result<Checked> {
    let interrupted = || {
        let signal = workshop.brake.signal();
        let reason = signal.map_or_else(|| "interrupted".to_owned(), predicate::signal_name);
        let message = format!("{reason} before the reduction began; nothing was changed");
        (Checked::Ended(signal.map_or(exit::FAILED, exit::signal)), message)
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
    if original.is_empty() || !(plan.check_empty || task.allow_empty) {
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
    if task.allow_empty {
        return Ok(Checked::EmptySuffices(elapsed));
    }
    screen.show(&Event::Warning {
        message: "the empty input is interesting, too, so the test is probably wrong: it should fail if the failure \
                  is gone. Nothing was changed. (--allow-empty to insist)",
    });
    Ok(Checked::Ended(exit::TRIVIAL))
}

fn show_timeout(task: &Task, setup: &Setup, screen: &mut dyn Screen) {
    let seconds = setup.time_limit().current().as_secs_f64();
    let adaptive = task.limits.timeout == nub_run::test::Timeout::Adaptive;
    screen.show(&Event::Timeout { seconds, adaptive });
}

/// The user insists, and the test says that nothing at all will do.
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

/// Records what a session ends with, and how.
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

/// Writes the report, if one is wanted. Returns its name and the exit code: without it the reduction is as good, but the
/// user has asked for it.
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
            screen.show(&Event::Warning { message: &format!("there is no report: {error:#}{onward}") });
            (None, exit::FAILED)
        }
    }
}

fn record_event(recorder: &mut Recorder<'_>, event: journal::Event, elapsed: Duration, reason: &str) -> Result<()> {
    match &mut recorder.journal {
        Some(journal) => Ok(journal.session(event, elapsed, reason)?),
        None => Ok(()),
    }
}

/// Tells how it ended, tests the result once more, and clears away what nobody needs any longer.
#[allow(clippy::too_many_arguments, reason = "everything that a reduction has left")]
fn conclude(
    task: &Task,
    plan: &Plan,
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
                .then(|| format!("when that is put right, run: {}", resume_command()));
            return Err(BrokenOff { error, advice: best.into_iter().chain(onward).collect() }.into());
        }
    };
    let reduced = finished.counts.interesting > 0;
    let mut code = 0;
    if finished.complete && reduced {
        settle_drift(workshop, &mut finished, &mut recorder)?;
        code = check_result(workshop, &finished.best, recorder.screen)?;
        if code == 0 && task.format {
            format(plan, workshop, &mut finished, &mut recorder)?;
        }
    }
    if matches!(task.output, Output::Stdout) {
        let result = finished.best.content.to_vec();
        let written = io::stdout().write_all(&result).and_then(|()| io::stdout().flush());
        if let Err(error) = written.context("cannot write the result") {
            let onward =
                task.journal.path.is_some().then(|| format!("to get it without a test, run: {}", resume_command()));
            return Err(BrokenOff { error, advice: onward.into_iter().collect() }.into());
        }
    } else if let (Output::File(_), false, Some(file)) = (&task.output, reduced, &mut recorder.best) {
        // Nothing could be removed, and whoever asked for a file gets one.
        file.write(&*finished.best.content)?;
    }
    let signal = workshop.brake.signal();
    let reason = signal.map_or_else(|| "interrupted".to_owned(), predicate::signal_name);
    let minimal = if finished.complete { plan.minimal() } else { vec![] };
    let notes = Notes {
        cache_peak: finished.cache_peak,
        cancelled: finished.counts.cancelled,
        minimal: minimal.iter().map(ToString::to_string).collect(),
        only_valid: plan.leaves_out(),
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
        only_valid: plan.leaves_out(),
        report: report.as_deref(),
        counts: (&finished.counts).into(),
    });
    recorded?;
    if finished.complete {
        if let Some(path) = task.journal.path.as_ref().filter(|_| report_code == 0) {
            // Whoever resumed it has a finished reduction; what is left of the journal is only in the way.
            let _ = session::forget(path, task.journal.keep, older_backup);
        }
        return Ok(if code == 0 { report_code } else { code });
    }
    if task.journal.path.is_some() && task.journal.resumable {
        eprintln!("nub: {reason}: to continue, run: {}", resume_command());
    }
    Ok(signal.map_or(exit::FAILED, exit::signal))
}

/// A search that imitates the reference tool may end in a state that differs in blanks from what it tested last. That is
/// the published result; it becomes the result here if it is interesting, too.
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
    let message = "what the published algorithm ends with differs in blanks from what it tested last, and is not \
                   interesting: the result is what was tested";
    recorder.screen.show(&Event::Warning { message });
    Ok(())
}

/// Makes the result good to read, if it is still interesting then.
fn format(plan: &Plan, workshop: &Workshop, finished: &mut Finished, recorder: &mut Recorder<'_>) -> Result<()> {
    let structure = plan.formatter.as_ref().and_then(|formatter| formatter.analyse(&finished.best.content.to_vec()));
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

/// A test that has changed its mind about the result is flaky, and the user should know.
fn check_result(workshop: &Workshop, best: &Edit, screen: &mut dyn Screen) -> Result<u8> {
    let Some(report) = check("result", &workshop.test, &*best.content, &workshop.brake, screen)? else { return Ok(0) };
    if report.outcome.is_interesting() {
        return Ok(0);
    }
    let message = format!(
        "the result ({}) was interesting when it was found and is {} now: the test is flaky. Make it repeat what it \
         does, or raise --timeout.",
        bytes(best.content.len()),
        screen::outcome_name(report.outcome)
    );
    screen.show(&Event::Warning { message: &message });
    Ok(exit::FLAKY)
}

/// The same command line with `--resume`.
fn resume_command() -> String {
    let mut words: Vec<_> = std::env::args_os().collect();
    // What is after `--` is the user's command, whatever it looks like.
    let own = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let mut rest = words.split_off(own);
    words.retain(|word| word != "--resume" && word != "--restart");
    words.insert(1.min(words.len()), "--resume".into());
    words.append(&mut rest);
    words.iter().map(|word| shell_quote(word)).collect::<Vec<_>>().join(" ")
}
