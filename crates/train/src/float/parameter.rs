//! Trained values with their gradients and their optimiser state.

use crate::lanes::{Strip, WIDTH};

/// Whether values are subject to weight decay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decay {
    /// For weights.
    Yes,
    /// For biases, gains and offsets.
    No,
}

/// A tensor in training.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    count: usize,
    pub(super) values: Vec<Strip>,
    pub(super) gradient: Vec<Strip>,
    pub(super) means: Vec<Strip>,
    pub(super) squares: Vec<Strip>,
    /// The moving average, if it is kept; otherwise empty.
    pub(super) averages: Vec<Strip>,
    pub(super) decay: Decay,
}

impl Parameter {
    /// A parameter with these initial values.
    pub(crate) fn new(values: &[f32], decay: Decay, keeps_average: bool) -> Parameter {
        let strips = values.len().div_ceil(WIDTH);
        let mut parameter = Parameter {
            count: values.len(),
            values: vec![Strip::ZERO; strips],
            gradient: vec![Strip::ZERO; strips],
            means: vec![Strip::ZERO; strips],
            squares: vec![Strip::ZERO; strips],
            averages: vec![Strip::ZERO; if keeps_average { strips } else { 0 }],
            decay,
        };
        parameter.set(values);
        parameter
    }

    /// Replaces the values; average and optimiser state are reset.
    pub(crate) fn set(&mut self, values: &[f32]) {
        flat_mut(&mut self.values)[..self.count].copy_from_slice(values);
        if !self.averages.is_empty() {
            self.averages.copy_from_slice(&self.values);
        }
        self.means.fill(Strip::ZERO);
        self.squares.fill(Strip::ZERO);
    }

    /// The present values.
    pub(crate) fn values(&self) -> &[f32] {
        &flat(&self.values)[..self.count]
    }

    /// The moving average of the values, or the values if none is kept.
    pub(crate) fn averages(&self) -> &[f32] {
        match self.averages.is_empty() {
            true => self.values(),
            false => &flat(&self.averages)[..self.count],
        }
    }

    /// The gradient of the loss.
    #[cfg(test)]
    pub(crate) fn gradient(&self) -> &[f32] {
        &flat(&self.gradient)[..self.count]
    }

    /// The gradient of the loss, to be written.
    pub(crate) fn gradient_mut(&mut self) -> &mut [f32] {
        &mut flat_mut(&mut self.gradient)[..self.count]
    }

    /// All arrays that a checkpoint stores.
    pub(crate) fn kept(&mut self) -> [&mut [Strip]; 4] {
        [
            &mut self.values,
            &mut self.means,
            &mut self.squares,
            &mut self.averages,
        ]
    }
}

fn flat(strips: &[Strip]) -> &[f32] {
    bytemuck::cast_slice(strips)
}

fn flat_mut(strips: &mut [Strip]) -> &mut [f32] {
    bytemuck::cast_slice_mut(strips)
}
