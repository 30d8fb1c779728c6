//! Attention within one group, forward and backward pass.
//!
//! Each event of a game attends to itself and those before it, head by head, with a bias for the
//! distance. The scores of all pairs of events are computed as matrix products: half of them lie in
//! the future and are discarded, but this is still twice as fast as sums over the past alone. Each
//! square of a board attends to all squares, with a bias for the pair.

use crate::functions::exp;
use crate::lanes::{self, Job, Lanes};
use nets::kernels::{Finish, Kernels, Matrix, Packed, Precision};
use nets::sequence::{FARTHEST, SQUARES};

/// The dimensions of attention.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) width: usize,
    pub(super) heads: usize,
    pub(super) sight: Sight,
}

/// Which rows attend to which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sight {
    /// To those before and itself: the events of a game.
    Past,
    /// To all: the squares of a board.
    All,
}

impl Sizes {
    fn head_width(self) -> usize {
        self.width / self.heads
    }

    fn scale(self) -> f32 {
        1.0 / (self.head_width() as f32).sqrt()
    }

    /// The number of attention weights of a game with this many events: a square matrix for each
    /// head.
    pub(super) fn shares(self, events: usize) -> usize {
        self.heads * events * events
    }

    /// The number of biases of a head.
    fn biases_of_head(self) -> usize {
        match self.sight {
            Sight::Past => FARTHEST + 1,
            Sight::All => SQUARES * SQUARES,
        }
    }

    /// How many groups are one piece of work: boards are many and small, and have more biases than
    /// values.
    pub(super) fn together(self) -> usize {
        match self.sight {
            Sight::Past => 1,
            Sight::All => 16,
        }
    }

    /// The number of biases of all heads.
    pub(super) fn biases(self) -> usize {
        self.heads * self.biases_of_head()
    }

    /// The gates, values, queries or keys of a head, one row for each event.
    fn part(self, mixed: &[f32], part: usize, head: usize) -> Matrix<'_> {
        let events = mixed.len() / (4 * self.width);
        let first = part * self.width + head * self.head_width();
        let whole = Matrix::new(mixed, events, 4 * self.width);
        whole.some_columns(first..first + self.head_width())
    }
}

/// The index of each part in a mixed event: gate, value, query, key.
const VALUE: usize = 1;
const QUERY: usize = 2;
const KEY: usize = 3;

/// The forward pass of attention in one group.
pub(super) struct Forward<'a> {
    pub(super) kernels: &'static Kernels,
    pub(super) sizes: Sizes,
    /// `[event][gate, value, query, key]`.
    pub(super) mixed: &'a [f32],
    /// The biases of distances or pairs, head by head.
    pub(super) bias: &'a [f32],
    /// `[head][event][event]`: attention weights, kept for the backward pass; those of the future
    /// are 0.
    pub(super) shares: &'a mut [f32],
    /// `[event][width]`.
    pub(super) target: &'a mut [f32],
}

impl Forward<'_> {
    pub(super) fn run(self) {
        let Sizes { width, heads, .. } = self.sizes;
        let events = self.target.len() / width;
        let size = self.sizes.head_width();
        let part = |part: usize, head: usize| self.sizes.part(self.mixed, part, head);
        let mut taken = vec![0.0; events * size];
        for head in 0..heads {
            let shares = &mut self.shares[head * events * events..][..events * events];
            let keys = packed(part(KEY, head).transposed());
            multiply(self.kernels, part(QUERY, head), &keys, shares);
            let biases = self.sizes.biases_of_head();
            let (scale, bias) = (self.sizes.scale(), &self.bias[head * biases..][..biases]);
            match self.sizes.sight {
                Sight::Past => lanes::run(Shares {
                    scale,
                    distances: bias,
                    shares,
                }),
                Sight::All => lanes::run(PairShares {
                    scale,
                    pairs: bias,
                    shares,
                }),
            }
            let shares = Matrix::new(shares, events, events);
            multiply(self.kernels, shares, &packed(part(VALUE, head)), &mut taken);
            copy(&taken, self.target, width, head * size, size);
        }
    }
}

/// Turns products of queries and keys into attention weights.
struct Shares<'a> {
    scale: f32,
    distances: &'a [f32],
    shares: &'a mut [f32],
}

impl Job for Shares<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let events = self.shares.len().isqrt();
        for (event, row) in self.shares.chunks_exact_mut(events).enumerate() {
            let (past, future) = row.split_at_mut(event + 1);
            future.fill(0.0);
            let (beyond, near) = by_distance(past);
            for (share, distance) in near.iter_mut().rev().zip(self.distances) {
                *share = *share * self.scale + distance;
            }
            for share in beyond {
                *share = *share * self.scale + self.distances[FARTHEST];
            }
            softmax(past);
        }
    }
}

/// The same if all rows are attended to.
struct PairShares<'a> {
    scale: f32,
    pairs: &'a [f32],
    shares: &'a mut [f32],
}

impl Job for PairShares<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let rows = self.shares.chunks_exact_mut(SQUARES);
        for (row, pairs) in rows.zip(self.pairs.chunks_exact(SQUARES)) {
            for (share, pair) in row.iter_mut().zip(pairs) {
                *share = *share * self.scale + pair;
            }
            softmax(row);
        }
    }
}

/// The backward pass: the gradients of the inputs of [`Forward`].
pub(super) struct Backward<'a> {
    pub(super) kernels: &'static Kernels,
    pub(super) sizes: Sizes,
    pub(super) mixed: &'a [f32],
    pub(super) shares: &'a [f32],
    /// `[event][width]`: the gradient of its target.
    pub(super) slopes: &'a [f32],
    /// The gradient of values, queries and keys; that of gates is not touched.
    pub(super) target: &'a mut [f32],
    /// The gradient of the biases, which is added to.
    pub(super) of_bias: &'a mut [f32],
}

impl Backward<'_> {
    pub(super) fn run(self) {
        let Sizes { width, heads, .. } = self.sizes;
        let events = self.slopes.len() / width;
        let (size, kernels) = (self.sizes.head_width(), self.kernels);
        let part = |part: usize, head: usize| self.sizes.part(self.mixed, part, head);
        let mut of_shares = vec![0.0; events * events];
        let mut taken = vec![0.0; events * size];
        for head in 0..heads {
            let shares = &self.shares[head * events * events..][..events * events];
            let slopes = Matrix::new(self.slopes, events, width);
            let slopes = slopes.some_columns(head * size..(head + 1) * size);
            let values = packed(part(VALUE, head).transposed());
            multiply(kernels, slopes, &values, &mut of_shares);
            let biases = self.sizes.biases_of_head();
            let of_bias = &mut self.of_bias[head * biases..][..biases];
            let (scale, of_shares) = (self.sizes.scale(), &mut of_shares[..]);
            match self.sizes.sight {
                Sight::Past => lanes::run(SharesBack {
                    scale,
                    shares,
                    of_shares,
                    of_distances: of_bias,
                }),
                Sight::All => lanes::run(PairSharesBack {
                    scale,
                    shares,
                    of_shares,
                    of_pairs: of_bias,
                }),
            }
            let shares = Matrix::new(shares, events, events);
            let products = Matrix::new(of_shares, events, events);
            for (of, left, right) in [
                (VALUE, shares.transposed(), slopes),
                (QUERY, products, part(KEY, head)),
                (KEY, products.transposed(), part(QUERY, head)),
            ] {
                multiply(kernels, left, &packed(right), &mut taken);
                let first = of * width + head * size;
                copy(&taken, self.target, 4 * width, first, size);
            }
        }
    }
}

/// Turns the gradient of attention weights into that of the products of queries and keys.
struct SharesBack<'a> {
    scale: f32,
    shares: &'a [f32],
    of_shares: &'a mut [f32],
    of_distances: &'a mut [f32],
}

impl Job for SharesBack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let events = self.shares.len().isqrt();
        let rows = self.of_shares.chunks_exact_mut(events);
        for (event, (of_row, row)) in rows.zip(self.shares.chunks_exact(events)).enumerate() {
            let (of_past, of_future) = of_row.split_at_mut(event + 1);
            of_future.fill(0.0);
            let past = &row[..=event];
            softmax_back(past, of_past);
            let (beyond, near) = by_distance(of_past);
            for (sum, of) in self.of_distances.iter_mut().zip(near.iter().rev()) {
                *sum += of;
            }
            self.of_distances[FARTHEST] += beyond.iter().sum::<f32>();
            for of in of_past {
                *of *= self.scale;
            }
        }
    }
}

/// The same if all rows are attended to.
struct PairSharesBack<'a> {
    scale: f32,
    shares: &'a [f32],
    of_shares: &'a mut [f32],
    of_pairs: &'a mut [f32],
}

impl Job for PairSharesBack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let rows = self.of_shares.chunks_exact_mut(SQUARES);
        let rows = rows.zip(self.shares.chunks_exact(SQUARES));
        for ((of_row, row), of_pairs) in rows.zip(self.of_pairs.chunks_exact_mut(SQUARES)) {
            softmax_back(row, of_row);
            for (of, of_pair) in of_row.iter_mut().zip(of_pairs) {
                *of_pair += *of;
                *of *= self.scale;
            }
        }
    }
}

/// Splits the past of an event into the distances that share one bias, and the near ones, of which
/// the last has distance 0.
#[inline(always)]
fn by_distance(past: &mut [f32]) -> (&mut [f32], &mut [f32]) {
    past.split_at_mut(past.len().saturating_sub(FARTHEST))
}

fn packed(matrix: Matrix<'_>) -> Packed {
    Packed::new(matrix, Precision::F32)
}

fn multiply(kernels: &Kernels, left: Matrix<'_>, right: &Packed, target: &mut [f32]) {
    kernels.product(left, right, target, &Finish::default());
}

/// Copies rows of `size` numbers into longer rows, from column `first` on.
fn copy(source: &[f32], target: &mut [f32], stride: usize, first: usize, size: usize) {
    let rows = target.chunks_exact_mut(stride);
    for (target, source) in rows.zip(source.chunks_exact(size)) {
        target[first..first + size].copy_from_slice(source);
    }
}

/// The dot product of two rows, with one accumulator per SIMD lane.
#[inline(always)]
fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut sums = [0.0_f32; lanes::WIDTH];
    let (left, left_rest) = left.as_chunks::<{ lanes::WIDTH }>();
    let (right, right_rest) = right.as_chunks::<{ lanes::WIDTH }>();
    for (left, right) in left.iter().zip(right) {
        for lane in 0..lanes::WIDTH {
            sums[lane] += left[lane] * right[lane];
        }
    }
    let rest = left_rest.iter().zip(right_rest);
    sums.iter().sum::<f32>() + rest.map(|(left, right)| left * right).sum::<f32>()
}

/// Turns the gradient of attention weights into that of their logits.
#[inline(always)]
fn softmax_back(shares: &[f32], slopes: &mut [f32]) {
    let mean = dot(shares, slopes);
    for (slope, share) in slopes.iter_mut().zip(shares) {
        *slope = share * (*slope - mean);
    }
}

#[inline(always)]
fn softmax(row: &mut [f32]) {
    let most = fold(row, f32::MIN, f32::max);
    for value in &mut *row {
        *value = exp(*value - most);
    }
    let factor = 1.0 / fold(row, 0.0, |sum, value| sum + value);
    for value in row {
        *value *= factor;
    }
}

/// Combines all numbers of a row, with one accumulator per SIMD lane.
#[inline(always)]
fn fold(row: &[f32], start: f32, join: impl Fn(f32, f32) -> f32) -> f32 {
    let mut joined = [start; lanes::WIDTH];
    let (chunks, rest) = row.as_chunks::<{ lanes::WIDTH }>();
    for chunk in chunks {
        for lane in 0..lanes::WIDTH {
            joined[lane] = join(joined[lane], chunk[lane]);
        }
    }
    joined.iter().chain(rest).copied().fold(start, join)
}
