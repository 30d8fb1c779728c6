//! The weights with which a training begins.

use data::random::{self, Generator};
use nets::sequence::{SequenceShape, SequenceWeights, ShapeError};

/// Rows of which events are sums: an event has some forty, and begins with a size of
/// about a tenth.
const EVENT_DEVIATION: f32 = 0.02;

/// Random weights that a seed decides: normal with the deviation that keeps sizes on the
/// way through a layer; biases and distances are 0, and so are the heads, which begin
/// without an opinion.
pub(super) fn initial(shape: SequenceShape, seed: u64) -> Result<SequenceWeights, ShapeError> {
    let mut weights = SequenceWeights::zeros(shape)?;
    let shapes = weights.shape().tensors();
    for (number, (tensor, shape)) in weights.tensors_mut().zip(&shapes).enumerate() {
        let deviation = match shape.name.rsplit('.').next() {
            Some("events") => EVENT_DEVIATION,
            // A square is one row, and all parts of a block see it normalised.
            Some("squares") => 1.0,
            Some("mix" | "out" | "project") => 1.0 / (shape.columns as f32).sqrt(),
            _ => continue,
        };
        let mut generator = random::generator(seed, number as u64);
        for weight in tensor {
            *weight = normal(&mut generator) * deviation;
        }
    }
    Ok(weights)
}

/// A number with mean 0 and variance 1 that is nearly normal: the sum of twelve uniform
/// ones less six.
fn normal(generator: &mut Generator) -> f32 {
    const GRAIN: u64 = 1 << 24;
    let sum: u64 = (0..12).map(|_| random::below_fast(generator, GRAIN)).sum();
    (sum as f64 / GRAIN as f64 - 6.0) as f32
}
