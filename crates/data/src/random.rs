//! Reproducible random numbers: the generator is fixed, and everything derived from its
//! numbers is implemented here.

pub use rand_xoshiro::Xoshiro256PlusPlus as Generator;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// An odd number whose multiples modulo 2^64 are far apart.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The generator for one of many tasks with the same seed.
pub fn generator(seed: u64, number: u64) -> Generator {
    // Hashed, because seeding adds the same step for each word of the generator's state
    // by which the seeds of neighbouring tasks would differ.
    Generator::seed_from_u64(hashed(hashed(seed).wrapping_add(number)))
}

/// A bijective hash in which every bit depends on every bit of the number: the finaliser
/// of SplitMix64.
pub fn hashed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(STEP);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// A uniform random number below `bound`, which must not be 0.
pub fn below(generator: &mut Generator, bound: u64) -> u64 {
    // The last, incomplete run of remainders would favour small numbers.
    let rest = (u64::MAX % bound + 1) % bound;
    loop {
        let number = generator.next_u64();
        if number <= u64::MAX - rest {
            return number % bound;
        }
    }
}

/// The same without division, for speed. It gives other numbers than [`below`], on which
/// published orders depend.
#[inline]
pub fn below_fast(generator: &mut Generator, bound: u64) -> u64 {
    loop {
        let product = u128::from(generator.next_u64()) * u128::from(bound);
        let rest = product as u64;
        // Low parts below this belong to numbers that would be slightly too frequent.
        if rest >= bound || rest >= bound.wrapping_neg() % bound {
            return (product >> 64) as u64;
        }
    }
}

/// True with this probability.
#[inline]
pub fn chance(generator: &mut Generator, probability: f64) -> bool {
    // An f64 has 53 bits of mantissa.
    ((generator.next_u64() >> 11) as f64) < probability * (1_u64 << 53) as f64
}

/// Shuffles by the Fisher-Yates method.
pub fn shuffle<T>(items: &mut [T], seed: u64) {
    shuffle_with(items, &mut generator(seed, 0));
}

/// The same with a given generator.
pub fn shuffle_with<T>(items: &mut [T], generator: &mut Generator) {
    for last in (1..items.len()).rev() {
        let other = below(generator, last as u64 + 1);
        items.swap(last, other as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_a_seed_is_pinned() {
        let shuffled = |seed| {
            let mut items: Vec<u32> = (0..10).collect();
            shuffle(&mut items, seed);
            items
        };
        // Computed by another program.
        assert_eq!(shuffled(0), [6, 8, 0, 4, 5, 9, 1, 3, 7, 2]);
        assert_eq!(shuffled(1), [2, 4, 7, 3, 8, 6, 1, 9, 0, 5]);
    }

    #[test]
    fn neighbouring_seeds_and_numbers_share_no_numbers() {
        let mut seen = std::collections::HashSet::new();
        for seed in 0..40 {
            for number in 0..40 {
                let mut generator = generator(seed, number);
                for _ in 0..8 {
                    assert!(seen.insert(generator.next_u64()), "{seed} {number}");
                }
            }
        }
    }

    #[test]
    fn hashes_are_those_of_split_mix() {
        // The first numbers of the generator with seed 0, from its reference.
        let mut state = 0_u64;
        for expected in [
            0xE220_A839_7B1D_CDAF,
            0x6E78_9E6A_A1B9_65F4,
            0x06C4_5D18_8009_454F,
        ] {
            assert_eq!(hashed(state), expected);
            state = state.wrapping_add(STEP);
        }
    }

    #[test]
    fn every_order_is_equally_likely() {
        let mut counts = [0u32; 27];
        for seed in 0..6000 {
            let mut items = [0, 1, 2];
            shuffle(&mut items, seed);
            counts[items[0] * 9 + items[1] * 3 + items[2]] += 1;
        }
        let seen: Vec<u32> = counts.into_iter().filter(|&count| count > 0).collect();
        assert_eq!(seen.len(), 6);
        // 1000 each, within four standard deviations.
        assert!(
            seen.iter().all(|count| count.abs_diff(1000) < 116),
            "{seen:?}"
        );
    }

    #[test]
    fn chances_are_as_likely_as_they_say() {
        let mut generator = generator(5, 0);
        let mut count = |probability| {
            (0..10_000)
                .filter(|_| chance(&mut generator, probability))
                .count()
        };
        assert_eq!((count(0.0), count(1.0)), (0, 10_000));
        // Within four standard deviations.
        assert!(count(0.25).abs_diff(2500) < 174);
    }

    #[test]
    fn bounds_are_kept() {
        let mut generator = generator(7, 3);
        for bound in [1, 2, 3, 1 << 40, u64::MAX] {
            for _ in 0..100 {
                assert!(below(&mut generator, bound) < bound);
                assert!(below_fast(&mut generator, bound) < bound);
            }
        }
        // For this bound, half of all numbers are rejected and drawn again.
        let bound = (1 << 63) + 1;
        let large = (0..1000).filter(|_| below(&mut generator, bound) > bound / 2);
        assert!(large.count().abs_diff(500) < 64);
        let large = (0..1000).filter(|_| below_fast(&mut generator, bound) > bound / 2);
        assert!(large.count().abs_diff(500) < 64);
    }
}
