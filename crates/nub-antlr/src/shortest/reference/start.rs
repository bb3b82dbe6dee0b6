//! The replacement of a negated set: a character next to the excluded ones.

use crate::{
    Grammar,
    g4::ast::{Block, Element, ElementKind},
};

/// The character below the lowest one that some elements may begin with; if that is the lowest character of all, the
/// one above the highest.
pub(super) fn outside(members: &[Element], grammar: &Grammar) -> Option<char> {
    let mut starts = Starts { grammar, low: u32::MAX, high: 0, seen: Vec::new() };
    for member in members {
        starts.element(member);
    }
    let beside = match starts.low {
        u32::MAX => u32::from('a'),
        0 => starts.high.checked_add(1)?,
        low => low - 1,
    };
    char::from_u32(beside)
}

struct Starts<'g> {
    grammar: &'g Grammar,
    low: u32,
    high: u32,
    seen: Vec<&'g str>,
}

impl<'g> Starts<'g> {
    fn add(&mut self, low: u32, high: u32) {
        self.low = self.low.min(low);
        self.high = self.high.max(high);
    }

    fn element(&mut self, element: &Element) {
        match &element.kind {
            ElementKind::Token(name) => self.rule(name),
            ElementKind::Literal(literal) => {
                if let Some(&first) = literal.code_points.first() {
                    self.add(first, first);
                }
            }
            ElementKind::Range(low, high) => {
                if let (Some(low), Some(high)) = (low.single(), high.single()) {
                    self.add(low, high);
                }
            }
            ElementKind::CharSet(set) => {
                for &(low, high) in set.set().intervals() {
                    self.add(low.unsigned_abs(), high.unsigned_abs());
                }
            }
            ElementKind::Block(block) | ElementKind::Quantified { block, .. } => self.block(block),
            ElementKind::Not(_)
            | ElementKind::Wildcard
            | ElementKind::Rule { .. }
            | ElementKind::Eof
            | ElementKind::Action(_)
            | ElementKind::Predicate(_) => {}
        }
    }

    fn block(&mut self, block: &Block) {
        for alternative in &block.alternatives {
            if let Some(first) = alternative.elements.first() {
                self.element(first);
            }
        }
    }

    fn rule(&mut self, name: &str) {
        let rule = self.grammar.lexer_rules().iter().find(|rule| rule.name.text == name);
        if let Some(rule) = rule
            && !self.seen.contains(&&rule.name.text[..])
        {
            self.seen.push(&rule.name.text);
            self.block(&rule.block);
        }
    }
}
