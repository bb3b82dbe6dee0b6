//! The list minimisers by name, and what they have in common. One more is one more file and one more line in each
//! `match` here.
//!
//! What they promise: if the test is monotone, a 1-minimal result. From any test, ddmin, GreeDDy and Wddmin promise the
//! same, and all of them with a `*`: an iteration that removes nothing has tried every single unit.

mod cdd;
mod configuration;
mod ddmin;
mod greeddy;
mod halving;
mod onepass;
mod order;
mod probdd;
mod split;
mod wddmin;
mod weights;

pub use cdd::Cdd;
pub use configuration::{Configuration, Run, Unit};
pub use ddmin::Ddmin;
pub use greeddy::Greeddy;
pub use halving::{Halving, HalvingOrder};
pub use onepass::OnePass;
pub(crate) use onepass::Round;
pub use order::Order;
pub(crate) use order::Sweep;
pub use probdd::ProbDd;
pub(crate) use split::Partition;
pub use split::{Split, SplitFactor};
pub use wddmin::Wddmin;
pub use weights::Weights;

use crate::{Batch, Candidate, Search};

/// The parameters of list minimisation. The default is what the published experiments use: complements only, the last
/// first, cut in two as Zeller does.
///
/// ddmin and GreeDDy know them all. The others have no use for some of them: see what each says.
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
    /// [`OnePass`].
    OnePass,
    /// [`ProbDd`] without weights.
    ProbDd,
    /// [`ProbDd`] with weights.
    WProbDd,
    /// [`Cdd`].
    Cdd,
    /// [`Wddmin`].
    Wddmin,
    /// [`Halving`], depth-first.
    Dfs,
    /// [`Halving`], breadth-first.
    Bfs,
    /// [`Halving`], the heaviest part first.
    Heaviest,
}

impl ListMinimizer {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Ddmin,
        Self::Greeddy,
        Self::OnePass,
        Self::ProbDd,
        Self::WProbDd,
        Self::Cdd,
        Self::Wddmin,
        Self::Dfs,
        Self::Bfs,
        Self::Heaviest,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ddmin => "ddmin",
            Self::Greeddy => "greeddy",
            Self::OnePass => "onepass",
            Self::ProbDd => "probdd",
            Self::WProbDd => "wprobdd",
            Self::Cdd => "cdd",
            Self::Wddmin => "wddmin",
            Self::Dfs => "dfs",
            Self::Bfs => "bfs",
            Self::Heaviest => "heaviest",
        }
    }

    /// The minimiser with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|minimizer| minimizer.name() == name)
    }

    /// How many candidates it likes to have tested together.
    pub fn default_window(self) -> usize {
        if self == Self::Greeddy { 4 } else { 1 }
    }

    /// Whether it looks at the weights of units. If not, nobody has to find them out.
    pub fn is_weighted(self) -> bool {
        matches!(self, Self::WProbDd | Self::Wddmin | Self::Heaviest)
    }

    /// Starts it on `configuration`, which must be interesting, of a list with these weights.
    ///
    /// # Panics
    /// If it is weighted and there are weights, but none for some unit.
    pub fn start(self, settings: ListSettings, configuration: Configuration, weights: &Weights) -> ListSearch {
        let halving = |order| ListSearch::Halving(Halving::new(order, configuration.clone(), weights));
        match self {
            Self::Ddmin => ListSearch::Ddmin(Ddmin::new(settings, configuration)),
            Self::Greeddy => ListSearch::Greeddy(Greeddy::new(settings, configuration)),
            Self::OnePass => ListSearch::OnePass(OnePass::new(settings, configuration)),
            Self::ProbDd => ListSearch::ProbDd(ProbDd::new(settings, configuration, &Weights::equal())),
            Self::WProbDd => ListSearch::ProbDd(ProbDd::new(settings, configuration, weights)),
            Self::Cdd => ListSearch::Cdd(Cdd::new(settings, configuration)),
            Self::Wddmin => ListSearch::Wddmin(Wddmin::new(settings, configuration, weights)),
            Self::Dfs => halving(HalvingOrder::Depth),
            Self::Bfs => halving(HalvingOrder::Breadth),
            Self::Heaviest => halving(HalvingOrder::Heaviest),
        }
    }
}

/// Any of the list minimisers, at work.
#[derive(Clone, Debug)]
pub enum ListSearch {
    /// ddmin.
    Ddmin(Ddmin),
    /// GreeDDy.
    Greeddy(Greeddy),
    /// One-pass delta debugging.
    OnePass(OnePass),
    /// ProbDD and WProbDD.
    ProbDd(ProbDd),
    /// CDD.
    Cdd(Cdd),
    /// Wddmin.
    Wddmin(Wddmin),
    /// Halving in any order.
    Halving(Halving),
}

/// Does the same with every kind of search.
macro_rules! with_search {
    ($list:expr, $search:ident => $what:expr) => {
        match $list {
            ListSearch::Ddmin($search) => $what,
            ListSearch::Greeddy($search) => $what,
            ListSearch::OnePass($search) => $what,
            ListSearch::ProbDd($search) => $what,
            ListSearch::Cdd($search) => $what,
            ListSearch::Wddmin($search) => $what,
            ListSearch::Halving($search) => $what,
        }
    };
}

impl Search for ListSearch {
    type Proposal = Configuration;

    fn propose(&mut self) -> Option<Batch<Configuration>> {
        with_search!(self, search => search.propose())
    }

    fn answer(&mut self, interesting: &[usize]) {
        with_search!(self, search => search.answer(interesting));
    }

    fn current(&self) -> Configuration {
        with_search!(self, search => search.current())
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
    /// Starts it on `configuration`, which must be interesting, of a list with these weights.
    pub fn start(self, configuration: Configuration, weights: Weights) -> Iterate {
        Iterate {
            algorithm: self,
            iteration: 0,
            started_with: configuration.len(),
            search: self.minimizer.start(self.settings, configuration, &weights),
            weights,
        }
    }
}

/// The fixed-point iteration of Vince and Kiss: ddmin\* is ddmin, from the coarsest granularity again and again, until
/// an iteration removes nothing.
///
/// Each iteration of ddmin ends in a 1-minimal list, and yet the next is often far smaller: when the call of a function
/// goes, the granularity is already down to single lines, and the function, which can only go as a whole, stays behind.
#[derive(Clone, Debug)]
pub struct Iterate {
    algorithm: ListAlgorithm,
    iteration: usize,
    started_with: usize,
    search: ListSearch,
    weights: Weights,
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
            self.search = self.algorithm.minimizer.start(self.algorithm.settings, left, &self.weights);
        }
    }

    fn answer(&mut self, interesting: &[usize]) {
        self.search.answer(interesting);
    }

    fn current(&self) -> Configuration {
        self.search.current()
    }
}
