//! Random weights, with which training starts and which tests and benches use.

use super::sfnn::SfnnWeights;
use super::shape::SfnnShape;
use super::simple::SimpleWeights;

/// A generator of random numbers that depend only on the seed (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator with this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number of 64 random bits.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number from `-most` to `most`.
    pub fn up_to(&mut self, most: i32) -> i32 {
        let span = 2 * most as u64 + 1;
        ((u128::from(self.number()) * u128::from(span)) >> 64) as i32 - most
    }
}

/// The largest absolute values of random weights of Stockfish's shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SfnnRanges {
    /// Weights and biases of the feature transformer.
    pub transformer: i32,
    /// Material values.
    pub psqt: i32,
    /// Weights of the first layer; those of the skipping output are smaller if its
    /// bound requires it.
    pub first: i32,
    /// Weights of the second layer.
    pub second: i32,
    /// Weights of the last layer.
    pub third: i32,
    /// Biases of all layers.
    pub bias: i32,
}

impl SfnnRanges {
    /// About as large as in a trained net.
    pub const USUAL: SfnnRanges = SfnnRanges {
        transformer: 60,
        psqt: 20_000,
        first: 20,
        second: 60,
        third: 100,
        bias: 4_000,
    };
    /// As large as the bounds allow, except material: Stockfish cannot print values
    /// beyond 999 pawns.
    pub const EXTREME: SfnnRanges = SfnnRanges {
        transformer: 992,
        psqt: 150_000,
        first: 127,
        second: 127,
        third: 127,
        bias: 10_000,
    };
}

impl SfnnWeights {
    /// Fills everything with random weights within the bounds.
    pub fn fill_randomly(&mut self, seed: u64, ranges: SfnnRanges) {
        let mut random = Random::new(seed);
        let transformer = &mut self.transformer;
        for values in [&mut transformer.biases, &mut transformer.weights] {
            for value in values.iter_mut() {
                *value = random.up_to(ranges.transformer) as i16;
            }
        }
        for value in transformer.psqt.iter_mut() {
            *value = random.up_to(ranges.psqt);
        }
        let l1 = self.shape().l1();
        let layers = self.shape().stack();
        // With all inputs at their maximum of 126, the sum times SKIP_FACTOR (9600) fits 32 bits.
        let skip = ranges.first.min(200_000 / (126 * l1 as i32));
        for stack in &mut self.stacks {
            let sizes = [ranges.first, ranges.second, ranges.third];
            for ((affine, most), layer) in stack.layers.iter_mut().zip(sizes).zip(&layers) {
                for bias in &mut affine.biases {
                    *bias = random.up_to(ranges.bias);
                }
                for (index, weight) in affine.weights.iter_mut().enumerate() {
                    let is_padding = index % layer.padded_inputs >= layer.inputs;
                    *weight = if is_padding {
                        0
                    } else {
                        random.up_to(most) as i8
                    };
                }
            }
            let skipping = l1 * (SfnnShape::FIRST - 1);
            for weight in &mut stack.layers[0].weights[skipping..] {
                *weight = random.up_to(skip) as i8;
            }
        }
    }
}

impl SimpleWeights {
    /// Fills everything with random weights, with absolute values up to `transformer`
    /// in the transformer and up to `output` in the output layer.
    pub fn fill_randomly(&mut self, seed: u64, transformer: i32, output: i32) {
        let mut random = Random::new(seed);
        for values in [&mut self.transformer.biases, &mut self.transformer.weights] {
            for value in values.iter_mut() {
                *value = random.up_to(transformer) as i16;
            }
        }
        for bias in &mut self.output_biases {
            *bias = random.up_to(1_000_000);
        }
        for weight in &mut self.output_weights {
            *weight = random.up_to(output) as i16;
        }
    }
}
