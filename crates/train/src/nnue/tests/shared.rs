//! Tests of weights of which buckets share a part.

use super::*;
use crate::lanes::WIDTH;

const SHARING: Keeping = Keeping {
    shared: true,
    ..KEEPING
};

/// The layout of a layer within a unit: the number of buckets, and of values in each.
struct Layout {
    layer: &'static str,
    buckets: usize,
    numbers: usize,
}

impl Layout {
    /// The indices in all buckets that share with this index of the first one.
    fn places(&self, place: usize) -> impl Iterator<Item = usize> + use<> {
        let (unit, within) = (place / self.numbers, place % self.numbers);
        let (buckets, numbers) = (self.buckets, self.numbers);
        (0..buckets).map(move |bucket| (unit * buckets + bucket) * numbers + within)
    }
}

fn layer<N>(net: &mut N, tensors: Tensors<N>, name: &str) -> usize {
    let names = tensors(net).into_iter().map(|(name, _)| name);
    names
        .collect::<Vec<_>>()
        .iter()
        .position(|&own| own == name)
        .expect("a layer")
}

/// The change of a layer's weights in a bare step.
fn change<N: Trainee>(net: &mut N, tensors: Tensors<N>, layer: usize, batch: &Batch) -> Vec<f32> {
    let mut targets = Targets::default();
    targets.set(batch, &Loss::PLAIN, 0.7);
    let before = numbers(net, tensors);
    Trainer::default().learn(net, batch, &targets, &Loss::PLAIN, &BARE);
    let after = numbers(net, tensors);
    for (layer, numbers) in before.iter().enumerate() {
        set(net, tensors, layer, numbers);
    }
    let both = before[layer].iter().zip(&after[layer]);
    both.map(|(before, after)| before - after).collect()
}

/// A weight changes by its own gradient plus the sum over its buckets; that sum is the gradient of
/// the loss with respect to the shared part.
fn check<N: Trainee>(
    mut alone: N,
    mut sharing: N,
    tensors: Tensors<N>,
    layout: &Layout,
    inputs: &Inputs,
) {
    let batch = positions(inputs, 300, 31);
    let index = layer(&mut alone, tensors, layout.layer);
    let own = change(&mut alone, tensors, index, &batch);
    let both = change(&mut sharing, tensors, index, &batch);
    let firsts = own.len() / layout.buckets;
    let sums: Vec<f32> = (0..firsts)
        .map(|place| layout.places(place).map(|place| own[place]).sum())
        .collect();
    let largest = sums.iter().fold(0.0_f32, |most, sum| most.max(sum.abs()));
    assert!(largest > 1e-4, "nothing to be seen: {largest}");
    for (first, sum) in sums.iter().enumerate() {
        for place in layout.places(first) {
            let expected = own[place] + sum;
            // At weights of about 0.3 floats are 3e-8 apart.
            assert!((both[place] - expected).abs() < 1e-3 * expected.abs() + 2e-7);
        }
    }
    let mut order: Vec<usize> = (0..firsts).collect();
    order.sort_by(|&a, &b| sums[b].abs().total_cmp(&sums[a].abs()));
    let weights = numbers(&mut sharing, tensors).swap_remove(index);
    for &first in &[order[0], order[1], order[firsts / 50]] {
        let mut measure = |way: f32| {
            let mut moved = weights.clone();
            layout.places(first).for_each(|place| moved[place] += way);
            set(&mut sharing, tensors, index, &moved);
            let mut targets = Targets::default();
            targets.set(&batch, &Loss::PLAIN, 0.7);
            Trainer::default().measure(&mut sharing, &batch, &targets, &Loss::PLAIN)
        };
        let way = 2e-3;
        let measured = (measure(way) - measure(-way)) / f64::from(2.0 * way);
        let found = f64::from(sums[first]);
        let bound = 0.03 * found.abs() + 0.01 * f64::from(largest) + 2e-6;
        assert!(
            (found - measured).abs() < bound,
            "{first}: {found} {measured}"
        );
    }
}

#[test]
fn shared_parts_learn_from_all_buckets() {
    for activation in [Activation::Screlu, Activation::Pairwise] {
        let [alone, sharing] =
            [KEEPING, SHARING].map(|keeping| simple_with(activation, 4, keeping));
        let layout = Layout {
            layer: "output",
            buckets: 4,
            numbers: 2 * WIDTH,
        };
        let inputs = alone.shape().inputs.clone();
        check(alone, sharing, SimpleTrainee::tensors, &layout, &inputs);
    }
    let [alone, sharing] = [KEEPING, SHARING].map(sfnn_with);
    let layout = Layout {
        layer: "first",
        buckets: SfnnShape::BUCKETS,
        numbers: 2 * WIDTH * WIDTH,
    };
    let inputs = Inputs::half_ka();
    check(alone, sharing, SfnnTrainee::tensors, &layout, &inputs);
}

/// The limit of what the file can hold applies to the whole weight, not to its parts.
#[test]
fn sums_of_both_parts_are_clipped() {
    let shape = SimpleShape {
        scales: SimpleScales::EIGHT_BITS,
        ..simple_with(Activation::Screlu, 4, SHARING).shape().clone()
    };
    let mut net = SimpleTrainee::new(shape, SHARING).expect("memory");
    net.randomise(3);
    let batch = positions(&net.shape().inputs.clone(), 256, 33);
    train(&mut net, &batch, 1, 12, 0.5);
    let output = layer(&mut net, SimpleTrainee::tensors, "output");
    let weights = numbers(&mut net, SimpleTrainee::tensors).swap_remove(output);
    let limit = 127.0 / 64.0;
    let largest = weights
        .iter()
        .fold(0.0_f32, |most, weight| most.max(weight.abs()));
    assert_eq!(largest, limit);
    let exported = net.export(transformer::Source::Last).expect("memory");
    assert!(exported.output_weights.contains(&127));
    assert!(exported.output_weights.iter().all(|&weight| weight != -128));
}
