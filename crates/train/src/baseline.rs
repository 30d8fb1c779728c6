//! The hand-written evaluation as a baseline: how well it predicts once the scale of its centipawns
//! is fitted.
//!
//! A net should have a lower loss on the same positions, and a fit of the weights should lower this
//! one.

use crate::{BLOCK, Loss};
use chess::{Board, BoardBuilder, Color, File, Piece, PieceKind, Rank, Square};
use data::packed::PackedPosition;
use nets::classical::Weights;
use nets::ntuple::{NTuple, NTupleEvaluator};
use nets::{Classical, Evaluator};
use rayon::prelude::*;
use serde::Serialize;
use std::sync::Arc;

/// The range of the base-2 logarithm of the scale in which the search runs.
const LOGARITHMS: [f64; 2] = [-5.0, 5.0];
/// Iterations of the golden-section search; the scale is then exact to six digits.
const CUTS: usize = 36;

/// The best scale of an evaluation, and its loss.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct OneScale {
    /// The factor of its values.
    pub scale: f64,
    /// The mean loss with that factor.
    pub loss: f64,
    /// The number of positions it was fitted to.
    pub positions: usize,
}

/// How well weights predict the held-out positions; the scale is fitted for each target.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Verdict {
    /// For the training target, a blend of score and result.
    pub blend: OneScale,
    /// For results alone.
    pub results: OneScale,
    /// For scores alone.
    pub scores: OneScale,
}

/// What the validation losses of a training are compared with.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Comparison {
    /// For a net: with the hand-written evaluation, whose loss it should beat.
    Evaluation {
        /// The loss of the hand-written evaluation.
        baseline: OneScale,
    },
    /// For a fit of weights: with the initial weights.
    Weights {
        /// With the initial weights.
        present: Verdict,
        /// With the present weights.
        fitted: Verdict,
    },
}

/// Fits the scale of the hand-written evaluation to positions; `lambda` is the share of the score
/// in the target, the rest is the result.
pub fn one_scale(
    positions: &[PackedPosition],
    weights: &Arc<Weights>,
    loss: &Loss,
    lambda: f32,
) -> OneScale {
    Values::new(positions, weights).one_scale(positions, loss, lambda)
}

/// The evaluations of positions for the side to move.
pub(crate) struct Values(Vec<f32>);

impl Values {
    /// The values of the hand-written evaluation.
    pub(crate) fn new(positions: &[PackedPosition], weights: &Arc<Weights>) -> Values {
        Values::of(positions, || Classical::with_weights(weights.clone()))
    }

    /// The values of an n-tuple network.
    pub(crate) fn of_network(positions: &[PackedPosition], network: &Arc<NTuple>) -> Values {
        Values::of(positions, || NTupleEvaluator::new(network.clone()))
    }

    fn of<E: Evaluator>(
        positions: &[PackedPosition],
        evaluator: impl Fn() -> E + Sync + Send,
    ) -> Values {
        let values = positions
            .par_iter()
            .with_min_len(BLOCK)
            .map_init(evaluator, |evaluator, position| {
                board(position).map_or(0.0, |board| {
                    evaluator.reset(&board);
                    evaluator.evaluate(&board) as f32
                })
            })
            .collect();
        Values(values)
    }

    pub(crate) fn one_scale(
        &self,
        positions: &[PackedPosition],
        loss: &Loss,
        lambda: f32,
    ) -> OneScale {
        let targets: Vec<_> = positions
            .par_iter()
            .map(|position| loss.target_of(position, lambda))
            .collect();
        let measure = |logarithm: f64| self.loss(&targets, loss, libm::exp2(logarithm));
        let [mut low, mut high] = LOGARITHMS;
        // Golden-section search: in each iteration one of the two points is reused.
        let part = 0.5 * (5.0_f64.sqrt() - 1.0);
        let mut left = high - part * (high - low);
        let mut right = low + part * (high - low);
        let (mut left_loss, mut right_loss) = (measure(left), measure(right));
        for _ in 0..CUTS {
            if left_loss < right_loss {
                high = right;
                (right, right_loss) = (left, left_loss);
                left = high - part * (high - low);
                left_loss = measure(left);
            } else {
                low = left;
                (left, left_loss) = (right, right_loss);
                right = low + part * (high - low);
                right_loss = measure(right);
            }
        }
        let logarithm = 0.5 * (low + high);
        OneScale {
            scale: libm::exp2(logarithm),
            loss: measure(logarithm),
            positions: positions.len(),
        }
    }

    /// The mean loss of the values with this scale.
    pub(crate) fn loss(&self, targets: &[(f32, f32)], loss: &Loss, scale: f64) -> f64 {
        let sums: Vec<_> = self
            .0
            .par_chunks(BLOCK)
            .zip(targets.par_chunks(BLOCK))
            .map(|(values, targets)| {
                let (mut sum, mut total) = (0.0, 0.0);
                for (&value, &(target, weight)) in values.iter().zip(targets) {
                    let output = scale * f64::from(value);
                    let (error, _) = loss.error(output as f32, target);
                    sum += f64::from(error) * f64::from(weight);
                    total += f64::from(weight);
                }
                (sum, total)
            })
            .collect();
        let sum: f64 = sums.iter().map(|(sum, _)| sum).sum();
        let total: f64 = sums.iter().map(|(_, total)| total).sum();
        sum / total.max(f64::MIN_POSITIVE)
    }
}

/// The board of a position. Castling rights are not stored with positions: a king and a rook on
/// their original squares are assumed to have them, which is nearly always right.
pub(crate) fn board(position: &PackedPosition) -> Option<Board> {
    let mut builder = BoardBuilder::new();
    builder.pieces = [None; 64];
    for (square, piece) in position.pieces() {
        builder.pieces[square.index()] = Some(piece);
    }
    builder.side_to_move = position.side_to_move();
    builder.castling.clear();
    for color in Color::ALL {
        let rank = match color {
            Color::White => Rank::First,
            Color::Black => Rank::Eighth,
        };
        let stands = |kind, file| {
            let square = Square::new(file, rank);
            builder.pieces[square.index()] == Some(Piece { color, kind })
        };
        let rooks = [File::A, File::H]
            .into_iter()
            .filter(|&file| stands(PieceKind::King, File::E) && stands(PieceKind::Rook, file))
            .map(|file| (color, file))
            .collect::<Vec<_>>();
        builder.castling.extend(rooks);
    }
    builder.build().ok().map(|(board, _)| board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use data::position::{Outcome, Position};

    #[test]
    fn boards_come_back() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "r4rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            "4k2r/8/8/8/8/8/8/4K3 b k - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ] {
            let packed = PackedPosition::from(&Position {
                board: Board::from_fen(fen).expect("a position"),
                mv: None,
                score: 0,
                result: Outcome::Draw,
                ply: 0,
            });
            assert_eq!(board(&packed).expect("a board").fen(), fen);
        }
    }
}
