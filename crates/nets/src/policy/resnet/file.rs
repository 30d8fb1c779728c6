//! ResNets from files of either format: Tabia's own and lc0's.

use super::batch::ResNetBatch;
use super::container;
use super::error::ResNetError;
use super::network::{Named, Network};
use super::weights::ResNetWeights;
use crate::bytes::hexadecimal;
use crate::policy::lc0::{self, Lc0Coding, Lc0Weights};
use crate::policy::{Explanation, explain};
use chess::Board;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A ResNet with the hash of its file. Clones share the weights.
#[derive(Clone)]
pub struct ResNetFile {
    network: Arc<Network>,
    source: ResNetSource,
    /// The bytes of an lc0 file, because nothing here can write that format.
    foreign: Option<Arc<[u8]>>,
    /// The size of the file in bytes.
    pub size: u64,
    sha256: [u8; 32],
}

/// The contents of the file.
#[derive(Clone, Debug)]
pub enum ResNetSource {
    /// A net in Tabia's own format.
    Own(Arc<ResNetWeights>),
    /// A net of lc0.
    Lc0(Arc<Lc0Weights>),
}

impl ResNetFile {
    /// Whether a file begins like one of these.
    pub(crate) fn looks_like_one(bytes: &[u8]) -> bool {
        container::looks_like_one(bytes) || lc0::looks_like_one(bytes)
    }

    /// The net of a file's bytes.
    ///
    /// # Errors
    /// If they are not a valid net.
    pub fn from_bytes(bytes: &[u8]) -> Result<ResNetFile, ResNetError> {
        let is_foreign = lc0::looks_like_one(bytes);
        let (network, source) = if is_foreign {
            let weights = Lc0Weights::read(bytes)?;
            (weights.network()?, ResNetSource::Lc0(Arc::new(weights)))
        } else {
            let weights = ResNetWeights::read(bytes)?;
            (Network::of(&weights), ResNetSource::Own(Arc::new(weights)))
        };
        let file = ResNetFile {
            network: Arc::new(network),
            source,
            foreign: is_foreign.then(|| bytes.into()),
            size: bytes.len() as u64,
            sha256: Sha256::digest(bytes).into(),
        };
        match file.explain(&Board::start()).is_finite() {
            true => Ok(file),
            false => Err(ResNetError::Overflow),
        }
    }

    /// The bytes of a file with this net.
    ///
    /// # Errors
    /// If the net cannot be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ResNetError> {
        match (&self.source, &self.foreign) {
            (ResNetSource::Own(weights), _) => weights.to_bytes(),
            (ResNetSource::Lc0(_), file) => Ok(file.as_deref().unwrap_or_default().to_vec()),
        }
    }

    /// The contents of the file.
    pub fn source(&self) -> &ResNetSource {
        &self.source
    }

    /// The SHA-256 of the file, in hexadecimal digits.
    pub fn hash(&self) -> String {
        hexadecimal(&self.sha256)
    }

    /// The extension of such files' names.
    pub fn extension(&self) -> &'static str {
        match self.source {
            ResNetSource::Own(_) => "tabianet",
            ResNetSource::Lc0(_) => "pb.gz",
        }
    }

    /// The kernels of the first convolution with its batch norm folded in:
    /// `[channel][plane][rank][file]`.
    pub(crate) fn stem(&self) -> Cow<'_, [f32]> {
        match &self.source {
            ResNetSource::Own(weights) => Named::new(weights).folded("stem").0.into(),
            ResNetSource::Lc0(weights) => weights.stem().into(),
        }
    }

    /// The names of its input planes.
    pub(crate) fn plane_names(&self) -> Vec<String> {
        match &self.source {
            ResNetSource::Own(weights) => weights.shape().planes.names(),
            ResNetSource::Lc0(_) => Lc0Coding.names(),
        }
    }

    /// The weights by which heads read the squares, by name: `[output][channel][square]`.
    pub(crate) fn heads(&self) -> Vec<(&'static str, &[f32])> {
        match &self.source {
            ResNetSource::Own(weights) => {
                let named = Named::new(weights);
                let heads = [
                    ("value", "value.hidden.weight"),
                    ("policy", "policy.moves.weight"),
                ];
                heads.map(|(name, tensor)| (name, named.get(tensor))).into()
            }
            ResNetSource::Lc0(weights) => vec![("value", weights.value_rows())],
        }
    }

    /// All weight matrices with their names.
    pub(crate) fn matrices(&self) -> Vec<(String, &[f32])> {
        match &self.source {
            ResNetSource::Own(weights) => weights.matrices(),
            ResNetSource::Lc0(weights) => weights.matrices(),
        }
    }

    /// Inference for one thread of a search.
    pub fn batch(&self) -> ResNetBatch {
        ResNetBatch::new(self.network.clone())
    }

    /// The output of the net for a board.
    pub fn explain(&self, board: &Board) -> Explanation {
        explain(&mut self.batch(), board)
    }
}

/// A description such as `ResNet 64x6, ...`.
impl fmt::Display for ResNetFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            ResNetSource::Own(weights) => weights.shape().fmt(f),
            ResNetSource::Lc0(weights) => weights.fmt(f),
        }
    }
}

impl fmt::Debug for ResNetFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({self})", &self.hash()[..12])
    }
}
