//! Rules of a parser.

use super::{
    super::{
        ir::{AltIr, Match, Node, RuleIr},
        left_recursion::{self, Part, Rewritten},
    },
    Lowering, empty, unknown,
};
use crate::{
    atn::{EOF, IntervalSet, Quantifier},
    g4::ast::{Alternative, Element, ElementKind, Literal, Rule, Span},
};

impl Lowering<'_> {
    pub(super) fn parser_rule(&mut self, rule: &Rule) -> RuleIr {
        let rewritten = left_recursion::rewrite(rule).filter(|rewritten| self.fits(rule, rewritten));
        let left_recursive = rewritten.is_some();
        let alternatives = match rewritten {
            Some(rewritten) => vec![self.rewritten(&rewritten)],
            None => {
                let alternatives = &rule.block.alternatives;
                let labelled = alternatives.first().is_some_and(|first| first.label.is_some());
                match self.token_set(alternatives).filter(|_| !labelled) {
                    Some(set) => vec![AltIr { nodes: vec![Node::Match(Match::Set(set))], ..empty() }],
                    None => self.alternatives(alternatives),
                }
            }
        };
        let name = rule.name.text.clone();
        RuleIr { name, alternatives, left_recursive, token_type: 0, fragment: false, mode: 0 }
    }

    /// Whether the rule can be rewritten; reports why not.
    fn fits(&mut self, rule: &Rule, rewritten: &Rewritten<'_>) -> bool {
        let name = &rule.name.text;
        if rule.arguments.is_some() {
            let message = format!("left-recursive rule {name} has arguments");
            self.report.error(self.sources, rule.name.span, message).hint("ANTLR cannot pass them on");
            return false;
        }
        if rewritten.operators.is_empty() {
            let message = format!("rule {name} is left-recursive in a way that cannot be rewritten");
            self.report.error(self.sources, rule.name.span, message).hint("something has to follow the first call");
            return false;
        }
        if rewritten.primary.is_empty() {
            let message = format!("left-recursive rule {name} has no alternative that begins with something else");
            self.report.error(self.sources, rule.name.span, message).hint("without one, it can match nothing at all");
            return false;
        }
        true
    }

    /// `( {} primary | … ) ( {precedence}? operator | … )*`
    fn rewritten(&mut self, rewritten: &Rewritten<'_>) -> AltIr {
        let mut primary: Vec<AltIr> = rewritten.primary.iter().map(|part| self.part(part)).collect();
        primary[0].nodes.insert(0, Node::Action(None));
        let operators = rewritten.operators.iter().map(|part| {
            // ANTLR counts these predicates too.
            self.predicates += 1;
            let mut alternative = self.part(part);
            alternative.nodes.insert(0, Node::Precedence(part.precedence));
            alternative
        });
        let operators = operators.collect();
        let choice = Node::Block(primary);
        let repeat = Node::Loop { alternatives: operators, quantifier: Quantifier::Star, greedy: true, written: None };
        AltIr { nodes: vec![choice, repeat], ..empty() }
    }

    fn part(&mut self, part: &Part<'_>) -> AltIr {
        self.last_call = Some((left_recursion::count_calls(part.elements), part.last));
        let nodes = part.elements.iter().map(|element| self.parser_element(element)).collect();
        self.last_call = None;
        AltIr { nodes, ..empty() }
    }

    fn alternatives(&mut self, alternatives: &[Alternative]) -> Vec<AltIr> {
        alternatives.iter().map(|alternative| self.parser_alternative(alternative)).collect()
    }

    fn parser_alternative(&mut self, alternative: &Alternative) -> AltIr {
        let nodes = alternative.elements.iter().map(|element| self.parser_element(element)).collect();
        AltIr { nodes, ..empty() }
    }

    fn parser_element(&mut self, element: &Element) -> Node {
        match &element.kind {
            ElementKind::Token(name) => Node::Match(Match::Atom(self.token(name, element.span))),
            ElementKind::Eof => Node::Match(Match::Atom(EOF)),
            ElementKind::Literal(literal) => Node::Match(Match::Atom(self.literal_type(literal, element.span))),
            ElementKind::Rule { name, .. } => self.call(name, element.span),
            ElementKind::Wildcard => Node::Match(Match::Wildcard),
            ElementKind::Not(members) => {
                let types: Vec<i32> = members.iter().map(|member| self.member(member)).collect();
                Node::Match(Match::NotSet(types.into_iter().map(|member| (member, member)).collect()))
            }
            ElementKind::Range(low, high) => {
                let message = format!("a parser rule cannot contain the range {}..{}", low.written, high.written);
                self.report.error(self.sources, element.span, message).hint("ranges are only allowed in lexer rules");
                unknown()
            }
            // The parser of the grammar language has already reported this.
            ElementKind::CharSet(_) => unknown(),
            ElementKind::Block(block) => match self.token_set(&block.alternatives) {
                Some(set) => Node::Match(Match::Set(set)),
                None => Node::Block(self.alternatives(&block.alternatives)),
            },
            ElementKind::Quantified { block, quantifier, greedy } => {
                let alternatives = match self.token_set(&block.alternatives) {
                    Some(set) => vec![AltIr { nodes: vec![Node::Match(Match::Set(set))], ..empty() }],
                    None => self.alternatives(&block.alternatives),
                };
                Node::Loop { alternatives, quantifier: *quantifier, greedy: *greedy, written: Some(element.span) }
            }
            ElementKind::Action(text) => self.action(text),
            ElementKind::Predicate(text) => self.predicate(text),
        }
    }

    fn call(&mut self, name: &str, span: Span) -> Node {
        let mut precedence = 0;
        let Some(&rule) = self.ids.get(name) else {
            self.undefined(span, "rule", name);
            return unknown();
        };
        if let Some((left, last)) = &mut self.last_call {
            *left -= 1;
            if *left == 0 && rule == self.rule {
                precedence = *last;
            }
        }
        Node::Call { rule, precedence }
    }

    /// Merges alternatives that are single tokens into one set.
    fn token_set(&mut self, alternatives: &[Alternative]) -> Option<IntervalSet> {
        let single = |alternative: &Alternative| match &alternative.elements[..] {
            [only] => {
                only.label.is_none()
                    && matches!(only.kind, ElementKind::Token(_) | ElementKind::Eof | ElementKind::Literal(_))
            }
            _ => false,
        };
        if alternatives.len() < 2 || !alternatives.iter().all(single) {
            return None;
        }
        let types: Vec<i32> = alternatives.iter().map(|alternative| self.member(&alternative.elements[0])).collect();
        Some(types.into_iter().map(|member| (member, member)).collect())
    }

    fn member(&mut self, element: &Element) -> i32 {
        match &element.kind {
            ElementKind::Token(name) => self.token(name, element.span),
            ElementKind::Literal(literal) => self.literal_type(literal, element.span),
            ElementKind::Eof => EOF,
            _ => {
                let problem = self.report.error(self.sources, element.span, "only tokens can be negated in a parser");
                problem.hint("characters belong in lexer rules");
                0
            }
        }
    }

    fn token(&mut self, name: &str, span: Span) -> i32 {
        if let Some(known) = self.types.of_name(name) {
            return known;
        }
        let message = format!("token {name} is not defined, so no input can contain it");
        self.report.warning(self.sources, span, message).hint("write a lexer rule, or name it in `tokens { … }`");
        self.types.define(name)
    }

    fn literal_type(&mut self, literal: &Literal, span: Span) -> i32 {
        self.types.of_literal(&literal.written).unwrap_or_else(|| {
            let message = format!("no lexer rule defines the literal {}", literal.written);
            let problem = self.report.error(self.sources, span, message);
            problem.hint(if self.unit.combined {
                "more than one lexer rule is just this literal: name the token instead"
            } else {
                "a parser grammar cannot define tokens: exactly one rule of the lexer must be just this literal"
            });
            0
        })
    }
}
