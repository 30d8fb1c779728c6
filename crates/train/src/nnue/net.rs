//! A net in training, of either shape: what a training needs of it.

use super::batch::Batch;
use super::sfnn::SfnnTrainee;
use super::simple::{Keeping, SimpleTrainee};
use super::trainer::{StepSettings, Trainee};
use super::transformer::Source;
use crate::descent::{Tensor, Unrounding, tensors};
use nets::Provenance;
use nets::nnue::sfnn::{Compression, SfnnWeights};
use nets::nnue::simple::SimpleWeights;
use nets::nnue::{Inputs, Net, NetError, SfnnShape, SimpleShape};
use std::{fmt, io};

/// A shape that can be trained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraineeShape {
    /// Tabia's own shape.
    Simple(SimpleShape),
    /// Stockfish's shape.
    Sfnn(SfnnShape),
}

impl TraineeShape {
    /// The input planes.
    pub fn inputs(&self) -> Inputs {
        match self {
            TraineeShape::Simple(shape) => shape.inputs.clone(),
            TraineeShape::Sfnn(shape) => shape.inputs(),
        }
    }
}

/// A short description.
impl fmt::Display for TraineeShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraineeShape::Simple(shape) => shape.fmt(f),
            TraineeShape::Sfnn(shape) => shape.fmt(f),
        }
    }
}

/// A net in training.
#[derive(Debug)]
pub enum Learner {
    /// Tabia's own shape.
    Simple(Box<SimpleTrainee>),
    /// Stockfish's shape.
    Sfnn(Box<SfnnTrainee>),
}

/// A trained net in integers.
#[derive(Debug)]
pub enum Exported {
    /// Tabia's own shape.
    Simple(Box<SimpleWeights>),
    /// Stockfish's shape.
    Sfnn(Box<SfnnWeights>),
}

impl Exported {
    /// The extension of its file.
    pub(crate) fn ending(&self) -> &'static str {
        match self {
            Exported::Simple(_) => "tabianet",
            Exported::Sfnn(_) => "nnue",
        }
    }

    /// The contents of the net's file.
    ///
    /// # Errors
    /// If the file format cannot hold them.
    pub fn into_bytes(
        self,
        description: &str,
        provenance: Provenance,
    ) -> Result<Vec<u8>, NetError> {
        let mut bytes = Vec::new();
        match self {
            Exported::Simple(mut weights) => {
                weights.description = description.to_owned();
                weights.provenance = provenance;
                weights.write(&mut bytes)?;
            }
            Exported::Sfnn(mut weights) => {
                weights.description = description.as_bytes().to_vec();
                weights.write(Compression::Raw, &mut bytes)?;
            }
        }
        Ok(bytes)
    }
}

impl Learner {
    /// A net with random weights.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(shape: &TraineeShape, keeping: Keeping, seed: u64) -> io::Result<Learner> {
        Ok(match shape {
            TraineeShape::Simple(shape) => {
                let mut net = SimpleTrainee::new(shape.clone(), keeping)?;
                net.randomise(seed);
                Learner::Simple(Box::new(net))
            }
            TraineeShape::Sfnn(shape) => {
                let mut net = SfnnTrainee::new(*shape, keeping)?;
                net.randomise(seed);
                Learner::Sfnn(Box::new(net))
            }
        })
    }

    /// The net in integers, made from the moving average of its weights if one is kept.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn export(&self, averaged: bool) -> io::Result<Exported> {
        let source = match averaged {
            true => Source::Average,
            false => Source::Last,
        };
        Ok(match self {
            Learner::Simple(net) => Exported::Simple(Box::new(net.export(source)?)),
            Learner::Sfnn(net) => Exported::Sfnn(Box::new(net.export(source)?)),
        })
    }

    /// Takes the weights of a net; returns false if it has another shape. The scales of its
    /// integers may differ. The seed determines the fractions that the integers have lost.
    pub(crate) fn import(&mut self, net: &Net, seed: u64) -> bool {
        let unrounding = &mut Unrounding::new(seed);
        match (self, net) {
            (Learner::Simple(own), Net::Simple(net)) => {
                let shape = net.weights().shape();
                let scales = own.shape().scales;
                let is_same = *own.shape()
                    == SimpleShape {
                        scales,
                        ..shape.clone()
                    };
                if is_same {
                    own.import(net.weights(), unrounding);
                }
                is_same
            }
            (Learner::Sfnn(own), Net::Sfnn(net)) => {
                let is_same = own.shape() == net.weights().shape();
                if is_same {
                    own.import(net.weights(), unrounding);
                }
                is_same
            }
            _ => false,
        }
    }

    /// Swaps the weights with their averages, if these are kept.
    pub(crate) fn swap_averages(&mut self) {
        tensors::swap_averages(self.tensors());
    }

    /// Whether all weights and the whole optimiser state are finite.
    pub(crate) fn is_finite(&mut self) -> bool {
        tensors::are_finite(self.tensors())
    }

    /// Resets the optimiser state; the weights are kept.
    pub(crate) fn forget(&mut self) {
        for (_, tensor) in self.tensors() {
            tensor.forget();
        }
    }

    /// All weights, with names that never change.
    pub(crate) fn tensors(&mut self) -> Vec<(&'static str, &mut Tensor)> {
        match self {
            Learner::Simple(net) => net.tensors(),
            Learner::Sfnn(net) => net.tensors(),
        }
    }
}

impl Trainee for Learner {
    fn value_scale(&self) -> f32 {
        match self {
            Learner::Simple(net) => net.value_scale(),
            Learner::Sfnn(net) => net.value_scale(),
        }
    }

    fn forward(&mut self, batch: &Batch, outputs: &mut Vec<f32>) {
        match self {
            Learner::Simple(net) => net.forward(batch, outputs),
            Learner::Sfnn(net) => net.forward(batch, outputs),
        }
    }

    fn backward(&mut self, batch: &Batch, slopes: &[f32], step: &StepSettings) {
        match self {
            Learner::Simple(net) => Trainee::backward(net.as_mut(), batch, slopes, step),
            Learner::Sfnn(net) => Trainee::backward(net.as_mut(), batch, slopes, step),
        }
    }
}
