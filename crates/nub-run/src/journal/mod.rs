//! The journal: every outcome of a run, written down as it comes, so that a run can be *resumed* and *reported*.
//!
//! A search is a pure function of the outcomes it is given. So nothing of its state has to be saved: to resume, build
//! the same search from the same input and give it the recorded outcomes in their order; no test runs until they are
//! used up. What had been executed ahead of its turn (speculation) is handed over as known outcomes.
//!
//! ```
//! use nub_run::{Fingerprint, Outcome, journal::{Decision, Executed, Header, Journal, Source}};
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("run.journal");
//! let header = Header::new("/home/me/crash.c", b"int a;\nint b;\n");
//! let mut journal = Journal::create(&path, &header)?;
//! let test = journal.executed(Executed {
//!     fingerprint: Fingerprint::of_bytes(b"int a;\n"),
//!     outcome: Outcome::Interesting,
//!     bytes: 7,
//!     started: std::time::Duration::ZERO,
//!     duration: std::time::Duration::from_micros(1500),
//! });
//! let source = Source::Executed(test);
//! journal.decided(&[Decision { label: "r0_s0", step: "line", units: 1, bytes: 7, source }])?;
//! drop(journal); // or kill -9
//!
//! let (header, recording, journal) = Journal::resume(&path)?;
//! for batch in recording.batches() {
//!     // search.propose(), compare the fingerprints, search.answer(…)
//!     assert_eq!(batch[0].known.outcome, Outcome::Interesting);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The format, version 1
//!
//! UTF-8 text, one record per line. Every line ends with a blank and the CRC-32 (IEEE) of what is before that blank, as
//! eight lower-case hexadecimal digits, and a newline. Fields are separated by one blank; numbers are decimal. A text
//! (label, step, reason) is the last field of its line, reaches to the checksum, and may contain blanks; `%` and control
//! characters in it are written as `%` and two hexadecimal digits.
//!
//! | line | meaning |
//! |---|---|
//! | `nub-journal 1 JSON` | the first line: the format's version and the [`Header`] |
//! | `x FINGERPRINT OUTCOME BYTES STARTED DURATION` | a test was executed: [fingerprint](crate::Fingerprint) of the candidate, [letter](crate::Outcome::letter) of the outcome, size of the candidate, start in milliseconds of running time, duration in microseconds. Tests are numbered from 0 in the order of their `x` lines |
//! | `p NAME` | the decisions that follow belong to this step |
//! | `b N` | the next N decisions were one batch. Without it a decision is a batch of its own |
//! | `d SOURCE UNITS BYTES LABEL` | the next decisive outcome, in the order of the sequential algorithm: units and bytes of the candidate, its label. SOURCE is `.` for the last `x` line before, a number for the `x` line of that number, `=` followed by an outcome letter and a fingerprint for a outcome from the cache |
//! | `s EVENT UNIX RUNNING REASON` | a session was `resumed`, `interrupted` or `finished`: Unix time in seconds, running time in milliseconds, reason for people (may be empty) |
//! | `r FINGERPRINT BYTES JSON` | what a session that ended in an orderly way ended with: fingerprint and size of its result, and [what cannot be counted](Notes) from the lines before |
//!
//! *Running time* is the time nub was at work, over all sessions; the pauses between them do not count. A session that
//! was killed has no closing `s`, and its time ends with its last `x`.
//!
//! A line with a right checksum and an unknown first letter is skipped, so later versions can add records without
//! locking out older readers; whatever changes the meaning of a replay changes the version. Between `b N` and its last
//! `d` only `p` and unknown lines may stand; a batch counts when it is complete.
//!
//! # What survives what
//!
//! A batch of decisions, and with it everything before, is handed to the kernel in one `write` as soon as it is decided:
//! the death of the process (`kill -9`, out of memory) loses nothing that was decided. The journal is *not* synced to
//! the disk at every outcome, which would cost more than most tests; after a power cut the last seconds of it may be
//! missing or garbage. Reading stops at the first line that is incomplete or has a wrong checksum, resuming cuts the file
//! there, and the tests after it run again. The best result itself does not depend on this: it is in a synced file of
//! its own ([`best`](crate::best)).

mod error;
mod header;
mod history;
mod line;
mod read;
mod record;
mod recording;
mod write;

pub use error::JournalError;
pub use header::{Difference, Header};
pub use history::{Commit, History, Moment, State, Step, Visit};
pub use read::{Contents, Damage, Reader, read};
pub use record::{Conclusion, Decided, Event, Executed, Known, Notes, Record, Session, Source};
pub use recording::{Batches, Leftover, Recording, Replayed};
pub use write::{Decision, Journal};

/// The version of the format that this nub writes, and the only one that it reads.
pub const FORMAT: u32 = 1;
