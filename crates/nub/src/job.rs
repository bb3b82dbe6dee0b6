//! What reductions and isolations share: the test, replaying and resuming, and the messages at the end.

use crate::{
    exit,
    record::Recorder,
    screen::{Event, Screen},
    session,
    settings::{ReadyTest, Task, Usage},
    signals::Brake,
};
use anyhow::{Context, Result};
use nub_core::{Edit, Search};
use nub_run::{
    Finished, Reduction, RunSettings, journal,
    test::{Guardian, Run as TestRun, Scratch, Setup, predicate, shell_quote},
};
use std::{fmt, path::PathBuf, process::ExitCode, sync::Arc, time::Duration};

/// Prints why there is no result, and returns the exit code.
pub fn fail(error: &anyhow::Error) -> ExitCode {
    let code = exit::failed(error);
    if error.is::<Usage>() { ExitCode::from(exit::USAGE) } else { code }
}

/// A run ended by an error: what happened, where the best result is, and how to continue.
#[derive(Debug)]
pub struct BrokenOff {
    pub error: anyhow::Error,
    pub advice: Vec<String>,
}

impl fmt::Display for BrokenOff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.error)?;
        self.advice.iter().try_for_each(|line| write!(f, "\nnub: {line}"))
    }
}

impl std::error::Error for BrokenOff {}

/// The resources of a run.
pub struct Workshop {
    pub brake: Brake,
    pub test: ReadyTest,
    pub setup: Setup,
    scratch: Arc<Scratch>,
    /// Dropped after everything that uses the scratch directory: the guardian removes it if nub cannot.
    _guardian: Option<Guardian>,
}

impl Workshop {
    pub fn new(task: &Task, input_len: usize) -> Result<Self> {
        let brake = Brake::install().context("cannot listen for signals")?;
        let run = TestRun::begin();
        let mut guardian = None;
        // Without a guardian everything works except cleaning up after kill -9.
        let scratch = Scratch::create_announced(task.temp_dir.as_deref(), input_len as u64, |path| {
            guardian = crate::guardian_command().and_then(|command| Guardian::start(command, path, run.id())).ok();
        })?;
        let scratch = Arc::new(scratch);
        let (test, setup) = ReadyTest::new(task, &run, &scratch)?;
        Ok(Self { brake, test, setup, scratch, _guardian: guardian })
    }

    /// Where to write the journal. A report without a journal uses a temporary one in the scratch directory.
    pub fn journal_path(&self, task: &Task) -> Option<PathBuf> {
        let temporary = || task.report.is_some().then(|| self.scratch.path().join("report.nub-journal"));
        task.journal.path.clone().or_else(temporary)
    }
}

/// Replays the recorded part of a run, and runs the rest.
pub fn run<S: Search<Proposal = Edit> + Send>(
    search: S,
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
    let unsettled = leftovers.map(|left| (left.known.fingerprint, (left.test, left.known.outcome))).collect();
    rehearsal.resume_tests(recording.outcomes(), unsettled);
    let best = rehearsal.best().content.to_vec();
    let passing = rehearsal.passing().cloned();
    let counts = *rehearsal.counts();
    recorder.screen.show(&Event::Resume { decisive: counts.decisive, tests: counts.tests, bytes: best.len() });
    recorder.size = best.len();
    // A run that was killed after writing to its journal and before writing its file has an older best in the file.
    if counts.interesting > 0
        && let Some(file) = &mut recorder.best
    {
        file.write(&best)?;
    }
    if let (Some(file), Some(passing)) = (&mut recorder.passing, passing) {
        file.write(&*passing.content)?;
    }
    Ok(rehearsal.observed_by(recorder).run(workshop.test.as_test(), &workshop.brake.interrupt)?)
}

/// Shows how long a test may take.
pub fn show_timeout(task: &Task, setup: &Setup, screen: &mut dyn Screen) {
    let seconds = setup.time_limit().current().as_secs_f64();
    let adaptive = task.limits.timeout == nub_run::test::Timeout::Adaptive;
    screen.show(&Event::Timeout { seconds, adaptive });
}

/// Records how a session started or ended.
pub fn record_event(recorder: &mut Recorder<'_>, event: journal::Event, elapsed: Duration, reason: &str) -> Result<()> {
    match &mut recorder.journal {
        Some(journal) => Ok(journal.session(event, elapsed, reason)?),
        None => Ok(()),
    }
}

/// Why a run was interrupted, in words, and the exit code for it.
pub fn interrupted(workshop: &Workshop) -> (String, u8) {
    let signal = workshop.brake.signal();
    let reason = signal.map_or_else(|| "interrupted".to_owned(), predicate::signal_name);
    (reason, signal.map_or(exit::FAILED, exit::signal))
}

/// The same command line with `--resume`.
pub fn resume_command() -> String {
    let mut words: Vec<_> = std::env::args_os().collect();
    // Everything after `--` is the user's command, even words that look like options.
    let own = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let mut rest = words.split_off(own);
    words.retain(|word| word != "--resume" && word != "--restart");
    let subcommand = usize::from(words.get(1).is_some_and(|word| word == "isolate"));
    words.insert((1 + subcommand).min(words.len()), "--resume".into());
    words.append(&mut rest);
    words.iter().map(|word| shell_quote(word)).collect::<Vec<_>>().join(" ")
}
