//! Reads Stockfish's `.nnue` files of versions 15.1 to 17.1, raw or compressed.
//!
//! Nothing is trusted unchecked: no memory is allocated for a length that exceeds
//! the file.

use super::{Compression, LEB128_MAGIC, SfnnWeights, VERSION, hash, leb128};
use crate::nnue::error::NetError;
use crate::nnue::shape::SfnnShape;

/// Versions of newer files, and who writes them.
const KNOWN_VERSIONS: [(u32, &str); 1] = [(
    0x6A44_8AFA,
    " (Stockfish 19 writes such files; they have additional inputs and other layers)",
)];

/// Hashes of shapes that are known but not supported.
const KNOWN_NETWORKS: [(u32, &str); 1] =
    [(0x3C10_3E72, " (it is that of Stockfish nets before 15)")];

/// Whether this is the version of a known newer format.
pub(super) fn is_known_version(version: u32) -> bool {
    KNOWN_VERSIONS.iter().any(|(known, _)| *known == version)
}

impl SfnnWeights {
    /// Reads a whole file. Also returns how its arrays are stored, so that the
    /// same file can be written again.
    ///
    /// # Errors
    /// If it is not exactly one net of a known shape.
    pub fn read(bytes: &[u8]) -> Result<(SfnnWeights, Compression), NetError> {
        let mut reader = Reader { bytes, offset: 0 };
        let (shape, description) = reader.header()?;
        reader.expect_hash("the feature transformer", hash::transformer(shape))?;
        let compression = reader.compression();
        reader.demand_transformer(shape, compression)?;
        let mut weights = SfnnWeights::zeros(shape)?;
        weights.description = description.to_vec();
        let transformer = &mut weights.transformer;
        reader.i16_array(
            "the transformer's biases",
            compression,
            &mut transformer.biases,
        )?;
        reader.i16_array(
            "the transformer's weights",
            compression,
            &mut transformer.weights,
        )?;
        reader.i32_array("the PSQT weights", compression, &mut transformer.psqt)?;
        for (number, stack) in weights.stacks.iter_mut().enumerate() {
            reader.expect_hash(&format!("stack {number}"), hash::stack(shape))?;
            for (layer, affine) in shape.stack().iter().zip(&mut stack.layers) {
                let what = format!("{} of stack {number}", layer.name);
                let biases = reader.take(4 * affine.biases.len(), &what)?;
                read_values(biases, i32::from_le_bytes, &mut affine.biases);
                let stored = reader.take(affine.weights.len(), &what)?;
                affine.weights.copy_from_slice(bytemuck::cast_slice(stored));
            }
        }
        match bytes.len() - reader.offset {
            0 => Ok((weights, compression)),
            extra => Err(NetError::Trailing {
                offset: reader.offset,
                extra,
            }),
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    fn header(&mut self) -> Result<(SfnnShape, &'a [u8]), NetError> {
        let version = self.word("the version")?;
        if version != VERSION {
            let known = KNOWN_VERSIONS.iter().find(|(known, _)| *known == version);
            return Err(NetError::Version {
                kind: "the .nnue file",
                found: version,
                known: VERSION,
                remark: known.map_or("", |(_, remark)| remark),
            });
        }
        let network = self.word("the network hash")?;
        let shape = hash::shape_of(network).ok_or_else(|| {
            let known = KNOWN_NETWORKS.iter().find(|(known, _)| *known == network);
            NetError::Architecture {
                hash: network,
                remark: known.map_or(
                    " (nets of Stockfish 18 and newer have additional inputs)",
                    |(_, remark)| remark,
                ),
            }
        })?;
        let length = self.word("the length of the description")?;
        let description = self.take(length as usize, "the description")?;
        Ok((shape, description))
    }

    fn compression(&self) -> Compression {
        if self.bytes[self.offset..].starts_with(LEB128_MAGIC) {
            Compression::Leb128
        } else {
            Compression::Raw
        }
    }

    /// Refuses a file that is too short for its shape before memory is allocated.
    fn demand_transformer(
        &self,
        shape: SfnnShape,
        compression: Compression,
    ) -> Result<(), NetError> {
        let inputs = shape.inputs().count();
        let (wide, narrow) = (inputs * SfnnShape::BUCKETS, (inputs + 1) * shape.l1());
        let least = match compression {
            Compression::Raw => 4 * wide + 2 * narrow,
            // A number takes at least one byte.
            Compression::Leb128 => wide + narrow,
        };
        self.demand(least, "the feature transformer")
    }

    fn demand(&self, wanted: usize, what: &str) -> Result<(), NetError> {
        let left = self.bytes.len() - self.offset;
        if wanted <= left {
            return Ok(());
        }
        Err(NetError::Truncated {
            what: what.to_owned(),
            offset: self.offset,
            wanted: wanted as u64,
            left,
        })
    }

    fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], NetError> {
        self.demand(count, what)?;
        let taken = &self.bytes[self.offset..][..count];
        self.offset += count;
        Ok(taken)
    }

    fn word(&mut self, what: &str) -> Result<u32, NetError> {
        let mut word = [0; 4];
        word.copy_from_slice(self.take(4, what)?);
        Ok(u32::from_le_bytes(word))
    }

    fn expect_hash(&mut self, what: &str, expected: u32) -> Result<(), NetError> {
        let offset = self.offset;
        let found = self.word(&format!("the hash of {what}"))?;
        if found == expected {
            return Ok(());
        }
        Err(NetError::Hash {
            what: what.to_owned(),
            offset,
            found,
            expected,
        })
    }

    fn i16_array(
        &mut self,
        what: &str,
        compression: Compression,
        values: &mut [i16],
    ) -> Result<(), NetError> {
        self.expect_compression(what, compression)?;
        match compression {
            Compression::Raw => {
                let stored = self.take(size_of_val(values), what)?;
                read_values(stored, i16::from_le_bytes, values);
                Ok(())
            }
            Compression::Leb128 => self.compressed(what, 16, |index, value| {
                values.get_mut(index).map(|place| *place = value as i16)
            }),
        }
    }

    fn i32_array(
        &mut self,
        what: &str,
        compression: Compression,
        values: &mut [i32],
    ) -> Result<(), NetError> {
        self.expect_compression(what, compression)?;
        match compression {
            Compression::Raw => {
                let stored = self.take(size_of_val(values), what)?;
                read_values(stored, i32::from_le_bytes, values);
                Ok(())
            }
            Compression::Leb128 => self.compressed(what, 32, |index, value| {
                values.get_mut(index).map(|place| *place = value)
            }),
        }
    }

    fn expect_compression(&self, what: &str, expected: Compression) -> Result<(), NetError> {
        let found = self.compression();
        if found == expected {
            return Ok(());
        }
        Err(NetError::Mixed {
            what: what.to_owned(),
            offset: self.offset,
            found: found.name(),
        })
    }

    /// Reads a compressed array, which must have exactly as many numbers as `put` accepts.
    fn compressed(
        &mut self,
        what: &str,
        bits: u32,
        mut put: impl FnMut(usize, i32) -> Option<()>,
    ) -> Result<(), NetError> {
        self.take(LEB128_MAGIC.len(), what)?;
        let length = self.word(what)? as usize;
        let start = self.offset;
        let stored = self.take(length, what)?;
        let problem = |offset: usize, problem: &'static str| NetError::Leb128 {
            what: what.to_owned(),
            offset: start + offset,
            problem,
        };
        let mut offset = 0;
        let mut index = 0;
        while offset < stored.len() {
            let before = offset;
            let value = leb128::read(stored, &mut offset, bits).map_err(|found| {
                problem(
                    before,
                    match found {
                        leb128::Problem::Ends => "is cut off",
                        leb128::Problem::TooLarge => "does not fit its type",
                    },
                )
            })?;
            put(index, value).ok_or_else(|| problem(before, "is one too many"))?;
            index += 1;
        }
        // The array is too short if another number would still be accepted.
        match put(index, 0) {
            None => Ok(()),
            Some(()) => Err(problem(offset, "is missing: the array is too short")),
        }
    }
}

fn read_values<T, const BYTES: usize>(
    stored: &[u8],
    convert: fn([u8; BYTES]) -> T,
    values: &mut [T],
) {
    let (chunks, _) = stored.as_chunks::<BYTES>();
    for (value, &bytes) in values.iter_mut().zip(chunks) {
        *value = convert(bytes);
    }
}
