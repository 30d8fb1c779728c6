//! Lanes in plain Rust, for any CPU.

use super::{Lanes, Strip, WIDTH};

/// Sixteen numbers.
#[derive(Clone, Copy)]
pub(super) struct Numbers([f32; WIDTH]);

impl Numbers {
    #[inline(always)]
    fn with(self, other: Self, operation: impl Fn(f32, f32) -> f32) -> Self {
        Numbers(std::array::from_fn(|lane| {
            operation(self.0[lane], other.0[lane])
        }))
    }
}

impl Lanes for Numbers {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Numbers([value; WIDTH])
    }

    #[inline(always)]
    fn load(strip: &Strip) -> Self {
        Numbers(strip.0)
    }

    #[inline(always)]
    fn store(self, strip: &mut Strip) {
        strip.0 = self.0;
    }

    #[inline(always)]
    fn fetch(_: &Strip) {}

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(other, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(other, |a, b| a * b)
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.with(other, |a, b| a / b)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Numbers(self.0.map(f32::sqrt))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.with(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.with(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self.mul(factor).add(addend)
    }

    #[inline(always)]
    fn where_open(self, gate: Self) -> Self {
        self.with(
            gate,
            |a, gate| {
                if gate > 0.0 && gate < 1.0 { a } else { 0.0 }
            },
        )
    }

    #[inline(always)]
    fn round(self) -> Self {
        Numbers(self.0.map(f32::round_ties_even))
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0.iter().all(|&number| number == 0.0)
    }
}
