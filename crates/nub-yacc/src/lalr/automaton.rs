//! The states of the parser: LR(0) sets of items.

use crate::grammar::{Grammar, ProductionId, RuleId, Symbol};
use std::collections::{BTreeMap, HashMap};

/// A state of the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct StateId(pub(crate) u32);

impl StateId {
    /// The initial state.
    pub(crate) const START: Self = Self(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A position in a production.
pub(crate) type Item = (ProductionId, u32);

/// The states and the transitions between them.
#[derive(Debug)]
pub(crate) struct Automaton {
    /// The items of each state, without those that the closure adds.
    pub(super) kernels: Vec<Box<[Item]>>,
    /// Sorted by symbol.
    pub(super) transitions: Vec<Box<[(Symbol, StateId)]>>,
    /// The productions that can be reduced in each state.
    pub(super) reductions: Vec<Box<[ProductionId]>>,
    /// The state and symbol that first led to each state.
    origins: Vec<Option<(StateId, Symbol)>>,
}

/// Far more than the tables of real grammars have. A grammar that needs more would take too long.
const MOST_STATES: usize = 200_000;

impl Automaton {
    /// Builds the states; `None` if there are too many.
    pub(crate) fn new(grammar: &Grammar) -> Option<Self> {
        let mut automaton = Self { kernels: vec![], transitions: vec![], reductions: vec![], origins: vec![] };
        let mut ids: HashMap<Box<[Item]>, StateId> = HashMap::new();
        let start: Box<[Item]> = [(ProductionId::ACCEPT, 0)].into();
        ids.insert(start.clone(), StateId::START);
        automaton.kernels.push(start);
        automaton.origins.push(None);
        let mut closure = Closure::new(grammar);
        let mut at = 0;
        while at < automaton.kernels.len() {
            let (next, ended) = closure.next(grammar, &automaton.kernels[at]);
            let mut transitions = Vec::with_capacity(next.len());
            for (symbol, mut kernel) in next {
                kernel.sort_unstable();
                let kernel: Box<[Item]> = kernel.into();
                let fresh = StateId(automaton.kernels.len() as u32);
                let id = *ids.entry(kernel.clone()).or_insert(fresh);
                if id == fresh {
                    automaton.kernels.push(kernel);
                    automaton.origins.push(Some((StateId(at as u32), symbol)));
                }
                transitions.push((symbol, id));
            }
            automaton.transitions.push(transitions.into());
            automaton.reductions.push(ended.into());
            if automaton.kernels.len() > MOST_STATES {
                return None;
            }
            at += 1;
        }
        Some(automaton)
    }

    pub(crate) fn len(&self) -> usize {
        self.kernels.len()
    }

    /// The state after a symbol.
    pub(crate) fn next(&self, state: StateId, symbol: Symbol) -> Option<StateId> {
        let transitions = &self.transitions[state.index()];
        let at = transitions.binary_search_by_key(&symbol, |&(symbol, _)| symbol).ok()?;
        Some(transitions[at].1)
    }

    /// A shortest sequence of symbols that leads to a state.
    pub(crate) fn path(&self, mut state: StateId) -> Vec<Symbol> {
        let mut symbols = vec![];
        while let Some((before, symbol)) = self.origins[state.index()] {
            symbols.push(symbol);
            state = before;
        }
        symbols.reverse();
        symbols
    }
}

/// The closure of items: if a rule may come next, so may its productions.
struct Closure {
    /// The last state in which each rule was seen.
    seen: Vec<u32>,
    state: u32,
}

impl Closure {
    fn new(grammar: &Grammar) -> Self {
        Self { seen: vec![0; grammar.rules().len()], state: 0 }
    }

    /// The items after each symbol of a kernel's closure, and the productions that are complete in it.
    fn next(&mut self, grammar: &Grammar, kernel: &[Item]) -> (BTreeMap<Symbol, Vec<Item>>, Vec<ProductionId>) {
        self.state += 1;
        let mut next: BTreeMap<Symbol, Vec<Item>> = BTreeMap::new();
        let mut ended = vec![];
        let mut waiting: Vec<RuleId> = vec![];
        let mut item =
            |(id, dot): Item, waiting: &mut Vec<RuleId>| match grammar.production(id).symbols.get(dot as usize) {
                None => ended.push(id),
                Some(&symbol) => {
                    next.entry(symbol).or_default().push((id, dot + 1));
                    if let Symbol::Rule(rule) = symbol
                        && std::mem::replace(&mut self.seen[rule.index()], self.state) != self.state
                    {
                        waiting.push(rule);
                    }
                }
            };
        kernel.iter().for_each(|&place| item(place, &mut waiting));
        while let Some(rule) = waiting.pop() {
            for &id in &grammar.rule(rule).productions {
                if grammar.production(id).useful {
                    item((id, 0), &mut waiting);
                }
            }
        }
        ended.sort_unstable();
        (next, ended)
    }
}
