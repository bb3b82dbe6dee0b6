//! Tokens that begin in one mode and end in another, with `more`.

use super::solve::Solution;
use crate::{Grammar, g4::ast::Rule};

/// Whether the matches of a rule are always just the beginning of a token.
pub(super) fn is_more(rule: &Rule) -> bool {
    let mut alternatives = rule.block.alternatives.iter();
    alternatives.all(|alternative| alternative.commands.iter().any(|command| command.name.text == "more"))
}

/// By mode: the shortest text that enters the mode in the middle of a token, and the mode where the text begins.
pub(super) fn prefixes(grammar: &Grammar, solution: &Solution) -> Vec<Option<(String, usize)>> {
    let modes = &grammar.compiled().lexer.modes;
    let position = |name: &str| modes.iter().position(|mode| mode == name);
    let mut ways: Vec<(usize, &str, usize)> = Vec::new();
    for (number, rule) in grammar.lexer_rules().iter().enumerate().filter(|(_, rule)| !rule.fragment && is_more(rule)) {
        let from = rule.mode.as_deref().and_then(position).unwrap_or(0);
        for command in rule.block.alternatives.iter().flat_map(|alternative| &alternative.commands) {
            let to = command.argument.as_ref().and_then(|argument| position(&argument.text));
            let text = solution.rule(&grammar.compiled().lexer.atn, number);
            if let ("mode" | "pushMode", Some(to), Some(text)) = (&command.name.text[..], to, text)
                && to != from
            {
                ways.push((from, text.as_str(), to));
            }
        }
    }
    let mut found: Vec<Option<(String, usize)>> = vec![None; modes.len()];
    // As often as there are modes, because no shortest path visits one twice.
    for _ in modes {
        for &(from, text, to) in &ways {
            let (before, first) = found[from].clone().unwrap_or((String::new(), from));
            let longer = format!("{before}{text}");
            if first != to && found[to].as_ref().is_none_or(|(known, _)| longer.len() < known.len()) {
                found[to] = Some((longer, first));
            }
        }
    }
    found
}
