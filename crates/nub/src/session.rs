//! Starting or resuming a run: the input, the journal, and the recorded outcomes.

use crate::{
    args::{Cli, Command, IsolateArgs, ReduceArgs},
    settings::{Output, Side, Task, Usage, default_journal, with_suffix},
};
use anyhow::{Context, Result, bail};
use nub_core::{Batch, Edit};
use nub_run::{
    Fingerprint, Outcome, Source,
    best::{self, BestFile, Durability},
    journal::{Header, Journal, JournalError, Reader, Record, Recording, Replayed},
};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// `nub --resume` without a test: the arguments are those of the interrupted run.
///
/// The journal is the one beside the input if there is an input, and else the only one in this directory.
pub fn recall(args: ReduceArgs) -> Result<ReduceArgs> {
    let complete = args.second.is_some() || args.running.worker.is_some() || !args.test_command.is_empty();
    if !args.journal.resume || complete {
        return Ok(args);
    }
    let journal = match (&args.journal.journal, &args.output.output, &args.first) {
        (Some(journal), ..) => journal.clone(),
        (None, Some(output), _) if output.as_os_str() != "-" => default_journal(output),
        (None, _, Some(input)) => default_journal(input),
        (None, _, None) => only_journal()?,
    };
    let (header, cli) = recorded(&journal).with_context(|| format!("cannot resume from {}", journal.display()))?;
    let mut recalled = match cli {
        Some(Cli { command: None, reduce, .. }) => reduce,
        Some(_) => bail!("{} is the journal of an isolation: resume it with `nub isolate --resume`", journal.display()),
        None => bail!(
            "{} does not contain a command line that this version understands: give TEST and INPUT with --resume",
            journal.display()
        ),
    };
    recalled.journal.resume = true;
    recalled.journal.restart = false;
    recalled.journal.journal = args.journal.journal.or(recalled.journal.journal);
    recalled.output.report = args.output.report.or(recalled.output.report);
    recalled.running.jobs = args.running.jobs.or(recalled.running.jobs);
    recalled.screen = args.screen;
    // The recorded words may be lossy, and relative to another directory; the header has the absolute paths.
    let input = recalled.second.as_mut().or(recalled.first.as_mut());
    input.into_iter().filter(|input| !input.exists()).for_each(|input| input.clone_from(&header.input));
    if let (Some(typed), Some(recorded)) = (&mut recalled.output.output, &header.output)
        && !typed.exists()
    {
        typed.clone_from(recorded);
    }
    Ok(recalled)
}

/// The same for `nub isolate --resume`.
pub fn recall_isolation(args: IsolateArgs) -> Result<IsolateArgs> {
    let complete = args.test.is_some() || args.running.worker.is_some() || !args.test_command.is_empty();
    if !args.journal.resume || complete {
        return Ok(args);
    }
    let journal = match (&args.journal.journal, args.output.as_ref().or(args.failing.as_ref())) {
        (Some(journal), _) => journal.clone(),
        (None, Some(prefix)) => default_journal(&Side::Failing.path(prefix)),
        (None, None) => only_journal()?,
    };
    let (header, cli) = recorded(&journal).with_context(|| format!("cannot resume from {}", journal.display()))?;
    let mut recalled = match cli.map(|cli| cli.command) {
        Some(Some(Command::Isolate(isolate))) => *isolate,
        Some(_) => bail!("{} is the journal of a reduction: resume it with `nub --resume`", journal.display()),
        None => bail!(
            "{} does not contain a command line that this version understands: give all arguments again with --resume",
            journal.display()
        ),
    };
    recalled.journal.resume = true;
    recalled.journal.restart = false;
    recalled.journal.journal = args.journal.journal.or(recalled.journal.journal);
    recalled.running.jobs = args.running.jobs.or(recalled.running.jobs);
    (recalled.screen, recalled.color) = (args.screen, args.color);
    if let Some(failing) = recalled.failing.as_mut().filter(|failing| !failing.exists()) {
        failing.clone_from(&header.input);
    }
    Ok(recalled)
}

/// The header of a journal, and its command line if this version of nub understands it.
pub fn recorded(journal: &Path) -> Result<(Header, Option<Cli>)> {
    let reader = Reader::open(journal)?;
    let header = reader.header().clone();
    let cli = Cli::recall(&header.command);
    Ok((header, cli))
}

fn only_journal() -> Result<PathBuf> {
    let mut journals = Vec::new();
    for entry in fs::read_dir(".").context("cannot look for a journal in this directory")? {
        let path = entry.context("cannot look for a journal in this directory")?.path();
        if path.extension().is_some_and(|extension| extension == "nub-journal") {
            journals.push(path.strip_prefix(".").map_or(path.clone(), Path::to_owned));
        }
    }
    journals.sort();
    match &journals[..] {
        [only] => Ok(only.clone()),
        [] => Err(Usage(
            "there is no interrupted run in this directory: give the INPUT or --journal FILE with --resume".to_owned(),
        )
        .into()),
        several => {
            let names: Vec<String> = several.iter().map(|path| path.display().to_string()).collect();
            Err(Usage(format!(
                "several runs were interrupted in this directory ({}): give the INPUT with --resume",
                names.join(", ")
            ))
            .into())
        }
    }
}

/// What a run starts from.
pub struct Session {
    /// The original input.
    pub original: Arc<[u8]>,
    /// The journal of the interrupted run, and its recorded outcomes.
    pub resumed: Option<(Header, Recording, Journal)>,
    /// The longest time that the original or an interesting candidate took in former sessions.
    pub slowest: Option<Duration>,
    /// Whether `INPUT.orig` is the original of an older run that was discarded with `--restart`. It stays, because it is the
    /// better backup, and the input of this run is kept beside the journal.
    pub older_backup: bool,
}

impl Session {
    /// Reads the input, or everything that an interrupted run left behind.
    pub fn open(task: &Task) -> Result<Self> {
        let Some(path) = task.journal.path.as_deref().filter(|_| task.journal.resume) else {
            let older_backup = task.journal.restart && keeps_older_backup(task);
            return Ok(Self { original: read(&task.input)?.into(), resumed: None, slowest: None, older_backup });
        };
        let slowest = slowest(path)?;
        let (header, recording, journal) = Journal::resume(path)?;
        let in_place = matches!(task.output, Output::InPlace { .. });
        let start = read_if(&start_path(path), header.fingerprint);
        let older_backup = start.is_some();
        let original = match start {
            Some(start) => start,
            None => best::original(&task.input, in_place, header.fingerprint)?,
        };
        Ok(Self { original: original.into(), resumed: Some((header, recording, journal)), slowest, older_backup })
    }

    /// Refuses to resume a run with settings other than those it was started with.
    pub fn check_settings(&self, settings: &serde_json::Value) -> Result<()> {
        match &self.resumed {
            Some((header, _, journal)) => Ok(header.check_settings(journal.path(), settings)?),
            None => Ok(()),
        }
    }

    /// The file that always holds the best result; `None` if the result goes to standard output at the end.
    pub fn best_file(&self, task: &Task) -> Result<Option<BestFile>> {
        let best = match &task.output {
            Output::Stdout => return Ok(None),
            Output::File(path) => BestFile::output(&task.input, path, Durability::Fsync)?,
            Output::InPlace { backup } => {
                let backup = *backup && !self.older_backup;
                BestFile::in_place(&task.input, Arc::new(Arc::clone(&self.original)), backup, Durability::Fsync)?
            }
        };
        best.check_writable()?;
        Ok(Some(best))
    }
}

/// Whether `INPUT.orig` is the original of the run that is being discarded, or of one discarded before it.
fn keeps_older_backup(task: &Task) -> bool {
    let path = &task.journal.unfinished;
    let Ok(reader) = Reader::open(path) else { return false };
    let fingerprint = reader.header().fingerprint;
    [with_suffix(&task.input, ".orig"), start_path(path)].iter().any(|path| read_if(path, fingerprint).is_some())
}

/// Where a run that was started with `--restart` keeps its input.
pub fn start_path(journal: &Path) -> PathBuf {
    with_suffix(journal, ".start")
}

/// The contents of a file, if they have this fingerprint.
pub fn read_if(path: &Path, fingerprint: Fingerprint) -> Option<Vec<u8>> {
    fs::read(path).ok().filter(|bytes| Fingerprint::of_bytes(bytes) == fingerprint)
}

/// Refuses to start where an interrupted run left its journal, or while another run is active.
pub fn check_unfinished(task: &Task) -> Result<()> {
    let path = &task.journal.unfinished;
    let Ok(file) = fs::File::open(path) else { return Ok(()) };
    if let Err(fs::TryLockError::WouldBlock) = file.try_lock() {
        return Err(JournalError::Busy { path: path.clone() }.into());
    }
    if task.journal.resume || task.journal.restart {
        return Ok(());
    }
    bail!(
        "{} is the journal of an interrupted run: continue it with --resume, or discard it with --restart and start again from \
         {} as it is now",
        path.display(),
        task.input.display()
    );
}

/// Creates the journal of a new run at `path`, if there is to be one.
pub fn begin_journal(
    task: &Task,
    settings: serde_json::Value,
    session: &Session,
    check: Duration,
    path: Option<&Path>,
) -> Result<Option<Journal>> {
    let original = &*session.original;
    if task.journal.restart {
        forget(&task.journal.unfinished, false, session.older_backup)?;
    }
    let Some(path) = path else { return Ok(None) };
    if session.older_backup {
        let start = start_path(path);
        fs::write(&start, original).with_context(|| format!("cannot write {}", start.display()))?;
    }
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let header = Header {
        settings,
        command: std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
        output: match &task.output {
            Output::InPlace { .. } => Some(absolute(&task.input)),
            Output::File(path) => Some(absolute(path)),
            Output::Stdout => None,
        },
        in_place: matches!(task.output, Output::InPlace { .. }),
        check_micros: Some(u64::try_from(check.as_micros()).unwrap_or(u64::MAX)),
        jobs: Some(task.jobs),
        ..Header::new(absolute(&task.input), original)
    };
    Ok(Some(Journal::create(path, &header)?))
}

/// Removes a journal, unless it is to be kept, and the files that belong to it.
pub fn forget(journal: &Path, keep: bool, older_backup: bool) -> Result<()> {
    let start = older_backup.then(|| start_path(journal));
    for path in [Some(journal).filter(|_| !keep), start.as_deref()].into_iter().flatten() {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot remove {}", path.display()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The bytes of an input.
pub fn read(input: &Path) -> Result<Vec<u8>> {
    let metadata = fs::metadata(input).with_context(|| format!("cannot read {}", input.display()))?;
    if metadata.is_dir() {
        bail!("{} is a directory: give a file in it", input.display());
    }
    if !metadata.is_file() {
        bail!("{} is not a regular file: copy it to a regular file and reduce that", input.display());
    }
    if metadata.len() > u64::from(u32::MAX) {
        bail!("{} is 4 GiB or larger, which is too large for nub: shorten it by other means first", input.display());
    }
    fs::read(input).with_context(|| format!("cannot read {}", input.display()))
}

/// The longest time that the original or an interesting candidate took in former sessions, for the adaptive time-out.
fn slowest(path: &Path) -> Result<Option<Duration>> {
    let mut reader = Reader::open(path).with_context(|| format!("cannot resume from {}", path.display()))?;
    let mut slowest = reader.header().check_micros.map(Duration::from_micros);
    for record in &mut reader {
        if let Record::Executed(test) = record?
            && test.outcome.is_interesting()
        {
            slowest = slowest.max(Some(test.duration));
        }
    }
    Ok(slowest)
}

/// The recorded outcomes of one batch; `None` at the end of the recording.
type Outcomes = Option<Vec<(Outcome, Source)>>;

/// Yields the outcomes of the recorded batches in order, and checks each batch against the one that the search proposes.
pub fn replay(recording: &Recording) -> impl FnMut(&Batch<Edit>) -> Result<Outcomes, String> {
    let mut batches = recording.batches();
    move |proposed| {
        let Some(recorded) = batches.next() else { return Ok(None) };
        let agree = |(candidate, replayed): (&nub_core::Candidate<Edit>, &Replayed)| {
            Fingerprint::of(&*candidate.what.content) == replayed.known.fingerprint
        };
        if recorded.len() != proposed.len() || !proposed.iter().zip(&recorded).all(agree) {
            let label = proposed.first().map_or("", |candidate| candidate.label.as_str());
            return Err(format!(
                "candidate {label} differs from the recorded one; was the journal written by another version of nub?"
            ));
        }
        let outcome = |replayed: Replayed| (replayed.known.outcome, replayed.test.map_or(Source::Cache, Source::Test));
        Ok(Some(recorded.into_iter().map(outcome).collect()))
    }
}
