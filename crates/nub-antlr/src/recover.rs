//! Error recovery, following ANTLR's `DefaultErrorStrategy`.
//!
//! An extra token is deleted, a missing token is inserted; otherwise the rule ends, and tokens are discarded until one
//! comes that some caller can continue with. Discarded tokens become error nodes, so no part of the input is lost.

mod progress;

use crate::{
    atn::{EOF, StateId, StateKind, Transition},
    parser::{Failure, Parser, quoted, set_text, token_text},
    predict::token_set::TokenSet,
    token::{Origin, SyntaxError, Token},
    tree::NodeKind,
};
use rustc_hash::FxHashSet;

/// The state of recovery between errors.
#[derive(Debug, Default)]
pub(crate) struct Recovery {
    /// No token has been matched since the last error; further errors are consequences and not reported.
    active: bool,
    /// Where the last errors were: the position in the stream, and the states.
    last_place: Option<usize>,
    last_states: FxHashSet<StateId>,
    /// Where the rule could also have continued when it ended because the current token did not match; then the same
    /// for its caller, and so on. All of this was expected at the next error.
    trail: Vec<StateId>,
    /// The depth of the stack that the last state of the trail belongs to.
    trail_depth: usize,
    progress: progress::Progress,
}

impl Recovery {
    /// A token was matched: recovery has succeeded.
    #[inline]
    pub(crate) fn matched(&mut self) {
        if self.active || self.last_place.is_some() {
            self.active = false;
            self.last_place = None;
            self.last_states.clear();
        }
    }
}

impl Parser<'_> {
    /// Before a decision: if the current token cannot be right here, repairs at once, so that a loop continues with its
    /// next iteration instead of ending.
    pub(crate) fn sync(&mut self) -> Result<(), Failure> {
        if self.recovery.active {
            return Ok(());
        }
        let kind = self.core.kind(0);
        let next = self.look.next(self.atn, self.state);
        if next.tokens.contains(kind) {
            self.recovery.trail.clear();
            return Ok(());
        }
        if next.end {
            if self.recovery.trail.is_empty() {
                self.recovery.trail.push(self.state);
                self.recovery.trail_depth = self.core.frames.len();
            }
            return Ok(());
        }
        match self.atn.states[self.place().index()].kind {
            StateKind::BlockStart
            | StateKind::StarBlockStart
            | StateKind::PlusBlockStart
            | StateKind::StarLoopEntry => {
                if self.delete_token() {
                    return Ok(());
                }
                Err(Failure::Mismatch)
            }
            StateKind::PlusLoopBack | StateKind::StarLoopBack => {
                self.report_unwanted();
                let mut until = self.expected(self.state, self.core.frames.len());
                until.extend(&self.recovery_set());
                self.consume_until(&until);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The state that a generated parser would be in here: it looks ahead after each iteration of a loop, and before
    /// the loop only the first time.
    fn place(&self) -> StateId {
        let state = &self.atn.states[self.state.index()];
        match state.partner {
            Some(back) if state.kind == StateKind::StarLoopEntry && self.from == StateKind::StarLoopBack => back,
            _ => self.state,
        }
    }

    /// The current token does not match the token or the set that the current state needs. Generated parsers create no
    /// node for a missing member of a set.
    pub(crate) fn recover_inline(&mut self, set: bool) -> Result<(), Failure> {
        if self.delete_token() {
            self.core.consume(false);
            return Ok(());
        }
        if self.insert_token(set) {
            return Ok(());
        }
        Err(if self.recovery.trail.is_empty() { Failure::Mismatch } else { Failure::MismatchAfter })
    }

    /// A rule returns to a state of its caller: the trail follows, unless the rule had to continue.
    #[inline]
    pub(crate) fn left_rule(&mut self, follow: StateId) {
        let depth = self.core.frames.len();
        let Some(&last) = self.recovery.trail.last() else { return };
        if self.recovery.trail_depth == depth + 1 && self.look.next(self.atn, last).end {
            self.recovery.trail.push(follow);
            self.recovery.trail_depth = depth;
        }
    }

    /// The tokens that were expected on the trail.
    fn expected_on_trail(&mut self) -> TokenSet {
        let mut expected = TokenSet::default();
        for at in 0..self.recovery.trail.len() {
            let next = self.look.next(self.atn, self.recovery.trail[at]);
            expected.extend(&next.tokens);
        }
        if let Some(&last) = self.recovery.trail.last() {
            let more = self.expected(last, self.recovery.trail_depth);
            expected.extend(&more);
        }
        expected
    }

    /// If the next token would be right, the current one is extraneous.
    fn delete_token(&mut self) -> bool {
        let next = self.core.kind(1);
        if !self.expected(self.state, self.core.frames.len()).contains(next) {
            return false;
        }
        self.report_unwanted();
        self.core.consume(true);
        self.recovery.matched();
        true
    }

    /// If the current token would be right after the required one, the required one is missing.
    fn insert_token(&mut self, set: bool) -> bool {
        let after = self.atn.states[self.state.index()].transitions[0].target();
        let depth = self.core.frames.len();
        if !self.expected(after, depth).contains(self.core.kind(0)) {
            return false;
        }
        let expected = self.expected(self.state, depth);
        self.report_missing(&expected);
        self.count_event();
        if set {
            return true;
        }
        let current = self.core.tokens[self.core.current() as usize];
        let kind = expected.iter().next().unwrap_or(0);
        // At the end of the input, the last token is a better place for something missing.
        let at = match self.core.at.checked_sub(1) {
            Some(before) if current.kind == EOF => self.core.tokens[self.core.stream[before] as usize],
            _ => current,
        };
        let place = Token { kind, channel: 0, start: current.start, end: current.start, ..at };
        let token = u32::try_from(self.core.tokens.len()).unwrap_or(u32::MAX);
        self.core.tokens.push(Token { origin: Origin::Missing, ..place });
        if let Some(node) = self.core.node() {
            self.core.tree.add(Some(node), NodeKind::Error(token));
        }
        true
    }

    /// A rule is called or a token inserted: neither brings the parser closer to the end of the input.
    #[inline]
    pub(crate) fn count_event(&mut self) {
        let (place, depth) = (self.core.at, self.core.frames.len());
        if self.recovery.active {
            // A deep stack may be left rule by rule, and each rule tries what is left of it.
            self.recovery.progress.count(place, 1000 + 16 * depth);
        } else if self.core.kind(0) == EOF {
            self.recovery.progress.count(place, 1_000_000 + 16 * depth);
        }
    }

    /// Forces progress if the parser is stuck.
    #[inline]
    pub(crate) fn push_on(&mut self) {
        if self.recovery.progress.take_stuck() {
            if self.core.kind(0) != EOF {
                self.core.consume(true);
                return;
            }
            while !self.core.frames.is_empty() {
                self.leave();
            }
        }
    }

    /// A rule has failed: discards tokens until a caller can continue.
    pub(crate) fn recover(&mut self) {
        let state = self.place();
        if self.recovery.last_place == Some(self.core.at) && self.recovery.last_states.contains(&state) {
            // The same error again: without discarding at least one token, this would never terminate.
            self.core.consume(true);
        }
        self.recovery.last_place = Some(self.core.at);
        self.recovery.last_states.insert(state);
        let until = self.recovery_set();
        self.consume_until(&until);
    }

    fn consume_until(&mut self, until: &TokenSet) {
        while self.core.kind(0) != EOF && !until.contains(self.core.kind(0)) {
            self.core.consume(self.recovery.active);
        }
    }

    /// The tokens that any caller on the stack can continue with.
    fn recovery_set(&mut self) -> TokenSet {
        let frames = &mut self.core.frames;
        let known = frames.iter().rposition(|frame| frame.recovery != u32::MAX).map_or(0, |known| known + 1);
        for at in known..frames.len() {
            let above = if at == 0 { 0 } else { frames[at - 1].recovery };
            frames[at].recovery = match follow_of(self.atn, frames[at].call) {
                Some(follow) => self.look.join(self.atn, above, follow),
                None => above,
            };
        }
        self.look.set(frames.last().map_or(0, |frame| frame.recovery)).clone()
    }

    /// The tokens that may come next in a state, including those of its callers up to a depth of the stack.
    fn expected(&mut self, state: StateId, depth: usize) -> TokenSet {
        let next = self.look.next(self.atn, state);
        let (mut expected, mut end) = (next.tokens.clone(), next.end);
        for at in (0..depth.min(self.core.frames.len())).rev() {
            if !end {
                break;
            }
            let Some(follow) = follow_of(self.atn, self.core.frames[at].call) else { break };
            let next = self.look.next(self.atn, follow);
            expected.extend(&next.tokens);
            end = next.end;
        }
        if end {
            expected.insert(EOF);
        }
        expected
    }

    /// Reports why a rule failed, unless this is a consequence of an earlier error.
    pub(crate) fn report(&mut self, failure: Failure) {
        if self.recovery.active {
            return;
        }
        let current = self.core.current() as usize;
        let (at, message) = match failure {
            Failure::NoViable(place) => {
                let place = self.core.stream[place.min(self.core.stream.len() - 1)] as usize;
                let text = self.text_between(current, place);
                (place, format!("no viable alternative at input {}", quoted(&text)))
            }
            Failure::Mismatch | Failure::MismatchAfter => {
                let expected = match failure {
                    Failure::MismatchAfter => self.expected_on_trail(),
                    _ => self.expected(self.state, self.core.frames.len()),
                };
                let expected = set_text(&expected, &self.core.grammar.vocabulary);
                (current, format!("mismatched input {} expecting {expected}", self.display(current)))
            }
            Failure::Predicate(code) => {
                let text = self.atn.code.get(code.index()).map_or("", |code| code.text.as_str());
                (current, format!("rule {} failed predicate: {{{text}}}?", self.rule_name()))
            }
            Failure::Precedence(precedence) => {
                let rule = self.rule_name();
                (current, format!("rule {rule} failed predicate: {{precpred(_ctx, {precedence})}}?"))
            }
        };
        self.error(at, message);
    }

    fn report_unwanted(&mut self) {
        if self.recovery.active {
            return;
        }
        let current = self.core.current() as usize;
        let expected = self.expected(self.state, self.core.frames.len());
        let expected = set_text(&expected, &self.core.grammar.vocabulary);
        self.error(current, format!("extraneous input {} expecting {expected}", self.display(current)));
    }

    fn report_missing(&mut self, expected: &TokenSet) {
        if self.recovery.active {
            return;
        }
        let current = self.core.current() as usize;
        let expected = set_text(expected, &self.core.grammar.vocabulary);
        self.error(current, format!("missing {expected} at {}", self.display(current)));
    }

    fn error(&mut self, token: usize, message: String) {
        self.recovery.active = true;
        let Token { line, column, .. } = self.core.tokens[token];
        self.core.errors.push(SyntaxError { line, column, message });
    }

    fn rule_name(&self) -> &str {
        self.core.frames.last().map_or("", |frame| self.atn.rules[frame.rule.index()].name.as_str())
    }

    fn display(&self, token: usize) -> String {
        quoted(&token_text(&self.core.tokens[token], self.core.source, &self.core.grammar.vocabulary))
    }

    /// The text from one token to another, including hidden tokens between them, but not skipped ones.
    fn text_between(&self, from: usize, to: usize) -> String {
        if self.core.tokens[from].kind == EOF {
            return "<EOF>".to_owned();
        }
        let tokens = self.core.tokens[from..=to.max(from)].iter();
        let matched = tokens.filter(|token| token.origin == Origin::Matched && token.kind != EOF);
        matched.map(|token| String::from_utf8_lossy(&self.core.source[token.span()])).collect()
    }
}

fn follow_of(atn: &crate::atn::Atn, call: Option<StateId>) -> Option<StateId> {
    match atn.states[call?.index()].transitions.first() {
        Some(Transition::Rule { follow, .. }) => Some(*follow),
        _ => None,
    }
}
