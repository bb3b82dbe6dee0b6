//! Options.

use crate::g4::{Report, Sources, ast::GrammarOption};

/// Includes options that only matter to generated code; these are ignored.
const GRAMMAR: &[&str] = &[
    "superClass",
    "contextSuperClass",
    "TokenLabelType",
    "tokenVocab",
    "language",
    "accessLevel",
    "exportMacro",
    "caseInsensitive",
];
const RULE: &[&str] = &["caseInsensitive"];

/// The value of an option.
pub(crate) fn value<'a>(options: &'a [GrammarOption], name: &str) -> Option<&'a str> {
    find(options, name)?.value.as_deref()
}

/// An option by name.
pub(crate) fn find<'a>(options: &'a [GrammarOption], name: &str) -> Option<&'a GrammarOption> {
    options.iter().rev().find(|option| option.name.text == name)
}

/// The value of `caseInsensitive`.
pub(crate) fn case_insensitive(options: &[GrammarOption]) -> Option<bool> {
    value(options, "caseInsensitive").map(|value| value == "true")
}

/// Options of a grammar.
pub(crate) fn check_grammar(options: &[GrammarOption], sources: &Sources, report: &mut Report) {
    check(options, GRAMMAR, "grammar", sources, report);
}

/// Options of a rule.
pub(crate) fn check_rule(options: &[GrammarOption], sources: &Sources, report: &mut Report) {
    check(options, RULE, "rule", sources, report);
}

fn check(options: &[GrammarOption], known: &[&str], what: &str, sources: &Sources, report: &mut Report) {
    for option in options {
        let name = &option.name.text[..];
        if !known.contains(&name) {
            let similar = super::similar::closest(name, known.iter().copied());
            let problem = report.warning(sources, option.name.span, format!("a {what} has no option {name}"));
            problem.hint(match similar {
                Some(similar) => format!("did you mean {similar}?"),
                None => "it is ignored".to_owned(),
            });
        }
        if name == "caseInsensitive" && !matches!(option.value.as_deref(), Some("true" | "false")) {
            let problem = report.warning(sources, option.value_span, "caseInsensitive must be true or false");
            problem.hint("false is assumed");
        }
    }
}
