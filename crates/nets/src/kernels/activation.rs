//! What follows the sums of a layer: bias, residual and activation; and the softmax.

use super::vector::Vector;
use std::ops::Range;

/// The activation function of a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Activation {
    /// The value itself.
    #[default]
    Identity,
    /// The value, or zero if it is below.
    Relu,
    /// The value times its logistic function.
    Silu,
    /// The hyperbolic tangent.
    Tanh,
}

/// What is done with the rows of a product, in the order of the fields.
#[derive(Clone, Copy, Debug, Default)]
pub struct Finish<'a> {
    /// One value for each column, added to every row.
    pub bias: Option<&'a [f32]>,
    /// A matrix of the same shape, added to the result.
    pub residual: Option<&'a [f32]>,
    /// Applied last.
    pub activation: Activation,
}

impl Finish<'_> {
    /// The part for some rows, given by the range of their values in the whole result.
    #[inline(always)]
    pub(super) fn of(&self, values: Range<usize>) -> Self {
        Self {
            residual: self.residual.map(|residual| &residual[values]),
            ..*self
        }
    }
}

/// Finishes whole rows.
///
/// # Safety
/// The CPU has the instructions of `V`; `values` are whole rows as long as the
/// bias, and as many as the residual's.
#[inline(always)]
pub(super) unsafe fn finish<V: Vector>(values: &mut [f32], how: &Finish<'_>) {
    let plain = how.bias.is_none() && how.residual.is_none();
    if plain && how.activation == Activation::Identity || values.is_empty() {
        return;
    }
    // Each activation has its own loop, so that there is no branch for each value.
    // SAFETY: as the caller's.
    unsafe {
        match how.activation {
            Activation::Identity => finish_by::<V>(values, how, Activation::Identity),
            Activation::Relu => finish_by::<V>(values, how, Activation::Relu),
            Activation::Silu => finish_by::<V>(values, how, Activation::Silu),
            Activation::Tanh => finish_by::<V>(values, how, Activation::Tanh),
        }
    }
}

/// # Safety
/// As [`finish`].
#[inline(always)]
unsafe fn finish_by<V: Vector>(values: &mut [f32], how: &Finish<'_>, activation: Activation) {
    let width = how.bias.map_or(values.len(), <[f32]>::len);
    for first in (0..values.len()).step_by(width) {
        let row = values[first..first + width].as_mut_ptr();
        let residual = how.residual.map(|all| &all[first..first + width]);
        for at in (0..width).step_by(V::LANES) {
            let count = V::LANES.min(width - at);
            // SAFETY: `count` values from `at` lie within row, bias and residual.
            unsafe {
                let mut value = load::<V>(row.add(at), count);
                if let Some(bias) = how.bias {
                    value = value.plus(load::<V>(bias.as_ptr().add(at), count));
                }
                if let Some(residual) = residual {
                    value = value.plus(load::<V>(residual.as_ptr().add(at), count));
                }
                store(activated(value, activation), row.add(at), count);
            }
        }
    }
}

/// Turns values into positive ones that sum to one.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn softmax<V: Vector>(values: &mut [f32]) {
    let Some(&first) = values.first() else { return };
    let most = values.iter().fold(
        first,
        |most, &value| if value > most { value } else { most },
    );
    let (start, length) = (values.as_mut_ptr(), values.len());
    // SAFETY: `count` values from `at` lie within the slice.
    unsafe {
        let mut sums = V::splat(0.0);
        for at in (0..length).step_by(V::LANES) {
            let count = V::LANES.min(length - at);
            let powers = exponential(load::<V>(start.add(at), count).minus(V::splat(most)));
            store(powers, start.add(at), count);
            sums = sums.plus(load::<V>(start.add(at), count));
        }
        let factor = V::splat(1.0 / sums.sum());
        for at in (0..length).step_by(V::LANES) {
            let count = V::LANES.min(length - at);
            store(
                load::<V>(start.add(at), count).times(factor),
                start.add(at),
                count,
            );
        }
    }
}

/// # Safety
/// The CPU has the instructions of `V`; `count` values can be read.
#[inline(always)]
pub(super) unsafe fn load<V: Vector>(from: *const f32, count: usize) -> V {
    // SAFETY: as the caller's.
    unsafe {
        if count == V::LANES {
            V::load(from)
        } else {
            V::load_first(from, count)
        }
    }
}

/// # Safety
/// `count` values can be written.
#[inline(always)]
pub(super) unsafe fn store<V: Vector>(value: V, to: *mut f32, count: usize) {
    // SAFETY: as the caller's.
    unsafe {
        if count == V::LANES {
            value.store(to);
        } else {
            value.store_first(to, count);
        }
    }
}

/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn activated<V: Vector>(value: V, activation: Activation) -> V {
    // SAFETY: as the caller's.
    unsafe {
        match activation {
            Activation::Identity => value,
            // In this order a NaN stays NaN, so that a broken net is noticed.
            Activation::Relu => V::splat(0.0).largest(value),
            Activation::Silu => {
                let power = exponential(V::splat(0.0).minus(value));
                value.over(V::splat(1.0).plus(power))
            }
            Activation::Tanh => tanh(value),
        }
    }
}

/// Arguments are clamped to these bounds, so that the result is a normal number.
const LEAST_EXPONENT: f32 = -87.0;
const MOST_EXPONENT: f32 = 88.0;
/// The natural logarithm of 2 in two parts, the first with few enough bits that
/// its multiples are exact.
const LN_2_HIGH: f32 = 355.0 / 512.0;
const LN_2_LOW: f32 = -2.121_944_4e-4;

/// e to the power of each lane, with an error of about 2 units in the last place: a
/// power of two times the Taylor series up to x^7, whose next term is below 6e-9.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn exponential<V: Vector>(value: V) -> V {
    const COEFFICIENTS: [f32; 7] = [
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        1.0 / 2.0,
        1.0,
        1.0,
    ];
    // SAFETY: as the caller's.
    unsafe {
        let value = V::splat(MOST_EXPONENT).smallest(value);
        let value = V::splat(LEAST_EXPONENT).largest(value);
        let twos = value.times(V::splat(std::f32::consts::LOG2_E)).rounded();
        let rest = twos.times_plus(V::splat(-LN_2_HIGH), value);
        let rest = twos.times_plus(V::splat(-LN_2_LOW), rest);
        let mut sum = V::splat(1.0 / 5040.0);
        for coefficient in COEFFICIENTS {
            sum = sum.times_plus(rest, V::splat(coefficient));
        }
        sum.times(twos.power_of_two())
    }
}

/// The hyperbolic tangent: for arguments below 1 by Lambert's continued fraction, which is
/// exact for small values, above by the exponential function.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn tanh<V: Vector>(value: V) -> V {
    // SAFETY: as the caller's.
    unsafe {
        let (one, two) = (V::splat(1.0), V::splat(2.0));
        let square = value.times(value);
        let above = square
            .plus(V::splat(378.0))
            .times_plus(square, V::splat(17_325.0))
            .times_plus(square, V::splat(135_135.0));
        let below = square
            .times_plus(V::splat(28.0), V::splat(3_150.0))
            .times_plus(square, V::splat(62_370.0))
            .times_plus(square, V::splat(135_135.0));
        let small = value.times(above).over(below);
        let power = exponential(value.times(two));
        let large = one.minus(two.over(power.plus(one)));
        square.if_less(one, small, large)
    }
}
