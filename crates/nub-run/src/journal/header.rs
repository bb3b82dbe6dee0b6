//! The first line of a journal: what was reduced, and how.

use std::{
    ffi::OsString,
    fmt,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::JournalError;
use crate::Fingerprint;

/// What a run was started with: everything needed to build the same search again, and to describe the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of nub that started the run.
    pub nub: String,
    /// When it was started, in seconds since 1970.
    pub created: u64,
    /// The input. Absolute, so that a run can be resumed from any directory; not resolved, because the backup of an
    /// input that is a symbolic link is next to the link.
    #[serde(with = "lossless")]
    pub input: PathBuf,
    /// The size of the original input in bytes.
    pub input_len: u64,
    /// The fingerprint of the original input.
    pub fingerprint: Fingerprint,
    /// Everything that determines the course of the search, as an object: a run can only be resumed with the same
    /// settings.
    pub settings: Value,
    /// The command line, for display.
    pub command: Vec<String>,
    /// Where the best result goes; `None` for standard output.
    #[serde(with = "lossless_option", default)]
    pub output: Option<PathBuf>,
    /// Whether the result replaces the input.
    pub in_place: bool,
    /// How long the test of the original took, in microseconds: a resumed run does not test it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_micros: Option<u64>,
    /// How many tests ran at a time in the first session. This affects the pace of the search, not its course.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<usize>,
}

impl Header {
    /// The header of a run that starts now and reduces `input`, which contains `original`, in place and without any
    /// settings; the caller fills in the other fields.
    pub fn new(input: impl Into<PathBuf>, original: &[u8]) -> Self {
        let input = input.into();
        Self {
            nub: env!("CARGO_PKG_VERSION").to_owned(),
            // A clock before 1970 is wrong anyway, and no reason not to reduce.
            created: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            input_len: original.len() as u64,
            fingerprint: Fingerprint::of_bytes(original),
            settings: Value::Object(serde_json::Map::new()),
            command: Vec::new(),
            output: Some(input.clone()),
            in_place: true,
            check_micros: None,
            jobs: None,
            input,
        }
    }

    /// Where `settings` differ from the recorded ones, by key; `outer.inner` is a key in the object at `outer`.
    pub fn differences(&self, settings: &Value) -> Vec<Difference> {
        let mut differences = Vec::new();
        compare("", Some(&self.settings), Some(settings), &mut differences);
        differences
    }

    /// Refuses settings other than the recorded ones, and names the differences. `journal` is the journal's path, for
    /// the message.
    pub fn check_settings(&self, journal: &Path, settings: &Value) -> Result<(), JournalError> {
        let differences = self.differences(settings);
        if differences.is_empty() {
            return Ok(());
        }
        Err(JournalError::OtherSettings { path: journal.to_owned(), differences })
    }
}

/// A setting that differs from the recorded one.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The name of the setting.
    pub key: String,
    /// Its value in the journal, if it was recorded.
    pub recorded: Option<Value>,
    /// Its current value, if it has one.
    pub now: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, recorded, now } = self;
        match (recorded, now) {
            (Some(recorded), Some(now)) => write!(f, "`{key}` was {recorded} and is now {now}"),
            (Some(recorded), None) => write!(f, "`{key}` was {recorded} and is now not set"),
            (None, Some(now)) => write!(f, "`{key}` was not set and is now {now}"),
            (None, None) => write!(f, "`{key}`"),
        }
    }
}

fn compare(key: &str, recorded: Option<&Value>, now: Option<&Value>, differences: &mut Vec<Difference>) {
    if let (Some(Value::Object(old)), Some(Value::Object(new))) = (recorded, now) {
        let mut keys: Vec<&String> = old.keys().chain(new.keys()).collect();
        keys.sort_unstable();
        keys.dedup();
        for inner in keys {
            let key = if key.is_empty() { inner.clone() } else { format!("{key}.{inner}") };
            compare(&key, old.get(inner), new.get(inner), differences);
        }
    } else if recorded != now {
        differences.push(Difference { key: key.to_owned(), recorded: recorded.cloned(), now: now.cloned() });
    }
}

/// A path as JSON: a string if it is UTF-8, as almost every path is, and otherwise an array of its bytes.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Lossless {
    Text(String),
    Bytes(Vec<u8>),
}

impl From<&PathBuf> for Lossless {
    fn from(path: &PathBuf) -> Self {
        match path.to_str() {
            Some(text) => Self::Text(text.to_owned()),
            None => Self::Bytes(path.as_os_str().as_bytes().to_vec()),
        }
    }
}

impl From<Lossless> for PathBuf {
    fn from(path: Lossless) -> Self {
        match path {
            Lossless::Text(text) => text.into(),
            Lossless::Bytes(bytes) => OsString::from_vec(bytes).into(),
        }
    }
}

mod lossless {
    use super::{Deserialize, Deserializer, Lossless, PathBuf, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(path: &PathBuf, serializer: S) -> Result<S::Ok, S::Error> {
        Lossless::from(path).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
        Lossless::deserialize(deserializer).map(PathBuf::from)
    }
}

mod lossless_option {
    use super::{Deserialize, Deserializer, Lossless, PathBuf, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
        path.as_ref().map(Lossless::from).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
        Ok(Option::<Lossless>::deserialize(deserializer)?.map(PathBuf::from))
    }
}
