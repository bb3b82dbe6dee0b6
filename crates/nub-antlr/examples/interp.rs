//! Parses files with networks that ANTLR serialised: `interp LEXER.interp PARSER.interp START FILE...`.

#[path = "../tests/common/network.rs"]
mod network;

use nub_antlr::{Engine, ParseOptions, semantics::Semantics};
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let read = |path: &str| std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let text = |path: &str| String::from_utf8(read(path)).expect("text");
    let grammar = network::compiled(&text(&arguments[0]), &text(&arguments[1]));
    let mut engine = Engine::new(&grammar, Semantics::default());
    let start = engine.rule(&arguments[2]).expect("a rule");
    for file in &arguments[3..] {
        let source = read(file);
        let begin = Instant::now();
        let tree = engine.parse(start, &source, &ParseOptions::default());
        if std::env::var_os("QUIET").is_none() {
            println!("{}", tree.to_lisp());
        }
        for error in tree.errors() {
            eprintln!("{error}");
        }
        if std::env::var_os("TIME").is_some() {
            eprintln!("{file}: {:?} {} nodes {:?}", begin.elapsed(), tree.len(), engine.statistics());
        }
    }
}
