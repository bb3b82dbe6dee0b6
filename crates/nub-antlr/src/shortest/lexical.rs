//! The shortest texts of the rules of a lexer, verified with the lexer itself.

use super::{Replacements, Short, Trust, candidates::Candidates, character, more, solve, text::Text};
use crate::{
    Engine, Grammar,
    atn::{EOF, RuleId, Transition},
    g4::ast::Rule,
    token::Origin,
};
use std::collections::{HashMap, HashSet};

/// How many texts of a rule are tried.
const CANDIDATES: usize = 200;

/// How a lexer reads a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Made {
    /// One token the parser sees.
    Token(i32),
    /// One token the parser does not see.
    Hidden,
    /// Anything else.
    Other,
}

/// The texts of a lexer.
#[derive(Debug, Default)]
pub(super) struct Lexical {
    /// By rule number. The text of a rule whose tokens the parser never sees is empty.
    pub(super) rules: Vec<Option<Short>>,
    /// By token type, best first; there are several if several modes produce the token.
    pub(super) kinds: HashMap<i32, Vec<Short>>,
    /// Texts the parser does not see, best first.
    pub(super) separators: Vec<String>,
    /// The numbers of rules without a finite text.
    pub(super) endless: Vec<usize>,
}

pub(super) fn lexical(grammar: &Grammar, engine: &mut Engine, replacements: &Replacements) -> Lexical {
    let atn = &grammar.compiled().lexer.atn;
    let given = |rule: &Rule| replacements.get(&rule.name.text);
    let fixed: HashMap<RuleId, Text> = (0u32..)
        .zip(grammar.lexer_rules())
        .filter_map(|(number, rule)| Some((RuleId(number), Text::usual(given(rule)?))))
        .collect();
    let solution = solve::solve(atn, &fixed, label);
    let mut lexical = Lexical { rules: vec![None; atn.rules.len()], ..Lexical::default() };
    let prefixes = more::prefixes(grammar, &solution);
    let modes = &grammar.compiled().lexer.modes;
    let mut hidden: Vec<(bool, Text)> = Vec::new();
    for (number, rule) in grammar.lexer_rules().iter().enumerate() {
        let mode = rule.mode.as_ref().and_then(|mode| modes.iter().position(|name| name == mode)).unwrap_or(0);
        let kinds = kinds(grammar, number);
        let Some(best) = solution.rule(atn, number) else {
            lexical.endless.push(number);
            continue;
        };
        if rule.fragment || more::is_more(rule) {
            continue;
        }
        let hides = is_hidden(rule);
        if hides && !best.as_str().is_empty() {
            // Even if it lexes as another token by itself: blanks may, at the start of an input.
            hidden.push((mode != 0, best.clone()));
        }
        let mut makes = kinds.clone();
        let short = if given(rule).is_some() {
            Short { text: best.as_str().to_owned(), trust: Trust::User, mode }
        } else {
            let candidates = || Candidates::new(atn, &solution, &fixed, number).take(CANDIDATES);
            let places = prefixes[mode].iter().map(|(text, from)| (text.as_str(), *from)).chain([("", mode)]);
            let found = places.into_iter().find_map(|place| try_all(engine, candidates(), place, &kinds));
            match found {
                Some((text, Made::Hidden, from)) => {
                    hidden.push((from != 0, Text::usual(&text)));
                    Short { text: String::new(), trust: Trust::Verified, mode: from }
                }
                Some((text, made, from)) => {
                    makes.retain(|&kind| made == Made::Token(kind));
                    Short { text, trust: Trust::Verified, mode: from }
                }
                None if hides => Short { text: String::new(), trust: Trust::Verified, mode },
                None => Short { text: best.as_str().to_owned(), trust: Trust::Unverified, mode },
            }
        };
        for kind in makes {
            lexical.kinds.entry(kind).or_default().push(short.clone());
        }
        lexical.rules[number] = Some(short);
    }
    finish(&mut lexical, hidden);
    lexical
}

/// Sorts the best texts first: verified ones, those of the first mode, the shortest.
fn finish(lexical: &mut Lexical, mut hidden: Vec<(bool, Text)>) {
    for shorts in lexical.kinds.values_mut() {
        shorts.sort_by_cached_key(|short| {
            // A text that the parser does not see is verified, but of no use to it.
            (short.trust == Trust::Unverified, short.text.is_empty(), short.mode, Text::plain(&short.text))
        });
    }
    // Catch-all rules hide their tokens, too; blanks are the proper separator between tokens.
    hidden.sort_by_key(|(deep, text)| (!text.as_str().chars().all(char::is_whitespace), *deep, text.clone()));
    let mut seen = HashSet::new();
    lexical.separators = hidden.into_iter().map(|(_, text)| text.as_str().to_owned()).collect();
    lexical.separators.retain(|text| seen.insert(text.clone()));
}

/// The first text that is just one token of the right type, that token, and the mode the text begins in.
fn try_all(
    engine: &mut Engine,
    candidates: impl Iterator<Item = Text>,
    (before, mode): (&str, usize),
    kinds: &[i32],
) -> Option<(String, Made, usize)> {
    for candidate in candidates {
        let text = format!("{before}{}", candidate.as_str());
        match made(engine, &text, mode) {
            Made::Token(kind) if kinds.contains(&kind) => return Some((text, Made::Token(kind), mode)),
            Made::Hidden => return Some((text, Made::Hidden, mode)),
            _ => {}
        }
    }
    None
}

fn made(engine: &mut Engine, text: &str, mode: usize) -> Made {
    let (tokens, errors) = engine.tokens(text.as_bytes(), mode);
    // Base classes of lexers insert tokens without text.
    let mut tokens = tokens.iter().filter(|token| token.start < token.end);
    match (tokens.next(), tokens.next()) {
        (Some(token), None) if errors.is_empty() && token.origin != Origin::Error => {
            if token.visible() {
                Made::Token(token.kind)
            } else {
                Made::Hidden
            }
        }
        _ => Made::Other,
    }
}

/// Whether, according to its commands, the parser never sees the tokens of a rule.
fn is_hidden(rule: &Rule) -> bool {
    rule.block.alternatives.iter().all(|alternative| {
        alternative.commands.iter().any(|command| match (&command.name.text[..], &command.argument) {
            ("skip", _) => true,
            ("channel", Some(channel)) => !matches!(&channel.text[..], "DEFAULT_TOKEN_CHANNEL" | "0"),
            _ => false,
        })
    })
}

/// The token types that a rule produces.
fn kinds(grammar: &Grammar, number: usize) -> Vec<i32> {
    let rule = &grammar.lexer_rules()[number];
    let mut kinds = vec![grammar.compiled().lexer.atn.rules[number].token_type];
    let by_name = &grammar.compiled().vocabulary.symbolic;
    for command in rule.block.alternatives.iter().flat_map(|alternative| &alternative.commands) {
        if let ("type", Some(name)) = (&command.name.text[..], &command.argument) {
            let kind = by_name.iter().position(|known| known.as_ref() == Some(&name.text));
            kinds.extend(kind.and_then(|kind| i32::try_from(kind).ok()));
        }
    }
    kinds.retain(|&kind| kind > 0);
    kinds
}

/// The best text of a transition that consumes a character.
fn label(transition: &Transition) -> Option<Text> {
    let end = match transition {
        Transition::Atom { label, .. } => *label == EOF,
        Transition::Set { set, .. } => set.contains(EOF),
        _ => false,
    };
    if end {
        return Some(Text::default());
    }
    let best = character::members(&character::accepted(transition)?).next()?;
    Some(Text::usual(best.encode_utf8(&mut [0; 4])))
}
