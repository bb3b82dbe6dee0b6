//! How long a test may run.
//!
//! A test that hangs must not stop the reduction, but a test that is merely slow must not be lost: if the limit is too
//! short, a candidate that *is* interesting counts as unresolved, and the result is larger than it need be. So the
//! adaptive limit looks at interesting runs only: they are what must never be lost. Uninteresting ones may take as long
//! as they like (a compiler that stops at the first error is fast, an endless loop is slow; neither says anything about
//! how long the failure takes to show).
//!
//! Candidates only get smaller, so an interesting one rarely takes longer than the original did; ten times the slowest
//! seen so far leaves room for a loaded machine, and the floor for noise in tests of a few milliseconds.
//!
//! A outcome that depends on a clock is the only way in which two runs of nub on the same input may differ.

use crate::Outcome;
use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// What the user asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timeout {
    /// Always this long.
    Fixed(Duration),
    /// Ten times the slowest interesting run so far, between [`TimeLimit::FLOOR`] and [`TimeLimit::CEILING`].
    #[default]
    Adaptive,
}

/// How many times slower than the slowest interesting run so far a test may be.
const FACTOR: u64 = 10;

/// The limit in force, shared by all workers.
#[derive(Debug)]
pub struct TimeLimit {
    policy: Timeout,
    /// In nanoseconds (584 years fit). 0: no interesting run yet.
    slowest: AtomicU64,
}

impl TimeLimit {
    /// The adaptive limit is never shorter.
    pub const FLOOR: Duration = Duration::from_secs(5);
    /// The adaptive limit is never longer; it is also the limit for the original, about which nothing is known yet.
    pub const CEILING: Duration = Duration::from_secs(300);

    /// The limit before anything has run.
    pub fn new(policy: Timeout) -> Self {
        Self { policy, slowest: AtomicU64::new(0) }
    }

    /// How long a test that starts now may run.
    pub fn current(&self) -> Duration {
        match (self.policy, self.slowest.load(Ordering::Relaxed)) {
            (Timeout::Fixed(limit), _) => limit,
            (Timeout::Adaptive, 0) => Self::CEILING,
            (Timeout::Adaptive, slowest) => {
                Duration::from_nanos(slowest.saturating_mul(FACTOR)).clamp(Self::FLOOR, Self::CEILING)
            }
        }
    }

    /// Takes note of a run that ended by itself.
    pub fn observe(&self, outcome: Outcome, elapsed: Duration) {
        if outcome.is_interesting() {
            let nanos = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX).max(1);
            self.slowest.fetch_max(nanos, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_interesting_runs_move_the_adaptive_limit() {
        let limit = TimeLimit::new(Timeout::Adaptive);
        assert_eq!(limit.current(), TimeLimit::CEILING);
        limit.observe(Outcome::Uninteresting, Duration::from_secs(20));
        assert_eq!(limit.current(), TimeLimit::CEILING);
        limit.observe(Outcome::Interesting, Duration::from_millis(3));
        assert_eq!(limit.current(), TimeLimit::FLOOR);
        limit.observe(Outcome::Interesting, Duration::from_secs(2));
        limit.observe(Outcome::Interesting, Duration::from_secs(1));
        assert_eq!(limit.current(), Duration::from_secs(20));
        limit.observe(Outcome::Interesting, Duration::from_secs(100));
        assert_eq!(limit.current(), TimeLimit::CEILING);
        limit.observe(Outcome::Interesting, Duration::MAX);
        assert_eq!(limit.current(), TimeLimit::CEILING);
    }

    #[test]
    fn a_fixed_limit_is_fixed() {
        let limit = TimeLimit::new(Timeout::Fixed(Duration::from_millis(7)));
        limit.observe(Outcome::Interesting, Duration::from_secs(100));
        assert_eq!(limit.current(), Duration::from_millis(7));
    }
}
