//! The kernels for CPUs with AVX2: 16 accumulated values in a register.
//!
//! `maddubs` adds pairs of products of unsigned and signed bytes with saturation to
//! 16 bits; inputs are at most 127, so that no pair saturates.

use super::{
    Changes, Kernels, MOST_WIDTH, OutputLayer, PRODUCT_ONE, PRODUCT_SHIFT, PackedStack, StackOutput,
};
use crate::nnue::shape::{Activation, OutputBits, SfnnShape};
use std::arch::x86_64::*;

pub(super) static KERNELS: Kernels = Kernels {
    name: "AVX2",
    update,
    refresh,
    stack,
    output,
    products,
    rows,
};

/// How many values of 16 bits a register has.
const LANES: usize = 16;
/// How many registers hold sums while rows are added.
const TILE: usize = 8;

/// # Safety
/// As [`Kernels`] says.
#[target_feature(enable = "avx2")]
unsafe fn update(weights: &[i16], source: &[i16], target: &mut [i16], changes: Changes<'_>) {
    let target = target.as_mut_ptr();
    // SAFETY: lengths and rows were checked by the caller.
    unsafe { tiles(weights, source.len(), source.as_ptr(), [target], changes) }
}

/// # Safety
/// As [`Kernels`] says.
#[target_feature(enable = "avx2")]
unsafe fn refresh(weights: &[i16], kept: &mut [i16], target: &mut [i16], changes: Changes<'_>) {
    let (width, kept) = (kept.len(), kept.as_mut_ptr());
    // SAFETY: lengths and rows were checked by the caller; reading through the
    // pointer that is written through is allowed.
    unsafe { tiles(weights, width, kept, [kept, target.as_mut_ptr()], changes) }
}

/// Adds and subtracts rows, a tile of sums in registers at a time.
///
/// # Safety
/// Rows lie within the weights, source and targets are `width` long.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn tiles<const TARGETS: usize>(
    weights: &[i16],
    width: usize,
    source: *const i16,
    targets: [*mut i16; TARGETS],
    changes: Changes<'_>,
) {
    let mut at = 0;
    // SAFETY: `at` and the tile behind it lie within every row.
    unsafe {
        while at + TILE * LANES <= width {
            tile::<TILE, TARGETS>(weights, width, at, source, targets, changes);
            at += TILE * LANES;
        }
        while at < width {
            tile::<1, TARGETS>(weights, width, at, source, targets, changes);
            at += LANES;
        }
    }
}

/// # Safety
/// As for `tiles`, and the tile from `at` on lies within every row.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn tile<const SIZE: usize, const TARGETS: usize>(
    weights: &[i16],
    width: usize,
    at: usize,
    source: *const i16,
    targets: [*mut i16; TARGETS],
    changes: Changes<'_>,
) {
    // SAFETY: the tile lies within every row.
    unsafe {
        let load = |from: *const i16, index: usize| {
            _mm256_loadu_si256(from.add(at + index * LANES).cast())
        };
        let row = |row: u32| weights.as_ptr().add(row as usize * width);
        let mut sums: [__m256i; SIZE] = std::array::from_fn(|index| load(source, index));
        for &removed in changes.removed {
            let row = row(removed);
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = _mm256_sub_epi16(*sum, load(row, index));
            }
        }
        for &added in changes.added {
            let row = row(added);
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = _mm256_add_epi16(*sum, load(row, index));
            }
        }
        for target in targets {
            for (index, &sum) in sums.iter().enumerate() {
                _mm256_storeu_si256(target.add(at + index * LANES).cast(), sum);
            }
        }
    }
}

/// # Safety
/// As [`Kernels`] says.
#[target_feature(enable = "avx2")]
unsafe fn stack(own: &[i16], other: &[i16], stack: &PackedStack) -> StackOutput {
    let mut products = [0u8; MOST_WIDTH];
    let half = own.len() / 2;
    let mut groups = [0u16; MOST_WIDTH / 4];
    let mut count = 0;
    for (values, at) in [(own, 0), (other, half)] {
        for index in (0..half).step_by(2 * LANES) {
            // SAFETY: the values and their partners lie within the accumulator,
            // whose half is a multiple of two registers, and so do the products.
            let packed = unsafe {
                let packed = multiply(values, index);
                _mm256_storeu_si256(products.as_mut_ptr().add(at + index).cast(), packed);
                packed
            };
            // A group is never negative: its bytes are below 128.
            let active = _mm256_cmpgt_epi32(packed, _mm256_setzero_si256());
            let mut active = _mm256_movemask_ps(_mm256_castsi256_ps(active)) as u32;
            while active != 0 {
                groups[count] = ((at + index) / 4) as u16 + active.trailing_zeros() as u16;
                count += 1;
                active &= active - 1;
            }
        }
    }
    let first = first_layer(&products, &groups[..count], stack);
    let skip = _mm256_extract_epi32::<7>(first[1]);
    StackOutput {
        last: last_layers(first, stack),
        skip,
    }
}

/// The products of 32 pairs of clipped values.
///
/// # Safety
/// The values from `index` on and their partners lie within the accumulator.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn multiply(values: &[i16], index: usize) -> __m256i {
    let half = values.len() / 2;
    let clipped = |from: usize| {
        // SAFETY: the values lie within the accumulator.
        let values = unsafe { _mm256_loadu_si256(values.as_ptr().add(from).cast()) };
        _mm256_min_epi16(
            _mm256_max_epi16(values, _mm256_setzero_si256()),
            _mm256_set1_epi16(SfnnShape::ONE as i16),
        )
    };
    let product = |from: usize| {
        _mm256_srli_epi16::<7>(_mm256_mullo_epi16(clipped(from), clipped(half + from)))
    };
    // Packing works within 128-bit lanes.
    let packed = _mm256_packus_epi16(product(index), product(index + LANES));
    _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
}

/// Adds the products of four bytes with four weights for each of eight outputs.
#[target_feature(enable = "avx2")]
#[inline]
fn add_products(sums: __m256i, inputs: __m256i, weights: __m256i) -> __m256i {
    let pairs = _mm256_maddubs_epi16(inputs, weights);
    _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
}

#[target_feature(enable = "avx2")]
#[inline]
fn load_weights(weights: &[i8], at: usize) -> __m256i {
    let weights = &weights[at..at + 32];
    // SAFETY: there are 32 weights.
    unsafe { _mm256_loadu_si256(weights.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn load_biases(biases: &[i32], at: usize) -> __m256i {
    let biases = &biases[at..at + 8];
    // SAFETY: there are 8 biases.
    unsafe { _mm256_loadu_si256(biases.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn first_layer(products: &[u8], groups: &[u16], stack: &PackedStack) -> [__m256i; 2] {
    let (inputs, _) = products.as_chunks::<4>();
    let mut low = load_biases(&stack.first_biases, 0);
    let mut high = load_biases(&stack.first_biases, 8);
    for &group in groups {
        let group = usize::from(group);
        let inputs = _mm256_set1_epi32(i32::from_le_bytes(inputs[group]));
        let weights = &stack.first[group].0;
        low = add_products(low, inputs, load_weights(weights, 0));
        high = add_products(high, inputs, load_weights(weights, 32));
    }
    [low, high]
}

/// The second and third layer.
#[target_feature(enable = "avx2")]
#[inline]
fn last_layers(first: [__m256i; 2], stack: &PackedStack) -> i32 {
    // Saturation to 16 bits is harmless: such sums are clipped anyway.
    let sums = _mm256_packs_epi32(first[0], first[1]);
    let sums = _mm256_permute4x64_epi64::<0b11_01_10_00>(sums);
    let squares = _mm256_srli_epi16::<3>(_mm256_mulhi_epi16(sums, sums));
    let shifted = _mm256_srai_epi16::<{ SfnnShape::WEIGHT_SHIFT as i32 }>(sums);
    // Squares in the low half and the values in the high half, as bytes up to 127.
    let packed = _mm256_packs_epi16(squares, _mm256_max_epi16(shifted, _mm256_setzero_si256()));
    let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
    let squares = _mm256_castsi256_si128(packed);
    let clipped = _mm256_extracti128_si256::<1>(packed);
    // The skipping output is no input of the second layer, squared or not.
    let kept = _mm_srli_si128::<1>(_mm_set1_epi8(-1));
    let low = _mm_or_si128(_mm_and_si128(squares, kept), _mm_slli_si128::<15>(clipped));
    let high = _mm_srli_si128::<1>(_mm_and_si128(clipped, kept));
    let inputs = _mm256_set_m128i(high, low);

    let mut sums: [__m256i; 4] =
        std::array::from_fn(|index| load_biases(&stack.second_biases, 8 * index));
    for (index, weights) in stack.second.iter().enumerate() {
        let group = _mm256_permutevar8x32_epi32(inputs, _mm256_set1_epi32(index as i32));
        for (quarter, sum) in sums.iter_mut().enumerate() {
            *sum = add_products(*sum, group, load_weights(weights, 32 * quarter));
        }
    }
    let sums = sums.map(|sum| _mm256_srai_epi32::<{ SfnnShape::WEIGHT_SHIFT as i32 }>(sum));
    let pairs = [
        _mm256_packs_epi32(sums[0], sums[1]),
        _mm256_packs_epi32(sums[2], sums[3]),
    ];
    let packed = _mm256_packs_epi16(pairs[0], pairs[1]);
    let clipped = _mm256_max_epi8(packed, _mm256_setzero_si256());
    // Two packings within 128-bit lanes leave groups of four in this order.
    let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    let inputs = _mm256_permutevar8x32_epi32(clipped, order);
    let weights = load_weights(&stack.third, 0);
    let sums = add_products(_mm256_setzero_si256(), inputs, weights);
    stack.third_bias.wrapping_add(sum_of_lanes(sums))
}

#[target_feature(enable = "avx2")]
#[inline]
fn sum_of_lanes(lanes: __m256i) -> i32 {
    let sums = _mm_add_epi32(
        _mm256_castsi256_si128(lanes),
        _mm256_extracti128_si256::<1>(lanes),
    );
    let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b01_00_11_10>(sums));
    let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b10_11_00_01>(sums));
    _mm_cvtsi128_si32(sums)
}

/// # Safety
/// As [`Kernels`] says.
#[target_feature(enable = "avx2")]
unsafe fn output(own: &[i16], other: &[i16], layer: OutputLayer<'_>) -> i64 {
    let zero = _mm256_setzero_si256();
    let one = _mm256_set1_epi16(layer.one);
    let count = layer.activation.outputs(own.len());
    let (own_weights, other_weights) = layer.weights.split_at(count);
    let mut total = 0;
    for (values, weights) in [(own, own_weights), (other, other_weights)] {
        // SAFETY: there are as many weights as outputs, a multiple of a register.
        let load =
            |from: &[i16], at: usize| unsafe { _mm256_loadu_si256(from.as_ptr().add(at).cast()) };
        let clipped = |at: usize| _mm256_min_epi16(_mm256_max_epi16(load(values, at), zero), one);
        let step = layer.shares * LANES;
        for start in (0..count).step_by(step) {
            let mut sums = zero;
            for at in (start..count.min(start + step)).step_by(LANES) {
                let (value, weight) = (clipped(at), load(weights, at));
                let share = match (layer.activation, layer.bits) {
                    (Activation::Crelu, _) => _mm256_madd_epi16(value, weight),
                    (Activation::Screlu, OutputBits::Eight) => {
                        _mm256_madd_epi16(_mm256_mullo_epi16(value, weight), value)
                    }
                    (Activation::Screlu, OutputBits::Sixteen) => {
                        _mm256_madd_epi16(_mm256_mullo_epi16(value, value), weight)
                    }
                    (Activation::Pairwise, OutputBits::Eight) => {
                        _mm256_madd_epi16(_mm256_mullo_epi16(value, weight), clipped(count + at))
                    }
                    (Activation::Pairwise, OutputBits::Sixteen) => {
                        _mm256_madd_epi16(_mm256_mullo_epi16(value, clipped(count + at)), weight)
                    }
                };
                sums = _mm256_add_epi32(sums, share);
            }
            let mut lanes = [0i32; 8];
            // SAFETY: there is room for 8 values.
            unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), sums) };
            total += lanes.iter().map(|&lane| i64::from(lane)).sum::<i64>();
        }
    }
    total
}

/// # Safety
/// As [`Kernels`] says.
#[target_feature(enable = "avx2")]
unsafe fn products(sums: &[i16], products: &mut [u8]) {
    let half = products.len();
    let one = _mm256_set1_epi16(PRODUCT_ONE);
    let clipped = |at: usize| {
        // SAFETY: there are whole registers of sums.
        let values = unsafe { _mm256_loadu_si256(sums.as_ptr().add(at).cast()) };
        _mm256_min_epi16(_mm256_max_epi16(values, _mm256_setzero_si256()), one)
    };
    let product = |at: usize| {
        let product = _mm256_mullo_epi16(clipped(at), clipped(half + at));
        _mm256_srli_epi16::<{ PRODUCT_SHIFT as i32 }>(product)
    };
    for at in (0..half).step_by(2 * LANES) {
        // Packing works within 128-bit lanes.
        let packed = _mm256_packus_epi16(product(at), product(at + LANES));
        let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
        // SAFETY: the products are a multiple of two registers of sums.
        unsafe { _mm256_storeu_si256(products.as_mut_ptr().add(at).cast(), packed) };
    }
}

/// # Safety
/// As [`Kernels`] says.
#[target_feature(enable = "avx2")]
unsafe fn rows(bytes: &[u8], weights: &[i8], rows: &[u16], sums: &mut [i32]) {
    for (sum, &row) in sums.iter_mut().zip(rows) {
        let row = &weights[usize::from(row) * bytes.len()..];
        let mut lanes = _mm256_setzero_si256();
        for at in (0..bytes.len()).step_by(32) {
            // SAFETY: there are whole registers of bytes.
            let bytes = unsafe { _mm256_loadu_si256(bytes.as_ptr().add(at).cast()) };
            lanes = add_products(lanes, bytes, load_weights(row, at));
        }
        *sum = sum_of_lanes(lanes);
    }
}
