//! The published loss of a factored policy: a softmax over origins, and one over the moves from
//! each origin. A search adds the logits of both, and so has other priors than were trained: a
//! mistake, kept to measure what it costs. Here both softmaxes are over legal moves alone.

use crate::float::cross_entropy;

/// The loss of both factors; replaces the logits of moves and origins by their gradient. `places`
/// are the indices of the moves' origins.
pub(super) fn loss(
    moves: &mut [f32],
    origins: &mut [f32],
    places: &[usize],
    shares: &[f32],
) -> f64 {
    let mut of_origins = vec![0.0; origins.len()];
    for (&place, &share) in places.iter().zip(shares) {
        of_origins[place] += share;
    }
    let mut sum = cross_entropy(origins, &of_origins);
    for (place, &whole) in of_origins.iter().enumerate() {
        let own: Vec<usize> = (0..moves.len()).filter(|&at| places[at] == place).collect();
        let mut logits: Vec<f32> = own.iter().map(|&at| moves[at]).collect();
        let target = |&at: &usize| match whole > 0.0 {
            true => shares[at] / whole,
            false => 0.0,
        };
        let targets: Vec<f32> = own.iter().map(target).collect();
        let loss = cross_entropy(&mut logits, &targets);
        sum += f64::from(whole) * loss;
        for (&at, slope) in own.iter().zip(logits) {
            moves[at] = whole * slope;
        }
    }
    sum
}
