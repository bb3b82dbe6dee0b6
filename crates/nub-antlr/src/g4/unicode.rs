//! Unicode properties by name.

use regex_syntax::hir::{Class, HirKind};

use crate::atn::IntervalSet;

/// The characters with a property, as in `\p{…}`: a general category, a script, a binary property, or `name=value`.
/// Blocks are not supported.
pub(crate) fn property(name: &str) -> Option<IntervalSet> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '=' | ' ');
    if name.is_empty() || !name.chars().all(plain) {
        return None;
    }
    // Surrogates are not characters in Rust, but they are code points in grammars.
    const SURROGATES: (i32, i32) = (0xD800, 0xDFFF);
    let value = name.rsplit('=').next().unwrap_or(name).to_ascii_lowercase();
    if matches!(&value[..], "cs" | "surrogate") {
        return Some([SURROGATES].into_iter().collect());
    }
    let class = regex_syntax::parse(&format!("\\p{{{name}}}")).ok()?;
    let HirKind::Class(Class::Unicode(class)) = class.kind() else { return None };
    let mut set: IntervalSet = class.iter().map(|range| (range.start() as i32, range.end() as i32)).collect();
    if matches!(&value[..], "c" | "other" | "any") {
        set.insert(SURROGATES.0, SURROGATES.1);
    }
    Some(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_have_several_names() {
        let letters = property("L").unwrap();
        assert!(letters.contains('é' as i32) && !letters.contains('1' as i32));
        assert_eq!(property("Letter"), Some(letters));
        assert_eq!(property("Script=Greek"), property("Greek"));
        assert_eq!(property("NoSuchThing"), None);
        assert_eq!(property("L}x\\p{N"), None);
    }
}
