//! Tabia's own file format for ResNets: the second version of `.tabianet`.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `TABIANET` |
//! | 4 | version, 2 |
//! | 4 | length of the header |
//! | | header: JSON with kind, shape, description and provenance |
//! | | the tensors in the order of the shape, 32-bit floats |
//! | 32 | BLAKE3 of everything before |
//!
//! Numbers are little-endian. Everything is checked before it is used.

use super::error::ResNetError;
use super::shape::{ResNetShape, TensorShape};
use super::weights::ResNetWeights;
use crate::Provenance;
use crate::bytes::printable;
use serde::{Deserialize, Serialize};

const MAGIC: &[u8; 8] = b"TABIANET";
const VERSION: u32 = 2;
const KIND: &str = "resnet";
/// The most bytes of a header.
const LONGEST_HEADER: usize = 1 << 16;
const CHECKSUM: usize = blake3::OUT_LEN;
const PREFIX: usize = 16;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    kind: String,
    shape: ResNetShape,
    description: String,
    provenance: Provenance,
}

/// Whether a file begins like a ResNet.
pub(crate) fn looks_like_one(bytes: &[u8]) -> bool {
    // The kind is the first entry of the header.
    let start = format!("{{\"kind\":\"{KIND}\"");
    let header = bytes.get(PREFIX..).unwrap_or_default();
    bytes.starts_with(MAGIC)
        && bytes[MAGIC.len()..].starts_with(&VERSION.to_le_bytes())
        && header.starts_with(start.as_bytes())
}

impl ResNetWeights {
    /// Reads a whole file.
    ///
    /// # Errors
    /// If it is not exactly as [`to_bytes`](ResNetWeights::to_bytes) writes it.
    pub fn read(bytes: &[u8]) -> Result<ResNetWeights, ResNetError> {
        let (header, start) = read_header(bytes)?;
        header.shape.check().map_err(ResNetError::Header)?;
        let tensors = header.shape.tensors();
        let values: usize = tensors.iter().map(TensorShape::count).sum();
        let end = start + 4 * values;
        if bytes.len() < end + CHECKSUM {
            return Err(truncated(
                "the weights",
                start,
                end + CHECKSUM - start,
                bytes,
            ));
        }
        if bytes.len() > end + CHECKSUM {
            return Err(ResNetError::Trailing {
                offset: end + CHECKSUM,
                extra: bytes.len() - end - CHECKSUM,
            });
        }
        if blake3::hash(&bytes[..end]).as_bytes()[..] != bytes[end..] {
            return Err(ResNetError::Checksum);
        }
        let mut weights = ResNetWeights::new(header.shape);
        let (stored, _) = bytes[start..end].as_chunks::<4>();
        let places = weights.tensors_mut().iter_mut().flatten();
        for (place, &stored) in places.zip(stored) {
            *place = f32::from_le_bytes(stored);
        }
        weights.description = header.description;
        weights.provenance = header.provenance;
        match weights.broken() {
            Some(name) => Err(ResNetError::NotANumber(name)),
            None => Ok(weights),
        }
    }

    /// The bytes of the whole file.
    ///
    /// # Errors
    /// If a weight is not finite, or the texts are too long.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ResNetError> {
        if let Some(name) = self.broken() {
            return Err(ResNetError::NotANumber(name));
        }
        let header = Header {
            kind: KIND.to_owned(),
            shape: self.shape().clone(),
            description: self.description.clone(),
            provenance: self.provenance.clone(),
        };
        let header =
            serde_json::to_vec(&header).map_err(|error| ResNetError::Header(error.to_string()))?;
        if header.len() > LONGEST_HEADER {
            return Err(ResNetError::Header(format!(
                "{} bytes are more than the {LONGEST_HEADER} allowed: shorten the texts",
                header.len()
            )));
        }
        let values: usize = self.tensors().iter().map(Vec::len).sum();
        let mut bytes = Vec::with_capacity(PREFIX + header.len() + 4 * values + CHECKSUM);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&header);
        let values = self.tensors().iter().flatten();
        bytes.extend(values.flat_map(|value| value.to_le_bytes()));
        let checksum = blake3::hash(&bytes);
        bytes.extend_from_slice(checksum.as_bytes());
        Ok(bytes)
    }
}

/// Reads the header; also returns where the weights begin.
fn read_header(bytes: &[u8]) -> Result<(Header, usize), ResNetError> {
    let word = |at: usize| -> Result<u32, ResNetError> {
        let word = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>());
        word.map(|&word| u32::from_le_bytes(word))
            .ok_or_else(|| truncated("the beginning", at, 4, bytes))
    };
    let version = word(8)?;
    if !bytes.starts_with(MAGIC) || version != VERSION {
        let (found, known) = (version, VERSION);
        return Err(ResNetError::Version { found, known });
    }
    let length = word(12)? as usize;
    if length > LONGEST_HEADER {
        return Err(ResNetError::Header(format!(
            "its length is {length}, more than the maximum of {LONGEST_HEADER}"
        )));
    }
    let header = bytes
        .get(PREFIX..PREFIX + length)
        .ok_or_else(|| truncated("the header", PREFIX, length, bytes))?;
    let header: Header =
        serde_json::from_slice(header).map_err(|error| ResNetError::Header(printable(&error)))?;
    Ok((header, PREFIX + length))
}

fn truncated(what: &'static str, offset: usize, wanted: usize, bytes: &[u8]) -> ResNetError {
    ResNetError::Truncated {
        what,
        offset,
        wanted,
        left: bytes.len().saturating_sub(offset),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights() -> ResNetWeights {
        let shape = ResNetShape {
            channels: 3,
            blocks: 1,
            head_channels: 1,
            value_hidden: 2,
            ..ResNetShape::default()
        };
        let mut weights = ResNetWeights::initialised(shape, 7);
        weights.description = "a small one".to_owned();
        weights.provenance.seed = Some(7);
        weights
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = weights().to_bytes().expect("a file");
        assert!(looks_like_one(&bytes));
        let read = ResNetWeights::read(&bytes).expect("readable");
        assert_eq!(read, weights());
        assert_eq!(read.to_bytes().expect("a file"), bytes);
    }

    #[test]
    fn broken_files_are_refused_in_one_line() {
        let bytes = weights().to_bytes().expect("a file");
        let complaint = |bytes: &[u8]| {
            let error = ResNetWeights::read(bytes).expect_err("broken");
            error.to_string()
        };
        for length in 0..bytes.len().min(2_000) {
            let words = complaint(&bytes[..length]);
            assert!(
                words.starts_with("the file ends within"),
                "{length}: {words}"
            );
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(complaint(&longer).ends_with("but the file has 1 more"));
        let mut damaged = bytes.clone();
        damaged[bytes.len() / 2] ^= 1;
        assert_eq!(
            complaint(&damaged),
            "the checksum is wrong: the file is damaged"
        );
        let mut other = bytes.clone();
        other[8] = 3;
        assert_eq!(
            complaint(&other),
            "the net has version 3, but this program reads 2"
        );
        let mut header = bytes.clone();
        header[PREFIX] = b'[';
        let words = complaint(&header);
        assert!(words.starts_with("the header at byte 16: ") && !words.contains('\n'));
        let mut bad = weights();
        bad.tensors_mut()[0][0] = f32::INFINITY;
        let words = bad.to_bytes().expect_err("infinite").to_string();
        assert!(words.starts_with("stem.convolution.weight contains values"));
    }
}
