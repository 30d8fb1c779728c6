//! Gradient descent: weights with their optimiser state (`tensor`), the update rules (`optimiser`),
//! and operations on all weights of a model (`tensors`).
//!
//! It must not know which model the weights belong to.

mod optimiser;
mod tensor;
pub(crate) mod tensors;

pub(crate) use optimiser::Step;
pub use optimiser::{Optimiser, Rule};
pub(crate) use tensor::{Extras, Part, Tensor, Unrounding, integer, limit_of};

use nets::nnue::Random;

/// A uniform random number from -1 to 1.
pub(crate) fn uniform(random: &mut Random) -> f32 {
    (random.number() >> 40) as f32 / (1 << 23) as f32 - 1.0
}
