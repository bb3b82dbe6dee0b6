//! Prints the size of a grammar's tables: `tables GRAMMAR.y [LEXER.l [INPUT]]`.

use nub_yacc::Language;
use std::{env, error::Error, fs, path::Path, time::Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [yacc, rest @ ..] = arguments.as_slice() else {
        return Err("usage: tables GRAMMAR.y [LEXER.l [INPUT]]".into());
    };
    let began = Instant::now();
    let language = match rest.first() {
        Some(lex) => Language::load(Path::new(yacc), Some(Path::new(lex)), None)?,
        None => Language::load_grammar(Path::new(yacc), None)?,
    };
    for warning in language.warnings() {
        println!("{warning}");
    }
    let grammar = language.grammar();
    let useful = grammar.productions().iter().filter(|production| production.useful).count() - 1;
    let (shift_reduce, reduce_reduce) = language.conflict_counts();
    println!(
        "{}: {} tokens, {} rules, {} productions ({useful} useful), {} states, {shift_reduce} shift/reduce, \
         {reduce_reduce} reduce/reduce, {:?}",
        language.name(),
        grammar.tokens().len(),
        grammar.rules().len() - 1,
        grammar.productions().len() - 1,
        language.states(),
        began.elapsed(),
    );
    if let Some(input) = rest.get(1) {
        let input = fs::read(input)?;
        let tree = language.parse(&input);
        for error in tree.errors() {
            println!("{error}");
        }
        println!("{}", tree.to_lisp(grammar, &input));
    }
    Ok(())
}
