//! Reading a journal, record by record, up to the first line that is incomplete or damaged.

use std::{
    fmt,
    fs::File,
    io::{self, BufReader},
    path::{Path, PathBuf},
};

use super::{
    FORMAT, Header, JournalError, Record,
    line::{Line, Lines},
    record::{Parsed, parse},
};

pub(super) const MAGIC: &str = "nub-journal ";

/// Reads a journal one record at a time: an iterator that ends with the file, or before the first line that is
/// incomplete or damaged, which [`damage`](Self::damage) then describes. A journal that is still being written can be
/// read; it ends where the writer is.
///
/// An item is an error only if reading the file fails.
pub struct Reader {
    path: PathBuf,
    lines: Lines<BufReader<File>>,
    header: Header,
    executed: usize,
    damage: Option<Damage>,
    done: bool,
}

/// Where and why the readable part of a journal ends before its file does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The number of the first line that cannot be used, from 1.
    pub line: u64,
    /// Where that line begins, in bytes from the start of the file.
    pub offset: u64,
    /// What is wrong with it.
    pub what: &'static str,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} is {}; this line and everything after it is ignored", self.line, self.what)
    }
}

impl Reader {
    /// Opens a journal for reading.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let file = File::open(path).map_err(|error| JournalError::io(path, "open", error))?;
        Self::new(path, file)
    }

    /// Reads a file that is already open, from its start.
    pub(super) fn new(path: &Path, file: File) -> Result<Self, JournalError> {
        let mut lines = Lines::new(BufReader::with_capacity(1 << 16, file));
        let header = read_header(path, &mut lines)?;
        Ok(Self { path: path.to_owned(), lines, header, executed: 0, damage: None, done: false })
    }

    /// The header: what the run was started with.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// After the last record: the damage that cut the journal short, if any.
    pub fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }

    /// Where the part of the file that has been read and understood ends.
    pub(super) fn offset(&self) -> u64 {
        self.damage.as_ref().map_or(self.lines.offset(), |damage| damage.offset)
    }

    /// The number of the last line read, from 1.
    pub(super) fn line(&self) -> u64 {
        self.lines.number()
    }

    pub(super) fn into_header(self) -> Header {
        self.header
    }

    fn next_record(&mut self) -> io::Result<Option<Record>> {
        while !self.done {
            let offset = self.lines.offset();
            let what = match self.lines.next()? {
                Line::Body(body) => match parse(body, self.executed) {
                    Parsed::Record(record) => {
                        if matches!(record, Record::Executed(_)) {
                            self.executed += 1;
                        }
                        return Ok(Some(record));
                    }
                    Parsed::Unknown => continue,
                    Parsed::Nonsense => "not understood",
                },
                Line::Bad(what) => what,
                Line::End => {
                    self.done = true;
                    continue;
                }
            };
            self.done = true;
            self.damage = Some(Damage { line: self.lines.number(), offset, what });
        }
        Ok(None)
    }
}

impl Iterator for Reader {
    type Item = Result<Record, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        let result = self.next_record();
        // An error is reported once; an iterator that repeats it for ever is a trap.
        self.done |= result.is_err();
        result.map_err(|error| JournalError::io(&self.path, "read", error)).transpose()
    }
}

/// A whole journal in memory, as [`read`] returns it.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    /// The header: what the run was started with.
    pub header: Header,
    /// All records, in order.
    pub records: Vec<Record>,
    /// The damage that cut it short, if any.
    pub damage: Option<Damage>,
}

/// Reads a whole journal, for instance for a report. [`Reader`] does the same without keeping it in memory.
pub fn read(path: &Path) -> Result<Contents, JournalError> {
    let mut reader = Reader::open(path)?;
    let records = reader.by_ref().collect::<Result<_, _>>()?;
    Ok(Contents { records, damage: reader.damage, header: reader.header })
}

fn read_header(path: &Path, lines: &mut Lines<BufReader<File>>) -> Result<Header, JournalError> {
    let bad = |what: String| JournalError::BadHeader { path: path.to_owned(), what };
    let line = lines.next().map_err(|error| JournalError::io(path, "read", error))?;
    let (body, what) = match line {
        Line::Body(body) => (Some(body.to_owned()), ""),
        Line::Bad(what) => (None, what),
        Line::End => return Err(bad("missing (the file is empty)".to_owned())),
    };
    let raw = lines.raw();
    let magic = MAGIC.as_bytes();
    if !raw.starts_with(&magic[..magic.len().min(raw.len())]) {
        return Err(JournalError::NotAJournal { path: path.to_owned() });
    }
    // Before the checksum: another format may have another kind of it.
    if let Some(format) = format_of(raw).filter(|&format| format != u64::from(FORMAT)) {
        return Err(JournalError::OtherFormat { path: path.to_owned(), format, nub: writer_of(raw) });
    }
    let body = body.ok_or_else(|| bad(what.to_owned()))?;
    let json = body.strip_prefix(MAGIC).and_then(|rest| rest.split_once(' ')).map_or("", |(_, json)| json);
    serde_json::from_str(json).map_err(|error| bad(format!("not understood ({error})")))
}

/// The version of nub in a header of any format, as far as it is still JSON that begins as ours does.
fn writer_of(line: &[u8]) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Writer {
        nub: String,
    }
    let start = line.iter().position(|&byte| byte == b'{')?;
    let mut values = serde_json::Deserializer::from_slice(&line[start..]).into_iter::<Writer>();
    values.next()?.ok().map(|writer| writer.nub)
}

/// The number after the magic word, if it is followed by a space.
fn format_of(line: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(MAGIC.as_bytes())?;
    let digits = &rest[..rest.iter().position(|&byte| byte == b' ')?];
    std::str::from_utf8(digits).ok()?.parse().ok()
}
