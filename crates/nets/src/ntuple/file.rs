//! An n-tuple network with the hash of its file.

use super::error::NTupleError;
use super::network::NTuple;
use super::weights::NTupleWeights;
use crate::bytes::hexadecimal;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// A network with the hash of its file. Clones share the weights.
#[derive(Clone, Debug)]
pub struct NTupleFile {
    /// The network.
    pub network: Arc<NTuple>,
    /// The size of the file in bytes.
    pub size: u64,
    sha256: [u8; 32],
}

impl NTupleFile {
    /// The extension of such files' names.
    pub const EXTENSION: &str = "ntuple";

    /// The network of a file's bytes.
    ///
    /// # Errors
    /// If they are not a valid network.
    pub fn from_bytes(bytes: &[u8]) -> Result<NTupleFile, NTupleError> {
        Ok(NTupleFile {
            network: Arc::new(NTuple::new(NTupleWeights::read(bytes)?)?),
            size: bytes.len() as u64,
            sha256: Sha256::digest(bytes).into(),
        })
    }

    /// The SHA-256 of the file, in hexadecimal digits.
    pub fn hash(&self) -> String {
        hexadecimal(&self.sha256)
    }
}
