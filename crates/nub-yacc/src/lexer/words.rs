//! The shortest text of every token.
//!
//! This is a breadth-first search of a start condition's automaton. The first path to a state in which a rule wins
//! spells a shortest text that this rule and no other matches. So the shortest text of a name is never a keyword, and a
//! rule without any such text can never match.

use super::{Lexer, automata};
use crate::{
    grammar::{Grammar, TokenId},
    lex::{Begin, Returned},
    tree::Origin,
};
use regex_automata::dfa::Automaton as _;
use std::collections::{HashMap, HashSet, VecDeque};

/// How many states are visited: enough for the automata of real lexers.
const MOST_STATES: usize = 100_000;

/// The shortest texts of tokens and rules.
#[derive(Debug)]
pub(crate) struct Words {
    /// By token.
    pub(crate) tokens: Vec<Option<String>>,
    /// Tokens whose text the file specifies.
    fixed: HashSet<TokenId>,
    /// The lexer rules that can never match.
    pub(crate) dead: Vec<usize>,
}

impl Words {
    pub(crate) fn new(lexer: &Lexer, grammar: &Grammar) -> Self {
        let mut alive = HashSet::new();
        let by_condition: Vec<HashMap<usize, String>> =
            (0..lexer.rules.conditions).map(|condition| shortest(lexer, condition, &mut alive)).collect();
        let mut words = Self { tokens: vec![None; grammar.tokens().len()], fixed: HashSet::new(), dead: vec![] };
        for (number, rule) in lexer.rules.rules.iter().enumerate() {
            // A text given in the rule itself takes precedence over anything the search finds.
            let own = rule.shortest.clone();
            if let Returned::Token(token) = rule.act.returned {
                own.into_iter().for_each(|text| words.offer(lexer, token, text, true));
            }
            if !alive.contains(&number) && !rule.pattern.at_line_start && rule.pattern.trailing.is_none() {
                words.dead.push(number);
            }
        }
        for (id, token) in grammar.tokens().iter().enumerate() {
            let token_id = TokenId(id as u32);
            token.literal.iter().for_each(|text| words.offer(lexer, token_id, text.clone(), false));
        }
        let initial = &by_condition[0];
        for (number, rule) in lexer.rules.rules.iter().enumerate() {
            let Some(text) = initial.get(&number) else { continue };
            match (&rule.act.returned, rule.act.begin) {
                (&Returned::Token(token), _) => words.offer(lexer, token, text.clone(), false),
                // Begun here and ended by a rule of another start condition.
                (Returned::Nothing, Some(Begin::To(inner) | Begin::Push(inner))) => {
                    words.offer_pieces(lexer, text, &by_condition[inner]);
                }
                _ => {}
            }
        }
        words
    }

    fn offer_pieces(&mut self, lexer: &Lexer, opening: &str, inner: &HashMap<usize, String>) {
        for (number, rule) in lexer.rules.rules.iter().enumerate() {
            if let (Some(closing), &Returned::Token(token), Some(_)) =
                (inner.get(&number), &rule.act.returned, rule.act.begin)
            {
                self.offer(lexer, token, format!("{opening}{closing}"), false);
            }
        }
    }

    /// Accepts a text for a token if the lexer turns it into exactly this token and it is better than the known one.
    fn offer(&mut self, lexer: &Lexer, token: TokenId, text: String, fixed: bool) {
        let order = |text: &str| (text.chars().count(), rank(text));
        let known = &mut self.tokens[token.index()];
        let is_better = known.as_ref().is_none_or(|known| order(&text) < order(known));
        if !fixed && (self.fixed.contains(&token) || !is_better) {
            return;
        }
        let lexemes = lexer.run(text.as_bytes());
        let makes = matches!(lexemes.as_slice(), [only] if only.token == Some(token) && only.origin == Origin::Matched);
        if makes {
            *known = Some(text);
            if fixed {
                self.fixed.insert(token);
            }
        }
    }
}

fn rank(text: &str) -> Vec<usize> {
    text.bytes().map(|byte| PREFERRED.iter().position(|&preferred| preferred == byte).unwrap_or(usize::MAX)).collect()
}

/// The order in which bytes are tried: letters first, because a name next to almost anything is still a name; then
/// digits and other printable characters.
const PREFERRED: &[u8] =
    b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~ \n\t\r";

/// The shortest text with which each rule wins in a start condition, if it is UTF-8. Adds all rules that win to
/// `alive`.
fn shortest(lexer: &Lexer, condition: usize, alive: &mut HashSet<usize>) -> HashMap<usize, String> {
    let Some((dfa, rules)) = lexer.automata.condition(condition) else { return HashMap::new() };
    let bytes: Vec<u8> = PREFERRED.iter().copied().chain((0..=255).filter(|byte| !PREFERRED.contains(byte))).collect();
    // Not at the start of a line, where other rules might match too.
    let Some(start) = automata::start(dfa, b" ", 1) else { return HashMap::new() };
    let mut found: HashMap<usize, Vec<u8>> = HashMap::new();
    let mut ways = HashMap::from([(start, None)]);
    let mut waiting = VecDeque::from([start]);
    while let Some(state) = waiting.pop_front() {
        if let Some(rule) = automata::winner(dfa, dfa.next_eoi_state(state))
            && state != start
        {
            found.entry(rules[rule]).or_insert_with(|| {
                let mut text = vec![];
                let mut at = state;
                while let Some(&Some((before, byte))) = ways.get(&at) {
                    text.push(byte);
                    at = before;
                }
                text.reverse();
                text
            });
        }
        if found.len() == rules.len() {
            break;
        }
        if ways.len() > MOST_STATES {
            // The remaining states are unknown, so no rule can be called dead.
            alive.extend(rules);
            break;
        }
        for &byte in &bytes {
            let next = dfa.next_state(state, byte);
            if !dfa.is_dead_state(next) && !ways.contains_key(&next) {
                ways.insert(next, Some((state, byte)));
                waiting.push_back(next);
            }
        }
    }
    alive.extend(found.keys());
    found.into_iter().filter_map(|(rule, text)| Some((rule, String::from_utf8(text).ok()?))).collect()
}
