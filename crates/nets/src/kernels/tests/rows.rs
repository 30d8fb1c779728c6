use super::*;

const WIDTHS: [usize; 9] = [1, 3, 8, 16, 31, 64, 192, 257, 1024];

fn finished(kernels: &Kernels, values: &[f32], activation: Activation) -> Vec<f32> {
    let mut values = values.to_vec();
    let finish = Finish {
        activation,
        ..Finish::default()
    };
    kernels.finish(&mut values, &finish);
    values
}

#[test]
fn activations_equal_the_reference_from_tiny_to_huge() {
    let mut values = vec![0.0];
    for exponent in -30..=30 {
        for mantissa in [1.0, 1.13, 1.37, 1.61, 1.93] {
            let value = mantissa * 2.0_f32.powi(exponent);
            values.extend([value, -value]);
        }
    }
    values.extend((-900..=900).map(|value| value as f32 / 100.0));
    let silu = |x: f64| x / (1.0 + (-x).exp());
    for kernels in Kernels::available() {
        let name = kernels.name();
        let expect = |function: &dyn Fn(f64) -> f64| -> Vec<f64> {
            values.iter().map(|&value| function(value.into())).collect()
        };
        let found = finished(kernels, &values, Activation::Relu);
        assert_each_close(&found, &expect(&|x| x.max(0.0)), 0.0, name);
        let found = finished(kernels, &values, Activation::Tanh);
        assert_each_close(&found, &expect(&f64::tanh), 1e-6, name);
        // Below this SiLU is less than 1e-33 and loses its exponent.
        let found = finished(kernels, &values, Activation::Silu);
        for ((&value, found), expected) in values.iter().zip(found).zip(expect(&silu)) {
            if value > -80.0 {
                assert_each_close(&[found], &[expected], 1e-6, name);
            } else {
                assert!(
                    (-1e-27..=0.0).contains(&found),
                    "{name}: SiLU({value}) = {found}"
                );
            }
        }
    }
}

#[test]
fn values_that_are_not_numbers_stay_so() {
    for kernels in Kernels::available() {
        for activation in [Activation::Relu, Activation::Silu, Activation::Tanh] {
            let found = finished(kernels, &[f32::NAN; 21], activation);
            assert!(found.iter().all(|value| value.is_nan()), "{activation:?}");
        }
    }
}

#[test]
fn softmax_equals_the_reference() {
    let mut random = Random(21);
    for width in WIDTHS {
        let logits: Vec<f32> = random
            .values(width)
            .iter()
            .map(|value| 30.0 * value)
            .collect();
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let powers: Vec<f64> = logits.iter().map(|&x| f64::from(x - most).exp()).collect();
        let sum: f64 = powers.iter().sum();
        let expected: Vec<f64> = powers.iter().map(|power| power / sum).collect();
        for kernels in Kernels::available() {
            let mut found = logits.clone();
            kernels.softmax(&mut found);
            assert_each_close(&found, &expected, 2e-6, kernels.name());
        }
    }
    for kernels in Kernels::available() {
        kernels.softmax(&mut []);
        let mut found = [1e30, 1e30, -1e30];
        kernels.softmax(&mut found);
        assert_close(&found, &[0.5, 0.5, 0.0], 1e-6, kernels.name());
    }
}

#[test]
fn layer_norm_equals_the_reference() {
    let mut random = Random(22);
    for width in WIDTHS {
        // Far from zero, the mean of squares minus the square of the mean would lose all bits.
        let source: Vec<f32> = random.values(5 * width).iter().map(|x| x + 300.0).collect();
        let (gain, offset) = (random.values(width), random.values(width));
        let affine = Affine {
            gain: &gain,
            offset: &offset,
        };
        let (mut plain, mut scaled) = (Vec::new(), Vec::new());
        for row in wide(&source).chunks(width) {
            let mean = row.iter().sum::<f64>() / width as f64;
            let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / width as f64;
            for (at, value) in row.iter().enumerate() {
                let value = (value - mean) / (variance + f64::from(1e-5_f32)).sqrt();
                plain.push(value);
                scaled.push(value * f64::from(gain[at]) + f64::from(offset[at]));
            }
        }
        for kernels in Kernels::available() {
            let what = format!("{} {width}", kernels.name());
            let mut found = vec![f32::NAN; source.len()];
            kernels.layer_norm(&source, width, None, 1e-5, &mut found);
            // The mean of values near 300 has an error of about 3e-5 at best.
            assert_close(&found, &plain, 1e-4, &what);
            kernels.layer_norm(&source, width, Some(affine), 1e-5, &mut found);
            assert_close(&found, &scaled, 1e-4, &what);
        }
    }
}

#[test]
fn listed_rows_equal_the_reference_whatever_is_listed_beside_them() {
    let mut random = Random(23);
    for width in WIDTHS {
        let weights = random.values(40 * width);
        let vector = random.values(width);
        let rows = random.below(40, 35);
        let dot = |row: &u32| -> f64 {
            let row = &weights[*row as usize * width..][..width];
            let products = row.iter().zip(&vector);
            products.map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
        };
        let expected: Vec<f64> = rows.iter().map(dot).collect();
        for kernels in Kernels::available() {
            let mut found = vec![f32::NAN; rows.len()];
            kernels.listed_rows(&weights, &vector, &rows, &mut found);
            assert_close(&found, &expected, 1e-5, kernels.name());
            for (&row, &found) in rows.iter().zip(&found) {
                let mut alone = [f32::NAN];
                kernels.listed_rows(&weights, &vector, &[row], &mut alone);
                assert_eq!(bits(&alone), bits(&[found]), "{}", kernels.name());
            }
        }
        assert_kinds_agree(
            |kernels| {
                let mut found = vec![f32::NAN; rows.len()];
                kernels.listed_rows(&weights, &vector, &rows, &mut found);
                found
            },
            "listed rows",
        );
    }
}

#[test]
fn embeddings_are_added_in_the_order_of_the_list() {
    let mut random = Random(24);
    for width in WIDTHS {
        let table = random.values(40 * width);
        let start = random.values(width);
        let rows = random.below(40, 33);
        let mut expected = start.clone();
        for &row in &rows {
            for (sum, value) in expected.iter_mut().zip(&table[row as usize * width..]) {
                *sum += value;
            }
        }
        for kernels in Kernels::available() {
            let mut sum = start.clone();
            kernels.add_embeddings(&table, &rows, &mut sum);
            assert_eq!(bits(&sum), bits(&expected), "{}", kernels.name());
        }
    }
}

#[test]
#[should_panic(expected = "row 3 of a table of 3")]
fn rows_past_the_end_are_refused() {
    Kernels::best().add_embeddings(&[1.0; 11], &[0, 3], &mut [0.0; 3]);
}

#[test]
#[should_panic(expected = "whole rows")]
fn a_bias_that_does_not_fit_is_refused() {
    let finish = Finish {
        bias: Some(&[1.0; 3]),
        ..Finish::default()
    };
    Kernels::best().finish(&mut [0.0; 4], &finish);
}

#[test]
fn attention_equals_the_reference() {
    let mut random = Random(26);
    for (width, heads) in [(16, 2), (48, 4), (64, 2), (192, 6)] {
        let numbers: Vec<f32> = random.values(20 * 2 * width);
        let query = random.values(width);
        let distances = random.values(heads * 5);
        let places: Vec<usize> = [7, 0, 3, 19, 11, 2, 5, 18]
            .map(|row| row * 2 * width)
            .to_vec();
        let size = width / heads;
        let mut expected = Vec::new();
        for head in 0..heads {
            let score = |(at, &place): (usize, &usize)| -> f64 {
                let key = &numbers[place + width + head * size..][..size];
                let query = &query[head * size..][..size];
                let products = key.iter().zip(query);
                let sum: f64 = products.map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
                let distance = (places.len() - 1 - at).min(4);
                (sum / (size as f64).sqrt() + f64::from(distances[head * 5 + distance])).exp()
            };
            let scores: Vec<f64> = places.iter().enumerate().map(score).collect();
            let all: f64 = scores.iter().sum();
            for column in head * size..(head + 1) * size {
                let taken = places.iter().zip(&scores);
                let taken = taken.map(|(place, score)| f64::from(numbers[place + column]) * score);
                expected.push(taken.sum::<f64>() / all);
            }
        }
        for kernels in Kernels::available() {
            let attention = Attention {
                numbers: &numbers,
                places: &places,
                query: &query,
                heads,
                distances: &distances,
            };
            let mut found = vec![f32::NAN; width];
            kernels.attend(&attention, &mut Vec::new(), &mut found);
            assert_close(&found, &expected, 1e-5, kernels.name());
        }
    }
}
