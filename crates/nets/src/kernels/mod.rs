//! The arithmetic of nets that are not NNUE: matrix products in f32 and bf16, 3x3
//! convolutions, normalisations, activations, softmax and sums of embeddings, for
//! the CPU at hand, chosen when first used.
//!
//! It is written by hand because of measurements on one core against PyTorch. Whole
//! nets in burn reached 0.2 to 0.5 of its speed in f32, in candle 0.8. The crate
//! gemm equals MKL on large f32 shapes, but falls behind below 64 rows, the range
//! that matters for a search, and has no fast bf16. Register tiles of 8 rows by 48
//! columns are ahead of all of them from 8 to 64 rows, and nets with Winograd's
//! convolution in f32 beat PyTorch's in bf16 at most batch sizes.
//!
//! On one instruction set, results are bit-identical for any number of threads and
//! whatever else is in the batch: the order of every sum depends on the layer alone.
//! Across instruction sets, results agree up to rounding. The kernels use only the
//! calling thread. A caller that splits a batch among threads splits it between rows,
//! or between blocks of [`BOARDS_PER_BLOCK`] boards, and adds sums over a batch in the
//! order of the blocks.
//!
//! Apart from `nnue::simd`, this is the only module of the crate with `unsafe` code.
//! Lengths are checked here, in [`Kernels`]; the kernels in the modules below rely on
//! that. The module must not know the layers of any net, and of chess only that boards
//! are 8x8.

mod activation;
mod attention;
mod batch_norm;
mod convolution;
mod matrix;
mod product;
mod rows;
#[cfg(test)]
mod tests;
mod tile;
mod vector;
mod weight_gradient;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use activation::{Activation, Finish};
pub use attention::Attention;
pub use batch_norm::BatchNorm;
pub use convolution::{BOARDS_PER_BLOCK, Convolution, ConvolutionRoom, SQUARES};
pub use matrix::{Matrix, Packed, Precision, from_bf16, to_bf16};
pub use rows::Affine;
use std::sync::OnceLock;
pub use weight_gradient::WeightGradient;

/// The arguments are weights, vector, rows and target.
type ListedRows = unsafe fn(&[f32], &[f32], &[u32], &mut [f32]);

/// The kernels of one instruction set.
///
/// They may be called only on a CPU with this instruction set, and with lengths that
/// the methods have checked.
pub struct Kernels {
    name: &'static str,
    product: unsafe fn(Matrix<'_>, &Packed, &mut [f32], bool, &Finish<'_>),
    convolve: unsafe fn(&Convolution, &[f32], &mut [f32], &mut ConvolutionRoom, &Finish<'_>),
    weight_gradient: unsafe fn(&mut WeightGradient, &[f32], &[f32]),
    finish: unsafe fn(&mut [f32], &Finish<'_>),
    softmax: unsafe fn(&mut [f32]),
    layer_norm: unsafe fn(&[f32], usize, Option<Affine<'_>>, f32, &mut [f32]),
    listed_rows: ListedRows,
    add_embeddings: unsafe fn(&[f32], &[u32], &mut [f32]),
    attend: unsafe fn(&Attention<'_>, &mut [f32], &mut [f32]),
}

/// Compiles the kernels for a register and the CPU features that it needs.
macro_rules! instruction_set {
    ($table:ident, $name:literal, $vector:ty $(, $features:literal)?) => {
        static $table: Kernels = {
            use activation::{finish, softmax};
            use attention::attend;
            use convolution::convolve;
            use product::product;
            use rows::{add_embeddings, layer_norm, listed_rows};
            use weight_gradient::add_weight_gradient;
            instruction_set! { @functions $vector, [$($features)?],
                product_here = product(
                    left: Matrix<'_>, right: &Packed, result: &mut [f32], add: bool, how: &Finish<'_>
                );
                convolve_here = convolve(
                    convolution: &Convolution, source: &[f32], target: &mut [f32],
                    room: &mut ConvolutionRoom, how: &Finish<'_>
                );
                weight_gradient_here = add_weight_gradient(
                    gradient: &mut WeightGradient, source: &[f32], slopes: &[f32]
                );
                finish_here = finish(values: &mut [f32], how: &Finish<'_>);
                softmax_here = softmax(values: &mut [f32]);
                layer_norm_here = layer_norm(
                    source: &[f32], width: usize, affine: Option<Affine<'_>>, epsilon: f32,
                    target: &mut [f32]
                );
                listed_rows_here = listed_rows(
                    weights: &[f32], vector: &[f32], rows: &[u32], target: &mut [f32]
                );
                add_embeddings_here = add_embeddings(
                    table: &[f32], rows: &[u32], sum: &mut [f32]
                );
                attend_here = attend(
                    attention: &Attention<'_>, shares: &mut [f32], target: &mut [f32]
                );
            }
            Kernels {
                name: $name,
                product: product_here,
                convolve: convolve_here,
                weight_gradient: weight_gradient_here,
                finish: finish_here,
                softmax: softmax_here,
                layer_norm: layer_norm_here,
                listed_rows: listed_rows_here,
                add_embeddings: add_embeddings_here,
                attend: attend_here,
            }
        };
    };
    (@functions $vector:ty, $features:tt,
        $($here:ident = $kernel:ident($($argument:ident: $type:ty),*);)*) => {$(
        instruction_set! { @function $vector, $features, $here, $kernel, ($($argument: $type),*) }
    )*};
    (@function $vector:ty, [$($features:literal)?], $here:ident, $kernel:ident,
        ($($argument:ident: $type:ty),*)) => {
        $(#[target_feature(enable = $features)])?
        unsafe fn $here($($argument: $type),*) {
            // SAFETY: as [`Kernels`] says.
            unsafe { $kernel::<$vector>($($argument),*) }
        }
    };
}

#[cfg(target_arch = "x86_64")]
instruction_set!(
    AVX_512_BF16,
    "AVX-512 BF16",
    x86::Avx512<true>,
    "avx512f,avx512bf16"
);
#[cfg(target_arch = "x86_64")]
instruction_set!(AVX_512, "AVX-512", x86::Avx512<false>, "avx512f");
#[cfg(target_arch = "x86_64")]
instruction_set!(AVX_2, "AVX2 FMA", x86::Avx2, "avx2,fma");
instruction_set!(PORTABLE, "portable", vector::Portable);

impl Kernels {
    /// The fastest kernels for this CPU.
    pub fn best() -> &'static Kernels {
        static BEST: OnceLock<&Kernels> = OnceLock::new();
        BEST.get_or_init(|| Kernels::available()[0])
    }

    /// All kernels that run on this CPU, the fastest first.
    pub fn available() -> Vec<&'static Kernels> {
        let mut kernels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                if is_x86_feature_detected!("avx512bf16") {
                    kernels.push(&AVX_512_BF16);
                }
                kernels.push(&AVX_512);
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                kernels.push(&AVX_2);
            }
        }
        kernels.push(&PORTABLE);
        kernels
    }

    /// The name of the instruction set.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// `result = left * right`, row by row, then finished.
    ///
    /// # Panics
    /// If the shapes do not fit each other.
    pub fn product(
        &self,
        left: Matrix<'_>,
        right: &Packed,
        result: &mut [f32],
        finish: &Finish<'_>,
    ) {
        check_product(left, right, result);
        check_finish(result.len(), right.columns(), finish);
        // SAFETY: the CPU has the instructions, because these kernels come from
        // `available`; the shapes fit.
        unsafe { (self.product)(left, right, result, false, finish) }
    }

    /// Adds `left * right` to `result`.
    ///
    /// # Panics
    /// If the shapes do not fit each other.
    pub fn add_product(&self, left: Matrix<'_>, right: &Packed, result: &mut [f32]) {
        check_product(left, right, result);
        // SAFETY: as in `product`.
        unsafe { (self.product)(left, right, result, true, &Finish::default()) }
    }

    /// Convolves boards of `[square][channel]`, then finishes them.
    ///
    /// # Panics
    /// If the shapes do not fit each other.
    pub fn convolve(
        &self,
        convolution: &Convolution,
        source: &[f32],
        target: &mut [f32],
        room: &mut ConvolutionRoom,
        finish: &Finish<'_>,
    ) {
        let (inputs, outputs) = (convolution.inputs(), convolution.outputs());
        assert!(inputs > 0 && outputs > 0, "a convolution without channels");
        let boards = source.len() / (SQUARES * inputs);
        assert_eq!(source.len(), boards * SQUARES * inputs, "whole boards");
        assert_eq!(target.len(), boards * SQUARES * outputs, "as many boards");
        check_finish(target.len(), outputs, finish);
        // SAFETY: as in `product`.
        unsafe { (self.convolve)(convolution, source, target, room, finish) }
    }

    /// Adds the gradient of a convolution's weights from the inputs of some boards and the
    /// gradients (slopes) of their outputs.
    ///
    /// # Panics
    /// If the shapes do not fit each other.
    pub fn add_weight_gradient(
        &self,
        gradient: &mut WeightGradient,
        source: &[f32],
        slopes: &[f32],
    ) {
        let (inputs, outputs) = (gradient.inputs(), gradient.outputs());
        assert!(inputs > 0 && outputs > 0, "a convolution without channels");
        let boards = source.len() / (SQUARES * inputs);
        assert_eq!(source.len(), boards * SQUARES * inputs, "whole boards");
        assert_eq!(slopes.len(), boards * SQUARES * outputs, "as many boards");
        // SAFETY: as in `product`.
        unsafe { (self.weight_gradient)(gradient, source, slopes) }
    }

    /// Adds bias and residual to rows as long as the bias, and applies the activation.
    ///
    /// # Panics
    /// If the lengths do not fit each other.
    pub fn finish(&self, values: &mut [f32], finish: &Finish<'_>) {
        let width = finish.bias.map_or(values.len(), <[f32]>::len);
        check_finish(values.len(), width, finish);
        // SAFETY: as in `product`.
        unsafe { (self.finish)(values, finish) }
    }

    /// Turns logits into probabilities.
    pub fn softmax(&self, values: &mut [f32]) {
        // SAFETY: as in `product`.
        unsafe { (self.softmax)(values) }
    }

    /// Normalises each row of `width` values to mean 0 and variance 1, then applies gain
    /// and offset, if any.
    ///
    /// # Panics
    /// If the lengths do not fit each other.
    pub fn layer_norm(
        &self,
        source: &[f32],
        width: usize,
        affine: Option<Affine<'_>>,
        epsilon: f32,
        target: &mut [f32],
    ) {
        assert!(
            width > 0 && source.len().is_multiple_of(width),
            "whole rows"
        );
        assert_eq!(source.len(), target.len(), "as many rows");
        if let Some(Affine { gain, offset }) = affine {
            assert!(
                gain.len() == width && offset.len() == width,
                "gain and offset"
            );
        }
        // SAFETY: as in `product`.
        unsafe { (self.layer_norm)(source, width, affine, epsilon, target) }
    }

    /// The dot products of the listed rows of `weights` with a vector: a head that is
    /// computed only for legal moves.
    ///
    /// # Panics
    /// If a row does not exist, or the target has another length than the list.
    pub fn listed_rows(&self, weights: &[f32], vector: &[f32], rows: &[u32], target: &mut [f32]) {
        check_rows(weights, vector.len(), rows);
        assert_eq!(rows.len(), target.len(), "a value for each listed row");
        // SAFETY: as in `product`.
        unsafe { (self.listed_rows)(weights, vector, rows, target) }
    }

    /// Adds the listed rows of a table to `sum`.
    ///
    /// # Panics
    /// If a row does not exist.
    pub fn add_embeddings(&self, table: &[f32], rows: &[u32], sum: &mut [f32]) {
        check_rows(table, sum.len(), rows);
        // SAFETY: as in `product`.
        unsafe { (self.add_embeddings)(table, rows, sum) }
    }
}

impl Kernels {
    /// The result of one event's attention; `shares` is a buffer for the attention weights.
    ///
    /// # Panics
    /// If the lengths do not fit each other.
    pub fn attend(&self, attention: &Attention<'_>, shares: &mut Vec<f32>, target: &mut [f32]) {
        let Attention {
            numbers,
            places,
            query,
            heads,
            distances,
        } = *attention;
        assert!(heads > 0 && query.len().is_multiple_of(heads), "the heads");
        let is_whole = !distances.is_empty() && distances.len().is_multiple_of(heads);
        assert!(is_whole, "distances of each head");
        let room = numbers.len().checked_sub(2 * query.len());
        for &place in places {
            assert!(room.is_some_and(|last| place <= last), "the place {place}");
        }
        assert_eq!(target.len(), query.len(), "a target like the query");
        shares.resize(places.len(), 0.0);
        // SAFETY: as in `product`; the lengths were checked.
        unsafe { (self.attend)(attention, shares, target) }
    }
}

fn check_product(left: Matrix<'_>, right: &Packed, result: &[f32]) {
    assert_eq!(left.columns(), right.rows(), "the summed axis");
    let length = left.rows().checked_mul(right.columns());
    assert_eq!(Some(result.len()), length, "the result");
}

fn check_finish(length: usize, width: usize, finish: &Finish<'_>) {
    if let Some(bias) = finish.bias {
        assert_eq!(bias.len(), width, "a bias for each column");
        assert!(length.is_multiple_of(width), "whole rows");
    }
    if let Some(residual) = finish.residual {
        assert_eq!(residual.len(), length, "a residual like the result");
    }
}

fn check_rows(table: &[f32], width: usize, rows: &[u32]) {
    let count = table.len().checked_div(width).unwrap_or(usize::MAX);
    for &row in rows {
        assert!((row as usize) < count, "row {row} of a table of {count}");
    }
}
