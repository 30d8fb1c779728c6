//! Losses of distributions and of numbers, with their gradients.

use crate::functions::{exp, ln};
use serde::{Deserialize, Serialize};

/// The factor that makes a mean of a sum with this total weight. It is 0 where nothing counts:
/// 0 times the infinity of a division would not be a number.
pub(crate) fn mean_factor(total: f64) -> f64 {
    if total > 0.0 { 1.0 / total } else { 0.0 }
}

/// Turns logits into probabilities.
pub(crate) fn softmax(logits: &mut [f32]) {
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for logit in &mut *logits {
        *logit = exp(*logit - most);
        sum += *logit;
    }
    for logit in logits {
        *logit /= sum;
    }
}

/// The cross-entropy of the softmax of logits with a target that sums to 1; replaces the logits by
/// its gradient.
pub(crate) fn cross_entropy(logits: &mut [f32], target: &[f32]) -> f64 {
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let sum: f32 = logits.iter().map(|&logit| exp(logit - most)).sum();
    let log_sum = f64::from(most) + f64::from(ln(sum));
    let mut loss = 0.0;
    for (logit, &target) in logits.iter_mut().zip(target) {
        loss += f64::from(target) * (log_sum - f64::from(*logit));
        *logit = exp(*logit - most) / sum - target;
    }
    loss
}

/// How errors of a number count.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "scalar-loss")]
pub enum ScalarLoss {
    /// The squared error.
    #[default]
    Mse,
    /// Half the squared error up to an error of delta, linear beyond.
    Huber,
}

impl ScalarLoss {
    /// The loss of an error and its derivative, with this delta for the Huber loss.
    pub(crate) fn of(self, error: f32, huber_delta: f32) -> (f64, f32) {
        match self {
            ScalarLoss::Mse => (f64::from(error).powi(2), 2.0 * error),
            ScalarLoss::Huber => huber(error, huber_delta),
        }
    }
}

/// The error of a logarithm beyond which losses of plies and seconds are linear.
pub(crate) const LOGARITHM_DELTA: f32 = 1.0;

/// The Huber loss of an error, and its derivative.
pub(crate) fn huber(error: f32, delta: f32) -> (f64, f32) {
    let (wide, wide_delta) = (f64::from(error), f64::from(delta));
    match error.abs() <= delta {
        true => (0.5 * wide * wide, error),
        false => (
            wide_delta * (wide.abs() - 0.5 * wide_delta),
            delta * error.signum(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_the_losses() {
        let logits = [0.3_f32, -1.2, 2.0, 0.0];
        let target = [0.1_f32, 0.2, 0.4, 0.3];
        let exact = |logits: &[f64]| -> f64 {
            let sum: f64 = logits.iter().map(|it| it.exp()).sum();
            let each = logits.iter().zip(target);
            each.map(|(it, share)| f64::from(share) * (sum.ln() - it))
                .sum()
        };
        let mut slopes = logits;
        let loss = cross_entropy(&mut slopes, &target);
        let wide = logits.map(f64::from);
        assert!((loss - exact(&wide)).abs() < 1e-6);
        for (at, slope) in slopes.into_iter().enumerate() {
            let moved = |by: f64| {
                let mut moved = wide;
                moved[at] += by;
                exact(&moved)
            };
            let measured = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert!((f64::from(slope) - measured).abs() < 1e-3 * measured.abs());
        }
        let mut shares = logits;
        softmax(&mut shares);
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        for (loss, delta) in [
            (ScalarLoss::Mse, 1.0),
            (ScalarLoss::Huber, 1.0),
            (ScalarLoss::Huber, 0.3),
        ] {
            for error in [-1.7_f32, -0.4, 0.2, 0.9, 3.0] {
                let (above, _) = loss.of(error + 1e-2, delta);
                let (below, _) = loss.of(error - 1e-2, delta);
                let (_, slope) = loss.of(error, delta);
                assert!((f64::from(slope) - (above - below) / 2e-2).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn the_huber_loss_turns_linear_at_delta() {
        assert_eq!(huber(0.5, 0.5), (0.125, 0.5));
        assert_eq!(huber(-1.5, 0.5), (0.625, -0.5));
        assert_eq!(huber(-1.5, 2.0), (1.125, -1.5));
    }
}
