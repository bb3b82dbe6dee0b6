//! The test that every tool is given: runs the real one and writes down what came of it.
//!
//! `nub-evaluation observe FOLDER TEST CANDIDATE` appends a line to `FOLDER/log` (milliseconds since 1970, 1 for
//! interesting, bytes that are not blank) and keeps the smallest interesting candidate in `FOLDER/best`: some tools lose
//! theirs when they are cut off.

use super::case::non_blank;
use anyhow::{Context as _, Result, bail};
use std::{
    fs::{self, File},
    io::Write as _,
    path::Path,
    process::{Command, ExitCode},
    time::{SystemTime, UNIX_EPOCH},
};

/// One line of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Milliseconds since 1970, when the test was over.
    pub(crate) at: u64,
    pub(crate) interesting: bool,
    /// Bytes that are not blank.
    pub(crate) size: usize,
}

/// Runs the test, and exits as it does.
pub(crate) fn run(words: &[String]) -> Result<ExitCode> {
    let [folder, test, candidate] = words else { bail!("observe needs a folder, a test and a candidate") };
    let folder = Path::new(folder);
    // Read before the test: some tools remove a candidate as soon as they have lost interest in it.
    let bytes = fs::read(candidate)?;
    let status = Command::new(test).arg(candidate).status().with_context(|| format!("cannot run {test}"))?;
    let entry = Entry { at: now(), interesting: status.success(), size: non_blank(&bytes) };
    let mut log = File::options().append(true).create(true).open(folder.join("log"))?;
    log.lock()?;
    let (best, new) = (folder.join("best"), folder.join("best.new"));
    if entry.interesting && fs::read(&best).map_or(true, |best| entry.size < non_blank(&best)) {
        // A tool may end a test in which it has lost interest at any moment.
        fs::write(&new, &bytes)?;
        fs::rename(&new, &best)?;
    }
    writeln!(log, "{} {} {}", entry.at, u8::from(entry.interesting), entry.size)?;
    Ok(ExitCode::from(if entry.interesting { 0 } else { 1 }))
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

/// All entries of a log.
pub(crate) fn read(folder: &Path) -> Result<Vec<Entry>> {
    let text = fs::read_to_string(folder.join("log")).unwrap_or_default();
    text.lines()
        .map(|line| {
            let mut numbers = line.split(' ');
            let mut number = || numbers.next().context("a torn line in the log");
            let (at, interesting, size) = (number()?.parse()?, number()? == "1", number()?.parse()?);
            Ok(Entry { at, interesting, size })
        })
        .collect()
}
