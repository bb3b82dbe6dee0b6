//! Rules as state networks over the kinds of their children.
//!
//! The construction is Thompson's. Rules that the tree does not show are inlined, so a network reads the list of
//! children that a node has in the tree. Hidden rules that contain themselves cannot be inlined; they become calls, and
//! [a matcher with a stack](super::earley) reads the network. A hidden rule that is just a choice of kinds
//! (`_expression`, with sixty alternatives) becomes one edge with a set of kinds.
//!
//! Edges that begin or end an option or an iteration of a repetition are marked. A path through the network therefore
//! shows which children belong together.

use super::{Expr, ExprId, Grammar, HiddenToken, KindSet, RuleId, Shown};
use std::collections::HashMap;

/// What begins or ends on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Optional,
    /// One iteration of a repetition.
    Item,
    /// All iterations of a repetition that needs at least one.
    Items,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Open(Part),
    Close(Part),
}

#[derive(Clone, Debug)]
pub(super) enum Edge {
    /// Reads a child.
    Step(KindSet, u32),
    /// Reads nothing.
    Free(Option<Mark>, u32),
    /// Reads a token that the tree does not show.
    Hidden(HiddenToken, u32),
    /// Reads the children of a hidden rule.
    Call(RuleId, u32),
}

#[derive(Debug)]
pub(super) struct Network {
    pub(super) states: Vec<Vec<Edge>>,
    /// Whether there are calls.
    pub(super) calls: bool,
}

impl Network {
    pub(super) const START: u32 = 0;
    pub(super) const ACCEPT: u32 = 1;
}

/// Far more than ordinary grammars need. Beyond this limit, hidden rules are called rather than inlined.
const MOST_STATES: usize = 20_000;

/// What the compilation of networks needs to know about the whole grammar.
#[derive(Debug)]
pub(super) struct Compiler {
    /// Whether each rule is hidden and contains itself through hidden rules.
    recursive: Vec<bool>,
    /// The possible kinds of the expressions that match exactly one child.
    units: Vec<Option<KindSet>>,
}

impl Compiler {
    pub(super) fn new(grammar: &Grammar) -> Self {
        Self { recursive: recursive(grammar), units: units(grammar) }
    }

    /// The network of a rule.
    pub(super) fn compile(&self, grammar: &Grammar, rule: RuleId) -> Network {
        let mut draft = Draft { compiler: self, grammar, states: vec![vec![], vec![]], calls: false, todo: vec![] };
        match grammar.rule(rule).body {
            Some(body) => draft.todo.push((body, Network::START, Network::ACCEPT)),
            None => draft.edge(Network::START, Edge::Hidden(grammar.rule(rule).hidden, Network::ACCEPT)),
        }
        while let Some((expr, from, to)) = draft.todo.pop() {
            draft.place(expr, from, to);
        }
        Network { states: draft.states, calls: draft.calls }
    }
}

/// A network that is not complete yet.
struct Draft<'a> {
    compiler: &'a Compiler,
    grammar: &'a Grammar,
    states: Vec<Vec<Edge>>,
    calls: bool,
    /// Expressions to place between two states. A fragment adds no edge into its first state or out of its last one, so
    /// fragments can share both.
    todo: Vec<(ExprId, u32, u32)>,
}

impl Draft<'_> {
    fn state(&mut self) -> u32 {
        self.states.push(vec![]);
        self.states.len() as u32 - 1
    }

    fn edge(&mut self, from: u32, edge: Edge) {
        self.states[from as usize].push(edge);
    }

    /// Places an expression between two states, or its parts on the list of those to place.
    fn place(&mut self, expr: ExprId, from: u32, to: u32) {
        let grammar = self.grammar;
        if let Some(kinds) = &self.compiler.units[expr.index()] {
            return self.edge(from, Edge::Step(kinds.clone(), to));
        }
        match grammar.expr(expr) {
            Expr::Empty => self.edge(from, Edge::Free(None, to)),
            Expr::Sequence(parts) => self.sequence(parts, from, to),
            Expr::Choice(parts) => self.choice(parts, from, to),
            &Expr::Repeat(part) => self.repeat(part, from, to),
            &Expr::Repeat1(part) => self.repeat1(part, from, to),
            &Expr::Optional(part) => self.optional(part, from, to),
            &Expr::Terminal { shown: Shown::As(kind), .. } | &Expr::Alias(_, kind) => {
                self.edge(from, Edge::Step(KindSet::of(kind), to));
            }
            &Expr::Terminal { shown: Shown::Hidden(token), .. } => self.edge(from, Edge::Hidden(token, to)),
            &Expr::Reference(rule) => self.reference(rule, from, to),
        }
    }

    fn sequence(&mut self, parts: &[ExprId], from: u32, to: u32) {
        let mut at = from;
        for (i, &part) in parts.iter().enumerate() {
            let next = if i + 1 == parts.len() { to } else { self.state() };
            self.todo.push((part, at, next));
            at = next;
        }
        if parts.is_empty() {
            self.edge(from, Edge::Free(None, to));
        }
    }

    fn choice(&mut self, parts: &[ExprId], from: u32, to: u32) {
        let mut kinds = KindSet::default();
        for &part in parts {
            match &self.compiler.units[part.index()] {
                Some(unit) => kinds.extend(unit),
                None => self.todo.push((part, from, to)),
            }
        }
        if kinds != KindSet::default() {
            self.edge(from, Edge::Step(kinds, to));
        }
    }

    fn repeat(&mut self, part: ExprId, from: u32, to: u32) {
        let [hub, open, close] = std::array::from_fn(|_| self.state());
        self.edge(from, Edge::Free(None, hub));
        self.edge(hub, Edge::Free(Some(Mark::Open(Part::Item)), open));
        self.edge(hub, Edge::Free(None, to));
        self.edge(close, Edge::Free(Some(Mark::Close(Part::Item)), hub));
        self.todo.push((part, open, close));
    }

    fn repeat1(&mut self, part: ExprId, from: u32, to: u32) {
        let [before, after, open, close] = std::array::from_fn(|_| self.state());
        self.edge(from, Edge::Free(Some(Mark::Open(Part::Items)), before));
        self.edge(before, Edge::Free(Some(Mark::Open(Part::Item)), open));
        self.edge(close, Edge::Free(Some(Mark::Close(Part::Item)), after));
        self.edge(after, Edge::Free(None, before));
        self.edge(after, Edge::Free(Some(Mark::Close(Part::Items)), to));
        self.todo.push((part, open, close));
    }

    fn optional(&mut self, part: ExprId, from: u32, to: u32) {
        let [open, close] = std::array::from_fn(|_| self.state());
        self.edge(from, Edge::Free(Some(Mark::Open(Part::Optional)), open));
        self.edge(from, Edge::Free(None, to));
        self.edge(close, Edge::Free(Some(Mark::Close(Part::Optional)), to));
        self.todo.push((part, open, close));
    }

    /// A hidden rule's body takes its place, unless it contains itself or the network has become too large.
    fn reference(&mut self, rule: RuleId, from: u32, to: u32) {
        let Some(body) = self.grammar.rule(rule).body else {
            return self.edge(from, Edge::Hidden(self.grammar.rule(rule).hidden, to));
        };
        if self.compiler.recursive[rule.index()] || self.states.len() > MOST_STATES {
            self.edge(from, Edge::Call(rule, to));
            self.calls = true;
        } else {
            self.todo.push((body, from, to));
        }
    }
}

/// The hidden rules that each rule refers to directly.
fn hidden_references(grammar: &Grammar) -> Vec<Vec<RuleId>> {
    // Every expression belongs to one rule. Walk from wholes to parts.
    let mut owner: HashMap<usize, usize> = HashMap::new();
    for (id, rule) in grammar.rules() {
        owner.extend(rule.body.map(|body| (body.index(), id.index())));
    }
    let mut references = vec![vec![]; grammar.rules().len()];
    for (i, expr) in grammar.exprs().iter().enumerate().rev() {
        let Some(&rule) = owner.get(&i) else { continue };
        match expr {
            Expr::Sequence(parts) | Expr::Choice(parts) => {
                owner.extend(parts.iter().map(|part| (part.index(), rule)));
            }
            Expr::Repeat(part) | Expr::Repeat1(part) | Expr::Optional(part) => {
                owner.insert(part.index(), rule);
            }
            &Expr::Reference(other) if grammar.rule(other).kind.is_none() => references[rule].push(other),
            _ => {}
        }
    }
    references
}

/// Whether each rule is hidden and reaches itself through hidden rules.
fn recursive(grammar: &Grammar) -> Vec<bool> {
    let references = hidden_references(grammar);
    // Rules outside all cycles can be removed one by one, first those without references, then those without referrers.
    // Only cycles and the paths between them remain.
    let count = references.len();
    let mut removed = vec![false; count];
    for upwards in [true, false] {
        let mut out: Vec<Vec<usize>> = vec![vec![]; count];
        for (from, targets) in references.iter().enumerate() {
            for to in targets {
                let (from, to) = if upwards { (from, to.index()) } else { (to.index(), from) };
                if !removed[from] && !removed[to] {
                    out[from].push(to);
                }
            }
        }
        let mut referrers: Vec<Vec<usize>> = vec![vec![]; count];
        let mut open: Vec<usize> = out.iter().map(Vec::len).collect();
        for (from, targets) in out.iter().enumerate() {
            targets.iter().for_each(|&to| referrers[to].push(from));
        }
        let mut todo: Vec<usize> = (0..count).filter(|&rule| open[rule] == 0 && !removed[rule]).collect();
        while let Some(rule) = todo.pop() {
            removed[rule] = true;
            for &referrer in &referrers[rule] {
                open[referrer] -= 1;
                if open[referrer] == 0 {
                    todo.push(referrer);
                }
            }
        }
    }
    grammar.rules().map(|(id, rule)| rule.kind.is_none() && !removed[id.index()]).collect()
}

/// The expressions and rules that match exactly one child. This is a least fixed point, so a rule that only contains
/// itself is not among them.
fn units(grammar: &Grammar) -> Vec<Option<KindSet>> {
    let mut exprs: Vec<Option<KindSet>> = vec![None; grammar.exprs().len()];
    let mut rules: Vec<Option<KindSet>> = grammar.rules().map(|(_, rule)| rule.kind.map(KindSet::of)).collect();
    loop {
        for (i, expr) in grammar.exprs().iter().enumerate() {
            if exprs[i].is_some() {
                continue;
            }
            exprs[i] = match expr {
                &Expr::Terminal { shown: Shown::As(kind), .. } | &Expr::Alias(_, kind) => Some(KindSet::of(kind)),
                &Expr::Reference(rule) => rules[rule.index()].clone(),
                Expr::Choice(parts) if !parts.is_empty() => {
                    let mut kinds = KindSet::default();
                    let all = parts.iter().all(|part| {
                        exprs[part.index()].as_ref().is_some_and(|unit| {
                            kinds.extend(unit);
                            true
                        })
                    });
                    all.then_some(kinds)
                }
                Expr::Sequence(parts) if parts.len() == 1 => exprs[parts[0].index()].clone(),
                _ => None,
            };
        }
        let mut changed = false;
        for (id, rule) in grammar.rules() {
            if rules[id.index()].is_none()
                && let Some(unit) = rule.body.and_then(|body| exprs[body.index()].as_ref())
            {
                rules[id.index()] = Some(unit.clone());
                changed = true;
            }
        }
        if !changed {
            return exprs;
        }
    }
}
