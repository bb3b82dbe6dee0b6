//! A result that is good to read: statements on lines of their own, blocks indented.
//!
//! A reduced input has all its blanks removed, because those are candidates like any other. In the end some of them come
//! back. Nothing is known about the language but its tokens, so this is a proposal, and the test decides on it.

use crate::Structure;

/// How far a block is indented.
const INDENT: usize = 4;

/// The input with line breaks and blanks between its tokens; `None` if that would not be proper, or changes nothing.
pub fn formatted(structure: &dyn Structure) -> Option<Vec<u8>> {
    if !structure.is_free_form() {
        return None;
    }
    let tree = structure.tree();
    let mut out: Vec<u8> = vec![];
    let (mut depth, mut parentheses, mut end) = (0_usize, 0_usize, 0);
    let mut before: &[u8] = b"";
    for token in tree.leaves().into_iter().filter(|&token| !tree.text(token).is_empty()) {
        let (text, span) = (tree.text(token), tree.span(token));
        let gap = tree.input().get(end..span.start)?;
        if !gap.iter().all(u8::is_ascii_whitespace) {
            // A comment that could not go means something.
            return None;
        }
        end = span.end;
        if text == b"}" {
            depth = depth.saturating_sub(1);
        }
        let breaks = match (before, text) {
            (b"{", b"}") => false,
            (b"{", _) | (_, b"}") => true,
            (b";", _) => parentheses == 0,
            (b"}", b";" | b"," | b")" | b"]" | b"." | b"(" | b">") => false,
            (b"}", _) => parentheses == 0,
            _ => false,
        };
        if gap.contains(&b'\n') || breaks && !out.is_empty() {
            out.push(b'\n');
            out.extend(std::iter::repeat_n(b' ', depth * INDENT));
        } else if !gap.is_empty() || before == b"," || text == b"{" && !matches!(before, b"" | b"(" | b"[" | b"{") {
            out.push(b' ');
        }
        out.extend(text);
        match text {
            b"{" => depth += 1,
            b"(" | b"[" => parentheses += 1,
            b")" | b"]" => parentheses = parentheses.saturating_sub(1),
            _ => {}
        }
        before = text;
    }
    let rest = tree.input().get(end..)?;
    if !rest.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    if !out.is_empty() {
        out.push(b'\n');
    }
    // One line break at the end is not worth a test.
    (out.trim_ascii_end() != tree.input().trim_ascii_end()).then_some(out)
}
