//! Cutting bytes into what people would call kept or not: words, blanks, marks.

/// What a token is worth to find again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing by itself: there are blanks everywhere.
    Blank,
    /// A little.
    Mark,
    /// Much.
    Word,
}

/// Where every token begins, and where the last one ends; and what they are.
///
/// Bytes outside of ASCII are parts of words, so no character of UTF-8 is ever cut.
pub(crate) fn words(text: &[u8]) -> (Vec<usize>, Vec<Kind>) {
    let kind = |byte: u8| match byte {
        b' ' | b'\t' | b'\r' | b'\n' => Kind::Blank,
        b'_' | b'$' | 0x80.. => Kind::Word,
        _ if byte.is_ascii_alphanumeric() => Kind::Word,
        _ => Kind::Mark,
    };
    let (mut starts, mut kinds) = (Vec::new(), Vec::new());
    for (i, &byte) in text.iter().enumerate() {
        let goes_on = i > 0
            && kind(text[i - 1]) == kind(byte)
            && match kind(byte) {
                Kind::Word => true,
                Kind::Blank => byte != b'\n' && text[i - 1] != b'\n',
                Kind::Mark => false,
            };
        if !goes_on {
            starts.push(i);
            kinds.push(kind(byte));
        }
    }
    starts.push(text.len());
    (starts, kinds)
}

/// How many words and marks there are in a text, whatever its language: a size that does not depend on the length of names.
///
/// ```
/// assert_eq!(nub_report::count_tokens(b"int long_name = 42;"), 5);
/// ```
pub fn count_tokens(text: &[u8]) -> usize {
    words(text).1.into_iter().filter(|kind| *kind != Kind::Blank).count()
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
    fn words_blanks_and_marks() {
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
