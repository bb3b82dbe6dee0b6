//! From bytes to the items of a document: tags, texts, references, comments and so on.
//!
//! Any bytes are accepted. Invalid markup counts as an error and becomes an item, as small as possible, because XML may
//! follow it.

use super::{
    cursor::{Cursor, find, is_blank, is_proper_name, starts_name},
    doctype::Doctype,
};
use std::{collections::HashSet, ops::Range};

/// An item.
#[derive(Debug)]
pub(super) enum Item {
    /// Text without markup and references.
    Text(Range<usize>),
    /// `&name;` or `&#number;`.
    Reference(Range<usize>),
    Comment(Range<usize>),
    CData(Range<usize>),
    /// `<?target …?>`
    Instruction {
        whole: Range<usize>,
        target: Range<usize>,
    },
    /// `<?xml …?>`
    Declaration(Declaration),
    Doctype(Box<Doctype>),
    /// A start tag. Its attributes are in [`Items::attributes`].
    Start(Start),
    End {
        whole: Range<usize>,
        name: Range<usize>,
    },
    /// Not XML.
    Junk(Range<usize>),
}

/// A start tag, or the tag of an element without content.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) whole: Range<usize>,
    pub(super) name: Range<usize>,
    /// The position of `>` or `/>`.
    pub(super) close: usize,
    pub(super) empty: bool,
}

/// An attribute, with the blank before it.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub(super) whole: Range<usize>,
    pub(super) name: Range<usize>,
    /// The text between the quotation marks. `None` if the attribute is malformed.
    pub(super) value: Option<Range<usize>>,
}

/// The XML declaration. Its parts include the blank before them.
#[derive(Clone, Debug)]
pub(super) struct Declaration {
    pub(super) whole: Range<usize>,
    pub(super) version: Attribute,
    pub(super) encoding: Option<Attribute>,
    pub(super) standalone: Option<Attribute>,
}

/// The items of a text.
#[derive(Debug)]
pub(super) struct Items<'a> {
    text: &'a [u8],
    at: usize,
    /// The attributes of the last start tag.
    pub(super) attributes: Vec<Attribute>,
    /// The number of errors so far.
    pub(super) errors: usize,
    /// Whether names must be valid UTF-8.
    utf8: bool,
    /// The only position where a declaration is allowed.
    first: usize,
}

/// Up to how many attributes are compared pairwise.
const FEW: usize = 12;

impl<'a> Items<'a> {
    /// The items of a document or of an entity's text, starting at a position.
    pub(super) fn new(text: &'a [u8], at: usize) -> Self {
        Self { text, at, attributes: vec![], errors: 0, utf8: true, first: at }
    }

    /// From now on, names are in an unknown encoding.
    pub(super) fn any_names(&mut self) {
        self.utf8 = false;
    }

    fn slice(&self, range: &Range<usize>) -> &'a [u8] {
        &self.text[range.clone()]
    }

    fn wrong(&mut self, is_wrong: bool) {
        self.errors += usize::from(is_wrong);
    }

    fn check_name(&mut self, name: &Range<usize>) {
        let name = self.slice(name);
        self.wrong(self.utf8 && !name.is_ascii() && !is_proper_name(name));
    }

    fn junk(&mut self, length: usize) -> Item {
        self.errors += 1;
        let start = self.at;
        self.at += length;
        Item::Junk(start..self.at)
    }

    fn reference(&mut self) -> Option<Item> {
        let whole = reference(self.text, self.at)?;
        self.at = whole.end;
        Some(Item::Reference(whole))
    }

    fn text(&mut self) -> Item {
        let start = self.at;
        let length = self.text[start..].iter().position(|&byte| matches!(byte, b'<' | b'&'));
        self.at = length.map_or(self.text.len(), |length| start + length);
        self.wrong(find(&self.text[..self.at], start, b"]]>").is_some());
        Item::Text(start..self.at)
    }

    fn markup(&mut self) -> Option<Item> {
        let mut cursor = Cursor::new(self.text, self.at);
        let start = self.at;
        let item = match self.text.get(start + 1)? {
            b'!' if cursor.literal(b"<!--") => {
                let end = cursor.until(b"-->")?;
                let body = &self.text[start + 4..end];
                self.wrong(body.ends_with(b"-") || find(body, 0, b"--").is_some());
                Item::Comment(start..cursor.at)
            }
            b'!' if cursor.literal(b"<![CDATA[") => {
                cursor.until(b"]]>")?;
                Item::CData(start..cursor.at)
            }
            b'!' if cursor.literal(b"<!DOCTYPE") => {
                let (doctype, errors) = Doctype::read(self.text, start)?;
                self.errors += errors;
                cursor.at = doctype.whole.end;
                Item::Doctype(Box::new(doctype))
            }
            b'?' => {
                cursor.at += 2;
                let target = cursor.name()?;
                if start == self.first
                    && self.slice(&target) == b"xml"
                    && let Some(declaration) = self.declaration()
                {
                    return Some(Item::Declaration(declaration));
                }
                let blank = cursor.peek().is_some_and(is_blank) || cursor.rest().starts_with(b"?>");
                cursor.until(b"?>")?;
                self.check_name(&target);
                self.wrong(!blank || self.slice(&target).eq_ignore_ascii_case(b"xml"));
                Item::Instruction { whole: start..cursor.at, target }
            }
            b'/' => {
                cursor.at += 2;
                let name = cursor.name()?;
                cursor.blanks();
                if !cursor.literal(b">") {
                    return None;
                }
                Item::End { whole: start..cursor.at, name }
            }
            &byte if starts_name(byte) => Item::Start(self.start()?),
            _ => return None,
        };
        self.at = match &item {
            Item::Start(start) => start.whole.end,
            _ => cursor.at,
        };
        Some(item)
    }

    fn declaration(&mut self) -> Option<Declaration> {
        let mut cursor = Cursor::new(self.text, self.at + 5);
        let version = part(&mut cursor, b"version")?;
        let encoding = part(&mut cursor, b"encoding");
        let standalone = part(&mut cursor, b"standalone");
        cursor.blanks();
        if !cursor.literal(b"?>") {
            return None;
        }
        let value = |part: &Attribute| self.slice(part.value.as_ref().unwrap_or(&part.name));
        let number = value(&version).strip_prefix(b"1.");
        let label = encoding.as_ref().map_or(&b"x"[..], value);
        let is_label = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        let wrong = !number.is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
            || !label.first().is_some_and(u8::is_ascii_alphabetic)
            || !label.iter().all(is_label)
            || standalone.as_ref().is_some_and(|part| !matches!(value(part), b"yes" | b"no"));
        self.wrong(wrong);
        let whole = self.at..cursor.at;
        self.at = cursor.at;
        Some(Declaration { whole, version, encoding, standalone })
    }

    /// A start tag. `None` if it is never closed.
    fn start(&mut self) -> Option<Start> {
        let mut cursor = Cursor::new(self.text, self.at + 1);
        let name = cursor.name()?;
        let mut errors = 0;
        self.attributes.clear();
        loop {
            let from = cursor.at;
            let blank = cursor.blanks();
            let close = cursor.at;
            let empty = cursor.literal(b"/>");
            if empty || cursor.literal(b">") {
                self.errors += errors;
                self.check_name(&name);
                self.check_attributes();
                return Some(Start { whole: self.at..cursor.at, name, close, empty });
            }
            let attribute = match attribute(&mut cursor, from) {
                Some(attribute) if blank => attribute,
                _ => {
                    errors += 1;
                    cursor.at = close;
                    let length =
                        cursor.rest().iter().position(|&byte| is_blank(byte) || matches!(byte, b'>' | b'<'))?;
                    if cursor.rest().get(length) == Some(&b'<') {
                        return None;
                    }
                    // `/` ends a tag only before `>`.
                    let length =
                        if cursor.rest()[..length].ends_with(b"/") && length > 1 { length - 1 } else { length };
                    cursor.at += length.max(1);
                    Attribute { whole: from..cursor.at, name: close..cursor.at, value: None }
                }
            };
            self.attributes.push(attribute);
        }
    }

    fn check_attributes(&mut self) {
        let names: Vec<&[u8]> = self.attributes.iter().map(|attribute| self.slice(&attribute.name)).collect();
        let twice = if names.len() <= FEW {
            names.iter().enumerate().any(|(at, name)| names[..at].contains(name))
        } else {
            names.iter().collect::<HashSet<_>>().len() < names.len()
        };
        self.wrong(twice);
        if self.utf8 {
            self.errors += names.iter().filter(|name| !name.is_ascii() && !is_proper_name(name)).count();
        }
    }
}

impl Iterator for Items<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        Some(match self.text.get(self.at)? {
            b'<' => match self.markup() {
                Some(item) => item,
                None => self.junk(1),
            },
            b'&' => match self.reference() {
                Some(item) => item,
                None => self.junk(1),
            },
            _ => self.text(),
        })
    }
}

/// A part of the XML declaration.
fn part(cursor: &mut Cursor<'_>, name: &[u8]) -> Option<Attribute> {
    let mut ahead = *cursor;
    let from = ahead.at;
    let found = ahead.blanks().then(|| attribute(&mut ahead, from))??;
    (&cursor.text[found.name.clone()] == name).then(|| {
        *cursor = ahead;
        found
    })
}

/// An attribute, including the blank before it.
fn attribute(cursor: &mut Cursor<'_>, from: usize) -> Option<Attribute> {
    let name = cursor.name()?;
    cursor.blanks();
    if !cursor.literal(b"=") {
        return None;
    }
    cursor.blanks();
    let value = cursor.quoted()?;
    let mut rest = &cursor.text[value.clone()];
    while let Some(at) = rest.iter().position(|&byte| matches!(byte, b'<' | b'&')) {
        let length = reference(rest, at)?.len();
        rest = &rest[at + length..];
    }
    Some(Attribute { whole: from..cursor.at, name, value: Some(value) })
}

/// The reference at a position, if there is one.
pub(super) fn reference(text: &[u8], at: usize) -> Option<Range<usize>> {
    let mut cursor = Cursor::new(text, at);
    if cursor.literal(b"&#") {
        let hexadecimal = cursor.literal(b"x");
        let radix = if hexadecimal { 16 } else { 10 };
        let mut number: u32 = 0;
        let from = cursor.at;
        while let Some(digit) = cursor.peek().and_then(|byte| char::from(byte).to_digit(radix)) {
            number = number.saturating_mul(radix).saturating_add(digit);
            cursor.at += 1;
        }
        let is_character = cursor.at > from && char::from_u32(number).is_some_and(is_allowed);
        return (is_character && cursor.literal(b";")).then_some(at..cursor.at);
    }
    (cursor.literal(b"&") && cursor.name().is_some() && cursor.literal(b";")).then_some(at..cursor.at)
}

/// Whether XML allows a character.
pub(super) fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}
