//! Passes: each looks at the structure of the input once and says what could be done with it.
//!
//! A pass yields independent [`Alteration`]s (rename this, zero that); [`PassSearch`] applies as many of them as the test
//! allows: all at once first, then by halves. What can be done everywhere costs one test, and a new pass is a function.
//! One pass, one file; [`PASSES`] has them all.

mod blanks;
mod columns;
mod identifiers;
mod inline;
mod merge;
mod numbers;
mod repeats;
mod strings;
mod unwrap;

use crate::{
    Batch, Configuration, Content as _, Edit, Halving, HalvingOrder, Search, Structure, Weights,
    tree::{NodeId, Splice, Spliced, Splices},
};
use std::{collections::HashMap, ops::Range, sync::Arc};

/// Something that could be done with an input, all or nothing.
pub type Alteration = Vec<Splice>;

/// A pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name, for people and for the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// What could be done.
    pub alterations: fn(&dyn Structure) -> Vec<Alteration>,
}

/// All passes, in the order in which they are best run.
pub const PASSES: [Pass; 9] = [
    unwrap::PASS,
    inline::PASS,
    repeats::PASS,
    columns::PASS,
    merge::PASS,
    identifiers::PASS,
    numbers::PASS,
    strings::PASS,
    blanks::PASS,
];

/// A search for the alterations of one pass that can be applied together.
#[derive(Clone)]
pub struct PassSearch {
    pass: Pass,
    structure: Arc<dyn Structure>,
    alterations: Arc<[Alteration]>,
    /// Over the alterations that are *not* applied: the fewer the better.
    list: Halving,
}

impl PassSearch {
    /// A search over an input of this structure, which must be interesting.
    pub fn new(pass: Pass, structure: Arc<dyn Structure>) -> Self {
        let alterations: Arc<[Alteration]> = (pass.alterations)(&*structure).into();
        let gain = |alteration: &Alteration| alteration.iter().map(Splice::gain).sum::<i64>().max(1) as u64;
        let list = Halving::new(HalvingOrder::Heaviest, Weights::new(alterations.iter().map(gain)));
        Self { pass, structure, alterations, list }
    }

    fn edit(&self, unapplied: &Configuration) -> Edit {
        let applied = (0..).zip(self.alterations.iter()).filter(|&(unit, _)| !unapplied.contains(unit));
        let splices = Splices::none().with(applied.flat_map(|(_, alteration)| alteration.iter().cloned()));
        let content = Arc::new(Spliced { tree: Arc::clone(self.structure.tree()), splices });
        let weight = content.len() as u64;
        Edit { phase: 0, scope: 0, units: unapplied.len(), weight, pass: self.pass.name.into(), content }
    }
}

impl Search for PassSearch {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        let batch = self.list.propose()?;
        Some(batch.into_iter().map(|candidate| candidate.lift(self.pass.name, |list| self.edit(&list))).collect())
    }

    fn answer(&mut self, interesting: &[usize]) {
        self.list.answer(interesting);
    }

    fn current(&self) -> Edit {
        self.edit(&self.list.current())
    }
}

/// A word of the input that is a name: a token that looks like a word and that the grammar does not spell out.
struct Name<'a> {
    text: &'a [u8],
    /// What the grammar calls it, where it occurs first.
    kind: &'a str,
    nodes: Vec<NodeId>,
    places: Vec<Range<usize>>,
}

/// All names, in the order of their first occurrence.
fn names(structure: &dyn Structure) -> Vec<Name<'_>> {
    let tree = structure.tree();
    let mut names: Vec<Name<'_>> = vec![];
    let mut numbers = HashMap::new();
    for token in tree.leaves() {
        let text = tree.text(token);
        let first = text.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
        let word = first && text.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        if word && tree.name(token).as_bytes() != text && structure.is_name(token) {
            let number = *numbers.entry(text).or_insert_with(|| {
                names.push(Name { text, kind: tree.name(token), nodes: vec![], places: vec![] });
                names.len() - 1
            });
            names[number].nodes.push(token);
            names[number].places.push(tree.span(token));
        }
    }
    names
}
