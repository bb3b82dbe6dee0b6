//! `INPUT.orig`: a copy of the original, made before the input is replaced for the first time.

use std::{fs, io, path::Path, sync::Arc};

use nub_core::Content;

use super::{BestError, Durability, Intact, backup_path, replace::Look, replace::Place};

pub(super) struct Backup {
    place: Place,
    input: Place,
    look: Look,
    /// The original, until it has been saved.
    original: Option<Arc<dyn Content>>,
}

impl Backup {
    /// Refuses if another file is in the way: the user should learn that before an hour of testing.
    pub(super) fn new(input: &Path, original: Arc<dyn Content>, look: Look) -> Result<Self, BestError> {
        let input = Place::of(input)?;
        let place = Place::of(&backup_path(input.path()))?;
        let backup = Self { place, input, look, original: None };
        backup.exists(&*original)?;
        Ok(Self { original: Some(original), ..backup })
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    pub(super) fn path(&self) -> &Path {
        self.place.path()
    }

    /// Whether the backup already holds the original. Refuses a file with other contents, and anything that is not a
    /// file.
    fn exists(&self, original: &dyn Content) -> Result<bool, BestError> {
        let foreign =
            || BestError::ForeignBackup { backup: self.path().to_owned(), input: self.input.path().to_owned() };
        match fs::symlink_metadata(self.path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Ok(metadata) if !metadata.is_file() || metadata.len() != original.len() as u64 => return Err(foreign()),
            _ => {}
        }
        let kept = fs::read(self.path()).map_err(|error| BestError::Open { path: self.path().to_owned(), error })?;
        if is_equal(&kept, original) { Ok(true) } else { Err(foreign()) }
    }

    /// Saves the original, unless that has been done. Never replaces a file, not even one that appears at this moment.
    pub(super) fn ensure(&mut self, durability: Durability, intact: &Intact) -> Result<(), BestError> {
        let Some(original) = &self.original else {
            return Ok(());
        };
        let failed = |error| BestError::Backup { path: self.path().to_owned(), error, intact: intact.clone() };
        if !self.exists(&**original)? {
            let prepared = self.place.prepare(&**original, &self.look, durability).map_err(failed)?;
            match prepared.persist_noclobber(self.path()) {
                Ok(_) => self.place.sync_directory(durability),
                Err(taken) if taken.error.kind() == io::ErrorKind::AlreadyExists => {
                    self.exists(&**original)?;
                }
                Err(other) => return Err(failed(other.error)),
            }
        }
        self.original = None;
        Ok(())
    }
}

fn is_equal(bytes: &[u8], content: &dyn Content) -> bool {
    let mut rest = Some(bytes);
    content.write(&mut |slice| rest = rest.and_then(|rest| rest.strip_prefix(slice)));
    rest.is_some_and(<[u8]>::is_empty)
}
