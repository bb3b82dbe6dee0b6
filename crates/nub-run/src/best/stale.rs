//! Removing the temporary files of a nub that was killed.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    os::unix::{ffi::OsStrExt, fs::OpenOptionsExt},
};

use rustix::fs::OFlags;

use super::replace::{Place, RANDOM};

/// Removes the files that a killed nub has left next to a file: only regular files whose names have exactly our form
/// and that no running nub has locked. Failures are ignored, since a leftover file does no harm.
pub(super) fn remove(place: &Place) {
    let Ok(entries) = fs::read_dir(place.directory()) else {
        return;
    };
    for entry in entries.flatten() {
        let is_ours = is_temporary(place.prefix().as_bytes(), entry.file_name().as_bytes());
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let path = entry.path();
            // The file may have been replaced since; never follow a link or wait for a pipe.
            let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
            let opened = OpenOptions::new().read(true).custom_flags(flags).open(&path);
            if !opened.is_ok_and(|file| is_in_use(&file)) {
                let _ = fs::remove_file(&path);
            }
        }
    }
}

fn is_temporary(prefix: &[u8], name: &[u8]) -> bool {
    let random = name.strip_prefix(prefix);
    random.is_some_and(|random| random.len() == RANDOM && random.iter().all(u8::is_ascii_alphanumeric))
}

fn is_in_use(file: &File) -> bool {
    matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}
