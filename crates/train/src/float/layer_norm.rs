//! Layer normalisation without gains and offsets, and its backward pass.

use crate::lanes::WIDTH;
use rayon::prelude::*;

/// Rows that are one piece of work.
const ROWS: usize = 64;

/// Normalises each row to mean 0 and variance 1; `scales` receives the factor of each row.
pub(crate) fn layer_norm(
    source: &[f32],
    width: usize,
    epsilon: f32,
    target: &mut Vec<f32>,
    scales: &mut Vec<f32>,
) {
    target.resize(source.len(), 0.0);
    scales.resize(source.len() / width, 0.0);
    source
        .par_chunks(ROWS * width)
        .zip(target.par_chunks_mut(ROWS * width))
        .zip(scales.par_chunks_mut(ROWS))
        .for_each(|((source, target), scales)| {
            let rows = source
                .chunks_exact(width)
                .zip(target.chunks_exact_mut(width));
            for ((row, target), scale) in rows.zip(scales) {
                let mean = sum(row.iter().copied()) / width as f32;
                let squares = sum(row.iter().map(|value| (value - mean) * (value - mean)));
                *scale = 1.0 / (squares / width as f32 + epsilon).sqrt();
                for (target, value) in target.iter_mut().zip(row) {
                    *target = (value - mean) * *scale;
                }
            }
        });
}

/// Adds the gradient of the inputs, given that of the normalised rows.
pub(crate) fn layer_norm_back(
    normal: &[f32],
    width: usize,
    scales: &[f32],
    slopes: &[f32],
    target: &mut [f32],
) {
    normal
        .par_chunks(ROWS * width)
        .zip(slopes.par_chunks(ROWS * width))
        .zip(target.par_chunks_mut(ROWS * width))
        .zip(scales.par_chunks(ROWS))
        .for_each(|(((normal, slopes), target), scales)| {
            let rows = normal.chunks_exact(width).zip(slopes.chunks_exact(width));
            let rows = rows.zip(target.chunks_exact_mut(width)).zip(scales);
            for (((normal, slopes), target), scale) in rows {
                let mean = sum(slopes.iter().copied()) / width as f32;
                let products = normal
                    .iter()
                    .zip(slopes)
                    .map(|(normal, slope)| normal * slope);
                let along = sum(products) / width as f32;
                let pairs = normal.iter().zip(slopes);
                for (target, (normal, slope)) in target.iter_mut().zip(pairs) {
                    *target += scale * (slope - mean - normal * along);
                }
            }
        });
}

/// A sum with one accumulator per SIMD lane, so that additions need not wait for each other; always
/// in the same order.
fn sum(values: impl Iterator<Item = f32>) -> f32 {
    let mut sums = [0.0; WIDTH];
    for (place, value) in values.enumerate() {
        sums[place % WIDTH] += value;
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_the_normalisation() {
        let width = 24;
        let source: Vec<f32> = (0..2 * width)
            .map(|at| (at as f32 * 1.7).sin() * 2.0)
            .collect();
        let weights: Vec<f32> = (0..2 * width).map(|at| (at as f32 * 0.9).cos()).collect();
        let loss = |source: &[f64]| -> f64 {
            let rows = source.chunks_exact(width).zip(weights.chunks_exact(width));
            rows.map(|(row, weights)| {
                let mean = row.iter().sum::<f64>() / width as f64;
                let variance = row.iter().map(|it| (it - mean).powi(2)).sum::<f64>();
                let scale = 1.0 / (variance / width as f64 + 1e-5).sqrt();
                let pairs = row.iter().zip(weights);
                pairs
                    .map(|(it, &by)| (it - mean) * scale * f64::from(by))
                    .sum::<f64>()
            })
            .sum()
        };
        let (mut normal, mut scales) = (Vec::new(), Vec::new());
        layer_norm(&source, width, 1e-5, &mut normal, &mut scales);
        let mut slopes = vec![0.0; source.len()];
        layer_norm_back(&normal, width, &scales, &weights, &mut slopes);
        let wide: Vec<f64> = source.iter().map(|&it| f64::from(it)).collect();
        for at in 0..source.len() {
            let moved = |by: f64| {
                let mut moved = wide.clone();
                moved[at] += by;
                loss(&moved)
            };
            let measured = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            let error = (f64::from(slopes[at]) - measured).abs();
            assert!(
                error < 1e-3 * measured.abs() + 1e-4,
                "{at}: {measured} {}",
                slopes[at]
            );
        }
    }
}
