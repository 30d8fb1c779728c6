//! How far two nets of the same shape differ, weight by weight.

use super::file::Net;
use super::transformer::Transformer;

/// How the weights, or the biases, of a layer differ.
#[derive(Clone, PartialEq, Debug)]
pub struct LayerDifference {
    /// The layer.
    pub layer: &'static str,
    /// Whether these are its biases.
    pub is_bias: bool,
    /// How many numbers there are.
    pub count: usize,
    /// How many of them differ.
    pub different: usize,
    /// The largest difference.
    pub largest: u32,
    /// The mean difference.
    pub mean: f64,
    /// Their correlation, from -1 to 1; `None` if all numbers of one net are the
    /// same.
    pub correlation: Option<f64>,
}

/// The sums that give the correlation of two lists of numbers.
#[derive(Clone, Copy, Default, Debug)]
pub struct Correlation {
    count: f64,
    sums: [f64; 2],
    squares: [f64; 2],
    products: f64,
}

impl Correlation {
    /// Adds a pair.
    pub fn add(&mut self, first: f64, second: f64) {
        self.count += 1.0;
        self.sums[0] += first;
        self.sums[1] += second;
        self.squares[0] += first * first;
        self.squares[1] += second * second;
        self.products += first * second;
    }

    /// Pearson's coefficient; `None` if one of the lists does not vary.
    pub fn value(&self) -> Option<f64> {
        let spread = |side: usize| self.count * self.squares[side] - self.sums[side].powi(2);
        let both = spread(0) * spread(1);
        let together = self.count * self.products - self.sums[0] * self.sums[1];
        (both > 0.0).then(|| (together / both.sqrt()).clamp(-1.0, 1.0))
    }
}

impl Net {
    /// How the weights of another net differ; `None` if its shape is different.
    pub fn weight_differences(&self, other: &Net) -> Option<Vec<LayerDifference>> {
        let is_same = match (self, other) {
            (Net::Sfnn(own), Net::Sfnn(other)) => own.weights().shape() == other.weights().shape(),
            (Net::Simple(own), Net::Simple(other)) => {
                own.weights().shape() == other.weights().shape()
            }
            _ => false,
        };
        let pairs = numbers(self).into_iter().zip(numbers(other));
        is_same.then(|| pairs.map(|(own, other)| own.difference(other)).collect())
    }
}

/// The numbers of a layer.
struct Numbers<'a> {
    layer: &'static str,
    is_bias: bool,
    list: Box<dyn Iterator<Item = i32> + 'a>,
}

impl<'a> Numbers<'a> {
    fn new<T: Copy + Into<i32> + 'a>(
        layer: &'static str,
        is_bias: bool,
        list: impl Iterator<Item = &'a T> + 'a,
    ) -> Numbers<'a> {
        Numbers {
            layer,
            is_bias,
            list: Box::new(list.map(|&number| number.into())),
        }
    }

    fn difference(self, other: Numbers<'_>) -> LayerDifference {
        let mut difference = LayerDifference {
            layer: self.layer,
            is_bias: self.is_bias,
            count: 0,
            different: 0,
            largest: 0,
            mean: 0.0,
            correlation: None,
        };
        let mut sum = 0;
        let mut correlation = Correlation::default();
        for (own, other) in self.list.zip(other.list) {
            let distance = own.abs_diff(other);
            difference.count += 1;
            difference.different += usize::from(distance != 0);
            difference.largest = difference.largest.max(distance);
            sum += u64::from(distance);
            correlation.add(f64::from(own), f64::from(other));
        }
        difference.mean = sum as f64 / difference.count.max(1) as f64;
        difference.correlation = correlation.value();
        difference
    }
}

/// All numbers of a net, layer by layer; a layer's numbers from all stacks together.
fn numbers(net: &Net) -> Vec<Numbers<'_>> {
    match net {
        Net::Sfnn(net) => {
            let weights = net.weights();
            let shape = weights.shape();
            let mut list = first_layer(shape.transformer().name, &weights.transformer);
            let psqt = weights.transformer.psqt.iter();
            list.push(Numbers::new(shape.psqt().name, false, psqt));
            for (index, layer) in shape.stack().into_iter().enumerate() {
                let stacks = || weights.stacks.iter().map(move |stack| &stack.layers[index]);
                let values = stacks().flat_map(|affine| &affine.weights);
                list.push(Numbers::new(layer.name, false, values));
                let biases = stacks().flat_map(|affine| &affine.biases);
                list.push(Numbers::new(layer.name, true, biases));
            }
            list
        }
        Net::Simple(net) => {
            let weights = net.weights();
            let shape = weights.shape();
            let mut list = first_layer(shape.transformer().name, &weights.transformer);
            let name = shape.output().name;
            list.push(Numbers::new(name, false, weights.output_weights.iter()));
            list.push(Numbers::new(name, true, weights.output_biases.iter()));
            list
        }
    }
}

fn first_layer<'a>(name: &'static str, transformer: &'a Transformer) -> Vec<Numbers<'a>> {
    vec![
        Numbers::new(name, false, transformer.weights.iter()),
        Numbers::new(name, true, transformer.biases.iter()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::simple::{Simple, SimpleWeights};
    use crate::nnue::{Activation, Inputs, SimpleScales, SimpleShape};
    use std::sync::Arc;

    fn net(hidden: usize, change: impl Fn(&mut SimpleWeights)) -> Net {
        let shape = SimpleShape {
            inputs: Inputs::piece_square([0; 64], false).expect("one bucket"),
            hidden,
            activation: Activation::Crelu,
            output_buckets: 1,
            scales: SimpleScales::default(),
        };
        let mut weights = SimpleWeights::zeros(shape).expect("memory");
        weights.fill_randomly(3, 100, 100);
        change(&mut weights);
        Net::Simple(Arc::new(Simple::new(weights).expect("within bounds")))
    }

    #[test]
    fn differences_are_those_of_the_weights() {
        let own = net(32, |_| {});
        let other = net(32, |weights| {
            weights.transformer.weights[7] += 5;
            weights.transformer.weights[8] -= 3;
            weights
                .output_weights
                .iter_mut()
                .for_each(|weight| *weight = -*weight);
        });
        let list = own.weight_differences(&other).expect("one shape");
        let names: Vec<_> = list
            .iter()
            .map(|layer| (layer.layer, layer.is_bias))
            .collect();
        assert_eq!(
            names,
            [
                ("feature transformer", false),
                ("feature transformer", true),
                ("output", false),
                ("output", true)
            ]
        );
        assert_eq!([list[0].count, list[0].different], [768 * 32, 2]);
        assert_eq!(list[0].largest, 5);
        assert_eq!(list[0].mean, 8.0 / (768.0 * 32.0));
        assert!(
            list[0]
                .correlation
                .is_some_and(|value| (0.999..1.0).contains(&value))
        );
        assert_eq!([list[1].different, list[1].largest as usize], [0, 0]);
        assert!(
            list[2]
                .correlation
                .is_some_and(|value| (value + 1.0).abs() < 0.01)
        );
        // There is only one bias, which does not vary.
        assert_eq!(list[3].correlation, None);
        assert_eq!(own.weight_differences(&net(64, |_| {})), None);
    }
}
