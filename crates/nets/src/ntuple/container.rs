//! The file format of n-tuple networks.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `TABIATUP` |
//! | 4 | version, 1 |
//! | 4 | length of the header |
//! | 4 | length of the text of the terms |
//! | | header: JSON with tuples, groups, endgame functions, description and provenance |
//! | | the weights of the terms of the hand-written evaluation, as text by name |
//! | | tables in the order of the header: for each place two numbers of 16 bits |
//! | 32 | BLAKE3 of everything before |
//!
//! Integers are little-endian. Everything is checked before it is used.

use super::error::NTupleError;
use super::tuple::Tuple;
use super::weights::NTupleWeights;
use crate::Provenance;
use crate::bytes::printable;
use crate::classical::{Group, Groups, Weights};
use serde::{Deserialize, Serialize};

/// The signature at the beginning of a file.
pub(crate) const MAGIC: &[u8; 8] = b"TABIATUP";
const VERSION: u32 = 1;
/// The most bytes of a header.
const LONGEST_HEADER: usize = 1 << 16;
const CHECKSUM: usize = blake3::OUT_LEN;
const PREFIX: usize = 20;
/// How many bytes a place has: two weights of 16 bits.
const PLACE: usize = 4;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    tuples: Vec<String>,
    /// The groups of terms that are switched on.
    groups: Vec<String>,
    endgame_functions: bool,
    description: String,
    provenance: Provenance,
}

impl Header {
    fn of(weights: &NTupleWeights) -> Header {
        let tuples = weights.tables().iter().map(|table| table.tuple());
        Header {
            tuples: tuples.map(Tuple::to_string).collect(),
            groups: weights
                .groups
                .iter()
                .map(|group| group.to_string())
                .collect(),
            endgame_functions: weights.endgame_functions,
            description: weights.description.clone(),
            provenance: weights.provenance.clone(),
        }
    }

    fn tuples(&self) -> Result<Vec<Tuple>, NTupleError> {
        let tuples = self.tuples.iter().map(|name| name.parse());
        Ok(tuples.collect::<Result<_, _>>()?)
    }

    fn groups(&self) -> Result<Groups, NTupleError> {
        self.groups.iter().try_fold(Groups::NONE, |set, name| {
            Ok(set.with(printable(name).parse::<Group>()?))
        })
    }
}

impl NTupleWeights {
    /// Reads a whole file.
    ///
    /// # Errors
    /// If it is not exactly as [`to_bytes`](NTupleWeights::to_bytes) writes it.
    pub fn read(bytes: &[u8]) -> Result<NTupleWeights, NTupleError> {
        let Parts { header, terms } = read_parts(bytes)?;
        let tuples = header.tuples()?;
        let start = PREFIX + terms.end;
        let places = tuples.iter().map(Tuple::places).sum::<usize>();
        let end = start + PLACE * places;
        let wanted = PLACE * places + CHECKSUM;
        if bytes.len() < end + CHECKSUM {
            return Err(truncated("the tables", start, wanted, bytes));
        }
        if bytes.len() > end + CHECKSUM {
            return Err(NTupleError::Trailing {
                offset: end + CHECKSUM,
                extra: bytes.len() - end - CHECKSUM,
            });
        }
        if blake3::hash(&bytes[..end]).as_bytes()[..] != bytes[end..] {
            return Err(NTupleError::Checksum);
        }
        let mut weights = NTupleWeights::zeros(tuples)?;
        let text = String::from_utf8_lossy(&bytes[PREFIX + terms.start..start]);
        weights.linear = Weights::read(&text)?;
        weights.groups = header.groups()?;
        weights.endgame_functions = header.endgame_functions;
        let (stored, _) = bytes[start..end].as_chunks::<PLACE>();
        let tables = weights.tables_mut().iter_mut();
        let places = tables.flat_map(|table| table.weights_mut());
        for (weight, &[a, b, c, d]) in places.zip(stored) {
            *weight = [i16::from_le_bytes([a, b]), i16::from_le_bytes([c, d])];
        }
        weights.check_bounds()?;
        weights.description = header.description;
        weights.provenance = header.provenance;
        Ok(weights)
    }

    /// The bytes of the whole file.
    ///
    /// # Errors
    /// If a weight is too large, or the texts are too long.
    pub fn to_bytes(&self) -> Result<Vec<u8>, NTupleError> {
        self.check_bounds()?;
        let header = serde_json::to_vec(&Header::of(self))
            .map_err(|error| NTupleError::Header(error.to_string()))?;
        if header.len() > LONGEST_HEADER {
            return Err(NTupleError::Header(format!(
                "{} bytes are more than the {LONGEST_HEADER} allowed: shorten the texts",
                header.len()
            )));
        }
        let terms = self.linear.write();
        let tables = PLACE * self.places();
        let mut bytes = Vec::with_capacity(PREFIX + header.len() + terms.len() + tables + CHECKSUM);
        bytes.extend_from_slice(MAGIC);
        for number in [VERSION, header.len() as u32, terms.len() as u32] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&header);
        bytes.extend_from_slice(terms.as_bytes());
        let places = self.tables().iter().flat_map(|table| table.weights());
        bytes.extend(places.flatten().flat_map(|weight| weight.to_le_bytes()));
        let checksum = blake3::hash(&bytes);
        bytes.extend_from_slice(checksum.as_bytes());
        Ok(bytes)
    }
}

/// The parts before the tables.
struct Parts {
    header: Header,
    /// The range of the text of the terms, after the prefix.
    terms: std::ops::Range<usize>,
}

fn read_parts(bytes: &[u8]) -> Result<Parts, NTupleError> {
    if !bytes.starts_with(MAGIC) {
        return Err(NTupleError::Foreign);
    }
    let word = |at: usize| -> Result<u32, NTupleError> {
        let word = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>());
        word.map(|&word| u32::from_le_bytes(word))
            .ok_or_else(|| truncated("the beginning", at, 4, bytes))
    };
    let version = word(8)?;
    if version != VERSION {
        let (found, known) = (version, VERSION);
        return Err(NTupleError::Version { found, known });
    }
    let [length, terms] = [word(12)? as usize, word(16)? as usize];
    if length > LONGEST_HEADER {
        return Err(NTupleError::Header(format!(
            "its length is {length}, more than the maximum of {LONGEST_HEADER}"
        )));
    }
    let rest = &bytes[PREFIX..];
    let header = rest
        .get(..length)
        .ok_or_else(|| truncated("the header", PREFIX, length, bytes))?;
    if rest.len() - length < terms {
        return Err(truncated("the terms", PREFIX + length, terms, bytes));
    }
    let header =
        serde_json::from_slice(header).map_err(|error| NTupleError::Header(printable(&error)))?;
    Ok(Parts {
        header,
        terms: length..length + terms,
    })
}

fn truncated(what: &'static str, offset: usize, wanted: usize, bytes: &[u8]) -> NTupleError {
    NTupleError::Truncated {
        what,
        offset,
        wanted,
        left: bytes.len().saturating_sub(offset),
    }
}
