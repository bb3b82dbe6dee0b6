//! Picireny's replacements, string for string.
//!
//! Picireny reads a grammar as a tree of elements and updates the text of every element until nothing changes. Among
//! equally long texts the order of the elements decides, so it is the same here: a parent comes before its children,
//! and rules come in the order of the file. Where Picireny gives up (properties, code points in braces), a sensible
//! text is used.

mod elements;
mod start;

use super::Replacements;
use crate::Grammar;
use elements::{Elements, Kind};
use std::collections::HashMap;

/// Picireny's replacement texts for rules and tokens, by name.
///
/// Rules without a finite text are left out. `EOF` and the names of `tokens { … }` are in the table, literals without a
/// name are not.
///
/// ```
/// use nub_antlr::{Grammar, shortest};
///
/// let source = "grammar T; s : 'do' (ID ';')+ EOF ; ID : [a-z]+ ;";
/// let grammar = Grammar::from_sources(&[("T.g4", source)])?;
/// let table = shortest::reference(&grammar, &shortest::Replacements::new());
/// assert_eq!(table["s"], "do a ;");
/// # Ok::<(), nub_antlr::LoadError>(())
/// ```
pub fn reference(grammar: &Grammar, replacements: &Replacements) -> HashMap<String, String> {
    let mut elements = Elements::new(grammar, replacements);
    settle(&mut elements);
    let mut table: HashMap<String, String> = elements
        .rules
        .iter()
        .filter_map(|(name, &element)| Some((name.clone(), elements.all[element].text.clone()?)))
        .collect();
    table.entry("EOF".to_owned()).or_default();
    for (name, text) in replacements {
        table.insert(name.clone(), text.clone());
    }
    table
}

/// Updates all elements until nothing changes.
fn settle(elements: &mut Elements) {
    loop {
        let mut changed = false;
        for index in 0..elements.all.len() {
            let element = &elements.all[index];
            let text = match &element.kind {
                Kind::Fixed => None,
                Kind::Sequence { separator } => sequence(elements, &element.children, separator),
                Kind::Choice => choice(elements, &element.children),
            };
            if let Some(text) = text
                && element.text.as_ref().is_none_or(|known| is_better(&text, known))
            {
                elements.all[index].text = Some(text);
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

fn sequence(elements: &Elements, children: &[usize], separator: &str) -> Option<String> {
    let texts: Option<Vec<&str>> = children.iter().map(|&child| elements.all[child].text.as_deref()).collect();
    Some(texts?.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(separator))
}

/// The first of the shortest texts.
fn choice(elements: &Elements, children: &[usize]) -> Option<String> {
    let known = children.iter().filter_map(|&child| elements.all[child].text.as_ref());
    known.min_by_key(|text| length(text)).cloned()
}

fn is_better(new: &str, old: &str) -> bool {
    (length(new), new) < (length(old), old)
}

fn length(text: &str) -> usize {
    text.chars().count()
}
