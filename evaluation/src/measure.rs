//! Numbers from repeated measurements.

use anyhow::Result;
use std::time::{Duration, Instant};

/// Measurements of one thing, in ascending order.
pub(crate) struct Samples(Vec<f64>);

impl Samples {
    /// Requires at least one sample.
    pub(crate) fn new(samples: impl IntoIterator<Item = f64>) -> Self {
        let mut samples: Vec<f64> = samples.into_iter().collect();
        assert!(!samples.is_empty(), "nothing was measured");
        samples.sort_unstable_by(f64::total_cmp);
        Self(samples)
    }

    pub(crate) fn of_times(times: impl IntoIterator<Item = Duration>) -> Self {
        Self::new(times.into_iter().map(|time| time.as_secs_f64()))
    }

    /// The undisturbed case.
    pub(crate) fn min(&self) -> f64 {
        self.0[0]
    }

    /// The usual case.
    pub(crate) fn median(&self) -> f64 {
        self.percentile(50)
    }

    pub(crate) fn percentile(&self, percent: usize) -> f64 {
        self.0[(self.0.len() - 1) * percent / 100]
    }
}

/// The duration of an action that must succeed.
pub(crate) fn timed(what: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let start = Instant::now();
    what()?;
    Ok(start.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles() {
        let samples = Samples::new([3.0, 1.0, 2.0]);
        assert_eq!((samples.min(), samples.median(), samples.percentile(100)), (1.0, 2.0, 3.0));
    }
}
