//! Replacing a file as a whole: write next to it, sync, rename.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, Metadata, OpenOptions, Permissions},
    io::{self, BufWriter, Write},
    os::unix::{
        ffi::OsStrExt,
        fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown},
    },
    path::{self, Path, PathBuf},
};

use nub_core::Content;
use tempfile::NamedTempFile;

use super::{BestError, Durability};

/// The number of random characters at the end of a temporary name: enough that no file of the user's looks like ours.
pub(super) const RANDOM: usize = 12;

/// A file to be replaced or created, and where its temporary files go.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Absolute, so that a change of the working directory does not matter.
    path: PathBuf,
    directory: PathBuf,
    prefix: OsString,
}

impl Place {
    pub(super) fn of(path: &Path) -> Result<Self, BestError> {
        let absolute = path::absolute(path).map_err(|error| BestError::Open { path: path.to_owned(), error })?;
        let (Some(directory), Some(name)) = (absolute.parent(), absolute.file_name()) else {
            return Err(BestError::Directory { path: path.to_owned() });
        };
        Ok(Self { directory: directory.to_owned(), prefix: temporary_prefix(name), path: absolute })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The prefix of its temporary files' names.
    pub(super) fn prefix(&self) -> &OsStr {
        &self.prefix
    }

    pub(super) fn check_writable(&self) -> Result<(), BestError> {
        // Closing removes the file, and reports a failure to do so.
        self.temporary(0o600)
            .and_then(NamedTempFile::close)
            .map_err(|error| BestError::Unwritable { directory: self.directory.clone(), error })
    }

    /// Writes the content to a temporary file that can be renamed. Dropping the handle removes the file.
    pub(super) fn prepare(
        &self,
        content: &dyn Content,
        look: &Look,
        durability: Durability,
    ) -> io::Result<NamedTempFile> {
        let temporary = self.temporary(look.mode & 0o777)?;
        let mut file = BufWriter::with_capacity(1 << 16, temporary.as_file());
        let mut result = Ok(());
        content.write(&mut |slice| {
            if result.is_ok() {
                result = file.write_all(slice);
            }
        });
        result?;
        file.flush()?;
        drop(file);
        look.apply(temporary.as_file())?;
        if durability == Durability::Fsync {
            temporary.as_file().sync_all()?;
        }
        Ok(temporary)
    }

    fn temporary(&self, mode: u32) -> io::Result<NamedTempFile> {
        // Not `tempfile_in`: its errors show the random name, which means nothing to the user.
        let create = |path: &Path| OpenOptions::new().write(true).create_new(true).mode(mode).open(path);
        let temporary =
            tempfile::Builder::new().prefix(&self.prefix).rand_bytes(RANDOM).make_in(&self.directory, create)?;
        // Tells another nub that looks for stale files that this one is in use. On a file system without locks, two
        // nubs that write to the same file at the same time may delete each other's temporary files.
        let _ = temporary.as_file().try_lock();
        Ok(temporary)
    }

    /// Makes a rename durable. Not every file system can sync a directory, and the file is complete without it: at
    /// worst, the previous result is back after a power cut.
    pub(super) fn sync_directory(&self, durability: Durability) {
        if durability == Durability::Fsync {
            let _ = File::open(&self.directory).and_then(|directory| directory.sync_all());
        }
    }
}

/// `.NAME.nub-`; a long name is truncated, since a file name has at most 255 bytes.
fn temporary_prefix(name: &OsStr) -> OsString {
    let name = name.as_bytes();
    let mut prefix = OsString::from(".");
    prefix.push(OsStr::from_bytes(&name[..name.len().min(255 - ".".len() - ".nub-".len() - RANDOM)]));
    prefix.push(".nub-");
    prefix
}

/// The permissions and owner of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    mode: u32,
    /// The user and the group to give it to. If `None`, the umask applies to the mode, as for any new file.
    owner: Option<(u32, u32)>,
}

impl Look {
    /// Those of the file that is replaced.
    pub(super) fn keep(metadata: &Metadata) -> Self {
        Self { mode: metadata.mode() & 0o7777, owner: Some((metadata.uid(), metadata.gid())) }
    }

    /// Those of a copy: an executable script stays executable.
    pub(super) fn like(metadata: &Metadata) -> Self {
        Self { mode: metadata.mode() & 0o777, owner: None }
    }

    fn apply(&self, file: &File) -> io::Result<()> {
        let Some((uid, gid)) = self.owner else {
            return Ok(());
        };
        let now = file.metadata()?;
        let mut mode = self.mode;
        if (now.uid(), now.gid()) != (uid, gid) && fchown(file, Some(uid), Some(gid)).is_err() {
            // Only root may give files away, but the group may still be one of the user's. A set-user-ID bit must not
            // be kept for another user.
            let _ = fchown(file, None, Some(gid));
            mode &= 0o777;
        }
        // After the owner, because changing the owner clears mode bits; and only if needed, because some file systems
        // (FAT) have one mode for all files and refuse to change it.
        if now.mode() & 0o7777 == mode && (now.uid(), now.gid()) == (uid, gid) {
            return Ok(());
        }
        file.set_permissions(Permissions::from_mode(mode))
    }
}

/// The existing file that `path` names, links resolved, or `None` if there is none. Refuses anything that cannot be
/// replaced.
pub(super) fn resolve(path: &Path) -> Result<Option<(PathBuf, Metadata)>, BestError> {
    let cannot_open = |error| BestError::Open { path: path.to_owned(), error };
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(BestError::Directory { path: path.to_owned() }),
        Ok(metadata) if !metadata.is_file() => Err(BestError::NotRegular { path: path.to_owned() }),
        Ok(metadata) => Ok(Some((fs::canonicalize(path).map_err(cannot_open)?, metadata))),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot_open(error)),
        Err(_) if path.as_os_str().is_empty() || path.as_os_str().as_bytes().ends_with(b"/") => {
            Err(BestError::Directory { path: path.to_owned() })
        }
        Err(_) if fs::symlink_metadata(path).is_ok() => Err(BestError::DanglingLink { path: path.to_owned() }),
        Err(_) => Ok(None),
    }
}

pub(super) fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}
