//! The file format of fast nets: policy and value in one file.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `TABIAPOL` |
//! | 4 | version, 1 |
//! | 4 | length of the header |
//! | | header: JSON with both shapes, description and provenance |
//! | | policy: biases and weights of the inputs, 16 bits, one row for each input |
//! | | policy: biases of moves, 32 bits; weights, 8 bits, one row for each move |
//! | | value: as in the file of a simple net |
//! | 32 | BLAKE3 of everything before |
//!
//! Integers are little-endian. Everything is checked before it is used.

use super::inputs::INPUTS;
use super::rows::ROWS;
use super::shape::PolicyShape;
use super::weights::{PolicyLayers, PolicyWeights};
use crate::Provenance;
use crate::bytes::printable;
use crate::nnue::simple::{ShapeHeader, SimpleWeights, weight_bytes};
use crate::nnue::{NetError, SimpleScales};
use serde::{Deserialize, Serialize};
use std::io;

/// The signature at the beginning of a file.
pub(crate) const MAGIC: &[u8; 8] = b"TABIAPOL";
const VERSION: u32 = 1;
/// The most bytes of a header.
const LONGEST_HEADER: usize = 1 << 16;
const CHECKSUM: usize = blake3::OUT_LEN;
const PREFIX: usize = 16;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    policy: PolicyHeader,
    value: ShapeHeader,
    value_scales: SimpleScales,
    description: String,
    provenance: Provenance,
}

/// `inputs` and `rows` are fixed in this program; a file with other numbers is from another
/// version of it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyHeader {
    inputs: usize,
    hidden: usize,
    rows: usize,
}

/// The contents of a file, borrowed from weights or from a net.
pub(super) struct Parts<'a> {
    pub(super) policy: &'a PolicyLayers,
    pub(super) value: &'a SimpleWeights,
    pub(super) description: &'a str,
    pub(super) provenance: &'a Provenance,
}

impl Header {
    fn of(parts: &Parts<'_>) -> Header {
        let value = parts.value.shape();
        Header {
            policy: PolicyHeader {
                inputs: INPUTS,
                hidden: parts.policy.hidden(),
                rows: ROWS,
            },
            value: ShapeHeader::of(value),
            value_scales: value.scales,
            description: parts.description.to_owned(),
            provenance: parts.provenance.clone(),
        }
    }

    fn shape(&self) -> Result<PolicyShape, NetError> {
        let PolicyHeader {
            inputs,
            hidden,
            rows,
        } = self.policy;
        if inputs != INPUTS || rows != ROWS {
            return Err(NetError::Header(format!(
                "a policy of {inputs} inputs and {rows} rows, but this program supports {INPUTS} \
                 and {ROWS}"
            )));
        }
        let value = self.value.shape(self.value_scales)?;
        let shape = PolicyShape { hidden, value };
        match shape.check() {
            Ok(()) => Ok(shape),
            Err(error) => Err(NetError::Header(error.to_string())),
        }
    }
}

/// How many bytes the policy's weights take.
fn policy_bytes(hidden: usize) -> usize {
    2 * hidden * (INPUTS + 1) + 4 * ROWS + ROWS * hidden / 2
}

impl PolicyWeights {
    /// Reads a whole file.
    ///
    /// # Errors
    /// If it is not exactly as [`to_bytes`](PolicyWeights::to_bytes) writes it.
    pub fn read(bytes: &[u8]) -> Result<PolicyWeights, NetError> {
        let (header, start) = read_header(bytes)?;
        let shape = header.shape()?;
        let middle = start + policy_bytes(shape.hidden);
        let end = middle + weight_bytes(&shape.value);
        if bytes.len() < end + CHECKSUM {
            let wanted = end + CHECKSUM - start;
            return Err(truncated("the weights", start, wanted, bytes));
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
        let weights = PolicyWeights {
            policy: PolicyLayers::read(shape.hidden, &bytes[start..middle])?,
            value: SimpleWeights::read_weights(shape.value, &bytes[middle..end])?,
            description: header.description,
            provenance: header.provenance,
        };
        weights.check_bounds()?;
        Ok(weights)
    }

    /// The bytes of the whole file.
    ///
    /// # Errors
    /// If a sum could overflow, or the texts are too long.
    pub fn to_bytes(&self) -> Result<Vec<u8>, NetError> {
        self.check_bounds()?;
        let parts = Parts {
            policy: &self.policy,
            value: &self.value,
            description: &self.description,
            provenance: &self.provenance,
        };
        parts.to_bytes()
    }
}

impl Parts<'_> {
    /// The bytes of the whole file. The caller has checked that no sum can overflow.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, NetError> {
        let header = serde_json::to_vec(&Header::of(self)).map_err(io::Error::from)?;
        if header.len() > LONGEST_HEADER {
            return Err(NetError::Header(format!(
                "{} bytes are more than the {LONGEST_HEADER} allowed: shorten the texts",
                header.len()
            )));
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&header);
        self.policy.write(&mut bytes);
        self.value.write_weights(&mut bytes);
        let checksum = blake3::hash(&bytes);
        bytes.extend_from_slice(checksum.as_bytes());
        Ok(bytes)
    }
}

impl PolicyLayers {
    /// Reads the policy's weights from exactly [`policy_bytes`] bytes.
    fn read(hidden: usize, bytes: &[u8]) -> io::Result<PolicyLayers> {
        let mut layers = PolicyLayers::zeros(hidden)?;
        let mut rest = bytes;
        let mut take = |count: usize| {
            let (taken, others) = rest.split_at(count);
            rest = others;
            taken
        };
        for values in [&mut layers.biases, &mut layers.inputs] {
            let (stored, _) = take(2 * values.len()).as_chunks();
            for (value, &stored) in values.iter_mut().zip(stored) {
                *value = i16::from_le_bytes(stored);
            }
        }
        let (stored, _) = take(4 * layers.move_biases.len()).as_chunks();
        for (value, &stored) in layers.move_biases.iter_mut().zip(stored) {
            *value = i32::from_le_bytes(stored);
        }
        let stored = take(layers.moves.len());
        layers.moves.copy_from_slice(bytemuck::cast_slice(stored));
        Ok(layers)
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        for values in [&self.biases, &self.inputs] {
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        }
        bytes.extend(self.move_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend_from_slice(bytemuck::cast_slice(&self.moves));
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
            kind: "Tabia's policy net",
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
