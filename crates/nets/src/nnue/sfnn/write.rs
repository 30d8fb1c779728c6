//! Writes nets in the format that Stockfish reads.

use super::{Compression, LEB128_MAGIC, SfnnWeights, VERSION, hash, leb128};
use crate::nnue::error::NetError;
use std::io::{self, Write};

impl SfnnWeights {
    /// Writes the whole file: raw for Stockfish 15.1, compressed for 16 to 17.1.
    /// A net that was read is written back byte for byte.
    ///
    /// # Errors
    /// If a sum of the net could overflow, or the output fails.
    pub fn write(
        &self,
        compression: Compression,
        output: &mut (impl Write + ?Sized),
    ) -> Result<(), NetError> {
        self.check_bounds()?;
        self.write_parts(compression, output)?;
        Ok(())
    }

    fn write_parts(
        &self,
        compression: Compression,
        output: &mut (impl Write + ?Sized),
    ) -> io::Result<()> {
        let shape = self.shape();
        let length = u32::try_from(self.description.len()).map_err(io::Error::other)?;
        for word in [VERSION, hash::network(shape), length] {
            output.write_all(&word.to_le_bytes())?;
        }
        output.write_all(&self.description)?;
        output.write_all(&hash::transformer(shape).to_le_bytes())?;
        let transformer = &self.transformer;
        match compression {
            Compression::Raw => {
                for values in [&transformer.biases, &transformer.weights] {
                    write_chunks(values, output, |value, bytes| {
                        bytes.extend_from_slice(&value.to_le_bytes());
                    })?;
                }
                write_chunks(&transformer.psqt, output, |value, bytes| {
                    bytes.extend_from_slice(&value.to_le_bytes());
                })?;
            }
            Compression::Leb128 => {
                for values in [&transformer.biases, &transformer.weights] {
                    write_compressed(values, output)?;
                }
                write_compressed(&transformer.psqt, output)?;
            }
        }
        for stack in &self.stacks {
            output.write_all(&hash::stack(shape).to_le_bytes())?;
            for affine in &stack.layers {
                for bias in &affine.biases {
                    output.write_all(&bias.to_le_bytes())?;
                }
                output.write_all(bytemuck::cast_slice(&affine.weights))?;
            }
        }
        Ok(())
    }
}

/// How many values are converted to bytes at a time.
const CHUNK: usize = 1 << 16;

fn write_chunks<T: Copy>(
    values: &[T],
    output: &mut (impl Write + ?Sized),
    write: impl Fn(T, &mut Vec<u8>),
) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(4 * CHUNK);
    for chunk in values.chunks(CHUNK) {
        bytes.clear();
        for &value in chunk {
            write(value, &mut bytes);
        }
        output.write_all(&bytes)?;
    }
    Ok(())
}

fn write_compressed<T: Copy + Into<i32>>(
    values: &[T],
    output: &mut (impl Write + ?Sized),
) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(2 * values.len());
    for &value in values {
        leb128::write(value.into(), &mut bytes);
    }
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    output.write_all(LEB128_MAGIC)?;
    output.write_all(&length.to_le_bytes())?;
    output.write_all(&bytes)
}
