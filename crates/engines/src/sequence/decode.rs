//! Samples a move from a policy: temperature, top-k, top-p.

use super::options::Options;
use super::tree::Prior;
use crate::random::Random;

/// The probability with which each move is sampled; the moves are sorted, the likeliest first.
pub(super) fn shares(moves: &[Prior], options: &Options) -> Vec<f64> {
    let mut shares = vec![0.0; moves.len()];
    let (Some(first), Some(best)) = (moves.first(), shares.first_mut()) else {
        return shares;
    };
    if options.temperature <= 0.0 {
        *best = 1.0;
        return shares;
    }
    for (share, prior) in shares.iter_mut().zip(moves) {
        *share = libm::exp(f64::from((prior.log - first.log) / options.temperature));
    }
    let kept = match options.top_k {
        0 => shares.len(),
        most => most.min(shares.len()),
    };
    shares[kept..].fill(0.0);
    let sum: f64 = shares.iter().sum();
    let mut before = 0.0;
    for share in &mut shares {
        // The move that reaches the share is still included.
        let is_beyond = before >= f64::from(options.top_p) * sum;
        before += *share;
        if is_beyond {
            *share = 0.0;
        }
    }
    let sum: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    shares
}

/// The index of a move, sampled by these probabilities.
pub(super) fn sample(moves: &[Prior], options: &Options, random: &mut Random) -> usize {
    random.pick(&shares(moves, options))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Move, squares};

    fn moves(shares: &[f32]) -> Vec<Prior> {
        let prior = |share: &f32| Prior {
            mv: Move::normal(squares::E2, squares::E4),
            log: share.ln(),
        };
        shares.iter().map(prior).collect()
    }

    fn drawn(given: &[f32], top_k: usize, top_p: f32, temperature: f32) -> Vec<f64> {
        let options = Options {
            top_k,
            top_p,
            temperature,
            ..Options::default()
        };
        let rounded = |share: f64| (share * 1e4).round() / 1e4;
        shares(&moves(given), &options)
            .into_iter()
            .map(rounded)
            .collect()
    }

    #[test]
    fn shares_follow_temperature_k_and_p() {
        let given = [0.5, 0.3, 0.15, 0.05];
        assert_eq!(drawn(&given, 0, 1.0, 1.0), [0.5, 0.3, 0.15, 0.05]);
        assert_eq!(drawn(&given, 0, 1.0, 0.0), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(drawn(&given, 2, 1.0, 1.0), [0.625, 0.375, 0.0, 0.0]);
        assert_eq!(drawn(&given, 0, 0.5, 1.0), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(drawn(&given, 0, 0.6, 1.0), [0.625, 0.375, 0.0, 0.0]);
        // The squares of the shares, which sum to 1.
        assert_eq!(drawn(&[0.8, 0.6], 0, 1.0, 0.5), [0.64, 0.36]);
        assert!(drawn(&[], 0, 1.0, 1.0).is_empty());
    }

    #[test]
    fn draws_have_their_shares_and_their_seed() {
        let moves = moves(&[0.5, 0.3, 0.2]);
        let options = Options::default();
        let mut random = Random::new(3, 1);
        let mut counts = [0; 3];
        for _ in 0..20_000 {
            counts[sample(&moves, &options, &mut random)] += 1;
        }
        for (count, share) in counts.iter().zip([0.5, 0.3, 0.2]) {
            assert!(
                (*count as f64 / 20_000.0 - share).abs() < 0.02,
                "{counts:?}"
            );
        }
        let first = |seed| sample(&moves, &options, &mut Random::new(seed, 9));
        let drawn: Vec<usize> = (0..50).map(first).collect();
        assert_eq!(drawn, (0..50).map(first).collect::<Vec<_>>());
    }
}
