//! The kernels in plain Rust: the reference for the others, and the fallback for a CPU
//! without their instructions.

use super::{
    Changes, Kernels, MOST_WIDTH, OutputLayer, PRODUCT_ONE, PRODUCT_SHIFT, PackedStack, StackOutput,
};
use crate::nnue::shape::{Activation, SfnnShape};

pub(super) static KERNELS: Kernels = Kernels {
    name: "portable",
    update,
    refresh,
    stack,
    output,
    products,
    rows,
};

const ONE: i16 = SfnnShape::ONE as i16;

fn update(weights: &[i16], source: &[i16], target: &mut [i16], changes: Changes<'_>) {
    target.copy_from_slice(source);
    apply(weights, target, changes);
}

fn refresh(weights: &[i16], kept: &mut [i16], target: &mut [i16], changes: Changes<'_>) {
    apply(weights, kept, changes);
    target.copy_from_slice(kept);
}

fn apply(weights: &[i16], target: &mut [i16], changes: Changes<'_>) {
    let width = target.len();
    let row = |row: u32| &weights[row as usize * width..][..width];
    for &removed in changes.removed {
        for (value, &weight) in target.iter_mut().zip(row(removed)) {
            *value = value.wrapping_sub(weight);
        }
    }
    for &added in changes.added {
        for (value, &weight) in target.iter_mut().zip(row(added)) {
            *value = value.wrapping_add(weight);
        }
    }
}

fn stack(own: &[i16], other: &[i16], stack: &PackedStack) -> StackOutput {
    let mut products = [0u8; MOST_WIDTH];
    let products = &mut products[..own.len()];
    let (from_own, from_other) = products.split_at_mut(own.len() / 2);
    multiply(own, from_own);
    multiply(other, from_other);

    let mut first = stack.first_biases;
    let (groups, _) = products.as_chunks::<4>();
    for (group, block) in groups.iter().zip(&stack.first) {
        // Most products are 0; groups of four of them are skipped.
        if *group != [0; 4] {
            add_group(&mut first, group, &block.0);
        }
    }
    let mut second = stack.second_biases;
    let inputs = activate(&first);
    let (groups, _) = inputs.as_chunks::<4>();
    for (group, block) in groups.iter().zip(&stack.second) {
        add_group(&mut second, group, block);
    }
    let last = second.iter().zip(&stack.third).map(|(&sum, &weight)| {
        (sum >> SfnnShape::WEIGHT_SHIFT).clamp(0, SfnnShape::ONE) * i32::from(weight)
    });
    StackOutput {
        last: last.fold(stack.third_bias, i32::wrapping_add),
        skip: first[SfnnShape::FIRST - 1],
    }
}

/// The pairwise products of an accumulator's two clipped halves.
fn multiply(values: &[i16], products: &mut [u8]) {
    let (low, high) = values.split_at(products.len());
    for ((product, &a), &b) in products.iter_mut().zip(low).zip(high) {
        *product = ((a.clamp(0, ONE) * b.clamp(0, ONE)) >> 7) as u8;
    }
}

/// Adds the products of four inputs to each output.
fn add_group<const OUTPUTS: usize>(sums: &mut [i32; OUTPUTS], inputs: &[u8; 4], weights: &[i8]) {
    let (weights, _) = weights.as_chunks::<4>();
    for (sum, weights) in sums.iter_mut().zip(weights) {
        for (&input, &weight) in inputs.iter().zip(weights) {
            *sum = sum.wrapping_add(i32::from(input) * i32::from(weight));
        }
    }
}

/// The inputs of the second layer: the clipped squares, then the clipped values, of all
/// outputs except the skipping one; then padding.
fn activate(sums: &[i32; SfnnShape::FIRST]) -> [u8; SfnnShape::SECOND] {
    const KEPT: usize = SfnnShape::FIRST - 1;
    let mut inputs = [0; SfnnShape::SECOND];
    for (index, &sum) in sums[..KEPT].iter().enumerate() {
        let square = (i64::from(sum) * i64::from(sum)) >> (2 * SfnnShape::WEIGHT_SHIFT + 7);
        inputs[index] = square.min(i64::from(SfnnShape::ONE)) as u8;
        inputs[KEPT + index] = (sum >> SfnnShape::WEIGHT_SHIFT).clamp(0, SfnnShape::ONE) as u8;
    }
    inputs
}

fn output(own: &[i16], other: &[i16], layer: OutputLayer<'_>) -> i64 {
    let clip = |value: i16| i64::from(value.clamp(0, layer.one));
    let (own_weights, other_weights) = layer.weights.split_at(layer.weights.len() / 2);
    [(own, own_weights), (other, other_weights)]
        .into_iter()
        .map(|(values, weights)| -> i64 {
            let pairs = values.iter().zip(weights);
            match layer.activation {
                Activation::Crelu => pairs.map(|(&v, &w)| clip(v) * i64::from(w)).sum(),
                Activation::Screlu => pairs.map(|(&v, &w)| clip(v) * clip(v) * i64::from(w)).sum(),
                Activation::Pairwise => pairs
                    .zip(&values[values.len() / 2..])
                    .map(|((&a, &w), &b)| clip(a) * clip(b) * i64::from(w))
                    .sum(),
            }
        })
        .sum()
}

fn products(sums: &[i16], products: &mut [u8]) {
    let (low, high) = sums.split_at(products.len());
    let clipped = |value: i16| value.clamp(0, PRODUCT_ONE) as u16;
    for ((product, &a), &b) in products.iter_mut().zip(low).zip(high) {
        *product = ((clipped(a) * clipped(b)) >> PRODUCT_SHIFT) as u8;
    }
}

fn rows(bytes: &[u8], weights: &[i8], rows: &[u16], sums: &mut [i32]) {
    for (sum, &row) in sums.iter_mut().zip(rows) {
        let weights = &weights[usize::from(row) * bytes.len()..][..bytes.len()];
        let pairs = bytes.iter().zip(weights);
        *sum = pairs.map(|(&b, &w)| i32::from(b) * i32::from(w)).sum();
    }
}
