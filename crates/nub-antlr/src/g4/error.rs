//! Messages about mistakes in a grammar, with their places.

use std::fmt;

use super::{ast::Span, source::Sources};

/// How serious a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The grammar can be used.
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

/// A message about a place in a grammar. Its `Display` shows the line and points at the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1; 0 if the message is about the whole file.
    pub line: u32,
    /// The column in characters, from 1; 0 if the message is about the whole file.
    pub column: u32,
    /// How many characters of the line are marked.
    pub length: u32,
    /// The line itself.
    pub source_line: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{}: {}: {}", self.file, self.severity, self.message)?;
        } else {
            write!(f, "{}:{}:{}: {}: {}", self.file, self.line, self.column, self.severity, self.message)?;
            let number = self.line.to_string();
            let margin = " ".repeat(number.len());
            let (shown, indent, length) = self.window();
            let caret = "^".repeat(length);
            write!(f, "\n {number} | {shown}\n {margin} | {indent}{caret}")?;
        }
        match &self.hint {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

/// How many characters of a line are shown.
const WINDOW: usize = 160;

impl Diagnostic {
    /// The part of the line to show, the text before the caret below it, and how many characters the caret marks.
    fn window(&self) -> (String, String, usize) {
        let column = self.column as usize - 1;
        let start = if self.source_line.chars().count() > WINDOW { column.saturating_sub(WINDOW / 2) } else { 0 };
        let shown: String = self.source_line.chars().skip(start).take(WINDOW).collect();
        // Tabs stay tabs, so that the caret is below its character at any tab width.
        let before = shown.chars().take(column - start);
        let indent = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let length = (self.length.max(1) as usize).min(WINDOW - (column - start));
        (shown, indent, length)
    }

    /// Adds advice to a message.
    pub(crate) fn hint(&mut self, hint: impl Into<String>) {
        self.hint = Some(hint.into());
    }
}

/// How many messages of each severity are kept. More help no one, and a file that is not a grammar has one per
/// character.
const LIMIT: usize = 100;

/// Collects messages.
#[derive(Debug, Default)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    warnings: usize,
    errors: usize,
    /// A sink for messages beyond the limit.
    dropped: Option<Diagnostic>,
    incomplete: bool,
}

impl Report {
    pub(crate) fn error(&mut self, sources: &Sources, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.add(sources, Severity::Error, span, message.into())
    }

    pub(crate) fn warning(&mut self, sources: &Sources, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.add(sources, Severity::Warning, span, message.into())
    }

    /// An error about a file as a whole, or about one that could not be read.
    pub(crate) fn file_error(&mut self, file: impl Into<String>, message: impl Into<String>) -> &mut Diagnostic {
        self.push(general(Severity::Error, file.into(), message.into()))
    }

    fn add(&mut self, sources: &Sources, severity: Severity, span: Span, message: String) -> &mut Diagnostic {
        if self.is_full(severity) {
            return self.push(general(severity, String::new(), message));
        }
        let source = sources.get(span.file);
        let place = source.place(span.start, span.end);
        self.push(Diagnostic {
            severity,
            file: source.name().to_owned(),
            line: place.line,
            column: place.column,
            length: place.length,
            source_line: place.text.to_owned(),
            message,
            hint: None,
        })
    }

    fn push(&mut self, diagnostic: Diagnostic) -> &mut Diagnostic {
        if self.is_full(diagnostic.severity) {
            return self.dropped.insert(diagnostic);
        }
        *match diagnostic.severity {
            Severity::Warning => &mut self.warnings,
            Severity::Error => &mut self.errors,
        } += 1;
        self.diagnostics.push(diagnostic);
        self.diagnostics.last_mut().expect("just pushed")
    }

    fn is_full(&self, severity: Severity) -> bool {
        match severity {
            Severity::Warning => self.warnings >= LIMIT,
            Severity::Error => self.errors >= LIMIT,
        }
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Part of a file could not be understood, so its definitions are unknown.
    pub(crate) fn set_incomplete(&mut self) {
        self.incomplete = true;
    }

    pub(crate) fn is_incomplete(&self) -> bool {
        self.incomplete
    }

    /// All messages, sorted by place.
    pub(crate) fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        self.diagnostics
    }
}

/// A message without a place.
fn general(severity: Severity, file: String, message: String) -> Diagnostic {
    let source_line = String::new();
    Diagnostic { severity, file, line: 0, column: 0, length: 0, source_line, message, hint: None }
}
