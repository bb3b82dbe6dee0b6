//! The tokens of a text in an unknown language: words, numbers, blanks, line ends, punctuation.

/// How far from a quotation mark its partner is looked for. (Apostrophes have none, and a line may be a megabyte.)
const LONGEST_STRING: usize = 500;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    Number,
    Blank,
    LineEnd,
    /// An opening bracket, if it has a partner.
    Open,
    /// A closing bracket, if it has a partner.
    Close,
    /// The first quotation mark of a pair on one line; the second is a [`TokenKind::Quote`] as well.
    Quote,
    /// Anything else; one byte, or several times the same.
    Other,
}

impl TokenKind {
    /// What the leaves of an outline are called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Word => "word",
            Self::Number => "number",
            Self::Blank | Self::LineEnd => "blank",
            Self::Open | Self::Close | Self::Quote | Self::Other => "mark",
        }
    }
}

/// A token, from `start` to where the next one starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: u32,
}

/// Cuts a text into tokens. Every byte is in one of them.
pub(super) fn tokens(text: &[u8]) -> Vec<Token> {
    let mut tokens = vec![];
    let mut at = 0;
    // Where the open quotation ends.
    let mut quoted = None;
    while at < text.len() {
        let start = at;
        let (kind, length) = token(&text[at..], quoted.is_some());
        let mut kind = kind;
        at += length;
        if let Some(end) = quoted {
            if start == end {
                kind = TokenKind::Quote;
                quoted = None;
            }
        } else if kind == TokenKind::Quote {
            match closing_quote(text, start) {
                Some(end) => quoted = Some(end),
                None => kind = TokenKind::Other,
            }
        }
        tokens.push(Token { kind, start: start as u32 });
    }
    tokens
}

/// The first token, and its length. Inside of quotation marks brackets are nothing special.
fn token(text: &[u8], quoted: bool) -> (TokenKind, usize) {
    let run = |is: fn(u8) -> bool| text.iter().position(|&byte| !is(byte)).unwrap_or(text.len());
    match text[0] {
        b'\r' if text.starts_with(b"\r\n") => (TokenKind::LineEnd, 2),
        b'\n' => (TokenKind::LineEnd, 1),
        byte if is_blank(byte) => (TokenKind::Blank, run(is_blank).max(1)),
        byte if byte.is_ascii_digit() => (TokenKind::Number, run(is_word)),
        byte if is_word(byte) => (TokenKind::Word, run(is_word)),
        b'"' | b'\'' | b'`' if quoted => (TokenKind::Other, 1),
        b'"' | b'\'' | b'`' => (TokenKind::Quote, 1),
        b'(' | b'[' | b'{' if !quoted => (TokenKind::Open, 1),
        b')' | b']' | b'}' if !quoted => (TokenKind::Close, 1),
        b'\\' if quoted => (TokenKind::Other, text.len().min(2)),
        byte => (TokenKind::Other, text.iter().position(|&other| other != byte).unwrap_or(text.len())),
    }
}

/// Where the quotation that starts here ends, if it does so on the same line. An apostrophe in a word is none.
fn closing_quote(text: &[u8], start: usize) -> Option<usize> {
    let quote = text[start];
    let in_word = |at: usize| text.get(at).is_some_and(|&byte| is_word(byte));
    if quote != b'"' && start > 0 && in_word(start - 1) {
        return None;
    }
    let line = text[start + 1..].iter().take(LONGEST_STRING).take_while(|&&byte| byte != b'\n');
    let mut escaped = false;
    for (at, &byte) in (start + 1..).zip(line) {
        if byte == quote && !escaped && !(quote == b'\'' && in_word(at + 1)) {
            return Some(at);
        }
        escaped = byte == b'\\' && !escaped;
    }
    None
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// Letters, digits and whatever is not ASCII.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}
