//! Sets of characters or of token types.

/// A set of numbers as sorted, disjoint, non-adjacent intervals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct IntervalSet {
    intervals: Vec<(i32, i32)>,
}

impl IntervalSet {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds everything from `low` to `high`, both included.
    pub fn insert(&mut self, low: i32, high: i32) {
        if low > high {
            return;
        }
        let first = self.intervals.partition_point(|&(_, end)| end < low.saturating_sub(1));
        let end = self.intervals.partition_point(|&(start, _)| start <= high.saturating_add(1));
        let (mut low, mut high) = (low, high);
        if first < end {
            low = low.min(self.intervals[first].0);
            high = high.max(self.intervals[end - 1].1);
        }
        self.intervals.splice(first..end, [(low, high)]);
    }

    /// Whether it contains a number.
    pub fn contains(&self, number: i32) -> bool {
        let at = self.intervals.partition_point(|&(_, end)| end < number);
        self.intervals.get(at).is_some_and(|&(start, _)| start <= number)
    }

    /// Its intervals, sorted; both ends included.
    pub fn intervals(&self) -> &[(i32, i32)] {
        &self.intervals
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// The numbers in `low..=high` that are not in this set.
    #[must_use]
    pub fn complement(&self, low: i32, high: i32) -> Self {
        let mut rest = Self::new();
        let mut next = low;
        for &(start, end) in &self.intervals {
            if start > next {
                rest.insert(next, (start - 1).min(high));
            }
            next = next.max(end.saturating_add(1));
        }
        rest.insert(next, high);
        rest
    }
}

impl FromIterator<(i32, i32)> for IntervalSet {
    fn from_iter<I: IntoIterator<Item = (i32, i32)>>(intervals: I) -> Self {
        let mut set = Self::new();
        for (low, high) in intervals {
            set.insert(low, high);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_intervals_merge() {
        let set: IntervalSet = [(5, 7), (1, 2), (3, 4), (9, 9)].into_iter().collect();
        assert_eq!(set.intervals(), [(1, 7), (9, 9)]);
        assert!(set.contains(7) && !set.contains(8) && set.contains(9));
    }

    #[test]
    fn the_complement_covers_the_gaps() {
        let set: IntervalSet = [(3, 4), (8, 9)].into_iter().collect();
        assert_eq!(set.complement(0, 9).intervals(), [(0, 2), (5, 7)]);
        assert_eq!(IntervalSet::new().complement(1, 3).intervals(), [(1, 3)]);
    }
}
