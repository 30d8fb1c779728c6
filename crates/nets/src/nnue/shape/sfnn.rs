//! The shape of Stockfish's nets.

use super::{Layer, bucket_of};
use crate::nnue::inputs::Inputs;
use std::fmt;

/// Stockfish's shape SFNNv5 to v9: HalfKAv2_hm inputs to L1 values for each side,
/// their pairwise products to 15 + 1, then 32, then one value, in 8 stacks chosen by
/// the number of men; besides, material (PSQT) values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SfnnShape {
    l1: usize,
}

impl SfnnShape {
    /// The widths L1 that are supported.
    pub const WIDTHS: [usize; 7] = [128, 256, 512, 1024, 1536, 2560, 3072];
    /// The widths that some Stockfish loads, with its versions.
    pub const STOCKFISH: [(usize, &str); 5] = [
        (128, "16.1 to 18 as EvalFileSmall"),
        (1024, "15.1"),
        (1536, "16"),
        (2560, "16.1"),
        (3072, "17 and 17.1"),
    ];
    /// The number of stacks of layers, and of material values of each input.
    pub const BUCKETS: usize = 8;
    /// Outputs of the first layer of a stack; the last of them skips the others.
    pub const FIRST: usize = 16;
    /// Outputs of the second layer of a stack.
    pub const SECOND: usize = 32;
    /// The integer that stands for an activation of 1.
    pub const ONE: i32 = 127;
    /// By how many bits the sums of a stack's first two layers are shifted right.
    pub const WEIGHT_SHIFT: u32 = 6;
    /// How much of the last layer's sum is one unit of the value.
    pub const OUTPUT_SCALE: i32 = 16;
    /// The value of an output of 1.0.
    pub const VALUE_SCALE: i32 = 600;

    /// The shape with this width, if it is supported.
    pub fn new(l1: usize) -> Option<SfnnShape> {
        SfnnShape::WIDTHS.contains(&l1).then_some(SfnnShape { l1 })
    }

    /// The versions of Stockfish that load such a net, if any.
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

    /// The layer from the inputs to the accumulator.
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

    /// The layer from the inputs to the material values, which have no bias.
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

    /// The index of the stack and material value for a position with this many men.
    #[inline(always)]
    pub fn bucket(men: u32) -> usize {
        bucket_of(men, SfnnShape::BUCKETS)
    }
}

/// A short description, such as `HalfKAv2_hm, 2 x 1024, 16-32-1, 8 buckets`.
impl fmt::Display for SfnnShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HalfKAv2_hm, 2 x {}, 16-32-1, 8 buckets", self.l1)
    }
}
