//! The list minimisers by name, and what they have in common. One more is one more file and one more line in each
//! `match` here.

use crate::{
    Batch, Candidate, Configuration, Ddmin, Greeddy, Search,
    order::Order,
    split::{Split, SplitFactor},
};

/// The parameters of list minimisation. The default is what the published experiments use: complements only, the last
/// first, cut in two as Zeller does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListSettings {
    /// How a configuration is cut.
    pub split: Split,
    /// Into how many more parts it is cut when nothing else helps.
    pub split_factor: SplitFactor,
    /// In which order the subsets Δi are tried.
    pub subsets: Order,
    /// In which order the complements ∇i are tried.
    pub complements: Order,
    /// Whether the complements come before the subsets.
    pub complements_first: bool,
    /// How many candidates are tested together, at least 1. More than 1 makes it the parallel ddmin of Hodován and Kiss
    /// with a fixed number of tests in flight, or GreeDDy; the first interesting one *in order* is taken.
    pub window: usize,
}

impl Default for ListSettings {
    fn default() -> Self {
        Self {
            split: Split::Zeller,
            split_factor: SplitFactor::By(2),
            subsets: Order::Skip,
            complements: Order::Backward,
            complements_first: false,
            window: 1,
        }
    }
}

/// A list minimiser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ListMinimizer {
    /// [`Ddmin`].
    #[default]
    Ddmin,
    /// [`Greeddy`].
    Greeddy,
}

impl ListMinimizer {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Ddmin, Self::Greeddy];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ddmin => "ddmin",
            Self::Greeddy => "greeddy",
        }
    }

    /// The minimiser with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|minimizer| minimizer.name() == name)
    }

    /// How many candidates it likes to have tested together.
    pub fn default_window(self) -> usize {
        match self {
            Self::Ddmin => 1,
            Self::Greeddy => 4,
        }
    }

    /// Starts it on `configuration`, which must be interesting.
    pub fn start(self, settings: ListSettings, configuration: Configuration) -> ListSearch {
        match self {
            Self::Ddmin => ListSearch::Ddmin(Ddmin::new(settings, configuration)),
            Self::Greeddy => ListSearch::Greeddy(Greeddy::new(settings, configuration)),
        }
    }
}

/// Any of the list minimisers, at work.
#[derive(Clone, Debug)]
pub enum ListSearch {
    /// [`ListMinimizer::Ddmin`].
    Ddmin(Ddmin),
    /// [`ListMinimizer::Greeddy`].
    Greeddy(Greeddy),
}

impl Search for ListSearch {
    type Proposal = Configuration;

    fn propose(&mut self) -> Option<Batch<Configuration>> {
        match self {
            Self::Ddmin(search) => search.propose(),
            Self::Greeddy(search) => search.propose(),
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        match self {
            Self::Ddmin(search) => search.answer(interesting),
            Self::Greeddy(search) => search.answer(interesting),
        }
    }

    fn current(&self) -> Configuration {
        match self {
            Self::Ddmin(search) => search.current(),
            Self::Greeddy(search) => search.current(),
        }
    }
}

/// A list minimiser run once, or repeated until it removes nothing more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ListAlgorithm {
    /// Which one.
    pub minimizer: ListMinimizer,
    /// Whether it is repeated: the `*` of ddmin\*.
    pub star: bool,
    /// Its parameters.
    pub settings: ListSettings,
}

impl ListAlgorithm {
    /// Starts it on `configuration`, which must be interesting.
    pub fn start(self, configuration: Configuration) -> Iterate {
        Iterate {
            algorithm: self,
            iteration: 0,
            started_with: configuration.len(),
            search: self.minimizer.start(self.settings, configuration),
        }
    }
}

/// The fixed-point iteration of Vince and Kiss: ddmin\* is ddmin, from the coarsest granularity again and again, until
/// an iteration removes nothing.
///
/// Each iteration ends in a 1-minimal list, and yet the next is often far smaller: when the call of a function goes,
/// the granularity is already down to single lines, and the function, which can only go as a whole, stays behind.
#[derive(Clone, Debug)]
pub struct Iterate {
    algorithm: ListAlgorithm,
    iteration: usize,
    started_with: usize,
    search: ListSearch,
}

impl Search for Iterate {
    type Proposal = Configuration;

    fn propose(&mut self) -> Option<Batch<Configuration>> {
        loop {
            if let Some(batch) = self.search.propose() {
                let outer = format!("i{}", self.iteration);
                return Some(batch.into_iter().map(|candidate: Candidate<_>| candidate.lift(&outer, |c| c)).collect());
            }
            let left = self.search.current();
            if !self.algorithm.star || left.len() == self.started_with {
                return None;
            }
            self.iteration += 1;
            self.started_with = left.len();
            self.search = self.algorithm.minimizer.start(self.algorithm.settings, left);
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        self.search.answer(interesting);
    }

    fn current(&self) -> Configuration {
        self.search.current()
    }
}
