//! The shapes of nets: which layers they have, the sizes of these, and how their
//! weights are quantised. Readers, writers, inference and trainers take sizes and
//! scales from here; nothing here holds weights.

mod sfnn;
mod simple;

pub use sfnn::SfnnShape;
pub use simple::{OutputBits, SimpleScales, SimpleShape};

/// One layer: its sizes, and the factors by which a trainer's floats become the
/// integers of a file, rounded to the nearest.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Layer {
    /// Its name in messages.
    pub name: &'static str,
    /// Inputs without padding.
    pub inputs: usize,
    /// Inputs in the file, where rows are padded with zeros.
    pub padded_inputs: usize,
    /// Outputs.
    pub outputs: usize,
    /// The factor of weights.
    pub weight_scale: f64,
    /// The factor of biases.
    pub bias_scale: f64,
    /// The largest absolute value of a stored weight.
    pub largest_weight: i32,
}

/// The activation function of an accumulator's values.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Activation {
    /// Clipped to 0 to 1.
    Crelu,
    /// Clipped and squared.
    Screlu,
    /// The clipped first half times the clipped second half.
    Pairwise,
}

impl Activation {
    /// Its name in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Activation::Crelu => "crelu",
            Activation::Screlu => "screlu",
            Activation::Pairwise => "pairwise",
        }
    }
}

/// The number of outcomes: win, draw and loss.
pub const OUTCOMES: usize = 3;

/// The output bucket by the number of men: the first for few men, the last for all 32.
#[inline(always)]
fn bucket_of(men: u32, buckets: usize) -> usize {
    (men.saturating_sub(1) as usize * buckets / 32).min(buckets - 1)
}

/// Why a shape is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ShapeError {
    /// The size of the hidden layer.
    #[error("{0} hidden values: must be a multiple of 32, at most 8192")]
    Hidden(usize),
    /// The number of output buckets.
    #[error("{0} output buckets: must be from 1 to 8")]
    OutputBuckets(usize),
    /// The number of outputs for win, draw and loss.
    #[error("{0} outputs: must be three for each of 1 to 8 buckets")]
    Outcomes(usize),
    /// The scale of activations.
    #[error("the scale {one} of activations is not from 1 to {most}")]
    One {
        /// The scale.
        one: i32,
        /// The largest that the bits of output weights allow.
        most: i32,
    },
    /// The scale of output weights.
    #[error("the scale {0} of output weights is not from 1 to 4096")]
    Output(i32),
    /// The scale of the value.
    #[error("the scale {0} of the value is not from 1 to 10000")]
    Value(i32),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::inputs::Inputs;

    #[test]
    fn buckets_follow_the_number_of_men() {
        for men in 2..=32 {
            assert_eq!(SfnnShape::bucket(men), (men as usize - 1) / 4);
            assert_eq!(bucket_of(men, 1), 0);
        }
        assert_eq!([2, 16, 17, 32].map(|men| bucket_of(men, 2)), [0, 0, 1, 1]);
        // More men than any position has must not overflow.
        assert_eq!(bucket_of(64, 8), 7);
    }

    #[test]
    fn scales_are_those_of_the_format() {
        let shape = SfnnShape::new(1024).expect("it exists");
        assert_eq!(shape.psqt().weight_scale, 9600.0);
        let [first, second, third] = shape.stack();
        assert_eq!([first.weight_scale, first.bias_scale], [64.0, 8128.0]);
        assert_eq!([second.inputs, second.padded_inputs], [30, 32]);
        assert!((third.weight_scale - 75.59).abs() < 0.01);
        assert_eq!(third.bias_scale, 9600.0);
        assert_eq!(SfnnShape::new(1000), None);
    }

    #[test]
    fn wrong_shapes_are_named() {
        let shape = SimpleShape {
            inputs: Inputs::piece_square([0; 64], false).expect("one bucket"),
            hidden: 64,
            activation: Activation::Screlu,
            output_buckets: 8,
            scales: SimpleScales::default(),
        };
        assert_eq!(shape.check(), Ok(()));
        assert_eq!(shape.unit(), 181 * 181 * 1024);
        assert_eq!(shape.output().inputs, 128);
        for hidden in [0, 48, 8224] {
            let wrong = SimpleShape {
                hidden,
                ..shape.clone()
            };
            assert_eq!(wrong.check(), Err(ShapeError::Hidden(hidden)));
        }
        let wrong = SimpleShape {
            output_buckets: 9,
            ..shape
        };
        assert_eq!(wrong.check(), Err(ShapeError::OutputBuckets(9)));
    }
}
