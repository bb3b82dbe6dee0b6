//! How heavy the units of a list are: the bytes of a line, of a token, of a tree node.

use crate::{Configuration, Unit};
use std::sync::Arc;

/// How heavy the units of a list are. A unit weighs at least 1, so that whatever is cut by weight gets smaller.
///
/// The sums are kept rather than the weights, so that the weight of any part is one subtraction, and cloning is a
/// reference count. If all units are equal there is no table at all.
///
/// ```
/// use nub_core::{ListMinimizer, ListSettings, Configuration, Search, Weights, drive};
///
/// // The third line is most of the file: it goes first.
/// let weights = Weights::new([10, 10, 400, 10]);
/// let mut search = ListMinimizer::Heaviest.start(ListSettings::default(), Configuration::full(4), &weights);
/// assert_eq!(search.propose().unwrap()[0].what, Configuration::full(2));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Weights {
    /// How heavy the units before each are, all together; none if every unit weighs 1.
    before: Option<Arc<[u64]>>,
}

impl Weights {
    /// Every unit weighs 1, however many there are.
    pub fn equal() -> Self {
        Self::default()
    }

    /// Weights of the units 0, 1, …
    pub fn new(weights: impl IntoIterator<Item = u64>) -> Self {
        let mut sum: u64 = 0;
        let sums = weights.into_iter().map(|weight| {
            sum = sum.saturating_add(weight.max(1));
            sum
        });
        Self { before: Some(std::iter::once(0).chain(sums.collect::<Vec<_>>()).collect()) }
    }

    /// Whether it is known that every unit weighs 1.
    pub(crate) fn are_equal(&self) -> bool {
        self.before.is_none()
    }

    /// The weights of the units of a configuration, numbered by their positions in it.
    pub(crate) fn of_positions(&self, configuration: &Configuration) -> Self {
        match &self.before {
            None => Self::equal(),
            Some(before) if configuration.len() + 1 == before.len() => self.clone(),
            Some(_) => Self::new(configuration.units().map(|unit| self.of(unit, unit + 1))),
        }
    }

    /// The weights of these units, numbered as they come.
    pub(crate) fn by(&self, units: &[Unit]) -> Self {
        match &self.before {
            None => Self::equal(),
            Some(_) => Self::new(units.iter().map(|&unit| self.of(unit, unit + 1))),
        }
    }

    /// How heavy the units `from..to` are, all together.
    pub(crate) fn of(&self, from: Unit, to: Unit) -> u64 {
        match &self.before {
            None => u64::from(to - from),
            Some(before) => before[to as usize] - before[from as usize],
        }
    }

    /// How heavy these units are, all together.
    pub(crate) fn of_all(&self, configuration: &Configuration) -> u64 {
        configuration.runs().iter().map(|run| self.of(run.start, run.end)).sum()
    }

    /// Where to cut `from..to`, so that both sides are about equally heavy and neither is empty.
    pub(crate) fn middle(&self, from: Unit, to: Unit) -> Unit {
        let Some(before) = &self.before else { return from + ((to - from) / 2).max(1) };
        let sums = &before[from as usize..=to as usize];
        let half = sums[0].midpoint(sums[sums.len() - 1]);
        let above = sums.partition_point(|&sum| sum < half);
        // The sum just below may be closer.
        let closest = if above > 0 && half - sums[above - 1] < sums[above] - half { above - 1 } else { above };
        from + (closest as Unit).clamp(1, to - from - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_cut_is_where_both_sides_are_closest() {
        let weights = Weights::new([1, 1, 100, 1]);
        assert_eq!((weights.of(0, 4), weights.middle(0, 4), weights.middle(0, 2)), (103, 2, 1));
        assert_eq!(Weights::new([100, 1, 1]).middle(0, 3), 1);
        assert_eq!(Weights::new([0, 0, 0, 0]).middle(0, 4), 2, "weightless units are units");
    }

    #[test]
    fn positions_have_the_weights_of_their_units() {
        let weights = Weights::new([1, 2, 4, 8, 16]).of_positions(&Configuration::from_units([1, 3, 4]));
        assert_eq!([0, 1, 2].map(|position| weights.of(position, position + 1)), [2, 8, 16]);
    }

    proptest! {
        #[test]
        fn equal_weights_need_no_table(n in 2u32..100, a in 0u32..100, b in 0u32..100) {
            let (from, to) = (a.min(b).min(n - 2), a.max(b).min(n));
            prop_assume!(to >= from + 2);
            let table = Weights::new(vec![1; n as usize]);
            prop_assert_eq!(Weights::equal().of(from, to), table.of(from, to));
            prop_assert_eq!(Weights::equal().middle(from, to), table.middle(from, to));
        }

        #[test]
        fn no_side_of_a_cut_is_empty(weights in prop::collection::vec(0u64..1000, 2..50)) {
            let n = weights.len() as Unit;
            let middle = Weights::new(weights).middle(0, n);
            prop_assert!(0 < middle && middle < n);
        }
    }
}
