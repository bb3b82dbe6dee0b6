//! Prints the tree of a file as ANTLR's `TestRig -tree` does:
//!
//! ```text
//! lisp GRAMMAR.g4... --start RULE [--quiet] [FILE]
//! ```
//!
//! Without `FILE` the input is read from standard input. `--quiet` prints the size of the tree instead of the tree.

use nub_antlr::Grammar;
use std::{
    error::Error,
    fs,
    io::{self, Read, Write},
    process::ExitCode,
};

struct Arguments {
    grammars: Vec<String>,
    start: String,
    quiet: bool,
    file: Option<String>,
}

/// Files before `--start` are grammars, the file after it is the input.
fn arguments() -> Option<Arguments> {
    let mut words = std::env::args().skip(1);
    let grammars: Vec<String> = words.by_ref().take_while(|word| word != "--start").collect();
    let start = words.next()?;
    let (flags, mut files): (Vec<String>, Vec<String>) = words.partition(|word| word == "--quiet");
    let file = files.pop();
    (!grammars.is_empty() && files.is_empty()).then_some(Arguments { grammars, start, quiet: !flags.is_empty(), file })
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments = arguments().ok_or("usage: lisp GRAMMAR.g4... --start RULE [--quiet] [FILE]")?;
    let grammar = Grammar::load(&arguments.grammars)?;
    let mut source = Vec::new();
    match &arguments.file {
        Some(file) => source = fs::read(file).map_err(|error| format!("{file}: {error}"))?,
        None => drop(io::stdin().read_to_end(&mut source)?),
    }
    let tree = grammar.parse(&arguments.start, &source)?;
    for error in tree.errors() {
        eprintln!("{error}");
    }
    let mut out = io::stdout().lock();
    if arguments.quiet {
        writeln!(out, "{} tokens, {} nodes, {} errors", tree.tokens().len(), tree.len(), tree.errors().len())?;
    } else {
        writeln!(out, "{}", tree.to_lisp())?;
    }
    Ok(())
}
