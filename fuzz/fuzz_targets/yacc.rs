//! Any .y and .l files that are accepted give a whole tree of any input. The three are in one text, with zero bytes between
//! them.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nub_yacc::Language;

fuzz_target!(|data: &[u8]| {
    let mut parts = data.splitn(3, |&byte| byte == 0);
    let mut part = || parts.next().unwrap_or_default();
    let (yacc, lex, input) = (String::from_utf8_lossy(part()), String::from_utf8_lossy(part()), part());
    let Ok(language) = Language::from_sources(("T.y", &yacc), Some(("T.l", &lex)), None) else { return };
    let tree = language.parse(input);
    let mut at = 0;
    for lexeme in tree.lexemes() {
        assert_eq!(lexeme.span.start, at, "the lexemes touch");
        at = lexeme.span.end;
    }
    assert_eq!(at, input.len(), "the lexemes are the input");
});
