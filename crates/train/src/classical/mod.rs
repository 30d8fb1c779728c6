//! Fitting of the hand-written evaluation's weights.
//!
//! The terms that are features make a value that is linear in its weights; what
//! the other groups add is a constant of each position. `samples` takes both
//! from positions, `objective` says how far the values are off and in which
//! direction the weights should move, `session` goes through the data and moves them.
//!
//! There are few numbers, so all is done in 64 bits and without instructions
//! that some CPUs lack: results are the same everywhere.

mod objective;
mod samples;
mod session;
mod settings;
#[cfg(test)]
mod tests;

pub use session::Session;
pub use settings::Settings;

use nets::classical::{FEATURES, Weights};

/// Opening weights of all features, then endgame weights.
type Vector = Vec<f64>;

fn to_vector(weights: &Weights) -> Vector {
    let openings = (0..FEATURES).map(|index| f64::from(weights.get(index).0));
    let endgames = (0..FEATURES).map(|index| f64::from(weights.get(index).1));
    openings.chain(endgames).collect()
}

/// The weights rounded, all else as in `start`.
fn to_weights(vector: &[f64], start: &Weights) -> Weights {
    let mut weights = start.clone();
    for index in 0..FEATURES {
        weights.set_rounded(index, vector[index], vector[FEATURES + index]);
    }
    weights
}
