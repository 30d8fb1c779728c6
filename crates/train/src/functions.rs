//! Our own exponential and logarithm: system libraries differ in the last bit, and training must be
//! reproducible bit by bit.

/// `e` to the power of `x`, exact to about seven digits.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    // Beyond these bounds the result is 0 or overflows.
    let x = x.clamp(-87.0, 88.0);
    let whole = (x * std::f32::consts::LOG2_E).round_ties_even();
    // The logarithm of 2 is split into two parts, the first with few digits, so that the difference
    // is exact.
    let rest = x - whole * 0.693_359_4 - whole * -2.121_944_4e-4;
    let mut sum = 1.987_569_1e-4;
    for factor in [
        1.398_2e-3,
        8.333_452e-3,
        4.166_579_6e-2,
        1.666_666_5e-1,
        0.5,
    ] {
        sum = sum * rest + factor;
    }
    let fraction = sum * rest * rest + rest + 1.0;
    fraction * f32::from_bits(((whole as i32 + 127) << 23) as u32)
}

/// The logistic function, 1 / (1 + e^-x).
#[inline(always)]
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The natural logarithm of a positive number that is not subnormal.
#[inline(always)]
pub(crate) fn ln(x: f32) -> f32 {
    let bits = x.max(f32::MIN_POSITIVE).to_bits();
    let mut exponent = ((bits >> 23) as i32 - 126) as f32;
    let mut mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f00_0000);
    if mantissa < std::f32::consts::FRAC_1_SQRT_2 {
        exponent -= 1.0;
        mantissa *= 2.0;
    }
    let part = mantissa - 1.0;
    let mut sum = 7.037_683_6e-2;
    for factor in [
        -1.151_461e-1,
        1.167_699_9e-1,
        -1.242_014_1e-1,
        1.424_932_3e-1,
        -1.666_805_8e-1,
        2.000_071_5e-1,
        -2.499_999_4e-1,
        3.333_333e-1,
    ] {
        sum = sum * part + factor;
    }
    let square = part * part;
    let mut result = sum * part * square;
    result += exponent * -2.121_944_4e-4;
    result -= 0.5 * square;
    part + result + exponent * 0.693_359_4
}

/// `x` to the power of `exponent`, for `x` of at least 0.
#[inline(always)]
pub(crate) fn power(x: f32, exponent: f32) -> f32 {
    if x <= 0.0 {
        return if exponent == 0.0 { 1.0 } else { 0.0 };
    }
    exp(ln(x) * exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f32, expected: f64, what: &str) {
        let error = (f64::from(found) - expected).abs();
        assert!(
            error <= 4e-7 * expected.abs().max(1e-30),
            "{what}: {found} {expected}"
        );
    }

    #[test]
    fn functions_are_exact_to_the_digits_of_a_float() {
        for step in -8_000..8_000 {
            let x = step as f32 * 0.01;
            close(exp(x), f64::from(x).exp(), "exp");
            close(
                sigmoid(x / 8.0),
                1.0 / (1.0 + (-f64::from(x) / 8.0).exp()),
                "sigmoid",
            );
        }
        for step in 1..20_000 {
            let x = step as f32 * 0.001;
            let error = (f64::from(ln(x)) - f64::from(x).ln()).abs();
            assert!(error < 3e-7 * f64::from(x).ln().abs().max(1.0), "{x}");
            let error = f64::from(power(x, 2.5)) / f64::from(x).powf(2.5) - 1.0;
            assert!(error.abs() < 5e-6, "{x} {error}");
        }
        assert_eq!([power(0.0, 2.5), power(0.0, 0.0)], [0.0, 1.0]);
        assert_eq!(exp(0.0), 1.0);
    }
}
