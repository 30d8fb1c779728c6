//! The training target of positions, and the loss of outputs.
//!
//! Scores and outputs are compared as expected results from 0 to 1, because a pawn more matters
//! near equality but not in a won position. The target is a blend of the score and the result of
//! the game.

use crate::functions::{power, sigmoid};
use data::packed::PackedPosition;
use data::range::Range;
use serde::{Deserialize, Serialize};

pub(crate) const OFFSET: Range = Range::closed(-10_000.0, 10_000.0);
pub(crate) const SCALING: Range = Range::above(0.0, 10_000.0);
pub(crate) const EXPONENT: Range = Range::closed(1.0, 10.0);
pub(crate) const ASYMMETRY: Range = Range::above(-1.0, 10.0);
pub(crate) const BOOST: Range = Range::closed(0.0, 100.0);
pub(crate) const BOOST_EXPONENT: Range = Range::above(0.0, 10.0);

/// How scores are converted to expected results, and how errors are weighted.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "loss")]
pub struct Loss {
    /// The output of the net, in centipawns, at which a win is as likely as not; `in_scaling` is
    /// the width of that curve.
    #[schemars(transform = OFFSET.schema())]
    pub in_offset: f32,
    /// Divisor of outputs; see `in_offset`.
    #[schemars(transform = SCALING.schema())]
    pub in_scaling: f32,
    /// The score in the data, in centipawns, at which a win is as likely as not; `out_scaling` is
    /// the width of that curve.
    #[schemars(transform = OFFSET.schema())]
    pub out_offset: f32,
    /// Divisor of scores; see `out_offset`.
    #[schemars(transform = SCALING.schema())]
    pub out_scaling: f32,
    /// The exponent of the error.
    #[schemars(transform = EXPONENT.schema())]
    pub exponent: f32,
    /// Additional weight of outputs above the target, relative to those below.
    #[schemars(transform = ASYMMETRY.schema())]
    pub asymmetry: f32,
    /// Additional weight of positions that are neither equal nor decided.
    #[schemars(transform = BOOST.schema())]
    pub boost: f32,
    /// The sharpness of that weighting.
    #[schemars(transform = BOOST_EXPONENT.schema())]
    pub boost_exponent: f32,
}

impl Loss {
    /// The default for small nets: squared error of a plain sigmoid.
    pub const PLAIN: Loss = Loss {
        in_offset: 0.0,
        in_scaling: 400.0,
        out_offset: 0.0,
        out_scaling: 400.0,
        exponent: 2.0,
        asymmetry: 0.0,
        boost: 0.0,
        boost_exponent: 0.5,
    };
    /// The default for nets of Stockfish's shape: draws have a wide range of their own.
    pub const WIDE: Loss = Loss {
        in_offset: 270.0,
        in_scaling: 340.0,
        out_offset: 270.0,
        out_scaling: 380.0,
        exponent: 2.5,
        ..Loss::PLAIN
    };

    /// The expected result of a score, and its derivative.
    #[inline(always)]
    fn expected(value: f32, offset: f32, scaling: f32) -> (f32, f32) {
        let win = sigmoid((value - offset) / scaling);
        let loss = sigmoid((-value - offset) / scaling);
        let slope = (win * (1.0 - win) + loss * (1.0 - loss)) * (0.5 / scaling);
        (0.5 * (1.0 + win - loss), slope)
    }

    /// The target of a position with this score, in centipawns, and this result, from 0 to 1, and
    /// the weight of the position.
    #[inline(always)]
    pub(crate) fn target(&self, score: f32, result: f32, lambda: f32) -> (f32, f32) {
        let (expected, _) = Loss::expected(score, self.out_offset, self.out_scaling);
        let weight = match self.boost == 0.0 {
            true => 1.0,
            false => {
                let from_even = (expected - 0.5) * (expected - 0.5);
                let open = from_even * expected * (1.0 - expected);
                1.0 + (power(2.0, self.boost) - 1.0) * power(open, self.boost_exponent)
            }
        };
        (lambda * expected + (1.0 - lambda) * result, weight)
    }

    /// The same for a position with labels.
    pub(crate) fn target_of(&self, position: &PackedPosition, lambda: f32) -> (f32, f32) {
        let result = 0.5 * (1.0 + f32::from(position.result().number()));
        self.target(f32::from(position.score()), result, lambda)
    }

    /// The error of an output in centipawns, and its derivative.
    #[inline(always)]
    pub(crate) fn error(&self, output: f32, target: f32) -> (f32, f32) {
        let (expected, slope) = Loss::expected(output, self.in_offset, self.in_scaling);
        let difference = expected - target;
        let side = match difference > 0.0 {
            true => 1.0 + self.asymmetry,
            false => 1.0,
        };
        let size = difference.abs();
        // A square needs no logarithm.
        let raised = match self.exponent == 2.0 {
            true => size,
            false => power(size, self.exponent - 1.0),
        };
        let error = raised * size * side;
        (
            error,
            self.exponent * raised * side * difference.signum() * slope,
        )
    }
}

impl Default for Loss {
    fn default() -> Loss {
        Loss::PLAIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_the_errors() {
        for loss in [
            Loss::PLAIN,
            Loss::WIDE,
            Loss {
                asymmetry: 0.3,
                exponent: 2.2,
                ..Loss::WIDE
            },
        ] {
            for output in [-700.0_f32, -90.0, 0.0, 35.0, 410.0] {
                for target in [0.0, 0.31, 0.5, 0.97] {
                    let step = 2.0;
                    let (above, _) = loss.error(output + step, target);
                    let (below, _) = loss.error(output - step, target);
                    let (_, slope) = loss.error(output, target);
                    let measured = (above - below) / (2.0 * step);
                    assert!(
                        (slope - measured).abs() < 2e-2 * slope.abs() + 2e-6,
                        "{loss:?} {output} {target}: {slope} {measured}"
                    );
                }
            }
        }
    }

    #[test]
    fn known_errors() {
        let (error, slope) = Loss::PLAIN.error(0.0, 0.5);
        assert_eq!([error, slope], [0.0, 0.0]);
        // (sigmoid(1) - 1) squared.
        let (error, _) = Loss::PLAIN.error(400.0, 1.0);
        assert!((error - 0.072_329_5).abs() < 1e-6, "{error}");
        // With an offset of 270: (1 + sigmoid(0) - sigmoid(-540/340)) / 2.
        let (expected, _) = Loss::expected(270.0, 270.0, 340.0);
        assert!((expected - 0.665_184).abs() < 1e-5, "{expected}");
    }
}
