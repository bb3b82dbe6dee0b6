//! A grammar as elements, in the order in which Picireny creates them.

use super::{super::Replacements, start};
use crate::{
    Grammar,
    atn::Quantifier,
    g4::ast::{Block, CharSet, Element as Written, ElementKind, Rule},
};
use std::collections::HashMap;

/// How the text of an element depends on those of its children.
pub(super) enum Kind {
    /// Not at all: it is constant.
    Fixed,
    /// They are concatenated.
    Sequence {
        /// The separator between texts that are not empty.
        separator: &'static str,
    },
    /// One of them.
    Choice,
}

pub(super) struct Element {
    pub(super) kind: Kind,
    pub(super) children: Vec<usize>,
    pub(super) text: Option<String>,
}

pub(super) struct Elements {
    pub(super) all: Vec<Element>,
    /// The elements of rules, and of tokens without a rule.
    pub(super) rules: HashMap<String, usize>,
}

/// The context of an element.
#[derive(Clone, Copy)]
struct Around<'g> {
    grammar: &'g Grammar,
    separator: &'static str,
}

impl Elements {
    pub(super) fn new(grammar: &Grammar, replacements: &Replacements) -> Self {
        let mut elements = Self { all: Vec::new(), rules: HashMap::new() };
        let mut written: Vec<&Rule> = grammar.rules().filter(|rule| !is_implicit(rule)).collect();
        // Parser and lexer rules may be mixed in one file.
        written.sort_by_key(|rule| (rule.name.span.file, rule.name.span.start));
        for rule in &written {
            let element = match replacements.get(&rule.name.text) {
                Some(text) => elements.fixed(text.clone()),
                None => elements.add(Kind::Sequence { separator: "" }),
            };
            elements.rules.insert(rule.name.text.clone(), element);
        }
        for name in grammar.compiled().vocabulary.symbolic.iter().flatten() {
            let implicit = grammar.lexer_rules().iter().any(|rule| &rule.name.text == name);
            if !implicit && !elements.rules.contains_key(name) {
                let element = elements.fixed(replacements.get(name).cloned().unwrap_or_default());
                elements.rules.insert(name.clone(), element);
            }
        }
        for rule in written {
            let element = elements.rules[&rule.name.text];
            if !matches!(elements.all[element].kind, Kind::Fixed) {
                let separator = if rule.is_lexer_rule() { "" } else { " " };
                let block = elements.block(&rule.block, Around { grammar, separator });
                elements.all[element].children.push(block);
            }
        }
        elements
    }

    fn add(&mut self, kind: Kind) -> usize {
        self.all.push(Element { kind, children: Vec::new(), text: None });
        self.all.len() - 1
    }

    fn fixed(&mut self, text: String) -> usize {
        self.all.push(Element { kind: Kind::Fixed, children: Vec::new(), text: Some(text) });
        self.all.len() - 1
    }

    fn block(&mut self, block: &Block, around: Around<'_>) -> usize {
        let choice = self.add(Kind::Choice);
        for alternative in &block.alternatives {
            let sequence = self.add(Kind::Sequence { separator: around.separator });
            self.all[choice].children.push(sequence);
            for written in &alternative.elements {
                if let Some(child) = self.element(written, around) {
                    self.all[sequence].children.push(child);
                }
            }
        }
        choice
    }

    fn element(&mut self, written: &Written, around: Around<'_>) -> Option<usize> {
        Some(match &written.kind {
            ElementKind::Token(name) | ElementKind::Rule { name, .. } => self.call(name),
            ElementKind::Eof => self.fixed(String::new()),
            ElementKind::Literal(literal) => self.fixed(literal.text()),
            ElementKind::Range(low, _) => self.fixed(low.text()),
            ElementKind::CharSet(set) => self.set(set),
            ElementKind::Not(members) => match start::outside(members, around.grammar) {
                Some(character) => self.fixed(character.to_string()),
                None => self.add(Kind::Choice),
            },
            ElementKind::Wildcard => self.fixed("a".to_owned()),
            ElementKind::Block(block) => self.block(block, around),
            ElementKind::Quantified { quantifier: Quantifier::Plus, block, .. } => self.block(block, around),
            ElementKind::Quantified { .. } => self.fixed(String::new()),
            ElementKind::Action(_) | ElementKind::Predicate(_) => return None,
        })
    }

    fn call(&mut self, name: &str) -> usize {
        let call = self.add(Kind::Sequence { separator: "" });
        match self.rules.get(name) {
            Some(&rule) => self.all[call].children.push(rule),
            // A token that no rule produces.
            None => self.all[call].kind = Kind::Choice,
        }
        call
    }

    /// The start of the first range, or otherwise the first character.
    fn set(&mut self, set: &CharSet) -> usize {
        let range = set.ranges.iter().find(|(low, high)| low != high).or(set.ranges.first());
        let first = range.map(|&(low, _)| low).or_else(|| {
            let &(low, _) = set.properties.intervals().first()?;
            u32::try_from(low).ok()
        });
        match first.and_then(char::from_u32) {
            Some(character) => self.fixed(character.to_string()),
            None => self.add(Kind::Choice),
        }
    }
}

/// Whether a lexer rule comes from a literal of the parser.
fn is_implicit(rule: &Rule) -> bool {
    let first = rule.block.alternatives.first();
    rule.name.text.starts_with("T__") && first.is_some_and(|first| first.span == rule.name.span)
}
