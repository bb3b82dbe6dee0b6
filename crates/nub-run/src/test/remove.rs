//! Removing what a test left behind, whatever it is.
//!
//! Tests delete their own directory, create directories without any permissions, nest them ten thousand deep, and leave
//! processes behind that keep writing. The obvious recursion fails on each of these: with one open descriptor per
//! level, with paths longer than the system accepts, or at the first error.
//!
//! So nothing here recurses. Directories are emptied at one level only: files are unlinked, and a sub-directory of a
//! sub-directory is *moved up* to the top and handled there. This needs two descriptors and no paths, at any depth.
//! Symbolic links are never followed. Permissions are changed only when they turn out to be in the way.

use rustix::{
    fs::{AtFlags, CWD, Mode, OFlags, RawDir, chmod, openat, renameat, unlinkat},
    io::{Errno, Result},
};
use std::{
    ffi::CStr,
    io,
    os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
    path::Path,
    thread,
    time::Duration,
};

/// How often to retry when a traversal of a directory removed nothing: another process may be working in it.
const ATTEMPTS: u32 = 6;

/// Removes a file or a directory with everything in it. It is fine if there is none.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    remove_at(CWD, path)
}

/// [`remove`] for an entry of an open directory.
pub(super) fn remove_at<P: rustix::path::Arg + Copy>(parent: BorrowedFd<'_>, name: P) -> io::Result<()> {
    let mut attempt = 0;
    loop {
        let error = match unlink(parent, name) {
            Ok(()) => return Ok(()),
            Err(error) => match open_directory(parent, name).and_then(|top| empty(&top)) {
                Ok(()) | Err(Errno::NOENT) => match unlinkat(parent, name, AtFlags::REMOVEDIR) {
                    Ok(()) | Err(Errno::NOENT) => return Ok(()),
                    Err(error) => error,
                },
                Err(Errno::NOTDIR) => error,
                Err(other) => other,
            },
        };
        attempt += 1;
        if attempt == ATTEMPTS {
            return Err(error.into());
        }
        thread::sleep(Duration::from_millis(1 << attempt));
    }
}

/// Whether a directory that is open for reading has no entries.
pub(super) fn is_empty(directory: &OwnedFd) -> bool {
    let mut buffer = [std::mem::MaybeUninit::uninit(); 1024];
    let mut entries = RawDir::new(directory, &mut buffer);
    while let Some(entry) = entries.next() {
        match entry {
            Ok(entry) if is_dots(entry.file_name()) => {}
            _ => return false,
        }
    }
    true
}

/// Unlinks a file or an empty directory.
fn unlink<P: rustix::path::Arg + Copy>(parent: BorrowedFd<'_>, name: P) -> Result<()> {
    match unlinkat(parent, name, AtFlags::empty()) {
        Err(Errno::ISDIR | Errno::PERM) => match unlinkat(parent, name, AtFlags::REMOVEDIR) {
            Err(Errno::NOENT) => Ok(()),
            other => other,
        },
        Err(Errno::NOENT) => Ok(()),
        other => other,
    }
}

/// Opens a directory, after making it accessible if it is not.
fn open_directory<P: rustix::path::Arg + Copy>(parent: BorrowedFd<'_>, name: P) -> Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match openat(parent, name, flags | OFlags::RDONLY, Mode::empty()) {
        Err(Errno::ACCESS) => {
            make_accessible(&openat(parent, name, flags | OFlags::PATH, Mode::empty())?)?;
            openat(parent, name, flags | OFlags::RDONLY, Mode::empty())
        }
        other => other,
    }
}

/// Goes through `/proc`, since `fchmod` refuses `O_PATH` descriptors, the only kind available for an unreadable
/// directory, and a path could be a link to somewhere else by now.
fn make_accessible(directory: &OwnedFd) -> Result<()> {
    chmod(format!("/proc/self/fd/{}", directory.as_raw_fd()), Mode::RWXU)
}

/// Removes all entries of a directory.
fn empty(top: &OwnedFd) -> Result<()> {
    let mut attempt = 0;
    let mut names = 0u64;
    loop {
        let mut progress = false;
        let mut problem = None;
        for_each_entry(top, |name| match remove_entry(top, name, &mut names) {
            Ok(moved) => progress |= moved,
            Err(error) => problem = Some(error),
        })?;
        match (progress, problem) {
            (false, None) => return Ok(()),
            (true, _) => attempt = 0,
            (false, Some(error)) => {
                if error == Errno::ACCESS && attempt == 0 {
                    make_accessible(top)?;
                }
                attempt += 1;
                if attempt == ATTEMPTS {
                    return Err(error);
                }
                thread::sleep(Duration::from_millis(1 << attempt));
            }
        }
    }
}

/// Removes one entry of `top`, moving the contents of its sub-directories to `top`. Returns whether anything changed.
fn remove_entry(top: &OwnedFd, name: &CStr, names: &mut u64) -> Result<bool> {
    let Err(error) = unlink(top.as_fd(), name) else { return Ok(true) };
    let directory = match open_directory(top.as_fd(), name) {
        Err(Errno::NOTDIR) => return Err(error),
        other => other?,
    };
    let mut progress = false;
    let mut problem = None;
    for_each_entry(&directory, |inner| {
        let removed = match unlink(directory.as_fd(), inner) {
            Err(Errno::ACCESS) => make_accessible(&directory).and_then(|()| unlink(directory.as_fd(), inner)),
            other => other,
        };
        match removed.or_else(|_| move_up(&directory, inner, top, names)) {
            Ok(()) => progress = true,
            Err(error) => problem = Some(error),
        }
    })?;
    match (unlink(top.as_fd(), name), problem) {
        (Ok(()), _) => Ok(true),
        (Err(_), _) if progress => Ok(true),
        (Err(_), Some(error)) | (Err(error), None) => Err(error),
    }
}

/// Moves a directory that is not empty to `top`, under a free name.
fn move_up(from: &OwnedFd, name: &CStr, top: &OwnedFd, names: &mut u64) -> Result<()> {
    let mut accessible = false;
    loop {
        *names += 1;
        match renameat(from, name, top, format!(".nub-removed-{names}")) {
            // Moving a directory changes its `..`, which requires write permission on it.
            Err(Errno::ACCESS) if !accessible => {
                accessible = true;
                let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::PATH;
                make_accessible(&openat(from, name, flags, Mode::empty())?)?;
            }
            Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
            other => return other,
        }
    }
}

fn for_each_entry(directory: &OwnedFd, mut action: impl FnMut(&CStr)) -> Result<()> {
    rustix::fs::seek(directory, rustix::fs::SeekFrom::Start(0))?;
    let mut buffer = Vec::with_capacity(16 << 10);
    let mut entries = RawDir::new(directory, buffer.spare_capacity_mut());
    while let Some(entry) = entries.next() {
        match entry {
            Ok(entry) if is_dots(entry.file_name()) => {}
            Ok(entry) => action(entry.file_name()),
            // The directory itself has been removed meanwhile: nothing is left to do.
            Err(Errno::NOENT) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn is_dots(name: &CStr) -> bool {
    matches!(name.to_bytes(), b"." | b"..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        fs,
        os::unix::fs::{PermissionsExt, symlink},
        sync::atomic::{AtomicBool, Ordering},
    };

    #[test]
    fn removes_files_links_and_nothing() {
        let base = tempfile::tempdir().unwrap();
        remove(&base.path().join("nothing")).unwrap();
        let (file, link) = (base.path().join("file"), base.path().join("link"));
        fs::write(&file, "x").unwrap();
        symlink(&file, &link).unwrap();
        remove(&link).unwrap();
        assert!(file.exists());
        remove(&file).unwrap();
        assert!(!file.exists());
    }

    #[test]
    fn links_to_directories_are_not_followed() {
        let base = tempfile::tempdir().unwrap();
        fs::create_dir_all(base.path().join("keep/inner")).unwrap();
        fs::create_dir_all(base.path().join("top/a")).unwrap();
        symlink(base.path().join("keep"), base.path().join("top/link")).unwrap();
        symlink(base.path().join("keep"), base.path().join("top/a/link")).unwrap();
        remove(&base.path().join("top")).unwrap();
        assert!(base.path().join("keep/inner").exists());
        assert!(!base.path().join("top").exists());
    }

    #[test]
    fn removes_wide_and_inaccessible_trees() {
        let base = tempfile::tempdir().unwrap();
        let top = base.path().join("top");
        for i in 0..20 {
            let sub = top.join(format!("{i}/closed/inner/x"));
            fs::create_dir_all(&sub).unwrap();
            for j in 0..100 {
                fs::write(sub.join(j.to_string()), "x").unwrap();
            }
            fs::write(top.join(format!("{i}/.nub-removed-{i}")), "x").unwrap();
            fs::set_permissions(&sub, fs::Permissions::from_mode(0o500)).unwrap();
            for parent in sub.ancestors().skip(1).take(3) {
                fs::set_permissions(parent, fs::Permissions::from_mode(0o000)).unwrap();
            }
        }
        fs::set_permissions(&top, fs::Permissions::from_mode(0o500)).unwrap();
        remove(&top).unwrap();
        assert!(!top.exists());
    }

    #[test]
    fn removes_trees_deeper_than_any_path_or_descriptor_table() {
        let base = tempfile::tempdir().unwrap();
        let top = base.path().join("top");
        fs::create_dir(&top).unwrap();
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
        let mut here = openat(CWD, &top, flags, Mode::empty()).unwrap();
        for _ in 0..5000 {
            rustix::fs::mkdirat(&here, "a-rather-long-name", Mode::RWXU).unwrap();
            here = openat(&here, "a-rather-long-name", flags, Mode::empty()).unwrap();
        }
        drop(here);
        remove(&top).unwrap();
        assert!(!top.exists());
    }

    #[test]
    fn removes_a_directory_that_is_being_written_to() {
        let base = tempfile::tempdir().unwrap();
        let top = base.path().join("top");
        fs::create_dir_all(top.join("a/b/c")).unwrap();
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                for i in 0..300 {
                    if stop.load(Ordering::Relaxed) || fs::write(top.join(format!("a/b/{i}")), "x").is_err() {
                        break;
                    }
                }
            });
            let removed = remove(&top);
            stop.store(true, Ordering::Relaxed);
            removed.unwrap();
        });
        assert!(!top.exists());
    }
}
