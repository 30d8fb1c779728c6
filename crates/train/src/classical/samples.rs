//! Positions in the form that a fit needs: features, a constant and the target.

use super::Vector;
use crate::baseline::board;
use crate::network::{Layout, Trained};
use crate::{BLOCK, Loss};
use chess::Color;
use data::packed::PackedPosition;
use nets::Evaluator;
use nets::classical::FEATURE_GROUPS;
use nets::ntuple::{NTuple, NTupleEvaluator};
use rayon::prelude::*;
use std::sync::Arc;

/// One position; its features are a range of its block's list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    start: u32,
    end: u32,
    /// The factors of White's opening and endgame centipawns in the value for the side to move.
    opening: f64,
    endgame: f64,
    /// The part of the value that does not come from features.
    rest: f64,
    pub(super) target: f32,
    pub(super) weight: f32,
}

/// How often a weight is used: White's occurrences less Black's.
#[derive(Clone, Copy, Debug)]
struct Feature {
    index: u32,
    count: f32,
}

/// Positions that are processed together.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    features: Vec<Feature>,
    pub(super) samples: Vec<Sample>,
}

/// The positions in blocks of a fixed size, so that the order of sums does not depend on threads.
/// What does not come from features is as in the `present` network, whose feature weights are
/// `vector`.
pub(super) fn blocks(
    positions: &[PackedPosition],
    present: &Arc<NTuple>,
    vector: &Vector,
    loss: &Loss,
    lambda: f32,
) -> Vec<Block> {
    let layout = Layout::new(present.weights());
    let all = Trained {
        groups: FEATURE_GROUPS,
        tuples: !present.weights().tables().is_empty(),
    };
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
                let (target, weight) = loss.target_of(position, lambda);
                let mut sample = Sample {
                    start: block.features.len() as u32,
                    end: block.features.len() as u32,
                    opening: 0.0,
                    endgame: 0.0,
                    rest: 0.0,
                    target,
                    weight,
                };
                match present.trace(&board) {
                    Some(trace) => {
                        layout.for_each(all, (&board, &trace), |index, count| {
                            block.features.push(Feature {
                                index: index as u32,
                                count: count as f32,
                            });
                        });
                        sample.end = block.features.len() as u32;
                        let (stage, scale) = (f64::from(trace.stage), f64::from(trace.scale));
                        let sign = sign(board.side_to_move());
                        sample.opening = sign * stage;
                        sample.endgame = sign * (1.0 - stage) * scale;
                        let value = sign * f64::from(trace.value);
                        let tempo = f64::from(present.weights().linear.parameters.tempo);
                        sample.rest = value + tempo - block.value(&sample, vector);
                    }
                    None => {
                        let evaluator =
                            evaluator.get_or_insert_with(|| NTupleEvaluator::new(present.clone()));
                        evaluator.reset(&board);
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

impl Block {
    fn features(&self, sample: &Sample) -> &[Feature] {
        &self.features[sample.start as usize..sample.end as usize]
    }

    /// The value for the side to move with these weights.
    pub(super) fn value(&self, sample: &Sample, vector: &[f64]) -> f64 {
        let (opening, endgame) = vector.split_at(vector.len() / 2);
        let mut sums = [0.0, 0.0];
        for feature in self.features(sample) {
            let count = f64::from(feature.count);
            sums[0] += count * opening[feature.index as usize];
            sums[1] += count * endgame[feature.index as usize];
        }
        sample.rest + sums[0] * sample.opening + sums[1] * sample.endgame
    }

    /// Adds the gradient of each weight, given the derivative of the loss with respect to the
    /// value.
    pub(super) fn add_slopes(&self, sample: &Sample, slope: f64, gradient: &mut [f64]) {
        let (opening, endgame) = gradient.split_at_mut(gradient.len() / 2);
        for feature in self.features(sample) {
            let count = f64::from(feature.count) * slope;
            opening[feature.index as usize] += count * sample.opening;
            endgame[feature.index as usize] += count * sample.endgame;
        }
    }
}
