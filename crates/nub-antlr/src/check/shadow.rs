//! Tokens that the lexer never produces.

use super::{Finding, Level};
use crate::{
    Engine, Grammar,
    g4::ast::{Block, ElementKind, Rule},
    shortest::{Shortest, Trust},
};

/// Tokens whose short texts all lex as other tokens. Only rules without code are certain enough for a warning.
pub(super) fn never_made(grammar: &Grammar, engine: &mut Engine, texts: &Shortest) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in grammar.lexer_rules() {
        let Some(short) = texts.get(&rule.name.text).filter(|short| short.trust == Trust::Unverified) else { continue };
        let name = &rule.name.text;
        if has_code(&rule.block) {
            let finding = Finding::new(Level::Note, format!("token {name} is only produced where its code allows it"));
            findings.push(finding.about(rule));
            continue;
        }
        let (tokens, errors) = engine.tokens(short.text.as_bytes(), short.mode);
        let mut tokens = tokens.iter().filter(|token| token.start < token.end);
        let finding = match (tokens.next(), tokens.next()) {
            (Some(token), None) if errors.is_empty() && token.kind > 0 => {
                let other = symbolic(grammar, token.kind);
                let message = format!("token {name} is never produced: {:?} is {other}", short.text);
                let level = if is_literal(rule) { Level::Warning } else { Level::Note };
                Finding::new(level, message).hint(format!("put {name} before {other}, or make it a fragment"))
            }
            _ => Finding::new(Level::Note, format!("found no short text that is just the token {name}")),
        };
        findings.push(finding.about(rule));
    }
    findings
}

fn symbolic(grammar: &Grammar, kind: i32) -> String {
    let vocabulary = &grammar.compiled().vocabulary;
    let name = usize::try_from(kind).ok().and_then(|kind| vocabulary.symbolic.get(kind)?.clone());
    name.unwrap_or_else(|| vocabulary.display(kind))
}

/// Whether a rule is one literal, whose only text has been tried.
fn is_literal(rule: &Rule) -> bool {
    let [alternative] = &rule.block.alternatives[..] else { return false };
    matches!(&alternative.elements[..], [element] if matches!(element.kind, ElementKind::Literal(_)))
}

fn has_code(block: &Block) -> bool {
    block.alternatives.iter().flat_map(|alternative| &alternative.elements).any(|element| match &element.kind {
        ElementKind::Predicate(_) | ElementKind::Action(_) => true,
        ElementKind::Block(block) | ElementKind::Quantified { block, .. } => has_code(block),
        _ => false,
    })
}
