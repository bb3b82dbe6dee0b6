//! The automata behind the lexer.

use crate::{
    diagnostic::Report,
    lex::{LexRule, LexRules},
};
use regex_automata::{
    Anchored, Input, MatchKind,
    dfa::{Automaton as _, StartKind, dense},
    nfa::thompson::{self, WhichCaptures},
    util::primitives::StateID,
};
use regex_syntax::hir::Hir;

pub(super) type Dfa = dense::DFA<Vec<u32>>;

/// The size limit of an automaton, in bytes. The tables that lex generates are of the same order of magnitude.
const LARGEST: usize = 64 << 20;

/// How to find the trailing context of a match.
#[derive(Debug)]
pub(super) enum Tail {
    /// The context has this length.
    Fixed(usize),
    /// The text before the context has this length.
    After(usize),
    /// Neither length is fixed: take the longest prefix that the context can follow.
    Search(Box<Dfa>, Box<Dfa>),
}

/// One automaton per start condition.
#[derive(Debug)]
pub(super) struct Automata {
    conditions: Vec<Option<Condition>>,
    /// By rule.
    tails: Vec<Option<Tail>>,
}

#[derive(Debug)]
struct Condition {
    dfa: Dfa,
    /// The rule of each of the automaton's patterns, which are numbered from 0.
    rules: Vec<usize>,
}

impl Automata {
    pub(super) fn new(rules: &LexRules, report: &mut Report<'_>) -> Option<Self> {
        let mut conditions = vec![];
        for condition in 0..rules.conditions {
            let numbers: Vec<usize> =
                (0..rules.rules.len()).filter(|&rule| rules.rules[rule].conditions.contains(&condition)).collect();
            if numbers.is_empty() {
                conditions.push(None);
                continue;
            }
            let patterns: Vec<Hir> = numbers.iter().map(|&rule| whole(&rules.rules[rule])).collect();
            match build(&patterns) {
                Ok(dfa) => conditions.push(Some(Condition { dfa, rules: numbers })),
                Err(error) => {
                    blame(rules, &numbers, &error, report);
                    return None;
                }
            }
        }
        let tails = rules.rules.iter().map(|rule| Some(tail(rule)?.ok())).collect::<Vec<_>>();
        let tails = tails.into_iter().map(Option::flatten).collect();
        Some(Self { conditions, tails })
    }

    pub(super) fn tail(&self, rule: usize) -> Option<&Tail> {
        self.tails[rule].as_ref()
    }

    /// The automaton of a start condition, and the rules that its patterns belong to.
    pub(super) fn condition(&self, condition: usize) -> Option<(&Dfa, &[usize])> {
        self.conditions.get(condition)?.as_ref().map(|condition| (&condition.dfa, condition.rules.as_slice()))
    }

    /// The rule with the longest match, and where the match ends.
    pub(super) fn longest(&self, condition: usize, input: &[u8], at: usize) -> Option<(usize, usize)> {
        let (dfa, rules) = self.condition(condition)?;
        let mut state = start(dfa, input, at)?;
        let mut found = None;
        // The automaton reports a match one byte late.
        for (end, &byte) in (at..).zip(&input[at..]) {
            state = dfa.next_state(state, byte);
            if dfa.is_special_state(state) {
                if let Some(rule) = winner(dfa, state) {
                    found = Some((rules[rule], end));
                } else if dfa.is_dead_state(state) || dfa.is_quit_state(state) {
                    return found.filter(|&(_, end)| end > at);
                }
            }
        }
        state = dfa.next_eoi_state(state);
        if let Some(rule) = winner(dfa, state) {
            found = Some((rules[rule], input.len()));
        }
        found.filter(|&(_, end)| end > at)
    }
}

/// The automaton's start state at a position.
pub(super) fn start(dfa: &Dfa, input: &[u8], at: usize) -> Option<StateID> {
    dfa.start_state_forward(&Input::new(input).range(at..).anchored(Anchored::Yes)).ok()
}

/// The first pattern that matches in a state.
pub(super) fn winner(dfa: &Dfa, state: StateID) -> Option<usize> {
    dfa.is_match_state(state)
        .then(|| (0..dfa.match_len(state)).map(|index| dfa.match_pattern(state, index).as_usize()).min())?
}

/// Whether the automaton matches the whole text.
pub(super) fn is_match(dfa: &Dfa, text: &[u8]) -> bool {
    let Some(mut state) = start(dfa, text, 0) else { return false };
    for &byte in text {
        state = dfa.next_state(state, byte);
        if dfa.is_dead_state(state) {
            return false;
        }
    }
    dfa.is_match_state(dfa.next_eoi_state(state))
}

fn whole(rule: &LexRule) -> Hir {
    match &rule.pattern.trailing {
        Some(trailing) => Hir::concat(vec![rule.pattern.main.clone(), trailing.clone()]),
        None => rule.pattern.main.clone(),
    }
}

fn tail(rule: &LexRule) -> Option<Result<Tail, String>> {
    let trailing = rule.pattern.trailing.as_ref()?;
    let length = |hir: &Hir| {
        let properties = hir.properties();
        properties.minimum_len().filter(|&length| Some(length) == properties.maximum_len())
    };
    Some(match (length(trailing), length(&rule.pattern.main)) {
        (Some(tail), _) => Ok(Tail::Fixed(tail)),
        (None, Some(head)) => Ok(Tail::After(head)),
        (None, None) => build(std::slice::from_ref(&rule.pattern.main)).and_then(|head| {
            let tail = build(std::slice::from_ref(trailing))?;
            Ok(Tail::Search(Box::new(head), Box::new(tail)))
        }),
    })
}

fn build(patterns: &[Hir]) -> Result<Dfa, String> {
    let nfa = thompson::Config::new()
        .utf8(false)
        .shrink(false)
        .which_captures(WhichCaptures::None)
        .nfa_size_limit(Some(LARGEST));
    let nfa =
        thompson::Compiler::new().configure(nfa).build_many_from_hir(patterns).map_err(|error| error.to_string())?;
    let config = dense::Config::new()
        .match_kind(MatchKind::All)
        .start_kind(StartKind::Anchored)
        .accelerate(false)
        .dfa_size_limit(Some(LARGEST))
        .determinize_size_limit(Some(LARGEST));
    dense::Builder::new().configure(config).build_from_nfa(&nfa).map_err(|error| error.to_string())
}

/// Reports the rule that cannot be built.
fn blame(rules: &LexRules, numbers: &[usize], error: &str, report: &mut Report<'_>) {
    let hint = "large counted repetitions, such as {1,1000}, and Unicode word boundaries are the usual reasons";
    let alone = numbers.iter().find(|&&rule| build(&[whole(&rules.rules[rule])]).is_err());
    match alone {
        Some(&rule) => report.error(
            &rules.rules[rule].span,
            format!("no automaton can be built for this expression: {error}"),
            hint,
        ),
        None => report.file_error(format!("no automaton can be built for the rules of the lexer: {error}"), hint),
    }
}
