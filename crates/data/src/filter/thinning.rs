//! Thins out positions to bring their numbers of men closer to a wanted distribution.

use crate::random::{self, Generator};

/// How many positions there are with each number of men.
pub type PieceCounts = [u64; 33];

/// The largest factor by which the most over-represented number of men is thinned out.
const MOST: f64 = 10.0;

/// The probability with which a position is kept, by its number of men.
///
/// The wanted share of each number of men lies on the parabola through three
/// weights for 0, 16 and 32 men. Let the *lack* of a number of men be its wanted
/// share divided by its share in the file. Where the lack is smallest, at least one
/// of ten positions is kept, and elsewhere a share in proportion to the lack, at most
/// all positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Thinning {
    probabilities: [f64; 33],
}

impl Thinning {
    /// The probabilities for a set of positions with these numbers of men.
    pub fn new(weights: [f64; 3], counts: &PieceCounts) -> Self {
        let wanted: Vec<f64> = (0..33)
            .map(|men| parabola(weights, f64::from(men)))
            .collect();
        let lack = |men: usize| match counts[men] {
            0 => None,
            count => Some(wanted[men] / count as f64),
        };
        let lacks = || (0..33).filter_map(lack).filter(|&lack| lack > 0.0);
        let least = lacks().fold(f64::INFINITY, f64::min);
        let most = lacks().fold(0.0, f64::max);
        let all = most.min(least * MOST);
        let probability = |men| lack(men).map_or(1.0, |lack: f64| (lack / all).min(1.0));
        Self {
            probabilities: std::array::from_fn(|men| match all.is_finite() && all > 0.0 {
                true => probability(men),
                // None of the positions are wanted, or there are none.
                false => 0.0,
            }),
        }
    }

    /// Decides at random whether to keep a position with this many men.
    #[inline]
    pub fn keeps(&self, men: u32, generator: &mut Generator) -> bool {
        let probability = self.probabilities.get(men as usize);
        random::chance(generator, probability.copied().unwrap_or(1.0))
    }
}

/// The value at `x` of the parabola through three values at 0, 16 and 32.
fn parabola([first, middle, last]: [f64; 3], x: f64) -> f64 {
    let x = x / 16.0;
    let height =
        first * (x - 1.0) * (x - 2.0) / 2.0 - middle * x * (x - 2.0) + last * x * (x - 1.0) / 2.0;
    height.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_goes_through_its_points() {
        let weights = [1.0, 2.0, 0.5];
        let heights = [0.0, 16.0, 32.0].map(|x| parabola(weights, x));
        assert_eq!(heights, weights);
        assert_eq!(parabola([1.0; 3], 7.0), 1.0);
        assert_eq!(parabola([1.0, 0.0, 1.0], 16.0), 0.0);
    }

    fn probabilities(weights: [f64; 3], counted: &[(usize, u64)]) -> Vec<f64> {
        let mut counts = [0; 33];
        for &(men, count) in counted {
            counts[men] = count;
        }
        let thinning = Thinning::new(weights, &counts);
        counted
            .iter()
            .map(|&(men, _)| (thinning.probabilities[men] * 1000.0).round() / 1000.0)
            .collect()
    }

    #[test]
    fn what_is_common_is_thinned_out() {
        let flat = [1.0; 3];
        assert_eq!(probabilities(flat, &[(10, 100), (20, 100)]), [1.0, 1.0]);
        assert_eq!(probabilities(flat, &[(10, 100), (20, 400)]), [1.0, 0.25]);
        // Thinned out by at most a factor of ten.
        let far = [(2, 1), (10, 100), (20, 10_000)];
        assert_eq!(probabilities(flat, &far), [1.0, 1.0, 0.1]);
        // Twice as many are wanted in the middle.
        assert_eq!(
            probabilities([1.0, 2.0, 1.0], &[(16, 100), (32, 100)]),
            [1.0, 0.5]
        );
        assert_eq!(
            probabilities([0.0, 0.0, 1.0], &[(16, 100), (32, 100)]),
            [0.0, 1.0]
        );
        assert_eq!(probabilities([0.0, 0.0, 1.0], &[(16, 100)]), [0.0]);
    }

    #[test]
    fn the_kept_share_is_the_probability() {
        let mut counts = [0; 33];
        (counts[10], counts[20]) = (100, 400);
        let thinning = Thinning::new([1.0; 3], &counts);
        let mut generator = random::generator(1, 2);
        let kept = (0..10_000)
            .filter(|_| thinning.keeps(20, &mut generator))
            .count();
        assert!(kept.abs_diff(2500) < 174, "{kept}");
    }
}
