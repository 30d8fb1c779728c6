use super::*;

/// Inputs, outputs and boards: the planes of known nets, odd numbers, and incomplete
/// blocks.
const SHAPES: [[usize; 3]; 7] = [
    [1, 1, 1],
    [3, 5, 2],
    [18, 32, 3],
    [32, 32, 9],
    [64, 64, 8],
    [112, 64, 1],
    [33, 80, 17],
];

/// The direct convolution of `[board][square][channel]` with `[output][input][rank][file]`.
fn reference(source: &[f32], weights: &[f32], [inputs, outputs, boards]: [usize; 3]) -> Vec<f64> {
    let mut target = vec![0.0; boards * SQUARES * outputs];
    for (at, value) in target.iter_mut().enumerate() {
        let (place, output) = (at / outputs, at % outputs);
        let (board, square) = (place / SQUARES, place % SQUARES);
        for tap in 0..9 {
            let (rank, file) = (square / 8 + tap / 3, square % 8 + tap % 3);
            if !(1..=8).contains(&rank) || !(1..=8).contains(&file) {
                continue;
            }
            let from = board * SQUARES + (rank - 1) * 8 + file - 1;
            for input in 0..inputs {
                *value += f64::from(source[from * inputs + input])
                    * f64::from(weights[(output * inputs + input) * 9 + tap]);
            }
        }
    }
    target
}

fn convolve(kernels: &Kernels, convolution: &Convolution, source: &[f32]) -> Vec<f32> {
    let places = source.len() / convolution.inputs();
    let mut target = vec![f32::NAN; places * convolution.outputs()];
    let mut room = ConvolutionRoom::default();
    kernels.convolve(
        convolution,
        source,
        &mut target,
        &mut room,
        &Finish::default(),
    );
    target
}

#[test]
fn convolutions_equal_the_reference() {
    let mut random = Random(11);
    for shape @ [inputs, outputs, boards] in SHAPES {
        let source = random.values(boards * SQUARES * inputs);
        let weights = random.values(outputs * inputs * 9);
        let expected = reference(&source, &weights, shape);
        let convolution = Convolution::new(&weights, outputs, inputs);
        for kernels in Kernels::available() {
            let found = convolve(kernels, &convolution, &source);
            assert_close(
                &found,
                &expected,
                1e-5,
                &format!("{} {shape:?}", kernels.name()),
            );
        }
        let agree = |kernels: &Kernels| convolve(kernels, &convolution, &source);
        assert_kinds_agree(agree, "convolution");
    }
}

/// For every x and y: y . conv(x) = backward(y) . x.
#[test]
fn the_backward_convolution_is_the_transpose() {
    let mut random = Random(12);
    for [inputs, outputs, boards] in SHAPES {
        let weights = random.values(outputs * inputs * 9);
        let source = random.values(boards * SQUARES * inputs);
        let gradient = random.values(boards * SQUARES * outputs);
        let forward = Convolution::new(&weights, outputs, inputs);
        let backward = Convolution::backward(&weights, outputs, inputs);
        assert_eq!((backward.inputs(), backward.outputs()), (outputs, inputs));
        let dot = |a: &[f32], b: &[f32]| -> (f64, f64) {
            let products = a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b));
            products.fold((0.0, 0.0), |(sum, size), term| {
                (sum + term, size + term.abs())
            })
        };
        for kernels in Kernels::available() {
            let (ahead, size) = dot(&convolve(kernels, &forward, &source), &gradient);
            let (back, _) = dot(&convolve(kernels, &backward, &gradient), &source);
            assert!(
                (ahead - back).abs() < 1e-5 * size,
                "{}: {ahead} {back}",
                kernels.name()
            );
        }
    }
}

#[test]
fn a_board_is_the_same_in_every_batch_and_on_every_thread() {
    let mut random = Random(13);
    let (inputs, outputs, boards) = (20, 40, 19);
    let weights = random.values(outputs * inputs * 9);
    let source = random.values(boards * SQUARES * inputs);
    let residual = random.values(boards * SQUARES * outputs);
    let bias = random.values(outputs);
    let convolution = Convolution::new(&weights, outputs, inputs);
    let finish = |residual| Finish {
        bias: Some(&bias),
        residual: Some(residual),
        activation: Activation::Silu,
    };
    for kernels in Kernels::available() {
        let mut whole = vec![0.0; boards * SQUARES * outputs];
        let room = &mut ConvolutionRoom::default();
        kernels.convolve(&convolution, &source, &mut whole, room, &finish(&residual));
        for share in [1, 2, 5, BOARDS_PER_BLOCK, 11] {
            let mut shared = vec![0.0; boards * SQUARES * outputs];
            std::thread::scope(|scope| {
                let targets = shared.chunks_mut(share * SQUARES * outputs);
                let residuals = residual.chunks(share * SQUARES * outputs);
                let sources = source.chunks(share * SQUARES * inputs);
                for ((target, residual), source) in targets.zip(residuals).zip(sources) {
                    let (convolution, finish) = (&convolution, finish(residual));
                    scope.spawn(move || {
                        let room = &mut ConvolutionRoom::default();
                        kernels.convolve(convolution, source, target, room, &finish);
                    });
                }
            });
            assert_eq!(bits(&shared), bits(&whole), "{} by {share}", kernels.name());
        }
    }
}

#[test]
fn folded_batch_norm_gives_what_layer_and_norm_gave() {
    let mut random = Random(14);
    let shape @ [inputs, outputs, boards] = [6, 20, 2];
    let mut weights = random.values(outputs * inputs * 9);
    let mut bias = random.values(outputs);
    let source = random.values(boards * SQUARES * inputs);
    let (mean, gain, offset) = (
        random.values(outputs),
        random.values(outputs),
        random.values(outputs),
    );
    let variance: Vec<f32> = random
        .values(outputs)
        .iter()
        .map(|value| value * value)
        .collect();
    let mut expected = reference(&source, &weights, shape);
    for (at, value) in expected.iter_mut().enumerate() {
        let of = |values: &[f32]| f64::from(values[at % outputs]);
        let off = *value + of(&bias) - of(&mean);
        *value = off / (of(&variance) + f64::from(1e-3_f32)).sqrt() * of(&gain) + of(&offset);
    }
    let norm = BatchNorm {
        mean: &mean,
        variance: &variance,
        gain: &gain,
        offset: &offset,
        epsilon: 1e-3,
    };
    norm.fold(&mut weights, &mut bias);
    let convolution = Convolution::new(&weights, outputs, inputs);
    let finish = Finish {
        bias: Some(&bias),
        ..Finish::default()
    };
    let mut found = vec![0.0; boards * SQUARES * outputs];
    let room = &mut ConvolutionRoom::default();
    Kernels::best().convolve(&convolution, &source, &mut found, room, &finish);
    assert_close(&found, &expected, 1e-5, "folded");
}

/// Compares with the sum over all squares and boards in f64.
#[test]
fn weight_gradients_equal_the_reference() {
    let mut random = Random(14);
    for [inputs, outputs, boards] in SHAPES {
        let source = random.values(boards * SQUARES * inputs);
        let slopes = random.values(boards * SQUARES * outputs);
        let mut expected = vec![0.0; 9 * inputs * outputs];
        for (at, value) in expected.iter_mut().enumerate() {
            let (tap, input, output) =
                (at / (inputs * outputs), at / outputs % inputs, at % outputs);
            for place in 0..boards * SQUARES {
                let square = place % SQUARES;
                let (rank, file) = (square / 8 + tap / 3, square % 8 + tap % 3);
                if (1..=8).contains(&rank) && (1..=8).contains(&file) {
                    let from = place - square + (rank - 1) * 8 + file - 1;
                    *value += f64::from(source[from * inputs + input])
                        * f64::from(slopes[place * outputs + output]);
                }
            }
        }
        for kernels in Kernels::available() {
            let mut gradient = WeightGradient::new(outputs, inputs);
            let mut found = vec![f32::NAN; expected.len()];
            // Taking the gradient resets it.
            for _ in 0..2 {
                kernels.add_weight_gradient(&mut gradient, &source, &slopes);
                gradient.take(&mut found);
                assert_close(&found, &expected, 2e-5, kernels.name());
            }
        }
    }
}
