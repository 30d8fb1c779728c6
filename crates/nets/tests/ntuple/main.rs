//! The public interface of n-tuple networks.

mod files;
mod incremental;
#[path = "../nnue/positions.rs"]
mod positions;
mod values;

use nets::ntuple::{NTuple, NTupleWeights, Tuple};
use std::sync::Arc;

/// The published set with random weights.
fn published(seed: u64, most: i16) -> NTupleWeights {
    let mut weights = NTupleWeights::zeros(Tuple::published()).expect("different tuples");
    weights.fill_randomly(seed, most);
    weights
}

/// Tuples with these names and random weights.
fn named(names: &[&str], seed: u64, most: i16) -> NTupleWeights {
    let tuples = names.iter().map(|name| name.parse().expect("a tuple"));
    let mut weights = NTupleWeights::zeros(tuples.collect()).expect("different tuples");
    weights.fill_randomly(seed, most);
    weights
}

fn network(weights: NTupleWeights) -> Arc<NTuple> {
    Arc::new(NTuple::new(weights).expect("within bounds"))
}
