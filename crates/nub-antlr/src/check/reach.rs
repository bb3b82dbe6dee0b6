//! Unreachable rules.

use super::{Finding, Level};
use crate::{
    Grammar,
    g4::ast::{Block, Element, ElementKind, Rule},
};
use std::collections::{HashMap, HashSet};

/// Which rules call which.
struct Calls<'g> {
    calls: HashMap<&'g str, HashSet<&'g str>>,
}

pub(super) fn unreachable(grammar: &Grammar, start: Option<&str>) -> Vec<Finding> {
    let mut calls = Calls { calls: HashMap::new() };
    for rule in grammar.rules() {
        let mut names = HashSet::new();
        block(&rule.block, &mut names);
        calls.calls.insert(&rule.name.text, names);
    }
    let parser = grammar.parser_rules();
    let mut findings = Vec::new();
    let known = start.filter(|&start| parser.iter().any(|rule| rule.name.text == start));
    if let (Some(start), None) = (start, known) {
        let names: Vec<&str> = calls.roots(parser);
        let finding = Finding::new(Level::Warning, format!("there is no parser rule {start}"));
        findings.push(finding.hint(format!("rules that no other rule calls: {}", names.join(", "))));
    }
    let roots = known.map_or_else(|| calls.roots(parser), |start| vec![start]);
    let reached = calls.reach(&roots);
    for rule in parser.iter().filter(|rule| !reached.contains(&rule.name.text[..])) {
        let message = format!("rule {} cannot be reached from {}", rule.name.text, roots.join(", "));
        findings.push(Finding::new(Level::Warning, message).about(rule));
    }
    let tokens = grammar.lexer_rules().iter().filter(|rule| !rule.fragment).map(|rule| &rule.name.text[..]);
    let used = calls.reach(&tokens.collect::<Vec<_>>());
    for rule in grammar.lexer_rules().iter().filter(|rule| !used.contains(&rule.name.text[..])) {
        let message = format!("no token uses the fragment {}", rule.name.text);
        findings.push(Finding::new(Level::Note, message).about(rule));
    }
    for rule in grammar.lexer_rules().iter().filter(|rule| !parser.is_empty() && is_token(rule)) {
        if !reached.contains(&rule.name.text[..]) {
            let message = format!("the parser never uses the token {}", rule.name.text);
            findings.push(Finding::new(Level::Note, message).about(rule));
        }
    }
    findings
}

/// Whether a rule produces tokens that a parser can only refer to by name.
fn is_token(rule: &Rule) -> bool {
    let mut commands = rule.block.alternatives.iter().flat_map(|alternative| &alternative.commands);
    let busy = commands.any(|command| matches!(&command.name.text[..], "skip" | "more" | "type" | "channel"));
    let literal = rule
        .block
        .alternatives
        .iter()
        .all(|alternative| matches!(&alternative.elements[..], [Element { kind: ElementKind::Literal(_), .. }]));
    // A parser may also use a token by its literal.
    !rule.fragment && !busy && !literal
}

fn block<'g>(written: &'g Block, names: &mut HashSet<&'g str>) {
    for element in written.alternatives.iter().flat_map(|alternative| &alternative.elements) {
        match &element.kind {
            ElementKind::Token(name) | ElementKind::Rule { name, .. } => {
                names.insert(name);
            }
            ElementKind::Not(members) => {
                names.extend(members.iter().filter_map(|member| match &member.kind {
                    ElementKind::Token(name) => Some(&name[..]),
                    _ => None,
                }));
            }
            ElementKind::Block(inner) | ElementKind::Quantified { block: inner, .. } => block(inner, names),
            _ => {}
        }
    }
}

impl<'g> Calls<'g> {
    /// The rules that no other rule calls; if there are none, the first rule.
    fn roots(&self, rules: &'g [Rule]) -> Vec<&'g str> {
        let called: HashSet<&str> =
            self.calls.iter().flat_map(|(&from, to)| to.iter().copied().filter(move |&to| to != from)).collect();
        let names = || rules.iter().map(|rule| &rule.name.text[..]);
        let roots: Vec<&str> = names().filter(|name| !called.contains(name)).collect();
        if roots.is_empty() { names().take(1).collect() } else { roots }
    }

    fn reach(&self, from: &[&'g str]) -> HashSet<&'g str>
    where
        Self: 'g,
    {
        let mut reached: HashSet<&str> = from.iter().copied().collect();
        let mut open = from.to_vec();
        while let Some(name) = open.pop() {
            for &next in self.calls.get(name).into_iter().flatten() {
                if reached.insert(next) {
                    open.push(next);
                }
            }
        }
        reached
    }
}
