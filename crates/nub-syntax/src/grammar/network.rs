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
        let mut states: Vec<Vec<Edge>> = vec![vec![], vec![]];
        let mut calls = false;
        // Expressions to place between two states. A fragment adds no edge into its first state or out of its last one,
        // so fragments can share both.
        let mut todo: Vec<(ExprId, u32, u32)> = vec![];
        match grammar.rule(rule).body {
            Some(body) => todo.push((body, Network::START, Network::ACCEPT)),
            None => states[0].push(Edge::Hidden(grammar.rule(rule).hidden, Network::ACCEPT)),
        }
        while let Some((expr, from, to)) = todo.pop() {
            let fresh = |states: &mut Vec<Vec<Edge>>| {
                states.push(vec![]);
                states.len() as u32 - 1
            };
            if let Some(kinds) = &self.units[expr.index()] {
                states[from as usize].push(Edge::Step(kinds.clone(), to));
                continue;
            }
            match grammar.expr(expr) {
                Expr::Empty => states[from as usize].push(Edge::Free(None, to)),
                Expr::Sequence(parts) => {
                    let mut at = from;
                    for (i, &part) in parts.iter().enumerate() {
                        let next = if i + 1 == parts.len() { to } else { fresh(&mut states) };
                        todo.push((part, at, next));
                        at = next;
                    }
                    if parts.is_empty() {
                        states[from as usize].push(Edge::Free(None, to));
                    }
                }
                Expr::Choice(parts) => {
                    let mut kinds = KindSet::default();
                    for &part in parts {
                        match &self.units[part.index()] {
                            Some(unit) => kinds.extend(unit),
                            None => todo.push((part, from, to)),
                        }
                    }
                    if kinds != KindSet::default() {
                        states[from as usize].push(Edge::Step(kinds, to));
                    }
                }
                &Expr::Repeat(part) => {
                    let (hub, open, close) = (fresh(&mut states), fresh(&mut states), fresh(&mut states));
                    states[from as usize].push(Edge::Free(None, hub));
                    states[hub as usize].push(Edge::Free(Some(Mark::Open(Part::Item)), open));
                    states[hub as usize].push(Edge::Free(None, to));
                    states[close as usize].push(Edge::Free(Some(Mark::Close(Part::Item)), hub));
                    todo.push((part, open, close));
                }
                &Expr::Repeat1(part) => {
                    let [before, after, open, close] = std::array::from_fn(|_| fresh(&mut states));
                    states[from as usize].push(Edge::Free(Some(Mark::Open(Part::Items)), before));
                    states[before as usize].push(Edge::Free(Some(Mark::Open(Part::Item)), open));
                    states[close as usize].push(Edge::Free(Some(Mark::Close(Part::Item)), after));
                    states[after as usize].push(Edge::Free(None, before));
                    states[after as usize].push(Edge::Free(Some(Mark::Close(Part::Items)), to));
                    todo.push((part, open, close));
                }
                &Expr::Optional(part) => {
                    let (open, close) = (fresh(&mut states), fresh(&mut states));
                    states[from as usize].push(Edge::Free(Some(Mark::Open(Part::Optional)), open));
                    states[from as usize].push(Edge::Free(None, to));
                    states[close as usize].push(Edge::Free(Some(Mark::Close(Part::Optional)), to));
                    todo.push((part, open, close));
                }
                &Expr::Terminal { shown: Shown::As(kind), .. } | &Expr::Alias(_, kind) => {
                    states[from as usize].push(Edge::Step(KindSet::of(kind), to));
                }
                &Expr::Terminal { shown: Shown::Hidden(token), .. } => {
                    states[from as usize].push(Edge::Hidden(token, to));
                }
                &Expr::Reference(rule) => {
                    let Some(body) = grammar.rule(rule).body else {
                        states[from as usize].push(Edge::Hidden(grammar.rule(rule).hidden, to));
                        continue;
                    };
                    if self.recursive[rule.index()] || states.len() > MOST_STATES {
                        states[from as usize].push(Edge::Call(rule, to));
                        calls = true;
                    } else {
                        todo.push((body, from, to));
                    }
                }
            }
        }
        Network { states, calls }
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
