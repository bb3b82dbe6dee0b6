//! What can go wrong with the best-so-far file, told so that the user knows where the result is and what to do next.

use std::{fmt, io, path::PathBuf};

/// What went wrong. Every message names the file and a way out, and after a failed write where the best result is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BestError {
    /// The input or the output cannot be looked at.
    #[error("cannot open `{}`: {error}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        error: io::Error,
    },

    /// A file is needed.
    #[error("`{}` is a directory: name a file", .path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },

    /// Replacing a device, a pipe or a socket by a file would break more than it gives.
    #[error("`{}` is not a regular file, so the result cannot be written there: name a regular file, or `-o -` for standard output", .path.display())]
    NotRegular {
        /// The device, pipe or socket.
        path: PathBuf,
    },

    /// The output is a link to nowhere.
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

    /// The name of the backup is taken by something else.
    #[error("`{}` exists and is not the same as `{}`, so the original cannot be kept there, and nothing was changed: rename or remove it if it is no longer needed, or use -o FILE to leave the input as it is, or --no-backup", .backup.display(), .input.display())]
    ForeignBackup {
        /// The file that is in the way.
        backup: PathBuf,
        /// The input.
        input: PathBuf,
    },

    /// No result could ever be written there.
    #[error("cannot write to the directory `{}`: {error}; {}, or use -o to name a file elsewhere", .directory.display(), remedy(.error))]
    Unwritable {
        /// The directory.
        directory: PathBuf,
        /// What the operating system said.
        error: io::Error,
    },

    /// The original could not be kept, and so was not replaced.
    #[error("cannot keep the original as `{}`: {error}; {intact}", .path.display())]
    Backup {
        /// The backup.
        path: PathBuf,
        /// What the operating system said.
        error: io::Error,
        /// What is there instead.
        intact: Intact,
    },

    /// A result could not be written.
    #[error("cannot write the result to `{}`: {error}; {intact}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        error: io::Error,
        /// What is there instead.
        intact: Intact,
    },

    /// A run cannot be resumed without its original input, and it is nowhere.
    #[error("cannot resume without the original input: {}", .why)]
    NoOriginal {
        /// Where it was looked for, what was found, and what to do.
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

/// What a failed write has left as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intact {
    /// Nothing has been written yet, and this file is as it was found.
    Untouched(PathBuf),
    /// Nothing has been written yet, and there was nothing.
    Nothing,
    /// The result before is whole, in this file.
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
