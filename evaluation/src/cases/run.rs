//! One run of a tool on a case, observed.

use super::{
    case::{Case, non_blank, tokens},
    observe::{self, Log},
    processes,
    record::{Record, reached},
    tool::{Task, Tool},
};
use crate::machine;
use anyhow::{Context as _, Result};
use rustix::process::{Pid, Signal, kill_process_group};
use std::{
    fs::{self, File},
    os::unix::{fs::PermissionsExt as _, process::CommandExt as _},
    path::{Path, PathBuf},
    process::{Child, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// Copies of the programs, so that compiling meanwhile does not change what is measured.
pub(crate) struct Programs {
    /// Where a copy of nub goes when needed.
    pub(crate) nub: PathBuf,
    observer: PathBuf,
    _folder: TempDir,
}

impl Programs {
    pub(crate) fn new() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let (nub, observer) = (folder.path().join("nub"), folder.path().join("observer"));
        fs::copy(std::env::current_exe()?, &observer)?;
        Ok(Self { nub, observer, _folder: folder })
    }
}

/// Runs the tool until it finishes or reaches the limit.
pub(crate) fn observed(case: &Case, tool: &dyn Tool, programs: &Programs, limit: Duration) -> Result<Record> {
    processes::adopt()?;
    let folder = tempfile::tempdir()?;
    let [work, notes, scratch] = ["work", "notes", "tmp"].map(|name| folder.path().join(name));
    for folder in [&work, &notes, &scratch] {
        fs::create_dir(folder)?;
    }
    let input = work.join(case.file_name());
    fs::copy(&case.input, &input)?;
    fs::set_permissions(&input, fs::Permissions::from_mode(0o644))?;
    let test = write_test(case, programs, &work, &notes)?;
    let load = machine::load_average();
    let mut command = tool.command(&Task { case, test: &test, input: &input });
    let errors = notes.join("errors-of-the-tool");
    command.current_dir(&work).env("TMPDIR", &scratch).process_group(0);
    command.stdin(Stdio::null()).stdout(File::create(notes.join("output"))?).stderr(File::create(&errors)?);

    let dead = processes::time_of_dead_descendants()?;
    let (start, begun) = (Instant::now(), observe::now());
    let mut child = command.spawn().with_context(|| format!("cannot start {}", tool.name()))?;
    let ended = wait(&mut child, limit, &notes)?;
    let seconds = start.elapsed().min(limit).as_secs_f64();
    let survivors = processes::sweep()?;
    if survivors > 0 {
        eprintln!("  {survivors} processes of {} were left over and killed", tool.name());
    }
    let processor = processes::time_of_dead_descendants()? - dead;

    let own = fs::read_to_string(notes.join("errors")).unwrap_or_default();
    if let Some(first) = own.lines().next() {
        // A tool may remove a candidate before its test has begun.
        eprintln!("  the observer had {} problems; the first is: {first}", own.lines().count());
    }

    let log = Log::open(&notes, begun)?;
    let best = fs::read(notes.join("best")).ok();
    let (size, tokens) = best.as_ref().map_or((case.size, case.tokens), |best| (non_blank(best), tokens(best)));
    let failed = match ended {
        _ if best.is_none() => Some("nothing was interesting, not even the original".to_owned()),
        Some(status) if !status.success() => Some(status.to_string()),
        _ => None,
    };
    // Paths do not belong in the record.
    let failed = failed.map(|what| format!("{what}. {}", tail(&errors).replace(&*folder.path().to_string_lossy(), "")));
    Ok(Record {
        case: case.name.clone(),
        tool: tool.name().to_owned(),
        version: tool.version(),
        date: machine::date(),
        limit: limit.as_secs(),
        cut_off: ended.is_none(),
        failed,
        size,
        tokens,
        tests: log.tests,
        seconds,
        processor: Some(processor),
        half_way: reached(&log.improvements, 2 * size).map_or(0.0, |(seconds, _)| seconds),
        load,
        load_after: machine::load_average(),
        improvements: log.improvements,
        result: best.map_or_else(String::new, |best| excerpt(&best)),
    })
}

/// The script that the tool gets as its test. Some tools pass the candidate's path, others put it in the directory.
fn write_test(case: &Case, programs: &Programs, work: &Path, notes: &Path) -> Result<PathBuf> {
    let path = work.join("observed-test.sh");
    let (observer, notes, test) = (programs.observer.display(), notes.display(), case.test.display());
    let script = format!(
        "#!/bin/sh\nexec '{observer}' observe '{notes}' '{test}' \"${{1:-{}}}\" >/dev/null 2>>'{notes}/errors'\n",
        case.file_name()
    );
    fs::write(&path, script)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    Ok(path)
}

/// How the tool ended, if by itself. At the limit it is asked to end, and then killed.
fn wait(child: &mut Child, limit: Duration, notes: &Path) -> Result<Option<ExitStatus>> {
    let group = Pid::from_child(child);
    let mut signals = [Signal::TERM, Signal::KILL].into_iter();
    let start = Instant::now();
    let (mut next, mut reap) = (start + limit, start);
    let mut cut_off = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((!cut_off).then_some(status));
        }
        let now = Instant::now();
        if now >= next {
            if !cut_off {
                observe::close(notes)?;
            }
            cut_off = true;
            let signal = signals.next().context("a process cannot be killed")?;
            // It may have ended just now.
            let _ = kill_process_group(group, signal);
            next = now + Duration::from_secs(5);
        }
        if now >= reap {
            processes::reap_all_but(group)?;
            reap = now + Duration::from_secs(1);
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// The readable part of a result.
fn excerpt(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars().take(2000).collect()
}

/// The last message of a tool.
fn tail(path: &Path) -> String {
    let text = fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines[lines.len().saturating_sub(3)..].join(" / ");
    last.chars().take(300).collect()
}
