//! `--report FILE.html` and `nub report JOURNAL`: a page that shows how a run went.
//!
//! Both build the page from the journal with the same function. `--report` already has the original and the result;
//! `nub report` has to find them.

use crate::{
    exit,
    session::{read_if, start_path},
    settings::{Output, Task, TestChoice, Usage, with_suffix},
};
use anyhow::{Context, Result, bail};
use nub_report::{Run, Text};
use nub_run::{
    Fingerprint,
    journal::{Header, History, Reader},
};
use std::{
    fs::{self, Permissions},
    io::{self, Write},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    process::ExitCode,
};

/// What is known right after a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// The original input.
    pub original: Option<&'a [u8]>,
    /// The result.
    pub result: Option<&'a [u8]>,
    /// Whether the journal is about to be removed, so that the run cannot be resumed.
    pub last_chance: bool,
}

/// `nub report JOURNAL`.
pub fn main(journal: &Path, output: Option<&Path>) -> ExitCode {
    let default = with_suffix(journal, ".html");
    let done = match output {
        Some(path) if path.as_os_str() == "-" => make(journal, &Known::default()).and_then(|page| print(&page)),
        path => {
            let path = path.unwrap_or(&default);
            check_free(journal, path)
                .and_then(|()| write(path, journal, &Known::default()))
                .map(|()| eprintln!("nub: report: {}", path.display()))
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => exit::failed(&error),
    }
}

/// Refuses to overwrite the files that a report is built from.
fn check_free(journal: &Path, path: &Path) -> Result<()> {
    let header = Reader::open(journal)?.header().clone();
    let mut others = vec![("the journal", journal.to_owned()), ("the input", header.input.clone())];
    others.push(("the original", with_suffix(&header.input, ".orig")));
    others.extend(header.output.map(|output| ("the result", output)));
    refuse(path, &others)
}

/// Refuses a path that names one of these files.
fn refuse(path: &Path, others: &[(&str, PathBuf)]) -> Result<()> {
    match others.iter().find(|(_, other)| is_same(path, other)) {
        Some((what, _)) => bail!("the report {} would overwrite {what}: choose another file", path.display()),
        None => Ok(()),
    }
}

/// Refuses a path where no report can be written, or that names another file of the run. Called before any test runs.
pub fn check(task: &Task, path: &Path) -> Result<()> {
    if path.as_os_str() == "-" {
        let message = "--report needs the name of a file; `nub report JOURNAL -o -` prints a report";
        return Err(Usage(message.to_owned()).into());
    }
    let mut others = vec![("the input", task.input.clone())];
    match &task.output {
        Output::File(output) => others.push(("the output", output.clone())),
        Output::InPlace { .. } => others.push(("the original", with_suffix(&task.input, ".orig"))),
        Output::Stdout => {}
    }
    others.extend(task.journal.path.clone().map(|journal| ("the journal", journal)));
    if let TestChoice::Script(test) = &task.test {
        others.push(("the test", test.clone()));
    }
    refuse(path, &others)?;
    temporary(path)?.close().with_context(|| format!("cannot write the report {}", path.display()))
}

/// Whether two paths name the same file, which need not exist.
fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        (Err(_), Err(_)) => std::path::absolute(one).ok() == std::path::absolute(other).ok(),
        _ => false,
    }
}

/// A temporary file beside `path`, to be renamed to it.
fn temporary(path: &Path) -> Result<tempfile::NamedTempFile> {
    let problem = |what: &str| format!("cannot write the report {}: {what}", path.display());
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => bail!(problem("it is a directory; name a file in it")),
        Ok(metadata) if !metadata.is_file() => bail!(problem("it is not a regular file; choose another one")),
        _ => {}
    }
    let absolute = std::path::absolute(path).with_context(|| problem("its path is not valid"))?;
    let (Some(directory), Some(_)) = (absolute.parent(), absolute.file_name()) else {
        bail!(problem("it is a directory; name a file in it"));
    };
    // The umask decides who may read it, as for any new file.
    let builder = &mut tempfile::Builder::new();
    let file = builder.prefix(".nub-report-").permissions(Permissions::from_mode(0o666)).tempfile_in(directory);
    file.map_err(|error| match error.kind() {
        // The error shows a random name, which means nothing to the user.
        io::ErrorKind::NotFound => anyhow::anyhow!(problem("its directory does not exist; create it first")),
        io::ErrorKind::PermissionDenied => {
            anyhow::anyhow!(problem("you may not write to its directory; choose another one"))
        }
        kind => anyhow::anyhow!(problem(&kind.to_string())),
    })
}

/// Builds a report and writes it atomically.
pub fn write(path: &Path, journal: &Path, known: &Known<'_>) -> Result<()> {
    let page = make(journal, known)?;
    let mut file = temporary(path)?;
    let cannot = || format!("cannot write the report {}", path.display());
    file.write_all(page.as_bytes()).with_context(cannot)?;
    // A symbolic link is kept; its target is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    file.persist(target).map_err(|failed| failed.error).with_context(cannot)?;
    Ok(())
}

fn print(page: &str) -> Result<()> {
    match io::stdout().write_all(page.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context("cannot print the report"),
        _ => Ok(()),
    }
}

fn make(journal: &Path, known: &Known<'_>) -> Result<String> {
    let (header, history) = History::read(Reader::open(journal)?)?;
    let original = match known.original {
        Some(bytes) => Text::Known(bytes.to_vec()),
        None => find_original(journal, &header),
    };
    let result = match (known.result, history.result()) {
        (Some(bytes), _) => Text::Known(bytes.to_vec()),
        (None, None) => original.clone(),
        (None, Some((fingerprint, _))) => find_result(&header, fingerprint),
    };
    let resumable = !known.last_chance;
    Ok(nub_report::page(&Run { header, history, original, result, resumable }))
}

/// The original input of a run, wherever it is now.
pub fn find_original(journal: &Path, header: &Header) -> Text {
    let backup = header.in_place.then(|| with_suffix(&header.input, ".orig"));
    let places: Vec<PathBuf> = [start_path(journal)].into_iter().chain(backup).chain([header.input.clone()]).collect();
    match places.iter().find_map(|place| read_if(place, header.fingerprint)) {
        Some(bytes) => Text::Known(bytes),
        None => {
            let names: Vec<String> = places[1..].iter().map(|place| format!("`{}`", place.display())).collect();
            Text::Missing(format!("the original input of the run is no longer in {}", names.join(" or ")))
        }
    }
}

fn find_result(header: &Header, fingerprint: Fingerprint) -> Text {
    let Some(path) = &header.output else {
        return Text::Missing("it went to standard output".to_owned());
    };
    match read_if(path, fingerprint) {
        Some(bytes) => Text::Known(bytes),
        None => Text::Missing(format!("`{}` has changed since, or does not exist", path.display())),
    }
}
