//! The entities that a document declares, and whether references to them are correct.

use super::{
    doctype::{Doctype, What},
    items::{Item, Items, reference},
    nesting::Nesting,
};
use std::{collections::HashMap, ops::Range};

/// How deeply entities may nest.
const DEPTH: usize = 20;

/// The entities of a document.
#[derive(Debug, Default)]
pub(super) struct Entities<'a> {
    known: HashMap<&'a [u8], Entity<'a>>,
    /// Whether others may be declared in places that are not read.
    pub(super) more: bool,
    /// Cached results: by name, and whether the reference is in an attribute value.
    right: HashMap<(Vec<u8>, bool), bool>,
    /// The number of wrong references in default values of attributes.
    pub(super) wrong: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entity<'a> {
    /// `None` if it is in another file.
    value: Option<&'a [u8]>,
    is_unparsed: bool,
}

impl<'a> Entities<'a> {
    pub(super) fn new(text: &'a [u8], doctype: &Doctype, standalone: bool) -> Self {
        let mut entities = Self { more: doctype.has_more() && !standalone, ..Self::default() };
        let mut defaults = vec![];
        for declaration in doctype.declarations() {
            match &declaration.what {
                What::Entity { name, is_parameter: false, value, is_unparsed } => {
                    let value = value.clone().map(|value| &text[value]);
                    let entity = Entity { value, is_unparsed: *is_unparsed };
                    // The first declaration counts.
                    entities.known.entry(&text[name.clone()]).or_insert(entity);
                }
                What::Attributes { definitions, .. } => {
                    for found in definitions.iter().flat_map(|definition| references(text, definition.clone())) {
                        // The entity must be declared before this point. Entities in its value may be declared later.
                        let name = entity_name(found).unwrap_or_default();
                        entities.wrong += usize::from(!entities.more && !entities.known.contains_key(name));
                        defaults.push(found);
                    }
                }
                _ => {}
            }
        }
        entities.wrong += defaults.into_iter().filter(|found| !entities.is_right(found, true)).count();
        entities
    }

    /// Whether a reference is correct at its position.
    pub(super) fn is_right(&mut self, reference: &[u8], in_value: bool) -> bool {
        self.is_right_at(reference, in_value, 0)
    }

    fn is_right_at(&mut self, reference: &[u8], in_value: bool, depth: usize) -> bool {
        let Some(name) = entity_name(reference) else { return true };
        let Some(entity) = self.known.get(name).copied() else { return self.more };
        let Some(value) = entity.value else { return !entity.is_unparsed && !in_value };
        if depth > DEPTH {
            // It probably contains itself.
            return false;
        }
        let key = (name.to_vec(), in_value);
        if let Some(&right) = self.right.get(&key) {
            return right;
        }
        let text = replacement_text(value);
        let right = match in_value {
            true => self.is_value(&text, depth),
            false => self.is_content(&text, depth),
        };
        self.right.insert(key, right);
        right
    }

    /// Whether an attribute value is correct, with all its references.
    fn is_value(&mut self, text: &[u8], depth: usize) -> bool {
        let mut at = 0;
        while let Some(next) = text[at..].iter().position(|&byte| matches!(byte, b'<' | b'&')) {
            let Some(found) = reference(text, at + next) else { return false };
            if !self.is_right_at(&text[found.clone()], true, depth + 1) {
                return false;
            }
            at = found.end;
        }
        true
    }

    /// Whether the text of an entity is valid content of an element.
    fn is_content(&mut self, text: &[u8], depth: usize) -> bool {
        let mut items = Items::new(text, 0);
        let mut nesting = Nesting::default();
        let mut right = true;
        while let Some(item) = items.next() {
            right &= match item {
                Item::Start(start) => {
                    let mut values = std::mem::take(&mut items.attributes).into_iter().filter_map(|it| it.value);
                    let values_right = values.all(|value| self.is_value(&text[value], depth));
                    if !start.empty {
                        nesting.enter(&text[start.name]);
                    }
                    values_right
                }
                Item::End { name, .. } => nesting.leave(&text[name]) == Some(0),
                Item::Reference(found) => self.is_right_at(&text[found], false, depth + 1),
                Item::Doctype(_) | Item::Declaration(_) | Item::Junk(_) => false,
                Item::Text(_) | Item::Comment(_) | Item::CData(_) | Item::Instruction { .. } => true,
            };
        }
        right && nesting.depth() == 0 && items.errors == 0
    }

    /// Whether all references in a value are correct.
    pub(super) fn are_right_in(&mut self, value: &[u8]) -> bool {
        !value.contains(&b'&') || self.is_value(value, 0)
    }
}

/// The name in a reference, unless the entity is predefined.
pub(super) fn entity_name(reference: &[u8]) -> Option<&[u8]> {
    let name = reference.strip_prefix(b"&")?.strip_suffix(b";")?;
    (!name.starts_with(b"#") && ![&b"amp"[..], b"lt", b"gt", b"quot", b"apos"].contains(&name)).then_some(name)
}

/// The references in a range that need a declaration.
pub(super) fn references(text: &[u8], range: Range<usize>) -> impl Iterator<Item = &[u8]> {
    let places = range.clone().filter(move |&at| text[at] == b'&');
    let found = places.filter_map(move |at| Some(&text[reference(&text[..range.end], at)?]));
    found.filter(|found| entity_name(found).is_some())
}

/// The replacement text of an entity: its value with character references expanded.
fn replacement_text(value: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(value.len());
    let mut at = 0;
    while let Some(next) = value[at..].iter().position(|&byte| byte == b'&') {
        let start = at + next;
        text.extend(&value[at..start]);
        at = start;
        let end = reference(value, start).map_or(start + 1, |found| found.end);
        match character(&value[start..end]) {
            Some(character) => text.extend(character.encode_utf8(&mut [0; 4]).as_bytes()),
            None => text.extend(&value[start..end]),
        }
        at = at.max(end);
    }
    text.extend(&value[at..]);
    text
}

fn character(reference: &[u8]) -> Option<char> {
    let digits = std::str::from_utf8(reference).ok()?.strip_prefix("&#")?.strip_suffix(';')?;
    let number = match digits.strip_prefix('x') {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    char::from_u32(number.ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
        let text = b"<!DOCTYPE a [<!ENTITY t 'x'><!ENTITY e '<b>&t;</b>'><!ENTITY h '<b>'><!ENTITY i '&i;'>\
            <!ENTITY l '&#38;#60;'><!ENTITY m '&#60;'><!ENTITY f SYSTEM 'f'><!ENTITY u SYSTEM 'u' NDATA n>]>";
        let (doctype, errors) = Doctype::read(text, 0).expect("it has an end");
        assert_eq!(errors, 0);
        let mut entities = Entities::new(text, &doctype, false);
        let mut check = |name: &str, content: bool, value: bool| {
            let found = [false, true].map(|in_value| entities.is_right(name.as_bytes(), in_value));
            assert_eq!(found, [content, value], "{name}");
        };
        check("&lt;", true, true);
        check("&#60;", true, true);
        check("&t;", true, true);
        check("&e;", true, false);
        check("&h;", false, false);
        check("&i;", false, false);
        check("&l;", true, true);
        check("&m;", false, false);
        check("&f;", true, false);
        check("&u;", false, false);
        check("&none;", false, false);
    }
}
