//! The board as 64 squares that attend to each other before they become part of an event.
//!
//! Each square starts as the row of its content and goes through blocks like those of
//! events, except that every square attends to every other, with a bias for each pair of
//! squares. The projected mean of all squares is added to the event.
//!
//! It must not know moves or games.

use super::block::{Block, Room};
use super::net::EPSILON;
use super::shape::{SQUARE_HEADS, SQUARE_LAYERS, SQUARE_WIDTH, SQUARES};
use crate::kernels::{Attention, Finish, Kernels, Matrix, Packed, Precision};

/// The weights of the squares.
pub(super) struct Squares {
    /// A row for each content of each square.
    contents: Vec<f32>,
    layers: Vec<Layer>,
    project: Packed,
}

struct Layer {
    block: Block,
    /// For each querying square, the biases `[head][key square]`, the last square first.
    pairs: Vec<Vec<f32>>,
}

impl Squares {
    /// Packs its tensors, which come in the order of the shape, for events of this width.
    pub(super) fn new(
        next: &mut impl FnMut() -> Vec<f32>,
        width: usize,
        precision: Precision,
    ) -> Squares {
        let packed = |values: &[f32], outputs: usize| {
            let matrix = Matrix::new(values, outputs, SQUARE_WIDTH);
            Packed::new(matrix.transposed(), precision)
        };
        Squares {
            contents: next(),
            layers: (0..SQUARE_LAYERS)
                .map(|_| {
                    let mix = packed(&next(), 4 * SQUARE_WIDTH);
                    let pairs = by_looker(&next());
                    let out = packed(&next(), SQUARE_WIDTH);
                    let out_bias = next();
                    let block = Block { mix, out, out_bias };
                    Layer { block, pairs }
                })
                .collect(),
            project: packed(&next(), width),
        }
    }

    /// Adds the board to the state of an event; `contents` are the rows of its 64 squares, or
    /// empty if it has no board.
    pub(super) fn add(&self, kernels: &Kernels, contents: &[u32], state: &mut [f32]) {
        if contents.is_empty() {
            return;
        }
        let mut squares = vec![0.0; SQUARES * SQUARE_WIDTH];
        for (square, row) in squares.chunks_exact_mut(SQUARE_WIDTH).zip(contents) {
            kernels.add_embeddings(&self.contents, &[*row], square);
        }
        let mut room = Room::default();
        for layer in &self.layers {
            layer
                .block
                .run(kernels, &mut squares, &mut room, |mixed, attended| {
                    layer.attend(kernels, mixed, attended);
                });
        }
        let mut normal = vec![0.0; squares.len()];
        kernels.layer_norm(&squares, SQUARE_WIDTH, None, EPSILON, &mut normal);
        let mut mean = [0.0; SQUARE_WIDTH];
        for square in normal.chunks_exact(SQUARE_WIDTH) {
            for (sum, value) in mean.iter_mut().zip(square) {
                *sum += value / SQUARES as f32;
            }
        }
        let before = state.to_vec();
        let residual = Finish {
            residual: Some(&before),
            ..Finish::default()
        };
        let left = Matrix::new(&mean, 1, SQUARE_WIDTH);
        kernels.product(left, &self.project, state, &residual);
    }
}

impl Layer {
    fn attend(&self, kernels: &Kernels, mixed: &[f32], attended: &mut [f32]) {
        const ROW: usize = 4 * SQUARE_WIDTH;
        let (value, query, key) = (SQUARE_WIDTH, 2 * SQUARE_WIDTH, 3 * SQUARE_WIDTH);
        // Attention expects value and key of each square next to each other.
        let mut numbers = Vec::with_capacity(SQUARES * 2 * SQUARE_WIDTH);
        for row in mixed.chunks_exact(ROW) {
            numbers.extend_from_slice(&row[value..query]);
            numbers.extend_from_slice(&row[key..]);
        }
        let places: Vec<usize> = (0..SQUARES).map(|it| it * 2 * SQUARE_WIDTH).collect();
        let mut shares = Vec::new();
        let rows = mixed.chunks_exact(ROW).zip(&self.pairs);
        for ((row, pairs), target) in rows.zip(attended.chunks_exact_mut(SQUARE_WIDTH)) {
            let attention = Attention {
                numbers: &numbers,
                places: &places,
                query: &row[query..key],
                heads: SQUARE_HEADS,
                distances: pairs,
            };
            kernels.attend(&attention, &mut shares, target);
        }
    }
}

/// Splits `[head][querying square][key square]` by the querying square.
fn by_looker(pairs: &[f32]) -> Vec<Vec<f32>> {
    (0..SQUARES)
        .map(|looker| {
            let heads = pairs.chunks_exact(SQUARES * SQUARES);
            // Attention counts distances backwards from the last key.
            heads
                .flat_map(|head| head[looker * SQUARES..][..SQUARES].iter().rev())
                .copied()
                .collect()
        })
        .collect()
}
