//! All list minimisers on lists whose needed units are known: how many tests, and how small the results.

use crate::{
    random::Random,
    report::{Report, thousands},
};
use anyhow::{Result, ensure};
use nub_core::{Cdd, Configuration, ListAlgorithm, ListMinimizer, ListSettings, ProbDd, Search, Unit, Weights, drive};
use std::{
    collections::{BTreeSet, HashSet},
    hash::{DefaultHasher, Hash as _, Hasher as _},
};

/// Lengths of lists, and how many different lists of each.
const LENGTHS: [(usize, u64); 4] = [(100, 20), (1_000, 10), (10_000, 4), (100_000, 1)];

pub(crate) fn run(report: &mut Report) -> Result<()> {
    report.text(
        "Lists of n units, some of which are needed; means over several lists (20 of 100 units, 10 of 1000, 4 of \
         10,000, one of 100,000), from fixed seeds. *Tests* counts the distinct configurations that are tested: \
         repeated ones are in a cache. All minimisers have nub's default settings: complements only, from the last to \
         the first; GreeDDy has its window of 4, and each test of the window counts.",
    );
    monotone(report)?;
    dependent(report)?;
    weighted(report)?;
    priors(report)?;
    report.section("Which one is best where");
    report.text(CONCLUSION);
    Ok(())
}

const CONCLUSION: &str = "\
These lists are synthetic and not a representative sample; but the differences have reasons.

*Fewest tests: `dfs`*, as long as a backward sweep meets uses before definitions: half of ddmin's, and a fifth to a \
quarter fewer than any other. When one half of a rejected part has been removed, the other half need not be tested: \
the rejection said that it has to stay, and the cache knows. But `dfs` finishes one end of the list before it looks at \
the other. If units need what comes after them, it needs nine times as many tests as `cdd` (successors, 100,000 units, \
with \\*), and without a \\* leaves a hundred times what is needed.

*Never bad: `cdd`, `onepass` and `heaviest`*. On monotone lists they need a quarter to a half more tests than `dfs`, \
and a third fewer than ddmin. `cdd` copes best with the wrong order, because it cuts the list into parts at other \
places in every round.

*ddmin, `greeddy` and `wddmin`* pay for being 1-minimal without a \\*. The \\* of the others costs less, and gives \
results of the same size on all lists here.

*`probdd`* equals `cdd` on monotone lists, and is worse with dependencies: units that were rejected only because of \
their neighbour count as needed, and are postponed. *`wprobdd`* removes weight quickly if many units are needed (1 % \
of 10,000), and slowly if few are: heavy units come first, again and again, even if they have just been rejected.

*The prior* matters more than the algorithm: with 0.1 or 0.25 the first parts have 10 or 4 units, and a long list \
takes n/10 or n/4 tests before anything else happens. 2/n is worse only for a short list with many needed units (ten \
of 100). So it is nub's default for `cdd`, `probdd` and `wprobdd`.

*Why nub's own passes use `heaviest`*, and trees one queue of parts from all lists by size: users watch a reduction \
and may stop it, and its tests get quicker as the input gets smaller, so it matters how soon most of the weight is \
removed. In two thirds of the rows above `heaviest` is the first to remove nine tenths, by a tenth to a third, and it \
has no bad case here. `dfs` would need fewer tests in total, but is among the last to remove the weight. What a single \
sweep misses is left to the rounds around it. The default on text is still ddmin\\*: the published algorithm, with \
which others can be compared.";

/// Which units of a list are needed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    One,
    TenScattered,
    TenClustered,
    OnePercent,
    /// Ten scattered units, and half of all units need the one before them.
    Predecessors,
    /// Ten scattered units, and half of all units need the one after them.
    Successors,
    /// Ten scattered units, and half of all units need one of the hundred before them.
    Uses,
}

const MONOTONE: [Family; 4] = [Family::One, Family::TenScattered, Family::TenClustered, Family::OnePercent];
const DEPENDENT: [Family; 3] = [Family::Predecessors, Family::Successors, Family::Uses];

impl Family {
    fn name(self) -> &'static str {
        match self {
            Self::One => "one unit",
            Self::TenScattered => "ten, scattered",
            Self::TenClustered => "ten, adjacent",
            Self::OnePercent => "1 %, scattered",
            Self::Predecessors => "predecessors",
            Self::Successors => "successors",
            Self::Uses => "uses",
        }
    }
}

/// How weights are distributed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Skew {
    None,
    /// Few are heavy, most are light.
    Light,
    /// The same, and the probability that a unit is needed is proportional to its weight.
    Heavy,
}

/// Which units need others.
enum Needs {
    None,
    /// These need the one before them.
    Before(Vec<bool>),
    /// These need the one after them.
    After(Vec<bool>),
    /// Each needs the given unit.
    Others(Vec<Option<Unit>>),
}

impl Needs {
    fn new(family: Family, n: usize, random: &mut Random) -> Self {
        let mut half = || (0..n).map(|_| random.percent(50)).collect();
        match family {
            Family::Predecessors => Self::Before(half()),
            Family::Successors => Self::After(half()),
            Family::Uses => {
                let mut other = |unit: usize| unit.checked_sub(1 + random.below(100)).filter(|_| random.percent(50));
                Self::Others((0..n).map(|unit| other(unit).map(|other| other as Unit)).collect())
            }
            Family::One | Family::TenScattered | Family::TenClustered | Family::OnePercent => Self::None,
        }
    }

    /// Whether all kept units have the units they need. Neighbours can only be missing at the ends of runs.
    fn are_met(&self, kept: &Configuration) -> bool {
        let mut runs = kept.runs().iter();
        match self {
            Self::None => true,
            Self::Before(needs) => runs.all(|run| run.start == 0 || !needs[run.start as usize]),
            Self::After(needs) => runs.all(|run| run.end as usize == needs.len() || !needs[run.end as usize - 1]),
            Self::Others(needs) => {
                kept.units().all(|unit| needs[unit as usize].is_none_or(|other| kept.contains(other)))
            }
        }
    }
}

struct Problem {
    n: usize,
    needed: Vec<Unit>,
    needs: Needs,
    /// The total weight of the units before each.
    before: Vec<u64>,
}

impl Problem {
    fn new(family: Family, skew: Skew, n: usize, seed: u64) -> Self {
        let mut random = Random::new(seed + 1);
        // One in k weighs k or more: Zipf's law.
        let mut weight = || if skew == Skew::None { 1 } else { (n / (1 + random.below(n))) as u64 };
        let weights: Vec<u64> = (0..n).map(|_| weight()).collect();
        let before: Vec<u64> = std::iter::once(0)
            .chain(weights.iter().scan(0, |sum, weight| {
                *sum += weight;
                Some(*sum)
            }))
            .collect();
        let draw = |random: &mut Random| match skew {
            Skew::Heavy => before.partition_point(|&sum| sum <= random.below(before[n] as usize) as u64) - 1,
            Skew::None | Skew::Light => random.below(n),
        };
        let count = match family {
            Family::One => 1,
            Family::OnePercent => n.div_ceil(100),
            _ => 10,
        };
        let mut needed = BTreeSet::new();
        if family == Family::TenClustered {
            let first = random.below(n - count);
            needed.extend(first..first + count);
        }
        while needed.len() < count {
            needed.insert(draw(&mut random));
        }
        let needs = Needs::new(family, n, &mut random);
        Self { n, needed: needed.into_iter().map(|unit| unit as Unit).collect(), needs, before }
    }

    fn weights(&self) -> Weights {
        Weights::new(self.before.windows(2).map(|sums| sums[1] - sums[0]))
    }

    fn weight(&self, kept: &Configuration) -> u64 {
        kept.runs().iter().map(|run| self.before[run.end as usize] - self.before[run.start as usize]).sum()
    }

    fn is_interesting(&self, kept: &Configuration) -> bool {
        self.needed.iter().all(|&unit| kept.contains(unit)) && self.needs.are_met(kept)
    }
}

/// Sums, which are shown as means.
#[derive(Clone, Default)]
struct Measured {
    instances: usize,
    tests: usize,
    /// Tests until nine tenths of the weight that is removed in the end were removed.
    most_gone: usize,
    units: usize,
}

impl Measured {
    fn add(&mut self, problem: &Problem, mut search: impl Search<Proposal = Configuration>) -> Result<()> {
        let mut asked = HashSet::new();
        let mut weights = vec![(0, problem.weight(&search.current()))];
        drive(&mut search, |candidate| {
            let mut hasher = DefaultHasher::new();
            candidate.what.hash(&mut hasher);
            asked.insert(hasher.finish());
            let interesting = problem.is_interesting(&candidate.what);
            if interesting {
                weights.push((asked.len(), problem.weight(&candidate.what)));
            }
            interesting
        });
        let result = search.current();
        ensure!(problem.is_interesting(&result), "the result is not interesting");
        let (start, end) = (weights[0].1, problem.weight(&result));
        let enough = end + (start - end) / 10;
        self.instances += 1;
        self.tests += asked.len();
        self.units += result.len();
        self.most_gone +=
            weights.iter().find(|&&(_, weight)| weight <= enough).map_or(asked.len(), |&(tests, _)| tests);
        Ok(())
    }

    fn show(&self, what: fn(&Self) -> usize) -> String {
        let mean = what(self) as f64 / self.instances as f64;
        if mean < 100.0 && self.instances > 1 { format!("{mean:.1}") } else { thousands(mean.round() as usize) }
    }
}

/// Every minimiser on lists of one kind and length.
fn measure(family: Family, skew: Skew, (n, instances): (usize, u64), star: bool) -> Result<Vec<Measured>> {
    let mut all = vec![];
    for minimizer in ListMinimizer::ALL {
        let settings = ListSettings { window: minimizer.default_window(), ..ListSettings::default() };
        let algorithm = ListAlgorithm { minimizer, star, settings };
        let mut sum = Measured::default();
        for seed in 0..instances {
            let problem = Problem::new(family, skew, n, seed);
            sum.add(&problem, algorithm.start(Configuration::full(n), problem.weights()))?;
        }
        all.push(sum);
    }
    Ok(all)
}

/// A row, with the smallest number in bold.
fn row(name: String, measured: &[Measured], what: fn(&Measured) -> usize) -> Vec<String> {
    let least = measured.iter().map(what).min();
    let cell = |one: &Measured| {
        let shown = one.show(what);
        if Some(what(one)) == least { format!("**{shown}**") } else { shown }
    };
    std::iter::once(name).chain(measured.iter().map(cell)).collect()
}

fn head(first: &'static str) -> Vec<&'static str> {
    std::iter::once(first).chain(ListMinimizer::ALL.map(ListMinimizer::name)).collect()
}

fn monotone(report: &mut Report) -> Result<()> {
    report.section("Tests, if every list with the needed units is interesting");
    report.text(
        "The result is the same for all: just the needed units. So a `*` can only confirm it, and the second table \
         shows what that costs.",
    );
    for star in [false, true] {
        let mut rows = vec![];
        for family in MONOTONE {
            for length in LENGTHS {
                let measured = measure(family, Skew::None, length, star)?;
                let needed = Problem::new(family, Skew::None, length.0, 0).needed.len() * length.1 as usize;
                ensure!(measured.iter().all(|one| one.units == needed), "the result is not just the needed units");
                rows.push(row(format!("{}, n = {}", family.name(), thousands(length.0)), &measured, |one| one.tests));
            }
        }
        report.table(&head(if star { "with \\*" } else { "once" }), &rows);
    }
    Ok(())
}

fn dependent(report: &mut Report) -> Result<()> {
    report.section("Tests and results, if units need other units");
    report.text(
        "Ten scattered units are needed, and half of all units need another unit: the one before them \
         (*predecessors*: a sweep from the last to the first meets the use before the definition), the one after them \
         (*successors*: it meets them in the wrong order), or one of the hundred before them (*uses*; up to 1000 \
         units). The number of units left is in brackets.",
    );
    for star in [false, true] {
        let mut rows = vec![];
        for family in DEPENDENT {
            for length in LENGTHS.into_iter().filter(|&(n, _)| family != Family::Uses || n <= 1_000) {
                let measured = measure(family, Skew::None, length, star)?;
                let name = format!("{}, n = {}", family.name(), thousands(length.0));
                let tests = row(name.clone(), &measured, |one| one.tests);
                let units = row(name, &measured, |one| one.units);
                let both = tests.iter().zip(&units).skip(1).map(|(tests, units)| format!("{tests} ({units})"));
                rows.push(std::iter::once(tests[0].clone()).chain(both).collect());
            }
        }
        report.table(&head(if star { "with \\*" } else { "once" }), &rows);
    }
    Ok(())
}

fn weighted(report: &mut Report) -> Result<()> {
    report.section("Tests until nine tenths of the weight are removed");
    report.text(
        "Units of very different weights (one in k is at least k times as heavy as the lightest; up to 10,000 units). \
         The needed units are drawn at random (*light*, since most are), or by weight (*heavy*): the larger a unit, \
         the more often it is needed. The table shows how soon nine tenths of the weight that is removed in the end \
         are removed; the total number of tests is in brackets.",
    );
    let mut rows = vec![];
    for family in [Family::One, Family::TenScattered, Family::OnePercent] {
        for (skew, name) in [(Skew::Light, "light"), (Skew::Heavy, "heavy")] {
            // WProbDD has many classes of probability, and takes minutes for longer lists.
            for length in LENGTHS.into_iter().filter(|&(n, _)| n <= 10_000) {
                let measured = measure(family, skew, length, false)?;
                let name = format!("{}, {name}, n = {}", family.name(), thousands(length.0));
                let (soon, all) =
                    (row(name.clone(), &measured, |one| one.most_gone), row(name, &measured, |one| one.tests));
                let both = soon.iter().zip(&all).skip(1).map(|(soon, all)| format!("{soon} ({all})"));
                rows.push(std::iter::once(soon[0].clone()).chain(both).collect());
            }
        }
    }
    report.table(&head("once"), &rows);
    Ok(())
}

fn priors(report: &mut Report) -> Result<()> {
    report.section("Tests of CDD and ProbDD, by prior");
    report.text("p0 is the initial probability of every unit: 0.1 in the papers, 0.25 in Perses, 2/n in nub.");
    let settings = ListSettings::default();
    let mut rows = vec![];
    for family in MONOTONE {
        for (n, instances) in LENGTHS {
            let mut sums = vec![Measured::default(); 6];
            for seed in 0..instances {
                let problem = Problem::new(family, Skew::None, n, seed);
                let (list, equal) = (|| Configuration::full(problem.n), Weights::equal());
                sums[0].add(&problem, Cdd::with_prior(settings, list(), 0.25))?;
                sums[1].add(&problem, Cdd::with_prior(settings, list(), 0.1))?;
                sums[2].add(&problem, Cdd::new(settings, list()))?;
                sums[3].add(&problem, ProbDd::with_prior(settings, list(), &equal, 0.25))?;
                sums[4].add(&problem, ProbDd::with_prior(settings, list(), &equal, 0.1))?;
                sums[5].add(&problem, ProbDd::new(settings, list(), &equal))?;
            }
            rows.push(row(format!("{}, n = {}", family.name(), thousands(n)), &sums, |one| one.tests));
        }
    }
    report.table(&["once", "cdd, 0.25", "cdd, 0.1", "cdd, 2/n", "probdd, 0.25", "probdd, 0.1", "probdd, 2/n"], &rows);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_interesting_and_contains_its_needed_units() {
        for family in MONOTONE.into_iter().chain(DEPENDENT) {
            for skew in [Skew::None, Skew::Light, Skew::Heavy] {
                let problem = Problem::new(family, skew, 100, 3);
                let whole = Configuration::full(100);
                assert!(problem.is_interesting(&whole));
                assert!(!problem.is_interesting(&whole.without(problem.needed[0], problem.needed[0] + 1)));
                assert!(problem.before.is_sorted() && problem.before.len() == 101);
                assert!(problem.needed.is_sorted());
            }
        }
    }
}
