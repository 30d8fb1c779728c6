//! What nets of floats need for training, whatever their layers: parameters and their optimiser,
//! batch norms, linear layers, layers of which only some rows are used, losses.
//!
//! Work is divided into groups of a fixed number of boards or rows, and sums are taken in the order
//! of the groups: any number of threads gives the same bits. The products and convolutions are
//! those of `nets::kernels`. It must not know any particular net.

mod adamw;
mod convolution;
mod dense;
mod layer_norm;
mod linear;
mod losses;
mod norm;
mod parameter;
mod rows;

pub use adamw::AdamW;
pub(crate) use adamw::{Change, change};
pub(crate) use convolution::{Convolutional, Room};
pub(crate) use dense::Dense;
pub(crate) use layer_norm::{layer_norm, layer_norm_back};
pub(crate) use linear::Linear;
pub use losses::ScalarLoss;
pub(crate) use losses::{LOGARITHM_DELTA, cross_entropy, huber, mean_factor, softmax};
pub(crate) use norm::Norm;
pub(crate) use parameter::{Decay, Parameter};
pub(crate) use rows::{RowUses, Rows};

/// Adds up the gradients of the groups, in their order.
pub(crate) fn sum_groups<'a>(target: &mut [f32], groups: impl Iterator<Item = &'a [f32]>) {
    target.fill(0.0);
    for group in groups {
        for (sum, value) in target.iter_mut().zip(group) {
            *sum += value;
        }
    }
}
