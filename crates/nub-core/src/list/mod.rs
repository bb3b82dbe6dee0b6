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

use crate::{AnySearch, Batch, Candidate, Search};

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

/// Makes the enum of all list minimisers and its tables: one line per minimiser.
macro_rules! list_minimizers {
    ($($(#[$attribute:meta])* $variant:ident, $name:literal, $about:literal, $start:expr;)*) => {
        /// A list minimiser.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
        pub enum ListMinimizer {
            $(#[doc = $about] $(#[$attribute])* $variant,)*
        }

        impl ListMinimizer {
            /// All of them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// The name on the command line.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What it does, in one line.
            pub fn about(self) -> &'static str {
                match self { $(Self::$variant => $about,)* }
            }

            /// Starts it on `configuration`, which must be interesting, of a list with these weights.
            ///
            /// # Panics
            /// If it is weighted and there are weights, but none for some unit.
            pub fn start(
                self,
                settings: ListSettings,
                configuration: Configuration,
                weights: &Weights,
            ) -> AnySearch<Configuration> {
                let start: fn(ListSettings, Configuration, &Weights) -> AnySearch<Configuration> = match self {
                    $(Self::$variant => |settings, list, weights| AnySearch::new($start(settings, list, weights)),)*
                };
                start(settings, configuration, weights)
            }
        }
    };
}

list_minimizers! {
    #[default] Ddmin, "ddmin", "delta debugging: subsets and complements of ever finer partitions", |s, l, _: &Weights| Ddmin::new(s, l);
    Greeddy, "greeddy", "ddmin that combines all interesting complements of a window", |s, l, _: &Weights| Greeddy::new(s, l);
    OnePass, "onepass", "ddmin that tries each part once per granularity", |s, l, _: &Weights| OnePass::new(s, l);
    ProbDd, "probdd", "removes what a model of probabilities finds worthwhile", |s, l, _: &Weights| ProbDd::new(s, l, &Weights::equal());
    WProbDd, "wprobdd", "ProbDD that weighs units by their bytes", |s, l, w: &Weights| ProbDd::new(s, l, w);
    Cdd, "cdd", "ProbDD with a counter instead of probabilities", |s, l, _: &Weights| Cdd::new(s, l);
    Wddmin, "wddmin", "ddmin whose parts are equally heavy", |s, l, w: &Weights| Wddmin::new(s, l, w);
    Dfs, "dfs", "halves, depth-first, as Perses does", |_, l, w: &Weights| Halving::new(HalvingOrder::Depth, l, w);
    Bfs, "bfs", "halves, breadth-first, as Perses does", |_, l, w: &Weights| Halving::new(HalvingOrder::Breadth, l, w);
    Heaviest, "heaviest", "halves, the heaviest part first", |_, l, w: &Weights| Halving::new(HalvingOrder::Heaviest, l, w);
}

impl ListMinimizer {
    /// The minimiser with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|minimizer| minimizer.name() == name)
    }

    /// How many candidates it likes to have tested together.
    pub fn default_window(self) -> usize {
        if self == Self::Greeddy { 4 } else { 1 }
    }

    /// Whether it looks at the weights of units. If not, they need not be computed.
    pub fn is_weighted(self) -> bool {
        matches!(self, Self::WProbDd | Self::Wddmin | Self::Heaviest)
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
    /// Its published name, with the `*` if it is repeated.
    pub fn name(self) -> String {
        format!("{}{}", self.minimizer.name(), if self.star { "*" } else { "" })
    }

    /// Its name and all parameters, the same in every version.
    pub(crate) fn spelling(self) -> String {
        let ListSettings { split, split_factor, subsets, complements, complements_first, window } = self.settings;
        let order = if complements_first { "complements first" } else { "subsets first" };
        format!(
            "{} (split {} by {}, subsets {}, complements {}, {order}, window {window})",
            self.name(),
            split.name(),
            split_factor,
            subsets,
            complements
        )
    }

    /// Whether no single unit can be removed from its result. `unchanged`: it was started on that very result, and
    /// removed nothing.
    ///
    /// An iteration that removes nothing has tried every unit alone, whichever minimiser it is: all of them end with
    /// single units. The last iteration of a starred one is such. Of those that are run once, ddmin and its kin still
    /// try every unit after the last success; the others have their promise only from monotone tests.
    pub fn is_one_minimal(self, unchanged: bool) -> bool {
        let once = matches!(self.minimizer, ListMinimizer::Ddmin | ListMinimizer::Greeddy | ListMinimizer::Wddmin);
        let halving = matches!(self.minimizer, ListMinimizer::Dfs | ListMinimizer::Bfs | ListMinimizer::Heaviest);
        (once || self.star || unchanged) && (halving || self.settings.complements != Order::Skip)
    }

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
    search: AnySearch<Configuration>,
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
