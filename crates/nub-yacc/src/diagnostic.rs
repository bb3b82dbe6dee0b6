//! Messages about a file: what is wrong, and where.

use std::{fmt, ops::Range};

/// How serious a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The grammar can be used, but not everything in it was understood.
    Warning,
    /// The grammar cannot be used.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// A message about a position in a file. Its `Display` form shows the line and points at the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1; 0 if the message is about the whole file.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The line itself.
    pub source_line: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it; empty if that is obvious.
    pub hint: String,
}

/// How much of a line is shown.
const WINDOW: usize = 160;

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{}: {}: {}", self.file, self.severity, self.message)?;
        } else {
            write!(f, "{}:{}:{}: {}: {}", self.file, self.line, self.column, self.severity, self.message)?;
            let number = self.line.to_string();
            let margin = " ".repeat(number.len());
            let start = if self.column > WINDOW { self.column - WINDOW / 2 } else { 0 };
            let shown: String = self.source_line.chars().skip(start).take(WINDOW).collect();
            // Tabs stay tabs, so that the caret lines up with its character at any tab width.
            let before = shown.chars().take((self.column - 1).saturating_sub(start));
            let indent: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            write!(f, "\n {number} | {shown}\n {margin} | {indent}^")?;
        }
        if self.hint.is_empty() { Ok(()) } else { write!(f, "\n  hint: {}", self.hint) }
    }
}

/// The reasons why a grammar cannot be used: one message per mistake.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.0.iter().map(Diagnostic::to_string).collect::<Vec<_>>().join("\n"))]
pub struct LoadError(pub Vec<Diagnostic>);

/// The text of a file, with its name.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Source {
    pub(crate) fn new(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), text: text.to_owned() }
    }

    /// The line of a position, from 1.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.text.as_bytes()[..at.min(self.text.len())].iter().filter(|&&byte| byte == b'\n').count() + 1
    }
}

/// How many messages of each severity are kept. More are not worth reading, and a file that is not a grammar has one
/// per word.
const LIMIT: usize = 50;

/// Collects messages about one file.
#[derive(Debug)]
pub(crate) struct Report<'a> {
    pub(crate) source: &'a Source,
    pub(crate) messages: Vec<Diagnostic>,
}

impl<'a> Report<'a> {
    pub(crate) fn new(source: &'a Source) -> Self {
        Self { source, messages: vec![] }
    }

    pub(crate) fn error(&mut self, span: &Range<usize>, message: impl Into<String>, hint: impl Into<String>) {
        self.add(Severity::Error, span, message.into(), hint.into());
    }

    pub(crate) fn warning(&mut self, span: &Range<usize>, message: impl Into<String>, hint: impl Into<String>) {
        self.add(Severity::Warning, span, message.into(), hint.into());
    }

    /// An error about the file as a whole.
    pub(crate) fn file_error(&mut self, message: impl Into<String>, hint: impl Into<String>) {
        self.messages.push(general(&self.source.name, message.into(), hint.into()));
    }

    fn add(&mut self, severity: Severity, span: &Range<usize>, message: String, hint: String) {
        if self.messages.iter().filter(|message| message.severity == severity).count() >= LIMIT {
            return;
        }
        let text = &self.source.text;
        let at = (0..=span.start.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
        let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
        self.messages.push(Diagnostic {
            severity,
            file: self.source.name.clone(),
            line: self.source.line(at),
            column: text[start..at].chars().count() + 1,
            source_line: text[start..end].trim_end_matches('\r').to_owned(),
            message,
            hint,
        });
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.messages.iter().any(|message| message.severity == Severity::Error)
    }
}

/// An error about a file as a whole.
pub(crate) fn general(file: &str, message: String, hint: String) -> Diagnostic {
    let (file, source_line) = (file.to_owned(), String::new());
    Diagnostic { severity: Severity::Error, file, line: 0, column: 0, source_line, message, hint }
}
