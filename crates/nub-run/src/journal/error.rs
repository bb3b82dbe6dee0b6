//! Errors of the journal: they say what to do next.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::Difference;

/// What went wrong with a journal. Every message names the file and a remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// A new journal was requested under a name that is taken.
    #[error("the journal `{}` already exists: resume that run, remove the file, or name another one", .path.display())]
    Exists {
        /// The journal.
        path: PathBuf,
    },

    /// Another process holds the lock.
    #[error("another nub is working on it: the journal `{}` is locked; wait for that run to end (or stop it), or name another journal", .path.display())]
    Busy {
        /// The journal.
        path: PathBuf,
    },

    /// The file is something else. It is not changed.
    #[error("`{}` is not a nub journal and was left as it is: check the name", .path.display())]
    NotAJournal {
        /// The file.
        path: PathBuf,
    },

    /// The run died while it wrote the first line, or that line has been damaged since.
    #[error("the journal `{}` cannot be resumed because its first line is {what}: remove the file and start over", .path.display())]
    BadHeader {
        /// The journal.
        path: PathBuf,
        /// What is wrong with the line.
        what: String,
    },

    /// A nub with another format wrote it.
    #[error("the journal `{}` was written by {} in format {format}, but this is nub {}, which reads format {}: resume it with the nub that wrote it, or start over with --restart", .path.display(), writer(.nub.as_deref()), env!("CARGO_PKG_VERSION"), super::FORMAT)]
    OtherFormat {
        /// The journal.
        path: PathBuf,
        /// The version of the format that the file states.
        format: u64,
        /// The version of nub that wrote it, if the file states that in a way that can be read.
        nub: Option<String>,
    },

    /// Resuming with other settings would replay the outcomes of one search to another.
    #[error("the journal `{}` was recorded with other settings: {}; use the recorded settings to resume it, or start over with another journal", .path.display(), list(.differences))]
    OtherSettings {
        /// The journal.
        path: PathBuf,
        /// What differs, by key.
        differences: Vec<Difference>,
    },

    /// The operating system reported an error.
    #[error("cannot {doing} the journal `{}`: {error}{}", .path.display(), advice(.error))]
    Io {
        /// The journal.
        path: PathBuf,
        /// What was attempted: `create`, `write`, …
        doing: &'static str,
        /// The operating system's error.
        error: io::Error,
    },
}

/// The nub that wrote a journal, in words.
fn writer(version: Option<&str>) -> String {
    version.map_or_else(|| "another nub".to_owned(), |version| format!("nub {version}"))
}

impl JournalError {
    pub(super) fn io(path: &Path, doing: &'static str, error: io::Error) -> Self {
        Self::Io { path: path.to_owned(), doing, error }
    }
}

fn list(differences: &[Difference]) -> String {
    differences.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "; make room and resume: nothing recorded is lost",
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "; check its name and directory",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; name one in a directory that you can write to"
        }
        _ => "",
    }
}
