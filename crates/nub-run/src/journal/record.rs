//! The records of a journal, and how they are written.

use std::{
    io::Write as _,
    str::{FromStr, SplitN},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use super::line::{escape, unescape};
use crate::{Fingerprint, Outcome};

/// One record, as read. The [module](super) describes the format.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Record {
    /// A test was executed.
    Executed(Executed),
    /// The decisions that follow belong to this step.
    Step(String),
    /// This many of the decisions that follow were one batch.
    Batch(usize),
    /// The search used an outcome.
    Decided(Decided),
    /// A session began or ended.
    Session(Session),
    /// The result of a session.
    Result(Conclusion),
}

/// A test that was executed, even if its outcome was never used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Executed {
    /// The fingerprint of the candidate.
    pub fingerprint: Fingerprint,
    /// The outcome of the test.
    pub outcome: Outcome,
    /// The size of the candidate.
    pub bytes: usize,
    /// When it started, in whole milliseconds. When written: since the session began. When read: in running time,
    /// summed over all sessions.
    pub started: Duration,
    /// How long it took, in whole microseconds.
    pub duration: Duration,
}

/// A known outcome of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The fingerprint of the candidate.
    pub fingerprint: Fingerprint,
    /// Its outcome.
    pub outcome: Outcome,
}

/// Where a decisive outcome came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// From the executed test with this number.
    Executed(usize),
    /// From a cache.
    Cached(Known),
}

/// A decisive outcome: one that the sequential algorithm needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Where the outcome came from.
    pub source: Source,
    /// How many units the candidate kept.
    pub units: usize,
    /// The size of the candidate.
    pub bytes: usize,
    /// The name of the candidate in the algorithm.
    pub label: String,
}

/// The beginning (except that of the first, which is the header) or the end of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// What happened.
    pub event: Event,
    /// When, in seconds since 1970.
    pub unix: u64,
    /// The running time at this point, summed over all sessions.
    pub running: Duration,
    /// Why, in words.
    pub reason: String,
}

/// The result of a session, and facts that nothing else in the journal records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conclusion {
    /// The fingerprint of the result. Formatting can make it differ from that of the last commit.
    pub fingerprint: Fingerprint,
    /// The size of the result.
    pub bytes: usize,
    /// The rest.
    pub notes: Notes,
}

/// Facts known at the end of a session that cannot be derived from the other records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Notes {
    /// The largest number of outcomes in the cache.
    pub cache_peak: usize,
    /// Tests that were cancelled in this session because they were no longer needed.
    pub cancelled: usize,
    /// The kinds of units for which the result is 1-minimal: no single one can be removed.
    pub minimal: Vec<String>,
    /// Whether this is only known for candidates that parse.
    pub only_valid: bool,
}

/// What happened to a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A run that had ended early was resumed.
    Resumed,
    /// The run ended early but was not killed: a signal, a limit, an error.
    Interrupted,
    /// The search had nothing left to try.
    Finished,
}

impl Event {
    /// The event's name in the journal.
    pub fn name(self) -> &'static str {
        match self {
            Self::Resumed => "resumed",
            Self::Interrupted => "interrupted",
            Self::Finished => "finished",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        [Self::Resumed, Self::Interrupted, Self::Finished].into_iter().find(|event| event.name() == name)
    }
}

impl Executed {
    /// When it ended, on the same clock as [`started`](Self::started).
    pub fn ended(&self) -> Duration {
        self.started.saturating_add(self.duration)
    }

    pub(super) fn write(&self, line: &mut Vec<u8>) {
        let Self { fingerprint, outcome, bytes, started, duration } = self;
        let (started, duration, outcome) = (whole(started.as_millis()), whole(duration.as_micros()), outcome.letter());
        put(line, format_args!("x {fingerprint} {outcome} {bytes} {started} {duration}"));
    }
}

pub(super) fn write_step(name: &str, line: &mut Vec<u8>) {
    put(line, format_args!("p {}", escape(name)));
}

pub(super) fn write_batch(len: usize, line: &mut Vec<u8>) {
    put(line, format_args!("b {len}"));
}

/// `executed` is the number of tests recorded so far, so that a reference to the last of them can be abbreviated.
pub(super) fn write_decided(
    source: Source,
    executed: usize,
    units: usize,
    bytes: usize,
    label: &str,
    line: &mut Vec<u8>,
) {
    match source {
        Source::Executed(index) if index + 1 == executed => put(line, format_args!("d .")),
        Source::Executed(index) => put(line, format_args!("d {index}")),
        Source::Cached(Known { fingerprint, outcome }) => {
            put(line, format_args!("d ={}{fingerprint}", outcome.letter()));
        }
    }
    put(line, format_args!(" {units} {bytes} {}", escape(label)));
}

impl Session {
    pub(super) fn write(&self, line: &mut Vec<u8>) {
        let Self { event, unix, running, reason } = self;
        put(line, format_args!("s {} {unix} {} {}", event.name(), whole(running.as_millis()), escape(reason)));
    }
}

impl Conclusion {
    pub(super) fn write(&self, line: &mut Vec<u8>) {
        let Self { fingerprint, bytes, notes } = self;
        let notes = serde_json::to_string(notes).unwrap_or_else(|_| "{}".to_owned());
        put(line, format_args!("r {fingerprint} {bytes} {}", escape(&notes)));
    }
}

/// A time, limited to what can be read back.
fn whole(time: u128) -> u64 {
    time.try_into().unwrap_or(u64::MAX)
}

fn put(line: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    line.write_fmt(text).expect("writing to a vector cannot fail");
}

/// What the body of a line can be.
pub(super) enum Parsed {
    Record(Record),
    /// From a later version: skip it.
    Unknown,
    /// It has a correct checksum but makes no sense.
    Nonsense,
}

/// Reads the body of a line; `executed` is the number of tests recorded before it.
pub(super) fn parse(body: &str, executed: usize) -> Parsed {
    let (letter, rest) = body.split_once(' ').unwrap_or((body, ""));
    let record = match letter {
        "x" => parse_executed(rest).map(Record::Executed),
        "p" => unescape(rest).map(Record::Step),
        "b" => number(rest).map(Record::Batch),
        "d" => parse_decided(rest, executed).map(Record::Decided),
        "s" => parse_session(rest).map(Record::Session),
        "r" => parse_conclusion(rest).map(Record::Result),
        _ => return Parsed::Unknown,
    };
    record.map_or(Parsed::Nonsense, Parsed::Record)
}

fn parse_executed(rest: &str) -> Option<Executed> {
    let mut fields = rest.splitn(5, ' ');
    Some(Executed {
        fingerprint: fields.next()?.parse().ok()?,
        outcome: outcome(fields.next()?)?,
        bytes: next_number(&mut fields)?,
        started: Duration::from_millis(next_number(&mut fields)?),
        duration: Duration::from_micros(next_number(&mut fields)?),
    })
}

fn parse_decided(rest: &str, executed: usize) -> Option<Decided> {
    let mut fields = rest.splitn(4, ' ');
    let source = fields.next()?;
    let source = if source == "." {
        Source::Executed(executed.checked_sub(1)?)
    } else if let Some(cached) = source.strip_prefix('=') {
        let (letter, fingerprint) = cached.split_at_checked(1)?;
        Source::Cached(Known { fingerprint: fingerprint.parse().ok()?, outcome: outcome(letter)? })
    } else {
        Source::Executed(number(source).filter(|&index| index < executed)?)
    };
    Some(Decided {
        source,
        units: next_number(&mut fields)?,
        bytes: next_number(&mut fields)?,
        label: unescape(fields.next()?)?,
    })
}

fn parse_session(rest: &str) -> Option<Session> {
    let mut fields = rest.splitn(4, ' ');
    Some(Session {
        event: Event::from_name(fields.next()?)?,
        unix: next_number(&mut fields)?,
        running: Duration::from_millis(next_number(&mut fields)?),
        reason: unescape(fields.next()?)?,
    })
}

fn parse_conclusion(rest: &str) -> Option<Conclusion> {
    let mut fields = rest.splitn(3, ' ');
    Some(Conclusion {
        fingerprint: fields.next()?.parse().ok()?,
        bytes: next_number(&mut fields)?,
        notes: serde_json::from_str(&unescape(fields.next()?)?).ok()?,
    })
}

fn next_number<T: FromStr>(fields: &mut SplitN<'_, char>) -> Option<T> {
    number(fields.next()?)
}

fn number<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

fn outcome(letter: &str) -> Option<Outcome> {
    let mut letters = letter.chars();
    let outcome = Outcome::from_letter(letters.next()?)?;
    letters.next().is_none().then_some(outcome)
}
