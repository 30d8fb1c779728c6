//! The layers after the first, position by position: products and the softmax over the rows of
//! legal moves, the softmax over outcomes, and the backward pass.

use super::batch::Block;
use crate::functions::{exp, ln};
use crate::lanes::{Job, Lanes, Strip};
use nets::nnue::OUTCOMES;
use nets::policy::sparse::ROWS;

/// The maximum number of tiles of products in a policy.
const MOST_TILES: usize = 64;

/// The results of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Made {
    /// The gradients of all logits, in the order of the block's rows; if not training, the
    /// probabilities of the moves.
    pub(super) slopes: Vec<f32>,
    /// The win, draw and loss probabilities of each position.
    pub(super) chances: Vec<[f32; OUTCOMES]>,
    /// The gradients of the value's outputs, and of their biases.
    pub(super) outputs: Vec<Strip>,
    pub(super) output_biases: Vec<f32>,
    pub(super) policy_loss: f64,
    pub(super) value_loss: f64,
    /// How often the played move had the highest probability.
    pub(super) hits: u32,
}

/// The weights of these layers.
#[derive(Clone, Copy)]
pub(super) struct Weights<'a> {
    /// By tile and row.
    pub(super) moves: &'a [Strip],
    pub(super) move_biases: &'a [f32],
    /// By output, side and tile.
    pub(super) outputs: &'a [Strip],
    pub(super) output_biases: &'a [f32],
}

/// What the heads have to compute.
#[derive(Clone, Copy)]
pub(super) struct HeadOptions {
    /// Whether gradients are needed.
    pub(super) learns: bool,
    pub(super) smoothing: f32,
    /// One over the total weight of policy targets in the whole batch.
    pub(super) policy_share: f32,
    /// One over the total weight of values.
    pub(super) value_share: f32,
}

/// Runs a block through both heads. Sums are replaced by their gradients.
pub(super) struct Heads<'a> {
    pub(super) weights: Weights<'a>,
    pub(super) options: HeadOptions,
    pub(super) block: &'a Block,
    pub(super) made: &'a mut Made,
    /// By tile.
    pub(super) sums: Vec<&'a mut [Strip]>,
    pub(super) products: Vec<&'a mut [Strip]>,
    pub(super) value_sums: Vec<&'a mut [Strip]>,
}

impl Job for Heads<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(mut self) {
        let made = &mut *self.made;
        made.policy_loss = 0.0;
        made.value_loss = 0.0;
        made.hits = 0;
        made.slopes.resize(self.block.row_count(), 0.0);
        made.chances.resize(self.block.len(), [0.0; OUTCOMES]);
        made.outputs.clear();
        made.outputs.resize(self.weights.outputs.len(), Strip::ZERO);
        made.output_biases.clear();
        made.output_biases
            .resize(self.weights.output_biases.len(), 0.0);
        for position in 0..self.block.len() {
            self.policy::<V>(position);
            self.value::<V>(position);
        }
    }
}

impl Heads<'_> {
    #[inline(always)]
    fn policy<V: Lanes>(&mut self, position: usize) {
        let tiles = self.products.len();
        let (low, high) = self.sums.split_at_mut(tiles);
        let mut local = [Strip::ZERO; MOST_TILES];
        for tile in 0..tiles {
            let (a, b) = (
                V::load(&low[tile][position]),
                V::load(&high[tile][position]),
            );
            let product = a.clipped().mul(b.clipped());
            product.store(&mut local[tile]);
            product.store(&mut self.products[tile][position]);
        }
        let rows = self.block.rows(position);
        let range = self.block.row_range(position);
        let logits = &mut self.made.slopes[range];
        for (logit, &row) in logits.iter_mut().zip(rows) {
            let row = usize::from(row);
            let mut sum = V::splat(0.0);
            for (tile, product) in local[..tiles].iter().enumerate() {
                sum =
                    V::load(product).mul_add(V::load(&self.weights.moves[tile * ROWS + row]), sum);
            }
            *logit = sum.sum() + self.weights.move_biases[row];
        }
        let played = usize::from(self.block.played[position]);
        let searched = self.block.shares(position);
        let [weight, _] = self.block.weights(position);
        if !rows.is_empty() {
            let (loss, is_hit) = match searched {
                None => soft_max(logits, played, self.options.smoothing),
                Some(shares) => soft_max_of(logits, shares, played),
            };
            self.made.policy_loss += f64::from(loss) * f64::from(weight);
            self.made.hits += u32::from(is_hit);
        }
        if !self.options.learns {
            return;
        }
        match searched {
            None => to_slopes(logits, played, &self.options),
            Some(shares) => {
                let factor = self.options.policy_share * weight;
                for (share, target) in logits.iter_mut().zip(shares) {
                    *share = (*share - target) * factor;
                }
            }
        }
        for tile in 0..tiles {
            let mut slope = V::splat(0.0);
            for (&row, &of_logit) in rows.iter().zip(&*logits) {
                let weight = V::load(&self.weights.moves[tile * ROWS + usize::from(row)]);
                slope = weight.mul_add(V::splat(of_logit), slope);
            }
            let (a, b) = (
                V::load(&low[tile][position]),
                V::load(&high[tile][position]),
            );
            let of_a = slope.mul(b.clipped()).where_open(a);
            let of_b = slope.mul(a.clipped()).where_open(b);
            of_a.store(&mut low[tile][position]);
            of_b.store(&mut high[tile][position]);
        }
    }

    #[inline(always)]
    fn value<V: Lanes>(&mut self, position: usize) {
        let tiles = self.value_sums.len();
        let first = usize::from(self.block.outcomes[position]);
        let place = |outcome: usize, side: usize, tile: usize| {
            ((first + outcome) * 2 + side) * tiles + tile
        };
        let mut sums = [V::splat(0.0); OUTCOMES];
        for (tile, values) in self.value_sums.iter().enumerate() {
            for side in 0..2 {
                let value = V::load(&values[2 * position + side]).clipped();
                let square = value.mul(value);
                for (outcome, sum) in sums.iter_mut().enumerate() {
                    let weight = V::load(&self.weights.outputs[place(outcome, side, tile)]);
                    *sum = square.mul_add(weight, *sum);
                }
            }
        }
        let mut chances = sums.map(V::sum);
        for (outcome, chance) in chances.iter_mut().enumerate() {
            *chance += self.weights.output_biases[first + outcome];
        }
        let target = &self.block.targets[position];
        let [_, weight] = self.block.weights(position);
        self.made.value_loss += f64::from(cross_entropy(&mut chances, target) * weight);
        self.made.chances[position] = chances;
        if !self.options.learns {
            return;
        }
        let slopes: [f32; OUTCOMES] = std::array::from_fn(|outcome| {
            (chances[outcome] - target[outcome]) * self.options.value_share * weight
        });
        for (outcome, slope) in slopes.into_iter().enumerate() {
            self.made.output_biases[first + outcome] += slope;
        }
        for (tile, values) in self.value_sums.iter_mut().enumerate() {
            for side in 0..2 {
                let sum = V::load(&values[2 * position + side]);
                let value = sum.clipped();
                let square = value.mul(value);
                let mut inner = V::splat(0.0);
                for (outcome, &slope) in slopes.iter().enumerate() {
                    let (place, slope) = (place(outcome, side, tile), V::splat(slope));
                    inner = V::load(&self.weights.outputs[place]).mul_add(slope, inner);
                    let gradient = &mut self.made.outputs[place];
                    square.mul_add(slope, V::load(gradient)).store(gradient);
                }
                let slope = inner.mul(value.add(value)).where_open(sum);
                slope.store(&mut values[2 * position + side]);
            }
        }
    }
}

/// Replaces logits by probabilities; returns the loss, and whether the played move has the highest
/// logit.
#[inline(always)]
fn soft_max(logits: &mut [f32], played: usize, smoothing: f32) -> (f32, bool) {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let best = logits.iter().position(|&logit| logit == most);
    let (mut sum, mut all) = (0.0, 0.0);
    let of_played = logits[played] - most;
    for logit in logits.iter_mut() {
        *logit -= most;
        all += *logit;
        *logit = exp(*logit);
        sum += *logit;
    }
    for share in logits.iter_mut() {
        *share /= sum;
    }
    let mean = all / logits.len() as f32;
    let expected = (1.0 - smoothing) * of_played + smoothing * mean;
    (ln(sum) - expected, best == Some(played))
}

/// The same with target probabilities, of which `best` has the highest.
#[inline(always)]
fn soft_max_of(logits: &mut [f32], shares: &[f32], best: usize) -> (f32, bool) {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let largest = logits.iter().position(|&logit| logit == most);
    let (mut sum, mut expected) = (0.0, 0.0);
    for (logit, share) in logits.iter_mut().zip(shares) {
        *logit -= most;
        expected += *logit * share;
        *logit = exp(*logit);
        sum += *logit;
    }
    for share in logits.iter_mut() {
        *share /= sum;
    }
    (ln(sum) - expected, largest == Some(best))
}

/// Replaces the probabilities by the gradient of their logits.
#[inline(always)]
fn to_slopes(shares: &mut [f32], played: usize, options: &HeadOptions) {
    let alike = options.smoothing / shares.len().max(1) as f32;
    for (index, share) in shares.iter_mut().enumerate() {
        let target = match index == played {
            true => 1.0 - options.smoothing + alike,
            false => alike,
        };
        *share = (*share - target) * options.policy_share;
    }
}

/// Replaces logits by probabilities; returns the cross-entropy with the target.
#[inline(always)]
fn cross_entropy(logits: &mut [f32; OUTCOMES], target: &[f32; OUTCOMES]) -> f32 {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    let mut expected = 0.0;
    for (logit, share) in logits.iter_mut().zip(target) {
        *logit -= most;
        expected += *logit * share;
        *logit = exp(*logit);
        sum += *logit;
    }
    for chance in logits.iter_mut() {
        *chance /= sum;
    }
    ln(sum) - expected
}
