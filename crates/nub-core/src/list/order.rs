//! The order in which the subsets, or the complements, of one run are tried.

use std::sync::Arc;

/// An order of `0..n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// 0, 1, …, n−1.
    #[default]
    Forward,
    /// n−1, …, 1, 0. Uses follow definitions, so what comes last is what nothing else needs.
    Backward,
    /// Nothing at all.
    Skip,
    /// A permutation drawn from this seed, another one in every run.
    Random(u64),
}

impl Order {
    /// The order of `0..n` in the given run.
    pub(crate) fn sweep(self, n: usize, run: usize) -> Sweep {
        match self {
            Self::Forward => Sweep::Forward(n),
            Self::Backward => Sweep::Backward(n),
            Self::Skip => Sweep::Forward(0),
            Self::Random(seed) => Sweep::Shuffled(shuffle(n, seed ^ (run as u64).rotate_left(32))),
        }
    }
}

/// One pass over `0..n` in some order; computed on demand where it can be.
#[derive(Clone, Debug)]
pub(crate) enum Sweep {
    Forward(usize),
    Backward(usize),
    Shuffled(Arc<[u32]>),
}

impl Sweep {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Forward(n) | Self::Backward(n) => *n,
            Self::Shuffled(all) => all.len(),
        }
    }

    /// The index that is tried as number `i`.
    pub(crate) fn at(&self, i: usize) -> usize {
        match self {
            Self::Forward(_) => i,
            Self::Backward(n) => n - 1 - i,
            Self::Shuffled(all) => all[i] as usize,
        }
    }
}

/// Fisher–Yates with SplitMix64: small, seeded, and the same on every machine for ever, which no general-purpose
/// random-number crate promises.
fn shuffle(n: usize, seed: u64) -> Arc<[u32]> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let mut all: Vec<u32> = (0..n as u32).collect();
    for i in (1..n).rev() {
        all.swap(i, (next() % (i as u64 + 1)) as usize);
    }
    all.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(order: Order, n: usize, run: usize) -> Vec<usize> {
        let sweep = order.sweep(n, run);
        (0..sweep.len()).map(|i| sweep.at(i)).collect()
    }

    #[test]
    fn the_four_orders() {
        assert_eq!(all(Order::Forward, 3, 0), [0, 1, 2]);
        assert_eq!(all(Order::Backward, 3, 0), [2, 1, 0]);
        assert!(all(Order::Skip, 3, 0).is_empty());
        let mut random = all(Order::Random(1), 100, 0);
        assert_eq!(random, all(Order::Random(1), 100, 0), "the same seed, the same order");
        assert_ne!(random, all(Order::Random(2), 100, 0));
        assert_ne!(random, all(Order::Random(1), 100, 1), "every run its own order");
        random.sort_unstable();
        assert_eq!(random, all(Order::Forward, 100, 0));
    }
}
