//! ResNets with a policy and a value: shape, weights, files, play.
//!
//! `shape` lists the tensors, `weights` holds them as they are trained, `container`
//! is their file, `safetensors` and `onnx` are those for other programs; `network` is the net as it plays, made of `tower` and `dense`;
//! `batch` puts it behind the seam of the tree searches. It must not know how anything is trained.

mod batch;
mod container;
pub(crate) mod dense;
mod error;
mod file;
pub(crate) mod network;
mod onnx;
mod safetensors;
mod shape;
#[cfg(test)]
mod tests;
pub(crate) mod tower;
mod weights;

pub use batch::ResNetBatch;
pub use error::ResNetError;
pub use file::{ResNetFile, ResNetSource};
pub use network::NORM_EPSILON;
pub use shape::{PolicyKind, ResNetShape, TensorKind, TensorShape, ValueKind};
pub use weights::ResNetWeights;
