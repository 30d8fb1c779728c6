//! ResNets with a policy and a value: shape, weights, files and inference.
//!
//! `shape` lists the tensors, `weights` holds them as they are trained, `container` is
//! their file format, and `safetensors` and `onnx` are formats for other programs;
//! `network` is the net for inference, made of `tower` and `dense`, and `batch` makes it a
//! model for tree searches. Nothing here knows how a net is trained.

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
