//! `nub isolate`: the smallest difference that makes a passing input fail.

use crate::{
    args::{ColorChoice, IsolateArgs},
    check::{check, unexpected},
    diff, exit,
    front_end::{self, grammar_settings},
    job::{BrokenOff, Workshop, fail, interrupted, record_event, resume_command, run, show_timeout},
    record::Recorder,
    screen::{self, Event, Screen, outcome_name},
    session::{self, Session},
    settings::{Side, Task, TestChoice, Usage},
};
use anyhow::{Context, Result, bail};
use nub_core::{Diff, Edit, Granularity, Hidden, Isolation, Knowledge, Parts, Structure};
use nub_run::{
    CacheSettings, Fingerprint, Finished, Outcome, RunSettings,
    best::{BestFile, Durability},
    journal,
    test::Report,
};
use nub_syntax::Histogram;
use serde_json::{Value, json};
use std::{
    ffi::OsStr,
    fs,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

/// Isolates, and returns the exit code.
pub fn main(args: &IsolateArgs) -> ExitCode {
    let task = session::recall_isolation(args.clone()).and_then(|args| Ok((Task::isolation(&args)?, args)));
    let (task, args) = match task {
        Ok(task) => task,
        Err(error) => return fail(&error),
    };
    let mut screen = screen::choose(&args.screen);
    let result = isolate(&task, &args, &mut *screen);
    drop(screen);
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => fail(&error),
    }
}

/// The two inputs, and where the two results go.
struct Inputs {
    passing_path: PathBuf,
    failing_path: PathBuf,
    passing: Arc<[u8]>,
    failing: Arc<[u8]>,
    /// `PREFIX.passing` and `PREFIX.failing`.
    results: [PathBuf; 2],
}

impl Inputs {
    fn bytes(&self, side: Side) -> &Arc<[u8]> {
        if side == Side::Passing { &self.passing } else { &self.failing }
    }

    fn path(&self, side: Side) -> &Path {
        if side == Side::Passing { &self.passing_path } else { &self.failing_path }
    }

    /// The file of a result. Without `-o`, an existing file of that name is not ours to replace.
    fn best_file(&self, side: Side, replace: bool) -> Result<BestFile> {
        let path = &self.results[side as usize];
        if !replace && path.symlink_metadata().is_ok() {
            bail!(
                "{} already exists and would be replaced: remove it, or choose other files with -o PREFIX",
                path.display()
            );
        }
        if same_file(path, &self.passing_path) || same_file(path, &self.failing_path) {
            bail!("the result {} is one of the inputs: choose other files with -o PREFIX", path.display());
        }
        let file = BestFile::output(&self.failing_path, path, Durability::Fsync)?;
        file.check_writable()?;
        Ok(file)
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// How nub searches for the difference.
struct Plan {
    parts: Vec<Parts>,
    /// Decides whether a mixture parses; only if both inputs do.
    structure: Option<Arc<dyn Structure>>,
    language: String,
    granularity: String,
    cache: CacheSettings,
}

impl Plan {
    fn new(args: &IsolateArgs, inputs: &Inputs) -> Result<Self> {
        let (path, bytes) = (&inputs.failing_path, &inputs.failing);
        let front_end = front_end::find(args.language.as_deref(), &args.grammar, None, path, bytes)?;
        let hidden = if args.grammar.is_given() { Hidden::Nodes } else { Hidden::Gaps };
        let knowledge = front_end.knowledge();
        // An outline is not a grammar: it fits every text and cannot tell whether a text parses.
        let grammar = (knowledge == Knowledge::Grammar).then_some(&front_end);
        let granularity = args.granularity.clone().unwrap_or_else(|| {
            let default = match knowledge {
                Knowledge::Grammar => "tree+token",
                Knowledge::Binary => "byte",
                _ => "line+token",
            };
            default.to_owned()
        });
        let part = |name: &str| match (name, Granularity::from_name(name), grammar) {
            ("tree", _, Some(front_end)) => Ok(Parts::Nodes(Arc::clone(front_end), hidden)),
            ("tree", _, None) => Err(Usage(format!(
                "--granularity tree needs the language of {}, which nub cannot detect: give it with --language",
                path.display()
            ))),
            (_, Some(granularity), _) => Ok(Parts::Units(granularity)),
            (_, None, _) => Err(Usage(format!(
                "unknown granularity {name:?}: expected one of line, token, char, byte and tree, or several joined with +"
            ))),
        };
        let parts = granularity.split('+').map(part).collect::<Result<_, _>>()?;
        let sound = |side: Side| grammar.and_then(|front_end| front_end.analyse(inputs.bytes(side), hidden));
        let structure_of_both = sound(Side::Failing).filter(|failing| {
            // Both must have the same number of errors: usually none.
            failing.is_valid(&inputs.passing)
                && sound(Side::Passing).is_some_and(|passing| passing.is_valid(&inputs.failing))
        });
        // Mixtures grow and shrink: one that is larger than the last may well be proposed again.
        let cache = CacheSettings { evict: false, ..CacheSettings::default() };
        let language = front_end.name().to_owned();
        Ok(Self { parts, structure: structure_of_both, language, granularity, cache })
    }

    fn search(&self, passing: &Arc<[u8]>, failing: &Arc<[u8]>) -> Isolation {
        let diff: Arc<dyn Diff> = Arc::new(Histogram);
        Isolation::new(&self.parts[..], diff, Arc::clone(passing), Arc::clone(failing))
            .with_structure(self.structure.clone())
    }

    /// Everything that determines the course of the search, for the journal.
    fn settings(&self, task: &Task, args: &IsolateArgs, inputs: &Inputs) -> Result<Value> {
        let grammar = args.grammar.is_given().then(|| grammar_settings(&args.grammar)).transpose()?;
        Ok(json!({
            "algorithm": "dd",
            "granularity": self.granularity,
            "language": self.language,
            "grammar": grammar,
            "only-valid": self.structure.is_some(),
            "passing": Fingerprint::of_bytes(&inputs.passing),
            "test": task.test.to_string(),
            "passes-if": task.passes_if.as_ref().map(|test| test.display().to_string()),
        }))
    }
}

fn isolate(task: &Task, args: &IsolateArgs, screen: &mut dyn Screen) -> Result<u8> {
    session::check_unfinished(task)?;
    let passing_path = args.passing.clone().unwrap_or_default();
    let passing: Arc<[u8]> = read_passing(&passing_path)?.into();
    let mut session = Session::open(task)?;
    let prefix = args.output.as_ref().unwrap_or(&task.input);
    let inputs = Inputs {
        passing_path,
        failing_path: task.input.clone(),
        passing,
        failing: Arc::clone(&session.original),
        results: [Side::Passing, Side::Failing].map(|side| side.path(prefix)),
    };
    let plan = Plan::new(args, &inputs)?;
    let settings = plan.settings(task, args, &inputs)?;
    session.check_settings(&settings)?;
    if inputs.passing == inputs.failing {
        let [passing, failing] = [Side::Passing, Side::Failing].map(|side| inputs.path(side).display().to_string());
        let message = format!(
            "{passing} and {failing} are the same, so there is no difference to isolate: give two inputs that differ"
        );
        screen.show(&Event::Warning { message: &message });
        return Ok(exit::NOT_INTERESTING);
    }
    let replace = args.output.is_some() || task.journal.resume || task.journal.restart;
    let mut files = [inputs.best_file(Side::Passing, replace)?, inputs.best_file(Side::Failing, replace)?];
    let workshop = Workshop::new(task, inputs.failing.len().max(inputs.passing.len()))?;
    let started = Instant::now();
    screen.show(&Event::Start {
        version: env!("CARGO_PKG_VERSION"),
        input: &task.input.display().to_string(),
        output: &prefix.display().to_string(),
        bytes: inputs.failing.len(),
        test: &task.test.to_string(),
        language: &plan.language,
        algorithm: "dd",
        granularity: &plan.granularity,
        jobs: task.jobs,
        passing: Some(&inputs.passing_path.display().to_string()),
    });
    if plan.structure.is_some() {
        let language = &plan.language;
        let message = format!(
            "candidates that are not valid {language} are unresolved without a test (--language none tests them)"
        );
        screen.show(&Event::Note { message: &message });
    }

    let (recording, journal) = match session.resumed.take() {
        Some((_, recording, journal)) => {
            if let Some(slowest) = session.slowest {
                workshop.setup.time_limit().observe(Outcome::Interesting, slowest);
            }
            (Some(recording), Some(journal))
        }
        None => match initial_checks(task, &inputs, &workshop, screen)? {
            Checked::Differ(elapsed) => {
                (None, session::begin_journal(task, settings, &session, elapsed, task.journal.path.as_deref())?)
            }
            Checked::Ended(code) => return Ok(code),
        },
    };
    // Both files exist from the start. Those of an interrupted run are already closer to each other.
    for (side, file) in [Side::Passing, Side::Failing].into_iter().zip(&mut files) {
        if recording.is_none() || !file.path().exists() {
            file.write(inputs.bytes(side))?;
        }
    }
    show_timeout(task, &workshop.setup, screen);

    // The difference shrinks, not an input; dd itself ensures that it does.
    let settings = RunSettings { jobs: task.jobs, cache: plan.cache, ordered: false };
    let always_starts = !matches!(task.test, TestChoice::Worker(_));
    let [passing_file, failing_file] = files;
    let mut recorder = Recorder {
        journal,
        best: Some(failing_file),
        passing: Some(passing_file),
        screen,
        started,
        step: "".into(),
        always_starts,
        size: inputs.failing.len(),
    };
    if recording.is_some() {
        record_event(&mut recorder, journal::Event::Resumed, Duration::ZERO, "")?;
    }
    let search = plan.search(&inputs.passing, &inputs.failing);
    let before = (search.left(), plan.parts.first().map_or("", Parts::name));
    let finished = run(search, settings, &mut recorder, recording.as_ref(), &workshop);
    conclude(task, args, &plan, &inputs, &workshop, recorder, finished, before, started)
}

/// The passing input; /dev/null stands for the empty one.
fn read_passing(path: &Path) -> Result<Vec<u8>> {
    if path == Path::new("/dev/null") { Ok(vec![]) } else { session::read(path) }
}

/// The outcome of the tests before the search.
enum Checked {
    /// The inputs pass and fail as they should; how long the slower of the two tests took.
    Differ(Duration),
    /// There is nothing to do.
    Ended(u8),
}

fn initial_checks(task: &Task, inputs: &Inputs, workshop: &Workshop, screen: &mut dyn Screen) -> Result<Checked> {
    let mut slowest = Duration::ZERO;
    for (side, expected) in [(Side::Failing, Outcome::Interesting), (Side::Passing, Outcome::Uninteresting)] {
        let bytes = inputs.bytes(side);
        let Some(report) = check(side.name(), &workshop.test, bytes, &workshop.brake, screen)? else {
            let (reason, code) = interrupted(workshop);
            let message = format!("{reason} before the isolation started; nothing was changed");
            screen.show(&Event::Warning { message: &message });
            return Ok(Checked::Ended(code));
        };
        if report.outcome != expected {
            if let Some(why) = report.details.as_deref().and_then(|details| details.not_started.as_deref()) {
                bail!("the test cannot be run: {why}");
            }
            let headline = surprise(side, inputs.path(side), &report);
            let name = task.input.file_name().unwrap_or(OsStr::new("input"));
            let message = unexpected(&headline, &workshop.test, &report, name, bytes);
            screen.show(&Event::Warning { message: message.trim_end() });
            return Ok(Checked::Ended(exit::NOT_INTERESTING));
        }
        // The passing side may take longer than the failing one; neither may run into the time-out.
        workshop.setup.time_limit().observe(Outcome::Interesting, report.elapsed);
        slowest = slowest.max(report.elapsed);
    }
    Ok(Checked::Differ(slowest))
}

/// Says what is wrong with an input, and what to do about it.
fn surprise(side: Side, path: &Path, report: &Report) -> String {
    let path = path.display();
    match (side, report.outcome) {
        (Side::Passing, Outcome::Interesting) => format!(
            "{path} fails, too, so there is nothing to isolate: --passing needs an input without the failure. (To reduce a \
             single failing input, run: nub TEST INPUT)"
        ),
        (Side::Passing, _) => format!(
            "{path} is unresolved, so there is nothing to start from: --passing needs an input that clearly passes. With -- \
             COMMAND, COMMAND must exit with 0 for it (or see --passes-exit-code); with --passes-if, that test must exit \
             with 0; with TEST, it must exit with a code other than 0 and 125"
        ),
        (Side::Failing, Outcome::Uninteresting) => format!(
            "{path} does not fail, so there is nothing to isolate: the test must exit with 0 for it. (Are --passing and \
             --failing the wrong way round?)"
        ),
        (Side::Failing, _) => format!(
            "{path} is unresolved, so there is nothing to isolate: the test must exit with 0 for the failing input"
        ),
    }
}

/// Reports how the isolation ended, tests both sides once more, and shows the difference.
#[allow(clippy::too_many_arguments, reason = "everything an isolation leaves behind")]
fn conclude(
    task: &Task,
    args: &IsolateArgs,
    plan: &Plan,
    inputs: &Inputs,
    workshop: &Workshop,
    mut recorder: Recorder<'_>,
    finished: Result<Finished>,
    (differences_before, units_before): (usize, &str),
    started: Instant,
) -> Result<u8> {
    let names = inputs.results.each_ref().map(|path| path.display().to_string());
    let finished = match finished {
        Ok(finished) => finished,
        Err(error) => {
            let _ = record_event(&mut recorder, journal::Event::Interrupted, started.elapsed(), &error.to_string());
            let best = format!("the sides so far are in {} and {}", names[0], names[1]);
            let onward = recorder.journal.is_some().then(|| format!("once this is fixed, run: {}", resume_command()));
            return Err(BrokenOff { error, advice: [best].into_iter().chain(onward).collect() }.into());
        }
    };
    let passing = finished.passing.as_ref().map_or_else(|| inputs.passing.to_vec(), |side| side.content.to_vec());
    let failing = finished.best.content.to_vec();
    let mut code = 0;
    if finished.complete {
        code = check_results(workshop, &passing, &failing, recorder.screen)?;
    }
    let Edit { units: differences, step: units, .. } = finished.last.as_ref().unwrap_or(&finished.end);
    let text = diff::unified((&names[0], &passing), (&names[1], &failing), false);
    recorder.screen.show(&Event::Isolated {
        complete: finished.complete,
        passing: &names[0],
        failing: &names[1],
        bytes_passing: passing.len(),
        bytes_failing: failing.len(),
        differences_before,
        units_before,
        differences: *differences,
        units,
        diff: &String::from_utf8_lossy(&text),
        seconds: started.elapsed().as_secs_f64(),
        cache_peak: finished.cache_peak,
        only_valid: plan.structure.is_some(),
        counts: (&finished.counts).into(),
    });
    if finished.complete {
        if !args.screen.json && !args.screen.quiet {
            let text = diff::unified((&names[0], &passing), (&names[1], &failing), colours(args.color));
            print(&text)?;
        }
        record_event(&mut recorder, journal::Event::Finished, started.elapsed(), "")?;
        if let Some(path) = &task.journal.path {
            // The journal of a finished run would only block the next run.
            let _ = session::forget(path, task.journal.keep, false);
        }
        return Ok(code);
    }
    let (reason, code) = interrupted(workshop);
    record_event(&mut recorder, journal::Event::Interrupted, started.elapsed(), &reason)?;
    if recorder.journal.is_some() {
        eprintln!("nub: {reason}: to continue, run: {}", resume_command());
    }
    Ok(code)
}

/// Warns about a flaky test, one that has another outcome for a side than before.
fn check_results(workshop: &Workshop, passing: &[u8], failing: &[u8], screen: &mut dyn Screen) -> Result<u8> {
    let mut code = 0;
    for (side, bytes, expected) in
        [(Side::Passing, passing, Outcome::Uninteresting), (Side::Failing, failing, Outcome::Interesting)]
    {
        let content = bytes.to_vec();
        let Some(report) = check(side.name(), &workshop.test, &content, &workshop.brake, screen)? else { return Ok(0) };
        if report.outcome != expected {
            let message = format!(
                "the {} side was {} when it was found and is {} now: the test is flaky. Make it deterministic, or raise \
                 --timeout.",
                side.name(),
                outcome_name(expected),
                outcome_name(report.outcome)
            );
            screen.show(&Event::Warning { message: &message });
            code = exit::FLAKY;
        }
    }
    Ok(code)
}

fn colours(choice: ColorChoice) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    }
}

/// A closed pipe is not an error.
fn print(text: &[u8]) -> Result<()> {
    match io::stdout().write_all(text).and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context("cannot print the difference"),
        _ => Ok(()),
    }
}
