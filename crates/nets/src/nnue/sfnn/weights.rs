//! The weights of a Stockfish-shaped net in the order of its file: to be read, written,
//! trained and changed, but not packed for evaluation.

use crate::nnue::bounds::{self, LayerBound};
use crate::nnue::error::BoundError;
use crate::nnue::shape::SfnnShape;
use crate::nnue::transformer::Transformer;
use std::io;

/// All weights of a net.
#[derive(Debug)]
pub struct SfnnWeights {
    shape: SfnnShape,
    /// Free text of the file; usually, but not always, UTF-8.
    pub description: Vec<u8>,
    /// The first layer.
    pub transformer: Transformer,
    /// The layers behind it, one stack for each bucket.
    pub stacks: Vec<Stack>,
}

/// The layers of one bucket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stack {
    /// The layers in the order of [`SfnnShape::stack`].
    pub layers: [Affine; 3],
}

/// One fully connected layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Affine {
    /// One for each output.
    pub biases: Vec<i32>,
    /// A padded row for each output.
    pub weights: Vec<i8>,
}

impl SfnnWeights {
    /// Weights that are all 0.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn zeros(shape: SfnnShape) -> io::Result<SfnnWeights> {
        let layers = shape.stack().map(|layer| Affine {
            biases: vec![0; layer.outputs],
            weights: vec![0; layer.outputs * layer.padded_inputs],
        });
        Ok(SfnnWeights {
            shape,
            description: Vec::new(),
            transformer: Transformer::zeros(shape.inputs(), shape.l1(), SfnnShape::BUCKETS)?,
            stacks: vec![Stack { layers }; SfnnShape::BUCKETS],
        })
    }

    /// The shape.
    pub fn shape(&self) -> SfnnShape {
        self.shape
    }

    /// Checks that no sum can overflow in a legal position.
    ///
    /// # Errors
    /// The first sum that could, with the weight to blame.
    pub fn check_bounds(&self) -> Result<(), BoundError> {
        bounds::check_transformer(&self.transformer)?;
        for number in 0..self.stacks.len() {
            for (index, layer) in self.shape.stack().iter().enumerate() {
                for output in 0..layer.outputs {
                    self.check_output(number, index, output, SUM_LIMIT)?;
                }
            }
        }
        Ok(())
    }

    /// Checks that the product of the skipping output fits the 32 bits that Stockfish
    /// gives it, even with every input at its maximum.
    ///
    /// Such inputs hardly occur, and good nets fail this check; here the product has
    /// 64 bits. A net that passes has provably the same values in Stockfish.
    ///
    /// # Errors
    /// The first stack where it could overflow, with the weight to blame.
    pub fn check_skip(&self) -> Result<(), BoundError> {
        (0..self.stacks.len()).try_for_each(|number| self.check_output(number, 0, SKIP, SKIP_LIMIT))
    }

    fn check_output(
        &self,
        stack: usize,
        index: usize,
        output: usize,
        limit: i64,
    ) -> Result<(), BoundError> {
        let layer = self.shape.stack()[index];
        let affine = &self.stacks[stack].layers[index];
        let bound = LayerBound {
            stack,
            layer: layer.name,
            output,
            largest_input: match index {
                0 => LARGEST_PRODUCT,
                _ => i64::from(SfnnShape::ONE),
            },
            limit,
        };
        let row = &affine.weights[output * layer.padded_inputs..][..layer.inputs];
        bound.check(affine.biases[output], row)
    }
}

/// The output of the first layer that skips the others.
pub(super) const SKIP: usize = SfnnShape::FIRST - 1;

/// The skipping output times this divided by [`SKIP_DIVISOR`] converts it from the
/// scale of a hidden layer to that of the last.
pub(super) const SKIP_FACTOR: i32 = SfnnShape::VALUE_SCALE * SfnnShape::OUTPUT_SCALE;
pub(super) const SKIP_DIVISOR: i32 = SfnnShape::ONE << SfnnShape::WEIGHT_SHIFT;

/// The largest product of two activations, as it is stored.
const LARGEST_PRODUCT: i64 = (SfnnShape::ONE * SfnnShape::ONE / 128) as i64;
/// The largest sum whose product with [`SKIP_FACTOR`] fits 32 bits.
const SKIP_LIMIT: i64 = (i32::MAX / SKIP_FACTOR) as i64;
/// The largest sum of a layer: sums are added to each other and to material, so there must
/// be room for that.
const SUM_LIMIT: i64 = (i32::MAX / 4) as i64;
