use super::*;
use crate::kernels::matrix::{panels, to_bf16};

/// Rows, columns and summed axis: single rows, all remainders of tiles, widths of every
/// kind of panel, odd sums, and sums over more than one block.
const SHAPES: [[usize; 3]; 19] = [
    [1, 1, 1],
    [1, 192, 64],
    [1, 768, 192],
    [1, 437, 257],
    [2, 192, 33],
    [2, 200, 300],
    [3, 5, 7],
    [4, 64, 64],
    [5, 17, 31],
    [7, 33, 18],
    [8, 48, 256],
    [9, 47, 513],
    [15, 49, 255],
    [16, 96, 112],
    [63, 80, 3],
    [64, 64, 576],
    [65, 100, 100],
    [131, 16, 20],
    [10, 31, 700],
];

fn product(kernels: &Kernels, left: Matrix<'_>, right: &Packed) -> Vec<f32> {
    // The previous contents must not matter.
    let mut result = vec![f32::NAN; left.rows() * right.columns()];
    kernels.product(left, right, &mut result, &Finish::default());
    result
}

/// The product of row-major matrices.
fn reference(left: &[f64], right: &[f64], [rows, columns, depth]: [usize; 3]) -> Vec<f64> {
    let mut result = vec![0.0; rows * columns];
    for row in 0..rows {
        for at in 0..depth {
            for column in 0..columns {
                result[row * columns + column] +=
                    left[row * depth + at] * right[at * columns + column];
            }
        }
    }
    result
}

fn transpose(values: &[f32], rows: usize, columns: usize) -> Vec<f32> {
    assert_eq!(values.len(), rows * columns);
    let places = (0..columns).flat_map(|column| (0..rows).map(move |row| row * columns + column));
    places.map(|place| values[place]).collect()
}

/// Rounds to bf16 in another way: to the nearest multiple of the last place.
fn rounded(value: f32) -> f64 {
    let value = f64::from(value);
    if value == 0.0 {
        return 0.0;
    }
    let unit = 2.0_f64.powi(value.abs().log2().floor() as i32 - 7);
    (value / unit).round_ties_even() * unit
}

#[test]
fn products_equal_the_reference() {
    let mut random = Random(1);
    for shape @ [rows, columns, depth] in SHAPES {
        let (left, right) = (random.values(rows * depth), random.values(depth * columns));
        let left_turned = transpose(&left, rows, depth);
        let right_turned = transpose(&right, depth, columns);
        let lefts = [
            Matrix::new(&left, rows, depth),
            Matrix::new(&left_turned, depth, rows).transposed(),
        ];
        let rights = [
            Matrix::new(&right, depth, columns),
            Matrix::new(&right_turned, columns, depth).transposed(),
        ];
        for precision in [Precision::F32, Precision::Bf16] {
            let factor = |value: &f32| match precision {
                Precision::F32 => f64::from(*value),
                Precision::Bf16 => rounded(*value),
            };
            let exact: Vec<f64> = left.iter().map(factor).collect();
            let exact_right: Vec<f64> = right.iter().map(factor).collect();
            let expected = reference(&exact, &exact_right, shape);
            for kernels in Kernels::available() {
                let what = format!("{} {precision:?} {shape:?}", kernels.name());
                let plain = product(kernels, lefts[0], &Packed::new(rights[0], precision));
                assert_close(&plain, &expected, 1e-5, &what);
                for (a, b) in [(0, 1), (1, 0), (1, 1)] {
                    let turned = product(kernels, lefts[a], &Packed::new(rights[b], precision));
                    assert_eq!(bits(&turned), bits(&plain), "{what}, transposed");
                }
            }
        }
    }
}

#[test]
fn kinds_of_products_agree() {
    let mut random = Random(2);
    for [rows, columns, depth] in SHAPES {
        let (left, right) = (random.values(rows * depth), random.values(depth * columns));
        for precision in [Precision::F32, Precision::Bf16] {
            let packed = Packed::new(Matrix::new(&right, depth, columns), precision);
            let left = Matrix::new(&left, rows, depth);
            assert_kinds_agree(|kernels| product(kernels, left, &packed), "product");
        }
    }
}

#[test]
fn a_row_is_the_same_in_every_batch_and_on_every_thread() {
    let mut random = Random(3);
    let [rows, columns, depth] = [150, 208, 301];
    let (left, right) = (random.values(rows * depth), random.values(depth * columns));
    for precision in [Precision::F32, Precision::Bf16] {
        let packed = Packed::new(Matrix::new(&right, depth, columns), precision);
        for kernels in Kernels::available() {
            let whole = product(kernels, Matrix::new(&left, rows, depth), &packed);
            for share in [1, 2, 3, 8, 13, 37, 75] {
                let mut shared = vec![f32::NAN; rows * columns];
                std::thread::scope(|scope| {
                    let parts = shared.chunks_mut(share * columns);
                    for (part, left) in parts.zip(left.chunks(share * depth)) {
                        let left = Matrix::new(left, left.len() / depth, depth);
                        let packed = &packed;
                        scope.spawn(move || {
                            kernels.product(left, packed, part, &Finish::default());
                        });
                    }
                });
                assert_eq!(bits(&shared), bits(&whole), "{} by {share}", kernels.name());
            }
        }
    }
}

#[test]
fn products_are_added_and_finished() {
    let mut random = Random(4);
    let shape @ [rows, columns, depth] = [70, 50, 300];
    let (left, right) = (random.values(rows * depth), random.values(depth * columns));
    let (bias, residual) = (random.values(columns), random.values(rows * columns));
    let packed = Packed::new(Matrix::new(&right, depth, columns), Precision::F32);
    let sums = reference(&wide(&left), &wide(&right), shape);
    let left = Matrix::new(&left, rows, depth);
    let added: Vec<f64> = sums
        .iter()
        .zip(wide(&residual))
        .map(|(a, b)| a + b)
        .collect();
    let finished: Vec<f64> = added
        .iter()
        .enumerate()
        .map(|(at, value)| (value + f64::from(bias[at % columns])).max(0.0))
        .collect();
    for kernels in Kernels::available() {
        let mut result = residual.clone();
        kernels.add_product(left, &packed, &mut result);
        assert_close(&result, &added, 1e-5, kernels.name());
        let finish = Finish {
            bias: Some(&bias),
            residual: Some(&residual),
            activation: Activation::Relu,
        };
        kernels.product(left, &packed, &mut result, &finish);
        assert_close(&result, &finished, 1e-5, kernels.name());
    }
}

#[test]
fn products_without_terms_are_zero() {
    for precision in [Precision::F32, Precision::Bf16] {
        let packed = Packed::new(Matrix::new(&[], 0, 20), precision);
        let left = Matrix::new(&[], 3, 0);
        for kernels in Kernels::available() {
            assert_eq!(product(kernels, left, &packed), [0.0; 60]);
            let mut kept = [2.0; 60];
            kernels.add_product(left, &packed, &mut kept);
            assert_eq!(kept, [2.0; 60]);
        }
    }
}

#[test]
#[should_panic(expected = "the summed axis")]
fn products_of_unlike_shapes_are_refused() {
    let packed = Packed::new(Matrix::new(&[1.0; 6], 3, 2), Precision::F32);
    product(Kernels::best(), Matrix::new(&[1.0; 4], 2, 2), &packed);
}

#[test]
fn panels_cover_all_columns() {
    let groups = |columns| {
        panels(columns)
            .map(|panel| panel.groups)
            .collect::<Vec<_>>()
    };
    assert_eq!(groups(1), [1]);
    assert_eq!(groups(32), [2]);
    assert_eq!(groups(48), [3]);
    assert_eq!(groups(64), [2, 2]);
    assert_eq!(groups(80), [3, 2]);
    assert_eq!(groups(97), [3, 2, 2]);
    assert_eq!(groups(192), [3; 4]);
}

#[test]
fn bf16_rounds_to_the_nearest_even() {
    for (bits, expected) in [
        (0x3f80_0000, 0x3f80),
        (0x3f80_7fff, 0x3f80),
        (0x3f80_8000, 0x3f80),
        (0x3f80_8001, 0x3f81),
        (0x3f81_8000, 0x3f82),
        (0xbf81_8000, 0xbf82),
        (0x7f7f_ffff, 0x7f80),
        (0xff80_0000, 0xff80),
        (0x7f80_0001, 0x7fc0),
        (0xffff_ffff, 0xffff),
    ] {
        assert_eq!(to_bf16(f32::from_bits(bits)), expected, "{bits:#x}");
    }
}
