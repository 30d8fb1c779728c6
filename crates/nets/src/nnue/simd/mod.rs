//! The arithmetic of nets for the CPU at hand: AVX-512 with VNNI, AVX2, or plain
//! Rust, chosen once when a net is first used. All compute exactly the same bits.
//!
//! This is the only module of `nnue` with `unsafe` code. Lengths are checked here,
//! in [`Kernels`]; the kernels in the modules below rely on that.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
#[cfg(test)]
mod tests;

use super::shape::{Activation, OutputBits, SfnnShape, SimpleShape};
use std::sync::OnceLock;

/// The rows of weights to subtract from a sum and to add to it.
#[derive(Clone, Copy)]
pub(crate) struct Changes<'a> {
    pub(crate) removed: &'a [u32],
    pub(crate) added: &'a [u32],
}

/// 64 weights of a stack's first layer: those of four neighbouring inputs for each of
/// the 16 outputs.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i8; 64]);

/// The layers of one stack in the order in which the kernels read them.
#[repr(C, align(64))]
pub(super) struct PackedStack {
    pub(super) first_biases: [i32; SfnnShape::FIRST],
    pub(super) second_biases: [i32; SfnnShape::SECOND],
    /// In each row, the weights of four neighbouring inputs for each of the 32 outputs.
    pub(super) second: [[i8; 4 * SfnnShape::SECOND]; SfnnShape::SECOND / 4],
    pub(super) third: [i8; SfnnShape::SECOND],
    pub(super) third_bias: i32,
    /// One block for each four neighbouring inputs.
    pub(super) first: Vec<Block>,
}

/// The outputs of a stack.
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
    /// The weights of the side to move's activations, then of the other side's;
    /// each fits `bits`.
    pub(super) weights: &'a [i16],
    pub(super) one: i16,
    pub(super) activation: Activation,
    pub(super) bits: OutputBits,
    /// After how many additions of two products a 32-bit sum is moved into a 64-bit
    /// one.
    pub(super) shares: usize,
}

impl OutputLayer<'_> {
    /// How many additions of two products a 32-bit sum holds, whatever the activations
    /// are: at least one, because 2 x 181 x 181 x 32,768 is less than 2 to the 31.
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

/// The integer that stands for 1 before two values are multiplied to a byte.
pub(crate) const PRODUCT_ONE: i16 = 255;
/// How far such products are shifted: the largest is then 127, the largest byte
/// for which the sum of two products with 8-bit weights cannot overflow 16 bits.
pub(crate) const PRODUCT_SHIFT: u32 = 9;

/// The most values of a side's accumulator in Stockfish's shape.
const MOST_WIDTH: usize = SfnnShape::WIDTHS[SfnnShape::WIDTHS.len() - 1];

/// The arguments are inputs, weights, the rows to multiply, and the resulting sums.
type ListedRows = unsafe fn(&[u8], &[i8], &[u16], &mut [i32]);

/// The kernels of one instruction set.
///
/// They may be called only on a CPU with this instruction set, and with lengths that
/// the methods of [`Kernels`] have checked.
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
    /// The fastest kernels for this CPU.
    pub(crate) fn best() -> &'static Kernels {
        static BEST: OnceLock<&Kernels> = OnceLock::new();
        BEST.get_or_init(|| Kernels::available()[0])
    }

    /// All kernels that run on this CPU, the fastest first.
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

    /// The name of the instruction set.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// `target` becomes `source` minus the removed rows plus the added rows.
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
        // SAFETY: the CPU has the instructions, because these kernels come from
        // `available`; all rows lie within the weights.
        unsafe { (self.update)(weights, source, target, changes) }
    }

    /// Applies the changes to `kept` and copies it to `target`.
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

    /// The layers behind the accumulators of the side to move and of the other side.
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

    /// The pairwise products of the two clipped halves of `sums`, as bytes.
    #[inline]
    pub(crate) fn products(&self, sums: &[i16], products: &mut [u8]) {
        assert!(products.len().is_multiple_of(64) && sums.len() == 2 * products.len());
        // SAFETY: the CPU has the instructions, and the lengths fit each other.
        unsafe { (self.products)(sums, products) }
    }

    /// The dot products of the listed rows of weights with `bytes`, none of which is above 127.
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
    /// How many inputs of the next layer a side's accumulator of this width gives.
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
