//! One block of a model: rows are projected, attend to each other, and are gated.
//!
//! It must not know which row attends to which.

use super::net::EPSILON;
use crate::kernels::{Activation, Finish, Kernels, Matrix, Packed};

/// The weights of a block.
pub(super) struct Block {
    /// Projects a row to its gate, value, query and key.
    pub(super) mix: Packed,
    pub(super) out: Packed,
    pub(super) out_bias: Vec<f32>,
}

/// Buffers for the intermediate results of a block.
#[derive(Default)]
pub(super) struct Room {
    normal: Vec<f32>,
    mixed: Vec<f32>,
    attended: Vec<f32>,
}

impl Block {
    /// Runs rows through the block. `attend` gets gate, value, query and key of every row
    /// and writes the result of attention for each.
    pub(super) fn run(
        &self,
        kernels: &Kernels,
        states: &mut Vec<f32>,
        room: &mut Room,
        attend: impl FnOnce(&[f32], &mut [f32]),
    ) {
        let width = self.out_bias.len();
        let rows = states.len() / width;
        room.normal.resize(rows * width, 0.0);
        room.mixed.resize(rows * 4 * width, 0.0);
        room.attended.resize(rows * width, 0.0);
        kernels.layer_norm(states, width, None, EPSILON, &mut room.normal);
        let silu = Finish {
            activation: Activation::Silu,
            ..Finish::default()
        };
        let left = Matrix::new(&room.normal, rows, width);
        kernels.product(left, &self.mix, &mut room.mixed, &silu);
        attend(&room.mixed, &mut room.attended);
        kernels.layer_norm(&room.attended, width, None, EPSILON, &mut room.normal);
        let mixed = room.mixed.chunks_exact(4 * width);
        let gates = mixed.flat_map(|row| &row[..width]);
        for (value, gate) in room.normal.iter_mut().zip(gates) {
            *value *= gate;
        }
        let left = Matrix::new(&room.normal, rows, width);
        let residual = Finish {
            bias: Some(&self.out_bias),
            residual: Some(states),
            ..Finish::default()
        };
        kernels.product(left, &self.out, &mut room.attended, &residual);
        std::mem::swap(states, &mut room.attended);
    }
}
