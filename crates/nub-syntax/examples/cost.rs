//! What parsing costs: `cargo run -p nub-syntax --release --example cost -- FILES…`
//!
//! For every file the time to parse and prepare it and the most memory that took (nub's own; the parser's, in C, is not
//! counted). Without files, for every language the time to derive everything from its grammar.

use nub_core::tree::prepare;
use nub_syntax::treesitter::{detect, languages, parse};
use peak_alloc::PeakAlloc;
use std::{path::Path, time::Instant};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn main() {
    for path in std::env::args().skip(1) {
        let Ok(input) = std::fs::read(&path) else { continue };
        let Some(language) = detect(Some(Path::new(&path)), &input) else { continue };
        _ = language.compiled();
        MEMORY.reset_peak_usage();
        let start = Instant::now();
        let Ok(mut parsed) = parse(language, &input) else { continue };
        let parsing = start.elapsed();
        let tree = &mut parsed.tree;
        prepare::remove_empty(tree);
        prepare::flatten_recursion(tree);
        prepare::squeeze(tree);
        prepare::skip_unremovable(tree);
        let all = start.elapsed();
        let (nodes, memory) = (tree.arena_len(), MEMORY.peak_usage_as_mb());
        let bytes = input.len();
        println!("{path}: {bytes} bytes, {nodes} nodes, parse {parsing:.0?}, prepared {all:.0?}, {memory:.0} MB");
    }
    let grammars = if std::env::args().len() > 1 { &[] } else { languages() };
    for language in grammars {
        let start = Instant::now();
        let Ok(compiled) = language.compile() else { continue };
        let phi = start.elapsed();
        let grammar = compiled.grammar();
        let rules = grammar.rules().len();
        let start = Instant::now();
        for (rule, _) in grammar.rules().filter(|(_, rule)| rule.kind.is_some()) {
            _ = compiled.children.any(rule);
        }
        let automata = start.elapsed();
        let undefined = compiled.phi.undefined(grammar).filter(|&rule| grammar.rule(rule).kind.is_some()).count();
        let name = language.name;
        println!(
            "{name}: {rules} rules, grammar and Phi {phi:.1?}, all automata {automata:.1?}, {undefined} without Phi"
        );
    }
}
