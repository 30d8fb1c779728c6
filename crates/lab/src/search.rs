//! The search of the engines, as trainings ask for it.
//!
//! It joins two crates that must not know each other and does nothing else.

use chess::{Board, Move};
use engines::exact::{Exact, Variation};
use nets::ntuple::{NTuple, NTupleEvaluator};
use std::sync::Arc;
use train::search::{Bounds, Compared, Leaf, Search, Searcher};

/// The search for trainings that need one.
pub fn training_search() -> Arc<dyn Search> {
    Arc::new(ExactSearch)
}

struct ExactSearch;

impl Search for ExactSearch {
    fn searcher(&self, network: &Arc<NTuple>) -> Box<dyn Searcher> {
        let evaluator = NTupleEvaluator::new(network.clone());
        Box::new(Searching(Exact::new(evaluator)))
    }
}

struct Searching(Exact<NTupleEvaluator>);

impl Searcher for Searching {
    fn compare(&mut self, board: &Board, desired: Move, depth: u32) -> Compared {
        let found = self.0.compare(board, desired, depth);
        Compared {
            desired: leaf(&found.desired),
            better: found.better.iter().map(leaf).collect(),
            equal: found.equal,
        }
    }

    fn tree(&mut self, board: &Board, depth: u32, visit: &mut dyn FnMut(&Board, Bounds)) {
        self.0.tree(board, depth, |board, bounds| {
            let (lower, upper) = (bounds.lower, bounds.upper);
            visit(board, Bounds { lower, upper });
        });
    }
}

fn leaf(variation: &Variation) -> Leaf {
    Leaf {
        value: variation.value,
        board: variation.leaf,
    }
}
