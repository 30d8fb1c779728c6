//! 3x3 convolutions on the chess board by Winograd's F(4x4, 3x3): four tiles of
//! 6x6 squares cover the board with its border of zeros, and 36 products of
//! small matrices take the place of nine times as many multiplications as there
//! are weights on every square: a quarter of the work.
//!
//! There is one path for every batch. Boards go through in blocks of
//! [`BOARDS_PER_BLOCK`], but no board's result depends on the others.

use super::activation::{Finish, finish, load, store};
use super::matrix::{GROUP, Packed};
use super::product::padded_product;
use super::vector::Vector;

/// Boards that are transformed together, so that the products have 32 rows and
/// everything stays in the second-level cache. Work shared among threads is cut
/// at multiples of it.
pub const BOARDS_PER_BLOCK: usize = 8;
/// Squares of a board.
pub const SQUARES: usize = 64;
/// Tiles of a board, and places of a transformed tile.
pub(super) const TILES: usize = 4;
pub(super) const PLACES: usize = 36;

/// The weights of a 3x3 convolution, transformed and packed.
#[derive(Clone, Debug)]
pub struct Convolution {
    inputs: usize,
    outputs: usize,
    /// For each place of a tile a matrix of inputs by outputs.
    places: Vec<Packed>,
}

impl Convolution {
    /// From weights `[output][input][rank][file]`, a kernel's middle on the square.
    ///
    /// # Panics
    /// If `weights` has another length than `outputs * inputs * 9`.
    pub fn new(weights: &[f32], outputs: usize, inputs: usize) -> Self {
        assert_eq!(weights.len(), outputs * inputs * 9, "convolution weights");
        let kernel = |output: usize, input: usize| &weights[(output * inputs + input) * 9..][..9];
        Self::transform(outputs, inputs, |output, input, at| {
            kernel(output, input)[at]
        })
    }

    /// The convolution that takes the gradient of the outputs to that of the
    /// inputs, from the same weights: inputs and outputs exchanged, kernels turned.
    ///
    /// # Panics
    /// As [`Convolution::new`].
    pub fn backward(weights: &[f32], outputs: usize, inputs: usize) -> Self {
        assert_eq!(weights.len(), outputs * inputs * 9, "convolution weights");
        Self::transform(inputs, outputs, |input, output, at| {
            weights[(output * inputs + input) * 9 + 8 - at]
        })
    }

    /// Row by row of the packed matrices: trainings do this at every step.
    fn transform(
        outputs: usize,
        inputs: usize,
        weight: impl Fn(usize, usize, usize) -> f32,
    ) -> Self {
        let mut places = vec![Packed::zeros(inputs, outputs); PLACES];
        let width = outputs.next_multiple_of(SIDE_BY_SIDE);
        let mut rows = vec![0.0; PLACES * width];
        for input in 0..inputs {
            for first in (0..outputs).step_by(SIDE_BY_SIDE) {
                let mut kernels = [[0.0; SIDE_BY_SIDE]; 9];
                for lane in 0..SIDE_BY_SIDE.min(outputs - first) {
                    for (at, values) in kernels.iter_mut().enumerate() {
                        values[lane] = f64::from(weight(first + lane, input, at));
                    }
                }
                transform_kernels(&kernels, |place, values| {
                    rows[place * width + first..][..SIDE_BY_SIDE].copy_from_slice(values);
                });
            }
            for (matrix, row) in places.iter_mut().zip(rows.chunks_exact(width)) {
                matrix.set_row(input, row);
            }
        }
        Self {
            inputs,
            outputs,
            places,
        }
    }

    /// Channels that come in.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Channels that go out.
    pub fn outputs(&self) -> usize {
        self.outputs
    }
}

/// Kernels that are transformed together: a register of the widest in f64.
const SIDE_BY_SIDE: usize = 8;

/// Winograd's matrix G.
pub(super) const G: [[f64; 3]; 6] = [
    [1.0 / 4.0, 0.0, 0.0],
    [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
    [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
    [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
    [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
    [0.0, 0.0, 1.0],
];

/// `G kernel G'` of some kernels, in f64.
fn transform_kernels(
    kernels: &[[f64; SIDE_BY_SIDE]; 9],
    mut give: impl FnMut(usize, &[f32; SIDE_BY_SIDE]),
) {
    let combined = |factors: &[f64; 3], values: [&[f64; SIDE_BY_SIDE]; 3]| {
        std::array::from_fn::<f64, SIDE_BY_SIDE, _>(|lane| {
            let [a, b, c] = values;
            factors[0] * a[lane] + factors[1] * b[lane] + factors[2] * c[lane]
        })
    };
    for (row, factors) in G.iter().enumerate() {
        let half: [_; 3] = std::array::from_fn(|file| {
            combined(factors, [0, 3, 6].map(|rank| &kernels[rank + file]))
        });
        for (column, factors) in G.iter().enumerate() {
            let values = combined(factors, [&half[0], &half[1], &half[2]]);
            give(row * 6 + column, &values.map(|value| value as f32));
        }
    }
}

/// Room for the transformed boards of a block; kept by the caller, lest every
/// convolution ask for memory.
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

/// From one place of the tiles to the next: a line of the cache more than the
/// tiles take, lest all 36 places of a tile fall into the same set of the cache.
pub(super) fn step(rows: usize, stride: usize) -> usize {
    rows * stride + GROUP
}

pub(super) fn grow(values: &mut Vec<f32>, length: usize) {
    if values.len() < length {
        values.resize(length, 0.0);
    }
}

/// The tiles of all boards, `[place][tile][channel]`.
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

/// One tile of a board, its half `RANKS` up and `FILES` to the right.
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
                // One more than rank and file: the border comes first.
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

/// Back from `[place][tile][channel]` to boards.
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
