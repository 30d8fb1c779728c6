//! All kernels that run on this CPU compute the same bits, even at the extremes.

use super::*;
use crate::nnue::inputs::Inputs;
use crate::nnue::shape::{SimpleScales, SimpleShape};

/// A small generator: the tests need some numbers, always the same.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 24
    }

    /// Often one of the two ends, else any number between.
    fn within(&mut self, least: i64, most: i64) -> i64 {
        match self.next() % 4 {
            0 => least,
            1 => most,
            _ => least + (self.next() % (most - least + 1) as u64) as i64,
        }
    }

    fn values(&mut self, count: usize, least: i16, most: i16) -> Vec<i16> {
        (0..count)
            .map(|_| self.within(least.into(), most.into()) as i16)
            .collect()
    }
}

fn random_stack(random: &mut Random, width: usize) -> PackedStack {
    let mut weight = || random.within(-128, 127) as i8;
    let first = (0..width / 4)
        .map(|_| Block(std::array::from_fn(|_| weight())))
        .collect();
    let second = std::array::from_fn(|_| std::array::from_fn(|_| weight()));
    let third = std::array::from_fn(|_| weight());
    let mut bias = || random.within(-3_000_000, 3_000_000) as i32;
    PackedStack {
        first_biases: std::array::from_fn(|_| bias()),
        second_biases: std::array::from_fn(|_| bias() / 100),
        second,
        third,
        third_bias: bias(),
        first,
    }
}

#[test]
fn updates_agree() {
    let mut random = Random(1);
    for width in [32, 64, 96, 128, 256, 288, 1024, 1536] {
        let weights = random.values(40 * width, i16::MIN, i16::MAX);
        let source = random.values(width, i16::MIN, i16::MAX);
        for (removed, added) in [(1, 1), (2, 1), (2, 2), (1, 2), (0, 0), (0, 32), (17, 3)] {
            let mut rows =
                |count| -> Vec<u32> { (0..count).map(|_| (random.next() % 40) as u32).collect() };
            let (removed, added) = (rows(removed), rows(added));
            let changes = Changes {
                removed: &removed,
                added: &added,
            };
            let results = Kernels::available().into_iter().map(|kernels| {
                let mut target = vec![0; width];
                kernels.update(&weights, &source, &mut target, changes);
                let mut kept = source.clone();
                let mut again = vec![0; width];
                kernels.refresh(&weights, &mut kept, &mut again, changes);
                assert_eq!(target, kept, "{}", kernels.name());
                assert_eq!(target, again, "{}", kernels.name());
                target
            });
            let results: Vec<_> = results.collect();
            assert!(results.iter().all(|result| *result == results[0]));
        }
    }
}

#[test]
fn stacks_agree() {
    let mut random = Random(2);
    for width in SfnnShape::WIDTHS {
        for (least, most) in [
            (i16::MIN, i16::MAX),
            (-200, 200),
            (127, 127),
            (-50, 10),
            (0, 0),
        ] {
            let stack = random_stack(&mut random, width);
            let own = random.values(width, least, most);
            let other = random.values(width, least, most);
            let results: Vec<_> = Kernels::available()
                .into_iter()
                .map(|kernels| kernels.stack(&own, &other, &stack))
                .collect();
            let portable = results[results.len() - 1];
            assert!(
                results.iter().all(|result| *result == portable),
                "{results:?}"
            );
        }
    }
}

#[test]
fn outputs_agree() {
    let mut random = Random(3);
    for width in [32, 96, 256, 1024, 8192] {
        for activation in [Activation::Crelu, Activation::Screlu, Activation::Pairwise] {
            for (least, most) in [(i16::MIN, i16::MAX), (255, 255), (-100, 300)] {
                let own = random.values(width, least, most);
                let other = random.values(width, least, most);
                let count = 2 * activation.outputs(width);
                for (scales, lowest) in [
                    (SimpleScales::EIGHT_BITS, -128),
                    (SimpleScales::default(), -2_000),
                    (SimpleScales::default(), i16::MIN),
                ] {
                    let shape = shape(width, activation, scales);
                    let mixed = random.values(count, lowest, -1 - lowest);
                    for weights in [mixed, vec![lowest; count]] {
                        outputs_of(&shape, &weights, &own, &other);
                    }
                }
            }
        }
    }
}

fn shape(hidden: usize, activation: Activation, scales: SimpleScales) -> SimpleShape {
    SimpleShape {
        inputs: Inputs::piece_square([0; 64], false).expect("one bucket"),
        hidden,
        activation,
        output_buckets: 1,
        scales,
    }
}

/// The output by each kernel, which must be the same.
fn outputs_of(shape: &SimpleShape, weights: &[i16], own: &[i16], other: &[i16]) -> i64 {
    let layer = OutputLayer {
        weights,
        one: shape.scales.one as i16,
        activation: shape.activation,
        bits: shape.scales.output_bits,
        shares: OutputLayer::shares(shape, weights),
    };
    let results: Vec<_> = Kernels::available()
        .into_iter()
        .map(|kernels| kernels.output(own, other, layer))
        .collect();
    let portable = results[results.len() - 1];
    assert!(results.iter().all(|&result| result == portable));
    portable
}

/// 32-bit sums are moved to 64 bits before they overflow, and not more often than necessary.
#[test]
fn the_largest_sums_fit() {
    for (scales, weight, shares) in [
        (SimpleScales::EIGHT_BITS, -128, 129),
        (SimpleScales::default(), 2_047, 16),
        (SimpleScales::default(), i16::MIN, 1),
    ] {
        let shape = shape(8192, Activation::Screlu, scales);
        let weights = vec![weight; 2 * 8192];
        assert_eq!(OutputLayer::shares(&shape, &weights), shares);
        let full = vec![i16::MAX; 8192];
        let one = i64::from(scales.one);
        let expected = 2 * 8192 * one * one * i64::from(weight);
        assert_eq!(outputs_of(&shape, &weights, &full, &full), expected);
    }
}

/// The portable kernel, with which the others are compared, is itself checked by hand.
#[test]
fn a_stack_computed_by_hand() {
    let mut stack = PackedStack {
        first_biases: [0; 16],
        second_biases: [0; 32],
        second: [[0; 128]; 8],
        third: [0; 32],
        third_bias: 7,
        first: vec![Block([0; 64]); 32],
    };
    let mut own = vec![0; 128];
    let other = own.clone();
    // One product: 127 x 100 / 128 = 99.
    (own[5], own[64 + 5]) = (3_000, 100);
    stack.first[1].0[4 * 2 + 1] = 100; // output 2: 9900
    stack.first[1].0[4 * 15 + 1] = -3; // the skip: -297
    // 9900^2 >> 19 = 186, so 127; 9900 >> 6 = 154, so 127.
    stack.second[0][4 * 9 + 2] = 10; // the square of output 2 to output 9
    stack.second[4][4 * 9 + 1] = 5; // input 15 + 2, the value itself
    // (127 x 15) >> 6 = 29
    stack.third[9] = -2;
    for kernels in Kernels::available() {
        let out = kernels.stack(&own, &other, &stack);
        assert_eq!(
            out,
            StackOutput {
                last: 7 - 58,
                skip: -297
            },
            "{}",
            kernels.name()
        );
    }
}

#[test]
fn products_and_rows_agree() {
    let mut random = Random(5);
    for width in [128, 256, 384, 2048] {
        let sums = random.values(width, i16::MIN, i16::MAX);
        let small = random.values(width, -20, 300);
        let weights: Vec<i8> = (0..40 * width / 2)
            .map(|_| random.within(-128, 127) as i8)
            .collect();
        for sums in [sums, small] {
            let mut expected = vec![0; width / 2];
            portable::KERNELS.products(&sums, &mut expected);
            assert!(expected.iter().all(|&byte| byte <= 127));
            for count in [0, 1, 3, 4, 33] {
                let rows: Vec<u16> = (0..count).map(|_| (random.next() % 40) as u16).collect();
                let mut expected_sums = vec![0; count];
                portable::KERNELS.rows(&expected, &weights, &rows, &mut expected_sums);
                for kernels in Kernels::available() {
                    let mut bytes = vec![7; width / 2];
                    kernels.products(&sums, &mut bytes);
                    assert_eq!(bytes, expected, "{}", kernels.name());
                    let mut found = vec![7; count];
                    kernels.rows(&bytes, &weights, &rows, &mut found);
                    assert_eq!(found, expected_sums, "{}", kernels.name());
                }
            }
        }
    }
    // Everything at its maximum: no pair of products may saturate.
    let (bytes, rows) = ([127; 64], [0]);
    for kernels in Kernels::available() {
        let mut sums = [0];
        kernels.rows(&bytes, &[-128; 64], &rows, &mut sums);
        assert_eq!(sums, [-127 * 128 * 64], "{}", kernels.name());
    }
}
