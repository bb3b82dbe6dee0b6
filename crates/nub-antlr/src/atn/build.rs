//! Builds networks from rules.
//!
//! States are created and removed in the same order as in ANTLR's tool, so that even their numbers are the same. The
//! order of the transitions out of a rule's stop state depends on these numbers.

mod block;
mod finish;
mod optimise;

use super::{
    ActionId, Atn, Code, DecisionId, GrammarKind, LexerCommand, RuleId, State, StateId, StateKind, Transition,
};
use crate::grammar::ir::{AltIr, Match, Node, RuleIr};

/// The rule of the states that belong to none: the start states of lexer modes.
pub(crate) const NO_RULE: RuleId = RuleId(u32::MAX);

/// Builds the network of a parser.
pub(crate) fn parser(rules: &[RuleIr], code: Vec<Code>, max_token_type: i32) -> Atn {
    let mut builder = Builder::new();
    builder.rules(rules);
    builder.finish(GrammarKind::Parser, rules, Vec::new(), code, max_token_type)
}

/// Builds the network of a lexer.
pub(crate) fn lexer(rules: &[RuleIr], modes: usize, code: Vec<Code>, max_token_type: i32) -> Atn {
    let mut builder = Builder::new();
    let starts: Vec<StateId> = (0..modes).map(|_| builder.decision_state(StateKind::TokensStart)).collect();
    builder.rules(rules);
    for (index, rule) in rules.iter().enumerate().filter(|(_, rule)| !rule.fragment) {
        let start = builder.starts[index].0;
        builder.epsilon(starts[rule.mode], start);
    }
    builder.merge_sets();
    builder.finish(GrammarKind::Lexer, rules, starts, code, max_token_type)
}

/// The two ends of a piece of a network.
#[derive(Clone, Copy)]
struct Piece {
    left: StateId,
    right: StateId,
}

struct Builder {
    /// `None` for removed states.
    states: Vec<Option<State>>,
    decisions: Vec<StateId>,
    /// Start and stop state of every rule.
    starts: Vec<(StateId, StateId)>,
    commands: Vec<LexerCommand>,
    rule: RuleId,
}

impl Builder {
    fn new() -> Self {
        let (states, decisions) = (Vec::new(), Vec::new());
        Self { states, decisions, starts: Vec::new(), commands: Vec::new(), rule: NO_RULE }
    }

    fn rules(&mut self, rules: &[RuleIr]) {
        for index in 0..rules.len() {
            self.rule = RuleId(u32::try_from(index).expect("fewer than 2^32 rules"));
            let start = self.state(StateKind::RuleStart);
            let stop = self.state(StateKind::RuleStop);
            self.starts.push((start, stop));
        }
        for (index, rule) in rules.iter().enumerate() {
            self.rule = RuleId(u32::try_from(index).expect("fewer than 2^32 rules"));
            let piece = self.block(&rule.alternatives);
            let (start, stop) = self.starts[index];
            self.epsilon(start, piece.left);
            self.epsilon(piece.right, stop);
        }
    }

    fn state(&mut self, kind: StateKind) -> StateId {
        let id = StateId(u32::try_from(self.states.len()).expect("fewer than 2^32 states"));
        self.states.push(Some(State {
            kind,
            rule: self.rule,
            transitions: Vec::new(),
            decision: None,
            non_greedy: false,
            partner: None,
            precedence_decision: false,
            quantifier: None,
        }));
        id
    }

    fn decision_state(&mut self, kind: StateKind) -> StateId {
        let id = self.state(kind);
        self.decide(id);
        id
    }

    fn decide(&mut self, id: StateId) {
        let number = u32::try_from(self.decisions.len()).expect("fewer decisions than states");
        self.decisions.push(id);
        self.at(id).decision = Some(DecisionId(number));
    }

    fn at(&mut self, id: StateId) -> &mut State {
        self.states[id.index()].as_mut().expect("states are removed once nothing leads to them")
    }

    fn get(&self, id: StateId) -> &State {
        self.states[id.index()].as_ref().expect("states are removed once nothing leads to them")
    }

    fn epsilon(&mut self, from: StateId, target: StateId) {
        self.at(from).transitions.push(Transition::Epsilon { target, precedence_return: None });
    }

    fn alternative(&mut self, alternative: &AltIr) -> Piece {
        let body = self.sequence(&alternative.nodes);
        if alternative.commands.is_empty() {
            return body;
        }
        let ids: Vec<u32> = alternative.commands.iter().map(|command| self.command(command)).collect();
        let actions: Vec<Node> = ids.into_iter().map(|id| Node::Action(Some(ActionId::Command(id)))).collect();
        let commands = self.sequence(&actions);
        self.epsilon(body.right, commands.left);
        Piece { left: body.left, right: commands.right }
    }

    fn command(&mut self, command: &LexerCommand) -> u32 {
        let found = self.commands.iter().position(|known| known == command);
        let index = found.unwrap_or_else(|| {
            self.commands.push(command.clone());
            self.commands.len() - 1
        });
        u32::try_from(index).expect("fewer commands than states")
    }

    fn sequence(&mut self, nodes: &[Node]) -> Piece {
        if nodes.is_empty() {
            let (left, right) = (self.state(StateKind::Basic), self.state(StateKind::Basic));
            self.epsilon(left, right);
            return Piece { left, right };
        }
        let pieces: Vec<Piece> = nodes.iter().map(|node| self.node(node)).collect();
        for pair in pieces.windows(2) {
            self.join(pair[0], pair[1].left);
        }
        Piece { left: pieces[0].left, right: pieces[pieces.len() - 1].right }
    }

    /// Connects a piece to what comes next. A single step is led there directly, without its right end.
    fn join(&mut self, piece: Piece, next: StateId) {
        let basic = |state: &State| state.kind == StateKind::Basic;
        let single = basic(self.get(piece.left)) && basic(self.get(piece.right));
        if single && let [transition] = &mut self.at(piece.left).transitions[..] {
            match transition {
                Transition::Rule { follow, .. } if *follow == piece.right => {
                    *follow = next;
                    self.states[piece.right.index()] = None;
                    return;
                }
                other if other.target() == piece.right => {
                    other.retarget(next);
                    self.states[piece.right.index()] = None;
                    return;
                }
                _ => {}
            }
        }
        self.epsilon(piece.right, next);
    }

    fn node(&mut self, node: &Node) -> Piece {
        match node {
            Node::Block(alternatives) => self.block(alternatives),
            Node::Loop { alternatives, quantifier, greedy, written } => {
                self.quantified(alternatives, *quantifier, *greedy, written.is_some())
            }
            Node::Sequence(matches) => self.literal(matches),
            _ => {
                let (left, target) = (self.state(StateKind::Basic), self.state(StateKind::Basic));
                let transition = match node {
                    Node::Match(one) => matching(one, target),
                    Node::Call { rule, precedence } => {
                        let start = self.starts[rule.index()].0;
                        Transition::Rule { target: start, rule: *rule, precedence: *precedence, follow: target }
                    }
                    Node::Predicate(code) => Transition::Predicate { target, code: *code },
                    Node::Precedence(precedence) => Transition::Precedence { target, precedence: *precedence },
                    Node::Action(action) => Transition::Action { target, action: *action },
                    Node::Block(_) | Node::Loop { .. } | Node::Sequence(_) => unreachable!("handled above"),
                };
                self.at(left).transitions.push(transition);
                Piece { left, right: target }
            }
        }
    }

    fn literal(&mut self, matches: &[Match]) -> Piece {
        let left = self.state(StateKind::Basic);
        let mut right = left;
        for one in matches {
            let target = self.state(StateKind::Basic);
            self.at(right).transitions.push(matching(one, target));
            right = target;
        }
        Piece { left, right }
    }
}

fn matching(one: &Match, target: StateId) -> Transition {
    match one {
        Match::Atom(label) => Transition::Atom { target, label: *label },
        Match::Set(set) => Transition::Set { target, set: set.clone() },
        Match::NotSet(set) => Transition::NotSet { target, set: set.clone() },
        Match::Wildcard => Transition::Wildcard { target },
    }
}

impl Transition {
    fn retarget(&mut self, new: StateId) {
        match self {
            Self::Epsilon { target, .. }
            | Self::Atom { target, .. }
            | Self::Set { target, .. }
            | Self::NotSet { target, .. }
            | Self::Wildcard { target }
            | Self::Rule { target, .. }
            | Self::Predicate { target, .. }
            | Self::Precedence { target, .. }
            | Self::Action { target, .. } => *target = new,
        }
    }
}
