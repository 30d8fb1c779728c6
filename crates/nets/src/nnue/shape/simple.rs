//! The shape of simple nets, and the scales of their quantisation.

use super::{Activation, Layer, OUTCOMES, ShapeError, bucket_of};
use crate::nnue::inputs::Inputs;
use std::fmt;

/// A net small enough to train at home: piece-square inputs, one hidden layer that both
/// sides share, and an output layer of which the number of men chooses one output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimpleShape {
    /// The inputs.
    pub inputs: Inputs,
    /// Size of each side's accumulator.
    pub hidden: usize,
    /// The activation function of the accumulators.
    pub activation: Activation,
    /// How many outputs there are, one for each bucket, or three if they are win, draw and loss.
    pub output_buckets: usize,
    /// The scales of its quantisation.
    pub scales: SimpleScales,
}

/// How the weights of a simple net are quantised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimpleScales {
    /// The integer that stands for an activation of 1.
    pub one: i32,
    /// The factor of output weights.
    pub output: i32,
    /// How many centipawns an output of 1 is.
    pub value: i32,
    /// The bits of an output weight; 8 in files that do not say, as they are from before
    /// there was a choice.
    #[serde(default, skip_serializing_if = "OutputBits::are_eight")]
    pub output_bits: OutputBits,
}

/// How many bits an output weight has, which decides the order of multiplications.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum OutputBits {
    /// An activation times its weight fits 16 bits, and is then multiplied by the
    /// activation once more. Weights are coarse and bounded.
    #[default]
    Eight,
    /// The square of an activation fits 16 bits, and is then multiplied by its
    /// weight, which may use all 16 bits.
    Sixteen,
}

impl OutputBits {
    /// The largest activation whose square fits 16 signed bits: 181 x 181 = 32,761.
    pub const LARGEST_SQUARED: i32 = 181;

    /// The largest weight.
    pub fn largest_weight(self) -> i32 {
        match self {
            OutputBits::Eight => i8::MAX.into(),
            OutputBits::Sixteen => i16::MAX.into(),
        }
    }

    /// The bytes of a weight in a file.
    pub(in crate::nnue) fn bytes(self) -> usize {
        match self {
            OutputBits::Eight => 1,
            OutputBits::Sixteen => 2,
        }
    }

    /// The largest integer that can stand for an activation of 1.
    fn largest_one(self) -> i32 {
        match self {
            OutputBits::Eight => u8::MAX.into(),
            OutputBits::Sixteen => OutputBits::LARGEST_SQUARED,
        }
    }

    fn are_eight(&self) -> bool {
        *self == OutputBits::Eight
    }
}

impl From<OutputBits> for u8 {
    fn from(bits: OutputBits) -> u8 {
        match bits {
            OutputBits::Eight => 8,
            OutputBits::Sixteen => 16,
        }
    }
}

impl TryFrom<u8> for OutputBits {
    type Error = String;

    fn try_from(bits: u8) -> Result<OutputBits, String> {
        match bits {
            8 => Ok(OutputBits::Eight),
            16 => Ok(OutputBits::Sixteen),
            _ => Err(format!("output weights have 8 or 16 bits, not {bits}")),
        }
    }
}

impl SimpleScales {
    /// The scales of nets that were trained before output weights had 16 bits.
    pub const EIGHT_BITS: SimpleScales = SimpleScales {
        one: 255,
        output: 64,
        value: 400,
        output_bits: OutputBits::Eight,
    };
}

/// Output weights in steps of 1/1024 up to 32: fine enough that rounding does not matter,
/// and no training run has needed larger ones.
impl Default for SimpleScales {
    fn default() -> SimpleScales {
        SimpleScales {
            one: OutputBits::LARGEST_SQUARED,
            output: 1024,
            value: 400,
            output_bits: OutputBits::Sixteen,
        }
    }
}

impl SimpleShape {
    /// The most output buckets.
    pub const MOST_BUCKETS: usize = 8;
    /// The most values of an accumulator.
    pub const MOST_HIDDEN: usize = 8192;
    /// The number of values must be a multiple of this.
    pub const HIDDEN_STEP: usize = 32;

    /// Checks every size and scale of a net whose outputs are values.
    ///
    /// # Errors
    /// The first invalid size or scale.
    pub fn check(&self) -> Result<(), ShapeError> {
        match (1..=SimpleShape::MOST_BUCKETS).contains(&self.output_buckets) {
            true => self.check_but_outputs(),
            false => Err(ShapeError::OutputBuckets(self.output_buckets)),
        }
    }

    /// Checks every size and scale of a net with three outputs, win, draw and loss,
    /// for each output bucket.
    ///
    /// # Errors
    /// The first invalid size or scale.
    pub fn check_wdl(&self) -> Result<(), ShapeError> {
        let buckets = self.output_buckets / OUTCOMES;
        match buckets * OUTCOMES == self.output_buckets
            && (1..=SimpleShape::MOST_BUCKETS).contains(&buckets)
        {
            true => self.check_but_outputs(),
            false => Err(ShapeError::Outcomes(self.output_buckets)),
        }
    }

    fn check_but_outputs(&self) -> Result<(), ShapeError> {
        let within = |value: i32, most: i32| (1..=most).contains(&value);
        if self.hidden == 0
            || !self.hidden.is_multiple_of(SimpleShape::HIDDEN_STEP)
            || self.hidden > SimpleShape::MOST_HIDDEN
        {
            Err(ShapeError::Hidden(self.hidden))
        } else if !within(self.scales.one, self.scales.output_bits.largest_one()) {
            Err(ShapeError::One {
                one: self.scales.one,
                most: self.scales.output_bits.largest_one(),
            })
        } else if !within(self.scales.output, 4096) {
            Err(ShapeError::Output(self.scales.output))
        } else if !within(self.scales.value, 10_000) {
            Err(ShapeError::Value(self.scales.value))
        } else {
            Ok(())
        }
    }

    /// The layer from the inputs to the accumulator.
    pub fn transformer(&self) -> Layer {
        let one = f64::from(self.scales.one);
        Layer {
            name: "feature transformer",
            inputs: self.inputs.count(),
            padded_inputs: self.inputs.count(),
            outputs: self.hidden,
            weight_scale: one,
            bias_scale: one,
            largest_weight: i32::from(i16::MAX),
        }
    }

    /// The layer from both sides' activations, the side to move's first, to the outputs.
    pub fn output(&self) -> Layer {
        let inputs = match self.activation {
            Activation::Crelu | Activation::Screlu => 2 * self.hidden,
            Activation::Pairwise => self.hidden,
        };
        Layer {
            name: "output",
            inputs,
            padded_inputs: inputs,
            outputs: self.output_buckets,
            weight_scale: f64::from(self.scales.output),
            bias_scale: self.unit() as f64,
            largest_weight: self.scales.output_bits.largest_weight(),
        }
    }

    /// The sum that stands for an output of 1.
    pub fn unit(&self) -> i64 {
        let one = i64::from(self.scales.one);
        let activated = match self.activation {
            Activation::Crelu => one,
            Activation::Screlu | Activation::Pairwise => one * one,
        };
        activated * i64::from(self.scales.output)
    }

    /// The index of the output for a position with this many men.
    #[inline(always)]
    pub fn bucket(&self, men: u32) -> usize {
        bucket_of(men, self.output_buckets)
    }

    /// The index of the first of three outputs for a position with this many men, if
    /// the outputs are win, draw and loss.
    #[inline(always)]
    pub fn first_outcome(&self, men: u32) -> usize {
        OUTCOMES * bucket_of(men, self.output_buckets / OUTCOMES)
    }
}

/// A short description, such as `768, 2 x 256 screlu, 1 bucket`.
impl fmt::Display for SimpleShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "768")?;
        if self.inputs.bucket_count() > 1 {
            write!(f, " x {} king buckets", self.inputs.bucket_count())?;
        }
        if self.inputs.is_mirrored() {
            write!(f, " mirrored")?;
        }
        let activation = self.activation.name();
        write!(f, ", 2 x {} {activation}, ", self.hidden)?;
        match self.output_buckets {
            1 => write!(f, "1 bucket"),
            count => write!(f, "{count} buckets"),
        }
    }
}
