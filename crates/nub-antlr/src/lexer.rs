//! From characters to tokens.

mod cursor;
mod dfa;
mod simulator;

pub use cursor::{Cursor, Looking, Place};
pub(crate) use cursor::{MORE, escape};

use crate::{
    atn::{ActionId, CodeId, EOF, LexerCommand},
    compiled::Compiled,
    input::Input,
    semantics::LexerSemantics,
    token::{Origin, SyntaxError, Token},
};
use cursor::SKIP;
use simulator::{Outcome, Simulator};
use std::sync::Arc;

/// This many consecutive matches without text count as an endless loop.
const MATCHES_WITHOUT_TEXT: usize = 64;

/// A lexer; it gets faster with every input.
#[derive(Debug)]
pub(crate) struct Lexer {
    grammar: Arc<Compiled>,
    simulator: Simulator,
}

/// The result of lexing an input.
#[derive(Debug)]
pub(crate) struct Lexed {
    /// Tokens of all channels, including skipped ones and errors, without gaps; the end of the input last.
    pub(crate) tokens: Vec<Token>,
    pub(crate) errors: Vec<SyntaxError>,
}

impl Lexer {
    pub(crate) fn new(grammar: Arc<Compiled>) -> Self {
        Self { simulator: Simulator::new(Arc::clone(&grammar)), grammar }
    }

    /// Forgets what it learnt if that has grown large.
    pub(crate) fn trim(&mut self) {
        const MANY: usize = 1 << 16;
        if self.simulator.size() > MANY {
            self.simulator = Simulator::new(Arc::clone(&self.grammar));
        }
    }

    /// Splits an input into tokens, starting in a mode.
    pub(crate) fn run(&mut self, input: &Input<'_>, mode: usize, semantics: &mut LexerSemantics) -> Lexed {
        let mut cursor = Cursor::new(input, mode);
        semantics.reset();
        let mut stuck = 0;
        while !cursor.at_end() || cursor.unfinished() {
            let before = cursor.position;
            self.token(&mut cursor, semantics);
            // Matches without text may change the mode or what predicates see, but not forever.
            stuck = if cursor.position == before { stuck + 1 } else { 0 };
            if stuck > MATCHES_WITHOUT_TEXT {
                cursor.fail(cursor.position);
                stuck = 0;
            }
        }
        semantics.at_end(&mut cursor);
        cursor.finish();
        let Cursor { tokens, errors, .. } = cursor;
        Lexed { tokens: semantics.filter(tokens, input), errors }
    }

    /// One match, with the actions of its rule.
    fn token(&mut self, cursor: &mut Cursor<'_>, semantics: &mut LexerSemantics) {
        let mut decide = |code: u32, position: usize| semantics.predicate(CodeId(code), &cursor.looking(position));
        match self.simulator.run(cursor.input, cursor.position, cursor.mode, &mut decide) {
            Outcome::Failed(at) => cursor.fail(at),
            Outcome::End => cursor.abandon(),
            Outcome::Matched(found) => {
                let start = cursor.position;
                cursor.kind = 0;
                cursor.advance(found.end);
                self.act(start, found.actions, cursor, semantics);
                if cursor.kind == 0 {
                    cursor.kind = self.grammar.lexer.atn.rules[found.rule as usize].token_type;
                }
                if cursor.kind != MORE {
                    cursor.emit();
                    if let Some(token) = cursor.tokens.last().copied() {
                        semantics.emitted(&token, cursor);
                    }
                }
            }
        }
    }

    fn act(&self, start: usize, actions: u32, cursor: &mut Cursor<'_>, semantics: &mut LexerSemantics) {
        let atn = &self.grammar.lexer.atn;
        for &(action, offset) in self.simulator.actions(actions) {
            match action {
                ActionId::Code(code) => match offset {
                    Some(offset) if start + offset as usize != cursor.position => {
                        // Its place is inside the match: it sees what follows this place, but must not move the cursor.
                        let end = cursor.place();
                        cursor.go_back(start + offset as usize);
                        semantics.action(code, cursor);
                        cursor.restore(end);
                    }
                    _ => semantics.action(code, cursor),
                },
                ActionId::Command(number) => match atn.lexer_commands[number as usize] {
                    LexerCommand::Skip => cursor.kind = SKIP,
                    LexerCommand::More => cursor.kind = MORE,
                    LexerCommand::Type(kind) => cursor.kind = kind,
                    LexerCommand::Channel(channel) => cursor.channel = channel,
                    LexerCommand::Mode(mode) => cursor.mode = mode as usize,
                    LexerCommand::PushMode(mode) => cursor.push_mode(mode as usize),
                    LexerCommand::PopMode => cursor.pop_mode(),
                },
            }
        }
    }
}

impl Token {
    /// The end of the input, at a place.
    pub(crate) fn end_of_input(byte: u32, line: u32, column: u32) -> Self {
        Self { kind: EOF, channel: 0, start: byte, end: byte, line, column, origin: Origin::Matched }
    }
}
