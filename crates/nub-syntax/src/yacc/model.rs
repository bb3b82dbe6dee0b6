//! A YACC grammar in the model shared by all front ends.
//!
//! YACC has no repetition: a list is a rule that begins or ends with itself. The model expresses what such a rule
//! means. `list : list ',' item | item` becomes `item (',' item)*`, so elements can be removed with their separators
//! (HDD thesis, Fig. 5.6). And where omitting a part of one alternative gives another, that part is optional.
//!
//! Alternatives with `error` describe inputs with mistakes. They are left out, because a reduction should not introduce
//! mistakes.

use crate::grammar::{ChildKind, Children, Expr, ExprId, Grammar as Model, Phi, RuleId as ModelRule, Shown, Text};
use nub_yacc::{
    Language,
    grammar::{Grammar, ProductionId, RuleId, Symbol, TokenId},
};
use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
    ops::Range,
    sync::Arc,
};

/// How a rule spells a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    /// `list : list item | first`
    Left,
    /// `list : item list | last`
    Right,
}

/// How the elements of a list compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Elements {
    /// They are alike, so any of several can be removed: `list : item | list item`.
    Alike,
    /// They are alike except for a separator before (or, in a right-recursive list, after) all but one: `list : item |
    /// list ',' item`.
    Separated,
    /// One of them is different and must stay: `call : NAME | call '(' ')'`.
    Different,
}

/// A YACC grammar in the shared model.
#[derive(Debug)]
pub(super) struct Shapes {
    pub(super) children: Children,
    pub(super) phi: Phi,
    /// By rule: whether it is a list, and which.
    pub(super) lists: Vec<Option<(List, Elements)>>,
    /// By production: which of its symbols can be removed together. An outer range comes before the inner ones.
    pub(super) options: Vec<Vec<Range<usize>>>,
    rules: Vec<Option<ModelRule>>,
    kinds: HashMap<Symbol, ChildKind>,
}

impl Shapes {
    pub(super) fn new(language: &Language, own: &HashMap<String, String>) -> Self {
        let grammar = language.grammar();
        let lists: Vec<Option<(List, Elements)>> =
            (0..grammar.rules().len()).map(|rule| list(grammar, &grammar.rules()[rule].productions)).collect();
        let mut maker = Maker {
            language,
            model: Model::new(language.name()),
            rules: vec![None; grammar.rules().len()],
            tokens: HashMap::new(),
            kinds: HashMap::new(),
        };
        let used = used_rules(grammar);
        for &rule in &used {
            maker.declare(grammar, rule);
        }
        for &id in &used {
            let body = maker.body(grammar, id, lists[id.index()]);
            if let (Some(rule), Some(body)) = (maker.rules[id.index()], body) {
                maker.model.define(rule, body);
            }
        }
        let Maker { model, rules, kinds, .. } = maker;
        let options = grammar.numbered_productions().map(|(id, _)| options(grammar, id)).collect();
        let phi = Phi::new(&model, own);
        Self { children: Children::new(Arc::new(model)), phi, lists, options, rules, kinds }
    }

    /// The kind of a symbol.
    pub(super) fn kind(&self, symbol: Symbol) -> Option<ChildKind> {
        self.kinds.get(&symbol).copied()
    }

    /// The rule in the model.
    pub(super) fn rule(&self, rule: RuleId) -> Option<ModelRule> {
        self.rules[rule.index()]
    }

    /// Whether a symbol is a literal token.
    pub(super) fn is_spelled_out(&self, symbol: Symbol) -> bool {
        self.kind(symbol).is_some_and(|kind| !self.children.grammar().kind_name(kind).1)
    }

    /// Texts that could replace a rule, best first.
    pub(super) fn texts(&self, rule: RuleId) -> Vec<Arc<str>> {
        let model = self.children.grammar();
        self.rule(rule).map(|rule| self.phi.candidates(model, rule, TRIES)).unwrap_or_default()
    }
}

/// The maximum number of texts to try.
const TRIES: usize = 6;

/// The rules that are used. The start rule comes first, as the model requires.
fn used_rules(grammar: &Grammar) -> Vec<RuleId> {
    let productions = grammar.productions().iter().filter(|production| production.useful);
    let rules = productions.map(|production| production.rule);
    let mut used: Vec<RuleId> =
        rules.filter(|&rule| rule != RuleId::ACCEPT && !grammar.rule(rule).is_action()).collect();
    used.sort_by_key(|&rule| (rule != grammar.start(), rule));
    used.dedup();
    used
}

struct Maker<'a> {
    language: &'a Language,
    model: Model,
    rules: Vec<Option<ModelRule>>,
    tokens: HashMap<TokenId, ExprId>,
    kinds: HashMap<Symbol, ChildKind>,
}

impl Maker<'_> {
    fn declare(&mut self, grammar: &Grammar, rule: RuleId) {
        let name = &grammar.rule(rule).name;
        let kind = self.model.kind(name, true);
        self.rules[rule.index()] = Some(self.model.declare(name, Some(kind)));
        self.kinds.insert(Symbol::Rule(rule), kind);
    }

    fn body(&mut self, grammar: &Grammar, rule: RuleId, list: Option<(List, Elements)>) -> Option<ExprId> {
        let productions = grammar.rule(rule).productions.iter().copied();
        let wanted: Vec<Vec<Symbol>> =
            productions.filter(|&id| grammar.production(id).useful).map(|id| visible(grammar, id)).collect();
        let wanted = wanted.into_iter().filter(|symbols| !has_error(symbols));
        let Some((side, elements)) = list else {
            let alternatives: Vec<ExprId> = wanted.map(|symbols| self.sequence(&symbols)).collect();
            return (!alternatives.is_empty()).then(|| self.model.choice(alternatives));
        };
        let own = Symbol::Rule(rule);
        let (mut items, mut ends) = (vec![], vec![]);
        for symbols in wanted {
            match (side, symbols.as_slice()) {
                (List::Left, [first, rest @ ..]) if *first == own => items.push(self.sequence(rest)),
                (List::Right, [rest @ .., last]) if *last == own => items.push(self.sequence(rest)),
                (_, rest) => ends.push(self.sequence(rest)),
            }
        }
        let items = self.model.choice(items);
        if elements == Elements::Alike {
            return Some(self.model.add(Expr::Repeat1(items)));
        }
        let (ends, items) = (self.model.choice(ends), self.model.add(Expr::Repeat(items)));
        Some(match side {
            List::Left => self.model.sequence([ends, items]),
            List::Right => self.model.sequence([items, ends]),
        })
    }

    fn sequence(&mut self, symbols: &[Symbol]) -> ExprId {
        if symbols.is_empty() {
            return self.model.add(Expr::Empty);
        }
        let parts: Vec<ExprId> = symbols.iter().map(|&symbol| self.symbol(symbol)).collect();
        self.model.sequence(parts)
    }

    fn symbol(&mut self, symbol: Symbol) -> ExprId {
        match symbol {
            Symbol::Token(token) => match self.tokens.get(&token) {
                Some(&expr) => expr,
                None => {
                    let expr = self.token(token);
                    self.tokens.insert(token, expr);
                    expr
                }
            },
            Symbol::Rule(rule) => match self.rules[rule.index()] {
                Some(rule) => self.model.add(Expr::Reference(rule)),
                None => self.model.add(Expr::Empty),
            },
        }
    }

    /// A token with only one text is a literal. Any other token is a rule of its own, without a body if no text is
    /// known.
    fn token(&mut self, token: TokenId) -> ExprId {
        let name = self.language.grammar().token(token).name.clone();
        let text = self.language.shortest(token).map(str::to_owned);
        if let (Some(text), true) = (&text, self.language.is_spelled_out(token)) {
            let kind = self.model.kind(&name, false);
            self.kinds.insert(Symbol::Token(token), kind);
            let text = Text::Literal(text.as_str().into());
            return self.model.add(Expr::Terminal { text, shown: Shown::As(kind), immediate: false });
        }
        let kind = self.model.kind(&name, true);
        self.kinds.insert(Symbol::Token(token), kind);
        let rule = self.model.declare(&name, Some(kind));
        if let Some(text) = text {
            let shown = Shown::Hidden(self.model.hidden_token(&name));
            let text = Text::Literal(text.into());
            let body = self.model.add(Expr::Terminal { text, shown, immediate: false });
            self.model.define(rule, body);
        }
        self.model.add(Expr::Reference(rule))
    }
}

fn has_error(symbols: &[Symbol]) -> bool {
    symbols.contains(&Symbol::Token(TokenId::ERROR))
}

/// The symbols of a production that produce text: no actions, and not the end of the input.
pub(super) fn visible(grammar: &Grammar, production: ProductionId) -> Vec<Symbol> {
    let symbols = grammar.production(production).symbols.iter().copied();
    symbols.filter(|&symbol| is_visible(grammar, symbol)).collect()
}

/// Whether a symbol produces text.
pub(super) fn is_visible(grammar: &Grammar, symbol: Symbol) -> bool {
    match symbol {
        Symbol::Token(token) => token != TokenId::END,
        Symbol::Rule(rule) => !grammar.rule(rule).is_action(),
    }
}

/// Whether productions form a list: each of them refers to its own rule at one end or not at all.
fn list(grammar: &Grammar, productions: &[ProductionId]) -> Option<(List, Elements)> {
    let own = Symbol::Rule(grammar.production(*productions.first()?).rule);
    let all: Vec<Vec<Symbol>> = (productions.iter())
        .filter(|&&id| grammar.production(id).useful)
        .map(|&id| visible(grammar, id))
        .filter(|symbols| !has_error(symbols))
        .collect();
    let spells = |side: List| {
        let (mut items, mut ends) = (HashSet::new(), HashSet::new());
        for symbols in &all {
            let rest = match (side, symbols.as_slice()) {
                (List::Left, [first, rest @ ..]) if *first == own => Some(rest),
                (List::Right, [rest @ .., last]) if *last == own => Some(rest),
                _ => None,
            };
            match rest {
                // A list of nothing would be infinite.
                Some([]) => return None,
                Some(rest) => items.insert(rest),
                None => ends.insert(symbols.as_slice()),
            };
        }
        let recursive = items.iter().chain(&ends).any(|symbols| symbols.contains(&own));
        (!items.is_empty() && !ends.is_empty() && !recursive).then(|| (side, in_common(side, &items, &ends)))
    };
    spells(List::Left).or_else(|| spells(List::Right))
}

/// How the elements of a list compare, given the recursive alternatives without the recursion and the others.
fn in_common(side: List, items: &HashSet<&[Symbol]>, ends: &HashSet<&[Symbol]>) -> Elements {
    if items == ends {
        return Elements::Alike;
    }
    // Every separator must occur with every element, and there must always be a separator.
    let split = |item: &&'_ [Symbol]| match side {
        List::Left => item.split_first().map(|(&separator, rest)| (separator, rest.to_vec())),
        List::Right => item.split_last().map(|(&separator, rest)| (separator, rest.to_vec())),
    };
    let Some(parts) = items.iter().map(split).collect::<Option<HashSet<(Symbol, Vec<Symbol>)>>>() else {
        return Elements::Different;
    };
    let separators: HashSet<Symbol> = parts.iter().map(|&(separator, _)| separator).collect();
    let all: HashSet<(Symbol, Vec<Symbol>)> = separators
        .iter()
        .flat_map(|&separator| ends.iter().map(move |end| (separator, end.to_vec())))
        .filter(|(_, end)| !end.is_empty())
        .collect();
    let whole = ends.iter().all(|end| !end.is_empty());
    if whole && parts == all { Elements::Separated } else { Elements::Different }
}

/// The symbols of a production that can be removed because the rest is another production of the rule.
fn options(grammar: &Grammar, id: ProductionId) -> Vec<Range<usize>> {
    // Every combination of removals must be possible, so keep their number small.
    const MOST: usize = 6;
    let symbols = visible(grammar, id);
    let siblings: HashSet<Vec<Symbol>> = (grammar.rule(grammar.production(id).rule).productions.iter())
        .filter(|&&other| grammar.production(other).useful)
        .map(|&other| visible(grammar, other))
        .collect();
    let without = |ranges: &[&Range<usize>]| -> Vec<Symbol> {
        let kept = (0..symbols.len()).filter(|at| !ranges.iter().any(|range| range.contains(at)));
        kept.map(|at| symbols[at]).collect()
    };
    let mut candidates: Vec<Range<usize>> = (0..symbols.len())
        .flat_map(|start| (start + 1..=symbols.len()).map(move |end| start..end))
        .filter(|range| range.len() < symbols.len() && siblings.contains(&without(&[range])))
        .collect();
    // Of two overlapping ranges prefer the later one: an `else` with the part after it, not the part before it.
    candidates.sort_by_key(|range| (range.len(), Reverse(range.start)));
    let mut chosen: Vec<Range<usize>> = vec![];
    for range in candidates {
        let nested = |other: &Range<usize>| {
            other.end <= range.start
                || range.end <= other.start
                || (range.start <= other.start && other.end <= range.end)
        };
        if chosen.len() == MOST || !chosen.iter().all(nested) {
            continue;
        }
        chosen.push(range);
        let possible = (1u32..1 << chosen.len()).all(|set| {
            let ranges: Vec<&Range<usize>> =
                (0..chosen.len()).filter(|at| set >> at & 1 == 1).map(|at| &chosen[at]).collect();
            siblings.contains(&without(&ranges))
        });
        if !possible {
            chosen.pop();
        }
    }
    chosen.sort_by_key(|range| (range.start, usize::MAX - range.end));
    chosen
}
