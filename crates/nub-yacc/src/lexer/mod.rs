//! The lexer: the longest match wins, and of equally long ones the rule that stands first.
//!
//! There is one automaton per start condition, for all its rules at once. The input is cut into [`Lexeme`]s that cover it
//! without a gap, whatever it is.
//!
//! Where a rule enters a start condition without returning a token, and another one leaves it, everything between is one
//! lexeme: a comment, or a string whose end returns the token. In a program that lex generates these would be separate
//! matches, but nobody could take one of them out of the input and leave the others.

mod automata;
mod words;

use crate::{
    diagnostic::Report,
    grammar::{Grammar, TokenId},
    lex::{Act, Begin, LexRules, Returned},
    tree::{Lexeme, Origin},
};
use automata::{Automata, Tail};
pub(crate) use words::Words;

/// A lexer.
#[derive(Debug)]
pub(crate) struct Lexer {
    rules: LexRules,
    automata: Automata,
    /// The tokens that are written as a single byte.
    single: Vec<Option<TokenId>>,
}

/// A text that some rule has begun and another one is going to end.
#[derive(Clone, Copy)]
struct Piece {
    start: usize,
    /// The start condition that it was begun in.
    home: usize,
    /// It was put aside by `yymore()`.
    more: bool,
}

impl Lexer {
    /// Builds the automata. `None` if that is not possible, which is reported.
    pub(crate) fn new(rules: LexRules, grammar: &Grammar, report: &mut Report<'_>) -> Option<Self> {
        let automata = Automata::new(&rules, report)?;
        let single = (0..=255u8).map(|byte| grammar.find_literal(&char::from(byte).to_string())).collect();
        Some(Self { rules, automata, single })
    }

    pub(crate) fn rules(&self) -> &LexRules {
        &self.rules
    }

    /// The longest match at a place: the rule, and how many bytes are the token's.
    fn longest(&self, condition: usize, input: &[u8], at: usize) -> Option<(usize, usize)> {
        let (rule, end) = self.automata.longest(condition, input, at)?;
        let length = match self.automata.tail(rule) {
            None => end - at,
            Some(tail) => self.head(tail, &input[at..end]),
        };
        Some((rule, length))
    }

    /// How much of a match is not trailing context.
    fn head(&self, tail: &Tail, text: &[u8]) -> usize {
        match tail {
            Tail::Fixed(tail) => text.len().saturating_sub(*tail),
            Tail::After(head) => (*head).min(text.len()),
            Tail::Search(head, tail) => {
                let fits =
                    |end: &usize| automata::is_match(head, &text[..*end]) && automata::is_match(tail, &text[*end..]);
                (0..=text.len()).rev().find(fits).unwrap_or(text.len())
            }
        }
    }

    /// Cuts an input.
    pub(crate) fn run(&self, input: &[u8]) -> Vec<Lexeme> {
        let mut run = Run { lexemes: vec![], condition: 0, saved: vec![], piece: None };
        let mut at = 0;
        // Rules that use nothing of the input may only change the start condition, and only so often.
        let mut idle = 0;
        while at < input.len() {
            let found = self.longest(run.condition, input, at).map(|(rule, length)| {
                let act = &self.rules.rules[rule].act;
                (act, act.less.unwrap_or(length).min(length))
            });
            match found {
                Some((act, 0)) if act.begin.is_some() && idle <= self.rules.conditions => {
                    idle += 1;
                    run.take(act, self.token(act, input[at]), at..at);
                }
                Some((act, length)) if length > 0 => {
                    idle = 0;
                    let mut end = at + length;
                    if let Some(until) = act.until {
                        let found = input[end..].windows(until.len()).position(|window| window == until.as_bytes());
                        end = found.map_or(input.len(), |found| end + found + until.len());
                    }
                    run.take(act, self.token(act, input[at]), at..end);
                    at = end;
                }
                _ => {
                    idle = 0;
                    run.unknown(at);
                    at += 1;
                }
            }
        }
        // A text may be complete only where the input ends.
        if let (Some(act), Some(_)) = (self.rules.at_end.get(&run.condition), run.piece)
            && let Some(token) = self.token(act, 0)
        {
            run.take(act, Some(token), input.len()..input.len());
        }
        run.finish(input.len())
    }

    /// The token that an action returns for a text that begins with this byte: `None` for none, `Some(None)` for one that
    /// the grammar does not have.
    fn token(&self, act: &Act, first: u8) -> Option<Option<TokenId>> {
        match act.returned {
            // The end of the input is where it ends, whatever a lexer says: nothing must be lost.
            Returned::Nothing | Returned::Token(TokenId::END) => None,
            Returned::Token(token) => Some(Some(token)),
            Returned::FirstByte => Some(self.single[usize::from(first)].filter(|&token| token != TokenId::END)),
            Returned::Unknown => Some(None),
        }
    }
}

struct Run {
    lexemes: Vec<Lexeme>,
    condition: usize,
    /// Start conditions to come back to.
    saved: Vec<usize>,
    piece: Option<Piece>,
}

impl Run {
    fn push(&mut self, token: Option<TokenId>, span: std::ops::Range<usize>, origin: Origin) {
        if !span.is_empty() {
            self.lexemes.push(Lexeme { token, span, origin });
        }
    }

    fn begin(&mut self, begin: Option<Begin>) {
        match begin {
            None => {}
            Some(Begin::To(condition)) => self.condition = condition,
            Some(Begin::Push(condition)) => self.saved.push(std::mem::replace(&mut self.condition, condition)),
            Some(Begin::Pop) => self.condition = self.saved.pop().unwrap_or(0),
        }
    }

    /// What was begun is no part of what follows.
    fn drop_piece(&mut self, end: usize, origin: Origin) {
        if let Some(piece) = self.piece.take() {
            self.push(None, piece.start..end, origin);
        }
    }

    fn take(&mut self, act: &Act, token: Option<Option<TokenId>>, span: std::ops::Range<usize>) {
        let before = self.condition;
        self.begin(act.begin);
        match token {
            Some(token) => {
                let belongs = |piece: &Piece| piece.more || self.condition != before;
                let start = match self.piece.filter(belongs) {
                    Some(piece) => {
                        self.piece = None;
                        piece.start
                    }
                    None => {
                        self.drop_piece(span.start, Origin::Skipped);
                        span.start
                    }
                };
                self.push(token, start..span.end, Origin::Matched);
            }
            None if act.more => {
                let home = self.piece.map_or(before, |piece| piece.home);
                let start = self.piece.map_or(span.start, |piece| piece.start);
                self.piece = Some(Piece { start, home, more: true });
            }
            None => match self.piece {
                Some(piece) if act.begin.is_some() && self.condition == piece.home => {
                    self.drop_piece(span.end, Origin::Skipped);
                }
                Some(Piece { more: true, home, .. }) if home == self.condition => {
                    self.drop_piece(span.end, Origin::Skipped);
                }
                // Somewhere in the middle of it.
                Some(_) => {}
                None if self.condition != before => {
                    self.piece = Some(Piece { start: span.start, home: before, more: false });
                }
                None => self.push(None, span, Origin::Skipped),
            },
        }
    }

    fn unknown(&mut self, at: usize) {
        self.drop_piece(at, Origin::Skipped);
        match self.lexemes.last_mut() {
            Some(last) if last.origin == Origin::Unknown && last.span.end == at => last.span.end += 1,
            _ => self.push(None, at..at + 1, Origin::Unknown),
        }
    }

    /// What was begun and has no end is an error.
    fn finish(mut self, end: usize) -> Vec<Lexeme> {
        let origin = match self.piece {
            Some(Piece { more: true, .. }) => Origin::Skipped,
            _ => Origin::Unknown,
        };
        self.drop_piece(end, origin);
        self.lexemes
    }
}
