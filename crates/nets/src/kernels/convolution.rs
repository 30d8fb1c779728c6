//! 3x3 convolutions on the chess board by Winograd's F(4x4, 3x3): four tiles of
//! 6x6 squares cover the board with its border of zeros, and 36 products of small
//! matrices replace the direct convolution, with a quarter of its multiplications.
//!
//! All batches take the same path. Boards are computed in blocks of
//! [`BOARDS_PER_BLOCK`], but no board's result depends on the others.

use super::activation::{Finish, finish, load, store};
use super::matrix::{GROUP, Packed};
use super::product::padded_product;
use super::vector::Vector;

/// How many boards are transformed together, so that the products have 32 rows and
/// everything stays in the second-level cache. Work for several threads is split at
/// multiples of it.
pub const BOARDS_PER_BLOCK: usize = 8;
/// How many squares a board has.
pub const SQUARES: usize = 64;
/// How many tiles a board has, and how many values a transformed tile.
pub(super) const TILES: usize = 4;
pub(super) const PLACES: usize = 36;

/// The weights of a 3x3 convolution, transformed and packed.
#[derive(Clone, Debug)]
pub struct Convolution {
    inputs: usize,
    outputs: usize,
    /// For each place of a transformed tile, a matrix of inputs by outputs.
    places: Vec<Packed>,
}

impl Convolution {
    /// Transforms weights `[output][input][rank][file]`; a kernel is centred on the square.
    ///
    /// # Panics
    /// If `weights` has another length than `outputs * inputs * 9`.
    pub fn new(weights: &[f32], outputs: usize, inputs: usize) -> Self {
        let mut convolution = Self::zeros(outputs, inputs);
        convolution.set(weights);
        convolution
    }

    /// The convolution that computes the gradient of the inputs from that of the outputs,
    /// with the same weights: inputs and outputs are exchanged, and kernels are rotated.
    ///
    /// # Panics
    /// As [`Convolution::new`].
    pub fn backward(weights: &[f32], outputs: usize, inputs: usize) -> Self {
        let mut convolution = Self::zeros(inputs, outputs);
        convolution.set_backward(weights);
        convolution
    }

    fn zeros(outputs: usize, inputs: usize) -> Self {
        Self {
            inputs,
            outputs,
            places: vec![Packed::zeros(inputs, outputs); PLACES],
        }
    }

    /// Replaces the weights, as training does at every step.
    ///
    /// # Panics
    /// As [`Convolution::new`].
    pub fn set(&mut self, weights: &[f32]) {
        let inputs = self.inputs;
        let size = self.outputs * inputs * 9;
        assert_eq!(weights.len(), size, "convolution weights");
        self.transform(|output, input, kernel| {
            kernel.copy_from_slice(&weights[(output * inputs + input) * 9..][..9]);
        });
    }

    /// The same for one made by [`Convolution::backward`].
    ///
    /// # Panics
    /// As [`Convolution::new`].
    pub fn set_backward(&mut self, weights: &[f32]) {
        let inputs = self.outputs;
        let size = self.inputs * inputs * 9;
        assert_eq!(weights.len(), size, "convolution weights");
        self.transform(|input, output, kernel| {
            kernel.copy_from_slice(&weights[(output * inputs + input) * 9..][..9]);
            kernel.reverse();
        });
    }

    /// Fills the packed matrices row by row. The closure writes the kernel of an output
    /// and an input.
    fn transform(&mut self, kernel: impl Fn(usize, usize, &mut [f32; 9])) {
        let width = self.outputs.next_multiple_of(GROUP);
        let mut rows = vec![0.0; PLACES * width];
        for input in 0..self.inputs {
            for first in (0..self.outputs).step_by(GROUP) {
                let mut kernels = [[0.0; GROUP]; 9];
                let mut one = [0.0; 9];
                for lane in 0..GROUP.min(self.outputs - first) {
                    kernel(first + lane, input, &mut one);
                    for (values, value) in kernels.iter_mut().zip(one) {
                        values[lane] = value;
                    }
                }
                transform_kernels(&kernels, &mut rows[first..], width);
            }
            for (matrix, row) in self.places.iter_mut().zip(rows.chunks_exact(width)) {
                matrix.set_row(input, row);
            }
        }
    }

    /// The number of input channels.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The number of output channels.
    pub fn outputs(&self) -> usize {
        self.outputs
    }
}

/// Computes `G kernel G'` for a group of kernels; the values of each place are written
/// `width` after those of the place before.
fn transform_kernels(kernels: &[[f32; GROUP]; 9], rows: &mut [f32], width: usize) {
    let mut half = [[[0.0; GROUP]; 3]; 6];
    for file in 0..3 {
        let column = six(&kernels[file], &kernels[3 + file], &kernels[6 + file]);
        for (half, values) in half.iter_mut().zip(column) {
            half[file] = values;
        }
    }
    for (row, [a, b, c]) in half.iter().enumerate() {
        for (column, values) in six(a, b, c).iter().enumerate() {
            rows[(row * 6 + column) * width..][..GROUP].copy_from_slice(values);
        }
    }
}

/// The matrix G times three values.
#[inline(always)]
fn six(a: &[f32; GROUP], b: &[f32; GROUP], c: &[f32; GROUP]) -> [[f32; GROUP]; 6] {
    let mut six = [[0.0; GROUP]; 6];
    for lane in 0..GROUP {
        let (a, b, c) = (a[lane], b[lane], c[lane]);
        let (sixth, sum) = (b * (1.0 / 6.0), (a + c) * (-1.0 / 6.0));
        let (twelfth, outer) = (b * (1.0 / 12.0), a * (1.0 / 24.0) + c * (1.0 / 6.0));
        six[0][lane] = a * 0.25;
        six[1][lane] = sum - sixth;
        six[2][lane] = sum + sixth;
        six[3][lane] = outer + twelfth;
        six[4][lane] = outer - twelfth;
        six[5][lane] = c;
    }
    six
}

/// Buffers for the transformed boards of a block; kept by the caller, so that convolutions
/// need not allocate.
#[derive(Clone, Debug, Default)]
pub struct ConvolutionRoom {
    inputs: Vec<f32>,
    outputs: Vec<f32>,
}

/// # Safety
/// The CPU has the instructions of `V`; `source` and `target` have as many boards
/// of 64 squares, each square with its channels; `how` fits the target.
#[inline(always)]
pub(super) unsafe fn convolve<V: Vector>(
    convolution: &Convolution,
    source: &[f32],
    target: &mut [f32],
    room: &mut ConvolutionRoom,
    how: &Finish<'_>,
) {
    let (inputs, outputs) = (convolution.inputs, convolution.outputs);
    let input_stride = inputs.next_multiple_of(GROUP);
    let output_stride = outputs.next_multiple_of(GROUP);
    let boards = source.len() / (SQUARES * inputs);
    let most_rows = BOARDS_PER_BLOCK.min(boards) * TILES;
    grow(&mut room.inputs, PLACES * step(most_rows, input_stride));
    grow(&mut room.outputs, PLACES * step(most_rows, output_stride));
    for first in (0..boards).step_by(BOARDS_PER_BLOCK) {
        let count = BOARDS_PER_BLOCK.min(boards - first);
        let rows = count * TILES;
        let read = &source[first * SQUARES * inputs..][..count * SQUARES * inputs];
        let span = first * SQUARES * outputs..(first + count) * SQUARES * outputs;
        let written = &mut target[span.clone()];
        // SAFETY: `rows` tiles of every place fit the room; boards were cut to
        // whole ones above.
        unsafe {
            transform_inputs::<V>(read, inputs, &mut room.inputs, rows, input_stride);
            for (place, weights) in convolution.places.iter().enumerate() {
                let left = room.inputs.as_ptr().add(place * step(rows, input_stride));
                let result = room.outputs.as_mut_ptr();
                let result = result.add(place * step(rows, output_stride));
                padded_product::<V>(left, input_stride, rows, weights, result, output_stride);
            }
            transform_outputs::<V>(&room.outputs, rows, output_stride, written, outputs);
            finish::<V>(written, &how.of(span));
        }
    }
}

/// The distance from one place of the tiles to the next: one cache line more than the
/// tiles take, so that the 36 places of a tile do not all fall into the same cache set.
pub(super) fn step(rows: usize, stride: usize) -> usize {
    rows * stride + GROUP
}

pub(super) fn grow(values: &mut Vec<f32>, length: usize) {
    if values.len() < length {
        values.resize(length, 0.0);
    }
}

/// Transforms all boards into tiles `[place][tile][channel]`.
///
/// # Safety
/// The CPU has the instructions of `V`; `room` holds 36 times `rows` tiles.
#[inline(always)]
pub(super) unsafe fn transform_inputs<V: Vector>(
    boards: &[f32],
    channels: usize,
    room: &mut [f32],
    rows: usize,
    stride: usize,
) {
    let room = room.as_mut_ptr();
    for (number, board) in boards.chunks_exact(SQUARES * channels).enumerate() {
        let board = board.as_ptr();
        for channel in (0..channels).step_by(V::LANES) {
            let count = V::LANES.min(channels - channel);
            // SAFETY: `count` channels lie on each square, and a whole register in
            // each row of the room, which is a multiple of registers wide.
            unsafe {
                let from = board.add(channel);
                let to = room.add(number * TILES * stride + channel);
                let step = step(rows, stride);
                input_tile::<V, 0, 0>(from, channels, count, to, step);
                input_tile::<V, 0, 1>(from, channels, count, to.add(stride), step);
                input_tile::<V, 1, 0>(from, channels, count, to.add(2 * stride), step);
                input_tile::<V, 1, 1>(from, channels, count, to.add(3 * stride), step);
            }
        }
    }
}

/// Transforms one tile of a board: `RANKS` and `FILES`, each 0 or 1, choose the quarter.
///
/// # Safety
/// The CPU has the instructions of `V`; `count` channels lie on each square, and
/// a register can be written at each of 36 places `step` apart.
#[inline(always)]
unsafe fn input_tile<V: Vector, const RANKS: usize, const FILES: usize>(
    board: *const f32,
    channels: usize,
    count: usize,
    to: *mut f32,
    step: usize,
) {
    // SAFETY: as the caller's; squares off the board are not read.
    unsafe {
        let zero = V::splat(0.0);
        let mut half = [[zero; 6]; 6];
        for (i, row) in half.iter_mut().enumerate() {
            let mut squares = [zero; 6];
            for (j, square) in squares.iter_mut().enumerate() {
                // Rank and file plus one, because the border comes first.
                let (rank, file) = (4 * RANKS + i, 4 * FILES + j);
                if (1..=8).contains(&rank) && (1..=8).contains(&file) {
                    let at = ((rank - 1) * 8 + file - 1) * channels;
                    *square = load::<V>(board.add(at), count);
                }
            }
            *row = input_transform(squares);
        }
        for j in 0..6 {
            for (i, value) in input_transform(column(&half, j)).into_iter().enumerate() {
                value.store(to.add((i * 6 + j) * step));
            }
        }
    }
}

#[inline(always)]
pub(super) fn column<V: Vector, const WIDTH: usize>(rows: &[[V; WIDTH]; 6], at: usize) -> [V; 6] {
    let [a, b, c, d, e, f] = rows;
    [a[at], b[at], c[at], d[at], e[at], f[at]]
}

/// Winograd's matrix B' times six values.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn input_transform<V: Vector>([a, b, c, d, e, f]: [V; 6]) -> [V; 6] {
    // SAFETY: as the caller's.
    unsafe {
        let (two, four) = (V::splat(2.0), V::splat(4.0));
        let (minus_four, minus_five) = (V::splat(-4.0), V::splat(-5.0));
        let (even, odd) = (c.times_plus(minus_four, e), b.times_plus(minus_four, d));
        let (even_2, odd_2) = (e.minus(c), d.minus(b).times(two));
        [
            a.times_plus(four, c.times_plus(minus_five, e)),
            even.plus(odd),
            even.minus(odd),
            even_2.plus(odd_2),
            even_2.minus(odd_2),
            b.times_plus(four, d.times_plus(minus_five, f)),
        ]
    }
}

/// Transforms `[place][tile][channel]` back to boards.
///
/// # Safety
/// The CPU has the instructions of `V`; `room` holds 36 times `rows` tiles.
#[inline(always)]
unsafe fn transform_outputs<V: Vector>(
    room: &[f32],
    rows: usize,
    stride: usize,
    boards: &mut [f32],
    channels: usize,
) {
    let (room, boards) = (room.as_ptr(), boards.as_mut_ptr());
    for tile in 0..rows {
        let corner = tile / TILES * SQUARES + tile % TILES / 2 * 32 + tile % 2 * 4;
        for channel in (0..channels).step_by(V::LANES) {
            let count = V::LANES.min(channels - channel);
            // SAFETY: a whole register lies in each row of the room, and `count`
            // channels on each square.
            unsafe {
                let from = room.add(tile * stride + channel);
                let to = boards.add(corner * channels + channel);
                output_tile::<V>(from, step(rows, stride), to, channels, count);
            }
        }
    }
}

/// # Safety
/// The CPU has the instructions of `V`; a register can be read at each of 36
/// places `step` apart, and `count` channels written on 4x4 squares of a board.
#[inline(always)]
unsafe fn output_tile<V: Vector>(
    from: *const f32,
    step: usize,
    to: *mut f32,
    channels: usize,
    count: usize,
) {
    // SAFETY: as the caller's.
    unsafe {
        let zero = V::splat(0.0);
        let mut half = [[zero; 4]; 6];
        for (i, row) in half.iter_mut().enumerate() {
            let mut places = [zero; 6];
            for (j, place) in places.iter_mut().enumerate() {
                *place = V::load(from.add((i * 6 + j) * step));
            }
            *row = output_transform(places);
        }
        for j in 0..4 {
            for (i, value) in output_transform(column(&half, j)).into_iter().enumerate() {
                store(value, to.add((i * 8 + j) * channels), count);
            }
        }
    }
}

/// Winograd's matrix A' times six values.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn output_transform<V: Vector>([a, b, c, d, e, f]: [V; 6]) -> [V; 4] {
    let (sum, difference) = (b.plus(c), b.minus(c));
    let (sum_2, difference_2) = (d.plus(e), d.minus(e));
    // SAFETY: as the caller's.
    unsafe {
        [
            a.plus(sum).plus(sum_2),
            difference_2.times_plus(V::splat(2.0), difference),
            sum_2.times_plus(V::splat(4.0), sum),
            difference_2.times_plus(V::splat(8.0), difference).plus(f),
        ]
    }
}
