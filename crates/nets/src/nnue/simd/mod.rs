//! The arithmetic of nets for the CPU at hand: AVX-512 with VNNI, AVX2, or plain
//! Rust, chosen once when a net is first used. All give the same bits.
//!
//! This is the only module of nets with `unsafe` code. Lengths are checked here,
//! in [`Kernels`]; the kernels below rely on them.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
#[cfg(test)]
mod tests;

use super::shape::{Activation, OutputBits, SfnnShape, SimpleShape};
use std::sync::OnceLock;

/// Rows of weights that leave and enter a sum.
#[derive(Clone, Copy)]
pub(crate) struct Changes<'a> {
    pub(crate) removed: &'a [u32],
    pub(crate) added: &'a [u32],
}

/// Sixty-four weights of a stack's first layer: of each of the 16 outputs the four
/// that belong to four neighbouring inputs.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i8; 64]);

/// The layers of one stack in the order in which the kernels read them.
#[repr(C, align(64))]
pub(super) struct PackedStack {
    pub(super) first_biases: [i32; SfnnShape::FIRST],
    pub(super) second_biases: [i32; SfnnShape::SECOND],
    /// Of each of the 32 outputs the weights of four neighbouring inputs.
    pub(super) second: [[i8; 4 * SfnnShape::SECOND]; SfnnShape::SECOND / 4],
    pub(super) third: [i8; SfnnShape::SECOND],
    pub(super) third_bias: i32,
    /// One for each four neighbouring inputs.
    pub(super) first: Vec<Block>,
}

/// What leaves a stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StackOutput {
    /// The sum of the last layer.
    pub(super) last: i32,
    /// The output of the first layer that skips the others.
    pub(super) skip: i32,
}

/// The output layer of a simple net.
#[derive(Clone, Copy)]
pub(super) struct OutputLayer<'a> {
    /// The weights of the side to move's activations, then of the other's; every
    /// one fits its bits.
    pub(super) weights: &'a [i16],
    pub(super) one: i16,
    pub(super) activation: Activation,
    pub(super) bits: OutputBits,
    /// After so many shares, each of two products, a sum of 32 bits is emptied into
    /// one of 64.
    pub(super) shares: usize,
}

impl OutputLayer<'_> {
    /// How many shares of two products a sum of 32 bits holds, whatever the
    /// activations are: at least one, for 2 x 181 x 181 x 32,768 is less than 2 to the 31.
    pub(super) fn shares(shape: &SimpleShape, weights: &[i16]) -> usize {
        let one = i64::from(shape.scales.one);
        let activated = match shape.activation {
            Activation::Crelu => one,
            Activation::Screlu | Activation::Pairwise => one * one,
        };
        let largest = weights.iter().map(|&weight| i64::from(weight).abs()).max();
        let share = 2 * activated * largest.unwrap_or(0).max(1);
        (i64::from(i32::MAX) / share).max(1) as usize
    }
}

/// What a value of 1 is before two of them are multiplied to a byte.
pub(crate) const PRODUCT_ONE: i16 = 255;
/// How far such products are shifted: the largest is then 127, the largest byte
/// that no sum of two products with weights lets overflow 16 bits.
pub(crate) const PRODUCT_SHIFT: u32 = 9;

/// The most values a side's accumulator of Stockfish's shape has.
const MOST_WIDTH: usize = SfnnShape::WIDTHS[SfnnShape::WIDTHS.len() - 1];

/// Bytes, weights, the rows of them that are wanted, and their sums.
type ListedRows = unsafe fn(&[u8], &[i8], &[u16], &mut [i32]);

/// The kernels of one instruction set.
///
/// All of them may be called only on a CPU that has it, with lengths that
/// [`Kernels`] has checked.
pub struct Kernels {
    name: &'static str,
    update: unsafe fn(&[i16], &[i16], &mut [i16], Changes<'_>),
    refresh: unsafe fn(&[i16], &mut [i16], &mut [i16], Changes<'_>),
    stack: unsafe fn(&[i16], &[i16], &PackedStack) -> StackOutput,
    output: unsafe fn(&[i16], &[i16], OutputLayer<'_>) -> i64,
    products: unsafe fn(&[i16], &mut [u8]),
    rows: ListedRows,
}

impl Kernels {
    /// The fastest that this CPU has.
    pub(crate) fn best() -> &'static Kernels {
        static BEST: OnceLock<&Kernels> = OnceLock::new();
        BEST.get_or_init(|| Kernels::available()[0])
    }

    /// All that this CPU has, the fastest first.
    pub(crate) fn available() -> Vec<&'static Kernels> {
        let mut kernels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vnni")
            {
                kernels.push(&avx512::KERNELS);
            }
            if is_x86_feature_detected!("avx2") {
                kernels.push(&avx2::KERNELS);
            }
        }
        kernels.push(&portable::KERNELS);
        kernels
    }

    /// The instruction set, for messages.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// `target` becomes `source` less the removed rows and plus the added ones.
    #[inline]
    pub(crate) fn update(
        &self,
        weights: &[i16],
        source: &[i16],
        target: &mut [i16],
        changes: Changes<'_>,
    ) {
        check_rows(weights, target.len(), changes);
        assert_eq!(source.len(), target.len());
        // SAFETY: the CPU has the instructions, for these kernels were found by
        // `available`; all rows lie within the weights.
        unsafe { (self.update)(weights, source, target, changes) }
    }

    /// Changes `kept` by these rows, and copies it to `target`.
    #[inline]
    pub(super) fn refresh(
        &self,
        weights: &[i16],
        kept: &mut [i16],
        target: &mut [i16],
        changes: Changes<'_>,
    ) {
        check_rows(weights, target.len(), changes);
        assert_eq!(kept.len(), target.len());
        // SAFETY: as in `update`.
        unsafe { (self.refresh)(weights, kept, target, changes) }
    }

    /// The layers behind the accumulators of the side to move and the other.
    #[inline]
    pub(super) fn stack(&self, own: &[i16], other: &[i16], stack: &PackedStack) -> StackOutput {
        let width = own.len();
        assert!(width == other.len() && width.is_multiple_of(128) && width <= MOST_WIDTH);
        assert_eq!(stack.first.len(), width / 4);
        // SAFETY: the CPU has the instructions; the accumulators are equally long,
        // and the stack was packed for their length.
        unsafe { (self.stack)(own, other, stack) }
    }

    /// The sum of a simple net's output layer, without its bias.
    #[inline]
    pub(super) fn output(&self, own: &[i16], other: &[i16], layer: OutputLayer<'_>) -> i64 {
        let width = own.len();
        assert!(width == other.len() && width.is_multiple_of(32));
        assert_eq!(layer.weights.len(), layer.activation.outputs(width) * 2);
        // SAFETY: the CPU has the instructions, and the lengths fit each other.
        unsafe { (self.output)(own, other, layer) }
    }

    /// The products of the clipped halves of some sums, as bytes.
    #[inline]
    pub(crate) fn products(&self, sums: &[i16], products: &mut [u8]) {
        assert!(products.len().is_multiple_of(64) && sums.len() == 2 * products.len());
        // SAFETY: the CPU has the instructions, and the lengths fit each other.
        unsafe { (self.products)(sums, products) }
    }

    /// The sums of listed rows of weights times some bytes, none above 127.
    #[inline]
    pub(crate) fn rows(&self, bytes: &[u8], weights: &[i8], rows: &[u16], sums: &mut [i32]) {
        let width = bytes.len();
        assert!(width.is_multiple_of(64) && rows.len() == sums.len());
        for &row in rows {
            assert!((usize::from(row) + 1) * width <= weights.len());
        }
        // SAFETY: the CPU has the instructions; every row lies within the weights.
        unsafe { (self.rows)(bytes, weights, rows, sums) }
    }
}

impl Activation {
    /// How many values a side's accumulator of this width gives to the next layer.
    pub(super) fn outputs(self, width: usize) -> usize {
        match self {
            Self::Crelu | Self::Screlu => width,
            Self::Pairwise => width / 2,
        }
    }
}

#[inline(always)]
fn check_rows(weights: &[i16], width: usize, changes: Changes<'_>) {
    assert!(width.is_multiple_of(32));
    for &row in changes.removed.iter().chain(changes.added) {
        assert!((row as usize + 1) * width <= weights.len());
    }
}
