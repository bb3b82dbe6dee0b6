//! From syntax trees to rules with resolved names.

mod command;
mod lexer;
mod parser;

use std::collections::HashMap;

use super::{
    ir::{AltIr, Match, Node, RuleIr},
    tokens::TokenTypes,
    unit::Unit,
};
use crate::{
    atn::{ActionId, Code, CodeId, RuleId},
    g4::{Report, Sources, ast::Span},
};

/// Rules, and their predicates and actions.
pub(crate) struct Lowered {
    pub(crate) rules: Vec<RuleIr>,
    pub(crate) code: Vec<Code>,
}

/// Resolves the names of a lexer.
pub(crate) fn lexer(unit: &Unit, types: &mut TokenTypes, sources: &Sources, report: &mut Report) -> Lowered {
    let mut lowering = Lowering::new(unit, types, sources, report);
    let mut rules = Vec::new();
    for (index, rule) in unit.rules.iter().enumerate() {
        lowering.rule = rule_id(index);
        rules.push(lowering.lexer_rule(rule));
    }
    Lowered { rules, code: lowering.code }
}

/// Resolves the names of a parser.
pub(crate) fn parser(unit: &Unit, types: &mut TokenTypes, sources: &Sources, report: &mut Report) -> Lowered {
    let mut lowering = Lowering::new(unit, types, sources, report);
    let mut rules = Vec::new();
    for (index, rule) in unit.rules.iter().enumerate() {
        lowering.rule = rule_id(index);
        rules.push(lowering.parser_rule(rule));
    }
    Lowered { rules, code: lowering.code }
}

fn rule_id(index: usize) -> RuleId {
    RuleId(u32::try_from(index).expect("fewer than 2^32 rules"))
}

struct Lowering<'a> {
    unit: &'a Unit,
    types: &'a mut TokenTypes,
    sources: &'a Sources,
    report: &'a mut Report,
    ids: HashMap<&'a str, RuleId>,
    code: Vec<Code>,
    /// The number of predicates so far, including those that rewriting left recursion created.
    predicates: u32,
    actions: u32,
    /// The current rule.
    rule: RuleId,
    /// Whether the current lexer rule ignores case.
    fold: bool,
    /// In a part of a left-recursive rule: how many calls are still to come, and the precedence of the last one.
    last_call: Option<(usize, u32)>,
}

impl<'a> Lowering<'a> {
    fn new(unit: &'a Unit, types: &'a mut TokenTypes, sources: &'a Sources, report: &'a mut Report) -> Self {
        let ids = unit.rules.iter().enumerate().rev().map(|(index, rule)| (&rule.name.text[..], rule_id(index)));
        Self {
            unit,
            types,
            sources,
            report,
            ids: ids.collect(),
            code: Vec::new(),
            predicates: 0,
            actions: 0,
            rule: RuleId(0),
            fold: false,
            last_call: None,
        }
    }

    fn predicate(&mut self, text: &str) -> Node {
        let index = self.predicates;
        self.predicates += 1;
        Node::Predicate(self.add_code(index, text, true))
    }

    fn action(&mut self, text: &str) -> Node {
        let index = self.actions;
        self.actions += 1;
        Node::Action(Some(ActionId::Code(self.add_code(index, text, false))))
    }

    fn add_code(&mut self, index: u32, text: &str, predicate: bool) -> CodeId {
        let id = CodeId(u32::try_from(self.code.len()).expect("fewer than 2^32 actions"));
        let context_dependent = predicate && mentions_context(text);
        self.code.push(Code { rule: self.rule, index, text: text.to_owned(), predicate, context_dependent });
        id
    }

    fn undefined(&mut self, span: Span, what: &str, name: &str) {
        let candidates = self.unit.rules.iter().map(|rule| &rule.name.text[..]);
        let similar = super::similar::closest(name, candidates);
        let problem = self.report.error(self.sources, span, format!("{what} {name} is not defined"));
        if let Some(similar) = similar {
            problem.hint(format!("did you mean {similar}?"));
        }
    }
}

fn empty() -> AltIr {
    AltIr::default()
}

/// A placeholder for a name that could not be resolved. It is not empty, so that the mistake causes no further
/// messages.
fn unknown() -> Node {
    Node::Match(Match::Wildcard)
}

/// Whether code refers to the context of its rule: `$name`, even in a comment.
fn mentions_context(text: &str) -> bool {
    let mut escaped = false;
    text.char_indices().any(|(at, c)| {
        let dollar = c == '$' && !escaped;
        escaped = c == '\\' && !escaped;
        dollar && text[at + 1..].starts_with(|next: char| next.is_ascii_alphabetic() || next == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::mentions_context;

    #[test]
    fn a_dollar_means_the_context_only_before_a_name() {
        assert!(mentions_context("$x > 1"));
        assert!(!mentions_context(r"\$x"));
        assert!(!mentions_context("a $ b $"));
        assert!(!mentions_context("\\"));
    }
}
