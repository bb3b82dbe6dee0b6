//! The subject of a report.

use nub_run::journal::{Header, History, State};

/// A run, and the texts it began and ended with.
#[derive(Clone, Debug)]
pub struct Run {
    /// What it was started with.
    pub header: Header,
    /// What happened.
    pub history: History,
    /// The original input.
    pub original: Text,
    /// The result, or the best so far.
    pub result: Text,
    /// Whether an unfinished run can be resumed, because its journal is kept.
    pub resumable: bool,
}

/// A text that may no longer exist.
#[derive(Clone, Debug)]
pub enum Text {
    /// Its bytes.
    Known(Vec<u8>),
    /// Why it is not known, in words.
    Missing(String),
}

impl Text {
    /// The bytes, if they are known.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Known(bytes) => Some(bytes),
            Self::Missing(_) => None,
        }
    }
}

impl Run {
    /// The size of the original.
    pub fn bytes_before(&self) -> usize {
        usize::try_from(self.header.input_len).unwrap_or(usize::MAX)
    }

    /// The size of the result. The journal contains it, even if the result itself no longer exists.
    pub fn bytes_after(&self) -> usize {
        self.history.result().map_or(self.bytes_before(), |(_, bytes)| bytes)
    }

    /// The last component of the input's path.
    pub fn name(&self) -> String {
        let input = &self.header.input;
        input.file_name().unwrap_or(input.as_os_str()).to_string_lossy().into_owned()
    }

    /// The state of the run, in one word.
    pub fn state(&self) -> &'static str {
        match self.history.state() {
            State::Finished => "finished",
            State::Interrupted(_) => "interrupted",
            State::Open => "open",
        }
    }
}
