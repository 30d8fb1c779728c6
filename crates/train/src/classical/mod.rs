//! Fitting of the hand-written evaluation's weights, and of tables for tuples of men that are added
//! to it.
//!
//! The terms that are features give a value that is linear in their weights; what the other groups
//! add is a constant of each position. `samples` extracts both from positions, `objective` computes
//! the loss and its gradient, `session` goes through the data and changes the weights.
//!
//! There are few weights, so everything is computed in 64 bits and without instructions that some
//! CPUs lack: results are the same everywhere.

mod objective;
mod samples;
mod session;
mod settings;
#[cfg(test)]
mod tests;

pub use session::Session;
pub use settings::Settings;

use crate::network::Layout;
use nets::classical::FEATURES;
use nets::ntuple::{LARGEST_WEIGHT, NTupleWeights};

/// The opening weights of all features, then their endgame weights. Features are the terms,
/// followed by the entries of tables, if there are any.
type Vector = Vec<f64>;

fn to_vector(network: &NTupleWeights) -> Vector {
    let row = Layout::new(network).row(network);
    [0, 1]
        .into_iter()
        .flat_map(|stage| row.iter().map(move |weight| weight[stage]))
        .collect()
}

/// The rounded weights; everything else is taken from `start`.
fn to_weights(vector: &[f64], start: &NTupleWeights) -> NTupleWeights {
    let mut network = start.clone();
    let (openings, endgames) = vector.split_at(vector.len() / 2);
    for index in 0..FEATURES {
        network
            .linear
            .set_rounded(index, openings[index], endgames[index]);
    }
    let limit = f64::from(LARGEST_WEIGHT);
    let rounded = |value: f64| value.clamp(-limit, limit).round_ties_even() as i16;
    let places = network.tables_mut().iter_mut();
    let places = places.flat_map(|table| table.weights_mut());
    let values = openings[FEATURES..].iter().zip(&endgames[FEATURES..]);
    for (place, (&opening, &endgame)) in places.zip(values) {
        *place = [rounded(opening), rounded(endgame)];
    }
    network
}
