//! Arithmetic on 16 numbers at once, for the CPU that runs the program.
//!
//! A kernel is a [`Job`], written once against the trait [`Lanes`] and compiled for each
//! instruction set; [`run`] selects one. AVX-512 and AVX2 give the same bits. Plain Rust, which has
//! no fused multiply-add, does not; so saved results must be stored together with the name of the
//! instruction set.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

use std::sync::OnceLock;

/// Numbers in a [`Strip`].
pub(crate) const WIDTH: usize = 16;

/// Sixteen numbers: one cache line.
#[derive(Clone, Copy, PartialEq, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Strip(pub(crate) [f32; WIDTH]);

impl Strip {
    /// Zeros.
    pub(crate) const ZERO: Strip = Strip([0.0; WIDTH]);
}

/// Sixteen numbers in registers.
///
/// Methods may be called only within a [`Job`] that [`run`] runs: implementations use instructions
/// that other CPUs do not have.
pub(crate) trait Lanes: Copy {
    fn splat(value: f32) -> Self;
    fn load(strip: &Strip) -> Self;
    fn store(self, strip: &mut Strip);
    /// Prefetches a strip that will be needed soon.
    fn fetch(strip: &Strip);
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn sqrt(self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// `self * factor + addend`.
    fn mul_add(self, factor: Self, addend: Self) -> Self;
    /// The number where `gate` lies between 0 and 1, otherwise 0.
    fn where_open(self, gate: Self) -> Self;
    /// Rounds to the nearest integer, ties to even.
    fn round(self) -> Self;
    fn is_zero(self) -> bool;

    /// Clipped to the range from 0 to 1.
    #[inline(always)]
    fn clipped(self) -> Self {
        self.max(Self::splat(0.0)).min(Self::splat(1.0))
    }

    /// The sum of all 16, always added in the same order.
    #[inline(always)]
    fn sum(self) -> f32 {
        let mut strip = Strip::ZERO;
        self.store(&mut strip);
        let mut numbers = strip.0;
        for half in [8, 4, 2, 1] {
            for index in 0..half {
                numbers[index] += numbers[index + half];
            }
        }
        numbers[0]
    }
}

/// A kernel, compiled for each instruction set.
pub(crate) trait Job {
    type Output;
    /// Implementations must be `#[inline(always)]`, so that they are compiled with the caller's
    /// instruction set.
    fn run<V: Lanes>(self) -> Self::Output;
}

/// The instruction sets for which lanes are implemented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InstructionSet {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

impl InstructionSet {
    /// The best one that this CPU supports.
    pub(crate) fn best() -> InstructionSet {
        static BEST: OnceLock<InstructionSet> = OnceLock::new();
        *BEST.get_or_init(|| InstructionSet::available()[0])
    }

    /// All that this CPU supports, the best first.
    pub(crate) fn available() -> Vec<InstructionSet> {
        let mut sets = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
                sets.push(InstructionSet::Avx512);
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                sets.push(InstructionSet::Avx2);
            }
        }
        sets.push(InstructionSet::Portable);
        sets
    }

    /// The name for records: instruction sets with the same name give the same results.
    pub(crate) fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 | InstructionSet::Avx2 => "fused",
            InstructionSet::Portable => "portable",
        }
    }
}

/// Runs a job with the best instruction set of this CPU.
#[inline]
pub(crate) fn run<J: Job>(job: J) -> J::Output {
    run_with(InstructionSet::best(), job)
}

/// Runs a job with this instruction set, which the CPU must support.
#[inline]
pub(crate) fn run_with<J: Job>(set: InstructionSet, job: J) -> J::Output {
    match set {
        // SAFETY: a set that the CPU does not have is never made: `available`
        // asked for the features that the functions are compiled with.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => unsafe { avx512::run(job) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => unsafe { avx2::run(job) },
        InstructionSet::Portable => job.run::<portable::Numbers>(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Everything<'a>(&'a Strip, &'a Strip);

    impl Job for Everything<'_> {
        type Output = (Vec<Strip>, f32, [bool; 2]);

        #[inline(always)]
        fn run<V: Lanes>(self) -> Self::Output {
            let (a, b) = (V::load(self.0), V::load(self.1));
            let results = [
                a.add(b),
                a.sub(b),
                a.mul(b),
                a.div(b),
                a.mul(a).sqrt(),
                a.min(b),
                a.max(b),
                a.mul_add(b, V::splat(0.3)),
                b.where_open(a),
                a.round(),
                a.clipped(),
            ];
            let strips = results.map(|lanes| {
                let mut strip = Strip::ZERO;
                lanes.store(&mut strip);
                strip
            });
            let zeros = [a.is_zero(), a.sub(a).is_zero()];
            (strips.to_vec(), a.sum(), zeros)
        }
    }

    fn numbers() -> [Strip; 2] {
        let a = std::array::from_fn(|index| (index as f32 - 7.5) * 0.37);
        let b = std::array::from_fn(|index| (index as f32 * 1.7).sin() + 0.01);
        [Strip(a), Strip(b)]
    }

    #[test]
    fn every_set_computes_what_plain_numbers_do() {
        let [a, b] = numbers();
        for set in InstructionSet::available() {
            let (strips, sum, zeros) = run_with(set, Everything(&a, &b));
            for lane in 0..WIDTH {
                let (x, y) = (a.0[lane], b.0[lane]);
                let open = if x > 0.0 && x < 1.0 { y } else { 0.0 };
                let expected = [
                    x + y,
                    x - y,
                    x * y,
                    x / y,
                    (x * x).sqrt(),
                    x.min(y),
                    x.max(y),
                    x * y + 0.3,
                    open,
                    x.round_ties_even(),
                    x.clamp(0.0, 1.0),
                ];
                for (strip, expected) in strips.iter().zip(expected) {
                    assert!((strip.0[lane] - expected).abs() < 1e-6, "{set:?} {lane}");
                }
            }
            assert!((sum - a.0.iter().sum::<f32>()).abs() < 1e-5);
            assert_eq!(zeros, [false, true]);
        }
    }

    #[test]
    fn sets_of_one_name_give_the_same_bits() {
        let [a, b] = numbers();
        for first in InstructionSet::available() {
            for second in InstructionSet::available() {
                if first.name() == second.name() {
                    let results = [first, second].map(|set| run_with(set, Everything(&a, &b)));
                    assert_eq!(results[0], results[1]);
                }
            }
        }
    }
}
