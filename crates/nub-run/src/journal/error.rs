//! What can go wrong with a journal, told so that the user knows what to do next.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::Difference;

/// What went wrong with a journal. Every message names the file and a way out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// A new journal was asked for under a name that is taken.
    #[error("the journal `{}` exists already: resume that run, remove the file, or name another one", .path.display())]
    Exists {
        /// The journal.
        path: PathBuf,
    },

    /// Somebody else holds the lock.
    #[error("another nub is working on it: the journal `{}` is locked; wait until that run ends (or stop it), or name another journal", .path.display())]
    Busy {
        /// The journal.
        path: PathBuf,
    },

    /// The file is something else. It is left as it is.
    #[error("`{}` is not a nub journal and was left as it is: check the name", .path.display())]
    NotAJournal {
        /// The file.
        path: PathBuf,
    },

    /// The run died while it wrote the first line, or that line was damaged since.
    #[error("the journal `{}` cannot be resumed, its first line is {what}: remove the file and start anew", .path.display())]
    BadHeader {
        /// The journal.
        path: PathBuf,
        /// What is wrong with the line.
        what: String,
    },

    /// Another nub, with another format, wrote it.
    #[error("the journal `{}` is of format {format}, this nub reads format {}: use the nub that wrote it, or start anew with another journal", .path.display(), super::FORMAT)]
    OtherFormat {
        /// The journal.
        path: PathBuf,
        /// The version it says it has.
        format: u64,
    },

    /// Resuming with other settings would replay the outcomes of one search to another.
    #[error("the journal `{}` was recorded with other settings: {}; use the recorded settings to resume it, or start anew with another journal", .path.display(), list(.differences))]
    OtherSettings {
        /// The journal.
        path: PathBuf,
        /// What differs, by key.
        differences: Vec<Difference>,
    },

    /// The operating system refused.
    #[error("cannot {doing} the journal `{}`: {error}{}", .path.display(), advice(.error))]
    Io {
        /// The journal.
        path: PathBuf,
        /// What was attempted: `create`, `write`, …
        doing: &'static str,
        /// What the operating system said.
        error: io::Error,
    },
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
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "; make room and resume, nothing recorded is lost",
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "; check its name and directory",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; name one in a directory you may write to"
        }
        _ => "",
    }
}
