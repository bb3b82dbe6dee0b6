//! The best-so-far file: at every moment of a run, whatever happens to it, the disk holds a complete, tested result.
//!
//! A result is never written *into* a file. It is written next to it under a hidden name, synced, and renamed over it.
//! So even after `kill -9`, a full disk or a power cut, the file holds either the previous result or the new one, never
//! a mixture.
//!
//! There are two ways to say where the result goes:
//!
//! - **in place** ([`BestFile::in_place`]): the input itself is replaced. Before the first replacement, the original is
//!   saved as `INPUT.orig`. If a file of that name exists with other contents, nub refuses to start. A symbolic link
//!   stays a link and its target is replaced; the backup is next to the link, where the user will look.
//! - **to a file** ([`BestFile::output`]): the input is not touched. An existing output file is replaced, as is usual
//!   for `-o`, but a directory, a device and the input itself are refused.
//!
//! Nothing is created or changed until the first result. The new file gets the permissions of the one it replaces, and
//! its owner and group if the system allows it. Other hard links to the replaced file keep the old contents; access
//! control lists and extended attributes are not copied.

mod backup;
mod error;
mod original;
mod replace;
mod stale;

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use nub_core::Content;

use backup::Backup;
pub use error::{BestError, Intact};
pub use original::original;
use replace::{Look, Place};

/// Whether a result must survive a power cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// Sync the new file before it replaces the old one. Takes some milliseconds per result on most disks.
    #[default]
    Fsync,
    /// Survive the death of the process, but not of the machine. For measuring the cost of `Fsync`.
    None,
}

/// The file that always holds the best result so far.
pub struct BestFile {
    place: Place,
    look: Look,
    backup: Option<Backup>,
    durability: Durability,
    intact: Intact,
}

impl BestFile {
    /// The best result replaces `input`, which contains `original` (or, when a run is resumed, once contained it). With
    /// `backup`, the original is saved as `INPUT.orig`.
    ///
    /// Changes nothing, except that it removes temporary files left by a nub that was killed.
    pub fn in_place(
        input: &Path,
        original: Arc<dyn Content>,
        backup: bool,
        durability: Durability,
    ) -> Result<Self, BestError> {
        let cannot_open = |error| BestError::Open { path: input.to_owned(), error };
        let target = fs::canonicalize(input).map_err(cannot_open)?;
        let metadata = fs::metadata(&target).map_err(cannot_open)?;
        if metadata.is_dir() {
            return Err(BestError::Directory { path: input.to_owned() });
        }
        if !metadata.is_file() {
            return Err(BestError::NotRegular { path: input.to_owned() });
        }
        let place = Place::of(&target)?;
        let look = Look::keep(&metadata);
        let backup = if backup { Some(Backup::new(input, original, look)?) } else { None };
        stale::remove(&place);
        if let Some(backup) = &backup {
            stale::remove(backup.place());
        }
        Ok(Self { intact: Intact::Untouched(target), place, look, backup, durability })
    }

    /// The best result goes to `output`, and `input` is not touched.
    ///
    /// Creates nothing, but removes temporary files left by a nub that was killed.
    pub fn output(input: &Path, output: &Path, durability: Durability) -> Result<Self, BestError> {
        let input_metadata = fs::metadata(input).map_err(|error| BestError::Open { path: input.to_owned(), error })?;
        let best = match replace::resolve(output)? {
            Some((target, metadata)) => {
                if replace::is_same_file(&metadata, &input_metadata) {
                    return Err(BestError::OutputIsInput { path: output.to_owned() });
                }
                let place = Place::of(&target)?;
                Self { place, look: Look::keep(&metadata), backup: None, durability, intact: Intact::Untouched(target) }
            }
            None => {
                let place = Place::of(output)?;
                Self { place, look: Look::like(&input_metadata), backup: None, durability, intact: Intact::Nothing }
            }
        };
        stale::remove(&best.place);
        Ok(best)
    }

    /// Where the best result is, or will be.
    pub fn path(&self) -> &Path {
        self.place.path()
    }

    /// Where the original is, or will be, saved; `None` without a backup.
    pub fn backup_path(&self) -> Option<&Path> {
        self.backup.as_ref().map(Backup::path)
    }

    /// Checks, before an hour of testing, that a result can be written: creates an empty temporary file next to it and
    /// removes it.
    pub fn check_writable(&self) -> Result<(), BestError> {
        self.place.check_writable()?;
        match &self.backup {
            Some(backup) => backup.place().check_writable(),
            None => Ok(()),
        }
    }

    /// Makes `content` the best result. On an error, the previous contents are still there, and the error says so.
    pub fn write(&mut self, content: &dyn Content) -> Result<(), BestError> {
        if let Some(backup) = &mut self.backup {
            backup.ensure(self.durability, &self.intact)?;
        }
        self.replace(content).map_err(|error| BestError::Write {
            path: self.place.path().to_owned(),
            error,
            intact: self.intact.clone(),
        })?;
        self.intact = Intact::Best(self.place.path().to_owned());
        Ok(())
    }

    fn replace(&self, content: &dyn Content) -> io::Result<()> {
        let prepared = self.place.prepare(content, &self.look, self.durability)?;
        prepared.persist(self.place.path()).map_err(|failed| failed.error)?;
        self.place.sync_directory(self.durability);
        Ok(())
    }
}

impl std::fmt::Debug for BestFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BestFile")
            .field("path", &self.path())
            .field("backup", &self.backup_path())
            .field("durability", &self.durability)
            .finish_non_exhaustive()
    }
}

/// `INPUT.orig`, next to the path that the user gave.
fn backup_path(input: &Path) -> PathBuf {
    let mut name = input.as_os_str().to_owned();
    name.push(".orig");
    name.into()
}
