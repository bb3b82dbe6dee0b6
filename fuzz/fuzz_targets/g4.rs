//! Any .g4 file that is accepted gives a whole tree of any input. The two are in one text, with a zero byte between them.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nub_antlr::{Grammar, ParseOptions, atn::RuleId};

fuzz_target!(|data: &[u8]| {
    let middle = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
    let (grammar, source) = (&data[..middle], data.get(middle + 1..).unwrap_or_default());
    let Ok(grammar) = Grammar::from_sources(&[("T.g4", &String::from_utf8_lossy(grammar))]) else { return };
    if grammar.parser_rules().is_empty() {
        return;
    }
    let tree = grammar.engine().parse(RuleId(0), source, &ParseOptions::default());
    let bytes: Vec<u8> = tree.tokens().iter().flat_map(|token| source[token.span()].iter().copied()).collect();
    assert!(bytes == source, "the tokens are the input");
});
