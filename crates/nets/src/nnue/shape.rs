//! The shapes of nets: which layers they have, how large each is, and how its
//! weights become integers. Readers, writers, inference and trainers take sizes
//! and scales from here; nothing here holds a weight.

use super::inputs::Inputs;
use std::fmt;

/// One layer: sizes, and the factors by which a trainer's numbers become the
/// integers of a file (rounded to the nearest).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Layer {
    /// What messages call it.
    pub name: &'static str,
    /// Real inputs.
    pub inputs: usize,
    /// Inputs in the file: rows are padded with zeros.
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

/// What an accumulator's values become before the next layer.
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

/// Stockfish's shape SFNNv5 to v9: HalfKAv2_hm inputs to L1 values a side, their
/// pairwise products to 15 + 1, then 32, then one value, in 8 stacks by the
/// number of men; material values beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SfnnShape {
    l1: usize,
}

impl SfnnShape {
    /// The widths that exist.
    pub const WIDTHS: [usize; 7] = [128, 256, 512, 1024, 1536, 2560, 3072];
    /// The widths that a Stockfish loads, with its versions.
    pub const STOCKFISH: [(usize, &str); 5] = [
        (128, "16.1 to 18 as EvalFileSmall"),
        (1024, "15.1"),
        (1536, "16"),
        (2560, "16.1"),
        (3072, "17 and 17.1"),
    ];
    /// Stacks of layers, and material values of each input.
    pub const BUCKETS: usize = 8;
    /// Outputs of the first layer of a stack; the last of them skips the others.
    pub const FIRST: usize = 16;
    /// Outputs of the second layer of a stack.
    pub const SECOND: usize = 32;
    /// What an activation of 1 is.
    pub const ONE: i32 = 127;
    /// How far the sums of a stack's first two layers are shifted for the next.
    pub const WEIGHT_SHIFT: u32 = 6;
    /// Sums of the last layer for one unit of the value.
    pub const OUTPUT_SCALE: i32 = 16;
    /// The value of an output of 1.
    pub const VALUE_SCALE: i32 = 600;

    /// The shape of this width, if it exists.
    pub fn new(l1: usize) -> Option<SfnnShape> {
        SfnnShape::WIDTHS.contains(&l1).then_some(SfnnShape { l1 })
    }

    /// The versions of Stockfish that load such a net, if there are any.
    pub fn stockfish(self) -> Option<&'static str> {
        let known = SfnnShape::STOCKFISH.into_iter();
        known
            .filter(|&(width, _)| width == self.l1)
            .map(|(_, versions)| versions)
            .next()
    }

    /// Size of each side's accumulator.
    pub fn l1(self) -> usize {
        self.l1
    }

    /// The inputs.
    pub fn inputs(self) -> Inputs {
        Inputs::half_ka()
    }

    /// From the inputs to the accumulator.
    pub fn transformer(self) -> Layer {
        Layer {
            name: "feature transformer",
            inputs: self.inputs().count(),
            padded_inputs: self.inputs().count(),
            outputs: self.l1,
            weight_scale: f64::from(SfnnShape::ONE),
            bias_scale: f64::from(SfnnShape::ONE),
            largest_weight: i32::from(i16::MAX),
        }
    }

    /// From the inputs to the material values, which have no bias.
    pub fn psqt(self) -> Layer {
        let scale = f64::from(SfnnShape::VALUE_SCALE * SfnnShape::OUTPUT_SCALE);
        Layer {
            name: "PSQT",
            outputs: SfnnShape::BUCKETS,
            weight_scale: scale,
            bias_scale: scale,
            largest_weight: i32::MAX,
            ..self.transformer()
        }
    }

    /// The layers of one stack.
    pub fn stack(self) -> [Layer; 3] {
        let one = f64::from(SfnnShape::ONE);
        let hidden = f64::from(1 << SfnnShape::WEIGHT_SHIFT);
        let output = f64::from(SfnnShape::VALUE_SCALE * SfnnShape::OUTPUT_SCALE);
        let first = Layer {
            name: "fc0",
            inputs: self.l1,
            padded_inputs: self.l1,
            outputs: SfnnShape::FIRST,
            weight_scale: hidden,
            bias_scale: hidden * one,
            largest_weight: i32::from(i8::MAX),
        };
        let second = Layer {
            name: "fc1",
            inputs: 2 * (SfnnShape::FIRST - 1),
            padded_inputs: SfnnShape::SECOND,
            outputs: SfnnShape::SECOND,
            ..first
        };
        let third = Layer {
            name: "fc2",
            inputs: SfnnShape::SECOND,
            padded_inputs: SfnnShape::SECOND,
            outputs: 1,
            weight_scale: output / one,
            bias_scale: output,
            ..first
        };
        [first, second, third]
    }

    /// The stack and material bucket of a position with so many men.
    #[inline(always)]
    pub fn bucket(men: u32) -> usize {
        bucket_of(men, SfnnShape::BUCKETS)
    }
}

/// A win, a draw and a loss.
pub const OUTCOMES: usize = 3;

/// Positions with few men have the first bucket, those with all 32 the last.
#[inline(always)]
fn bucket_of(men: u32, buckets: usize) -> usize {
    (men.saturating_sub(1) as usize * buckets / 32).min(buckets - 1)
}

/// A net small enough to train at home: piece-square inputs, one hidden layer for
/// both sides, one layer of outputs of which the number of men chooses one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimpleShape {
    /// The input planes.
    pub inputs: Inputs,
    /// Size of each side's accumulator.
    pub hidden: usize,
    /// What becomes of them.
    pub activation: Activation,
    /// How many outputs there are.
    pub output_buckets: usize,
    /// The factors of its integers.
    pub scales: SimpleScales,
}

/// How the numbers of a simple net become integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimpleScales {
    /// What an activation of 1 is.
    pub one: i32,
    /// The factor of output weights.
    pub output: i32,
    /// Centipawns of an output of 1.
    pub value: i32,
    /// The bits of an output weight. Files from before there was a choice have 8
    /// and do not say so.
    #[serde(default, skip_serializing_if = "OutputBits::are_eight")]
    pub output_bits: OutputBits,
}

/// How many bits an output weight has, which decides how it is multiplied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum OutputBits {
    /// An activation times its weight fits 16 bits, and is then multiplied by the
    /// activation once more. Weights are coarse and bounded.
    #[default]
    Eight,
    /// The square of an activation fits 16 bits, and is then multiplied by its
    /// weight, which may be as fine and as large as 16 bits can say.
    Sixteen,
}

impl OutputBits {
    /// The largest activation whose square fits 16 bits with a sign: 181 x 181 = 32,761.
    pub const LARGEST_SQUARED: i32 = 181;

    /// The largest weight.
    pub fn largest_weight(self) -> i32 {
        match self {
            OutputBits::Eight => i8::MAX.into(),
            OutputBits::Sixteen => i16::MAX.into(),
        }
    }

    /// The bytes of a weight in a file.
    pub(super) fn bytes(self) -> usize {
        match self {
            OutputBits::Eight => 1,
            OutputBits::Sixteen => 2,
        }
    }

    /// What an activation of 1 is at most.
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

/// Output weights in steps of 1/1024, up to 32: fine enough that rounding them does not
/// matter, and no training was seen to want larger ones.
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

/// Why a shape is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ShapeError {
    /// The hidden layer.
    #[error("{0} hidden values: must be a multiple of 32, at most 8192")]
    Hidden(usize),
    /// The outputs.
    #[error("{0} output buckets: must be from 1 to 8")]
    OutputBuckets(usize),
    /// The outputs of chances.
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

impl SimpleShape {
    /// The most buckets of the number of men.
    pub const MOST_BUCKETS: usize = 8;
    /// The most values of an accumulator.
    pub const MOST_HIDDEN: usize = 8192;
    /// What their number is a multiple of.
    pub const HIDDEN_STEP: usize = 32;

    /// Checks every size and scale of a net whose outputs are values.
    ///
    /// # Errors
    /// The first that is none.
    pub fn check(&self) -> Result<(), ShapeError> {
        match (1..=SimpleShape::MOST_BUCKETS).contains(&self.output_buckets) {
            true => self.check_but_outputs(),
            false => Err(ShapeError::OutputBuckets(self.output_buckets)),
        }
    }

    /// Checks every size and scale of a net that has three outputs, a win, a draw
    /// and a loss, for each bucket of the number of men.
    ///
    /// # Errors
    /// The first that is none.
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

    /// From the inputs to the accumulator.
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

    /// From both sides' activations, the side to move's first, to the outputs.
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

    /// The sum that is an output of 1.
    pub fn unit(&self) -> i64 {
        let one = i64::from(self.scales.one);
        let activated = match self.activation {
            Activation::Crelu => one,
            Activation::Screlu | Activation::Pairwise => one * one,
        };
        activated * i64::from(self.scales.output)
    }

    /// The output of a position with so many men.
    #[inline(always)]
    pub fn bucket(&self, men: u32) -> usize {
        bucket_of(men, self.output_buckets)
    }

    /// The first of the three outputs of a position with so many men, if they are
    /// chances.
    #[inline(always)]
    pub fn first_outcome(&self, men: u32) -> usize {
        OUTCOMES * bucket_of(men, self.output_buckets / OUTCOMES)
    }
}

/// In a few words, such as `HalfKAv2_hm, 2 x 1024, 16-32-1, 8 buckets`.
impl fmt::Display for SfnnShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HalfKAv2_hm, 2 x {}, 16-32-1, 8 buckets", self.l1)
    }
}

/// In a few words, such as `768, 2 x 256 screlu, 1 bucket`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_follow_the_number_of_men() {
        for men in 2..=32 {
            assert_eq!(SfnnShape::bucket(men), (men as usize - 1) / 4);
            assert_eq!(bucket_of(men, 1), 0);
        }
        assert_eq!([2, 16, 17, 32].map(|men| bucket_of(men, 2)), [0, 0, 1, 1]);
        // No position has more men, but a number is only a number.
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
