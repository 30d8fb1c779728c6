//! Nets from files of either format, recognised by their first bytes.

use super::error::NetError;
use super::sfnn::{self, Compression, Sfnn, SfnnWeights};
use super::simple::{self, Simple, SimpleWeights};
use crate::bytes::{self, hexadecimal};
use sha2::{Digest, Sha256};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A net of either kind, ready to be evaluated.
#[derive(Clone)]
pub enum Net {
    /// Stockfish's shape.
    Sfnn(Arc<Sfnn>),
    /// Tabia's own.
    Simple(Arc<Simple>),
}

/// A net with the hash of its file. Clones share the weights.
#[derive(Clone)]
pub struct NetFile {
    /// The net.
    pub net: Net,
    /// How its arrays are stored, if the file format has a choice.
    pub compression: Option<Compression>,
    /// The size of the file in bytes.
    pub size: u64,
    sha256: [u8; 32],
}

impl NetFile {
    /// Reads a net from a file.
    ///
    /// # Errors
    /// If it cannot be read, or is not a valid net; the message does not repeat the
    /// path.
    pub fn open(path: &Path) -> Result<NetFile, NetError> {
        NetFile::from_bytes(&bytes::read(path)?)
    }

    /// The net of a file's bytes.
    ///
    /// # Errors
    /// If they are not a valid net.
    pub fn from_bytes(bytes: &[u8]) -> Result<NetFile, NetError> {
        let (net, compression) = if bytes.starts_with(simple::MAGIC) {
            let net = Simple::new(SimpleWeights::read(bytes)?)?;
            (Net::Simple(Arc::new(net)), None)
        } else if sfnn::looks_like_one(bytes) {
            let (weights, compression) = SfnnWeights::read(bytes)?;
            (Net::Sfnn(Arc::new(Sfnn::new(weights)?)), Some(compression))
        } else {
            return Err(NetError::Foreign);
        };
        Ok(NetFile {
            net,
            compression,
            size: bytes.len() as u64,
            sha256: Sha256::digest(bytes).into(),
        })
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// If the net cannot be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>, NetError> {
        let mut bytes = Vec::with_capacity(self.size as usize);
        match &self.net {
            Net::Simple(net) => net.weights().write(&mut bytes)?,
            Net::Sfnn(net) => {
                let compression = self.compression.unwrap_or(Compression::Raw);
                net.weights().write(compression, &mut bytes)?;
            }
        }
        Ok(bytes)
    }

    /// The SHA-256 of the file, in hexadecimal digits.
    pub fn hash(&self) -> String {
        hexadecimal(&self.sha256)
    }

    /// A name like those of Stockfish's nets: `nn-`, 12 digits of the hash, and the
    /// extension of the format.
    pub fn usual_name(&self) -> String {
        format!("nn-{}.{}", &self.hash()[..12], self.extension())
    }

    /// The extension of such files' names.
    pub fn extension(&self) -> &'static str {
        match self.net {
            Net::Sfnn(_) => "nnue",
            Net::Simple(_) => "tabianet",
        }
    }
}

/// The shape in a few words, such as `HalfKAv2_hm, 2 x 1024, 16-32-1, 8 buckets`.
impl fmt::Display for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Net::Sfnn(net) => net.weights().shape().fmt(f),
            Net::Simple(net) => net.weights().shape().fmt(f),
        }
    }
}

impl fmt::Debug for NetFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.usual_name(), self.net)
    }
}
