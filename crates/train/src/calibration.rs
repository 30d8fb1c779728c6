//! The expected calibration error of policy-value nets: how far expected results are from actual
//! ones.

use data::position::Outcome;

/// Bins of expected results: their sum, the sum of actual results, and the count.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bins([(f64, f64, u64); Bins::COUNT]);

impl Bins {
    const COUNT: usize = 20;

    /// Adds a position with an expected share of a point, 1 for a win.
    pub(crate) fn add(&mut self, expected: f64, result: Outcome) {
        let bin = ((expected * Bins::COUNT as f64) as usize).min(Bins::COUNT - 1);
        let (sum, happened, count) = &mut self.0[bin];
        *sum += expected;
        *happened += 0.5 + 0.5 * f64::from(result.number());
        *count += 1;
    }

    /// Adds the counts of another instance.
    pub(crate) fn add_all(&mut self, other: &Bins) {
        for (bin, other) in self.0.iter_mut().zip(&other.0) {
            bin.0 += other.0;
            bin.1 += other.1;
            bin.2 += other.2;
        }
    }

    /// The expected calibration error: the mean of the bins' differences, weighted by their
    /// positions.
    pub(crate) fn error(&self) -> f64 {
        let count: u64 = self.0.iter().map(|bin| bin.2).sum();
        let off = self
            .0
            .iter()
            .map(|(sum, happened, _)| (sum - happened).abs());
        off.sum::<f64>() / count.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calibration_is_the_mean_distance_from_what_happened() {
        let mut bins = Bins::default();
        for result in [Outcome::Win, Outcome::Win, Outcome::Loss, Outcome::Loss] {
            bins.add(0.5, result);
        }
        assert!(bins.error() < 1e-6);
        // Four positions in a bin without error, and four in a bin that is off by a quarter.
        let mut others = Bins::default();
        for _ in 0..4 {
            others.add(0.75, Outcome::Win);
        }
        bins.add_all(&others);
        assert!((bins.error() - 0.125).abs() < 1e-6, "{}", bins.error());
        assert_eq!(Bins::default().error(), 0.0);
    }
}
