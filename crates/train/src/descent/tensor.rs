//! Weights with all that an optimiser remembers of them.

use super::uniform;
use crate::lanes::Strip;
use nets::nnue::{Layer, Random, Values};
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
    /// What the buckets of a layer have in common, if they do: it is a part of the
    /// weights already, but learns for itself.
    shared: Option<Shared>,
}

/// The common part of the weights of buckets.
#[derive(Debug)]
struct Shared {
    buckets: usize,
    tensor: Box<Tensor>,
}

/// Strips of a tensor that change together.
pub(crate) struct Part<'a> {
    pub(crate) values: &'a mut [Strip],
    pub(crate) means: &'a mut [Strip],
    pub(crate) squares: &'a mut [Strip],
    pub(crate) slow: &'a mut [Strip],
    pub(crate) averages: &'a mut [Strip],
    pub(crate) limit: f32,
    /// The part that all buckets of these strips share.
    pub(crate) shared: Option<Box<Part<'a>>>,
}

/// The largest weight that the integers of a layer can hold.
pub(crate) fn limit_of(layer: &Layer) -> f32 {
    (f64::from(layer.largest_weight) / layer.weight_scale) as f32
}

/// To the nearest integer of a scale; weights are kept where it fits.
pub(crate) fn integer(value: f32, scale: f64) -> i32 {
    (f64::from(value) * scale).round_ties_even() as i32
}

/// The way back from integers.
///
/// It gives any of the floats that are rounded to an integer, not the integer itself: there,
/// the first small steps of a training would go nowhere near the next integer, none of them
/// would be seen in a file, and what they all learned together would be lost.
pub(crate) struct Unrounding(Random);

/// How far such floats are from their integer at the most; at a half they may be rounded
/// to the next, the more so where an integer is so large that floats are far apart.
const NEARLY_HALF: f64 = 0.45;

impl Unrounding {
    pub(crate) fn new(seed: u64) -> Unrounding {
        Unrounding(Random::new(seed))
    }

    /// A float that is rounded to this integer of a scale. Where floats are further apart
    /// than integers, it is the one that is nearest.
    pub(crate) fn float(&mut self, whole: i32, scale: f64) -> f32 {
        let offset = f64::from(uniform(&mut self.0)) * NEARLY_HALF;
        let float = |number: f64| (number / scale) as f32;
        let moved = float(f64::from(whole) + offset);
        match integer(moved, scale) == whole {
            true => moved,
            false => float(f64::from(whole)),
        }
    }
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
            shared: None,
        })
    }

    /// The same with a part that so many buckets share; each part of the tensor
    /// that changes alone has all buckets.
    pub(crate) fn sharing(mut self, buckets: usize, extras: Extras) -> io::Result<Tensor> {
        // The average of the weights has that of the common part in it.
        let extras = Extras {
            averages: false,
            ..extras
        };
        let tensor = Tensor::zeros(self.values.len() / buckets, self.limit, extras)?;
        self.shared = Some(Shared {
            buckets,
            tensor: Box::new(tensor),
        });
        Ok(self)
    }

    /// Slow weights and averages begin with the weights themselves.
    pub(crate) fn begin(&mut self) {
        for copy in [&mut self.slow, &mut self.averages] {
            if !copy.is_empty() {
                copy.copy_from_slice(&self.values);
            }
        }
    }

    /// Only the weights stay.
    pub(crate) fn forget(&mut self) {
        for moments in [&mut self.means, &mut self.squares] {
            moments.fill(Strip::default());
        }
        self.begin();
    }

    /// All numbers, with names that never change.
    pub(crate) fn fields(&mut self) -> Vec<(&'static str, &mut [Strip])> {
        let mut fields: Vec<(&'static str, &mut [Strip])> = vec![
            ("values", &mut self.values),
            ("means", &mut self.means),
            ("squares", &mut self.squares),
            ("slow", &mut self.slow),
            ("averages", &mut self.averages),
        ];
        if let Some(shared) = &mut self.shared {
            fields.push(("shared values", &mut shared.tensor.values));
            fields.push(("shared means", &mut shared.tensor.means));
            fields.push(("shared squares", &mut shared.tensor.squares));
            fields.push(("shared slow", &mut shared.tensor.slow));
        }
        fields
    }

    /// The tensor cut into parts of so many strips, the last perhaps shorter.
    pub(crate) fn parts(&mut self, strips: usize) -> Vec<Part<'_>> {
        let limit = self.limit;
        let count = self.values.len().div_ceil(strips.max(1));
        let mut slow = self.slow.chunks_mut(strips.max(1));
        let mut averages = self.averages.chunks_mut(strips.max(1));
        let shared = self.shared.iter_mut();
        let mut shared = shared
            .flat_map(|shared| shared.tensor.parts(strips / shared.buckets))
            .map(Box::new);
        let mut parts = Vec::with_capacity(count);
        for ((values, means), squares) in self
            .values
            .chunks_mut(strips.max(1))
            .zip(self.means.chunks_mut(strips.max(1)))
            .zip(self.squares.chunks_mut(strips.max(1)))
        {
            parts.push(Part {
                values,
                means,
                squares,
                slow: slow.next().unwrap_or_default(),
                averages: averages.next().unwrap_or_default(),
                limit,
                shared: shared.next(),
            });
        }
        parts
    }

    /// All of it; a tensor with a shared part has none of it here.
    pub(crate) fn whole(&mut self) -> Part<'_> {
        debug_assert!(self.shared.is_none());
        Part {
            values: &mut self.values,
            means: &mut self.means,
            squares: &mut self.squares,
            slow: &mut self.slow,
            averages: &mut self.averages,
            limit: self.limit,
            shared: None,
        }
    }
}

impl<'a> Part<'a> {
    /// Cut into parts of so many strips, the last perhaps shorter. A shared part
    /// would belong to none of them: who has one is not cut.
    pub(crate) fn split(self, strips: usize) -> impl Iterator<Item = Part<'a>> {
        debug_assert!(self.shared.is_none());
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
                shared: None,
            })
    }
}
