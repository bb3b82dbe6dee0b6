//! Errors of the best-so-far file: they say where the result is and what to do next.

use std::{fmt, io, path::PathBuf};

/// What went wrong. Every message names the file and a remedy; after a failed write, also where the best result is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BestError {
    /// The input or the output cannot be read.
    #[error("cannot open `{}`: {error}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        error: io::Error,
    },

    /// The path names a directory, but a file is needed.
    #[error("`{}` is a directory: name a file", .path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },

    /// Replacing a device, a pipe or a socket with a file would do more harm than good.
    #[error("`{}` is not a regular file, so the result cannot be written there: name a regular file, or `-o -` for standard output", .path.display())]
    NotRegular {
        /// The device, pipe or socket.
        path: PathBuf,
    },

    /// The output is a dangling link.
    #[error("`{}` is a symbolic link to a file that does not exist: remove the link, or name another file", .path.display())]
    DanglingLink {
        /// The link.
        path: PathBuf,
    },

    /// The output is the input, perhaps under another name.
    #[error("the output `{}` is the input itself: omit -o to reduce it in place (the original is kept as .orig), or name another file", .path.display())]
    OutputIsInput {
        /// The output.
        path: PathBuf,
    },

    /// Another file already has the name of the backup.
    #[error("`{}` exists and is not the same as `{}`, so the original cannot be kept there, and nothing was changed: rename or remove it if it is no longer needed, or use -o FILE to leave the input as it is, or --no-backup", .backup.display(), .input.display())]
    ForeignBackup {
        /// The file that is in the way.
        backup: PathBuf,
        /// The input.
        input: PathBuf,
    },

    /// No result could ever be written to this directory.
    #[error("cannot write to the directory `{}`: {error}; {}, or use -o to name a file elsewhere", .directory.display(), remedy(.error))]
    Unwritable {
        /// The directory.
        directory: PathBuf,
        /// The operating system's error.
        error: io::Error,
    },

    /// The original could not be saved, so it was not replaced.
    #[error("cannot keep the original as `{}`: {error}; {intact}", .path.display())]
    Backup {
        /// The backup.
        path: PathBuf,
        /// The operating system's error.
        error: io::Error,
        /// What is still intact.
        intact: Intact,
    },

    /// A result could not be written.
    #[error("cannot write the result to `{}`: {error}; {intact}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        error: io::Error,
        /// What is still intact.
        intact: Intact,
    },

    /// A run cannot be resumed without its original input, and that was not found.
    #[error("cannot resume without the original input: {}", .why)]
    NoOriginal {
        /// Where nub looked, what it found, and what to do.
        why: String,
    },
}

fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "create it first",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room",
        _ => "make it writable",
    }
}

/// What a failed write left intact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intact {
    /// Nothing has been written yet, and this file is unchanged.
    Untouched(PathBuf),
    /// Nothing has been written yet, and there was no file.
    Nothing,
    /// The previous result is complete, in this file.
    Best(PathBuf),
}

impl fmt::Display for Intact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Untouched(path) => write!(f, "`{}` is as it was", path.display()),
            Self::Nothing => f.write_str("nothing was written"),
            Self::Best(path) => write!(f, "the best result so far is intact in `{}`", path.display()),
        }
    }
}
