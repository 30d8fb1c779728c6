//! Turns logits into the edges of a node: softmax with a temperature, sorted by prior.

use super::arena::{Arena, PRIOR_UNIT};
use chess::{MAX_MOVES, Move};

/// Exponents are clamped here: lower ones contribute nothing measurable.
const LEAST_EXPONENT: f32 = -80.0;

/// The buffer in which priors are computed, so that no simulation allocates.
pub(super) struct Priors {
    shares: [f32; MAX_MOVES],
    keys: [u32; MAX_MOVES],
    count: usize,
}

impl Default for Priors {
    fn default() -> Priors {
        Priors {
            shares: [0.0; MAX_MOVES],
            keys: [0; MAX_MOVES],
            count: 0,
        }
    }
}

impl Priors {
    /// Computes the softmax of logits; uniform if they are not finite.
    pub(super) fn set(&mut self, logits: &[f32], temperature: f32) {
        self.count = logits.len().min(MAX_MOVES);
        let shares = &mut self.shares[..self.count];
        let logits = &logits[..shares.len()];
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let factor = 1.0 / temperature;
        for (share, &logit) in shares.iter_mut().zip(logits) {
            *share = exponential((logit - most) * factor);
        }
        let sum: f32 = shares.iter().sum();
        match sum.is_finite() && sum > 0.0 {
            true => shares.iter_mut().for_each(|share| *share /= sum),
            false => shares.fill(1.0 / logits.len() as f32),
        }
    }

    /// The priors, in the order of the logits.
    pub(super) fn shares_mut(&mut self) -> &mut [f32] {
        &mut self.shares[..self.count]
    }

    /// A node with these moves, given in the order of the logits; `None` if there is no room.
    pub(super) fn node(&mut self, arena: &Arena, moves: &[Move]) -> Option<u32> {
        let header = arena.node(self.count as u32)?;
        let keys = &mut self.keys[..self.count];
        for (number, (key, share)) in keys.iter_mut().zip(&self.shares).enumerate() {
            // The low bits hold the move's number, counted from the end, so that moves with equal
            // priors keep their order. At the root that order is random, so that equal moves take
            // turns from game to game. Below the root it is the order of generation: a node must
            // not depend on when and by which thread it is made, and equal moves differ in value
            // after one visit anyway.
            let prior = (share * PRIOR_UNIT) as u32;
            *key = prior.clamp(1, PRIOR_UNIT as u32) << 16 | (u16::MAX as u32 - number as u32);
        }
        keys.sort_unstable_by(|a, b| b.cmp(a));
        for (edge, &key) in arena.edges(header).iter().zip(keys.iter()) {
            let number = u16::MAX - key as u16;
            edge.set_label(moves[number as usize], (key >> 16) as u16);
        }
        Some(header)
    }
}

/// The exponential of a number that is not positive, to about six digits, computed only by sums and
/// products, so that it is the same on every CPU and vectorises.
#[inline(always)]
fn exponential(value: f32) -> f32 {
    const LOG2_E: f32 = std::f32::consts::LOG2_E;
    /// Adding and subtracting this rounds to an integer.
    const ROUNDER: f32 = 12_582_912.0;
    let exponent = value.max(LEAST_EXPONENT) * LOG2_E;
    let whole = (exponent + ROUNDER) - ROUNDER;
    let rest = (exponent - whole) * std::f32::consts::LN_2;
    // The Taylor series of e^x, on [-0.35, 0.35].
    let mut power = 1.0 / 720.0;
    for coefficient in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        power = power * rest + coefficient;
    }
    f32::from_bits((((whole as i32) + 127) << 23) as u32) * power
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Board;

    fn shares(logits: &[f32], temperature: f32) -> Vec<f32> {
        let mut priors = Priors::default();
        priors.set(logits, temperature);
        priors.shares_mut().to_vec()
    }

    #[test]
    fn the_exponential_is_right_to_six_digits() {
        for step in 0..=8_000 {
            let value = -step as f32 / 100.0;
            let (own, exact) = (f64::from(exponential(value)), f64::from(value).exp());
            assert!((own / exact - 1.0).abs() < 5e-6, "{value} {own} {exact}");
        }
        assert_eq!(exponential(0.0), 1.0);
        assert!(exponential(f32::NEG_INFINITY) < 1e-30);
    }

    #[test]
    fn temperature_flattens() {
        let found = shares(&[0.0, 2.0f32.ln(), f32::NEG_INFINITY], 1.0);
        assert!((found[1] / found[0] - 2.0).abs() < 1e-4 && found[2] < 1e-20);
        let flat = shares(&[0.0, 2.0f32.ln()], 2.0);
        assert!((flat[1] / flat[0] - 2.0f32.sqrt()).abs() < 1e-4);
    }

    #[test]
    fn a_policy_that_is_no_policy_is_uniform() {
        for logits in [[f32::NAN; 4], [f32::INFINITY; 4], [f32::NEG_INFINITY; 4]] {
            assert_eq!(shares(&logits, 1.3), [0.25; 4]);
        }
        let some = shares(&[0.0, f32::NAN, 1.0], 1.0);
        assert!((some.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn edges_are_sorted_and_equal_ones_keep_their_order() {
        let moves = Board::start().legal_moves();
        let mut logits = vec![0.0; moves.len()];
        logits[7] = 1.0;
        let (arena, mut priors) = (Arena::new(1), Priors::default());
        priors.set(&logits, 1.0);
        let header = priors.node(&arena, &moves).expect("room");
        let edges = arena.edges(header);
        let order: Vec<Move> = edges.iter().map(|edge| edge.mv()).collect();
        let mut expected = vec![moves[7]];
        expected.extend(moves.iter().copied().filter(|&mv| mv != moves[7]));
        assert_eq!(order, expected);
        let sum: u32 = edges.iter().map(|edge| edge.prior()).sum();
        assert!((65_500..=65_535).contains(&sum), "{sum}");
    }
}
