//! Means of a few numbers, with intervals by Student's distribution, since the variance is only
//! estimated from the numbers themselves.

use super::elo::Estimate;
use super::root;

/// The probability on each side of a confidence interval.
const TAIL: f64 = 0.025;
/// The upper end of the search for a quantile; that of one degree of freedom is 12.7.
const FARTHEST: f64 = 100.0;

/// The mean of a few independent numbers, with its uncertainty.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mean {
    /// Their mean, with its 95 % confidence interval, which is infinite for a single number.
    pub estimate: Estimate,
    /// Their standard deviation; 0 for one number.
    pub deviation: f64,
    /// How many there are.
    pub count: usize,
}

impl Mean {
    /// The mean of these numbers; `None` if there are none.
    pub fn of(numbers: &[f64]) -> Option<Mean> {
        let count = numbers.len();
        if count == 0 {
            return None;
        }
        let value = numbers.iter().sum::<f64>() / count as f64;
        let squares: f64 = numbers.iter().map(|number| (number - value).powi(2)).sum();
        let degrees = count as f64 - 1.0;
        let (deviation, margin) = match count {
            1 => (0.0, f64::INFINITY),
            _ => {
                let deviation = (squares / degrees).sqrt();
                let margin = quantile(degrees) * deviation / (count as f64).sqrt();
                (deviation, margin)
            }
        };
        Some(Mean {
            estimate: Estimate {
                value,
                lower: value - margin,
                upper: value + margin,
            },
            deviation,
            count,
        })
    }
}

/// The value above which Student's distribution has a probability of [`TAIL`].
fn quantile(degrees: f64) -> f64 {
    let tail = |t: f64| 0.5 * incomplete_beta(degrees / (degrees + t * t), 0.5 * degrees);
    root::bisect(|t| TAIL - tail(t), 0.0, FARTHEST)
}

/// The regularised incomplete beta function of `a` and one half at `x`, by its continued fraction
/// (Lentz's method).
fn incomplete_beta(x: f64, a: f64) -> f64 {
    const B: f64 = 0.5;
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    let ln_beta = libm::lgamma(a) + libm::lgamma(B) - libm::lgamma(a + B);
    let front = (a * x.ln() + B * (1.0 - x).ln() - ln_beta).exp();
    // Each form of the fraction converges fast on its own side.
    match x < (a + 1.0) / (a + B + 2.0) {
        true => front * fraction(x, a, B) / a,
        false => 1.0 - front * fraction(1.0 - x, B, a) / B,
    }
}

fn fraction(x: f64, a: f64, b: f64) -> f64 {
    const MOST_TERMS: u32 = 500;
    const SMALLEST: f64 = 1e-300;
    let safe = |number: f64| {
        if number.abs() < SMALLEST {
            SMALLEST
        } else {
            number
        }
    };
    let mut c = 1.0;
    let mut d = 1.0 / safe(1.0 - (a + b) * x / (a + 1.0));
    let mut result = d;
    for term in 1..=MOST_TERMS {
        let m = f64::from(term);
        for factor in [
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        ] {
            d = 1.0 / safe(1.0 + factor * d);
            c = safe(1.0 + factor / c);
            result *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_quantiles() {
        // From textbook tables.
        for (degrees, expected) in [
            (1.0, 12.706_204_736),
            (2.0, 4.302_652_730),
            (3.0, 3.182_446_305),
            (7.0, 2.364_624_252),
            (11.0, 2.200_985_160),
            (30.0, 2.042_272_456),
            (1000.0, 1.962_339_081),
        ] {
            let found = quantile(degrees);
            assert!((found - expected).abs() < 1e-8, "{degrees}: {found}");
        }
    }

    #[test]
    fn means_have_the_intervals_of_a_textbook() {
        let mean = Mean::of(&[10.0, 20.0, 30.0, 40.0]).expect("numbers");
        assert_eq!((mean.estimate.value, mean.count), (25.0, 4));
        assert!((mean.deviation - (500.0f64 / 3.0).sqrt()).abs() < 1e-12);
        // 3.182446 x 12.909944 / 2
        assert!((mean.estimate.margin() - 20.542_6).abs() < 1e-3);
        let same = Mean::of(&[7.0, 7.0]).expect("numbers");
        assert_eq!((same.estimate.lower, same.estimate.upper), (7.0, 7.0));
    }

    #[test]
    fn one_number_says_nothing_of_the_spread() {
        let mean = Mean::of(&[-3.0]).expect("a number");
        assert_eq!(mean.estimate.value, -3.0);
        assert_eq!(mean.estimate.lower, f64::NEG_INFINITY);
        assert_eq!(mean.estimate.upper, f64::INFINITY);
        assert_eq!(Mean::of(&[]), None);
    }
}
