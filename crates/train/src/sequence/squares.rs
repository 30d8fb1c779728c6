//! The forward and backward pass of boards as squares that attend to each other; see
//! `nets::sequence` for the architecture.

use super::attention::{Sight, Sizes};
use super::batch::Batch;
use super::block::{Block, BlockState, Room};
use crate::float::{Decay, Dense, Parameter, RowUses, layer_norm, layer_norm_back};
use nets::kernels::{Kernels, Precision};
use nets::sequence::{EPSILON, SQUARE_HEADS, SQUARE_LAYERS, SQUARE_WIDTH, SQUARES};
use rayon::prelude::*;
use std::ops::Range;

/// The number of values of one board.
const BOARD: usize = SQUARES * SQUARE_WIDTH;
/// The weight of a square in the mean.
const SHARE: f32 = 1.0 / SQUARES as f32;

/// The parameters that turn squares into a part of an event.
pub(super) struct Squares {
    contents: Parameter,
    blocks: Vec<Block>,
    project: Dense,
}

/// The values of a batch that the forward pass keeps for the backward pass.
#[derive(Debug, Default)]
pub(super) struct SquareStates {
    /// The events that have a board.
    events: Vec<usize>,
    boards: Vec<Range<usize>>,
    blocks: Vec<BlockState>,
    /// The states between blocks, then their gradient.
    states: Vec<f32>,
    normal: Vec<f32>,
    scales: Vec<f32>,
    means: Vec<f32>,
    /// What each board adds to its event, then its gradient.
    added: Vec<f32>,
    slopes: Vec<f32>,
    uses: RowUses,
}

impl Squares {
    /// Takes its tensors in the order of the shape.
    pub(super) fn new<'a>(
        next: &mut impl FnMut() -> &'a [f32],
        precision: Precision,
        keeps_average: bool,
    ) -> Squares {
        let sizes = Sizes {
            width: SQUARE_WIDTH,
            heads: SQUARE_HEADS,
            sight: Sight::All,
        };
        Squares {
            contents: Parameter::new(next(), Decay::No, keeps_average),
            blocks: (0..SQUARE_LAYERS)
                .map(|_| Block::new(next, sizes, precision, keeps_average))
                .collect(),
            project: Dense::new(next(), None, SQUARE_WIDTH, precision, keeps_average),
        }
    }

    /// Its parameters, in the order of the shape's tensors.
    pub(super) fn parameters(&mut self) -> impl Iterator<Item = &mut Parameter> {
        let blocks = self.blocks.iter_mut().flat_map(Block::parameters);
        let contents = std::iter::once(&mut self.contents);
        contents.chain(blocks).chain(self.project.parameters())
    }

    /// Recomputes what depends on the weights.
    pub(super) fn prepare(&mut self) {
        self.blocks.iter_mut().for_each(Block::prepare);
        self.project.prepare();
    }

    /// Adds the outputs of boards to the states of their events.
    pub(super) fn forward(
        &self,
        kernels: &'static Kernels,
        batch: &Batch,
        kept: &mut SquareStates,
        room: &mut Room,
        target: &mut [f32],
    ) {
        kept.events = (0..batch.events())
            .filter(|&event| !batch.board.of(event).is_empty())
            .collect();
        let boards = kept.events.len();
        kept.boards = (0..boards)
            .map(|board| board * SQUARES..(board + 1) * SQUARES)
            .collect();
        kept.states.clear();
        kept.states.resize(boards * BOARD, 0.0);
        let contents = self.contents.values();
        let rows = kept.states.par_chunks_exact_mut(BOARD).zip(&kept.events);
        rows.for_each(|(squares, &event)| {
            let listed = batch.board.of(event);
            for (square, row) in squares.chunks_exact_mut(SQUARE_WIDTH).zip(listed) {
                kernels.add_embeddings(contents, &[*row], square);
            }
        });
        kept.blocks
            .resize_with(self.blocks.len(), BlockState::default);
        for (block, state) in self.blocks.iter().zip(&mut kept.blocks) {
            block.forward(kernels, &kept.boards, &mut kept.states, state, room);
        }
        let (states, normal) = (&kept.states, &mut kept.normal);
        layer_norm(states, SQUARE_WIDTH, EPSILON, normal, &mut kept.scales);
        kept.means.clear();
        kept.means.resize(boards * SQUARE_WIDTH, 0.0);
        let means = kept.means.par_chunks_exact_mut(SQUARE_WIDTH);
        let pairs = means.zip(kept.normal.par_chunks_exact(BOARD));
        pairs.for_each(|(mean, squares)| {
            for square in squares.chunks_exact(SQUARE_WIDTH) {
                for (sum, value) in mean.iter_mut().zip(square) {
                    *sum += value * SHARE;
                }
            }
        });
        self.project
            .forward(kernels, &kept.means, None, &mut kept.added);
        let width = self.project.outputs();
        for (added, &event) in kept.added.chunks_exact(width).zip(&kept.events) {
            for (sum, value) in target[event * width..][..width].iter_mut().zip(added) {
                *sum += value;
            }
        }
    }

    /// The backward pass from the gradient of events to the contents of squares; sets the gradients
    /// of all parameters.
    pub(super) fn backward(
        &mut self,
        kernels: &'static Kernels,
        batch: &Batch,
        kept: &mut SquareStates,
        room: &mut Room,
        slopes: &[f32],
    ) {
        let width = self.project.outputs();
        let rows = kept.added.chunks_exact_mut(width).zip(&kept.events);
        for (added, &event) in rows {
            added.copy_from_slice(&slopes[event * width..][..width]);
        }
        self.project.settle(kernels, &kept.means, &kept.added);
        self.project.backward(kernels, &kept.added, &mut kept.means);
        kept.slopes.resize(kept.normal.len(), 0.0);
        let means = kept.means.par_chunks_exact(SQUARE_WIDTH);
        let pairs = means.zip(kept.slopes.par_chunks_exact_mut(BOARD));
        pairs.for_each(|(mean, squares)| {
            for square in squares.chunks_exact_mut(SQUARE_WIDTH) {
                for (slope, value) in square.iter_mut().zip(mean) {
                    *slope = value * SHARE;
                }
            }
        });
        // From here on `states` holds gradients.
        kept.states.fill(0.0);
        let (normal, scales) = (&kept.normal, &kept.scales);
        layer_norm_back(normal, SQUARE_WIDTH, scales, &kept.slopes, &mut kept.states);
        let blocks = self.blocks.iter_mut().zip(&kept.blocks).rev();
        for (block, state) in blocks {
            block.backward(kernels, &kept.boards, &mut kept.states, state, room);
        }
        let listed = kept.events.iter().flat_map(|&event| batch.board.of(event));
        let listed = listed.enumerate().map(|(square, &row)| (square, row, 1.0));
        let rows = self.contents.values().len() / SQUARE_WIDTH;
        kept.uses.set(rows, listed);
        let states = &kept.states;
        kept.uses
            .gather(SQUARE_WIDTH, self.contents.gradient_mut(), |square| {
                &states[square * SQUARE_WIDTH..][..SQUARE_WIDTH]
            });
    }
}
