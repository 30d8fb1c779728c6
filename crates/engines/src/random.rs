//! All randomness of a search: noise, sampling, the order of equal moves. The generator is fixed
//! here, so that a seed means the same in every version.

use crate::mixing::mixed;

/// SplitMix64.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The generator for one search, seeded by the game's seed and the number of plies played.
    pub(crate) fn new(seed: u64, ply: usize) -> Random {
        let mut random = Random(seed);
        random.0 = random.next() ^ ply as u64;
        random.next();
        random
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// A number between 0 and 1, excluding both.
    pub(crate) fn share(&mut self) -> f64 {
        ((self.next() >> 12) as f64 + 0.5) / (1u64 << 52) as f64
    }

    /// Shuffles a list; all orders are equally likely.
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let other = (self.next() >> 32) as usize % (last + 1);
            list.swap(last, other);
        }
    }

    /// A number from the Gumbel distribution.
    pub(crate) fn gumbel(&mut self) -> f64 {
        -libm::log(-libm::log(self.share()))
    }

    /// A number from the normal distribution.
    fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(self.share()));
        radius * libm::cos(std::f64::consts::TAU * self.share())
    }

    /// A number from the gamma distribution with this shape, by Marsaglia and Tsang.
    fn gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            let boost = libm::pow(self.share(), 1.0 / shape);
            return self.gamma(shape + 1.0) * boost;
        }
        let base = shape - 1.0 / 3.0;
        let spread = 1.0 / libm::sqrt(9.0 * base);
        loop {
            let normal = self.normal();
            let cube = libm::pow(1.0 + spread * normal, 3.0);
            let bound = 0.5 * normal * normal + base - base * cube;
            if cube > 0.0 && libm::log(self.share()) < bound + base * libm::log(cube) {
                return base * cube;
            }
        }
    }

    /// Shares that sum to 1, from the symmetric Dirichlet distribution.
    pub(crate) fn dirichlet(&mut self, alpha: f64, count: usize) -> Vec<f32> {
        let parts: Vec<f64> = (0..count).map(|_| self.gamma(alpha)).collect();
        let sum: f64 = parts.iter().sum();
        let equal = 1.0 / count as f64;
        let share = |part: f64| if sum > 0.0 { part / sum } else { equal };
        parts.into_iter().map(|part| share(part) as f32).collect()
    }

    /// An index drawn in proportion to these weights; the first if all are 0.
    pub(crate) fn pick(&mut self, weights: &[f64]) -> usize {
        let sum: f64 = weights.iter().sum();
        let mut rest = self.share() * sum;
        for (number, weight) in weights.iter().enumerate() {
            rest -= weight;
            if rest < 0.0 {
                return number;
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: usize = 20_000;

    fn mean_and_variance(mut draw: impl FnMut() -> f64) -> (f64, f64) {
        let drawn: Vec<f64> = (0..COUNT).map(|_| draw()).collect();
        let mean = drawn.iter().sum::<f64>() / COUNT as f64;
        let square = |value: f64| (value - mean) * (value - mean);
        let variance = drawn.iter().map(|&value| square(value)).sum::<f64>() / COUNT as f64;
        (mean, variance)
    }

    #[test]
    fn distributions_have_their_moments() {
        let mut random = Random::new(7, 0);
        let near = |(mean, variance): (f64, f64), expected: (f64, f64)| {
            let is_near = |found: f64, wanted: f64| (found - wanted).abs() < 0.05 * wanted.max(1.0);
            assert!(
                is_near(mean, expected.0) && is_near(variance, expected.1),
                "{mean} {variance}, not {expected:?}"
            );
        };
        near(mean_and_variance(|| random.share()), (0.5, 1.0 / 12.0));
        near(mean_and_variance(|| random.normal()), (0.0, 1.0));
        near(mean_and_variance(|| random.gumbel()), (0.5772, 1.6449));
        for shape in [0.3, 1.0, 4.5] {
            near(mean_and_variance(|| random.gamma(shape)), (shape, shape));
        }
    }

    #[test]
    fn noise_is_shared_out_whole() {
        let mut random = Random::new(3, 5);
        for alpha in [0.01, 0.3, 10.0] {
            let noise = random.dirichlet(alpha, 20);
            assert!((noise.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            assert!(noise.iter().all(|share| (0.0..=1.0).contains(share)));
        }
    }

    #[test]
    fn weights_are_chances() {
        let mut random = Random::new(1, 1);
        let mut counts = [0; 3];
        for _ in 0..COUNT {
            counts[random.pick(&[1.0, 0.0, 3.0])] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((counts[2] as f64 / COUNT as f64 - 0.75).abs() < 0.02);
        assert_eq!(random.pick(&[0.0, 0.0]), 0);
    }

    #[test]
    fn seed_and_ply_decide() {
        let first = |seed, ply| Random::new(seed, ply).next();
        assert_eq!(first(1, 2), first(1, 2));
        assert_ne!(first(1, 2), first(2, 2));
        assert_ne!(first(1, 2), first(1, 3));
    }
}
