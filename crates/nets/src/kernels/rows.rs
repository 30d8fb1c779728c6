//! Kernels for single rows: layer normalisation, dot products of listed rows with a
//! vector, and sums of embeddings.

use super::activation::{load, store};
use super::vector::Vector;

/// How many rows of weights are multiplied side by side.
const SIDE_BY_SIDE: usize = 4;
/// How many registers hold the sums of an embedding while rows are added.
const SUMS: usize = 8;

/// Gain and offset of each column of a normalisation.
#[derive(Clone, Copy, Debug)]
pub struct Affine<'a> {
    /// The factor of the normalised value.
    pub gain: &'a [f32],
    /// Added after that.
    pub offset: &'a [f32],
}

/// Each row of `source` minus its mean, divided by its standard deviation, then `affine`.
///
/// # Safety
/// The CPU has the instructions of `V`; both slices are whole rows of `width`,
/// as many in both, and `affine` is as long as a row.
#[inline(always)]
pub(super) unsafe fn layer_norm<V: Vector>(
    source: &[f32],
    width: usize,
    affine: Option<Affine<'_>>,
    epsilon: f32,
    target: &mut [f32],
) {
    let whole = width - width % V::LANES;
    for (row, target) in source
        .chunks_exact(width)
        .zip(target.chunks_exact_mut(width))
    {
        // SAFETY: whole registers lie before `whole`, all values before `width`.
        unsafe {
            let mut sums = V::splat(0.0);
            for at in (0..whole).step_by(V::LANES) {
                sums = sums.plus(V::load(row.as_ptr().add(at)));
            }
            let mean = row[whole..]
                .iter()
                .fold(sums.sum(), |sum, value| sum + value)
                / width as f32;
            let mut squares = V::splat(0.0);
            for at in (0..whole).step_by(V::LANES) {
                let off = V::load(row.as_ptr().add(at)).minus(V::splat(mean));
                squares = off.times_plus(off, squares);
            }
            let squares = row[whole..].iter().fold(squares.sum(), |sum, value| {
                sum + (value - mean) * (value - mean)
            });
            let scale = V::splat(1.0 / (squares / width as f32 + epsilon).sqrt());
            for at in (0..width).step_by(V::LANES) {
                let count = V::LANES.min(width - at);
                let off = load::<V>(row.as_ptr().add(at), count).minus(V::splat(mean));
                let mut value = off.times(scale);
                if let Some(affine) = affine {
                    let gain = load::<V>(affine.gain.as_ptr().add(at), count);
                    let offset = load::<V>(affine.offset.as_ptr().add(at), count);
                    value = value.times_plus(gain, offset);
                }
                store(value, target.as_mut_ptr().add(at), count);
            }
        }
    }
}

/// The dot product of each listed row of `weights` with a vector.
///
/// # Safety
/// The CPU has the instructions of `V`; every row of the vector's length lies
/// within the weights; `target` has as many values as rows are listed.
#[inline(always)]
pub(super) unsafe fn listed_rows<V: Vector>(
    weights: &[f32],
    vector: &[f32],
    rows: &[u32],
    target: &mut [f32],
) {
    let start = weights.as_ptr();
    let mut at = 0;
    // SAFETY: the caller vouches for the rows and the target's length.
    unsafe {
        while at + SIDE_BY_SIDE <= rows.len() {
            let mut starts = [start; SIDE_BY_SIDE];
            for (place, &row) in starts.iter_mut().zip(&rows[at..]) {
                *place = start.add(row as usize * vector.len());
            }
            dot::<V, SIDE_BY_SIDE>(starts, vector, &mut target[at..]);
            at += SIDE_BY_SIDE;
        }
        while at < rows.len() {
            let row = start.add(rows[at] as usize * vector.len());
            dot::<V, 1>([row], vector, &mut target[at..]);
            at += 1;
        }
    }
}

/// The dot products of some rows with a vector. Each row has two registers of sums, so that
/// its result does not depend on the others.
///
/// # Safety
/// The CPU has the instructions of `V`; all rows are as long as the vector.
#[inline(always)]
unsafe fn dot<V: Vector, const ROWS: usize>(
    rows: [*const f32; ROWS],
    vector: &[f32],
    target: &mut [f32],
) {
    let mut at = 0;
    // SAFETY: `at` and what is read from there lie within vector and rows.
    unsafe {
        let mut sums = [[V::splat(0.0); 2]; ROWS];
        while at + 2 * V::LANES <= vector.len() {
            let left = V::load(vector.as_ptr().add(at));
            let right = V::load(vector.as_ptr().add(at + V::LANES));
            for row in 0..ROWS {
                sums[row][0] = V::load(rows[row].add(at)).times_plus(left, sums[row][0]);
                sums[row][1] =
                    V::load(rows[row].add(at + V::LANES)).times_plus(right, sums[row][1]);
            }
            at += 2 * V::LANES;
        }
        while at < vector.len() {
            let count = V::LANES.min(vector.len() - at);
            let left = load::<V>(vector.as_ptr().add(at), count);
            for row in 0..ROWS {
                let right = load::<V>(rows[row].add(at), count);
                sums[row][0] = right.times_plus(left, sums[row][0]);
            }
            at += V::LANES;
        }
        for row in 0..ROWS {
            target[row] = sums[row][0].plus(sums[row][1]).sum();
        }
    }
}

/// Adds the listed rows of a table to `sum`.
///
/// # Safety
/// The CPU has the instructions of `V`; every row of the sum's length lies within
/// the table.
#[inline(always)]
pub(super) unsafe fn add_embeddings<V: Vector>(table: &[f32], rows: &[u32], sum: &mut [f32]) {
    let width = sum.len();
    let mut at = 0;
    // SAFETY: `at` and what is read or written from there lie within the sum and
    // each row.
    unsafe {
        while at + SUMS * V::LANES <= width {
            let mut sums = [V::splat(0.0); SUMS];
            for (place, value) in sums.iter_mut().enumerate() {
                *value = V::load(sum.as_ptr().add(at + place * V::LANES));
            }
            for &row in rows {
                let row = table.as_ptr().add(row as usize * width + at);
                for (place, value) in sums.iter_mut().enumerate() {
                    *value = value.plus(V::load(row.add(place * V::LANES)));
                }
            }
            for (place, value) in sums.iter().enumerate() {
                value.store(sum.as_mut_ptr().add(at + place * V::LANES));
            }
            at += SUMS * V::LANES;
        }
        while at < width {
            let count = V::LANES.min(width - at);
            let mut value = load::<V>(sum.as_ptr().add(at), count);
            for &row in rows {
                let row = table.as_ptr().add(row as usize * width + at);
                value = value.plus(load::<V>(row, count));
            }
            store(value, sum.as_mut_ptr().add(at), count);
            at += V::LANES;
        }
    }
}
