//! Axes: the position of a value, and the values that are written beside the axis.

/// A linear axis from 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linear {
    max: f64,
    from: f64,
    to: f64,
}

impl Linear {
    /// From `from` (at 0) to `to` (at `max`).
    pub(crate) fn new(max: f64, from: f64, to: f64) -> Self {
        Self { max: if max > 0.0 { max } else { 1.0 }, from, to }
    }

    pub(crate) fn at(&self, value: f64) -> f64 {
        self.from + (value / self.max).clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// About `wanted` round values.
    pub(crate) fn ticks(&self, wanted: usize, whole: bool) -> Vec<f64> {
        let rough = self.max / wanted.max(1) as f64;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= rough);
        let mut step = step.unwrap_or(10.0 * power);
        if whole {
            step = step.max(1.0);
        }
        (0..).map(|i| f64::from(i) * step).take_while(|value| *value <= self.max * 1.0001).collect()
    }
}

/// A logarithmic axis that begins and ends at 1, 2 or 5 times a power of ten.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Logarithmic {
    min: f64,
    max: f64,
    from: f64,
    to: f64,
}

impl Logarithmic {
    /// From `from` (at a round value of `min` or less) to `to` (at a round value of `max` or more). Values below
    /// `least` are treated as `least`, since zero has no logarithm.
    pub(crate) fn new(min: f64, max: f64, least: f64, from: f64, to: f64) -> Self {
        let min = round(min.max(least), false).max(least);
        let max = round(max.max(least), true);
        Self { min, max: if max > min { max } else { min * 10.0 }, from, to }
    }

    pub(crate) fn at(&self, value: f64) -> f64 {
        let share = (value.max(self.min) / self.min).ln() / (self.max / self.min).ln();
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// Round values: powers of ten, and also 2 and 5 times those if there would be too few.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        let decades = (self.max / self.min).log10();
        let factors: &[f64] = if decades > 2.5 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let first = self.min.log10().floor() as i32;
        let last = self.max.log10().ceil() as i32;
        let all = (first..=last).flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)));
        all.filter(|value| *value >= self.min * 0.999 && *value <= self.max * 1.001).collect()
    }
}

fn round(value: f64, up: bool) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let mut candidates = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter();
    // Tolerant, because values that are already round are not exact.
    if up {
        candidates.find(|candidate| *candidate >= value * 0.9999).unwrap_or(10.0 * power)
    } else {
        candidates.rfind(|candidate| *candidate <= value * 1.0001).unwrap_or(power)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(Linear::new(508.0, 0.0, 1.0).ticks(5, true), [0.0, 200.0, 400.0]);
        assert_eq!(Linear::new(3.0, 0.0, 1.0).ticks(6, true), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(Linear::new(0.0, 0.0, 1.0).ticks(2, true), [0.0, 1.0]);
        let sizes = Logarithmic::new(67.0, 118_049.0, 1.0, 100.0, 0.0);
        assert_eq!(sizes.ticks(), [100.0, 1000.0, 10_000.0, 100_000.0]);
        assert_eq!((sizes.at(50.0), sizes.at(200_000.0)), (100.0, 0.0));
        assert_eq!(Logarithmic::new(0.0, 9.0, 1.0, 0.0, 1.0).ticks(), [1.0, 2.0, 5.0, 10.0]);
    }
}
