//! The weights of a sequence model, and their file format.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `TABIAHST` |
//! | 4 | version, 1 |
//! | 4 | length of the header |
//! | | header: JSON with shape, description, provenance and how long people think |
//! | | all tensors in the order of the shape, as bf16 |
//! | 32 | BLAKE3 of everything before |
//!
//! Integers are little-endian. Everything is checked before it is used.

use super::shape::{SequenceShape, ShapeError};
use super::thinking::Thinking;
use crate::Provenance;
use crate::bytes::printable;
use crate::kernels::{from_bf16, to_bf16};
use serde::{Deserialize, Serialize};

/// The signature at the beginning of a file.
pub(crate) const MAGIC: &[u8; 8] = b"TABIAHST";
const VERSION: u32 = 1;
const PREFIX: usize = 16;
const CHECKSUM: usize = blake3::OUT_LEN;
/// The most bytes of a header.
const LONGEST_HEADER: usize = 1 << 16;
/// The size of a weight in bytes.
const NUMBER: usize = 2;

/// Why a file is not a valid sequence model, in one line with its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SequenceModelError {
    /// It does not begin like such a file.
    #[error("it is not a sequence model: it does not begin with TABIAHST")]
    Foreign,
    /// A newer or older version of the format.
    #[error("the sequence model has version {found}, but this program reads {known}")]
    Version {
        /// Its version.
        found: u32,
        /// The version that is supported.
        known: u32,
    },
    /// The header is invalid JSON, or too long.
    #[error("the header at byte 16: {0}")]
    Header(String),
    /// The shape is invalid.
    #[error("the header at byte 16: {0}")]
    Shape(#[from] ShapeError),
    /// The length of the file does not fit its shape.
    #[error("the model has {wanted} bytes by its shape, but the file has {found}")]
    Length {
        /// The length by the shape.
        wanted: usize,
        /// The length of the file.
        found: usize,
    },
    /// The checksum does not fit the contents.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
    /// A weight is infinite or NaN.
    #[error("the tensor {0} has a weight that is not a finite number")]
    NotFinite(String),
}

/// The weights of a model.
#[derive(Clone, PartialEq, Debug)]
pub struct SequenceWeights {
    shape: SequenceShape,
    /// The tensors in the order of [`SequenceShape::tensors`].
    tensors: Vec<Vec<f32>>,
    /// A description in words.
    pub description: String,
    /// Where it comes from.
    pub provenance: Provenance,
    /// How long people think, if the training data had clocks.
    pub thinking: Option<Thinking>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    shape: SequenceShape,
    description: String,
    provenance: Provenance,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    thinking: Option<Thinking>,
}

impl SequenceWeights {
    /// A model whose weights are all 0.
    ///
    /// # Errors
    /// If the shape is invalid.
    pub fn zeros(shape: SequenceShape) -> Result<SequenceWeights, ShapeError> {
        shape.check()?;
        let tensors = shape.tensors();
        Ok(SequenceWeights {
            tensors: tensors
                .iter()
                .map(|tensor| vec![0.0; tensor.length()])
                .collect(),
            shape,
            description: String::new(),
            provenance: Provenance::default(),
            thinking: None,
        })
    }

    /// Its shape.
    pub fn shape(&self) -> &SequenceShape {
        &self.shape
    }

    /// The weights of all tensors, in the order of [`SequenceShape::tensors`].
    pub fn tensors(&self) -> &[Vec<f32>] {
        &self.tensors
    }

    /// The same, mutable, with fixed lengths.
    pub fn tensors_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        self.tensors.iter_mut().map(Vec::as_mut_slice)
    }

    /// The same model with every weight rounded as in its file.
    pub fn rounded(mut self) -> SequenceWeights {
        for tensor in self.tensors_mut() {
            for weight in tensor {
                *weight = from_bf16(to_bf16(*weight));
            }
        }
        self
    }

    /// Reads a whole file.
    ///
    /// # Errors
    /// If it is not exactly as [`to_bytes`](SequenceWeights::to_bytes) writes it.
    pub fn read(bytes: &[u8]) -> Result<SequenceWeights, SequenceModelError> {
        let header = read_header(bytes)?;
        header.shape.check()?;
        let start = PREFIX + number(bytes, 12) as usize;
        let wanted = start + header.shape.weights() * NUMBER + CHECKSUM;
        if bytes.len() != wanted {
            let found = bytes.len();
            return Err(SequenceModelError::Length { wanted, found });
        }
        let (content, checksum) = bytes.split_at(wanted - CHECKSUM);
        if blake3::hash(content).as_bytes()[..] != *checksum {
            return Err(SequenceModelError::Checksum);
        }
        let mut weights = SequenceWeights::zeros(header.shape)?;
        let (numbers, _) = content[start..].as_chunks::<NUMBER>();
        let mut numbers = numbers
            .iter()
            .map(|&bytes| from_bf16(u16::from_le_bytes(bytes)));
        for tensor in &mut weights.tensors {
            for (weight, number) in tensor.iter_mut().zip(&mut numbers) {
                *weight = number;
            }
        }
        weights.check_finite()?;
        weights.description = header.description;
        weights.provenance = header.provenance;
        weights.thinking = header.thinking;
        Ok(weights)
    }

    /// The bytes of the whole file.
    ///
    /// # Errors
    /// If a weight is not a finite number, or the texts are too long.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SequenceModelError> {
        self.check_finite()?;
        let header = Header {
            shape: self.shape.clone(),
            description: self.description.clone(),
            provenance: self.provenance.clone(),
            thinking: self.thinking.clone(),
        };
        let header = serde_json::to_vec(&header)
            .map_err(|error| SequenceModelError::Header(error.to_string()))?;
        if header.len() > LONGEST_HEADER {
            let problem = format!("more than {LONGEST_HEADER} bytes: shorten the texts");
            return Err(SequenceModelError::Header(problem));
        }
        let length = PREFIX + header.len() + self.shape.weights() * NUMBER + CHECKSUM;
        let mut bytes = Vec::with_capacity(length);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&header);
        for &weight in self.tensors.iter().flatten() {
            bytes.extend_from_slice(&to_bf16(weight).to_le_bytes());
        }
        let checksum = blake3::hash(&bytes);
        bytes.extend_from_slice(checksum.as_bytes());
        Ok(bytes)
    }

    fn check_finite(&self) -> Result<(), SequenceModelError> {
        let is_finite = |tensor: &Vec<f32>| tensor.iter().all(|weight| weight.is_finite());
        match self.tensors.iter().position(|tensor| !is_finite(tensor)) {
            None => Ok(()),
            Some(tensor) => {
                let name = self.shape.tensors().swap_remove(tensor).name;
                Err(SequenceModelError::NotFinite(name))
            }
        }
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn read_header(bytes: &[u8]) -> Result<Header, SequenceModelError> {
    if !bytes.starts_with(MAGIC) || bytes.len() < PREFIX {
        return Err(SequenceModelError::Foreign);
    }
    let found = number(bytes, 8);
    if found != VERSION {
        let known = VERSION;
        return Err(SequenceModelError::Version { found, known });
    }
    let length = number(bytes, 12) as usize;
    let header = bytes.get(PREFIX..PREFIX + length.min(LONGEST_HEADER + 1));
    let header = header.filter(|_| length <= LONGEST_HEADER);
    let header = header.ok_or_else(|| {
        SequenceModelError::Header(format!(
            "its length is {length} bytes, which \
            does not fit the file"
        ))
    })?;
    serde_json::from_slice(header).map_err(|error| SequenceModelError::Header(printable(&error)))
}
