//! The directories that hold candidates while they are tested.
//!
//! ```text
//! /dev/shm/nub-x7Kq2A/      one private directory per run of nub
//!     w0/                   one per worker
//!         tmp/              TMPDIR of the worker's tests; emptied after each
//!         c17/              one per candidate, never used twice: the working directory of its test
//!             input.c       the candidate, under the name the user gave it
//!     w1/ …
//! ```
//!
//! Files that live for a millisecond belong in memory: on a disk, creating and removing a directory takes four times as
//! long on a good day and a hundred times on a bad one. But running out of memory hurts, and containers give `/dev/shm`
//! 64 MB and forbid executing anything in it. So memory is used only if it has room for what the input needs and tests
//! may run what they compile there.

use super::{Stop, gate, remove};
use nub_core::Content;
use rustix::{
    fs::{AtFlags, CWD, FileType, Mode, OFlags, StatVfsMountFlags, mkdirat, openat, statat, statfs, statvfs, unlinkat},
    io::Errno,
};
use std::{
    env,
    ffi::{OsStr, OsString},
    fs::{DirBuilder, File},
    io::{self, Write as _},
    os::{
        fd::{AsFd, OwnedFd},
        unix::{ffi::OsStrExt, fs::DirBuilderExt},
    },
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// The kernel's `TMPFS_MAGIC`.
const TMPFS: u64 = 0x0102_1994;
/// How many bytes must be free in `/dev/shm` besides [`ROOM_FACTOR`] times the input, since tests write files too.
const ROOM: u64 = 64 << 20;
/// One candidate per job, and the files that compilers produce from it.
const ROOM_FACTOR: u64 = 16;
/// Slices shorter than this are collected before they are written; longer ones are written directly.
const DIRECT: usize = 16 << 10;
/// How many bytes are collected.
const COLLECTED: usize = 64 << 10;
/// The number of random characters at the end of a directory's name.
const RANDOM: usize = 10;
/// The size that tmpfs reports for a directory that has only `.` and `..`: 20 for each entry. Saves listing it.
const EMPTY_ON_TMPFS: i64 = 40;

/// The directory of a run, removed with everything in it when dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    on_tmpfs: bool,
    candidates: Arc<AtomicU64>,
}

impl Scratch {
    /// Creates a private directory: in `explicit` if given, else in `$TMPDIR` if set, else in `/dev/shm` if that is
    /// suitable for candidates of up to `expected_bytes`, else in the system's directory for temporary files.
    pub fn create(explicit: Option<&Path>, expected_bytes: u64) -> io::Result<Self> {
        Self::create_announced(explicit, expected_bytes, |_| {})
    }

    /// Like [`create`](Self::create), but calls `announce` with the path before the directory is created, so that at no
    /// moment does it exist without a process that would remove it if this one were killed. Called again for a second
    /// attempt, in which case the first has created nothing.
    pub fn create_announced(
        explicit: Option<&Path>,
        expected_bytes: u64,
        mut announce: impl FnMut(&Path),
    ) -> io::Result<Self> {
        let wanted =
            explicit.map(Path::to_owned).or_else(|| env::var_os("TMPDIR").filter(|v| !v.is_empty()).map(Into::into));
        if let Some(base) = wanted {
            return Self::create_in(&base, &mut announce);
        }
        let shm = Path::new("/dev/shm");
        if is_suitable(shm, expected_bytes)
            && let Ok(scratch) = Self::create_in(shm, &mut announce)
        {
            return Ok(scratch);
        }
        Self::create_in(&env::temp_dir(), &mut announce)
    }

    fn create_in(base: &Path, announce: &mut dyn FnMut(&Path)) -> io::Result<Self> {
        // Absolute, since tests run elsewhere.
        let made = std::path::absolute(base).and_then(|base| private_directory("nub-", &base, announce));
        let path = made.map_err(|error| {
            let what = format!(
                "cannot create a directory for candidates in {}: {error} (choose another place with --temp-dir)",
                base.display()
            );
            io::Error::new(error.kind(), what)
        })?;
        let on_tmpfs = is_tmpfs(&path);
        Ok(Self { path, on_tmpfs, candidates: Arc::default() })
    }

    /// The absolute path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the directory is in memory.
    pub fn on_tmpfs(&self) -> bool {
        self.on_tmpfs
    }

    /// The directory of one worker. Two workers with the same number must not be active at the same time.
    pub(super) fn worker(&self, number: usize, name: &OsStr) -> io::Result<WorkerDirectory> {
        let path = self.path.join(format!("w{number}"));
        let tmp = path.join("tmp");
        let fd = make_worker_directory(&path)?;
        Ok(WorkerDirectory {
            path,
            tmp,
            fd,
            name: name.to_owned(),
            on_tmpfs: self.on_tmpfs,
            candidates: Arc::clone(&self.candidates),
            collected: Vec::new(),
        })
    }

    /// Writes a candidate to a directory of its own that is *not* removed, for the user to look at; returns the path of
    /// the file. It is on disk rather than in memory, since it may be looked at tomorrow.
    pub fn keep(name: &OsStr, content: &dyn Content) -> io::Result<PathBuf> {
        let directory = private_directory("nub-kept-", &std::path::absolute(env::temp_dir())?, &mut |_| {})?;
        let path = directory.join(base_name(name));
        let mut file = File::create_new(&path)?;
        write_content(&mut file, content, &mut Vec::new())?;
        Ok(path)
    }

    /// Removes the directory and reports whether that worked; dropping does the same silently.
    pub fn remove(self) -> io::Result<()> {
        remove::remove(&self.path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = remove::remove(&self.path);
    }
}

/// The file name of candidates: that of the input, or `input` if that has no valid file name.
pub(super) fn base_name(input: &OsStr) -> OsString {
    match Path::new(input).file_name() {
        Some(name) if !name.as_bytes().contains(&0) => name.to_owned(),
        _ => OsString::from("input"),
    }
}

fn private_directory(prefix: &str, base: &Path, announce: &mut dyn FnMut(&Path)) -> io::Result<PathBuf> {
    // Many random characters: an announced path must never be another process's directory, not even until the next
    // attempt.
    let made = tempfile::Builder::new().prefix(prefix).rand_bytes(RANDOM).make_in(base, |path| {
        announce(path);
        DirBuilder::new().mode(0o700).create(path)
    })?;
    let ((), path) = made.keep().map_err(|failed| failed.error)?;
    Ok(path)
}

fn is_tmpfs(path: &Path) -> bool {
    // The type of the field differs between architectures; the number does not.
    #[allow(clippy::cast_sign_loss, clippy::unnecessary_cast)]
    statfs(path).is_ok_and(|fs| fs.f_type as u64 == TMPFS)
}

fn is_suitable(path: &Path, expected_bytes: u64) -> bool {
    let needed = expected_bytes.saturating_mul(ROOM_FACTOR).saturating_add(ROOM);
    is_tmpfs(path)
        && statvfs(path).is_ok_and(|fs| {
            !fs.f_flag.intersects(StatVfsMountFlags::NOEXEC | StatVfsMountFlags::RDONLY)
                && fs.f_bavail.saturating_mul(fs.f_frsize) >= needed
        })
}

/// Creates `wN` and `wN/tmp` unless they exist.
fn make_worker_directory(path: &Path) -> io::Result<OwnedFd> {
    for directory in [path, &path.join("tmp")] {
        match mkdirat(CWD, directory, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(openat(CWD, path, OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?)
}

/// One worker's directory.
#[derive(Debug)]
pub(super) struct WorkerDirectory {
    path: PathBuf,
    tmp: PathBuf,
    fd: OwnedFd,
    name: OsString,
    on_tmpfs: bool,
    candidates: Arc<AtomicU64>,
    collected: Vec<u8>,
}

/// A candidate in its directory.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) directory: PathBuf,
    pub(super) file: PathBuf,
}

impl WorkerDirectory {
    /// The tests' `TMPDIR`.
    pub(super) fn tmp(&self) -> &Path {
        &self.tmp
    }

    /// Writes a candidate to a fresh directory.
    pub(super) fn place(&mut self, candidate: &dyn Content) -> Result<Placed, Stop> {
        let directory = self.path.join(format!("c{}", self.candidates.fetch_add(1, Ordering::Relaxed)));
        let file = directory.join(&self.name);
        let placed = Placed { directory, file };
        let Err(error) = self.write(&placed, candidate) else { return Ok(placed) };
        // No room: leftovers of earlier tests may be in the way. No directory: a test may have removed ours.
        let retried = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => self.remove_everything(),
            io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        }
        .and_then(|()| {
            self.fd = make_worker_directory(&self.path)?;
            remove::remove(&placed.directory)?;
            self.write(&placed, candidate)
        });
        match retried {
            Ok(()) => Ok(placed),
            Err(source) => {
                let _ = remove::remove(&placed.directory);
                let what = format!(
                    "cannot write the candidate {} (choose another place with --temp-dir)",
                    placed.file.display()
                );
                Err(Stop::Fatal { what, source })
            }
        }
    }

    fn write(&mut self, placed: &Placed, candidate: &dyn Content) -> io::Result<()> {
        mkdirat(&self.fd, self.relative(&placed.directory), Mode::RWXU)?;
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
        let mut file = File::from(openat(&self.fd, self.relative(&placed.file), flags, Mode::from_raw_mode(0o666))?);
        let executable = write_content(&mut file, candidate, &mut self.collected)?;
        drop(file);
        if executable {
            gate::wait_for_starts();
        }
        Ok(())
    }

    /// A path relative to this directory's descriptor: faster to look up, and valid even if the absolute path is too
    /// long.
    fn relative<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.path).unwrap_or(path)
    }

    /// Opens a placed candidate for reading, from its start.
    pub(super) fn open(&self, placed: &Placed) -> Result<File, Stop> {
        match openat(&self.fd, self.relative(&placed.file), OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()) {
            Ok(file) => Ok(File::from(file)),
            Err(error) => Err(Stop::Fatal {
                what: format!("cannot open the candidate {}", placed.file.display()),
                source: error.into(),
            }),
        }
    }

    /// Removes a candidate, and everything its test left beside it. Anything that cannot be removed stays until the end
    /// of the run; no other candidate will see it.
    pub(super) fn clear(&mut self, placed: &Placed) {
        // Almost always there is only the candidate.
        let _ = unlinkat(&self.fd, self.relative(&placed.file), AtFlags::empty());
        let directory = self.relative(&placed.directory);
        if unlinkat(&self.fd, directory, AtFlags::REMOVEDIR).is_err() {
            let _ = remove::remove_at(self.fd.as_fd(), directory);
        }
    }

    /// Empties the directory for temporary files, if necessary.
    pub(super) fn clear_tmp(&mut self) {
        // Looked up by name each time: a test may have moved it away and created another.
        let pristine = statat(&self.fd, "tmp", AtFlags::SYMLINK_NOFOLLOW).is_ok_and(|stat| {
            let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            FileType::from_raw_mode(stat.st_mode) == FileType::Directory
                && Mode::from_raw_mode(stat.st_mode).contains(Mode::RWXU)
                && (self.on_tmpfs && stat.st_size == EMPTY_ON_TMPFS
                    || openat(&self.fd, "tmp", flags, Mode::empty()).is_ok_and(|tmp| remove::is_empty(&tmp)))
        });
        if !pristine {
            let _ = remove::remove_at(self.fd.as_fd(), "tmp");
            // If the whole directory is gone, the next candidate will notice and recreate it.
            let _ = mkdirat(&self.fd, "tmp", Mode::RWXU);
        }
    }

    fn remove_everything(&mut self) -> io::Result<()> {
        remove::remove(&self.path)
    }
}

/// Writes a candidate; returns whether it looks executable.
fn write_content(file: &mut File, candidate: &dyn Content, collected: &mut Vec<u8>) -> io::Result<bool> {
    let mut start = [0; 4];
    let mut started = 0;
    let mut result = Ok(());
    collected.clear();
    candidate.write(&mut |slice| {
        if result.is_err() {
            return;
        }
        if started < start.len() {
            let n = slice.len().min(start.len() - started);
            start[started..started + n].copy_from_slice(&slice[..n]);
            started += n;
        }
        if collected.len() + slice.len() > COLLECTED || slice.len() >= DIRECT {
            result = file.write_all(collected);
            collected.clear();
        }
        if slice.len() >= DIRECT {
            result = std::mem::replace(&mut result, Ok(())).and_then(|()| file.write_all(slice));
        } else {
            collected.extend_from_slice(slice);
        }
    });
    result?;
    if !collected.is_empty() {
        file.write_all(collected)?;
    }
    Ok(gate::looks_executable(&start[..started]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        fs::{self, Permissions},
        os::unix::fs::PermissionsExt as _,
    };

    fn scratch() -> (tempfile::TempDir, Scratch) {
        let base = tempfile::tempdir().unwrap();
        let scratch = Scratch::create(Some(base.path()), 0).unwrap();
        (base, scratch)
    }

    struct Slices(Vec<Vec<u8>>);
    impl Content for Slices {
        fn write(&self, sink: &mut dyn FnMut(&[u8])) {
            for slice in &self.0 {
                sink(slice);
            }
        }
        fn identify(&self, sink: &mut dyn FnMut(&[u8])) {
            self.write(sink);
        }
    }

    #[test]
    fn private_and_removed() {
        let (base, scratch) = scratch();
        let path = scratch.path().to_owned();
        assert!(path.is_absolute() && path.starts_with(base.path()));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        scratch.worker(0, OsStr::new("x")).unwrap().place(&b"x".to_vec()).unwrap();
        drop(scratch);
        assert!(!path.exists());
    }

    #[test]
    fn the_error_names_an_unusable_place() {
        let error = Scratch::create(Some(Path::new("/nonexistent/place")), 0).unwrap_err().to_string();
        assert!(error.contains("/nonexistent/place") && error.contains("--temp-dir"), "{error}");
    }

    #[test]
    fn memory_is_used_only_if_there_is_room_to_spare() {
        assert!(!is_suitable(Path::new("/dev/shm"), u64::MAX));
        assert!(!is_suitable(Path::new("/proc"), 0));
    }

    #[test]
    fn content_is_complete_however_it_is_sliced() {
        let (_base, scratch) = scratch();
        let mut worker = scratch.worker(3, OsStr::from_bytes(b"in\xffput.c")).unwrap();
        let sizes =
            [0, 1, DIRECT - 1, DIRECT, 5, COLLECTED, 3, DIRECT - 1, DIRECT - 1, DIRECT - 1, DIRECT - 1, DIRECT - 1, 7];
        let content = Slices(sizes.iter().enumerate().map(|(i, size)| vec![i as u8; *size]).collect());
        let placed = worker.place(&content).unwrap();
        assert_eq!(fs::read(&placed.file).unwrap(), content.to_vec());
        assert_eq!(placed.file.file_name().unwrap().as_bytes(), b"in\xffput.c");
        assert_eq!(fs::read_dir(&placed.directory).unwrap().count(), 1);
        let next = worker.place(&b"y".to_vec()).unwrap();
        assert_ne!(next.directory, placed.directory);
        worker.clear(&placed);
        assert!(!placed.directory.exists() && next.file.exists());
    }

    #[test]
    fn a_worker_survives_the_loss_of_its_directory() {
        let (_base, scratch) = scratch();
        let mut worker = scratch.worker(0, OsStr::new("x")).unwrap();
        let first = worker.place(&b"1".to_vec()).unwrap();
        fs::remove_dir_all(scratch.path()).unwrap();
        worker.clear(&first);
        worker.clear_tmp();
        fs::create_dir(scratch.path()).unwrap();
        let second = worker.place(&b"2".to_vec()).unwrap();
        assert_eq!(fs::read(&second.file).unwrap(), b"2");
        assert!(worker.tmp().is_dir());
    }

    #[test]
    fn failure_to_write_names_file_and_remedy() {
        let (_base, scratch) = scratch();
        let mut worker = scratch.worker(0, OsStr::new(&"x".repeat(300))).unwrap();
        let Err(Stop::Fatal { what, .. }) = worker.place(&b"1".to_vec()) else { panic!() };
        assert!(what.contains("xxx") && what.contains("--temp-dir"), "{what}");
        assert_eq!(fs::read_dir(scratch.path().join("w0")).unwrap().count(), 1, "only tmp may be left");
    }

    #[test]
    fn tmp_is_emptied_or_recreated() {
        tmp_is_emptied_or_recreated_in(&env::temp_dir());
    }

    #[test]
    fn tmp_in_memory_is_emptied_or_recreated() {
        if is_suitable(Path::new("/dev/shm"), 0) {
            tmp_is_emptied_or_recreated_in(Path::new("/dev/shm"));
        }
    }

    fn tmp_is_emptied_or_recreated_in(base: &Path) {
        let scratch = Scratch::create(Some(base), 0).unwrap();
        let mut worker = scratch.worker(0, OsStr::new("x")).unwrap();
        let tmp = worker.tmp().to_owned();
        let check = |worker: &mut WorkerDirectory| {
            worker.clear_tmp();
            assert_eq!(fs::read_dir(&tmp).unwrap().count(), 0);
            assert_eq!(fs::metadata(&tmp).unwrap().permissions().mode() & 0o700, 0o700);
        };
        check(&mut worker);
        fs::create_dir_all(tmp.join("a/b")).unwrap();
        check(&mut worker);
        fs::write(tmp.join("file"), "").unwrap();
        check(&mut worker);
        fs::remove_dir(&tmp).unwrap();
        check(&mut worker);
        fs::remove_dir(&tmp).unwrap();
        fs::write(&tmp, "a file").unwrap();
        check(&mut worker);
        fs::set_permissions(&tmp, Permissions::from_mode(0o000)).unwrap();
        check(&mut worker);
    }

    #[test]
    fn kept_candidates_are_not_removed() {
        let path = Scratch::keep(OsStr::new("/some/where/a.c"), &b"kept".to_vec()).unwrap();
        assert_eq!(path.file_name().unwrap(), "a.c");
        assert_eq!(fs::read(&path).unwrap(), b"kept");
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    #[test]
    fn base_names() {
        for (input, name) in
            [("a.c", "a.c"), ("/x/a.c", "a.c"), ("", "input"), ("/", "input"), ("..", "input"), ("a\0b", "input")]
        {
            assert_eq!(base_name(OsStr::new(input)), name);
        }
    }
}
