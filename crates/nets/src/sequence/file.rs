//! A sequence model with the hash of its file.

use super::net::SequenceNet;
use super::weights::{SequenceModelError, SequenceWeights};
use crate::bytes::hexadecimal;
use crate::kernels::Precision;
use sha2::{Digest, Sha256};
use std::fmt;
use std::sync::Arc;

/// A model with the hash of its file. Clones share the weights.
#[derive(Clone)]
pub struct SequenceModelFile {
    /// The model for inference.
    pub net: Arc<SequenceNet>,
    /// Its weights.
    pub weights: Arc<SequenceWeights>,
    /// The size of the file in bytes.
    pub size: u64,
    sha256: [u8; 32],
}

impl SequenceModelFile {
    /// The extension of such files' names.
    pub const EXTENSION: &str = "tabianet";

    /// The model of a file's bytes.
    ///
    /// # Errors
    /// If they are not a valid model.
    pub fn from_bytes(bytes: &[u8]) -> Result<SequenceModelFile, SequenceModelError> {
        let weights = SequenceWeights::read(bytes)?;
        Ok(SequenceModelFile {
            net: Arc::new(SequenceNet::new(&weights, Precision::Bf16)),
            weights: Arc::new(weights),
            size: bytes.len() as u64,
            sha256: Sha256::digest(bytes).into(),
        })
    }

    /// The SHA-256 of the file, in hexadecimal digits.
    pub fn hash(&self) -> String {
        hexadecimal(&self.sha256)
    }
}

/// A description such as `192 wide, 6 layers, 6 heads, 2.6 M weights`.
impl fmt::Display for SequenceModelFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.weights.shape();
        let millions = shape.weights() as f64 / 1e6;
        write!(
            f,
            "sequence model {} wide, {} layers, {} heads, {millions:.1} M weights",
            shape.width, shape.layers, shape.heads
        )
    }
}

impl fmt::Debug for SequenceModelFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}, {}", self.hash())
    }
}
