//! Parallel bit extract and deposit (PEXT and PDEP), with one instruction where the CPU
//! has fast ones.
//!
//! BMI2 has these instructions, but some CPUs without AVX-512 take hundreds of cycles
//! for them; so they are used only on CPUs with both.

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "bmi2",
    target_feature = "avx512f"
))]
mod ways {
    use std::arch::x86_64::{_pdep_u64, _pext_u64};

    #[inline(always)]
    pub(super) fn spread(bits: u64, places: u64) -> u64 {
        // SAFETY: this is only compiled for CPUs that have BMI2.
        unsafe { _pdep_u64(bits, places) }
    }

    #[inline(always)]
    pub(super) fn gather(bits: u64, places: u64) -> u64 {
        // SAFETY: this is only compiled for CPUs that have BMI2.
        unsafe { _pext_u64(bits, places) }
    }
}

#[cfg(not(all(
    target_arch = "x86_64",
    target_feature = "bmi2",
    target_feature = "avx512f"
)))]
mod ways {
    #[inline(always)]
    pub(super) fn spread(bits: u64, places: u64) -> u64 {
        super::spread_slowly(bits, places)
    }

    #[inline(always)]
    pub(super) fn gather(bits: u64, places: u64) -> u64 {
        super::gather_slowly(bits, places)
    }
}

/// Deposits the lowest bits into the set places, from the lowest on.
#[inline(always)]
pub(crate) fn spread(bits: u64, places: u64) -> u64 {
    ways::spread(bits, places)
}

/// Extracts the bits at the set places, from the lowest on.
#[inline(always)]
pub(crate) fn gather(bits: u64, places: u64) -> u64 {
    ways::gather(bits, places)
}

/// The index of the set bit with this number, from 0; 64 if there is none.
#[inline(always)]
pub(crate) fn nth(set: u64, number: u32) -> u32 {
    spread(1 << (number & 63), set).trailing_zeros()
}

#[allow(dead_code)] // Which of the two ways is used depends on the CPU.
fn spread_slowly(bits: u64, places: u64) -> u64 {
    let (mut bits, mut places, mut spread) = (bits, places, 0);
    while places != 0 && bits != 0 {
        let place = places & places.wrapping_neg();
        spread |= place * (bits & 1);
        bits >>= 1;
        places ^= place;
    }
    spread
}

#[allow(dead_code)] // As above.
fn gather_slowly(bits: u64, places: u64) -> u64 {
    let (mut places, mut gathered, mut number) = (places, 0, 0);
    while places != 0 {
        let place = places & places.wrapping_neg();
        gathered |= u64::from(bits & place != 0) << number;
        number += 1;
        places ^= place;
    }
    gathered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;
    use rand_xoshiro::rand_core::Rng;

    #[test]
    fn both_ways_are_the_same() {
        let mut generator = random::generator(1, 1);
        for _ in 0..10_000 {
            let (bits, places) = (generator.next_u64(), generator.next_u64());
            assert_eq!(spread(bits, places), spread_slowly(bits, places));
            assert_eq!(gather(bits, places), gather_slowly(bits, places));
            assert_eq!(spread(gather(bits, places), places), bits & places);
        }
        assert_eq!(spread(0b1101, 0b1110_0010), 0b1100_0010);
        assert_eq!(gather(0b1100_1010, 0b1110_0010), 0b1101);
    }

    #[test]
    fn bits_are_counted_from_the_lowest() {
        assert_eq!(
            [0, 1, 2, 3].map(|number| nth(0b1001_0100, number)),
            [2, 4, 7, 64]
        );
    }
}
