//! Weights with all that an optimiser remembers of them.

use super::lanes::Strip;
use nets::nnue::{Layer, Values};
use std::io;

/// Weights of one layer, in strips.
#[derive(Debug)]
pub(crate) struct Tensor {
    pub(crate) values: Values<Strip>,
    pub(crate) means: Values<Strip>,
    pub(crate) squares: Values<Strip>,
    /// The slow weights of an optimiser that has them, else empty.
    pub(crate) slow: Values<Strip>,
    /// The average of the weights over time, if it is kept, else empty.
    pub(crate) averages: Values<Strip>,
    /// No weight is larger: what the integers of the file can hold.
    pub(crate) limit: f32,
}

/// Strips of a tensor that change together.
pub(crate) struct Part<'a> {
    pub(crate) values: &'a mut [Strip],
    pub(crate) means: &'a mut [Strip],
    pub(crate) squares: &'a mut [Strip],
    pub(crate) slow: &'a mut [Strip],
    pub(crate) averages: &'a mut [Strip],
    pub(crate) limit: f32,
}

/// The largest weight that the integers of a layer can hold.
pub(crate) fn limit_of(layer: &Layer) -> f32 {
    (f64::from(layer.largest_weight) / layer.weight_scale) as f32
}

/// What is kept beside weights and the moments of their gradients.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Extras {
    pub(crate) slow: bool,
    pub(crate) averages: bool,
}

impl Tensor {
    /// So many strips of zeros.
    pub(crate) fn zeros(strips: usize, limit: f32, extras: Extras) -> io::Result<Tensor> {
        let kept = |wanted: bool| Values::zeros(if wanted { strips } else { 0 });
        Ok(Tensor {
            values: Values::zeros(strips)?,
            means: Values::zeros(strips)?,
            squares: Values::zeros(strips)?,
            slow: kept(extras.slow)?,
            averages: kept(extras.averages)?,
            limit,
        })
    }

    /// Slow weights and averages begin with the weights themselves.
    pub(crate) fn begin(&mut self) {
        for copy in [&mut self.slow, &mut self.averages] {
            if !copy.is_empty() {
                copy.copy_from_slice(&self.values);
            }
        }
    }

    /// All numbers, with names that never change.
    pub(crate) fn fields(&mut self) -> [(&'static str, &mut [Strip]); 5] {
        [
            ("values", &mut self.values),
            ("means", &mut self.means),
            ("squares", &mut self.squares),
            ("slow", &mut self.slow),
            ("averages", &mut self.averages),
        ]
    }

    /// The tensor cut into parts of so many strips, the last perhaps shorter.
    pub(crate) fn parts(&mut self, strips: usize) -> Vec<Part<'_>> {
        self.whole().split(strips).collect()
    }

    /// All of it.
    pub(crate) fn whole(&mut self) -> Part<'_> {
        Part {
            values: &mut self.values,
            means: &mut self.means,
            squares: &mut self.squares,
            slow: &mut self.slow,
            averages: &mut self.averages,
            limit: self.limit,
        }
    }
}

impl<'a> Part<'a> {
    /// Cut into parts of so many strips, the last perhaps shorter.
    pub(crate) fn split(self, strips: usize) -> impl Iterator<Item = Part<'a>> {
        let strips = strips.max(1);
        let mut slow = self.slow.chunks_mut(strips);
        let mut averages = self.averages.chunks_mut(strips);
        self.values
            .chunks_mut(strips)
            .zip(self.means.chunks_mut(strips))
            .zip(self.squares.chunks_mut(strips))
            .map(move |((values, means), squares)| Part {
                values,
                means,
                squares,
                slow: slow.next().unwrap_or_default(),
                averages: averages.next().unwrap_or_default(),
                limit: self.limit,
            })
    }
}
