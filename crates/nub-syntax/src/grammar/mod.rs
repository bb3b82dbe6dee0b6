//! One model of a grammar for all front ends.
//!
//! A [`Grammar`] is an arena of [`Rule`]s whose bodies are [`Expr`]essions. An expression is added after its parts, so
//! walking the arena in order visits every part before the whole. Bottom-up computations need no recursion.
//!
//! Parse trees rarely show everything in a grammar. A rule has a [kind](Rule::kind), under which its nodes appear in
//! the tree, or it is *hidden*, and its children are those of the enclosing rule. Likewise, a terminal may be shown or
//! hidden. This expresses tree-sitter's supertypes and inlined rules as well as other tools' labelled alternatives.

mod children;
mod dfa;
mod earley;
mod kinds;
mod network;
pub mod phi;
mod word;

pub use children::{Automaton, Children, Group, GroupKind, Match};
pub use kinds::{ChildKind, KindSet};
pub use phi::Phi;
pub use word::shortest_word;

use kinds::Kinds;
use std::collections::{HashMap, HashSet};

/// A rule of a [`Grammar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(u32);

/// An expression of a [`Grammar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(u32);

/// A token that the tree does not show. An automaton skips a hidden token only if the text is known to contain it: see
/// [`Automaton`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HiddenToken(u32);

impl RuleId {
    /// The index, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ExprId {
    /// The index, from 0; larger than those of its parts.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a terminal matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// This text.
    Literal(Box<str>),
    /// What a regular expression matches, in the syntax of the `regex` crate.
    Pattern(Box<str>),
    /// The text of an expression whose parts must be adjacent.
    Composite(ExprId),
}

/// A part of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// Nothing.
    Empty,
    /// All parts, in order.
    Sequence(Box<[ExprId]>),
    /// One of the parts.
    Choice(Box<[ExprId]>),
    /// Any number of times.
    Repeat(ExprId),
    /// At least once.
    Repeat1(ExprId),
    /// The part, or nothing.
    Optional(ExprId),
    /// A token.
    Terminal {
        /// What it matches.
        text: Text,
        /// How the tree shows it.
        shown: Shown,
        /// Whether it must follow the token before it without a gap.
        immediate: bool,
    },
    /// The text of a rule.
    Reference(RuleId),
    /// The text of a rule, shown under another name.
    Alias(RuleId, ChildKind),
}

/// How a tree shows a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// As a child of this kind.
    As(ChildKind),
    /// Not at all.
    Hidden(HiddenToken),
}

/// A rule: a name and its body.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The name in the grammar.
    pub name: Box<str>,
    /// The body; `None` if only a program recognises the rule (an external scanner).
    pub body: Option<ExprId>,
    /// The kind of its nodes; `None` if it is hidden, that is, its children belong to the enclosing rule.
    pub kind: Option<ChildKind>,
    /// Whether it only groups other rules under a common name.
    pub supertype: bool,
    /// Whether it may occur between any two tokens.
    pub extra: bool,
    /// The hidden token that represents the rule if it is hidden and external.
    hidden: HiddenToken,
}

/// A grammar.
#[derive(Clone, Debug, Default)]
pub struct Grammar {
    name: Box<str>,
    rules: Vec<Rule>,
    by_name: HashMap<Box<str>, RuleId>,
    exprs: Vec<Expr>,
    kinds: Kinds,
    /// The rules that can produce nodes of each kind.
    sources: HashMap<ChildKind, Vec<RuleId>>,
    hidden: HashMap<Box<str>, HiddenToken>,
}

impl Grammar {
    /// A grammar without rules.
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The name of the grammar.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Interns a kind of child. Kinds of rules are `named`; kinds of literal tokens are not.
    pub fn kind(&mut self, name: &str, named: bool) -> ChildKind {
        self.kinds.intern(name, named)
    }

    /// The kind with this name, if the grammar has it.
    pub fn find_kind(&self, name: &str, named: bool) -> Option<ChildKind> {
        self.kinds.find(name, named)
    }

    /// The name of a kind, and whether it is the name of a rule.
    pub fn kind_name(&self, kind: ChildKind) -> (&str, bool) {
        self.kinds.name(kind)
    }

    /// How many kinds there are.
    pub fn kind_count(&self) -> usize {
        self.kinds.len()
    }

    /// The kind with this index.
    pub fn kind_by_index(&self, index: usize) -> Option<ChildKind> {
        self.kinds.by_index(index)
    }

    /// Declares a rule so that others can refer to it. It has no body until it is [defined](Self::define). The first
    /// rule is the start rule.
    pub fn declare(&mut self, name: &str, kind: Option<ChildKind>) -> RuleId {
        if let Some(&rule) = self.by_name.get(name) {
            return rule;
        }
        let id = RuleId(self.rules.len() as u32);
        let hidden = self.hidden_token(name);
        self.rules.push(Rule { name: name.into(), body: None, kind, supertype: false, extra: false, hidden });
        self.by_name.insert(name.into(), id);
        if let Some(kind) = kind {
            self.sources.entry(kind).or_default().push(id);
        }
        id
    }

    /// Sets the body of a rule.
    pub fn define(&mut self, rule: RuleId, body: ExprId) {
        self.rules[rule.index()].body = Some(body);
    }

    /// Marks a rule as one that only groups others.
    pub fn mark_supertype(&mut self, rule: RuleId) {
        self.rules[rule.index()].supertype = true;
    }

    /// Marks a rule as one that may occur anywhere.
    pub fn mark_extra(&mut self, rule: RuleId) {
        self.rules[rule.index()].extra = true;
    }

    /// Adds an expression whose parts are in the grammar already.
    pub fn add(&mut self, expr: Expr) -> ExprId {
        if let Expr::Alias(rule, kind) = expr {
            let sources = self.sources.entry(kind).or_default();
            if !sources.contains(&rule) {
                sources.push(rule);
            }
        }
        self.exprs.push(expr);
        ExprId(self.exprs.len() as u32 - 1)
    }

    /// The hidden token with this description. Equal descriptions give equal tokens.
    pub fn hidden_token(&mut self, description: &str) -> HiddenToken {
        let next = HiddenToken(self.hidden.len() as u32);
        match self.hidden.get(description) {
            Some(&token) => token,
            None => {
                self.hidden.insert(description.into(), next);
                next
            }
        }
    }

    /// A literal token, shown in the tree.
    pub fn literal(&mut self, text: &str) -> ExprId {
        let shown = Shown::As(self.kind(text, false));
        self.add(Expr::Terminal { text: Text::Literal(text.into()), shown, immediate: false })
    }

    /// A token given by a regular expression and not shown. (The rule that consists of it is.)
    pub fn pattern(&mut self, pattern: &str) -> ExprId {
        let shown = Shown::Hidden(self.hidden_token(pattern));
        self.add(Expr::Terminal { text: Text::Pattern(pattern.into()), shown, immediate: false })
    }

    /// A sequence.
    pub fn sequence(&mut self, parts: impl Into<Box<[ExprId]>>) -> ExprId {
        self.add(Expr::Sequence(parts.into()))
    }

    /// A choice.
    pub fn choice(&mut self, parts: impl Into<Box<[ExprId]>>) -> ExprId {
        self.add(Expr::Choice(parts.into()))
    }

    /// The rules, in order.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = (RuleId, &Rule)> {
        self.rules.iter().enumerate().map(|(i, rule)| (RuleId(i as u32), rule))
    }

    /// A rule.
    pub fn rule(&self, rule: RuleId) -> &Rule {
        &self.rules[rule.index()]
    }

    /// The rule with this name.
    pub fn find(&self, name: &str) -> Option<RuleId> {
        self.by_name.get(name).copied()
    }

    /// The rules that can produce nodes of this kind: first the rule with this name, then those that are aliased to it.
    pub fn sources(&self, kind: ChildKind) -> &[RuleId] {
        self.sources.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// Whether nodes of this kind have open-ended texts, like names, rather than the few texts of a keyword.
    pub fn is_open(&self, kind: ChildKind) -> bool {
        let sources = self.sources(kind);
        sources.is_empty() || sources.iter().any(|&rule| self.has_pattern(rule))
    }

    /// Whether a rule, or one that it refers to, contains a pattern or is unknown.
    fn has_pattern(&self, rule: RuleId) -> bool {
        let mut seen = HashSet::from([rule]);
        let mut waiting = vec![self.rule(rule).body];
        while let Some(body) = waiting.pop() {
            let Some(body) = body else { return true };
            match self.expr(body) {
                Expr::Empty => {}
                Expr::Sequence(parts) | Expr::Choice(parts) => waiting.extend(parts.iter().copied().map(Some)),
                Expr::Repeat(part) | Expr::Repeat1(part) | Expr::Optional(part) => waiting.push(Some(*part)),
                Expr::Terminal { text: Text::Literal(_), .. } => {}
                Expr::Terminal { text: Text::Pattern(_), .. } => return true,
                Expr::Terminal { text: Text::Composite(part), .. } => waiting.push(Some(*part)),
                Expr::Reference(rule) | Expr::Alias(rule, _) => {
                    if seen.insert(*rule) {
                        waiting.push(self.rule(*rule).body);
                    }
                }
            }
        }
        false
    }

    /// An expression.
    pub fn expr(&self, expr: ExprId) -> &Expr {
        &self.exprs[expr.index()]
    }

    /// The expressions, parts before wholes.
    pub fn exprs(&self) -> &[Expr] {
        &self.exprs
    }
}
