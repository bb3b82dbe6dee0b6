//! Code in parsers.

use super::{
    Names, Overrides, ParserBase, Value,
    eval::{Scope, evaluate, truth},
    lexer::{DEPTH, SERVER_VERSION},
    treat::Rules,
};
use crate::{
    atn::{CodeId, EOF},
    compiled::Compiled,
    parser::{Frame, token_text},
    token::{Origin, Token},
    tree::{Builder, NodeId, NodeKind},
};
use std::sync::Arc;

/// A parser as predicates and actions see it.
#[derive(Debug)]
pub struct ParserView<'a> {
    /// The grammar.
    pub grammar: &'a Compiled,
    /// The input.
    pub source: &'a [u8],
    /// All tokens.
    pub tokens: &'a [Token],
    /// The tokens that the parser sees, as indices into `tokens`.
    pub stream: &'a [u32],
    /// The index of the current token in `stream`.
    pub at: usize,
    pub(crate) tree: &'a Builder,
    pub(crate) frames: &'a [Frame],
}

impl ParserView<'_> {
    /// The token at a distance: 1 is the current one, -1 the previous one. Before the first token there is none; after
    /// the last, the last is repeated.
    pub fn token(&self, distance: isize) -> Option<usize> {
        let moved = if distance > 0 { distance - 1 } else { distance };
        let at = self.at.checked_add_signed(moved)?.min(self.stream.len().checked_sub(1)?);
        Some(self.stream[at] as usize)
    }

    /// The type of the token at a distance; 0 if there is none.
    pub fn kind(&self, distance: isize) -> i32 {
        self.token(distance).map_or(0, |token| self.tokens[token].kind)
    }

    /// The text of the token at a distance.
    pub fn text_at(&self, distance: isize) -> String {
        self.token(distance).map_or_else(String::new, |token| self.text(token))
    }

    /// The text of a token.
    pub fn text(&self, token: usize) -> String {
        token_text(&self.tokens[token], self.source, &self.grammar.vocabulary)
    }

    /// The index of the current token.
    pub fn current(&self) -> usize {
        self.token(1).unwrap_or(0)
    }

    /// The token before another, on any channel, ignoring skipped ones.
    pub fn before(&self, token: usize) -> Option<usize> {
        self.tokens[..token].iter().rposition(|token| token.origin == Origin::Matched)
    }

    /// The name of the current rule.
    pub fn rule_name(&self) -> &str {
        let rule = self.frames.last().map(|frame| frame.rule.index());
        rule.map_or("", |rule| self.grammar.parser.atn.rules[rule].name.as_str())
    }

    fn name_of(&self, node: NodeId) -> Option<&str> {
        match self.tree.kind(node) {
            NodeKind::Rule(rule) => Some(self.grammar.parser.atn.rules[rule.index()].name.as_str()),
            _ => None,
        }
    }

    /// The children of a node, with quantifier nodes replaced by their children.
    fn children(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut work: Vec<NodeId> = self.tree.children(node).collect();
        work.reverse();
        while let Some(child) = work.pop() {
            if matches!(self.tree.kind(child), NodeKind::Quantifier(_)) {
                let at = work.len();
                work.extend(self.tree.children(child));
                work[at..].reverse();
            } else {
                found.push(child);
            }
        }
        found
    }

    /// The text of the first child of the current node that belongs to a rule.
    pub fn child_text(&self, rule: &str) -> Option<String> {
        let node = self.frames.last()?.node;
        let child = self.children(node).into_iter().find(|&child| self.name_of(child) == Some(rule))?;
        let mut text = String::new();
        let mut work = vec![child];
        while let Some(node) = work.pop() {
            match self.tree.kind(node) {
                NodeKind::Token(token) | NodeKind::Error(token) => text.push_str(&self.text(token as usize)),
                _ => work.extend(self.children(node).into_iter().rev()),
            }
        }
        Some(text)
    }

    /// The rule of the node at the end of a path of child indices from the current node.
    pub fn descendant(&self, path: &[usize]) -> Option<&str> {
        let mut node = self.frames.last()?.node;
        for &number in path {
            node = *self.children(node).get(number)?;
        }
        self.name_of(node)
    }
}

/// The meaning of predicates and actions of a parser.
#[derive(Debug, Default)]
pub(crate) struct ParserSemantics {
    rules: Rules,
    base: Option<Box<dyn ParserBase>>,
    names: Names,
    overrides: Arc<Overrides>,
    acts: bool,
}

impl ParserSemantics {
    pub(super) fn new(
        rules: Rules,
        base: Option<Box<dyn ParserBase>>,
        names: Names,
        overrides: Arc<Overrides>,
    ) -> Self {
        Self { acts: rules.acts(), rules, base, names, overrides }
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(crate) fn reset(&mut self) {
        if let Some(base) = &mut self.base {
            base.reset();
        }
    }

    pub(crate) fn has_actions(&self) -> bool {
        self.acts
    }

    pub(crate) fn predicate(&mut self, code: CodeId, view: &ParserView<'_>) -> bool {
        let Some([statement]) = self.rules.get(code) else { return true };
        let (base, names, overrides) = (self.base.as_deref_mut(), &self.names, &*self.overrides);
        let mut scope = Looking { base, names, overrides, view, acting: false, depth: 0 };
        evaluate(statement, &mut scope).and_then(|value| truth(&value)).unwrap_or(true)
    }

    pub(crate) fn action(&mut self, code: CodeId, view: &ParserView<'_>) {
        let Some(statements) = self.rules.get(code) else { return };
        let (base, names, overrides) = (self.base.as_deref_mut(), &self.names, &*self.overrides);
        let mut scope = Looking { base, names, overrides, view, acting: true, depth: 0 };
        for statement in statements {
            evaluate(statement, &mut scope);
        }
    }
}

struct Looking<'s, 'v> {
    base: Option<&'s mut (dyn ParserBase + 'static)>,
    names: &'s Names,
    overrides: &'s Overrides,
    view: &'s ParserView<'v>,
    acting: bool,
    depth: usize,
}

impl Looking<'_, '_> {
    fn overridden(&mut self, name: &str) -> Option<Value> {
        let value = self.overrides.name(name).filter(|_| self.depth < DEPTH)?;
        self.depth += 1;
        let value = evaluate(value, self);
        self.depth -= 1;
        value
    }
}

impl Scope for Looking<'_, '_> {
    fn name(&mut self, name: &str) -> Option<Value> {
        if let Some(value) = self.overridden(name) {
            return Some(value);
        }
        match name {
            "serverVersion" => Some(Value::Int(SERVER_VERSION)),
            _ => self.names.constant(name).map(Value::Int),
        }
    }

    fn call(&mut self, _receiver: Option<Value>, name: &str, arguments: &[Value]) -> Option<Value> {
        if let Some(value) = self.overridden(name) {
            return Some(value);
        }
        if let Some(base) = self.base.as_deref_mut().filter(|base| base.methods().contains(&name)) {
            if self.acting {
                base.action(name, arguments, self.view);
                return Some(Value::Null);
            }
            return Some(Value::Bool(base.predicate(name, arguments, self.view)));
        }
        let distance = match arguments {
            [Value::Int(distance)] => isize::try_from(*distance).ok(),
            _ => None,
        };
        Some(match name {
            "la" => Value::Int(self.view.kind(distance?).into()),
            "lt" => self.view.token(distance?).map_or(Value::Null, Value::Token),
            "adjacent" => match (self.view.token(-2), self.view.token(-1)) {
                (Some(first), Some(second)) => Value::Bool(self.view.before(second) == Some(first)),
                _ => Value::Bool(false),
            },
            "getcurrenttoken" => Value::Token(self.view.current()),
            "get" => match arguments {
                // Token indices are those of this view, so arithmetic on them works as long as no token is skipped.
                [Value::Int(token)] => {
                    Value::Token(usize::try_from(*token).ok().filter(|&at| at < self.view.tokens.len())?)
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    fn property(&mut self, token: usize, name: &str) -> Option<Value> {
        let of = self.view.tokens.get(token)?;
        Some(match name {
            "text" => Value::Text(self.view.text(token)),
            "type" => Value::Int(of.kind.into()),
            "index" | "tokenindex" => Value::Int(i64::try_from(token).ok()?),
            "line" => Value::Int(of.line.into()),
            "charpositioninline" | "column" | "pos" => Value::Int(of.column.into()),
            "channel" => Value::Int(of.channel.into()),
            "startindex" | "start" => Value::Int(of.start.into()),
            "stopindex" | "stop" => Value::Int(i64::from(of.end) - i64::from(of.kind != EOF)),
            _ => return None,
        })
    }

    fn set(&mut self, _name: &str, _value: Value) -> Option<()> {
        None
    }
}
