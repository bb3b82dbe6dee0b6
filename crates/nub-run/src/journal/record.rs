//! The records of a journal, and their spelling.

use std::{
    io::Write as _,
    str::{FromStr, SplitN},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use super::line::{escape, unescape};
use crate::{Fingerprint, Outcome};

/// One record, as read. The [module](super) describes how they are written.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Record {
    /// A test was executed.
    Executed(Executed),
    /// The decisions that follow belong to this step.
    Step(String),
    /// That many of the decisions that follow were one batch.
    Batch(usize),
    /// A outcome was used by the search.
    Decided(Decided),
    /// A session began or ended.
    Session(Session),
    /// What a session ended with.
    Result(Conclusion),
}

/// A test that was executed, whether or not its outcome was ever used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Executed {
    /// The fingerprint of the candidate.
    pub fingerprint: Fingerprint,
    /// What the test said.
    pub outcome: Outcome,
    /// The size of the candidate.
    pub bytes: usize,
    /// When it started, kept in whole milliseconds. To write: since the session began. As read: in running time, the
    /// sum over all sessions.
    pub started: Duration,
    /// How long it took, kept in whole microseconds.
    pub duration: Duration,
}

/// A outcome on a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The fingerprint of the candidate.
    pub fingerprint: Fingerprint,
    /// What is known about it.
    pub outcome: Outcome,
}

/// Where a decisive outcome came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// From the executed test of that number.
    Executed(usize),
    /// From a cache.
    Cached(Known),
}

/// A decisive outcome: one that the sequential algorithm asked for.
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

/// The beginning (but for the first, which is the header) or the end of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// What happened.
    pub event: Event,
    /// When, in seconds since 1970.
    pub unix: u64,
    /// After how much running time, the sum over all sessions.
    pub running: Duration,
    /// Why, for people.
    pub reason: String,
}

/// What a session ended with, and what nothing else in the journal tells about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conclusion {
    /// The fingerprint of the result. Formatting may have made it another than that of the last commit.
    pub fingerprint: Fingerprint,
    /// The size of the result.
    pub bytes: usize,
    /// The rest.
    pub notes: Notes,
}

/// What a session knows at its end and nobody can count from the other records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Notes {
    /// How many outcomes the cache held at most.
    pub cache_peak: usize,
    /// Tests that were cancelled in this session because nobody needed them any more.
    pub cancelled: usize,
    /// Units of which not a single one can go.
    pub minimal: Vec<String>,
    /// Whether that is known only of what parses.
    pub only_valid: bool,
}

/// What happened to a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A run that had ended early was taken up again.
    Resumed,
    /// It ended early, in an orderly way: a signal, a limit, an error.
    Interrupted,
    /// The search had nothing left to try.
    Finished,
}

impl Event {
    /// The event in the words of the journal.
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
    /// When it ended, in the time that [`started`](Self::started) is in.
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

/// `executed` is how many tests are recorded so far, so that the last of them can be written short.
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

/// As much of a time as can be read again.
fn whole(time: u128) -> u64 {
    time.try_into().unwrap_or(u64::MAX)
}

fn put(line: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    line.write_fmt(text).expect("a vector takes everything");
}

/// What the body of a line can be.
pub(super) enum Parsed {
    Record(Record),
    /// Of a later version: skip it.
    Unknown,
    /// It has the right checksum, and yet no sense.
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
