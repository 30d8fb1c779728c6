//! The gradient of the weights of a 3x3 convolution, accumulated in Winograd's domain:
//! 36 products of small matrices for each block of boards, and one inverse transform at
//! the end.

use super::activation::load;
use super::convolution::{
    BOARDS_PER_BLOCK, PLACES, SQUARES, TILES, column, grow, step, transform_inputs,
};
use super::matrix::{GROUP, panels};
use super::product::add_transposed_product;
use super::vector::Vector;

/// The transformed sums over boards, and buffers to compute them.
#[derive(Clone, Debug)]
pub struct WeightGradient {
    inputs: usize,
    outputs: usize,
    /// For each place of a tile, a matrix of inputs by outputs in whole groups.
    sums: Vec<f32>,
    sources: Vec<f32>,
    slopes: Vec<f32>,
}

impl WeightGradient {
    /// A gradient of zeros.
    pub fn new(outputs: usize, inputs: usize) -> Self {
        Self {
            inputs,
            outputs,
            sums: vec![0.0; PLACES * inputs * outputs.next_multiple_of(GROUP)],
            sources: Vec::new(),
            slopes: Vec::new(),
        }
    }

    /// The number of input channels of the convolution.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The number of its output channels.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Writes the gradient as `[rank][file][input][output]`, and resets it to zero.
    ///
    /// # Panics
    /// If the target has another length.
    pub fn take(&mut self, target: &mut [f32]) {
        let (inputs, outputs) = (self.inputs, self.outputs);
        assert_eq!(target.len(), 9 * inputs * outputs, "a whole gradient");
        let stride = outputs.next_multiple_of(GROUP);
        let size = inputs * stride;
        for input in 0..inputs {
            for first in (0..outputs).step_by(GROUP) {
                let at = input * stride + first;
                let mut places = [[0.0; GROUP]; PLACES];
                for (place, values) in places.iter_mut().enumerate() {
                    values.copy_from_slice(&self.sums[place * size + at..][..GROUP]);
                }
                let count = GROUP.min(outputs - first);
                for (tap, values) in kernels_of(&places).iter().enumerate() {
                    let to = (tap * inputs + input) * outputs + first;
                    target[to..to + count].copy_from_slice(&values[..count]);
                }
            }
        }
        self.sums.fill(0.0);
    }
}

/// Computes `G' sums G` for a group of kernels, with Winograd's matrix G.
fn kernels_of(places: &[[f32; GROUP]; PLACES]) -> [[f32; GROUP]; 9] {
    let mut half = [[[0.0; GROUP]; 3]; 6];
    for (half, row) in half.iter_mut().zip(places.as_chunks::<6>().0) {
        *half = three(row);
    }
    let mut kernels = [[0.0; GROUP]; 9];
    for file in 0..3 {
        let mut column = [[0.0; GROUP]; 6];
        for (value, half) in column.iter_mut().zip(&half) {
            *value = half[file];
        }
        for (rank, values) in three(&column).into_iter().enumerate() {
            kernels[rank * 3 + file] = values;
        }
    }
    kernels
}

/// The matrix G, transposed, times six values.
#[inline(always)]
fn three(values: &[[f32; GROUP]; 6]) -> [[f32; GROUP]; 3] {
    let mut three = [[0.0; GROUP]; 3];
    for lane in 0..GROUP {
        let (a, b, c) = (values[0][lane], values[1][lane], values[2][lane]);
        let (d, e, f) = (values[3][lane], values[4][lane], values[5][lane]);
        let (outer, inner) = ((b + c) * (-1.0 / 6.0), d + e);
        three[0][lane] = a * 0.25 + outer + inner * (1.0 / 24.0);
        three[1][lane] = (c - b) * (1.0 / 6.0) + (d - e) * (1.0 / 12.0);
        three[2][lane] = outer + inner * (1.0 / 6.0) + f;
    }
    three
}

/// Adds the gradient from some boards and the gradients (slopes) of their outputs.
///
/// # Safety
/// The CPU has the instructions of `V`; both slices have as many whole boards, with
/// the channels of the gradient.
#[inline(always)]
pub(super) unsafe fn add_weight_gradient<V: Vector>(
    gradient: &mut WeightGradient,
    source: &[f32],
    slopes: &[f32],
) {
    let (inputs, outputs) = (gradient.inputs, gradient.outputs);
    let stride = inputs.next_multiple_of(GROUP);
    let width = outputs.next_multiple_of(GROUP);
    let boards = source.len() / (SQUARES * inputs);
    let most_rows = BOARDS_PER_BLOCK.min(boards) * TILES;
    grow(&mut gradient.sources, PLACES * step(most_rows, stride));
    grow(&mut gradient.slopes, PLACES * step(most_rows, width));
    for first in (0..boards).step_by(BOARDS_PER_BLOCK) {
        let count = BOARDS_PER_BLOCK.min(boards - first);
        let rows = count * TILES;
        let span = |channels: usize| {
            let size = SQUARES * channels;
            first * size..(first + count) * size
        };
        // SAFETY: `rows` tiles of every place fit the rooms; boards were cut to whole
        // ones above; the sums hold a matrix for each place.
        unsafe {
            let sources = &mut gradient.sources;
            transform_inputs::<V>(&source[span(inputs)], inputs, sources, rows, stride);
            let room = &mut gradient.slopes;
            transform_slopes::<V>(&slopes[span(outputs)], outputs, room, rows);
            for place in 0..PLACES {
                add_transposed_product::<V>(
                    gradient.sources.as_ptr().add(place * step(rows, stride)),
                    stride,
                    rows,
                    gradient.slopes.as_ptr().add(place * step(rows, width)),
                    inputs,
                    outputs,
                    gradient.sums.as_mut_ptr().add(place * inputs * width),
                );
            }
        }
    }
}

/// Transforms the slopes of all boards into tiles, stored for each place in the panels of
/// a right factor.
///
/// # Safety
/// The CPU has the instructions of `V`; `room` holds 36 times `rows` tiles.
#[inline(always)]
unsafe fn transform_slopes<V: Vector>(
    boards: &[f32],
    channels: usize,
    room: &mut [f32],
    rows: usize,
) {
    let step = step(rows, channels.next_multiple_of(GROUP));
    let (boards, room) = (boards.as_ptr(), room.as_mut_ptr());
    for panel in panels(channels) {
        let width = panel.groups * GROUP;
        for tile in 0..rows {
            let corner = tile / TILES * SQUARES + tile % TILES / 2 * 32 + tile % 2 * 4;
            for at in (0..width).step_by(V::LANES) {
                let channel = panel.first + at;
                let count = V::LANES.min(channels.saturating_sub(channel));
                // SAFETY: `count` channels from here lie on each square of the tile,
                // and a whole register in each row of the panel.
                unsafe {
                    let from = boards.wrapping_add(corner * channels + channel);
                    let to = room.add(panel.first * rows + tile * width + at);
                    slope_tile::<V>(from, channels, count, to, step);
                }
            }
        }
    }
}

/// # Safety
/// The CPU has the instructions of `V`; `count` channels can be read on 4x4 squares of
/// a board, and a register written at each of 36 places `step` apart.
#[inline(always)]
unsafe fn slope_tile<V: Vector>(
    from: *const f32,
    channels: usize,
    count: usize,
    to: *mut f32,
    step: usize,
) {
    // SAFETY: as the caller's; without channels nothing is read.
    unsafe {
        let zero = V::splat(0.0);
        // Two rows more than needed, so that columns are read in the same way as elsewhere.
        let mut half = [[zero; 6]; 6];
        for (i, row) in half.iter_mut().take(4).enumerate() {
            let mut squares = [zero; 4];
            if count > 0 {
                for (j, square) in squares.iter_mut().enumerate() {
                    *square = load::<V>(from.wrapping_add((i * 8 + j) * channels), count);
                }
            }
            *row = slope_transform(squares);
        }
        for j in 0..6 {
            let [a, b, c, d, ..] = column(&half, j);
            for (i, value) in slope_transform([a, b, c, d]).into_iter().enumerate() {
                value.store(to.add((i * 6 + j) * step));
            }
        }
    }
}

/// Winograd's matrix A times four values.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn slope_transform<V: Vector>([a, b, c, d]: [V; 4]) -> [V; 6] {
    // SAFETY: as the caller's.
    unsafe {
        let (two, four) = (V::splat(2.0), V::splat(4.0));
        let (even, odd) = (a.plus(c), b.plus(d));
        let even_2 = c.times_plus(four, a);
        let odd_2 = d.times_plus(four, b).times(two);
        [
            a,
            even.plus(odd),
            even.minus(odd),
            even_2.plus(odd_2),
            even_2.minus(odd_2),
            d,
        ]
    }
}
