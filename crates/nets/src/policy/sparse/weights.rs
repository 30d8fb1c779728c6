//! The weights of a fast net in the order of its file.

use super::inputs::{INPUTS, MOST_ACTIVE};
use super::rows::ROWS;
use super::shape::PolicyShape;
use crate::Provenance;
use crate::nnue::simple::SimpleWeights;
use crate::nnue::{BoundError, Random, Values};
use std::io;

/// The largest bias of a move, so that no sum overflows 32 bits.
const LARGEST_BIAS: u32 = 1 << 30;

/// The weights of policy and value, and where they come from.
#[derive(Debug)]
pub struct PolicyWeights {
    /// The policy.
    pub policy: PolicyLayers,
    /// The NNUE; its own description and provenance are empty.
    pub value: SimpleWeights,
    /// Free text.
    pub description: String,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// The layers of the policy.
#[derive(Debug)]
pub struct PolicyLayers {
    hidden: usize,
    /// The initial values of the first layer's sums.
    pub biases: Values<i16>,
    /// One row of `hidden` weights for each input.
    pub inputs: Values<i16>,
    /// One bias for each row of moves.
    pub move_biases: Values<i32>,
    /// For each row of moves, half as many weights as there are hidden values.
    pub moves: Values<i8>,
}

impl PolicyLayers {
    /// Weights that are all 0.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn zeros(hidden: usize) -> io::Result<PolicyLayers> {
        Ok(PolicyLayers {
            hidden,
            biases: Values::zeros(hidden)?,
            inputs: Values::zeros(INPUTS * hidden)?,
            move_biases: Values::zeros(ROWS)?,
            moves: Values::zeros(ROWS * hidden / 2)?,
        })
    }

    /// How many values the first layer has.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// Checks that no sum can overflow in any position.
    fn check_bounds(&self) -> Result<(), BoundError> {
        for (column, &bias) in self.biases.iter().enumerate() {
            let weights = self.inputs[column..].iter().step_by(self.hidden);
            let largest = weights.enumerate().max_by_key(|(_, w)| w.unsigned_abs());
            let (feature, &weight) = largest.unwrap_or((0, &0));
            let reach = i64::from(bias.unsigned_abs())
                + MOST_ACTIVE as i64 * i64::from(weight.unsigned_abs());
            if reach > i64::from(i16::MAX) {
                return Err(BoundError::Policy {
                    column,
                    reach,
                    feature,
                    weight,
                });
            }
        }
        let is_large = |bias: &i32| bias.unsigned_abs() > LARGEST_BIAS;
        match self.move_biases.iter().position(is_large) {
            None => Ok(()),
            Some(output) => Err(BoundError::Layer {
                stack: 0,
                layer: "moves",
                output,
                reach: i64::from(self.move_biases[output]),
                limit: i64::from(LARGEST_BIAS),
                bias: self.move_biases[output],
                input: 0,
                weight: self.moves[output * self.hidden / 2],
            }),
        }
    }
}

impl PolicyWeights {
    /// Weights that are all 0. The shape must be one that [`PolicyShape::check`] accepts.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn zeros(shape: PolicyShape) -> io::Result<PolicyWeights> {
        Ok(PolicyWeights {
            policy: PolicyLayers::zeros(shape.hidden)?,
            value: SimpleWeights::zeros(shape.value)?,
            description: String::new(),
            provenance: Provenance::default(),
        })
    }

    /// The shape.
    pub fn shape(&self) -> PolicyShape {
        PolicyShape {
            hidden: self.policy.hidden,
            value: self.value.shape().clone(),
        }
    }

    /// Checks that no sum can overflow in a legal position.
    ///
    /// # Errors
    /// The first sum that could, with the weight to blame.
    pub fn check_bounds(&self) -> Result<(), BoundError> {
        self.policy.check_bounds()?;
        self.value.check_bounds()
    }

    /// Fills everything with random weights about as large as in a trained net, for tests and
    /// benches.
    pub fn fill_randomly(&mut self, seed: u64) {
        let mut random = Random::new(seed);
        for value in self
            .policy
            .inputs
            .iter_mut()
            .chain(&mut *self.policy.biases)
        {
            *value = random.up_to(100) as i16;
        }
        for value in self.policy.moves.iter_mut() {
            *value = random.up_to(60) as i8;
        }
        for value in self.policy.move_biases.iter_mut() {
            *value = random.up_to(8_000);
        }
        self.value.fill_randomly(random.number(), 200, 60);
    }
}
