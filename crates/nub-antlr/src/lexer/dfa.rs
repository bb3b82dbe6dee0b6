//! The automaton of a lexer, built as it runs.

use crate::{atn::ActionId, predict::context::ContextId};
use rustc_hash::FxHashMap;

/// A position that a match may have reached. Sets of these are ordered: the first wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LexConfig {
    pub(super) state: u32,
    pub(super) alt: u32,
    pub(super) context: ContextId,
    /// The actions met so far: an index into [`Actions`].
    pub(super) actions: u32,
    pub(super) non_greedy: bool,
}

/// What a state accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accept {
    pub(super) rule: u32,
    pub(super) actions: u32,
}

#[derive(Debug)]
pub(super) struct LexState {
    pub(super) configs: Box<[LexConfig]>,
    pub(super) accept: Option<Accept>,
}

/// An edge that has not been computed.
pub(super) const UNKNOWN: u32 = 0;
/// An edge that leads nowhere.
pub(super) const ERROR: u32 = 1;

const ASCII: usize = 128;

#[derive(Debug)]
pub(super) struct LexDfa {
    states: Vec<LexState>,
    ascii: Vec<[u32; ASCII]>,
    others: FxHashMap<u64, u32>,
    known: FxHashMap<Box<[LexConfig]>, u32>,
}

impl LexDfa {
    pub(super) fn new() -> Self {
        let unused = || LexState { configs: Box::default(), accept: None };
        Self {
            states: vec![unused(), unused()],
            ascii: vec![[UNKNOWN; ASCII]; 2],
            others: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    #[inline]
    pub(super) fn state(&self, id: u32) -> &LexState {
        &self.states[id as usize]
    }

    #[inline]
    pub(super) fn edge(&self, from: u32, character: i32) -> u32 {
        match usize::try_from(character) {
            Ok(slot) if slot < ASCII => self.ascii[from as usize][slot],
            _ => self.others.get(&key(from, character)).copied().unwrap_or(UNKNOWN),
        }
    }

    pub(super) fn set_edge(&mut self, from: u32, character: i32, to: u32) {
        match usize::try_from(character) {
            Ok(slot) if slot < ASCII => self.ascii[from as usize][slot] = to,
            _ => {
                self.others.insert(key(from, character), to);
            }
        }
    }

    pub(super) fn intern(&mut self, configs: &[LexConfig], accept: Option<Accept>) -> u32 {
        if let Some(&known) = self.known.get(configs) {
            return known;
        }
        let id = u32::try_from(self.states.len()).unwrap_or(u32::MAX);
        self.states.push(LexState { configs: configs.into(), accept });
        self.ascii.push([UNKNOWN; ASCII]);
        self.known.insert(configs.into(), id);
        id
    }
}

fn key(from: u32, character: i32) -> u64 {
    u64::from(from) << 32 | u64::from(character.cast_unsigned())
}

/// An action, and how far after the start of the token it must run, unless it runs at the end.
pub(super) type Step = (ActionId, Option<u32>);

/// Sequences of actions; equal ones share a number, and the empty one is 0.
#[derive(Debug)]
pub(super) struct Actions {
    all: Vec<Vec<Step>>,
    known: FxHashMap<Vec<Step>, u32>,
}

impl Actions {
    pub(super) fn new() -> Self {
        Self { all: vec![Vec::new()], known: std::iter::once((Vec::new(), 0)).collect() }
    }

    pub(super) fn get(&self, id: u32) -> &[Step] {
        &self.all[id as usize]
    }

    pub(super) fn push(&mut self, id: u32, action: ActionId) -> u32 {
        let mut steps = self.all[id as usize].clone();
        steps.push((action, None));
        self.intern(steps)
    }

    /// Called before another character: code without a place is fixed here. Commands may run anywhere.
    pub(super) fn fix(&mut self, id: u32, offset: usize) -> u32 {
        let steps = &self.all[id as usize];
        let loose = |step: &Step| matches!(step, (ActionId::Code(_), None));
        if !steps.iter().any(loose) {
            return id;
        }
        let offset = u32::try_from(offset).unwrap_or(u32::MAX);
        let fixed = steps.iter().map(|step| if loose(step) { (step.0, Some(offset)) } else { *step }).collect();
        self.intern(fixed)
    }

    fn intern(&mut self, steps: Vec<Step>) -> u32 {
        if let Some(&known) = self.known.get(&steps) {
            return known;
        }
        let id = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push(steps.clone());
        self.known.insert(steps, id);
        id
    }
}
