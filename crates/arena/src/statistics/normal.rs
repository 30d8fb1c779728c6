//! The normal distribution.

use super::root;
use std::f64::consts::{PI, SQRT_2};

/// The quantile of the 95 % confidence interval.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

/// Below this, the tail is computed from its asymptotic series, because the function itself would
/// underflow.
const FAR_TAIL: f64 = -30.0;

/// The probability of a value below `z`.
pub(crate) fn probability_below(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// The logarithm of [`probability_below`], finite for every finite `z`.
pub(super) fn ln_probability_below(z: f64) -> f64 {
    if z > FAR_TAIL {
        return probability_below(z).ln();
    }
    let inverse = 1.0 / (z * z);
    let series = inverse * (-1.0 + inverse * (3.0 + inverse * (-15.0 + inverse * 105.0)));
    -0.5 * z * z - (-z).ln() - 0.5 * (2.0 * PI).ln() + series.ln_1p()
}

/// The value below which a normal variable lies with this probability: infinite for 0 and 1.
pub(super) fn quantile(probability: f64) -> f64 {
    if probability <= 0.0 {
        f64::NEG_INFINITY
    } else if probability >= 1.0 {
        f64::INFINITY
    } else if probability > 0.5 {
        // The lower tail has full precision; the upper one loses it near 1.
        -quantile(1.0 - probability)
    } else {
        let wanted = probability.ln();
        root::bisect(|z| ln_probability_below(z) - wanted, -40.0, 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_probabilities() {
        for (z, probability) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-1.0, 0.158_655_253_931_457),
            (Z_95, 0.975),
            (-6.0, 9.865_876_450_376_98e-10),
        ] {
            let relative = probability_below(z) / probability - 1.0;
            assert!(relative.abs() < 1e-14, "{z}: {relative}");
        }
        assert_eq!(probability_below(f64::NEG_INFINITY), 0.0);
        assert_eq!(probability_below(f64::INFINITY), 1.0);
    }

    #[test]
    fn the_far_tail_goes_on_smoothly() {
        // The logarithms of the probabilities below -10, -30 and -40, computed independently.
        for (z, expected) in [
            (-10.0, -53.231_285_150_512_47),
            (-30.0, -454.321_243_956_343_2),
            (-40.0, -804.608_442_013_753_8),
        ] {
            let found = ln_probability_below(z);
            assert!((found - expected).abs() < 1e-9, "{z}: {found}");
        }
        let (near, far) = (FAR_TAIL + 1e-9, FAR_TAIL - 1e-9);
        let step = ln_probability_below(near) - ln_probability_below(far);
        assert!((step - 2e-9 * 30.033).abs() < 1e-9, "{step}");
    }

    #[test]
    fn quantiles_undo_probabilities() {
        assert!((quantile(0.975) - Z_95).abs() < 1e-12);
        assert!((quantile(0.9) - 1.281_551_565_544_600_4).abs() < 1e-12);
        for z in [-8.0, -3.0, -0.1, 0.0, 0.7, 4.0] {
            assert!((quantile(probability_below(z)) - z).abs() < 1e-10, "{z}");
        }
        assert_eq!(quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(quantile(1.0), f64::INFINITY);
    }
}
