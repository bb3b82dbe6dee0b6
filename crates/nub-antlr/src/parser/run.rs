//! The parser.

use super::{
    ParseOptions,
    frames::{Frame, UNKNOWN},
    host::Core,
    ll1::Ll1,
    look::Look,
};
use crate::{
    atn::{ActionId, Atn, CodeId, DecisionId, EOF, RuleId, StateId, StateKind, Transition},
    compiled::Compiled,
    predict::{Predictor, net::opens_quantified},
    recover::Recovery,
    semantics::ParserSemantics,
    token::Token,
    tree::{Builder, NodeKind},
};

/// Why a rule cannot continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// No alternative matches; the position in the stream of the first token that none accepts.
    NoViable(usize),
    /// The current token does not match in the current state.
    Mismatch,
    /// Nor does it match where earlier rules ended.
    MismatchAfter,
    /// A predicate does not hold.
    Predicate(CodeId),
    /// The operator binds too weakly.
    Precedence(u32),
}

/// A parser running on one input.
#[derive(Debug)]
pub(crate) struct Parser<'p> {
    pub(crate) atn: &'p Atn,
    pub(crate) look: &'p mut Look,
    predictor: &'p mut Predictor,
    pub(crate) core: Core<'p>,
    pub(crate) state: StateId,
    /// The kind of the previous state.
    pub(crate) from: StateKind,
    /// The loop of a left-recursive rule has begun another iteration.
    growing: bool,
    pub(crate) recovery: Recovery,
    quantifiers: bool,
}

impl<'p> Parser<'p> {
    pub(crate) fn new(
        grammar: &'p Compiled,
        source: &'p [u8],
        tokens: Vec<Token>,
        predictor: &'p mut Predictor,
        look: &'p mut Look,
        semantics: &'p mut ParserSemantics,
        options: ParseOptions,
    ) -> Self {
        let visible = |&(_, token): &(u32, &Token)| token.visible();
        let stream: Vec<u32> = (0u32..).zip(&tokens).filter(visible).map(|(number, _)| number).collect();
        let kinds = stream.iter().map(|&token| tokens[token as usize].kind).collect();
        let core = Core {
            grammar,
            source,
            semantics,
            tokens,
            stream,
            kinds,
            at: 0,
            frames: Vec::new(),
            tree: Builder::default(),
            marks: Vec::new(),
            errors: Vec::new(),
        };
        Self {
            atn: &grammar.parser.atn,
            predictor,
            look,
            core,
            state: StateId(0),
            from: StateKind::Basic,
            growing: false,
            recovery: Recovery::default(),
            quantifiers: options.quantifiers,
        }
    }

    /// Matches a rule on any input.
    pub(crate) fn run(mut self, start: RuleId) -> Core<'p> {
        self.call(start, None, 0);
        while !self.core.frames.is_empty() {
            if let Err(failure) = self.step() {
                self.growing = false;
                self.report(failure);
                self.recover();
                if let Some(frame) = self.core.frames.last() {
                    self.state = self.atn.rules[frame.rule.index()].stop;
                }
            }
            self.push_on();
        }
        self.core
    }

    fn call(&mut self, rule: RuleId, call: Option<StateId>, precedence: u32) {
        let parent = self.core.node();
        let before = parent.and_then(|parent| self.core.tree.last_child(parent));
        let node = self.core.tree.add(parent, NodeKind::Rule(rule));
        let marks = self.core.marks.len();
        let (context, recovery) = (UNKNOWN, UNKNOWN);
        self.count_event();
        self.core.frames.push(Frame { rule, node, before, call, precedence, marks, context, recovery });
        self.state = self.atn.rules[rule.index()].start;
    }

    pub(crate) fn leave(&mut self) {
        let Some(frame) = self.core.frames.pop() else { return };
        self.core.marks.truncate(frame.marks);
        let call = frame.call.map(|call| &self.atn.states[call.index()].transitions[0]);
        if let Some(Transition::Rule { follow, .. }) = call {
            self.state = *follow;
            self.left_rule(*follow);
        }
    }

    /// Moves from one state to the next.
    fn step(&mut self) -> Result<(), Failure> {
        let atn = self.atn;
        let state = &atn.states[self.state.index()];
        if state.kind == StateKind::RuleStop {
            self.leave();
            return Ok(());
        }
        if self.quantifiers {
            self.close_mark();
        }
        let mut taken = 0;
        // ANTLR's generated parsers look at the current token before each decision, and before `( … )+` as a whole.
        let several = state.transitions.len() > 1;
        if several || state.kind == StateKind::PlusBlockStart && self.from != StateKind::PlusLoopBack {
            self.sync()?;
            if let Some(decision) = state.decision.filter(|_| several) {
                let alt = self.decide(decision)?;
                taken = alt as usize - 1;
            }
        }
        let way = &atn.states[self.state.index()].transitions[taken];
        if self.growing {
            // Only now, after the operator has been chosen, which may fail.
            self.grow();
        }
        self.growing = state.precedence_decision && atn.states[way.target().index()].kind != StateKind::LoopEnd;
        if self.quantifiers {
            self.open_mark(way);
        }
        self.from = state.kind;
        self.take(way)
    }

    /// The alternative (from 1) to take.
    fn decide(&mut self, decision: DecisionId) -> Result<u32, Failure> {
        if let Ll1::Table { alts, otherwise } = self.look.decide(self.atn, decision) {
            let slot = usize::try_from(self.core.kind(0) + 1).unwrap_or(usize::MAX);
            return match (alts.get(slot).copied().unwrap_or(0), otherwise) {
                (0, None) => Err(Failure::NoViable(self.core.at)),
                (0, Some(alt)) => Ok(u32::from(*alt)),
                (alt, _) => Ok(u32::from(alt)),
            };
        }
        let alt = self.predictor.predict(decision.index(), &mut self.core);
        alt.map_err(|error| Failure::NoViable(self.core.at + error.distance))
    }

    /// A left-recursive rule continues: what it has matched becomes the first operand.
    fn grow(&mut self) {
        if let Some(frame) = self.core.frames.last_mut() {
            frame.node = self.core.tree.wrap(frame.node, frame.before);
        }
    }

    fn take(&mut self, way: &Transition) -> Result<(), Failure> {
        match way {
            Transition::Epsilon { target, .. } => self.state = *target,
            Transition::Rule { rule, precedence, .. } => self.call(*rule, Some(self.state), *precedence),
            Transition::Predicate { target, code } => {
                if !self.core.holds(*code) {
                    return Err(Failure::Predicate(*code));
                }
                self.state = *target;
            }
            Transition::Precedence { target, precedence } => {
                if self.core.frames.last().is_some_and(|frame| *precedence < frame.precedence) {
                    return Err(Failure::Precedence(*precedence));
                }
                self.state = *target;
            }
            Transition::Action { target, action } => {
                if let Some(ActionId::Code(code)) = action {
                    self.core.act(*code);
                }
                self.state = *target;
            }
            consuming => {
                if accepts(consuming, self.core.kind(0)) {
                    self.recovery.matched();
                    self.core.consume(false);
                } else {
                    self.recover_inline(matches!(consuming, Transition::Set { .. } | Transition::NotSet { .. }))?;
                }
                self.state = consuming.target();
            }
        }
        Ok(())
    }

    /// A quantified part begins: see [`ParseOptions::quantifiers`].
    fn open_mark(&mut self, way: &Transition) {
        let state = &self.atn.states[self.state.index()];
        let (Some(quantifier), Some(end)) = (state.quantifier, state.partner) else { return };
        if opens_quantified(self.atn, state, way)
            && let Some(parent) = self.core.node()
        {
            let node = self.core.tree.add(Some(parent), NodeKind::Quantifier(quantifier));
            self.core.marks.push((node, end.0));
        }
    }

    fn close_mark(&mut self) {
        let first = self.core.frames.last().map_or(0, |frame| frame.marks);
        if self.core.marks.len() > first && self.core.marks.last().is_some_and(|&(_, end)| end == self.state.0) {
            self.core.marks.pop();
        }
    }
}

/// Whether a consuming transition accepts a type of token.
fn accepts(way: &Transition, kind: i32) -> bool {
    match way {
        Transition::Atom { label, .. } => *label == kind,
        Transition::Set { set, .. } => set.contains(kind),
        Transition::NotSet { set, .. } => kind != EOF && !set.contains(kind),
        Transition::Wildcard { .. } => kind != EOF,
        _ => false,
    }
}
