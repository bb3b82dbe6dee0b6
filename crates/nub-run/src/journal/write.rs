//! Writing a journal.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Write as _},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use super::{
    Conclusion, Event, Executed, FORMAT, Header, JournalError, Reader, Recording, Session, Source, line,
    read::MAGIC,
    record::{write_batch, write_decided, write_step},
};

/// A test that took this long is written at once: the `write`, about a microsecond, no longer matters. Shorter ones wait
/// for the next decision.
const WORTH_A_WRITE: Duration = Duration::from_millis(1);

/// How much may wait in memory.
const BUFFER: usize = 1 << 16;

/// How long a lock is waited for. A process that nub was about to start when it was killed has nub's files open until it
/// has become another program; whoever resumes at once must not be told that somebody is at work.
const LOCK_PATIENCE: Duration = Duration::from_secs(1);

/// A journal that is being written, and locked against other writers until it is dropped.
///
/// When a write fails, the file is cut back to its last whole record and everything unwritten stays in memory: a later
/// call tries again, so a disk that was full for a minute costs nothing.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Records that are not yet in the file.
    buffer: Vec<u8>,
    /// The length of the file up to its last whole record.
    written: u64,
    /// Whether part of a record may be in the file beyond `written`.
    torn: bool,
    executed: usize,
    step: Option<String>,
    /// The running time of all sessions before this one.
    before: Duration,
}

/// A decisive outcome, to be written.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a> {
    /// The name of the candidate in the algorithm.
    pub label: &'a str,
    /// The step that it belongs to.
    pub step: &'a str,
    /// How many units the candidate keeps.
    pub units: usize,
    /// The size of the candidate.
    pub bytes: usize,
    /// Where the outcome came from.
    pub source: Source,
}

impl Journal {
    /// Begins a new journal. The file must not exist: a journal is never overwritten.
    pub fn create(path: &Path, header: &Header) -> Result<Self, JournalError> {
        let file = OpenOptions::new().read(true).append(true).create_new(true).open(path).map_err(|error| {
            if error.kind() == io::ErrorKind::AlreadyExists {
                return JournalError::Exists { path: path.to_owned() };
            }
            JournalError::io(path, "create", error)
        })?;
        lock(path, &file)?;
        let mut journal = Self::new(path, file, 0);
        let result = journal.write_header(header);
        if result.is_err() {
            // It would only be in the way of the next attempt.
            journal.buffer.clear();
            let _ = std::fs::remove_file(path);
        }
        result.map(|()| journal)
    }

    /// Opens the journal of an earlier run to continue it: returns what it was started with and what it found out. A
    /// torn or damaged end is cut off ([`Recording::damage`] tells).
    ///
    /// Call [`session`](Self::session) with [`Event::Resumed`] once it is certain that the run goes on.
    pub fn resume(path: &Path) -> Result<(Header, Recording, Self), JournalError> {
        let io_error = |doing| move |error| JournalError::io(path, doing, error);
        let file = OpenOptions::new().read(true).append(true).open(path).map_err(io_error("open"))?;
        lock(path, &file)?;
        let mut reader = Reader::new(path, file.try_clone().map_err(io_error("open"))?)?;
        let (recording, usable) = Recording::read(&mut reader)?;
        if file.metadata().map_err(io_error("read"))?.len() != usable {
            file.set_len(usable).map_err(io_error("repair the end of"))?;
        }
        let mut journal = Self::new(path, file, usable);
        journal.executed = recording.executed();
        journal.step = recording.step().map(str::to_owned);
        journal.before = recording.running();
        Ok((reader.into_header(), recording, journal))
    }

    fn new(path: &Path, file: File, written: u64) -> Self {
        let (path, before) = (path.to_owned(), Duration::ZERO);
        Self { path, file, buffer: Vec::new(), written, torn: false, executed: 0, step: None, before }
    }

    fn write_header(&mut self, header: &Header) -> Result<(), JournalError> {
        let error = |error| JournalError::io(&self.path, "write", error);
        let json = serde_json::to_string(header).map_err(|e| error(e.into()))?;
        if json.len() > line::MAX_LINE / 2 {
            let message = "the command line and the settings are too long to be recorded";
            return Err(error(io::Error::new(io::ErrorKind::InvalidInput, message)));
        }
        self.record(|line| line.extend_from_slice(format!("{MAGIC}{FORMAT} {json}").as_bytes()));
        self.flush()
    }

    /// The name of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Records a test that was executed, and returns its number, for the [`Source`] of the decision that uses it.
    ///
    /// This cannot fail: if the record cannot be written now, it waits in memory, and the next
    /// [`decided`](Self::decided) or [`flush`](Self::flush) tries again and reports the failure.
    pub fn executed(&mut self, test: Executed) -> usize {
        let test = Executed { started: self.before.saturating_add(test.started), ..test };
        self.record(|line| test.write(line));
        if test.duration >= WORTH_A_WRITE || self.buffer.len() >= BUFFER {
            let _ = self.flush();
        }
        self.executed += 1;
        self.executed - 1
    }

    /// Records the outcomes of one batch, in its order, and hands all that is recorded so far to the kernel: from here
    /// on the death of this process loses nothing of it.
    pub fn decided(&mut self, batch: &[Decision<'_>]) -> Result<(), JournalError> {
        if batch.len() > 1 {
            self.record(|line| write_batch(batch.len(), line));
        }
        for &Decision { label, step, units, bytes, source } in batch {
            let executed = self.executed;
            debug_assert!(!matches!(source, Source::Executed(test) if test >= executed), "not executed: {source:?}");
            if self.step.as_deref() != Some(step) {
                self.record(|line| write_step(step, line));
                self.step = Some(step.to_owned());
            }
            self.record(|line| write_decided(source, executed, units, bytes, label, line));
        }
        self.flush()
    }

    /// Records that the run was resumed, interrupted or finished, `elapsed` after this session began.
    pub fn session(&mut self, event: Event, elapsed: Duration, reason: &str) -> Result<(), JournalError> {
        let unix = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let session = Session { event, unix, running: self.before.saturating_add(elapsed), reason: reason.to_owned() };
        self.record(|line| session.write(line));
        self.flush()
    }

    /// Records what this session ends with.
    pub fn conclude(&mut self, conclusion: &Conclusion) -> Result<(), JournalError> {
        self.record(|line| conclusion.write(line));
        self.flush()
    }

    /// Hands everything that is recorded to the kernel, in one `write`.
    pub fn flush(&mut self) -> Result<(), JournalError> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        self.write_out().map_err(|error| JournalError::io(&self.path, "write", error))
    }

    fn write_out(&mut self) -> io::Result<()> {
        if self.torn {
            self.file.set_len(self.written)?;
            self.torn = false;
        }
        if let Err(error) = self.file.write_all(&self.buffer) {
            // Part of it may be there. Records after half a record could never be read.
            self.torn = self.file.set_len(self.written).is_err();
            return Err(error);
        }
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Hands everything to the kernel and waits until it is on the disk. Not needed for a run that dies, only against a
    /// power cut, and it takes milliseconds.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.flush()?;
        self.file.sync_data().map_err(|error| JournalError::io(&self.path, "sync", error))
    }

    fn record(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.buffer.len();
        write(&mut self.buffer);
        line::seal(&mut self.buffer, start);
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // Whoever cares about the error has called `flush` before.
        let _ = self.flush();
    }
}

fn lock(path: &Path, file: &File) -> Result<(), JournalError> {
    let deadline = Instant::now() + LOCK_PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => thread::sleep(Duration::from_millis(20)),
            Err(TryLockError::WouldBlock) => return Err(JournalError::Busy { path: path.to_owned() }),
            // Some network file systems have no locks; better an unprotected journal there than none.
            Err(TryLockError::Error(error)) if is_unsupported(&error) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(JournalError::io(path, "lock", error)),
        }
    }
}

fn is_unsupported(error: &io::Error) -> bool {
    use rustix::io::Errno;
    matches!(Errno::from_io_error(error), Some(Errno::NOLCK | Errno::OPNOTSUPP | Errno::NOSYS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_is_about_to_be_released_is_waited_for() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let holder = file.reopen().unwrap();
        holder.lock().unwrap();
        let released = thread::spawn(move || {
            thread::sleep(Duration::from_millis(200));
            drop(holder);
        });
        lock(file.path(), &file.reopen().unwrap()).unwrap();
        released.join().unwrap();
    }
}
