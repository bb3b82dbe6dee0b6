//! Rules of a lexer.

use super::{
    super::{
        case,
        ir::{AltIr, Match, Node, RuleIr},
    },
    Lowering, empty, unknown,
};
use crate::{
    atn::{EOF, IntervalSet},
    g4::ast::{Alternative, CharSet, Element, ElementKind, Literal, Rule, Span, code_point},
};

impl Lowering<'_> {
    pub(super) fn lexer_rule(&mut self, rule: &Rule) -> RuleIr {
        self.fold = super::super::options::case_insensitive(&rule.options).unwrap_or(self.unit.case_insensitive);
        let alternatives = &rule.block.alternatives;
        for alternative in alternatives.iter().filter(|_| alternatives.len() > 1) {
            self.refuse_commands(alternative);
        }
        let alternatives = match self.char_set(alternatives) {
            Some(set) => vec![AltIr { nodes: vec![Node::Match(set)], ..empty() }],
            None => alternatives.iter().map(|alternative| self.lexer_alternative(alternative)).collect(),
        };
        let mode = rule.mode.as_ref().and_then(|mode| self.unit.modes.iter().position(|known| known == mode));
        RuleIr {
            name: rule.name.text.clone(),
            alternatives,
            left_recursive: false,
            token_type: self.types.of_name(&rule.name.text).unwrap_or(0),
            fragment: rule.fragment,
            mode: mode.unwrap_or(0),
        }
    }

    fn refuse_commands(&mut self, alternative: &Alternative) {
        if let Some(command) = alternative.commands.first() {
            let message = "commands are only allowed at the end of a rule with one alternative";
            let problem = self.report.error(self.sources, command.name.span, message);
            problem.hint("put parentheses around the alternatives, or write a rule for each");
        }
    }

    fn lexer_alternative(&mut self, alternative: &Alternative) -> AltIr {
        let nodes = alternative.elements.iter().map(|element| self.lexer_element(element)).collect();
        let commands = self.commands(&alternative.commands);
        AltIr { nodes, commands }
    }

    fn inner_alternatives(&mut self, alternatives: &[Alternative]) -> Vec<AltIr> {
        alternatives.iter().for_each(|alternative| self.refuse_commands(alternative));
        alternatives.iter().map(|alternative| self.lexer_alternative(alternative)).collect()
    }

    fn lexer_element(&mut self, element: &Element) -> Node {
        match &element.kind {
            ElementKind::Token(name) => self.call_lexer_rule(name, element.span),
            ElementKind::Rule { name, .. } => {
                let message = format!("{name} is a parser rule, and lexer rules cannot call it");
                self.report
                    .error(self.sources, element.span, message)
                    .hint("names of lexer rules begin with a capital letter");
                unknown()
            }
            ElementKind::Eof => Node::Match(Match::Atom(EOF)),
            ElementKind::Literal(literal) => self.literal(literal),
            ElementKind::Range(low, high) => match self.range(low, high, element.span) {
                Some((low, high)) => Node::Match(one_of(&self.folded(low, high), low == high)),
                None => unknown(),
            },
            ElementKind::CharSet(set) => Node::Match(Match::Set(self.written_set(set))),
            ElementKind::Not(members) => {
                let mut set = IntervalSet::new();
                members.iter().for_each(|member| self.add_member(&mut set, member));
                Node::Match(Match::NotSet(set))
            }
            ElementKind::Wildcard => Node::Match(Match::Wildcard),
            ElementKind::Block(block) => match self.char_set(&block.alternatives) {
                Some(set) => Node::Match(set),
                None => Node::Block(self.inner_alternatives(&block.alternatives)),
            },
            ElementKind::Quantified { block, quantifier, greedy } => {
                let alternatives = match self.char_set(&block.alternatives) {
                    Some(set) => vec![AltIr { nodes: vec![Node::Match(set)], ..empty() }],
                    None => self.inner_alternatives(&block.alternatives),
                };
                Node::Loop { alternatives, quantifier: *quantifier, greedy: *greedy, written: Some(element.span) }
            }
            ElementKind::Action(text) => self.action(text),
            ElementKind::Predicate(text) => self.predicate(text),
        }
    }

    fn call_lexer_rule(&mut self, name: &str, span: Span) -> Node {
        if let Some(&rule) = self.ids.get(name) {
            return Node::Call { rule, precedence: 0 };
        }
        self.undefined(span, "lexer rule", name);
        unknown()
    }

    fn literal(&mut self, literal: &Literal) -> Node {
        let fold = |&c: &u32| {
            if self.fold { one_of(&case::fold(c, c), true) } else { Match::Atom(code_point(c)) }
        };
        let matches: Vec<Match> = literal.code_points.iter().map(fold).collect();
        if matches.is_empty() { unknown() } else { Node::Sequence(matches) }
    }

    fn folded(&self, low: u32, high: u32) -> Vec<(u32, u32)> {
        if self.fold { case::fold(low, high) } else { vec![(low, high)] }
    }

    fn written_set(&self, set: &CharSet) -> IntervalSet {
        let mut all = set.properties.clone();
        for &(low, high) in &set.ranges {
            self.add_range(&mut all, low, high);
        }
        all
    }

    fn add_range(&self, set: &mut IntervalSet, low: u32, high: u32) {
        for (low, high) in self.folded(low, high) {
            set.insert(code_point(low), code_point(high));
        }
    }

    fn range(&mut self, low: &Literal, high: &Literal, span: Span) -> Option<(u32, u32)> {
        let (Some(first), Some(last)) = (low.single(), high.single()) else {
            let message =
                format!("the bounds of the range {}..{} are not single characters", low.written, high.written);
            self.report.error(self.sources, span, message);
            return None;
        };
        if first > last {
            let message = format!("the range {}..{} is empty", low.written, high.written);
            let problem = self.report.error(self.sources, span, message);
            problem.hint("a range goes from the lower character to the higher one");
            return None;
        }
        Some((first, last))
    }

    fn add_member(&mut self, set: &mut IntervalSet, member: &Element) {
        match &member.kind {
            ElementKind::Literal(literal) => match literal.single() {
                Some(c) => self.add_range(set, c, c),
                None => {
                    let message = format!("{} is not a single character and cannot be negated", literal.written);
                    self.report.error(self.sources, member.span, message);
                }
            },
            ElementKind::Range(low, high) => {
                if let Some((low, high)) = self.range(low, high, member.span) {
                    self.add_range(set, low, high);
                }
            }
            ElementKind::CharSet(chars) => {
                let chars = self.written_set(chars);
                chars.intervals().iter().for_each(|&(low, high)| set.insert(low, high));
            }
            _ => {
                let problem = self.report.error(self.sources, member.span, "lexer rules cannot be negated");
                problem.hint("write the characters themselves: ~[…]");
            }
        }
    }

    /// Merges alternatives that are single characters or ranges into one set. Sets in brackets stay alternatives here,
    /// and are merged when the network is complete.
    fn char_set(&mut self, alternatives: &[Alternative]) -> Option<Match> {
        let single = |alternative: &Alternative| match &alternative.elements[..] {
            [Element { kind, label: None, .. }] if alternative.commands.is_empty() => match kind {
                ElementKind::Literal(literal) => literal.single().is_some(),
                ElementKind::Range(low, high) => low.single().is_some() && high.single().is_some(),
                _ => false,
            },
            _ => false,
        };
        if alternatives.len() < 2 || !alternatives.iter().all(single) {
            return None;
        }
        let mut set = IntervalSet::new();
        for alternative in alternatives {
            self.add_member(&mut set, &alternative.elements[0]);
        }
        Some(match *set.intervals() {
            [(low, high)] if low == high => Match::Atom(low),
            _ => Match::Set(set),
        })
    }
}

/// A range or its two cases; a single character is an atom.
fn one_of(ranges: &[(u32, u32)], single: bool) -> Match {
    match ranges {
        [(low, _)] if single => Match::Atom(code_point(*low)),
        _ => Match::Set(ranges.iter().map(|&(low, high)| (code_point(low), code_point(high))).collect()),
    }
}
