//! Splitting bytes into tokens that are either kept or not: words, whitespace, punctuation.

/// How significant it is to find a token again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Not at all: whitespace is everywhere.
    Whitespace,
    /// A little.
    Punctuation,
    /// Very.
    Word,
}

/// The start of every token and the end of the last one, and the kinds of the tokens.
///
/// Bytes outside ASCII are parts of words, so no UTF-8 character is ever split.
pub(crate) fn words(text: &[u8]) -> (Vec<usize>, Vec<Kind>) {
    let kind = |byte: u8| match byte {
        b' ' | b'\t' | b'\r' | b'\n' => Kind::Whitespace,
        b'_' | b'$' | 0x80.. => Kind::Word,
        _ if byte.is_ascii_alphanumeric() => Kind::Word,
        _ => Kind::Punctuation,
    };
    let (mut starts, mut kinds) = (Vec::new(), Vec::new());
    for (i, &byte) in text.iter().enumerate() {
        let continues = i > 0
            && kind(text[i - 1]) == kind(byte)
            && match kind(byte) {
                Kind::Word => true,
                Kind::Whitespace => byte != b'\n' && text[i - 1] != b'\n',
                Kind::Punctuation => false,
            };
        if !continues {
            starts.push(i);
            kinds.push(kind(byte));
        }
    }
    starts.push(text.len());
    (starts, kinds)
}

/// The number of words and punctuation marks in a text, whatever its language: a size that does not depend on the
/// length of names.
///
/// ```
/// assert_eq!(nub_report::count_tokens(b"int long_name = 42;"), 5);
/// ```
pub fn count_tokens(text: &[u8]) -> usize {
    words(text).1.into_iter().filter(|kind| *kind != Kind::Whitespace).count()
}

/// Every line is a token.
pub(crate) fn lines(text: &[u8]) -> (Vec<usize>, Vec<Kind>) {
    let mut starts: Vec<usize> = vec![0];
    starts.extend(text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(i, _)| i + 1));
    if starts.last() != Some(&text.len()) {
        starts.push(text.len());
    }
    let kinds = vec![Kind::Word; starts.len() - 1];
    (starts, kinds)
}

/// Every byte is a token.
pub(crate) fn single_bytes(text: &[u8]) -> (Vec<usize>, Vec<Kind>) {
    ((0..=text.len()).collect(), vec![Kind::Word; text.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        let (starts, kinds) = words(text.as_bytes());
        assert_eq!(starts.len(), kinds.len() + 1);
        starts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
    }

    #[test]
    fn words_whitespace_and_punctuation() {
        assert_eq!(
            cut("int  größe_2=(x);\n\n  y"),
            ["int", "  ", "größe_2", "=", "(", "x", ")", ";", "\n", "\n", "  ", "y"]
        );
        assert!(cut("").is_empty());
        assert_eq!(lines(b"a\nb").0, [0, 2, 3]);
        assert_eq!(lines(b"a\n").0, [0, 2]);
        assert_eq!(lines(b"").1.len(), 0);
    }
}
