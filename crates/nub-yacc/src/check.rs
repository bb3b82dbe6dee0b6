//! Problems in a grammar that do not prevent parsing.

use crate::{
    grammar::{Symbol, TokenId},
    language::Language,
};

/// Describes everything in a grammar that may be a mistake: rules that derive no text or cannot be reached, tokens that
/// are never produced or never used, lexer rules that never match, and conflicts.
pub fn findings(language: &Language) -> Vec<String> {
    let mut findings = rules(language);
    findings.extend(tokens(language));
    for (file, line) in language.dead_rules() {
        findings
            .push(format!("{file}:{line}: this lexer rule can never match: earlier rules match everything it does"));
    }
    findings.extend(conflicts(language));
    findings
}

fn rules(language: &Language) -> Vec<String> {
    let grammar = language.grammar();
    let productive = grammar.productive();
    let mut findings = vec![];
    for (rule, has_text) in grammar.rules().iter().zip(productive).skip(1) {
        let place = || format!("{}:{}", language.yacc_file(), language.line(rule.span.start));
        let name = &rule.name;
        let used = rule.productions.iter().any(|&id| grammar.production(id).useful);
        if rule.is_action() || used {
            continue;
        }
        findings.push(match has_text {
            false => {
                format!("{}: the rule {name} has no finite text: every alternative leads back to it", place())
            }
            true => format!(
                "{}: the start rule {} never leads to the rule {name}",
                place(),
                grammar.rule(grammar.start()).name
            ),
        });
    }
    findings
}

fn tokens(language: &Language) -> Vec<String> {
    let grammar = language.grammar();
    let mut findings = vec![];
    for (id, token) in grammar.tokens().iter().enumerate().skip(2) {
        let id = TokenId(id as u32);
        let used = |symbol| grammar.productions().iter().any(|production| production.symbols.contains(&symbol));
        let ranks = || grammar.productions().iter().any(|production| production.precedence == Some(id));
        if used(Symbol::Token(id)) {
            if language.has_lexer() && language.shortest(id).is_none() {
                let name = &token.name;
                findings.push(format!(
                    "no text is known for the token {name}: rules that need it can only be replaced by parts of the \
                     input"
                ));
            }
        } else if !ranks() {
            findings.push(format!("no rule uses the token {}", token.name));
        }
    }
    findings
}

fn conflicts(language: &Language) -> Vec<String> {
    let grammar = language.grammar();
    let mut findings: Vec<String> = language.conflicts().iter().map(|conflict| conflict.explain(grammar)).collect();
    let (shift_reduce, reduce_reduce) = language.conflict_counts();
    let (expected, expected_rr) = grammar.expected;
    if let Some(expected) = expected.filter(|&expected| expected != shift_reduce) {
        findings.push(format!("%expect {expected}, but there are {shift_reduce} shift/reduce conflicts"));
    }
    if let Some(expected) = expected_rr.filter(|&expected| expected != reduce_reduce) {
        findings.push(format!("%expect-rr {expected}, but there are {reduce_reduce} reduce/reduce conflicts"));
    }
    if grammar.glr && shift_reduce + reduce_reduce > 0 {
        findings
            .push("%glr-parser: nub does not follow both sides of a conflict; it resolves it as YACC would".to_owned());
    }
    findings
}
