//! Whether a document is well-formed according to XML 1.0, without reading other files.
//!
//! This scans the text once and builds no tree. A parser should accept everything that this accepts. Where this is
//! stricter, the only loss is a candidate.

use super::{
    encoding::{Decoded, decode, is_utf8},
    entities::Entities,
    items::{Declaration, Item, Items},
    nesting::Nesting,
};

/// The number of errors in a document: 0 if it is well-formed.
pub(super) fn errors(input: &[u8]) -> usize {
    match decode(input) {
        Some(decoded) => errors_in(&decoded),
        None => 1,
    }
}

pub(super) fn errors_in(decoded: &Decoded<'_>) -> usize {
    let text = &*decoded.text;
    let mut items = Items::new(text, bom(text));
    let mut nesting = Nesting::default();
    let mut entities = Entities::default();
    let (mut roots, mut doctypes, mut standalone, mut utf8) = (0, 0, false, true);
    let mut errors = usize::from(!decoded.whole);
    while let Some(item) = items.next() {
        let inside = nesting.depth() > 0;
        let wrong = match item {
            Item::Text(range) => !inside && !text[range].trim_ascii().is_empty(),
            Item::Reference(range) => !inside || !entities.is_right(&text[range], false),
            Item::CData(_) => !inside,
            Item::Comment(_) | Item::Instruction { .. } => false,
            Item::Declaration(declaration) => {
                let says = Says::new(text, &declaration);
                (standalone, utf8) = (says.standalone, says.utf8 || !decoded.is_ascii_based());
                if !utf8 {
                    items.any_names();
                }
                false
            }
            Item::Doctype(doctype) => {
                doctypes += 1;
                entities = Entities::new(text, &doctype, standalone);
                errors += entities.wrong;
                inside || roots > 0 || doctypes > 1
            }
            Item::Start(start) => {
                roots += usize::from(!inside);
                if !start.empty {
                    nesting.enter(&text[start.name]);
                }
                let values = items.attributes.iter().filter_map(|attribute| attribute.value.clone());
                let right = values.map(|value| entities.are_right_in(&text[value])).fold(true, |all, one| all & one);
                !right || !inside && roots > 1
            }
            Item::End { name, .. } => match nesting.leave(&text[name]) {
                Some(unclosed) => {
                    errors += unclosed;
                    false
                }
                None => true,
            },
            // Already counted.
            Item::Junk(_) => false,
        };
        errors += usize::from(wrong);
    }
    errors + items.errors + nesting.depth() + usize::from(roots == 0) + wrong_characters(text, utf8)
}

/// The contents of an XML declaration.
pub(super) struct Says {
    pub(super) standalone: bool,
    pub(super) utf8: bool,
    pub(super) is_version_1_0: bool,
}

impl Says {
    pub(super) fn new(text: &[u8], declaration: &Declaration) -> Self {
        let value = |part: Option<&super::items::Attribute>| part?.value.clone().map(|value| &text[value]);
        Self {
            standalone: value(declaration.standalone.as_ref()) == Some(b"yes"),
            utf8: is_utf8(value(declaration.encoding.as_ref())),
            is_version_1_0: value(Some(&declaration.version)) == Some(b"1.0"),
        }
    }
}

/// The declared encoding of a document.
pub(super) fn label(decoded: &Decoded<'_>) -> Option<Vec<u8>> {
    let text = &*decoded.text;
    let Item::Declaration(declaration) = Items::new(text, bom(text)).next()? else { return None };
    declaration.encoding?.value.map(|value| text[value].to_vec())
}

/// The length of the byte-order mark.
pub(super) fn bom(text: &[u8]) -> usize {
    if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

/// The number of characters that XML forbids. All invalid UTF-8 together counts as one.
fn wrong_characters(text: &[u8], utf8: bool) -> usize {
    let control = |byte: u8| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r');
    let controls = text.iter().filter(|&&byte| control(byte)).count();
    if !utf8 {
        return controls;
    }
    let Ok(text) = std::str::from_utf8(text) else { return controls + 1 };
    controls + text.matches(['\u{fffe}', '\u{ffff}']).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_formed() {
        for right in [
            "<a/>",
            "\u{feff}<?xml version='1.0' encoding=\"UTF-8\" standalone='no' ?>\n<!-- c --><a b='1' c=\"'\" ></a >\n<?p x?>",
            "<a>]] > &amp; &#65; &#x41; <![CDATA[<]]]]><b></b>\u{e9}</a>",
            "<!DOCTYPE a SYSTEM 'x'><a b='&c;'>&d;</a>",
            "<!DOCTYPE a [<!ENTITY e '<b/>'>]><a>&e;</a>",
            "<p:a.b-c xmlns:p='x'><?x?></p:a.b-c>",
        ] {
            assert_eq!(errors(right.as_bytes()), 0, "{right}");
        }
    }

    #[test]
    fn not_well_formed() {
        for wrong in [
            "",
            " ",
            "x",
            "<a>",
            "<a></b>",
            "<a/><b/>",
            "<a/>x",
            "<a/>&amp;",
            "<a b='1' b='2'/>",
            "<a b='1'c='2'/>",
            "<a b=1/>",
            "<a b/>",
            "<a b='<'/>",
            "<a b='&'/>",
            "<a b='&e;'/>",
            "<a>&e;</a>",
            "<a>& b</a>",
            "<a>&#0;</a>",
            "<a>]]></a>",
            "<a><!-- -- --></a>",
            "<a><!-- ---></a>",
            "<a><?xml version='1.0'?></a>",
            " <?xml version='1.0'?><a/>",
            "<?xml version='2.0'?><a/>",
            "<?xml encoding='UTF-8'?><a/>",
            "<a/><!DOCTYPE a>",
            "<!DOCTYPE a><!DOCTYPE a><a/>",
            "<a>\u{1}</a>",
            "<a>\u{ffff}</a>",
            "<a><![CDATA[</a>",
            "<1/>",
            "<a></a b='1'>",
            "<!DOCTYPE a [<!ATTLIST a b CDATA '&e;'><!ENTITY e ''>]><a/>",
            "<?xml version='1.0' standalone='yes'?><!DOCTYPE a SYSTEM 'x'><a>&d;</a>",
        ] {
            assert!(errors(wrong.as_bytes()) > 0, "{wrong}");
        }
        assert!(errors(b"<a>\xe9</a>") > 0);
        assert_eq!(errors(b"<?xml version='1.0' encoding='iso-8859-1'?><a>\xe9</a>"), 0);
    }
}
