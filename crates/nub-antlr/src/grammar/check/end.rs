//! Loops over the end of the input.

use super::{
    super::{
        ir::{AltIr, Match, Node, RuleIr},
        unit::Unit,
    },
    nullable::{fixpoint, is_nullable},
};
use crate::{
    atn::{EOF, Quantifier},
    g4::{Report, Sources, ast::Span},
};

/// The end of the input can be matched any number of times: a loop over it would not terminate.
pub(super) fn check(unit: &Unit, rules: &[RuleIr], nullable: &[bool], sources: &Sources, report: &mut Report) {
    let begins = fixpoint(rules, |rule, begins| any_begins(&rule.alternatives, nullable, begins));
    for (rule, written) in rules.iter().zip(&unit.rules) {
        let mut found = Vec::new();
        loops(&rule.alternatives, nullable, &begins, &mut found);
        for span in found {
            let message = format!("a loop of rule {} can match the end of the input over and over", rule.name);
            report.error(sources, span.unwrap_or(written.name.span), message).hint("put EOF after the loop");
        }
    }
}

fn loops(alternatives: &[AltIr], nullable: &[bool], begins: &[bool], found: &mut Vec<Option<Span>>) {
    for node in alternatives.iter().flat_map(|alternative| &alternative.nodes) {
        match node {
            Node::Block(inner) => loops(inner, nullable, begins, found),
            Node::Loop { alternatives: inner, quantifier, written, .. } => {
                if *quantifier != Quantifier::Optional && any_begins(inner, nullable, begins) {
                    found.push(*written);
                }
                loops(inner, nullable, begins, found);
            }
            _ => {}
        }
    }
}

fn any_begins(alternatives: &[AltIr], nullable: &[bool], begins: &[bool]) -> bool {
    alternatives.iter().any(|alternative| {
        for node in &alternative.nodes {
            if node_begins(node, nullable, begins) {
                return true;
            }
            if !is_nullable(node, nullable) {
                return false;
            }
        }
        false
    })
}

fn node_begins(node: &Node, nullable: &[bool], begins: &[bool]) -> bool {
    match node {
        Node::Match(Match::Atom(label)) => *label == EOF,
        Node::Match(Match::Set(set)) => set.contains(EOF),
        Node::Call { rule, .. } => begins[rule.index()],
        Node::Block(inner) | Node::Loop { alternatives: inner, .. } => any_begins(inner, nullable, begins),
        _ => false,
    }
}
