//! Lists the nodes of the rules of a grammar in a file, with their bytes, indented by depth:
//!
//! ```text
//! visitor GRAMMAR.g4... START FILE [RULE...]
//! ```
//!
//! With `RULE`s only these are listed: `functionDefinition` shows the functions of a C program.

use nub_antlr::{Grammar, NodeId, ParseTree, tree::Visitor};
use std::{error::Error, fs, ops::Range, process::ExitCode};

struct Outline<'a> {
    spans: &'a [Range<usize>],
    rules: &'a [String],
    depth: usize,
}

impl Outline<'_> {
    fn lists(&self, tree: &ParseTree, node: NodeId) -> bool {
        tree.rule_name(node).is_some_and(|name| self.rules.is_empty() || self.rules.iter().any(|rule| rule == name))
    }
}

impl Visitor for Outline<'_> {
    fn enter(&mut self, tree: &ParseTree, node: NodeId) {
        let Some(name) = tree.rule_name(node).filter(|_| self.lists(tree, node)) else { return };
        let span = self.spans[node.index()].clone();
        let text = String::from_utf8_lossy(&tree.source()[span.clone()]);
        println!("{}{name} {span:?} {}", "  ".repeat(self.depth), text.lines().next().unwrap_or_default());
        self.depth += 1;
    }

    fn leave(&mut self, tree: &ParseTree, node: NodeId) {
        self.depth -= usize::from(self.lists(tree, node));
    }
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
    let (grammars, words): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word.ends_with(".g4"));
    let [start, file, rules @ ..] = &words[..] else {
        return Err("usage: visitor GRAMMAR.g4... START FILE [RULE...]".into());
    };
    let grammar = Grammar::load(&grammars)?;
    let tree = grammar.parse(start, &fs::read(file)?)?;
    tree.visit(tree.root(), &mut Outline { spans: &tree.spans(), rules, depth: 0 });
    Ok(())
}
