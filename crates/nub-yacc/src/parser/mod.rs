//! The parser: an LR automaton with a stack of states.

mod overlay;
mod recover;

use crate::{
    grammar::{Grammar, ProductionId, RuleId, TokenId},
    lalr::{Action, StateId, Table},
    tree::{Lexeme, NodeId, NodeKind, Origin, ParseTree, SyntaxError, line_and_column},
};
pub(crate) use overlay::Overlay;
use recover::Recovery;

/// The tables a parser runs on.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) table: Table,
    /// The length and the rule of each production.
    pub(crate) shapes: Vec<(u32, RuleId)>,
    /// How many reductions may follow one another without the stack getting shorter. Only a rule that derives itself,
    /// with or without empty rules around it, needs more, and then the reductions never end.
    pub(crate) patience: usize,
    /// Whether the grammar has `error` productions.
    pub(crate) handles_errors: bool,
}

impl Tables {
    pub(crate) fn new(grammar: &Grammar, table: Table) -> Self {
        let productions = grammar.productions();
        let shapes = productions.iter().map(|production| (production.symbols.len() as u32, production.rule)).collect();
        let patience = productions.iter().map(|production| production.symbols.len() * 2 + 2).sum::<usize>() + 100;
        let error = crate::grammar::Symbol::Token(TokenId::ERROR);
        let handles_errors =
            productions.iter().any(|production| production.useful && production.symbols.contains(&error));
        Self { table, shapes, patience, handles_errors }
    }
}

/// Detects endless reductions.
#[derive(Debug)]
struct Patience {
    left: usize,
    /// The lowest height of the stack since the last token.
    lowest: usize,
}

impl Patience {
    fn new(tables: &Tables, height: usize) -> Self {
        Self { left: tables.patience, lowest: height }
    }

    fn holds(&self) -> bool {
        self.left > 0
    }

    /// Counts a reduction, which left the stack at this height.
    fn reduced(&mut self, tables: &Tables, height: usize) {
        if height < self.lowest {
            *self = Self::new(tables, height);
        } else {
            self.left = self.left.saturating_sub(1);
        }
    }
}

/// Parses lexemes. The result holds all of them, in the tree or beside it.
pub(crate) fn parse(grammar: &Grammar, tables: &Tables, input: &[u8], lexemes: Vec<Lexeme>) -> ParseTree {
    let visible: Vec<u32> = (lexemes.iter().enumerate())
        .filter(|(_, lexeme)| lexeme.origin == Origin::Matched)
        .map(|(at, _)| at as u32)
        .collect();
    let unknown: Vec<usize> =
        lexemes.iter().filter(|lexeme| lexeme.origin == Origin::Unknown).map(|lexeme| lexeme.span.start).collect();
    let mut parser = Parser {
        grammar,
        tables,
        input,
        visible,
        tree: ParseTree::new(lexemes),
        states: vec![StateId::START],
        nodes: vec![],
        at: 0,
        recovery: Recovery::default(),
    };
    for at in unknown {
        parser.error(at, "no lexer rule matches this".to_owned());
    }
    parser.run();
    parser.tree.errors.sort_by_key(|error| (error.line, error.column));
    parser.tree
}

struct Parser<'a> {
    grammar: &'a Grammar,
    tables: &'a Tables,
    input: &'a [u8],
    /// The lexemes that are tokens.
    visible: Vec<u32>,
    tree: ParseTree,
    /// One more than there are nodes.
    states: Vec<StateId>,
    nodes: Vec<NodeId>,
    /// The next visible lexeme.
    at: usize,
    recovery: Recovery,
}

impl Parser<'_> {
    /// The token of a visible lexeme, or the end of input after the last one. `None` if the grammar has no such token.
    fn token(&self, at: usize) -> Option<TokenId> {
        match self.visible.get(at) {
            Some(&lexeme) => self.tree.lexemes[lexeme as usize].token,
            None => Some(TokenId::END),
        }
    }

    fn state(&self) -> StateId {
        self.states.last().copied().unwrap_or(StateId::START)
    }

    fn run(&mut self) {
        let mut patience = Patience::new(self.tables, self.states.len());
        loop {
            let state = self.state();
            match self.token(self.at).and_then(|token| self.tables.table.action(state, token)) {
                Some(Action::Shift(next)) if self.at < self.visible.len() => {
                    let node = self.tree.add(NodeKind::Token(self.visible[self.at]), state, &[]);
                    self.push(next, node);
                    self.at += 1;
                    patience = Patience::new(self.tables, self.states.len());
                }
                // As with a real lexer, the end can be shifted any number of times, but not for ever.
                Some(Action::Shift(next)) if patience.holds() => {
                    let node = self.tree.add(NodeKind::End, state, &[]);
                    self.push(next, node);
                    patience.reduced(self.tables, self.states.len());
                }
                Some(Action::Reduce(production)) if patience.holds() && self.reduce(production) => {
                    patience.reduced(self.tables, self.states.len());
                }
                Some(Action::Accept(_)) => match self.nodes.last() {
                    Some(&root) => return self.tree.set_root(root),
                    None => return self.give_up(),
                },
                Some(Action::Shift(_) | Action::Reduce(_)) => {
                    let message = "the grammar loops here: a rule derives itself".to_owned();
                    self.error(self.offset(), message);
                    return self.give_up();
                }
                None => {
                    self.report();
                    if !self.recover() {
                        return self.give_up();
                    }
                    patience = Patience::new(self.tables, self.states.len());
                }
            }
        }
    }

    fn push(&mut self, state: StateId, node: NodeId) {
        self.states.push(state);
        self.nodes.push(node);
    }

    /// Turns the symbols of a production into one node.
    fn reduce(&mut self, production: ProductionId) -> bool {
        let (length, rule) = self.tables.shapes[production.index()];
        let Some(first) = self.nodes.len().checked_sub(length as usize) else { return false };
        let state = self.states[first];
        let Some(next) = self.tables.table.goto(state, rule) else { return false };
        let children = self.nodes.split_off(first);
        self.states.truncate(first + 1);
        let node = self.tree.add(NodeKind::Rule(production), state, &children);
        self.push(next, node);
        true
    }

    /// The parser's position in the input.
    fn offset(&self) -> usize {
        match self.visible.get(self.at) {
            Some(&lexeme) => self.tree.lexemes[lexeme as usize].span.start,
            None => self.input.len(),
        }
    }

    fn report(&mut self) {
        let message = match self.visible.get(self.at) {
            None => "the input ends too early".to_owned(),
            Some(&lexeme) => {
                let lexeme = &self.tree.lexemes[lexeme as usize];
                let text = String::from_utf8_lossy(&self.input[lexeme.span.clone()]);
                let short: String = text.chars().take(40).collect();
                let expected: Vec<&str> =
                    (self.tables.table.actions(self.state()).iter())
                        .filter(|(token, _)| *token != TokenId::ERROR)
                        .map(|&(token, _)| {
                            if token == TokenId::END {
                                "the end of the input"
                            } else {
                                &*self.grammar.token(token).name
                            }
                        })
                        .collect();
                let expected = match expected.as_slice() {
                    [] => String::new(),
                    few if few.len() <= 5 => format!(", expected {}", few.join(" or ")),
                    _ => String::new(),
                };
                format!("unexpected {short:?}{expected}")
            }
        };
        self.error(self.offset(), message);
    }

    fn error(&mut self, at: usize, message: String) {
        // Finding a line takes time proportional to the input. Do not spend it on every error of a hopeless input.
        const EXACT: usize = 200;
        let (line, column) = match self.tree.errors.last() {
            Some(last) if self.tree.errors.len() > EXACT => (last.line, last.column),
            _ => line_and_column(self.input, at),
        };
        self.tree.errors.push(SyntaxError { line, column, message });
    }

    /// Puts everything parsed so far into a list. The rest stays beside the tree.
    fn give_up(&mut self) {
        let nodes = std::mem::take(&mut self.nodes);
        let root = self.tree.add(NodeKind::Error, StateId::START, &nodes);
        self.tree.set_root(root);
    }
}
