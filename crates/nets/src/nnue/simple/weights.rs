//! The weights of a simple net in the order of its file.

use crate::Provenance;
use crate::nnue::bounds;
use crate::nnue::error::BoundError;
use crate::nnue::shape::SimpleShape;
use crate::nnue::transformer::Transformer;
use std::io;

/// All weights of a net, and where they come from.
#[derive(Debug)]
pub struct SimpleWeights {
    shape: SimpleShape,
    /// The first layer.
    pub transformer: Transformer,
    /// One for each output.
    pub output_biases: Vec<i32>,
    /// A row for each output: the side to move's weights, then the other side's. Each
    /// weight fits the bits that the shape says.
    pub output_weights: Vec<i16>,
    /// Free text.
    pub description: String,
    /// Where it comes from.
    pub provenance: Provenance,
}

impl SimpleWeights {
    /// Weights that are all 0. The shape must be one that [`SimpleShape::check`] accepts.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn zeros(shape: SimpleShape) -> io::Result<SimpleWeights> {
        let output = shape.output();
        Ok(SimpleWeights {
            transformer: Transformer::zeros(shape.inputs.clone(), shape.hidden, 0)?,
            output_biases: vec![0; output.outputs],
            output_weights: vec![0; output.inputs * output.outputs],
            description: String::new(),
            provenance: Provenance::default(),
            shape,
        })
    }

    /// The shape.
    pub fn shape(&self) -> &SimpleShape {
        &self.shape
    }

    /// Checks that no accumulator can overflow in a legal position. The output
    /// cannot: it has 64 bits.
    ///
    /// # Errors
    /// The first value that could, with the weight to blame.
    pub fn check_bounds(&self) -> Result<(), BoundError> {
        bounds::check_transformer(&self.transformer)
    }
}
