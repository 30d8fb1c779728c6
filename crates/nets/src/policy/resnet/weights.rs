//! The weights of a ResNet: its tensors in the order of its shape.

use super::shape::{ResNetShape, TensorKind};
use crate::Provenance;
use crate::nnue::Random;

/// A ResNet as it is trained and stored in files; batch norms are not folded.
#[derive(Clone, PartialEq, Debug)]
pub struct ResNetWeights {
    shape: ResNetShape,
    /// The values of each tensor of the shape.
    tensors: Vec<Vec<f32>>,
    /// What it is, in words.
    pub description: String,
    /// Where it comes from.
    pub provenance: Provenance,
}

impl ResNetWeights {
    /// Gains and variances of 1; everything else is 0.
    pub fn new(shape: ResNetShape) -> ResNetWeights {
        let values = |kind| match kind {
            TensorKind::Gain | TensorKind::Variance => 1.0,
            _ => 0.0,
        };
        let tensors = shape.tensors();
        ResNetWeights {
            tensors: tensors
                .iter()
                .map(|tensor| vec![values(tensor.kind); tensor.count()])
                .collect(),
            shape,
            description: String::new(),
            provenance: Provenance::default(),
        }
    }

    /// Initial weights for training: He's normal distribution for convolutions, He's
    /// uniform distribution for linear layers, biases of 0.
    pub fn initialised(shape: ResNetShape, seed: u64) -> ResNetWeights {
        let mut weights = ResNetWeights::new(shape);
        let mut random = Random::new(seed);
        let shapes = weights.shape.tensors();
        for (shape, values) in shapes.iter().zip(&mut weights.tensors) {
            let scale = (2.0 / shape.fan_in().max(1) as f64).sqrt();
            for value in values {
                *value = match shape.kind {
                    TensorKind::Convolution => scale * normal(&mut random),
                    TensorKind::Linear => scale * 3_f64.sqrt() * (2.0 * unit(&mut random) - 1.0),
                    _ => continue,
                } as f32;
            }
        }
        weights
    }

    /// The shape.
    pub fn shape(&self) -> &ResNetShape {
        &self.shape
    }

    /// The values of all tensors, in the order of [`ResNetShape::tensors`].
    pub fn tensors(&self) -> &[Vec<f32>] {
        &self.tensors
    }

    /// The same, mutable; their lengths must not change.
    pub fn tensors_mut(&mut self) -> &mut [Vec<f32>] {
        &mut self.tensors
    }

    /// The weights of all convolutions and linear layers, with their names.
    pub(crate) fn matrices(&self) -> Vec<(String, &[f32])> {
        let shapes = self.shape.tensors().into_iter().zip(&self.tensors);
        shapes
            .filter(|(shape, _)| matches!(shape.kind, TensorKind::Convolution | TensorKind::Linear))
            .map(|(shape, values)| (shape.name, values.as_slice()))
            .collect()
    }

    /// The name of the first tensor with an infinite value, a NaN, or a negative
    /// variance.
    pub fn broken(&self) -> Option<String> {
        let shapes = self.shape.tensors();
        let mut both = shapes.iter().zip(&self.tensors);
        let broken = both.find(|(shape, values)| {
            let is_wrong = |value: &f32| {
                !value.is_finite() || shape.kind == TensorKind::Variance && *value < 0.0
            };
            values.iter().any(is_wrong)
        });
        broken.map(|(shape, _)| shape.name.clone())
    }
}

/// A random number from 0 to 1.
fn unit(random: &mut Random) -> f64 {
    (random.number() >> 11) as f64 / (1_u64 << 53) as f64
}

/// A nearly normal random number with variance 1, as a sum of twelve uniform ones: it needs
/// no function whose last bit differs between systems.
fn normal(random: &mut Random) -> f64 {
    (0..12).map(|_| unit(random)).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_has_the_variance_of_its_fan_in() {
        let shape = ResNetShape {
            channels: 24,
            blocks: 1,
            ..ResNetShape::default()
        };
        let weights = ResNetWeights::initialised(shape.clone(), 3);
        assert_eq!(weights, ResNetWeights::initialised(shape.clone(), 3));
        assert_ne!(weights, ResNetWeights::initialised(shape.clone(), 4));
        for (tensor, values) in shape.tensors().iter().zip(weights.tensors()) {
            let count = values.len() as f64;
            let variance = values.iter().map(|&it| f64::from(it).powi(2)).sum::<f64>() / count;
            let expected = match tensor.kind {
                TensorKind::Convolution | TensorKind::Linear => 2.0 / tensor.fan_in() as f64,
                TensorKind::Gain | TensorKind::Variance => 1.0,
                _ => 0.0,
            };
            assert!(
                (variance - expected).abs() <= 0.2 * expected,
                "{}",
                tensor.name
            );
        }
        assert_eq!(weights.broken(), None);
    }

    #[test]
    fn numbers_that_are_none_are_found() {
        let mut weights = ResNetWeights::new(ResNetShape::default());
        weights.tensors_mut()[1][3] = f32::NAN;
        assert_eq!(weights.broken().as_deref(), Some("stem.norm.weight"));
    }
}
