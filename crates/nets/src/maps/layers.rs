//! Summary statistics of the weight matrices of nets in floats.

use crate::model::Model;

/// The statistics of a matrix of weights.
#[derive(Clone, PartialEq, Debug)]
pub struct FloatLayer {
    /// Its name.
    pub name: String,
    /// How many weights it has.
    pub count: usize,
    /// The smallest and the largest weight.
    pub weights: [f64; 2],
    /// The mean of their absolute values.
    pub mean_magnitude: f64,
    /// The share of weights that are 0.
    pub zero_share: f64,
}

impl FloatLayer {
    fn new(name: String, weights: &[f32]) -> FloatLayer {
        let count = weights.len().max(1) as f64;
        let numbers = || weights.iter().map(|&weight| f64::from(weight));
        FloatLayer {
            name,
            count: weights.len(),
            weights: [
                numbers().reduce(f64::min).unwrap_or(0.0),
                numbers().reduce(f64::max).unwrap_or(0.0),
            ],
            mean_magnitude: numbers().map(f64::abs).sum::<f64>() / count,
            zero_share: numbers().filter(|&weight| weight == 0.0).count() as f64 / count,
        }
    }
}

impl Model {
    /// The matrices of a ResNet or a sequence model; empty for other kinds, whose weights are
    /// integers.
    pub fn float_layers(&self) -> Vec<FloatLayer> {
        let matrices = match self {
            Model::ResNet(file) => file.matrices(),
            Model::Sequence(file) => file.weights.matrices(),
            _ => Vec::new(),
        };
        matrices
            .into_iter()
            .map(|(name, weights)| FloatLayer::new(name, weights))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_is_summed_up() {
        let layer = FloatLayer::new("heads".to_owned(), &[0.5, -1.5, 0.0, 2.0]);
        assert_eq!((layer.count, layer.weights), (4, [-1.5, 2.0]));
        assert_eq!((layer.mean_magnitude, layer.zero_share), (1.0, 0.25));
        assert_eq!(Model::classical().float_layers(), []);
    }
}
