//! Rules and blocks that can match nothing.

use super::super::{
    ir::{AltIr, Node, RuleIr},
    unit::Unit,
};
use crate::{
    atn::Quantifier,
    g4::{Report, Sources, ast::Span},
};

/// Which rules can match nothing.
pub(super) fn compute(rules: &[RuleIr]) -> Vec<bool> {
    fixpoint(rules, |rule, nullable| any(&rule.alternatives, nullable))
}

/// The rules that have a property, which may depend on the rules already known to have it.
pub(super) fn fixpoint(rules: &[RuleIr], holds: impl Fn(&RuleIr, &[bool]) -> bool) -> Vec<bool> {
    let mut known = vec![false; rules.len()];
    loop {
        let mut changed = false;
        for (index, rule) in rules.iter().enumerate() {
            if !known[index] && holds(rule, &known) {
                known[index] = true;
                changed = true;
            }
        }
        if !changed {
            return known;
        }
    }
}

fn any(alternatives: &[AltIr], nullable: &[bool]) -> bool {
    alternatives.iter().any(|alternative| alternative.nodes.iter().all(|node| is_nullable(node, nullable)))
}

/// Whether an element can match nothing.
pub(super) fn is_nullable(node: &Node, nullable: &[bool]) -> bool {
    match node {
        Node::Match(_) | Node::Sequence(_) => false,
        Node::Call { rule, .. } => nullable[rule.index()],
        Node::Predicate(_) | Node::Precedence(_) | Node::Action(_) => true,
        Node::Block(alternatives) => any(alternatives, nullable),
        Node::Loop { quantifier: Quantifier::Plus, alternatives, .. } => any(alternatives, nullable),
        Node::Loop { .. } => true,
    }
}

/// Loops that may run endlessly, and optional blocks that can already be empty.
pub(super) fn check(
    unit: &Unit,
    rules: &[RuleIr],
    nullable: &[bool],
    lexer: bool,
    sources: &Sources,
    report: &mut Report,
) {
    for (index, (rule, written)) in rules.iter().zip(&unit.rules).enumerate() {
        let name = &rule.name;
        for (quantifier, span) in empty_loops(&rule.alternatives, nullable) {
            match (quantifier, span) {
                (_, None) => {
                    let message = format!("rule {name} has a left-recursive alternative with nothing after the call");
                    report.error(sources, written.name.span, message).hint("the rest of the alternative may be empty");
                }
                (Quantifier::Optional, Some(span)) => {
                    let message = format!("an optional block of rule {name} can already match nothing");
                    report.warning(sources, span, message).hint("the `?` is not needed");
                }
                (_, Some(span)) => {
                    let message = format!("a loop of rule {name} can repeat without matching anything");
                    report.error(sources, span, message).hint("the repeated part must match something");
                }
            }
        }
        if lexer && !rule.fragment && nullable[index] {
            let message = format!("lexer rule {name} can match nothing");
            report.warning(sources, written.name.span, message).hint("it produces empty tokens; is it a fragment?");
        }
    }
}

/// All loops with an alternative that can match nothing.
fn empty_loops(alternatives: &[AltIr], nullable: &[bool]) -> Vec<(Quantifier, Option<Span>)> {
    let mut found = Vec::new();
    for node in alternatives.iter().flat_map(|alternative| &alternative.nodes) {
        match node {
            Node::Block(inner) => found.extend(empty_loops(inner, nullable)),
            Node::Loop { alternatives: inner, quantifier, written, .. } => {
                if any(inner, nullable) {
                    found.push((*quantifier, *written));
                }
                found.extend(empty_loops(inner, nullable));
            }
            _ => {}
        }
    }
    found
}
