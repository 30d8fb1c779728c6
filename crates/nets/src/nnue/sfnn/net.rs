//! A net of Stockfish's shape, packed for evaluation.

use super::weights::{SKIP_DIVISOR, SKIP_FACTOR, SfnnWeights, Stack};
use crate::nnue::accumulators::{Accumulated, MATERIAL};
use crate::nnue::error::BoundError;
use crate::nnue::network::Network;
use crate::nnue::scaling::Scaling;
use crate::nnue::shape::SfnnShape;
use crate::nnue::simd::{Block, Kernels, PackedStack};
use crate::nnue::transformer::Transformer;

/// A net that can be evaluated. Its weights cannot be changed.
pub struct Sfnn {
    weights: SfnnWeights,
    stacks: Vec<PackedStack>,
}

/// The two parts of a value for the side to move, in sums of the last layer: 16
/// are one unit of the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    /// The part of the material values.
    pub psqt: i32,
    /// The part of the layers.
    pub positional: i32,
}

impl Parts {
    /// The value, in Stockfish's units.
    pub fn value(self) -> i32 {
        (self.psqt + self.positional) / SfnnShape::OUTPUT_SCALE
    }
}

impl Sfnn {
    /// Packs the weights.
    ///
    /// # Errors
    /// If a sum could overflow.
    pub fn new(weights: SfnnWeights) -> Result<Sfnn, BoundError> {
        weights.check_bounds()?;
        let stacks = weights.stacks.iter().map(pack).collect();
        Ok(Sfnn { weights, stacks })
    }

    /// The weights.
    pub fn weights(&self) -> &SfnnWeights {
        &self.weights
    }

    /// The two parts of the value by one bucket.
    #[inline]
    pub(in crate::nnue) fn parts(
        &self,
        kernels: &Kernels,
        sums: &Accumulated<'_>,
        bucket: usize,
    ) -> Parts {
        let out = kernels.stack(sums.own, sums.other, &self.stacks[bucket]);
        let skip = i64::from(out.skip) * i64::from(SKIP_FACTOR) / i64::from(SKIP_DIVISOR);
        Parts {
            psqt: (sums.own_material[bucket] - sums.other_material[bucket]) / 2,
            positional: out.last + skip as i32,
        }
    }
}

const _: () = assert!(MATERIAL == SfnnShape::BUCKETS);

impl Network for Sfnn {
    #[inline(always)]
    fn transformer(&self) -> &Transformer {
        &self.weights.transformer
    }

    #[inline]
    fn value(&self, kernels: &Kernels, sums: &Accumulated<'_>, men: u32) -> i32 {
        self.parts(kernels, sums, SfnnShape::bucket(men)).value()
    }

    fn scaling(&self) -> Scaling {
        Scaling::STOCKFISH
    }
}

fn pack(stack: &Stack) -> PackedStack {
    let [first, second, third] = &stack.layers;
    let mut packed = PackedStack {
        first_biases: [0; SfnnShape::FIRST],
        second_biases: [0; SfnnShape::SECOND],
        second: [[0; 4 * SfnnShape::SECOND]; SfnnShape::SECOND / 4],
        third: [0; SfnnShape::SECOND],
        third_bias: third.biases[0],
        first: Vec::new(),
    };
    packed.first_biases.copy_from_slice(&first.biases);
    packed.second_biases.copy_from_slice(&second.biases);
    packed.third.copy_from_slice(&third.weights);
    let width = first.weights.len() / SfnnShape::FIRST;
    packed.first = (0..width / 4)
        .map(|group| {
            let mut block = Block([0; 64]);
            pack_group(&first.weights, width, group, &mut block.0);
            block
        })
        .collect();
    for (group, block) in packed.second.iter_mut().enumerate() {
        pack_group(&second.weights, SfnnShape::SECOND, group, block);
    }
    packed
}

/// Packs the weights of four neighbouring inputs for each output.
fn pack_group(weights: &[i8], width: usize, group: usize, block: &mut [i8]) {
    for (output, four) in block.chunks_exact_mut(4).enumerate() {
        four.copy_from_slice(&weights[output * width + 4 * group..][..4]);
    }
}
