//! Tabia's own file format for simple nets.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `TABIANET` |
//! | 4 | version, 1 |
//! | 4 | length of the header |
//! | | header: JSON with shape, scales, description and provenance |
//! | | transformer: biases and weights, 16 bits, one row for each input |
//! | | output: biases, 32 bits; weights, 8 or 16 bits as the scales say, one row for each bucket |
//! | 32 | BLAKE3 of everything before |
//!
//! Integers are little-endian. Everything is checked before it is used.

use super::weights::SimpleWeights;
use crate::Provenance;
use crate::bytes::printable;
use crate::nnue::error::NetError;
use crate::nnue::inputs::Inputs;
use crate::nnue::shape::{Activation, OutputBits, SimpleScales, SimpleShape};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// The signature at the beginning of a file.
pub(in crate::nnue) const MAGIC: &[u8; 8] = b"TABIANET";
const VERSION: u32 = 1;
/// The most bytes of a header.
const LONGEST_HEADER: usize = 1 << 16;
const CHECKSUM: usize = blake3::OUT_LEN;
const PREFIX: usize = 16;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    shape: ShapeHeader,
    scales: SimpleScales,
    description: String,
    provenance: Provenance,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShapeHeader {
    /// The king bucket of each square, a1 first.
    king_buckets: Vec<u8>,
    mirrored: bool,
    hidden: usize,
    activation: Activation,
    output_buckets: usize,
}

impl ShapeHeader {
    pub(crate) fn of(shape: &SimpleShape) -> ShapeHeader {
        ShapeHeader {
            king_buckets: shape.inputs.buckets().to_vec(),
            mirrored: shape.inputs.is_mirrored(),
            hidden: shape.hidden,
            activation: shape.activation,
            output_buckets: shape.output_buckets,
        }
    }

    /// The shape, whose sizes are not checked yet.
    pub(crate) fn shape(&self, scales: SimpleScales) -> Result<SimpleShape, NetError> {
        let buckets = <[u8; 64]>::try_from(&self.king_buckets[..])
            .map_err(|_| NetError::Header("king_buckets must have 64 numbers".to_owned()))?;
        let inputs = Inputs::piece_square(buckets, self.mirrored)
            .map_err(|error| NetError::Header(error.to_string()))?;
        Ok(SimpleShape {
            inputs,
            hidden: self.hidden,
            activation: self.activation,
            output_buckets: self.output_buckets,
            scales,
        })
    }
}

impl Header {
    fn of(weights: &SimpleWeights) -> Header {
        let shape = weights.shape();
        Header {
            shape: ShapeHeader::of(shape),
            scales: shape.scales,
            description: weights.description.clone(),
            provenance: weights.provenance.clone(),
        }
    }

    fn shape(&self) -> Result<SimpleShape, NetError> {
        let shape = self.shape.shape(self.scales)?;
        shape
            .check()
            .map_err(|error| NetError::Header(error.to_string()))?;
        Ok(shape)
    }
}

/// How many bytes the weights of a shape take.
pub(crate) fn weight_bytes(shape: &SimpleShape) -> usize {
    let output = shape.output();
    2 * shape.hidden * (shape.inputs.count() + 1)
        + 4 * output.outputs
        + shape.scales.output_bits.bytes() * output.inputs * output.outputs
}

impl SimpleWeights {
    /// Reads a whole file.
    ///
    /// # Errors
    /// If it is not exactly as [`write`](SimpleWeights::write) writes it.
    pub fn read(bytes: &[u8]) -> Result<SimpleWeights, NetError> {
        let (header, offset) = read_header(bytes)?;
        let shape = header.shape()?;
        let end = offset + weight_bytes(&shape);
        if bytes.len() < end + CHECKSUM {
            return Err(truncated(
                "the weights",
                offset,
                end + CHECKSUM - offset,
                bytes,
            ));
        }
        if bytes.len() > end + CHECKSUM {
            return Err(NetError::Trailing {
                offset: end + CHECKSUM,
                extra: bytes.len() - end - CHECKSUM,
            });
        }
        if blake3::hash(&bytes[..end]).as_bytes()[..] != bytes[end..] {
            return Err(NetError::Checksum);
        }
        let mut weights = SimpleWeights::read_weights(shape, &bytes[offset..end])?;
        weights.description = header.description;
        weights.provenance = header.provenance;
        Ok(weights)
    }

    /// Reads the weights of a shape in the order of the file, from exactly
    /// [`weight_bytes`] bytes.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub(crate) fn read_weights(shape: SimpleShape, bytes: &[u8]) -> io::Result<SimpleWeights> {
        let mut weights = SimpleWeights::zeros(shape)?;
        let mut rest = bytes;
        let mut take = |count: usize| {
            let (taken, others) = rest.split_at(count);
            rest = others;
            taken
        };
        let transformer = &mut weights.transformer;
        for values in [&mut transformer.biases, &mut transformer.weights] {
            let (stored, _) = take(2 * values.len()).as_chunks();
            for (value, &stored) in values.iter_mut().zip(stored) {
                *value = i16::from_le_bytes(stored);
            }
        }
        let (stored, _) = take(4 * weights.output_biases.len()).as_chunks();
        for (value, &stored) in weights.output_biases.iter_mut().zip(stored) {
            *value = i32::from_le_bytes(stored);
        }
        let bits = weights.shape().scales.output_bits;
        let stored = take(bits.bytes() * weights.output_weights.len());
        let values = weights.output_weights.iter_mut();
        match bits {
            OutputBits::Eight => {
                for (value, &stored) in values.zip(stored) {
                    *value = i16::from(stored as i8);
                }
            }
            OutputBits::Sixteen => {
                for (value, &stored) in values.zip(stored.as_chunks().0) {
                    *value = i16::from_le_bytes(stored);
                }
            }
        }
        Ok(weights)
    }

    /// Appends the weights in the order of the file.
    pub(crate) fn write_weights(&self, bytes: &mut Vec<u8>) {
        for values in [&self.transformer.biases, &self.transformer.weights] {
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        }
        let biases = self.output_biases.iter();
        bytes.extend(biases.flat_map(|bias| bias.to_le_bytes()));
        let weights = self.output_weights.iter();
        match self.shape().scales.output_bits {
            OutputBits::Eight => bytes.extend(weights.map(|&weight| weight as i8 as u8)),
            OutputBits::Sixteen => bytes.extend(weights.flat_map(|weight| weight.to_le_bytes())),
        }
    }

    /// Writes the whole file.
    ///
    /// # Errors
    /// If a sum of the net could overflow, its texts are too long, or the output
    /// fails.
    pub fn write(&self, output: &mut (impl Write + ?Sized)) -> Result<(), NetError> {
        self.check_bounds()?;
        let header = serde_json::to_vec(&Header::of(self)).map_err(io::Error::from)?;
        if header.len() > LONGEST_HEADER {
            return Err(NetError::Header(format!(
                "{} bytes are more than the {LONGEST_HEADER} allowed: shorten the texts",
                header.len()
            )));
        }
        let mut bytes =
            Vec::with_capacity(PREFIX + header.len() + weight_bytes(self.shape()) + CHECKSUM);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&header);
        self.write_weights(&mut bytes);
        let checksum = blake3::hash(&bytes);
        bytes.extend_from_slice(checksum.as_bytes());
        output.write_all(&bytes)?;
        Ok(())
    }
}

/// Reads the header; also returns where the weights begin.
fn read_header(bytes: &[u8]) -> Result<(Header, usize), NetError> {
    if !bytes.starts_with(MAGIC) {
        return Err(NetError::Foreign);
    }
    let word = |at: usize| -> Result<u32, NetError> {
        let word = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>());
        word.map(|&word| u32::from_le_bytes(word))
            .ok_or_else(|| truncated("the beginning", at, 4, bytes))
    };
    let version = word(8)?;
    if version != VERSION {
        return Err(NetError::Version {
            kind: "Tabia's net",
            found: version,
            known: VERSION,
            remark: "",
        });
    }
    let length = word(12)? as usize;
    if length > LONGEST_HEADER {
        return Err(NetError::Header(format!(
            "its length is {length}, more than the maximum of {LONGEST_HEADER}"
        )));
    }
    let header = bytes
        .get(PREFIX..PREFIX + length)
        .ok_or_else(|| truncated("the header", PREFIX, length, bytes))?;
    let header =
        serde_json::from_slice(header).map_err(|error| NetError::Header(printable(&error)))?;
    Ok((header, PREFIX + length))
}

fn truncated(what: &str, offset: usize, wanted: usize, bytes: &[u8]) -> NetError {
    NetError::Truncated {
        what: what.to_owned(),
        offset,
        wanted: wanted as u64,
        left: bytes.len().saturating_sub(offset),
    }
}
