//! Weights with their optimiser state.

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
    /// The slow weights, if the optimiser has them; otherwise empty.
    pub(crate) slow: Values<Strip>,
    /// The moving average of the weights, if it is kept; otherwise empty.
    pub(crate) averages: Values<Strip>,
    /// The largest absolute value of a weight: what the integers of the file can hold.
    pub(crate) limit: f32,
    /// The common part of the buckets of a layer, if there is one: it is included in the weights,
    /// but trained separately.
    shared: Option<Shared>,
}

/// The common part of the weights of all buckets.
#[derive(Debug)]
struct Shared {
    buckets: usize,
    tensor: Box<Tensor>,
}

/// Strips of a tensor that are updated together.
pub(crate) struct Part<'a> {
    pub(crate) values: &'a mut [Strip],
    pub(crate) means: &'a mut [Strip],
    pub(crate) squares: &'a mut [Strip],
    pub(crate) slow: &'a mut [Strip],
    pub(crate) averages: &'a mut [Strip],
    pub(crate) limit: f32,
    /// The part that all buckets of these strips have in common.
    pub(crate) shared: Option<Box<Part<'a>>>,
}

/// The largest weight that the integers of a layer can hold.
pub(crate) fn limit_of(layer: &Layer) -> f32 {
    (f64::from(layer.largest_weight) / layer.weight_scale) as f32
}

/// Rounds to the nearest integer of a scale; the caller keeps weights within its range.
pub(crate) fn integer(value: f32, scale: f64) -> i32 {
    (f64::from(value) * scale).round_ties_even() as i32
}

/// Converts integers back to floats.
///
/// It returns a random float that rounds to the integer, not the integer itself: from there the
/// first small steps of a training would not reach the next integer, none of them would be seen in
/// a file, and all that they learned would be lost.
pub(crate) struct Unrounding(Random);

/// The largest distance of such floats from their integer; at a half some would round to the next
/// one, especially where integers are so large that floats are sparse.
const NEARLY_HALF: f64 = 0.45;

impl Unrounding {
    pub(crate) fn new(seed: u64) -> Unrounding {
        Unrounding(Random::new(seed))
    }

    /// A float that rounds to this integer of a scale. Where floats are sparser than integers, it
    /// is the nearest one.
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

/// What is stored besides weights and the moments of their gradients.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Extras {
    pub(crate) slow: bool,
    pub(crate) averages: bool,
}

impl Tensor {
    /// A tensor of zeros.
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

    /// The same with a part that all buckets share; each part of the tensor that is updated
    /// separately then includes all buckets.
    pub(crate) fn sharing(mut self, buckets: usize, extras: Extras) -> io::Result<Tensor> {
        // The average of the weights already includes that of the common part.
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

    /// Sets slow weights and averages to the weights.
    pub(crate) fn begin(&mut self) {
        for copy in [&mut self.slow, &mut self.averages] {
            if !copy.is_empty() {
                copy.copy_from_slice(&self.values);
            }
        }
    }

    /// Resets the optimiser state; only the weights are kept.
    pub(crate) fn forget(&mut self) {
        for moments in [&mut self.means, &mut self.squares] {
            moments.fill(Strip::default());
        }
        self.begin();
    }

    /// All arrays, with names that never change.
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

    /// The tensor split into parts of this many strips; the last one may be shorter.
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

    /// The whole tensor as one part; it must not have a shared part.
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
    /// Splits a part into parts of this many strips; the last one may be shorter. It must not have
    /// a shared part, which would belong to none of them.
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
