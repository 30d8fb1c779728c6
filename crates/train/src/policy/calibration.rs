//! Whether expected results come true: the expected calibration error.

use data::position::Outcome;
use nets::nnue::OUTCOMES;

/// Expected results in bins, each with what happened.
#[derive(Clone, Debug, Default)]
pub(super) struct Bins([(f64, f64, u64); Bins::COUNT]);

impl Bins {
    const COUNT: usize = 20;

    pub(super) fn add(&mut self, [win, draw, _]: [f32; OUTCOMES], result: Outcome) {
        let expected = f64::from(win) + 0.5 * f64::from(draw);
        let bin = ((expected * Bins::COUNT as f64) as usize).min(Bins::COUNT - 1);
        let (sum, happened, count) = &mut self.0[bin];
        *sum += expected;
        *happened += 0.5 + 0.5 * f64::from(result.number());
        *count += 1;
    }

    /// The mean difference of all positions.
    pub(super) fn error(&self) -> f64 {
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
            bins.add([0.2, 0.6, 0.2], result);
        }
        assert!(bins.error() < 1e-6);
        // Four positions that are right, and one bin that is off by a half.
        for _ in 0..4 {
            bins.add([0.5, 0.5, 0.0], Outcome::Win);
        }
        assert!((bins.error() - 0.125).abs() < 1e-6, "{}", bins.error());
        assert_eq!(Bins::default().error(), 0.0);
    }
}
