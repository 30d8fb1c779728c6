//! The shape of a fast net: the widths of policy and value, and how they are quantised.

use super::inputs::INPUTS;
use super::rows::ROWS;
use crate::nnue::simd::{PRODUCT_ONE, PRODUCT_SHIFT};
use crate::nnue::{Layer, ShapeError, SimpleShape};
use std::fmt;

/// The scale of the weights of moves.
const MOVE_SCALE: f64 = 64.0;
/// What stands for an activation of 1 after the products: 255 x 255 / 512.
const ACTIVATED: f64 = PRODUCT_ONE as f64 * PRODUCT_ONE as f64 / (1u32 << PRODUCT_SHIFT) as f64;
/// The largest weight of the policy's first layer, so that no sum of 32 men and a bias
/// overflows 16 bits.
const LARGEST_INPUT_WEIGHT: i32 = 3 * PRODUCT_ONE as i32;

/// The shape of policy and value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PolicyShape {
    /// How many values the policy's first layer has; half as many products follow.
    pub hidden: usize,
    /// The NNUE for the value, with three outputs for each output bucket.
    pub value: SimpleShape,
}

/// Why a shape is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PolicyShapeError {
    /// The policy's width.
    #[error("{0} hidden values of the policy: must be a multiple of 128, at most 2048")]
    Hidden(usize),
    /// The shape of the value.
    #[error("the value: {0}")]
    Value(#[from] ShapeError),
}

impl PolicyShape {
    /// The most values of the first layer.
    pub const MOST_HIDDEN: usize = 2048;
    /// The number of values must be a multiple of this.
    pub const HIDDEN_STEP: usize = 128;

    /// Checks every size.
    ///
    /// # Errors
    /// The first invalid size.
    pub fn check(&self) -> Result<(), PolicyShapeError> {
        if self.hidden == 0
            || !self.hidden.is_multiple_of(PolicyShape::HIDDEN_STEP)
            || self.hidden > PolicyShape::MOST_HIDDEN
        {
            return Err(PolicyShapeError::Hidden(self.hidden));
        }
        Ok(self.value.check_wdl()?)
    }

    /// The layer from the policy's inputs to its hidden values.
    pub fn first(&self) -> Layer {
        Layer {
            name: "policy inputs",
            inputs: INPUTS,
            padded_inputs: INPUTS,
            outputs: self.hidden,
            weight_scale: f64::from(PRODUCT_ONE),
            bias_scale: f64::from(PRODUCT_ONE),
            largest_weight: LARGEST_INPUT_WEIGHT,
        }
    }

    /// The layer from the products of the hidden values to the logits of moves.
    pub fn moves(&self) -> Layer {
        Layer {
            name: "moves",
            inputs: self.hidden / 2,
            padded_inputs: self.hidden / 2,
            outputs: ROWS,
            weight_scale: MOVE_SCALE,
            bias_scale: ACTIVATED * MOVE_SCALE,
            largest_weight: i32::from(i8::MAX),
        }
    }
}

/// A short description, such as `policy 3072, 256 pairwise, 7752 rows; value 768 mirrored,
/// 2 x 256 screlu, 3 outputs a bucket, 8 buckets`.
impl fmt::Display for PolicyShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PolicyShape { hidden, value } = self;
        write!(
            f,
            "policy {INPUTS}, {hidden} pairwise, {ROWS} rows; value 768"
        )?;
        if value.inputs.bucket_count() > 1 {
            write!(f, " x {} king buckets", value.inputs.bucket_count())?;
        }
        if value.inputs.is_mirrored() {
            write!(f, " mirrored")?;
        }
        let activation = value.activation.name();
        let buckets = value.output_buckets / crate::nnue::OUTCOMES;
        write!(f, ", 2 x {} {activation}, win-draw-loss, ", value.hidden)?;
        write!(f, "{buckets} bucket{}", if buckets == 1 { "" } else { "s" })
    }
}
