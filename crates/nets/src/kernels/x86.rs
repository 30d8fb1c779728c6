//! The registers of x86-64: AVX2 with FMA, and AVX-512 with or without the
//! instruction for pairs of bf16 values.

use super::vector::Vector;
use std::arch::x86_64::*;

/// AVX2 with FMA.
#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256);

/// AVX-512; `BF16` says whether the CPU has `vdpbf16ps`.
#[derive(Clone, Copy)]
pub(super) struct Avx512<const BF16: bool>(__m512);

/// The functions of [`Vector`] that are one instruction, for both widths.
macro_rules! instructions {
    ($($function:ident($($argument:ident),*) = $instruction:ident;)*) => {$(
        #[inline(always)]
        fn $function(self, $($argument: Self),*) -> Self {
            // SAFETY: values of this type exist only where the CPU has the
            // instructions.
            Self(unsafe { $instruction(self.0, $($argument.0),*) })
        }
    )*};
}

impl Vector for Avx2 {
    const LANES: usize = 8;
    const TILE_ROWS: usize = 4;
    type Pairs = __m256i;

    instructions! {
        plus(other) = _mm256_add_ps;
        minus(other) = _mm256_sub_ps;
        times(other) = _mm256_mul_ps;
        over(divisor) = _mm256_div_ps;
        times_plus(factor, addend) = _mm256_fmadd_ps;
        largest(other) = _mm256_max_ps;
        smallest(other) = _mm256_min_ps;
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        // SAFETY: the caller vouches for the CPU.
        Self(unsafe { _mm256_set1_ps(value) })
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller vouches for the CPU and eight values.
        Self(unsafe { _mm256_loadu_ps(from) })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller vouches for room for eight values.
        unsafe { _mm256_storeu_ps(to, self.0) }
    }
    #[inline(always)]
    unsafe fn load_pairs(from: *const u32) -> __m256i {
        // SAFETY: the caller vouches for the CPU and eight pairs.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }
    #[inline(always)]
    unsafe fn splat_pair(pair: u32) -> __m256i {
        // SAFETY: the caller vouches for the CPU.
        unsafe { _mm256_set1_epi32(pair.cast_signed()) }
    }
    #[inline(always)]
    fn rounded(self) -> Self {
        const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
        // SAFETY: values of this type exist only where the CPU has AVX2.
        Self(unsafe { _mm256_round_ps::<NEAREST>(self.0) })
    }
    #[inline(always)]
    fn power_of_two(self) -> Self {
        // SAFETY: as in `rounded`.
        Self(unsafe {
            let biased = _mm256_add_epi32(_mm256_cvtps_epi32(self.0), _mm256_set1_epi32(127));
            _mm256_castsi256_ps(_mm256_slli_epi32::<23>(biased))
        })
    }
    #[inline(always)]
    fn if_less(self, bound: Self, then: Self, otherwise: Self) -> Self {
        // SAFETY: as in `rounded`.
        Self(unsafe {
            let less = _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, bound.0);
            _mm256_blendv_ps(otherwise.0, then.0, less)
        })
    }
    #[inline(always)]
    fn plus_pairs(self, a: __m256i, b: __m256i) -> Self {
        // SAFETY: as in `rounded`.
        Self(unsafe {
            let high_half = _mm256_set1_epi32(0xffff_0000_u32.cast_signed());
            let low_a = _mm256_castsi256_ps(_mm256_slli_epi32::<16>(a));
            let low_b = _mm256_castsi256_ps(_mm256_slli_epi32::<16>(b));
            let high_a = _mm256_castsi256_ps(_mm256_and_si256(a, high_half));
            let high_b = _mm256_castsi256_ps(_mm256_and_si256(b, high_half));
            _mm256_fmadd_ps(high_a, high_b, _mm256_fmadd_ps(low_a, low_b, self.0))
        })
    }
}

impl<const BF16: bool> Vector for Avx512<BF16> {
    const LANES: usize = 16;
    const TILE_ROWS: usize = 8;
    type Pairs = __m512i;

    instructions! {
        plus(other) = _mm512_add_ps;
        minus(other) = _mm512_sub_ps;
        times(other) = _mm512_mul_ps;
        over(divisor) = _mm512_div_ps;
        times_plus(factor, addend) = _mm512_fmadd_ps;
        largest(other) = _mm512_max_ps;
        smallest(other) = _mm512_min_ps;
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        // SAFETY: the caller vouches for the CPU.
        Self(unsafe { _mm512_set1_ps(value) })
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller vouches for the CPU and sixteen values.
        Self(unsafe { _mm512_loadu_ps(from) })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller vouches for room for sixteen values.
        unsafe { _mm512_storeu_ps(to, self.0) }
    }
    #[inline(always)]
    unsafe fn load_pairs(from: *const u32) -> __m512i {
        // SAFETY: the caller vouches for the CPU and sixteen pairs.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }
    #[inline(always)]
    unsafe fn splat_pair(pair: u32) -> __m512i {
        // SAFETY: the caller vouches for the CPU.
        unsafe { _mm512_set1_epi32(pair.cast_signed()) }
    }
    #[inline(always)]
    fn rounded(self) -> Self {
        const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
        // SAFETY: values of this type exist only where the CPU has AVX-512.
        Self(unsafe { _mm512_roundscale_ps::<NEAREST>(self.0) })
    }
    #[inline(always)]
    fn power_of_two(self) -> Self {
        // SAFETY: as in `rounded`.
        Self(unsafe { _mm512_scalef_ps(_mm512_set1_ps(1.0), self.0) })
    }
    #[inline(always)]
    fn if_less(self, bound: Self, then: Self, otherwise: Self) -> Self {
        // SAFETY: as in `rounded`.
        Self(unsafe {
            let less = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, bound.0);
            _mm512_mask_blend_ps(less, otherwise.0, then.0)
        })
    }
    #[inline(always)]
    fn plus_pairs(self, a: __m512i, b: __m512i) -> Self {
        if BF16 {
            // SAFETY: as in `rounded`, and `BF16` says that the CPU has the
            // instruction; both types are registers of 512 bits.
            return Self(unsafe {
                let (a, b) = (
                    std::mem::transmute::<__m512i, __m512bh>(a),
                    std::mem::transmute::<__m512i, __m512bh>(b),
                );
                _mm512_dpbf16_ps(self.0, a, b)
            });
        }
        // SAFETY: as in `rounded`.
        Self(unsafe {
            let high_half = _mm512_set1_epi32(0xffff_0000_u32.cast_signed());
            let low_a = _mm512_castsi512_ps(_mm512_slli_epi32::<16>(a));
            let low_b = _mm512_castsi512_ps(_mm512_slli_epi32::<16>(b));
            let high_a = _mm512_castsi512_ps(_mm512_and_si512(a, high_half));
            let high_b = _mm512_castsi512_ps(_mm512_and_si512(b, high_half));
            _mm512_fmadd_ps(high_a, high_b, _mm512_fmadd_ps(low_a, low_b, self.0))
        })
    }
}
