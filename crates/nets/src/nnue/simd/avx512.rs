//! The kernels for CPUs with AVX-512 and VNNI: 32 accumulated values in a register,
//! and four inputs for all 16 outputs in one instruction.

use super::{
    Changes, Kernels, MOST_WIDTH, OutputLayer, PRODUCT_ONE, PRODUCT_SHIFT, PackedStack, StackOutput,
};
use crate::nnue::shape::{Activation, OutputBits, SfnnShape};
use std::arch::x86_64::*;

pub(super) static KERNELS: Kernels = Kernels {
    name: "AVX-512 VNNI",
    update,
    refresh,
    stack,
    output,
    products,
    rows,
};

/// How many values of 16 bits a register has.
const LANES: usize = 32;
/// How many registers hold sums while rows are added.
const TILE: usize = 8;

/// # Safety
/// As [`Kernels`] says.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
unsafe fn update(weights: &[i16], source: &[i16], target: &mut [i16], changes: Changes<'_>) {
    // SAFETY: lengths and rows were checked by the caller.
    unsafe {
        match (changes.removed, changes.added) {
            (&[a], &[b]) => fused::<1, 1>(weights, source, target, [a], [b]),
            (&[a, b], &[c]) => fused::<2, 1>(weights, source, target, [a, b], [c]),
            (&[a, b], &[c, d]) => fused::<2, 2>(weights, source, target, [a, b], [c, d]),
            _ => {
                let target = target.as_mut_ptr();
                tiles(weights, source.len(), source.as_ptr(), [target], changes);
            }
        }
    }
}

/// # Safety
/// As [`Kernels`] says.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
unsafe fn refresh(weights: &[i16], kept: &mut [i16], target: &mut [i16], changes: Changes<'_>) {
    let (width, kept) = (kept.len(), kept.as_mut_ptr());
    // SAFETY: lengths and rows were checked by the caller; reading through the
    // pointer that is written through is allowed.
    unsafe { tiles(weights, width, kept, [kept, target.as_mut_ptr()], changes) }
}

/// Adds and subtracts a constant number of rows: each value is loaded and stored once.
///
/// # Safety
/// Rows lie within the weights, source and target are equally long.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
unsafe fn fused<const REMOVED: usize, const ADDED: usize>(
    weights: &[i16],
    source: &[i16],
    target: &mut [i16],
    removed: [u32; REMOVED],
    added: [u32; ADDED],
) {
    let width = source.len();
    let (source, target) = (source.as_ptr(), target.as_mut_ptr());
    let start = |row: u32| weights.as_ptr().wrapping_add(row as usize * width);
    let removed = removed.map(start);
    let added = added.map(start);
    for at in (0..width).step_by(LANES) {
        // SAFETY: `at` and the values behind it lie within every row.
        unsafe {
            let mut sum = _mm512_loadu_si512(source.add(at).cast());
            for row in removed {
                sum = _mm512_sub_epi16(sum, _mm512_loadu_si512(row.add(at).cast()));
            }
            for row in added {
                sum = _mm512_add_epi16(sum, _mm512_loadu_si512(row.add(at).cast()));
            }
            _mm512_storeu_si512(target.add(at).cast(), sum);
        }
    }
}

/// Adds and subtracts any number of rows, a tile of sums in registers at a time.
///
/// # Safety
/// Rows lie within the weights, source and targets are `width` long.
#[target_feature(enable = "avx512f,avx512bw")]
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
#[target_feature(enable = "avx512f,avx512bw")]
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
            _mm512_loadu_si512(from.add(at + index * LANES).cast())
        };
        let row = |row: u32| weights.as_ptr().add(row as usize * width);
        let mut sums: [__m512i; SIZE] = std::array::from_fn(|index| load(source, index));
        for &removed in changes.removed {
            let row = row(removed);
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = _mm512_sub_epi16(*sum, load(row, index));
            }
        }
        for &added in changes.added {
            let row = row(added);
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = _mm512_add_epi16(*sum, load(row, index));
            }
        }
        for target in targets {
            for (index, &sum) in sums.iter().enumerate() {
                _mm512_storeu_si512(target.add(at + index * LANES).cast(), sum);
            }
        }
    }
}

/// Room for all products, in whole registers.
type Products = [__m512i; MOST_WIDTH / 64];

/// # Safety
/// As [`Kernels`] says.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
unsafe fn stack(own: &[i16], other: &[i16], stack: &PackedStack) -> StackOutput {
    let mut products = std::mem::MaybeUninit::<Products>::uninit();
    let products = products.as_mut_ptr().cast::<u8>();
    // The numbers of the groups of four products that are not all 0, with room to
    // store a whole register at the end.
    let mut groups = [std::mem::MaybeUninit::<u32>::uninit(); MOST_WIDTH / 4 + 16];
    let groups = groups.as_mut_ptr().cast::<u32>();
    // SAFETY: there is room for all products and groups; `first` has a block for
    // each group of products.
    let sums = unsafe {
        let half = own.len() / 2;
        let count = multiply(own, products, groups, 0, 0);
        let count = multiply(other, products, groups, half, count);
        let groups = std::slice::from_raw_parts(groups, count);
        first_layer(products, groups, stack)
    };
    let skip = _mm512_extracti32x4_epi32::<3>(sums);
    let skip = _mm_extract_epi32::<3>(skip);
    StackOutput {
        last: last_layers(sums, stack),
        skip,
    }
}

/// Writes the products of the clipped halves to `products + at`, and appends the
/// numbers of the groups that are not 0; returns how many groups there are now.
///
/// # Safety
/// There is room for the products and groups, and one register of groups more.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
#[inline]
unsafe fn multiply(
    values: &[i16],
    products: *mut u8,
    groups: *mut u32,
    at: usize,
    mut count: usize,
) -> usize {
    let half = values.len() / 2;
    let zero = _mm512_setzero_si512();
    let one = _mm512_set1_epi16(SfnnShape::ONE as i16);
    // Packing works within 128-bit lanes.
    let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    let mut numbers = _mm512_add_epi32(
        _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
        _mm512_set1_epi32((at / 4) as i32),
    );
    for index in (0..half).step_by(2 * LANES) {
        // SAFETY: the values and their partners lie within the accumulator, whose
        // half is a multiple of two registers.
        unsafe {
            let clipped = |from: usize| {
                let values = _mm512_loadu_si512(values.as_ptr().add(from).cast());
                _mm512_min_epi16(_mm512_max_epi16(values, zero), one)
            };
            let product = |from: usize| {
                let product = _mm512_mullo_epi16(clipped(from), clipped(half + from));
                _mm512_srli_epi16::<7>(product)
            };
            let packed = _mm512_packus_epi16(product(index), product(index + LANES));
            let packed = _mm512_permutexvar_epi64(order, packed);
            _mm512_storeu_si512(products.add(at + index).cast(), packed);
            let active = _mm512_test_epi32_mask(packed, packed);
            let chosen = _mm512_maskz_compress_epi32(active, numbers);
            _mm512_storeu_si512(groups.add(count).cast(), chosen);
            count += active.count_ones() as usize;
        }
        numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(16));
    }
    count
}

/// # Safety
/// Every group is one of the products and has a block of weights.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
unsafe fn first_layer(products: *const u8, groups: &[u32], stack: &PackedStack) -> __m512i {
    let blocks = stack.first.as_ptr();
    let add = |sum: __m512i, group: u32| {
        // SAFETY: the group exists.
        unsafe {
            let inputs = products.cast::<i32>().add(group as usize).read_unaligned();
            let weights = _mm512_load_si512(blocks.add(group as usize).cast());
            _mm512_dpbusd_epi32(sum, _mm512_set1_epi32(inputs), weights)
        }
    };
    // SAFETY: there are 16 biases.
    let biases = unsafe { _mm512_loadu_si512(stack.first_biases.as_ptr().cast()) };
    // Several independent sums hide the latency of the additions.
    let mut sums = [
        biases,
        _mm512_setzero_si512(),
        _mm512_setzero_si512(),
        _mm512_setzero_si512(),
    ];
    let (fours, rest) = groups.as_chunks::<4>();
    for four in fours {
        for (sum, &group) in sums.iter_mut().zip(four) {
            *sum = add(*sum, group);
        }
    }
    for &group in rest {
        sums[0] = add(sums[0], group);
    }
    _mm512_add_epi32(
        _mm512_add_epi32(sums[0], sums[1]),
        _mm512_add_epi32(sums[2], sums[3]),
    )
}

/// The second and third layer.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
#[inline]
fn last_layers(first: __m512i, stack: &PackedStack) -> i32 {
    // Saturation to 16 bits is harmless: such sums are clipped anyway.
    let sums = _mm512_cvtsepi32_epi16(first);
    let squares = _mm256_srli_epi16::<3>(_mm256_mulhi_epi16(sums, sums));
    let squares = _mm256_cvtsepi16_epi8(squares);
    let shifted = _mm256_srai_epi16::<{ SfnnShape::WEIGHT_SHIFT as i32 }>(sums);
    let clipped = _mm256_cvtsepi16_epi8(_mm256_max_epi16(shifted, _mm256_setzero_si256()));
    // The skipping output is no input of the second layer, squared or not.
    let kept = _mm_srli_si128::<1>(_mm_set1_epi8(-1));
    let low = _mm_or_si128(_mm_and_si128(squares, kept), _mm_slli_si128::<15>(clipped));
    let high = _mm_srli_si128::<1>(_mm_and_si128(clipped, kept));
    let inputs = _mm512_castsi256_si512(_mm256_set_m128i(high, low));

    let load = |weights: &[i8]| {
        debug_assert_eq!(weights.len(), 64);
        // SAFETY: there are 64 weights.
        unsafe { _mm512_loadu_si512(weights.as_ptr().cast()) }
    };
    let biases = |from: usize| {
        // SAFETY: there are 32 biases, and `from` is 0 or 16.
        unsafe { _mm512_loadu_si512(stack.second_biases.as_ptr().add(from).cast()) }
    };
    let zero = _mm512_setzero_si512();
    let mut sums = [[biases(0), biases(16)], [zero, zero]];
    for (index, weights) in stack.second.iter().enumerate() {
        let group = _mm512_permutexvar_epi32(_mm512_set1_epi32(index as i32), inputs);
        let [low, high] = &mut sums[index % 2];
        *low = _mm512_dpbusd_epi32(*low, group, load(&weights[..64]));
        *high = _mm512_dpbusd_epi32(*high, group, load(&weights[64..]));
    }
    let activated = |half: usize| {
        let sums = _mm512_add_epi32(sums[0][half], sums[1][half]);
        let shifted = _mm512_srai_epi32::<{ SfnnShape::WEIGHT_SHIFT }>(sums);
        _mm512_cvtsepi32_epi8(_mm512_max_epi32(shifted, _mm512_setzero_si512()))
    };
    let inputs = _mm256_set_m128i(activated(1), activated(0));
    // SAFETY: there are 32 weights.
    let weights = unsafe { _mm256_loadu_si256(stack.third.as_ptr().cast()) };
    let sums = _mm256_dpbusd_epi32(_mm256_setzero_si256(), inputs, weights);
    let sums = _mm_add_epi32(
        _mm256_castsi256_si128(sums),
        _mm256_extracti128_si256::<1>(sums),
    );
    let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b01_00_11_10>(sums));
    let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b10_11_00_01>(sums));
    stack.third_bias.wrapping_add(_mm_cvtsi128_si32(sums))
}

/// # Safety
/// As [`Kernels`] says.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
unsafe fn output(own: &[i16], other: &[i16], layer: OutputLayer<'_>) -> i64 {
    let zero = _mm512_setzero_si512();
    let one = _mm512_set1_epi16(layer.one);
    let count = layer.activation.outputs(own.len());
    let (own_weights, other_weights) = layer.weights.split_at(count);
    let mut total = 0;
    for (values, weights) in [(own, own_weights), (other, other_weights)] {
        // SAFETY: as many weights as outputs, in whole registers but for the last
        // half of a narrow pairwise net, which is masked.
        let load = |from: &[i16], at: usize| unsafe {
            let left = from.len() - at;
            let mask = if left >= LANES {
                u32::MAX
            } else {
                (1 << left) - 1
            };
            _mm512_maskz_loadu_epi16(mask, from.as_ptr().add(at))
        };
        let clipped = |at: usize| _mm512_min_epi16(_mm512_max_epi16(load(values, at), zero), one);
        let step = layer.shares * LANES;
        for start in (0..count).step_by(step) {
            let mut sums = zero;
            for at in (start..count.min(start + step)).step_by(LANES) {
                let (value, weight) = (clipped(at), load(weights, at));
                let share = match (layer.activation, layer.bits) {
                    (Activation::Crelu, _) => _mm512_madd_epi16(value, weight),
                    (Activation::Screlu, OutputBits::Eight) => {
                        _mm512_madd_epi16(_mm512_mullo_epi16(value, weight), value)
                    }
                    (Activation::Screlu, OutputBits::Sixteen) => {
                        _mm512_madd_epi16(_mm512_mullo_epi16(value, value), weight)
                    }
                    (Activation::Pairwise, OutputBits::Eight) => {
                        _mm512_madd_epi16(_mm512_mullo_epi16(value, weight), clipped(count + at))
                    }
                    (Activation::Pairwise, OutputBits::Sixteen) => {
                        _mm512_madd_epi16(_mm512_mullo_epi16(value, clipped(count + at)), weight)
                    }
                };
                sums = _mm512_add_epi32(sums, share);
            }
            let low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(sums));
            let high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64::<1>(sums));
            total += _mm512_reduce_add_epi64(_mm512_add_epi64(low, high));
        }
    }
    total
}

/// # Safety
/// As [`Kernels`] says.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
unsafe fn products(sums: &[i16], products: &mut [u8]) {
    let half = products.len();
    let one = _mm512_set1_epi16(PRODUCT_ONE);
    let clipped = |at: usize| {
        // SAFETY: there are whole registers of sums.
        let values = unsafe { _mm512_loadu_epi16(sums.as_ptr().add(at)) };
        _mm512_min_epi16(_mm512_max_epi16(values, _mm512_setzero_si512()), one)
    };
    for at in (0..half).step_by(LANES) {
        let product = _mm512_mullo_epi16(clipped(at), clipped(half + at));
        let shifted = _mm512_srli_epi16::<PRODUCT_SHIFT>(product);
        // SAFETY: the products are a multiple of a register of sums.
        unsafe {
            let target = products.as_mut_ptr().add(at).cast();
            _mm256_storeu_si256(target, _mm512_cvtepi16_epi8(shifted));
        }
    }
}

/// How many rows are multiplied side by side.
const SIDE_BY_SIDE: usize = 4;

/// # Safety
/// As [`Kernels`] says.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
unsafe fn rows(bytes: &[u8], weights: &[i8], rows: &[u16], sums: &mut [i32]) {
    let width = bytes.len();
    for (rows, sums) in rows.chunks(SIDE_BY_SIDE).zip(sums.chunks_mut(SIDE_BY_SIDE)) {
        // If fewer rows are left, the last one is repeated.
        let starts: [usize; SIDE_BY_SIDE] =
            std::array::from_fn(|index| usize::from(rows[index.min(rows.len() - 1)]) * width);
        let mut lanes = [_mm512_setzero_si512(); SIDE_BY_SIDE];
        for at in (0..width).step_by(2 * LANES) {
            // SAFETY: bytes and rows are whole registers long, within the weights.
            unsafe {
                let bytes = _mm512_loadu_epi8(bytes.as_ptr().add(at).cast());
                for (lane, start) in lanes.iter_mut().zip(starts) {
                    let row = _mm512_loadu_epi8(weights.as_ptr().add(start + at));
                    *lane = _mm512_dpbusd_epi32(*lane, bytes, row);
                }
            }
        }
        let mut four = [0; SIDE_BY_SIDE];
        // SAFETY: there is room for four sums.
        unsafe { _mm_storeu_si128(four.as_mut_ptr().cast(), four_sums(lanes)) };
        sums.copy_from_slice(&four[..sums.len()]);
    }
}

/// The horizontal sum of each of four registers.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
#[inline]
fn four_sums([a, b, c, d]: [__m512i; SIDE_BY_SIDE]) -> __m128i {
    let halved = |a, b| _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
    let (ab, cd) = (halved(a, b), halved(c, d));
    let sums = _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
    let sums = _mm256_add_epi32(
        _mm512_castsi512_si256(sums),
        _mm512_extracti64x4_epi64::<1>(sums),
    );
    _mm_add_epi32(
        _mm256_castsi256_si128(sums),
        _mm256_extracti128_si256::<1>(sums),
    )
}
