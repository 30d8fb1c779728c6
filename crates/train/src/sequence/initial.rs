//! The initial weights of a training.

use data::random::{self, Generator};
use nets::sequence::{SequenceShape, SequenceWeights, ShapeError};

/// The deviation of rows whose sums are events: an event has some forty rows, so its size begins at
/// about a tenth.
const EVENT_DEVIATION: f32 = 0.02;

/// Random weights determined by a seed: normal, with the deviation that preserves the size of
/// values through a layer. Biases and distances are 0, and so are the heads, which begin with
/// uniform predictions.
pub(super) fn initial(shape: SequenceShape, seed: u64) -> Result<SequenceWeights, ShapeError> {
    let mut weights = SequenceWeights::zeros(shape)?;
    let shapes = weights.shape().tensors();
    for (number, (tensor, shape)) in weights.tensors_mut().zip(&shapes).enumerate() {
        let deviation = match shape.name.rsplit('.').next() {
            Some("events") => EVENT_DEVIATION,
            // A square is a single row, and all parts of a block receive it normalised.
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

/// A nearly normal number with mean 0 and variance 1: the sum of twelve uniform ones less six.
fn normal(generator: &mut Generator) -> f32 {
    const GRAIN: u64 = 1 << 24;
    let sum: u64 = (0..12).map(|_| random::below_fast(generator, GRAIN)).sum();
    (sum as f64 / GRAIN as f64 - 6.0) as f32
}
