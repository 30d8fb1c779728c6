//! The engines' search, in the form that trainings ask for.
//!
//! It connects two crates that must not know each other, and does nothing else.

use chess::{Board, Game, Move};
use engines::exact::{Exact, Variation};
use engines::sequence::{self, Options};
use nets::ntuple::{NTuple, NTupleEvaluator};
use nets::policy::PolicyValue;
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

    fn improve(
        &self,
        games: &[Game],
        model: &mut dyn PolicyValue,
        evaluations: u64,
    ) -> Vec<Vec<(Move, f32)>> {
        let search = |game: &Game| {
            let moves = game.board().legal_moves().to_vec();
            sequence::Search::new(game, moves, Options::default(), evaluations, 0)
        };
        let mut searches: Vec<sequence::Search> = games.iter().map(search).collect();
        sequence::run_together(&mut searches, model);
        let found = searches.iter_mut().map(|search| {
            let moves = search.answer().moves.into_iter();
            moves.map(|found| (found.mv, found.policy)).collect()
        });
        found.collect()
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
