//! How the code in a grammar is treated.

use super::{Finding, Level};
use crate::{
    Grammar,
    semantics::{Semantics, Treatment},
};
use std::collections::HashSet;

/// One finding for every distinct piece of code in a rule.
pub(super) fn treatment(grammar: &Grammar, semantics: &Semantics) -> Vec<Finding> {
    let mut seen = HashSet::new();
    let mut findings = Vec::new();
    for code in semantics.describe().iter().filter(|code| seen.insert((&code.rule, &code.text, code.predicate))) {
        let what = if code.predicate { "predicate" } else { "action" };
        let mark = if code.predicate { "?" } else { "" };
        let (level, how) = match &code.treatment {
            Treatment::Override => (Level::Note, "follows your override".to_owned()),
            Treatment::BuiltIn(class) => (Level::Note, format!("is built in, as in {class}")),
            Treatment::Expression => (Level::Note, "is evaluated".to_owned()),
            Treatment::AssumedTrue => (Level::Warning, "is not understood and assumed to be true".to_owned()),
            Treatment::Ignored => (Level::Note, "does nothing".to_owned()),
        };
        let text = code.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let message = format!("rule {}: the {what} {{{text}}}{mark} {how}", code.rule);
        let mut finding = Finding::new(level, message);
        if let Some(rule) = grammar.rules().find(|rule| rule.name.text == code.rule) {
            finding = finding.about(rule);
        }
        if code.treatment == Treatment::AssumedTrue {
            finding = finding.hint("override it if inputs are parsed incorrectly");
        }
        findings.push(finding);
    }
    findings
}
