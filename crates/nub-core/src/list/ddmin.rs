//! ddmin: Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, TSE 28(2), 2002, Figure 5.

use crate::{Batch, Candidate, Configuration, Label, ListSettings, Search, list::Partition, list::Sweep};
use std::fmt;

/// The ddmin algorithm.
///
/// ```text
/// ddmin2(c, n) = ddmin2(Δi, 2)                 if some Δi is interesting          (reduce to subset)
///                ddmin2(∇i, max(n − 1, 2))     else if some ∇i is interesting     (reduce to complement)
///                ddmin2(c, min(|c|, 2n))       else if n < |c|                    (increase granularity)
///                c                             otherwise
/// ```
///
/// The result is *1-minimal*: without any single one of its units it is no longer interesting. The empty configuration
/// is never proposed.
///
/// One *run* is one sweep over the subsets and complements of one partition. After a complement was interesting, the
/// next run goes on where this one was, not at the beginning: `offset` is the position of what was removed.
#[derive(Clone, Debug)]
pub struct Ddmin {
    settings: ListSettings,
    /// c and its Δi; n is their number.
    parts: Partition,
    /// Which run this is, for the labels.
    run: usize,
    /// By how much the indices of the complements are rotated.
    offset: usize,
    subsets: Sweep,
    complements: Sweep,
    /// How many candidates of this run have been answered.
    tried: usize,
}

/// What a candidate keeps of the partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    Subset(usize),
    Complement(usize),
}

impl Ddmin {
    /// ddmin of `configuration`, which must be interesting.
    pub fn new(settings: ListSettings, configuration: Configuration) -> Self {
        let empty = Sweep::Forward(0);
        let parts = Partition::whole(configuration);
        let mut this =
            Self { settings, parts, run: 0, offset: 0, subsets: empty.clone(), complements: empty, tried: 0 };
        this.start_run();
        this
    }

    /// Starts the sweep of a new run, over at least two subsets if there are two units.
    fn start_run(&mut self) {
        if self.parts.len() < 2 {
            // Picire does not rescale the offset here, and its recorded runs depend on that.
            self.parts = self.split();
        }
        let n = if self.parts.configuration().len() < 2 { 0 } else { self.parts.len() };
        self.subsets = self.settings.subsets.sweep(n, 2 * self.run);
        self.complements = self.settings.complements.sweep(n, 2 * self.run + 1);
        self.tried = 0;
    }

    fn split(&self) -> Partition {
        self.parts.split(self.settings.split, self.settings.split_factor)
    }

    /// Case 2 of the figure, for one complement or, in GreeDDy, for the combination of several: goes on without the
    /// subsets at `ks`, which ascend, from where `first` of them was.
    pub(crate) fn reduce_to_complement(&mut self, ks: &[usize], first: usize) {
        self.parts = self.parts.without(ks);
        self.offset = first - ks.iter().filter(|&&k| k < first).count();
        self.run += 1;
        self.start_run();
    }

    /// Case 1.
    fn reduce_to_subset(&mut self, k: usize) {
        self.parts = Partition::whole(self.parts.subset(k));
        self.offset = 0;
        self.run += 1;
        self.start_run();
    }

    /// Case 3. False if every subset is a single unit already: case 4.
    fn increase_granularity(&mut self) -> bool {
        if self.parts.len() >= self.parts.configuration().len() {
            return false;
        }
        let finer = self.split();
        self.offset = self.offset * finer.len() / self.parts.len();
        self.parts = finer;
        self.run += 1;
        self.start_run();
        true
    }

    /// The candidate that this run tries as number `i`; none after its last.
    fn kept(&self, i: usize) -> Option<Kept> {
        let subset = |i| (i < self.subsets.len()).then(|| Kept::Subset(self.subsets.at(i)));
        let complement = |i| {
            let rotated = |k| (k + self.offset) % self.parts.len();
            (i < self.complements.len()).then(|| Kept::Complement(rotated(self.complements.at(i))))
        };
        if self.settings.complements_first {
            complement(i).or_else(|| subset(i - self.complements.len()))
        } else {
            subset(i).or_else(|| complement(i - self.subsets.len()))
        }
    }

    /// The part that the candidate at this position of the batch leaves out. Only complements have one.
    pub(crate) fn left_out(&self, position: usize) -> Option<usize> {
        match self.kept(self.tried + position)? {
            Kept::Complement(k) => Some(k),
            Kept::Subset(_) => None,
        }
    }

    pub(crate) fn parts(&self) -> &Partition {
        &self.parts
    }

    pub(crate) fn label(&self, what: impl fmt::Display) -> Label {
        Label::new(format_args!("r{}_{what}", self.run))
    }

    fn candidate(&self, kept: Kept) -> Candidate<Configuration> {
        match kept {
            Kept::Subset(k) => Candidate { label: self.label(format_args!("s{k}")), what: self.parts.subset(k) },
            Kept::Complement(k) => {
                Candidate { label: self.label(format_args!("c{k}")), what: self.parts.complement(&[k]) }
            }
        }
    }
}

impl Search for Ddmin {
    type Proposal = Configuration;

    fn propose(&mut self) -> Option<Batch<Configuration>> {
        while self.kept(self.tried).is_none() {
            if !self.increase_granularity() {
                return None;
            }
        }
        let window = self.tried..self.tried + self.settings.window;
        Some(window.map_while(|i| self.kept(i)).map(|kept| self.candidate(kept)).collect())
    }

    fn answer(&mut self, interesting: &[usize]) {
        match interesting.first().and_then(|&first| self.kept(self.tried + first)) {
            Some(Kept::Subset(k)) => self.reduce_to_subset(k),
            Some(Kept::Complement(k)) => self.reduce_to_complement(&[k], k),
            None => self.tried += self.settings.window,
        }
    }

    fn current(&self) -> Configuration {
        self.parts.configuration().clone()
    }
}
