//! Positions as a fit sees them: features, a constant, and what is to be learned.

use super::Vector;
use crate::nnue::Loss;
use crate::nnue::groups::BLOCK;
use chess::{Board, BoardBuilder, Color, File, Piece, PieceKind, Rank, Square};
use data::packed::PackedPosition;
use nets::classical::{FEATURES, Feature, Weights, trace};
use nets::{Classical, Evaluator};
use rayon::prelude::*;
use std::sync::Arc;

/// One position; its features lie in a range of its block's list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    start: u32,
    end: u32,
    /// What an opening and an endgame centipawn of White's count for the side to
    /// move.
    opening: f64,
    endgame: f64,
    /// The part of the value that is not made of features.
    rest: f64,
    pub(super) target: f32,
    pub(super) weight: f32,
}

/// Positions that are worked on together.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    features: Vec<Feature>,
    pub(super) samples: Vec<Sample>,
}

/// The positions, in blocks of a fixed size: the order of sums does not depend
/// on threads. All but the features is as with the `present` weights.
pub(super) fn blocks(
    positions: &[PackedPosition],
    present: &Arc<Weights>,
    vector: &Vector,
    loss: &Loss,
    lambda: f32,
) -> Vec<Block> {
    positions
        .par_chunks(BLOCK)
        .map(|positions| {
            let mut block = Block::default();
            // An endgame function needs no memory of other positions.
            let mut evaluator = None;
            for position in positions {
                let Some(board) = board(position) else {
                    continue;
                };
                let (target, weight) = target(position, loss, lambda);
                let mut sample = Sample {
                    start: block.features.len() as u32,
                    end: block.features.len() as u32,
                    opening: 0.0,
                    endgame: 0.0,
                    rest: 0.0,
                    target,
                    weight,
                };
                match trace(&board, present) {
                    Some(trace) => {
                        block.features.extend(&trace.features);
                        sample.end = block.features.len() as u32;
                        let (stage, scale) = (f64::from(trace.stage), f64::from(trace.scale));
                        let sign = sign(board.side_to_move());
                        sample.opening = sign * stage;
                        sample.endgame = sign * (1.0 - stage) * scale;
                        let value = sign * f64::from(trace.value);
                        let tempo = f64::from(present.parameters.tempo);
                        sample.rest = value + tempo - block.value(&sample, vector);
                    }
                    None => {
                        let evaluator = evaluator
                            .get_or_insert_with(|| Classical::with_weights(present.clone()));
                        sample.rest = f64::from(evaluator.evaluate(&board));
                    }
                }
                block.samples.push(sample);
            }
            block
        })
        .collect()
}

fn sign(side: Color) -> f64 {
    match side {
        Color::White => 1.0,
        Color::Black => -1.0,
    }
}

/// What a position should give, and how much it counts.
pub(super) fn target(position: &PackedPosition, loss: &Loss, lambda: f32) -> (f32, f32) {
    let result = 0.5 * (1.0 + f32::from(position.result().number()));
    loss.target(f32::from(position.score()), result, lambda)
}

impl Block {
    fn features(&self, sample: &Sample) -> &[Feature] {
        &self.features[sample.start as usize..sample.end as usize]
    }

    /// The value for the side to move with these weights.
    pub(super) fn value(&self, sample: &Sample, vector: &[f64]) -> f64 {
        let (opening, endgame) = vector.split_at(FEATURES);
        let mut sums = [0.0, 0.0];
        for feature in self.features(sample) {
            let count = f64::from(feature.coefficient);
            sums[0] += count * opening[usize::from(feature.index)];
            sums[1] += count * endgame[usize::from(feature.index)];
        }
        sample.rest + sums[0] * sample.opening + sums[1] * sample.endgame
    }

    /// Adds what a change of each weight does, if the value's own slope is this.
    pub(super) fn add_slopes(&self, sample: &Sample, slope: f64, gradient: &mut [f64]) {
        let (opening, endgame) = gradient.split_at_mut(FEATURES);
        for feature in self.features(sample) {
            let count = f64::from(feature.coefficient) * slope;
            opening[usize::from(feature.index)] += count * sample.opening;
            endgame[usize::from(feature.index)] += count * sample.endgame;
        }
    }
}

/// The board of a position. Rights to castle are not kept with positions: a king
/// and a rook at home are taken to have them, which is nearly always so.
pub(super) fn board(position: &PackedPosition) -> Option<Board> {
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
