//! Prints the shortest texts of a grammar, and how long they took: `shortest FILE.g4 …`
use nub_antlr::{
    Engine, Grammar,
    semantics::{Overrides, Semantics},
    shortest::{Replacements, Trust, shortest},
};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let grammar = Grammar::load(&paths)?;
    let mut engine = Engine::new(grammar.compiled(), Semantics::new(grammar.compiled(), &Overrides::new()));
    let start = Instant::now();
    let shortest = shortest(&grammar, &mut engine, &Replacements::new());
    let time = start.elapsed();
    for (name, short) in shortest.iter() {
        let mark = if short.trust == Trust::Unverified { "?" } else { " " };
        println!("{mark} {name}: {:?}", short.text);
    }
    println!("{} texts in {time:?}; without: {:?}", shortest.iter().count(), shortest.endless());
    Ok(())
}
