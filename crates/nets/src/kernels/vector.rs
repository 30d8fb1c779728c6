//! The interface of the kernels to a register of f32 values, and its portable version.
//!
//! The kernels are written once, generic over [`Vector`], and compiled for each
//! instruction set. This module must not know matrices or layers.

/// A register of f32 values.
///
/// The unsafe functions create a register and may be called only on a CPU that has
/// the instructions. Having a register therefore proves that the safe functions may
/// be called.
pub(super) trait Vector: Copy {
    /// How many values a register has; divides [`super::matrix::GROUP`].
    const LANES: usize;
    /// How many rows the largest register tile that does not spill has: 8 or 4.
    const TILE_ROWS: usize;
    /// A register of pairs of bf16 values, one pair for each lane.
    type Pairs: Copy;

    /// The same value in every lane.
    ///
    /// # Safety
    /// The CPU has the instructions.
    unsafe fn splat(value: f32) -> Self;
    /// # Safety
    /// The CPU has the instructions, and `LANES` values can be read.
    unsafe fn load(from: *const f32) -> Self;
    /// # Safety
    /// `LANES` values can be written.
    unsafe fn store(self, to: *mut f32);
    /// # Safety
    /// The CPU has the instructions, and `LANES` pairs can be read.
    unsafe fn load_pairs(from: *const u32) -> Self::Pairs;
    /// The same pair in every lane.
    ///
    /// # Safety
    /// The CPU has the instructions.
    unsafe fn splat_pair(pair: u32) -> Self::Pairs;

    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, divisor: Self) -> Self;
    /// `self * factor + addend`, fused into one rounding where the CPU can.
    fn times_plus(self, factor: Self, addend: Self) -> Self;
    /// The larger of both; `other` if one of them is NaN.
    fn largest(self, other: Self) -> Self;
    /// The smaller of both; `other` if one of them is NaN.
    fn smallest(self, other: Self) -> Self;
    /// The nearest integer.
    fn rounded(self) -> Self;
    /// Two to the power of an integer from -126 to 127.
    fn power_of_two(self) -> Self;
    /// In each lane `then` where `self < bound`, else `otherwise`.
    fn if_less(self, bound: Self, then: Self, otherwise: Self) -> Self;
    /// `self` plus both products of each pair.
    fn plus_pairs(self, a: Self::Pairs, b: Self::Pairs) -> Self;

    /// Loads the first `count` lanes; the others are zero.
    ///
    /// # Safety
    /// The CPU has the instructions; `count <= LANES` values can be read.
    #[inline(always)]
    unsafe fn load_first(from: *const f32, count: usize) -> Self {
        debug_assert!(count <= Self::LANES);
        let mut lanes = [0.0; MOST_LANES];
        // SAFETY: the caller vouches for `from`; `lanes` is as long as any register.
        unsafe {
            std::ptr::copy_nonoverlapping(from, lanes.as_mut_ptr(), count);
            Self::load(lanes.as_ptr())
        }
    }

    /// Writes the first `count` lanes.
    ///
    /// # Safety
    /// `count <= LANES` values can be written.
    #[inline(always)]
    unsafe fn store_first(self, to: *mut f32, count: usize) {
        debug_assert!(count <= Self::LANES);
        let lanes = self.lanes();
        // SAFETY: the caller vouches for `to`; `lanes` is as long as any register.
        unsafe { std::ptr::copy_nonoverlapping(lanes.as_ptr(), to, count) }
    }

    /// The lanes, and zeros behind them.
    #[inline(always)]
    fn lanes(self) -> [f32; MOST_LANES] {
        let mut lanes = [0.0; MOST_LANES];
        // SAFETY: `lanes` is as long as any register.
        unsafe { self.store(lanes.as_mut_ptr()) }
        lanes
    }

    /// The sum of all lanes, by adding halves to each other.
    #[inline(always)]
    fn sum(self) -> f32 {
        let mut lanes = self.lanes();
        let mut half = Self::LANES / 2;
        while half > 0 {
            for lane in 0..half {
                lanes[lane] += lanes[lane + half];
            }
            half /= 2;
        }
        lanes[0]
    }
}

/// The widest register of all instruction sets.
pub(super) const MOST_LANES: usize = 16;

/// Plain Rust, with four values, as every CPU's registers hold.
#[derive(Clone, Copy)]
pub(super) struct Portable([f32; 4]);

impl Portable {
    #[inline(always)]
    fn map(self, other: Self, function: impl Fn(f32, f32) -> f32) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([
            function(a, e),
            function(b, f),
            function(c, g),
            function(d, h),
        ])
    }
}

impl Vector for Portable {
    const LANES: usize = 4;
    const TILE_ROWS: usize = 4;
    type Pairs = [u32; 4];

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        Self([value; 4])
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller vouches for four values.
        Self(unsafe { from.cast::<[f32; 4]>().read_unaligned() })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller vouches for room for four values.
        unsafe { to.cast::<[f32; 4]>().write_unaligned(self.0) }
    }
    #[inline(always)]
    unsafe fn load_pairs(from: *const u32) -> [u32; 4] {
        // SAFETY: the caller vouches for four pairs.
        unsafe { from.cast::<[u32; 4]>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn splat_pair(pair: u32) -> [u32; 4] {
        [pair; 4]
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.map(other, |a, b| a + b)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.map(other, |a, b| a - b)
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.map(other, |a, b| a * b)
    }
    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        self.map(divisor, |a, b| a / b)
    }
    #[inline(always)]
    fn times_plus(self, factor: Self, addend: Self) -> Self {
        self.times(factor).plus(addend)
    }
    #[inline(always)]
    fn largest(self, other: Self) -> Self {
        self.map(other, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn smallest(self, other: Self) -> Self {
        self.map(other, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn rounded(self) -> Self {
        Self(self.0.map(f32::round_ties_even))
    }
    #[inline(always)]
    fn power_of_two(self) -> Self {
        let power = |exponent: f32| f32::from_bits(((exponent as i32 + 127) as u32) << 23);
        Self(self.0.map(power))
    }
    #[inline(always)]
    fn if_less(self, bound: Self, then: Self, otherwise: Self) -> Self {
        let mut chosen = otherwise;
        for lane in 0..4 {
            if self.0[lane] < bound.0[lane] {
                chosen.0[lane] = then.0[lane];
            }
        }
        chosen
    }
    #[inline(always)]
    fn plus_pairs(self, a: [u32; 4], b: [u32; 4]) -> Self {
        let low = |pair: u32| f32::from_bits(pair << 16);
        let high = |pair: u32| f32::from_bits(pair & 0xffff_0000);
        self.plus(Self(a.map(low)).times(Self(b.map(low))))
            .plus(Self(a.map(high)).times(Self(b.map(high))))
    }
}
