//! Lanes in one register of AVX-512.

use super::{Job, Lanes, Strip};
use std::arch::x86_64::*;

/// Sixteen numbers.
#[derive(Clone, Copy)]
pub(super) struct Register(__m512);

/// # Safety
/// The CPU must have AVX-512 F and DQ.
#[target_feature(enable = "avx512f,avx512dq,fma")]
pub(super) unsafe fn run<J: Job>(job: J) -> J::Output {
    job.run::<Register>()
}

/// Intrinsics on registers. Lanes are used only within jobs, which this module
/// runs only where the CPU has the instructions.
macro_rules! intrinsic {
    ($name:ident ( $($argument:expr),* )) => {
        // SAFETY: see the macro's text; the arguments are registers, or strips,
        // which are as long and as aligned as a register.
        unsafe { $name($($argument),*) }
    };
}

impl Lanes for Register {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Register(intrinsic!(_mm512_set1_ps(value)))
    }

    #[inline(always)]
    fn load(strip: &Strip) -> Self {
        Register(intrinsic!(_mm512_load_ps(strip.0.as_ptr())))
    }

    #[inline(always)]
    fn store(self, strip: &mut Strip) {
        intrinsic!(_mm512_store_ps(strip.0.as_mut_ptr(), self.0))
    }

    #[inline(always)]
    fn fetch(strip: &Strip) {
        // SAFETY: every CPU of this kind can do it, and nothing is read or written.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(strip.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Register(intrinsic!(_mm512_add_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Register(intrinsic!(_mm512_sub_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Register(intrinsic!(_mm512_mul_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Register(intrinsic!(_mm512_div_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Register(intrinsic!(_mm512_sqrt_ps(self.0)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Register(intrinsic!(_mm512_min_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Register(intrinsic!(_mm512_max_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        Register(intrinsic!(_mm512_fmadd_ps(self.0, factor.0, addend.0)))
    }

    #[inline(always)]
    fn where_open(self, gate: Self) -> Self {
        let (zero, one) = (Self::splat(0.0), Self::splat(1.0));
        let above = intrinsic!(_mm512_cmplt_ps_mask(zero.0, gate.0));
        let open = intrinsic!(_mm512_mask_cmplt_ps_mask(above, gate.0, one.0));
        Register(intrinsic!(_mm512_maskz_mov_ps(open, self.0)))
    }

    #[inline(always)]
    fn round(self) -> Self {
        // SAFETY: as for the others; the rounding is a constant.
        Register(unsafe { _mm512_roundscale_ps::<_MM_FROUND_TO_NEAREST_INT>(self.0) })
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        let zero = Self::splat(0.0);
        intrinsic!(_mm512_cmpneq_ps_mask(self.0, zero.0)) == 0
    }
}
