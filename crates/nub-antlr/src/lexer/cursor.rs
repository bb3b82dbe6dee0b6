//! The position of a lexer and its results so far.

use crate::{
    atn::EOF,
    input::Input,
    token::{Origin, SyntaxError, Token},
};

/// A match that is discarded.
pub(crate) const SKIP: i32 = -3;
/// A match that is only the beginning of a token.
pub(crate) const MORE: i32 = -2;

/// The state of a running lexer. Built-in semantics of actions change it as the Java code of a grammar would.
#[derive(Debug)]
pub struct Cursor<'a> {
    /// The input.
    pub input: &'a Input<'a>,
    /// The position of the next character.
    pub position: usize,
    /// The line of the next character, from 1.
    pub line: u32,
    /// The column of the next character, from 0.
    pub column: u32,
    /// The mode.
    pub mode: usize,
    /// The modes to go back to.
    pub modes: Vec<usize>,
    /// The type the token will have; 0 if its rule decides.
    pub kind: i32,
    /// The channel the token will have.
    pub channel: u32,
    /// Where the token begins.
    pub start: Place,
    /// The tokens so far.
    pub tokens: Vec<Token>,
    /// The errors so far.
    pub errors: Vec<SyntaxError>,
    /// If not empty, the match becomes these tokens: a type (`None`: skipped), and the position after it.
    pub pieces: Vec<(Option<i32>, usize)>,
}

/// A place in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// In characters.
    pub position: usize,
    /// From 1.
    pub line: u32,
    /// From 0.
    pub column: u32,
}

/// A lexer as a predicate sees it.
#[derive(Debug)]
pub struct Looking<'c, 'a> {
    /// The lexer at the start of its match.
    pub cursor: &'c Cursor<'a>,
    /// The position up to which the input counts as read.
    pub position: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(input: &'a Input<'a>, mode: usize) -> Self {
        Self {
            input,
            position: 0,
            line: 1,
            column: 0,
            mode,
            modes: Vec::new(),
            kind: 0,
            channel: 0,
            start: Place { position: 0, line: 1, column: 0 },
            tokens: Vec::new(),
            errors: Vec::new(),
            pieces: Vec::new(),
        }
    }

    /// The character at a distance: 1 is the next, -1 the previous one.
    pub fn ahead(&self, distance: isize) -> i32 {
        at_distance(self.input, self.position, distance)
    }

    /// Whether everything has been read.
    pub fn at_end(&self) -> bool {
        self.position >= self.input.len()
    }

    /// The text of the token so far.
    pub fn text(&self) -> String {
        self.input.text(self.start.position, self.position)
    }

    /// Reads up to a position.
    pub fn advance(&mut self, position: usize) {
        let Place { position, line, column } = walk(self.input, self.place(), position);
        (self.position, self.line, self.column) = (position, line, column);
    }

    /// Switches to another mode and remembers the current one.
    pub fn push_mode(&mut self, mode: usize) {
        self.modes.push(std::mem::replace(&mut self.mode, mode));
    }

    /// Returns to the remembered mode; without one, stays in the current mode.
    pub fn pop_mode(&mut self) {
        if let Some(mode) = self.modes.pop() {
            self.mode = mode;
        }
    }

    /// Discards the token.
    pub fn skip(&mut self) {
        self.kind = SKIP;
    }

    pub(super) fn looking(&self, position: usize) -> Looking<'_, 'a> {
        Looking { cursor: self, position }
    }

    pub(super) fn place(&self) -> Place {
        Place { position: self.position, line: self.line, column: self.column }
    }

    pub(super) fn go_back(&mut self, position: usize) {
        self.position = position;
    }

    pub(super) fn restore(&mut self, place: Place) {
        (self.position, self.line, self.column) = (place.position, place.line, place.column);
    }

    /// Whether a token was begun with `more` and is not finished.
    pub(super) fn unfinished(&self) -> bool {
        self.start.position < self.position
    }

    fn push(&mut self, kind: i32, channel: u32, end: usize, origin: Origin) {
        let Place { position, line, column } = self.start;
        let byte = |position| u32::try_from(self.input.offset(position)).unwrap_or(u32::MAX);
        let (start, end_byte) = (byte(position), byte(end));
        self.tokens.push(Token { kind, channel, start, end: end_byte, line, column, origin });
        self.start = if end == self.position { self.place() } else { walk(self.input, self.start, end) };
    }

    /// Emits the matched token.
    pub(crate) fn emit(&mut self) {
        let pieces = std::mem::take(&mut self.pieces);
        let (kind, channel, end) = (self.kind, self.channel, self.position);
        for &(kind, end) in &pieces {
            match kind {
                Some(kind) => self.push(kind, channel, end, Origin::Matched),
                None => self.push(0, 0, end, Origin::Skipped),
            }
        }
        if pieces.is_empty() || self.start.position < end {
            match kind {
                SKIP => self.push(0, 0, end, Origin::Skipped),
                kind => self.push(kind, channel, end, Origin::Matched),
            }
        }
        self.channel = 0;
    }

    /// No rule matches: everything from the start of the token through the character at a position is an error.
    pub(super) fn fail(&mut self, position: usize) {
        let end = (position + 1).min(self.input.len());
        let text = escape(&self.input.text(self.start.position, end));
        let Place { line, column, .. } = self.start;
        let message = format!("token recognition error at: '{text}'");
        self.errors.push(SyntaxError { line, column, message });
        self.advance(end);
        self.push(0, 0, end, Origin::Error);
        self.channel = 0;
    }

    /// The input ends in the middle of a token that was begun with `more`.
    pub(super) fn abandon(&mut self) {
        self.push(0, 0, self.position, Origin::Error);
    }

    /// Inserts a token without text here.
    pub fn insert(&mut self, kind: i32) {
        self.push(kind, 0, self.position, Origin::Matched);
    }

    pub(super) fn finish(&mut self) {
        let byte = u32::try_from(self.input.offset(self.position)).unwrap_or(u32::MAX);
        self.tokens.push(Token::end_of_input(byte, self.line, self.column));
    }
}

impl Looking<'_, '_> {
    /// The character at a distance: 1 is the next, -1 the previous one.
    pub fn ahead(&self, distance: isize) -> i32 {
        at_distance(self.cursor.input, self.position, distance)
    }

    /// The place up to which the input counts as read.
    pub fn place(&self) -> Place {
        walk(self.cursor.input, self.cursor.place(), self.position)
    }

    /// The text of the token so far.
    pub fn text(&self) -> String {
        self.cursor.input.text(self.cursor.start.position, self.position)
    }
}

fn at_distance(input: &Input<'_>, position: usize, distance: isize) -> i32 {
    let moved = if distance > 0 { distance - 1 } else { distance };
    position.checked_add_signed(moved).map_or(EOF, |position| input.at(position))
}

fn walk(input: &Input<'_>, from: Place, to: usize) -> Place {
    let mut place = from;
    while place.position < to.min(input.len()) {
        if input.at(place.position) == i32::from(b'\n') {
            place.line += 1;
            place.column = 0;
        } else {
            place.column += 1;
        }
        place.position += 1;
    }
    place
}

/// Line breaks and tabs as messages show them.
pub(crate) fn escape(text: &str) -> String {
    text.replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t")
}
