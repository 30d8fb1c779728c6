//! A fast net with the hash of its file.

use super::net::PolicyNet;
use super::weights::PolicyWeights;
use crate::bytes::{self, hexadecimal};
use crate::nnue::NetError;
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::Arc;

/// A net with the hash of its file. Clones share the weights.
#[derive(Clone, Debug)]
pub struct PolicyFile {
    /// The net.
    pub net: Arc<PolicyNet>,
    /// The size of the file in bytes.
    pub size: u64,
    sha256: [u8; 32],
}

impl PolicyFile {
    /// The extension of such files' names.
    pub const EXTENSION: &str = "tabianet";

    /// Reads a net from a file.
    ///
    /// # Errors
    /// If it cannot be read, or is not a valid net; the message does not repeat the
    /// path.
    pub fn open(path: &Path) -> Result<PolicyFile, NetError> {
        PolicyFile::from_bytes(&bytes::read(path)?)
    }

    /// The net of a file's bytes.
    ///
    /// # Errors
    /// If they are not a valid net.
    pub fn from_bytes(bytes: &[u8]) -> Result<PolicyFile, NetError> {
        Ok(PolicyFile {
            net: Arc::new(PolicyNet::new(PolicyWeights::read(bytes)?)?),
            size: bytes.len() as u64,
            sha256: Sha256::digest(bytes).into(),
        })
    }

    /// The SHA-256 of the file, in hexadecimal digits.
    pub fn hash(&self) -> String {
        hexadecimal(&self.sha256)
    }
}
