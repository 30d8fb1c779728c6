//! Lanes in two registers of AVX2.

use super::{Job, Lanes, Strip};
use std::arch::x86_64::*;

/// Sixteen numbers.
#[derive(Clone, Copy)]
pub(super) struct Registers([__m256; 2]);

/// # Safety
/// The CPU must have AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn run<J: Job>(job: J) -> J::Output {
    job.run::<Registers>()
}

/// Intrinsics on both halves. Lanes are used only within jobs, which this module
/// runs only where the CPU has the instructions.
macro_rules! halves {
    ($name:ident ( $($argument:expr),* )) => {
        // SAFETY: see the macro's text; the arguments are registers. No closure:
        // it would be compiled without the instructions.
        Registers(unsafe { [$name($($argument.0[0]),*), $name($($argument.0[1]),*)] })
    };
}

impl Lanes for Registers {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: as above.
        Registers([unsafe { _mm256_set1_ps(value) }; 2])
    }

    #[inline(always)]
    fn load(strip: &Strip) -> Self {
        let (low, high) = strip.0.split_at(8);
        // SAFETY: as above; each half has eight numbers and is aligned.
        Registers(unsafe { [_mm256_load_ps(low.as_ptr()), _mm256_load_ps(high.as_ptr())] })
    }

    #[inline(always)]
    fn store(self, strip: &mut Strip) {
        let (low, high) = strip.0.split_at_mut(8);
        for (half, register) in [low, high].into_iter().zip(self.0) {
            // SAFETY: as in `load`.
            unsafe { _mm256_store_ps(half.as_mut_ptr(), register) }
        }
    }

    #[inline(always)]
    fn fetch(strip: &Strip) {
        // SAFETY: every CPU of this kind can do it, and nothing is read or written.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(strip.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        halves!(_mm256_add_ps(self, other))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        halves!(_mm256_sub_ps(self, other))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        halves!(_mm256_mul_ps(self, other))
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        halves!(_mm256_div_ps(self, other))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        halves!(_mm256_sqrt_ps(self))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        halves!(_mm256_min_ps(self, other))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        halves!(_mm256_max_ps(self, other))
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        halves!(_mm256_fmadd_ps(self, factor, addend))
    }

    #[inline(always)]
    fn where_open(self, gate: Self) -> Self {
        let (zero, one) = (Self::splat(0.0), Self::splat(1.0));
        let above = halves!(less(zero, gate));
        let below = halves!(less(gate, one));
        let open = halves!(_mm256_and_ps(above, below));
        halves!(_mm256_and_ps(open, self))
    }

    #[inline(always)]
    fn round(self) -> Self {
        halves!(nearest(self))
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        let differs = halves!(differ(self, Self::splat(0.0)));
        let both = halves!(_mm256_or_ps(differs, Registers([differs.0[1]; 2])));
        // SAFETY: as above.
        unsafe { _mm256_movemask_ps(both.0[0]) == 0 }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn less(a: __m256, b: __m256) -> __m256 {
    _mm256_cmp_ps::<_CMP_LT_OQ>(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn differ(a: __m256, b: __m256) -> __m256 {
    _mm256_cmp_ps::<_CMP_NEQ_UQ>(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn nearest(a: __m256) -> __m256 {
    _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a)
}
