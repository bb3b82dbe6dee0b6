//! One run of a tool on a case, observed.

use super::{
    case::{Case, non_blank, tokens},
    observe::{self, Entry},
    record::Record,
    tool::Tool,
};
use crate::{machine, native};
use anyhow::{Context as _, Result, ensure};
use rustix::process::{Pid, Signal, kill_process_group};
use std::{
    fs,
    os::unix::{fs::PermissionsExt as _, process::CommandExt as _},
    path::{Path, PathBuf},
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// Copies of nub and of the observer: what is measured must not change because somebody compiles meanwhile.
pub(crate) struct Programs {
    nub: PathBuf,
    observer: PathBuf,
    _folder: TempDir,
}

impl Programs {
    pub(crate) fn build() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let (nub, observer) = (folder.path().join("nub"), folder.path().join("observer"));
        fs::copy(native::build_nub()?, &nub)?;
        fs::copy(std::env::current_exe()?, &observer)?;
        Ok(Self { nub, observer, _folder: folder })
    }
}

/// Runs the tool until it is ready, or until the limit.
pub(crate) fn observed(case: &Case, tool: &Tool, programs: &Programs, limit: Duration) -> Result<Record> {
    let folder = tempfile::tempdir()?;
    let input = folder.path().join(case.file_name());
    fs::copy(&case.input, &input)?;
    let test = write_test(case, programs, folder.path())?;
    let load = machine::load_average();
    let (start, begun) = (Instant::now(), observe::now());
    let mut command = tool.command(&programs.nub, &test, &input);
    command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.process_group(0).spawn().with_context(|| format!("cannot start {}", tool.name))?;
    let cut_off = !wait(&mut child, limit)?;
    let seconds = start.elapsed().as_secs_f64();

    let best = fs::read(folder.path().join("best")).context("the test refuses even the original")?;
    let entries = observe::read(folder.path())?;
    let size = non_blank(&best);
    Ok(Record {
        case: case.name.clone(),
        tool: tool.name.to_owned(),
        version: tool.version(&programs.nub),
        date: machine::date(),
        limit: limit.as_secs(),
        cut_off,
        size,
        tokens: tokens(&best),
        tests: entries.len(),
        seconds,
        half_way: half_way(&entries, size, begun),
        load,
        result: excerpt(&best),
    })
}

/// The script that a tool is given as its test. Some tools pass the candidate's path, others put it in the directory.
fn write_test(case: &Case, programs: &Programs, folder: &Path) -> Result<PathBuf> {
    let path = folder.join("observed-test.sh");
    let (observer, folder, test) = (programs.observer.display(), folder.display(), case.test.display());
    let script = format!(
        "#!/bin/sh\nexec '{observer}' observe '{folder}' '{test}' \"${{1:-{}}}\" >'{folder}/output' 2>&1\n",
        case.file_name()
    );
    fs::write(&path, script)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    Ok(path)
}

/// Whether it ended by itself. If not, it is asked to, and then made to.
fn wait(child: &mut Child, limit: Duration) -> Result<bool> {
    let group = Pid::from_child(child);
    let deadline = Instant::now() + limit;
    let mut signals = [Signal::TERM, Signal::KILL].into_iter();
    let mut next = deadline;
    loop {
        if let Some(status) = child.try_wait()? {
            let in_time = next == deadline;
            ensure!(!in_time || status.success(), "the tool failed: {status}");
            return Ok(in_time);
        }
        if Instant::now() >= next {
            let signal = signals.next().context("a process that cannot be killed")?;
            // It may have ended just now.
            let _ = kill_process_group(group, signal);
            next = Instant::now() + Duration::from_secs(5);
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Seconds until something at most twice as large as the result was found.
fn half_way(entries: &[Entry], size: usize, begun: u64) -> f64 {
    let found = entries.iter().filter(|entry| entry.interesting && entry.size <= 2 * size).map(|entry| entry.at).min();
    found.unwrap_or(begun).saturating_sub(begun) as f64 / 1000.0
}

/// As much of a result as anybody wants to read.
fn excerpt(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars().take(2000).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_way_is_the_first_time_at_twice_the_size() {
        let entry = |at, interesting, size| Entry { at, interesting, size };
        let entries = [entry(1000, true, 90), entry(2000, false, 9), entry(3500, true, 20), entry(9000, true, 10)];
        assert_eq!(half_way(&entries, 10, 1000), 2.5);
    }
}
