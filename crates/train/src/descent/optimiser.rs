//! The update rules of gradient descent.

use super::Part;
use crate::WrongSetting;
use crate::lanes::{Lanes, Strip};
use crate::settings::{FORGETTING, within};
use data::range::Range;
use serde::{Deserialize, Serialize};

const EPSILON: Range = Range::above(0.0, 1.0);
const DECAY: Range = Range::closed(0.0, 10.0);
const LIMIT: Range = Range::closed(0.0, 1e6);

/// The optimiser and its constants.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "optimiser")]
pub struct Optimiser {
    /// The update rule.
    pub rule: Rule,
    /// Decay of the moving average of the gradient.
    #[schemars(transform = FORGETTING.schema())]
    pub beta1: f32,
    /// Decay of the moving average of the squared gradient.
    #[schemars(transform = FORGETTING.schema())]
    pub beta2: f32,
    /// A small number that prevents division by zero.
    #[schemars(transform = EPSILON.schema())]
    pub epsilon: f32,
    /// Weight decay: the share of a weight that each step removes, times the learning rate.
    #[schemars(transform = DECAY.schema())]
    pub decay: f32,
    /// Gradients are clipped to this absolute value; 0 for no limit.
    #[schemars(transform = LIMIT.schema())]
    pub gradient_limit: f32,
    /// Weights are clipped to this absolute value; 0 for the largest value that the file can hold.
    #[schemars(transform = LIMIT.schema())]
    pub weight_limit: f32,
}

/// The rules.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// Adam with decoupled weight decay.
    #[default]
    Adamw,
    /// RAdam (warm-up until the variance of the gradient is known) with lookahead: every six
    /// steps half the way to slow weights.
    Ranger,
}

impl Default for Optimiser {
    fn default() -> Optimiser {
        Optimiser {
            rule: Rule::Adamw,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
            decay: 0.01,
            gradient_limit: 0.0,
            weight_limit: 0.0,
        }
    }
}

impl Optimiser {
    /// Rejects values with which no weight can learn.
    pub(crate) fn check(&self) -> Result<(), WrongSetting> {
        for (key, value, range) in [
            ("optimiser.beta1", self.beta1, FORGETTING),
            ("optimiser.beta2", self.beta2, FORGETTING),
            ("optimiser.epsilon", self.epsilon, EPSILON),
            ("optimiser.decay", self.decay, DECAY),
            ("optimiser.gradient_limit", self.gradient_limit, LIMIT),
            ("optimiser.weight_limit", self.weight_limit, LIMIT),
        ] {
            within(key, f64::from(value), range)?;
        }
        Ok(())
    }
}

/// The number of steps after which the slow weights of [`Rule::Ranger`] are updated.
const SLOW_INTERVAL: u64 = 6;
/// How far they then move towards the weights.
const SLOW_SHARE: f32 = 0.5;

/// The constants of one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    optimiser: Optimiser,
    /// The learning rate, with bias correction for the mean of the gradient.
    learning_rate: f32,
    /// The share of each weight that weight decay removes in this step.
    decay: f32,
    /// The bias correction for the square root of the mean square; 0 if the mean square is not
    /// reliable yet.
    root_factor: f32,
    follows_slowly: bool,
    /// The share of the moving average of the weights that is replaced; 0 if none is kept.
    ema_share: f32,
}

impl Step {
    /// The `number`-th step, from 1.
    pub(crate) fn new(
        optimiser: Optimiser,
        number: u64,
        learning_rate: f32,
        ema_share: f32,
    ) -> Step {
        let (beta1, beta2) = (f64::from(optimiser.beta1), f64::from(optimiser.beta2));
        let time = number as f64;
        let mean_part = 1.0 - libm::pow(beta1, time);
        let square_part = 1.0 - libm::pow(beta2, time);
        let (factor, trusted) = match optimiser.rule {
            Rule::Adamw => (1.0, true),
            Rule::Ranger => rectification(beta2, number),
        };
        Step {
            optimiser,
            learning_rate: (f64::from(learning_rate) * factor / mean_part) as f32,
            decay: learning_rate * optimiser.decay,
            root_factor: match trusted {
                true => (1.0 / square_part.sqrt()) as f32,
                false => 0.0,
            },
            follows_slowly: optimiser.rule == Rule::Ranger && number.is_multiple_of(SLOW_INTERVAL),
            ema_share,
        }
    }

    /// Updates the weights of a part, and clears their gradients.
    #[inline(always)]
    pub(crate) fn apply<V: Lanes>(&self, mut part: Part<'_>, gradients: &mut [Strip]) {
        let limit = match self.optimiser.weight_limit > 0.0 {
            true => part.limit.min(self.optimiser.weight_limit),
            false => part.limit,
        };
        match part.shared.take() {
            None => self.change::<V>(&mut part, gradients, limit),
            Some(mut shared) => {
                self.change_both::<V>(&mut part, &mut shared, gradients, limit);
                self.settle::<V>(*shared);
            }
        }
        self.settle::<V>(part);
    }

    /// Updates weights by their gradients, and clears these.
    #[inline(always)]
    fn change<V: Lanes>(&self, part: &mut Part<'_>, gradients: &mut [Strip], limit: f32) {
        let (values, means, squares) = (&mut *part.values, &mut *part.means, &mut *part.squares);
        assert!(
            values.len() == gradients.len()
                && means.len() == values.len()
                && squares.len() == values.len()
        );
        for index in 0..values.len() {
            let gradient = self.limited(V::load(&gradients[index]));
            V::splat(0.0).store(&mut gradients[index]);
            let value = self.stepped(
                V::load(&values[index]),
                gradient,
                &mut means[index],
                &mut squares[index],
            );
            let limit = V::splat(limit);
            let value = value.min(limit).max(V::splat(0.0).sub(limit));
            value.store(&mut values[index]);
        }
    }

    /// Updates the weights of buckets that are sums of a part of their own and of a shared one:
    /// both are trained, and the sums are kept within the limit.
    #[inline(always)]
    fn change_both<V: Lanes>(
        &self,
        part: &mut Part<'_>,
        shared: &mut Part<'_>,
        gradients: &mut [Strip],
        limit: f32,
    ) {
        let size = shared.values.len();
        let mut sums = vec![Strip::ZERO; size];
        for bucket in gradients.chunks(size) {
            for (sum, gradient) in sums.iter_mut().zip(bucket) {
                V::load(sum).add(V::load(gradient)).store(sum);
            }
        }
        for bucket in part.values.chunks_mut(size) {
            for (value, shared) in bucket.iter_mut().zip(&*shared.values) {
                V::load(value).sub(V::load(shared)).store(value);
            }
        }
        self.change::<V>(part, gradients, f32::INFINITY);
        self.change::<V>(shared, &mut sums, limit);
        let limit = V::splat(limit);
        for bucket in part.values.chunks_mut(size) {
            for (value, shared) in bucket.iter_mut().zip(&*shared.values) {
                let sum = V::load(value).add(V::load(shared));
                sum.min(limit).max(V::splat(0.0).sub(limit)).store(value);
            }
        }
    }

    /// Updates slow weights and moving averages.
    #[inline(always)]
    fn settle<V: Lanes>(&self, part: Part<'_>) {
        if self.follows_slowly {
            follow::<V>(part.values, part.slow, SLOW_SHARE);
            part.values.copy_from_slice(part.slow);
        }
        if self.ema_share > 0.0 && !part.averages.is_empty() {
            follow::<V>(part.values, part.averages, self.ema_share);
        }
    }

    #[inline(always)]
    fn limited<V: Lanes>(&self, gradient: V) -> V {
        let limit = self.optimiser.gradient_limit;
        if limit <= 0.0 {
            return gradient;
        }
        gradient.min(V::splat(limit)).max(V::splat(-limit))
    }

    #[inline(always)]
    fn stepped<V: Lanes>(&self, value: V, gradient: V, mean: &mut Strip, square: &mut Strip) -> V {
        let Optimiser { beta1, beta2, .. } = self.optimiser;
        let new_part = gradient.mul(V::splat(1.0 - beta1));
        let new_mean = V::load(mean).mul_add(V::splat(beta1), new_part);
        new_mean.store(mean);
        let new_part = gradient.mul(gradient).mul(V::splat(1.0 - beta2));
        let new_square = V::load(square).mul_add(V::splat(beta2), new_part);
        new_square.store(square);
        let kept = value.mul(V::splat(1.0 - self.decay));
        let scaled = match self.root_factor > 0.0 {
            true => {
                let root = new_square.sqrt().mul(V::splat(self.root_factor));
                new_mean.div(root.add(V::splat(self.optimiser.epsilon)))
            }
            false => new_mean,
        };
        scaled.mul_add(V::splat(-self.learning_rate), kept)
    }
}

/// Moves the followers towards the values by this share.
#[inline(always)]
fn follow<V: Lanes>(values: &[Strip], followers: &mut [Strip], share: f32) {
    assert_eq!(values.len(), followers.len());
    for (value, follower) in values.iter().zip(followers) {
        let old = V::load(follower);
        let way = V::load(value).sub(old);
        way.mul_add(V::splat(share), old).store(follower);
    }
}

/// RAdam's rectification: a factor of the learning rate, and whether the mean square is reliable.
fn rectification(beta2: f64, number: u64) -> (f64, bool) {
    let longest = 2.0 / (1.0 - beta2) - 1.0;
    let power = libm::pow(beta2, number as f64);
    let length = longest - 2.0 * number as f64 * power / (1.0 - power);
    if length <= 5.0 {
        return (1.0, false);
    }
    let numerator = (length - 4.0) * (length - 2.0) * longest;
    let denominator = (longest - 4.0) * (longest - 2.0) * length;
    ((numerator / denominator).sqrt(), true)
}
