//! What a report is about.

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
    /// Whether the run could go on, if it is not finished: its journal stays.
    pub resumable: bool,
}

/// A text that may be gone.
#[derive(Clone, Debug)]
pub enum Text {
    /// Its bytes.
    Known(Vec<u8>),
    /// Why it is not known, in words for people.
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

    /// The size of the result. It is in the journal, whether or not the result itself is still there.
    pub fn bytes_after(&self) -> usize {
        self.history.result().map_or(self.bytes_before(), |(_, bytes)| bytes)
    }

    /// The last part of the input's name.
    pub fn name(&self) -> String {
        let input = &self.header.input;
        input.file_name().unwrap_or(input.as_os_str()).to_string_lossy().into_owned()
    }

    /// How the run stands, in one word.
    pub fn state(&self) -> &'static str {
        match self.history.state() {
            State::Finished => "finished",
            State::Interrupted(_) => "interrupted",
            State::Open => "open",
        }
    }
}
