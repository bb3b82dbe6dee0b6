//! Passes: each looks at the structure of the input once and says what could be done with it.
//!
//! A pass yields independent [`Place`]s with the [`Alteration`]s that are possible there (rename this, zero that);
//! [`PassSearch`] applies as many of them as the test allows: all at once first, then by halves. What can be done
//! everywhere costs one test, and a new pass is a function. One pass, one file; [`PASSES`] has them all.

mod blanks;
mod columns;
mod combinations;
mod digits;
mod identifiers;
mod inline;
mod lineage;
mod lower;
mod mentions;
mod merge;
mod numbers;
mod pairs;
mod parameters;
mod repeats;
mod smallest;
mod strings;
mod unwrap;
mod windows;

use crate::{
    Batch, Configuration, Content as _, Edit, Halving, HalvingOrder, Search, Structure, Weights,
    tree::{NodeId, Splice, Spliced, Splices},
};
use std::{collections::HashMap, ops::Range, sync::Arc};

/// Something that could be done with an input, all or nothing.
pub type Alteration = Vec<Splice>;

/// What could be done in one place: at most one of these, the best first.
pub type Place = Vec<Alteration>;

/// A pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name, for people and for the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// What could be done, and where.
    pub places: fn(&dyn Structure) -> Vec<Place>,
    /// Whether the places are tried all at once first. If they overlap each other that makes no sense, and they are tried
    /// one by one.
    pub together: bool,
}

/// All passes, in the order in which they are best run.
pub const PASSES: [Pass; 17] = [
    unwrap::PASS,
    pairs::PASS,
    mentions::PASS,
    parameters::PASS,
    inline::PASS,
    repeats::PASS,
    columns::PASS,
    merge::PASS,
    identifiers::PASS,
    numbers::PASS,
    strings::PASS,
    smallest::PASS,
    blanks::PASS,
    windows::PASS,
    combinations::PASS,
    digits::PASS,
    lower::PASS,
];

/// A search for the alterations of one pass that can be applied together.
///
/// First the best alteration of every place is tried, then the second best of those places where the first was refused,
/// and so on.
#[derive(Clone)]
pub struct PassSearch {
    pass: Pass,
    structure: Arc<dyn Structure>,
    places: Arc<[Place]>,
    /// Which alteration of each place is tried.
    choice: usize,
    /// The places that have so many and where nothing has been done yet.
    open: Arc<[usize]>,
    /// What was applied by earlier choices.
    applied: Splices,
    /// Over the open places that are *not* altered: the fewer the better.
    list: Halving,
}

impl PassSearch {
    /// A search over an input of this structure, which must be interesting.
    pub fn new(pass: Pass, structure: Arc<dyn Structure>) -> Self {
        let places: Arc<[Place]> = (pass.places)(&*structure).into();
        let open: Arc<[usize]> = (0..places.len()).filter(|&place| !places[place].is_empty()).collect();
        let list = Self::list(pass, &places, &open, 0);
        Self { pass, structure, places, choice: 0, open, applied: Splices::none(), list }
    }

    fn list(pass: Pass, places: &[Place], open: &[usize], choice: usize) -> Halving {
        let gain = |alteration: &Alteration| alteration.iter().map(Splice::gain).sum::<i64>().max(1) as u64;
        let weights = Weights::new(open.iter().map(|&place| gain(&places[place][choice])));
        let list = Halving::new(HalvingOrder::Heaviest, Configuration::full(open.len()), &weights).or_nothing();
        if pass.together { list } else { list.one_by_one() }
    }

    /// Everything that is applied if these open places are not.
    fn splices(&self, unapplied: &Configuration) -> Splices {
        let applied = (0..).zip(self.open.iter()).filter(|&(unit, _)| !unapplied.contains(unit));
        self.applied.with(applied.flat_map(|(_, &place)| self.places[place][self.choice].iter().cloned()))
    }

    fn edit(&self, unapplied: &Configuration) -> Edit {
        let content = Arc::new(Spliced { tree: Arc::clone(self.structure.tree()), splices: self.splices(unapplied) });
        let weight = content.len() as u64;
        Edit {
            phase: 0,
            scope: self.choice as u64,
            units: unapplied.len(),
            weight,
            step: self.pass.name.into(),
            content,
        }
    }
}

impl Search for PassSearch {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        loop {
            if let Some(batch) = self.list.propose() {
                let outer = format!("{}{}", self.pass.name, self.choice);
                return Some(
                    batch.into_iter().map(|candidate| candidate.lift(&outer, |list| self.edit(&list))).collect(),
                );
            }
            let unapplied = self.list.current();
            let applied = self.splices(&unapplied);
            let next = self.choice + 1;
            let open: Arc<[usize]> = (unapplied.units().map(|unit| self.open[unit as usize]))
                .filter(|&place| self.places[place].len() > next)
                .collect();
            if open.is_empty() {
                return None;
            }
            self.list = Self::list(self.pass, &self.places, &open, next);
            (self.open, self.applied, self.choice) = (open, applied, next);
        }
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
        if is_word(text) && tree.name(token).as_bytes() != text && structure.is_name(token) {
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

/// Whether a text looks like a name of some language: `a`, `$a`, `xs:int`, `line-height`.
fn is_word(text: &[u8]) -> bool {
    let starts = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$') || !byte.is_ascii();
    let goes_on = |byte: u8| starts(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b':' | b'.');
    text.first().is_some_and(|&byte| starts(byte)) && text.iter().all(|&byte| goes_on(byte))
}

/// Where the tokens of an input are that have text; none if there are more than `most`.
fn tokens(structure: &dyn Structure, most: usize) -> Vec<Range<usize>> {
    let tree = structure.tree();
    let mut tokens: Vec<Range<usize>> = tree.leaves().into_iter().map(|token| tree.span(token)).collect();
    tokens.retain(|span| !span.is_empty());
    if tokens.len() > most { vec![] } else { tokens }
}

/// One alteration that is all that can be done in its place.
fn only(alterations: Vec<Alteration>) -> Vec<Place> {
    alterations.into_iter().map(|alteration| vec![alteration]).collect()
}
