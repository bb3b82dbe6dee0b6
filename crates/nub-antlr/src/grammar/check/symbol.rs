//! Names of rules, modes, channels and tokens.

use std::collections::HashMap;

use super::{
    super::{
        options,
        unit::{DEFAULT_MODE, Unit},
    },
    label,
};
use crate::g4::{
    Report, Sources,
    ast::{GrammarFile, GrammarType, Name, Rule, Span, is_token_name},
};

/// Checks that need only one file.
pub(crate) fn file(file: &GrammarFile, sources: &Sources, report: &mut Report) {
    for rule in &file.rules {
        let name = &rule.name.text;
        match file.grammar_type {
            GrammarType::Parser if rule.is_lexer_rule() => {
                let message = format!("{name} is a lexer rule, and this is a parser grammar");
                let problem = report.error(sources, rule.name.span, message);
                problem.hint("names of parser rules begin with a lower-case letter");
            }
            GrammarType::Lexer if !rule.is_lexer_rule() => {
                let message = format!("{name} is a parser rule, and this is a lexer grammar");
                report.error(sources, rule.name.span, message).hint("names of lexer rules begin with a capital letter");
            }
            _ => {}
        }
    }
    if file.grammar_type != GrammarType::Lexer {
        for (what, names) in [("modes", &file.modes), ("channels", &file.channels)] {
            if let Some(name) = names.first() {
                let problem = report.error(sources, name.span, format!("only lexer grammars can have {what}"));
                problem.hint("split the grammar into a lexer grammar and a parser grammar");
            }
        }
    }
    for token in &file.tokens {
        if !is_token_name(&token.text) {
            let message = format!("{} is not a valid name for a token", token.text);
            report.error(sources, token.span, message).hint("names of tokens begin with a capital letter");
        }
    }
    if file.rules.is_empty() && file.imports.is_empty() && !report.is_incomplete() {
        report.error(sources, file.name.span, format!("the grammar {} has no rules", file.name.text));
    }
}

/// Checks that need a lexer or a parser with its imports.
pub(crate) fn symbols(unit: &Unit, lexer: bool, sources: &Sources, report: &mut Report) {
    let mut known: HashMap<&str, Span> = HashMap::new();
    for rule in &unit.rules {
        options::check_rule(&rule.options, sources, report);
        let name = &rule.name.text[..];
        if let Some(&earlier) = known.get(name) {
            let place = sources.get(earlier.file).place(earlier.start, earlier.end);
            let message = format!("rule {name} is defined twice");
            let problem = report.error(sources, rule.name.span, message);
            problem.hint(format!("the first definition is at {}:{}", sources.get(earlier.file).name(), place.line));
        } else {
            known.insert(name, rule.name.span);
        }
        if name == "EOF" {
            report.error(sources, rule.name.span, "EOF is the end of the input, and no rule can define it");
        }
        if rule.fragment && !rule.is_lexer_rule() {
            let problem = report.error(sources, rule.name.span, format!("the parser rule {name} cannot be a fragment"));
            problem.hint("only lexer rules can be fragments; their names begin with a capital letter");
        }
    }
    if lexer {
        modes(unit, sources, report);
        channels(unit, &known, sources, report);
    } else {
        label::check(&unit.rules, &known, sources, report);
    }
}

fn modes(unit: &Unit, sources: &Sources, report: &mut Report) {
    let has_token = |mode: &str| {
        let of_mode = |rule: &&Rule| rule.mode.as_deref().unwrap_or(DEFAULT_MODE) == mode;
        unit.rules.iter().filter(of_mode).any(|rule| !rule.fragment)
    };
    for mode in unit.modes.iter().filter(|mode| !has_token(mode)) {
        if unit.rules.is_empty() {
            break;
        }
        let message = format!("mode {mode} has no rule that produces a token");
        report.error(sources, unit.name.span, message).hint("fragments produce no tokens");
    }
}

fn channels(unit: &Unit, rules: &HashMap<&str, Span>, sources: &Sources, report: &mut Report) {
    for channel in unit.channels.iter().skip(2) {
        if let Some(&span) = rules.get(&channel[..]) {
            report.error(sources, span, format!("{channel} is the name of both a channel and a rule"));
        }
        if unit.modes.contains(channel) {
            report.error(sources, unit.name.span, format!("{channel} is the name of both a channel and a mode"));
        }
        let token = unit.tokens.iter().find(|token: &&Name| token.text == *channel);
        if let Some(token) = token {
            report.error(sources, token.span, format!("{channel} is the name of both a channel and a token"));
        }
    }
}
