//! Tokens that must not touch.

/// Whether two tokens, the first ending and the second starting with these bytes, might be read as one in some
/// language: two bytes of a word, two bytes of an operator, a word before a quotation mark (a prefixed string), a digit
/// next to a dot.
pub fn may_join(left: u8, right: u8) -> bool {
    is_word(left) && (is_word(right) || is_quote(right))
        || is_operator(left) && is_operator(right)
        || left.is_ascii_digit() && right == b'.'
        || left == b'.' && right.is_ascii_digit()
}

/// The same, where the first token may also end a string: `'a''b'` is one string in SQL.
pub(super) fn may_join_strings(left: u8, right: u8) -> bool {
    may_join(left, right) || is_quote(left) && (is_quote(right) || is_word(right))
}

pub(super) fn is_operator(byte: u8) -> bool {
    b"+-*/%=<>!&|^~?:.#@\\".contains(&byte)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}
