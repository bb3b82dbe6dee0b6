//! The document type declaration and the declarations inside it.

use super::cursor::{Cursor, find};
use std::ops::Range;

/// `<!DOCTYPE name external [declarations]>`
#[derive(Debug)]
pub(super) struct Doctype {
    pub(super) whole: Range<usize>,
    pub(super) name: Range<usize>,
    /// `PUBLIC "…" "…"` or `SYSTEM "…"`, with the blank before it.
    pub(super) external: Option<Range<usize>>,
    pub(super) subset: Option<Subset>,
}

/// `[declarations]`
#[derive(Debug)]
pub(super) struct Subset {
    /// From the blank before `[` to the end of `]`.
    pub(super) whole: Range<usize>,
    /// The text between the brackets.
    pub(super) inside: Range<usize>,
    pub(super) declarations: Vec<Declaration>,
}

/// An item between the brackets.
#[derive(Debug)]
pub(super) struct Declaration {
    pub(super) whole: Range<usize>,
    pub(super) what: What,
}

#[derive(Debug)]
pub(super) enum What {
    /// A comment, a processing instruction or a notation.
    Other,
    /// A reference to a parameter entity, by name.
    Parameter(Range<usize>),
    Entity {
        name: Range<usize>,
        is_parameter: bool,
        /// The text between the quotation marks; `None` if it is in another file.
        value: Option<Range<usize>>,
        /// Whether it is not XML.
        is_unparsed: bool,
    },
    Element {
        name: Range<usize>,
        model: Range<usize>,
    },
    Attributes {
        name: Range<usize>,
        /// Each with the blank before it.
        definitions: Vec<Range<usize>>,
    },
    /// Not XML.
    Junk,
}

impl Doctype {
    /// Reads a declaration and counts its errors. `None` if it is never closed.
    pub(super) fn read(text: &[u8], start: usize) -> Option<(Self, usize)> {
        let mut cursor = Cursor::new(text, start + b"<!DOCTYPE".len());
        if !cursor.blanks() {
            return None;
        }
        let name = cursor.name()?;
        let before = cursor.at;
        cursor.blanks();
        let mut external = None;
        if cursor.rest().starts_with(b"PUBLIC") || cursor.rest().starts_with(b"SYSTEM") {
            external_id(&mut cursor, false)?;
            external = Some(before..cursor.at);
        }
        let before = cursor.at;
        cursor.blanks();
        let (mut subset, mut errors) = (None, 0);
        if cursor.literal(b"[") {
            let from = cursor.at;
            let declarations = declarations(&mut cursor, &mut errors)?;
            subset = Some(Subset { whole: before..cursor.at, inside: from..cursor.at - 1, declarations });
            cursor.blanks();
        }
        cursor.literal(b">").then_some((Self { whole: start..cursor.at, name, external, subset }, errors))
    }

    /// All declarations.
    pub(super) fn declarations(&self) -> impl Iterator<Item = &Declaration> {
        self.subset.iter().flat_map(|subset| &subset.declarations)
    }

    /// Whether declarations elsewhere may apply.
    pub(super) fn has_more(&self) -> bool {
        self.external.is_some() || self.declarations().any(|it| matches!(it.what, What::Parameter(_)))
    }
}

/// Everything up to `]`.
fn declarations(cursor: &mut Cursor<'_>, errors: &mut usize) -> Option<Vec<Declaration>> {
    let mut found = vec![];
    loop {
        cursor.blanks();
        if cursor.literal(b"]") {
            return Some(found);
        }
        let start = cursor.at;
        cursor.peek()?;
        let what = declaration(cursor).unwrap_or_else(|| {
            *errors += 1;
            // Skip to the next possible declaration.
            let end = |end: &[u8]| find(cursor.text, start + 1, end).unwrap_or(cursor.text.len());
            cursor.at = end(b"<").min(end(b"]"));
            What::Junk
        });
        found.push(Declaration { whole: start..cursor.at, what });
    }
}

fn declaration(cursor: &mut Cursor<'_>) -> Option<What> {
    if cursor.literal(b"%") {
        let name = cursor.name()?;
        return cursor.literal(b";").then_some(What::Parameter(name));
    }
    if cursor.literal(b"<!--") {
        let from = cursor.at;
        let end = cursor.until(b"-->")?;
        let body = &cursor.text[from..end];
        return (!body.ends_with(b"-") && find(body, 0, b"--").is_none()).then_some(What::Other);
    }
    if cursor.literal(b"<?") {
        let target = cursor.name()?;
        let is_proper =
            !cursor.text[target].eq_ignore_ascii_case(b"xml") && (cursor.rest().starts_with(b"?>") || cursor.blanks());
        return (is_proper && cursor.until(b"?>").is_some()).then_some(What::Other);
    }
    let what = if cursor.literal(b"<!ENTITY") {
        entity(cursor)?
    } else if cursor.literal(b"<!ELEMENT") {
        let name = cursor.blanks().then(|| cursor.name())??;
        if !cursor.blanks() {
            return None;
        }
        let from = cursor.at;
        model(cursor)?;
        What::Element { name, model: from..cursor.at }
    } else if cursor.literal(b"<!ATTLIST") {
        let name = cursor.blanks().then(|| cursor.name())??;
        let mut definitions = vec![];
        loop {
            let from = cursor.at;
            let blanks = cursor.blanks();
            if cursor.peek() == Some(b'>') {
                break;
            }
            if !blanks {
                return None;
            }
            definition(cursor)?;
            definitions.push(from..cursor.at);
        }
        What::Attributes { name, definitions }
    } else if cursor.literal(b"<!NOTATION") {
        cursor.blanks().then(|| cursor.name())??;
        cursor.blanks().then(|| external_id(cursor, true))??;
        What::Other
    } else {
        return None;
    };
    cursor.blanks();
    cursor.literal(b">").then_some(what)
}

fn entity(cursor: &mut Cursor<'_>) -> Option<What> {
    let mut blanks = cursor.blanks();
    let is_parameter = cursor.literal(b"%");
    blanks &= !is_parameter || cursor.blanks();
    let name = cursor.name()?;
    if !blanks || !cursor.blanks() {
        return None;
    }
    let mut is_unparsed = false;
    let value = match cursor.peek()? {
        b'"' | b'\'' => {
            let value = cursor.quoted()?;
            // References to parameter entities are not allowed inside declarations here, and references must be
            // complete.
            let mut rest = &cursor.text[value.clone()];
            while let Some(at) = rest.iter().position(|&byte| matches!(byte, b'%' | b'&')) {
                rest = &rest[at + super::items::reference(rest, at)?.len()..];
            }
            Some(value)
        }
        _ => {
            external_id(cursor, false)?;
            let mut ahead = *cursor;
            if ahead.blanks() && ahead.literal(b"NDATA") {
                ahead.blanks().then(|| ahead.name())??;
                is_unparsed = true;
                *cursor = ahead;
            }
            None
        }
    };
    (!is_parameter || !is_unparsed).then_some(What::Entity { name, is_parameter, value, is_unparsed })
}

/// `PUBLIC "…" "…"` or `SYSTEM "…"`. A notation may omit the system identifier.
fn external_id(cursor: &mut Cursor<'_>, is_notation: bool) -> Option<()> {
    if cursor.literal(b"SYSTEM") {
        cursor.blanks().then(|| cursor.quoted())??;
        return Some(());
    }
    if !cursor.literal(b"PUBLIC") {
        return None;
    }
    let public = cursor.blanks().then(|| cursor.quoted())??;
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b" \r\n-'()+,./:=?;!*#@$_%".contains(byte);
    if !cursor.text[public].iter().all(allowed) {
        return None;
    }
    let mut ahead = *cursor;
    if ahead.blanks() && ahead.quoted().is_some() {
        *cursor = ahead;
        return Some(());
    }
    is_notation.then_some(())
}

/// A content model (productions 46 to 51). Instead of recursion, a stack holds the separator of each open parenthesis,
/// once it is known.
fn model(cursor: &mut Cursor<'_>) -> Option<()> {
    if cursor.literal(b"EMPTY") || cursor.literal(b"ANY") {
        return Some(());
    }
    let mut ahead = *cursor;
    let opens = ahead.literal(b"(");
    ahead.blanks();
    if opens && ahead.literal(b"#PCDATA") {
        *cursor = ahead;
        let mut names = false;
        loop {
            cursor.blanks();
            if cursor.literal(b")") {
                let star = cursor.literal(b"*");
                return (star || !names).then_some(());
            }
            names = true;
            if !cursor.literal(b"|") {
                return None;
            }
            cursor.blanks();
            cursor.name()?;
        }
    }
    let mut open: Vec<Option<u8>> = vec![];
    loop {
        // A part of a list.
        cursor.blanks();
        if cursor.literal(b"(") {
            open.push(None);
            continue;
        }
        if open.is_empty() {
            return None;
        }
        cursor.name()?;
        loop {
            // After a part.
            if matches!(cursor.peek(), Some(b'?' | b'*' | b'+')) {
                cursor.at += 1;
            }
            if open.is_empty() {
                return Some(());
            }
            cursor.blanks();
            if cursor.literal(b")") {
                open.pop();
                continue;
            }
            let separator = cursor.peek().filter(|byte| matches!(byte, b',' | b'|'))?;
            let known = open.last_mut()?;
            if known.is_some_and(|known| known != separator) {
                return None;
            }
            *known = Some(separator);
            cursor.at += 1;
            break;
        }
    }
}

/// The definition of an attribute (productions 53 to 60).
fn definition(cursor: &mut Cursor<'_>) -> Option<()> {
    cursor.name()?;
    if !cursor.blanks() {
        return None;
    }
    let types =
        [&b"CDATA"[..], b"IDREFS", b"IDREF", b"ID", b"ENTITIES", b"ENTITY", b"NMTOKENS", b"NMTOKEN", b"NOTATION"];
    let name = types.iter().find(|name| cursor.literal(name));
    if name.is_none_or(|name| name == b"NOTATION") {
        if name.is_some() && !cursor.blanks() || !cursor.literal(b"(") {
            return None;
        }
        loop {
            cursor.blanks();
            cursor.token()?;
            cursor.blanks();
            if cursor.literal(b")") {
                break;
            }
            if !cursor.literal(b"|") {
                return None;
            }
        }
    }
    if !cursor.blanks() {
        return None;
    }
    if cursor.literal(b"#REQUIRED") || cursor.literal(b"#IMPLIED") {
        return Some(());
    }
    if cursor.literal(b"#FIXED") && !cursor.blanks() {
        return None;
    }
    let value = cursor.quoted()?;
    let mut rest = &cursor.text[value];
    while let Some(at) = rest.iter().position(|&byte| matches!(byte, b'<' | b'&')) {
        rest = &rest[at + super::items::reference(rest, at)?.len()..];
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(subset: &str) -> Option<usize> {
        let text = format!("<!DOCTYPE a [{subset}]>");
        Doctype::read(text.as_bytes(), 0).map(|(_, errors)| errors)
    }

    #[test]
    fn correct_declarations() {
        for right in [
            "",
            "<!ELEMENT a EMPTY>",
            "<!ELEMENT a ANY >",
            "<!ELEMENT a (#PCDATA)>",
            "<!ELEMENT a ( #PCDATA | b | c )*>",
            "<!ELEMENT a (b, (c | d+)?, e)*>",
            "<!ATTLIST a>",
            "<!ATTLIST a b CDATA #IMPLIED c (x|2) 'x' d NOTATION (n) #REQUIRED e ID #FIXED \"&amp;\">",
            "<!ENTITY e '<b>&x;</b>'> %p; <!ENTITY % p SYSTEM 'x'>",
            "<!ENTITY e PUBLIC 'a' 'b' NDATA n><!NOTATION n PUBLIC 'x'>",
            "<!-- a - b --><?p ]>?>",
        ] {
            assert_eq!(errors(right), Some(0), "{right}");
        }
    }

    #[test]
    fn wrong_declarations() {
        for wrong in [
            "x",
            "<!ELEMENT a ()>",
            "<!ELEMENT a (b|c,d)>",
            "<!ELEMENT a (#PCDATA|b)>",
            "<!ELEMENT a b>",
            "<!ATTLIST a b>",
            "<!ATTLIST a b CDATA '<'>",
            "<!ENTITY e '&'>",
            "<!ENTITY e '%p;'>",
            "<!ENTITY e>",
            "<!ENTITY % p SYSTEM 'x' NDATA n>",
            "<!NOTATION n>",
            "<!-- a -- b -->",
        ] {
            assert!(errors(wrong) != Some(0), "{wrong}");
        }
        assert_eq!(errors("<!ELEMENT a ("), Some(1), "reading continues after an error");
    }
}
