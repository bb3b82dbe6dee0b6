//! Our own texts: as short as possible, and verified with our own lexer and parser.

use super::{
    Replacements, Short, Trust,
    derive::{Derivation, Labels, Piece},
    join::join,
    lexical::{Lexical, lexical},
    solve,
    text::Text,
};
use crate::{
    Engine, Grammar, ParseOptions,
    atn::{RuleId, Transition},
};
use std::collections::{BTreeMap, HashMap};

/// The shortest texts of a grammar: see [`shortest`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shortest {
    texts: BTreeMap<String, Short>,
    endless: Vec<String>,
    separator: Option<String>,
}

impl Shortest {
    /// The text of a rule or token. `None` if it has no finite text, and for fragments.
    pub fn get(&self, name: &str) -> Option<&Short> {
        self.texts.get(name)
    }

    /// The text of a rule or token, if the user gave it or it was verified.
    pub fn trusted(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|short| short.trust != Trust::Unverified).map(|short| &short.text[..])
    }

    /// All rules and tokens with a text, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Short)> {
        self.texts.iter().map(|(name, short)| (&name[..], short))
    }

    /// The rules without a finite text, including fragments; those of the lexer first. A text of thousands of
    /// characters does not count.
    pub fn endless(&self) -> &[String] {
        &self.endless
    }

    /// The shortest separator of tokens that the parser does not see, if there is one.
    pub fn separator(&self) -> Option<&str> {
        self.separator.as_deref()
    }
}

/// The shortest text of every rule and token of a grammar.
///
/// The text of a lexer rule is one that lexes as just this token; letters and digits are preferred. The text of a
/// parser rule is built from those, with a separator only where two tokens would otherwise merge. Tokens that the
/// parser never sees, and those that no rule produces, are empty.
///
/// ```
/// use nub_antlr::{Engine, Grammar, semantics::{Overrides, Semantics}, shortest};
///
/// let source = "grammar T; s : 'do' (ID ';')+ EOF ; ID : [a-z]+ ; WS : [ \\t]+ -> skip ;";
/// let grammar = Grammar::from_sources(&[("T.g4", source)])?;
/// let semantics = Semantics::new(grammar.compiled(), &Overrides::new());
/// let mut engine = Engine::new(grammar.compiled(), semantics);
/// let shortest = shortest::shortest(&grammar, &mut engine, &shortest::Replacements::new());
/// assert_eq!(shortest.trusted("s"), Some("do a;"));
/// # Ok::<(), nub_antlr::LoadError>(())
/// ```
pub fn shortest(grammar: &Grammar, engine: &mut Engine, replacements: &Replacements) -> Shortest {
    let mut lexical = lexical(grammar, engine, replacements);
    add_tokens(grammar, replacements, &mut lexical);
    let atn = &grammar.compiled().parser.atn;
    let fixed: HashMap<RuleId, Text> = (0u32..)
        .zip(&atn.rules)
        .filter_map(|(number, rule)| Some((RuleId(number), Text::plain(replacements.get(&rule.name)?))))
        .collect();
    let labels = Labels::new(&lexical, atn.max_token_type);
    let pick = |transition: &Transition| labels.pick(transition).map(|(_, text)| text);
    let solution = solve::solve(atn, &fixed, pick);
    let derivation = Derivation { atn, solution: &solution, labels: &labels, fixed: &fixed };

    let mut result = Shortest { separator: lexical.separators.first().cloned(), ..Shortest::default() };
    result.endless.extend(lexical.endless.iter().map(|&rule| grammar.lexer_rules()[rule].name.text.clone()));
    for (number, rule) in atn.rules.iter().enumerate() {
        if solution.rule(atn, number).is_none() {
            result.endless.push(rule.name.clone());
        } else if !replacements.contains_key(&rule.name) {
            let short = parser_rule(engine, &derivation, number, &lexical);
            result.texts.insert(rule.name.clone(), short);
        }
    }
    collect_tokens(grammar, lexical, &mut result);
    for (name, text) in replacements {
        let mode = result.texts.get(name).map_or(0, |short| short.mode);
        result.texts.insert(name.clone(), Short { text: text.clone(), trust: Trust::User, mode });
    }
    result
}

/// Adds tokens that no rule produces, like those of `tokens { … }`: base classes insert them without text.
fn add_tokens(grammar: &Grammar, replacements: &Replacements, lexical: &mut Lexical) {
    let rules: HashMap<&str, usize> =
        grammar.lexer_rules().iter().enumerate().map(|(number, rule)| (&rule.name.text[..], number)).collect();
    for (kind, name) in (0i32..).zip(&grammar.compiled().vocabulary.symbolic).skip(1) {
        let Some(name) = name else { continue };
        let rule = rules.get(&name[..]);
        if lexical.kinds.contains_key(&kind) || rule.is_some_and(|rule| lexical.endless.contains(rule)) {
            continue;
        }
        let short = match (replacements.get(name), rule.and_then(|&rule| lexical.rules[rule].as_ref())) {
            (Some(given), _) => Short { text: given.clone(), trust: Trust::User, mode: 0 },
            // Its rule gives its tokens another type; only code can give them this one.
            (None, Some(own)) => Short { trust: Trust::Unverified, ..own.clone() },
            (None, None) => Short { text: String::new(), trust: Trust::Unverified, mode: 0 },
        };
        lexical.kinds.insert(kind, vec![short]);
    }
}

fn collect_tokens(grammar: &Grammar, lexical: Lexical, result: &mut Shortest) {
    for (rule, short) in grammar.lexer_rules().iter().zip(lexical.rules) {
        if let Some(short) = short {
            result.texts.insert(rule.name.text.clone(), short);
        }
    }
    for (kind, name) in (0i32..).zip(&grammar.compiled().vocabulary.symbolic) {
        let best = lexical.kinds.get(&kind).and_then(|shorts| shorts.first());
        if let (Some(name), Some(best)) = (name, best) {
            result.texts.insert(name.clone(), best.clone());
        }
    }
}

/// The first text that is verified; if there is none, the best one.
fn parser_rule(engine: &mut Engine, derivation: &Derivation<'_>, rule: usize, lexical: &Lexical) -> Short {
    const ALTERNATIVES: usize = 8;
    let mut first = None;
    for pieces in derivation.alternatives(rule).into_iter().take(ALTERNATIVES) {
        for mode in modes(&pieces, lexical) {
            let (text, joined) = join(engine, &pieces, mode, &lexical.separators);
            if joined && parses(engine, rule, &text, mode) {
                return Short { text, trust: Trust::Verified, mode };
            }
            first.get_or_insert(Short { text, trust: Trust::Unverified, mode });
        }
    }
    first.unwrap_or(Short { text: String::new(), trust: Trust::Unverified, mode: 0 })
}

/// The modes in which the first token can begin.
fn modes(pieces: &[Piece], lexical: &Lexical) -> Vec<usize> {
    let first = pieces.iter().find(|piece| !piece.text().is_empty());
    let Some(Piece::Token(kind, _)) = first else { return vec![0] };
    let mut modes: Vec<usize> = lexical.kinds.get(kind).into_iter().flatten().map(|short| short.mode).collect();
    let mut seen = std::collections::HashSet::new();
    modes.retain(|&mode| seen.insert(mode));
    modes.truncate(4);
    modes
}

fn parses(engine: &mut Engine, rule: usize, text: &str, mode: usize) -> bool {
    let Ok(rule) = u32::try_from(rule) else { return false };
    let options = ParseOptions { mode, ..ParseOptions::default() };
    let tree = engine.parse(RuleId(rule), text.as_bytes(), &options);
    tree.errors().is_empty()
        && tree.tokens()[tree.rest()].iter().all(|token| !token.visible() || token.start == token.end)
}
