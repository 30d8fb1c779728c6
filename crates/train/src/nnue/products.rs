//! The layer after the first one in a net of Stockfish's shape, unit by unit: 16 products of each
//! side are a part of the inputs of 16 outputs.
//!
//! Loops run over register indices: iterators are not always unrolled in code for other than the
//! default instruction set, and registers would be spilled to memory.
#![expect(clippy::needless_range_loop)]

use super::stack::PRODUCT;
use crate::lanes::{Lanes, Strip, WIDTH};

/// Positions whose products are multiplied by a weight together, while it is in a register.
pub(crate) const TOGETHER: usize = 8;

/// Adds the contributions of some positions' products to the layer's outputs.
#[inline(always)]
pub(crate) fn add_products<V: Lanes, const POSITIONS: usize>(
    weights: &[Strip],
    lower: &[Strip],
    upper: &[Strip],
    totals: &mut [Strip],
) {
    let mut inputs = [[Strip::ZERO; 2]; POSITIONS];
    let mut sums = [V::splat(0.0); POSITIONS];
    for index in 0..POSITIONS {
        sums[index] = V::load(&totals[index]);
        for side in 0..2 {
            let view = 2 * index + side;
            inputs[index][side] = products::<V>(&lower[view], &upper[view]);
        }
    }
    for side in 0..2 {
        for lane in 0..WIDTH {
            let row = V::load(&weights[side * WIDTH + lane]);
            for index in 0..POSITIONS {
                let input = V::splat(inputs[index][side].0[lane]);
                sums[index] = input.mul_add(row, sums[index]);
            }
        }
    }
    for index in 0..POSITIONS {
        sums[index].store(&mut totals[index]);
    }
}

/// The pairwise products of two sums.
#[inline(always)]
fn products<V: Lanes>(lower: &Strip, upper: &Strip) -> Strip {
    let mut products = Strip::ZERO;
    let (lower, upper) = (V::load(lower).clipped(), V::load(upper).clipped());
    lower.mul(upper).mul(V::splat(PRODUCT)).store(&mut products);
    products
}

/// Adds some positions' gradient of the weights that multiply their products.
#[inline(always)]
pub(crate) fn add_gradients<V: Lanes>(
    slopes: &[Strip],
    lower: &[Strip],
    upper: &[Strip],
    gradients: &mut [Strip],
) {
    for side in 0..2 {
        let gradients = &mut gradients[side * WIDTH..][..WIDTH];
        let mut sums = [V::splat(0.0); WIDTH];
        for lane in 0..WIDTH {
            sums[lane] = V::load(&gradients[lane]);
        }
        for (position, slopes) in slopes.iter().enumerate() {
            let view = 2 * position + side;
            let products = products::<V>(&lower[view], &upper[view]);
            let slopes = V::load(slopes);
            for lane in 0..WIDTH {
                sums[lane] = V::splat(products.0[lane]).mul_add(slopes, sums[lane]);
            }
        }
        for lane in 0..WIDTH {
            sums[lane].store(&mut gradients[lane]);
        }
    }
}

/// Replaces some positions' sums by their gradient; `turned` are the weights of their stack, by
/// outputs.
#[inline(always)]
pub(crate) fn replace_by_slopes<V: Lanes>(
    slopes: &[Strip],
    lower: &mut [Strip],
    upper: &mut [Strip],
    turned: &[Strip],
) {
    for side in 0..2 {
        let turned = &turned[side * WIDTH..][..WIDTH];
        let mut columns = [V::splat(0.0); WIDTH];
        for output in 0..WIDTH {
            columns[output] = V::load(&turned[output]);
        }
        for (position, slopes) in slopes.iter().enumerate() {
            let view = 2 * position + side;
            let (mut even, mut odd) = (V::splat(0.0), V::splat(0.0));
            for output in (0..WIDTH).step_by(2) {
                even = V::splat(slopes.0[output]).mul_add(columns[output], even);
                odd = V::splat(slopes.0[output + 1]).mul_add(columns[output + 1], odd);
            }
            let slope = even.add(odd).mul(V::splat(PRODUCT));
            let (low, high) = (V::load(&lower[view]), V::load(&upper[view]));
            let low_slope = slope.mul(high.clipped()).where_open(low);
            let high_slope = slope.mul(low.clipped()).where_open(high);
            low_slope.store(&mut lower[view]);
            high_slope.store(&mut upper[view]);
        }
    }
}

/// Transposes each block of 16 strips.
pub(crate) fn turn(strips: &[Strip]) -> Vec<Strip> {
    let mut turned = vec![Strip::ZERO; strips.len()];
    for (block, target) in strips.chunks(WIDTH).zip(turned.chunks_mut(WIDTH)) {
        for (row, strip) in block.iter().enumerate() {
            for (column, &number) in strip.0.iter().enumerate() {
                target[column].0[row] = number;
            }
        }
    }
    turned
}
