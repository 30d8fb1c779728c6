//! Gradient descent: weights with all that is remembered of them (`tensor`), how
//! gradients change them (`optimiser`), and what trainings do with all weights at once
//! (`tensors`).
//!
//! It must not know what the weights are of.

mod optimiser;
mod tensor;
pub(crate) mod tensors;

pub(crate) use optimiser::Step;
pub use optimiser::{Optimiser, Rule};
pub(crate) use tensor::{Extras, Part, Tensor, Unrounding, integer, limit_of};

use nets::nnue::Random;

/// A number from -1 to 1.
pub(crate) fn uniform(random: &mut Random) -> f32 {
    (random.number() >> 40) as f32 / (1 << 23) as f32 - 1.0
}
