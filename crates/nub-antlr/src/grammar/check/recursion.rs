//! Left recursion that remains after rewriting.

use super::{
    super::{
        ir::{AltIr, Node, RuleIr},
        left_recursion::begins_with_itself,
        unit::Unit,
    },
    nullable::is_nullable,
};
use crate::g4::{Report, Sources};

/// Finds rules that call themselves, possibly through others, before they match anything.
pub(super) fn check(unit: &Unit, rules: &[RuleIr], nullable: &[bool], sources: &Sources, report: &mut Report) {
    let calls: Vec<Vec<usize>> = rules
        .iter()
        .map(|rule| {
            let mut first = Vec::new();
            rule.alternatives.iter().for_each(|alternative| first_calls(alternative, nullable, &mut first));
            first
        })
        .collect();
    let mut reported = vec![false; rules.len()];
    for start in 0..rules.len() {
        if reported[start] {
            continue;
        }
        let Some(cycle) = cycle(start, &calls) else { continue };
        cycle.iter().for_each(|&rule| reported[rule] = true);
        // A rule that begins with a call of itself but could not be rewritten has already been reported.
        let alternatives = &unit.rules[start].block.alternatives;
        let name = &rules[start].name;
        if cycle.len() == 1
            && !rules[start].left_recursive
            && alternatives.iter().any(|alternative| begins_with_itself(name, alternative))
        {
            continue;
        }
        let names: Vec<&str> = cycle.iter().chain([&start]).map(|&rule| &rules[rule].name[..]).collect();
        let message = match names[..] {
            [name, _] => format!("rule {name} calls itself before it has matched anything"),
            _ => format!("the rules {} call each other before they have matched anything", names.join(" -> ")),
        };
        let problem = report.error(sources, unit.rules[start].name.span, message);
        problem.hint("only a rule that begins with a direct call of itself can be rewritten");
    }
}

/// The rules that can be called first.
fn first_calls(alternative: &AltIr, nullable: &[bool], calls: &mut Vec<usize>) {
    for node in &alternative.nodes {
        match node {
            Node::Call { rule, .. } => calls.push(rule.index()),
            Node::Block(inner) | Node::Loop { alternatives: inner, .. } => {
                inner.iter().for_each(|alternative| first_calls(alternative, nullable, calls));
            }
            _ => {}
        }
        if !is_nullable(node, nullable) {
            return;
        }
    }
}

/// A shortest path from a rule back to itself, without the repeated end.
fn cycle(start: usize, calls: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut from = vec![usize::MAX; calls.len()];
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(rule) = queue.pop_front() {
        for &called in &calls[rule] {
            if called == start {
                let mut path = vec![rule];
                while path[path.len() - 1] != start {
                    path.push(from[path[path.len() - 1]]);
                }
                path.reverse();
                return Some(path);
            }
            if from[called] == usize::MAX {
                from[called] = rule;
                queue.push_back(called);
            }
        }
    }
    None
}
