//! The test that every tool gets: runs the real one and records its outcome.
//!
//! `nub-evaluation observe FOLDER TEST CANDIDATE` appends a `+` to `FOLDER/log` when it starts, and a line when it ends
//! (milliseconds since 1970, 1 for interesting, non-blank bytes), and keeps the smallest interesting candidate in
//! `FOLDER/best`, because some tools lose theirs when they are cut off. A tool may kill a test that it no longer needs
//! at any moment; this leaves only the `+`. Once there is a file `FOLDER/closed`, nothing counts any more.
//!
//! Several tests may run at once. A line is appended by a single call, so that lines do not mix; the best is compared
//! and replaced under a lock.

use super::case::non_blank;
use anyhow::{Context as _, Result, bail};
use std::{
    fs::{self, File},
    io::Write as _,
    path::Path,
    process::{Command, ExitCode, Stdio},
    time::{SystemTime, UNIX_EPOCH},
};

/// An interesting candidate that was smaller than all before: after how many milliseconds its test ended, how many
/// tests had been started by then, and its size in non-blank bytes.
pub(crate) type Improvement = (u64, usize, usize);

/// The content of a log.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Log {
    /// How many tests were started.
    pub(crate) tests: usize,
    pub(crate) improvements: Vec<Improvement>,
}

impl Log {
    /// The log in a folder. `begun` is when the tool was started, in milliseconds since 1970.
    pub(crate) fn open(folder: &Path, begun: u64) -> Result<Self> {
        Self::read(&fs::read_to_string(folder.join("log")).unwrap_or_default(), begun)
    }

    fn read(text: &str, begun: u64) -> Result<Self> {
        let mut log = Self::default();
        for line in text.lines() {
            if line == "+" {
                log.tests += 1;
                continue;
            }
            let mut numbers = line.split(' ');
            let mut number = || numbers.next().context("a torn line in the log");
            let (at, interesting, size): (u64, _, usize) = (number()?.parse()?, number()? == "1", number()?.parse()?);
            if interesting && log.improvements.last().is_none_or(|best| size < best.2) {
                log.improvements.push((at.saturating_sub(begun), log.tests, size));
            }
        }
        Ok(log)
    }
}

/// Runs the test, and exits with its status.
pub(crate) fn run(words: &[String]) -> Result<ExitCode> {
    let [folder, test, candidate] = words else { bail!("observe needs a folder, a test and a candidate") };
    let folder = Path::new(folder);
    let mut log = File::options().append(true).create(true).open(folder.join("log"))?;
    let closed = || folder.join("closed").exists();
    if closed() {
        return Ok(ExitCode::FAILURE);
    }
    log.write_all(b"+\n")?;
    // Read before the test: some tools remove a candidate as soon as they no longer need it.
    let bytes = fs::read(candidate)?;
    let mut command = Command::new(test);
    command.arg(candidate).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().with_context(|| format!("cannot run {test}"))?;
    let (at, size) = (now(), non_blank(&bytes));
    log.lock()?;
    if closed() {
        return Ok(ExitCode::FAILURE);
    }
    let (best, new) = (folder.join("best"), folder.join("best.new"));
    if status.success() && fs::read(&best).map_or(true, |best| size < non_blank(&best)) {
        fs::write(&new, &bytes)?;
        fs::rename(&new, &best)?;
    }
    log.write_all(format!("{at} {} {size}\n", u8::from(status.success())).as_bytes())?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Nothing counts from now on.
pub(crate) fn close(folder: &Path) -> Result<()> {
    // Not while a test is recording its outcome.
    let log = File::options().append(true).create(true).open(folder.join("log"))?;
    log.lock()?;
    fs::write(folder.join("closed"), "").context("cannot close the log")
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_smaller_interesting_candidates_are_improvements() {
        let log =
            Log::read("+\n1005 1 90\n+\n+\n2000 0 9\n3500 1 20\n3600 1 20\n+\n3700 1 30\n9000 1 10\n", 1000).unwrap();
        let improvements = vec![(5, 1, 90), (2500, 3, 20), (8000, 4, 10)];
        assert_eq!(log, Log { tests: 4, improvements });
    }

    /// Observes a test that accepts everything, on a candidate of some size.
    fn observe(folder: &Path, size: usize) {
        let candidate = folder.join(format!("candidate-{size}"));
        fs::write(&candidate, vec![b'x'; size]).unwrap();
        let words = [folder.to_str().unwrap(), "true", candidate.to_str().unwrap()].map(str::to_owned);
        run(&words).unwrap();
    }

    #[test]
    fn the_smallest_of_concurrent_candidates_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for size in 1..=16 {
                let folder = folder.path();
                scope.spawn(move || observe(folder, size));
            }
        });
        let log = Log::open(folder.path(), 0).unwrap();
        assert_eq!(log.tests, 16);
        assert!(log.improvements.is_sorted_by(|a, b| a.2 > b.2), "{:?}", log.improvements);
        assert_eq!(log.improvements.last().unwrap().2, 1);
        assert_eq!(fs::read(folder.path().join("best")).unwrap(), b"x");
    }

    #[test]
    fn nothing_counts_after_closing() {
        let folder = tempfile::tempdir().unwrap();
        observe(folder.path(), 2);
        close(folder.path()).unwrap();
        observe(folder.path(), 1);
        assert_eq!(Log::open(folder.path(), 0).unwrap().tests, 1);
        assert_eq!(fs::read(folder.path().join("best")).unwrap(), b"xx");
    }

    #[test]
    fn a_log_may_be_empty_but_not_torn() {
        assert_eq!(Log::read("", 0).unwrap(), Log::default());
        assert!(Log::read("+\n1005 1\n", 0).is_err());
    }
}
