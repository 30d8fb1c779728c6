//! The search that some trainings need. It is provided by whoever runs them: this crate knows no
//! engine.

use crate::float::softmax;
use chess::{Board, Game, Move};
use nets::ntuple::NTuple;
use nets::policy::{PolicyValue, Wanted};
use std::sync::Arc;

/// Makes searchers for the threads of a training.
pub trait Search: Send + Sync {
    /// A searcher that evaluates positions by this network. It is dropped before the network is
    /// changed.
    fn searcher(&self, network: &Arc<NTuple>) -> Box<dyn Searcher>;

    /// The results of short searches with a policy and a value: for each game, its moves with their
    /// target probabilities. The result of a game must not depend on the others. The default
    /// implementation does not search, but returns the policy's own probabilities.
    fn improve(
        &self,
        games: &[Game],
        model: &mut dyn PolicyValue,
        evaluations: u64,
    ) -> Vec<Vec<(Move, f32)>> {
        let _ = evaluations;
        let moves: Vec<_> = games
            .iter()
            .map(|game| game.board().legal_moves())
            .collect();
        for (game, moves) in games.iter().zip(&moves) {
            model.put(game.line(), Wanted::Policy(moves));
        }
        model.run();
        let shares = moves.iter().enumerate().map(|(number, moves)| {
            let mut shares = model.logits(number).to_vec();
            softmax(&mut shares);
            moves.iter().copied().zip(shares).collect()
        });
        shares.collect()
    }
}

/// A plain alpha-beta search of exact depth, followed by quiescence, for one thread. Its results
/// depend only on its arguments and the network.
pub trait Searcher {
    /// Compares the legal moves of a position with one of them. Each is searched to `depth` plies,
    /// at least 1, including the move itself.
    fn compare(&mut self, board: &Board, desired: Move, depth: u32) -> Compared;

    /// Searches a position to a depth of at least 1, and calls `visit` for every position whose
    /// moves were searched.
    fn tree(&mut self, board: &Board, depth: u32, visit: &mut dyn FnMut(&Board, Bounds));
}

/// The end of a principal variation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// The value of its first move for the side that makes it.
    pub value: i32,
    /// The position whose evaluation is the value.
    pub board: Board,
}

/// How the other moves of a position compare with the desired one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compared {
    /// The leaf of the desired move.
    pub desired: Leaf,
    /// The leaves of all moves with a higher value.
    pub better: Vec<Leaf>,
    /// How many others have the same value.
    pub equal: usize,
}

/// Bounds of the value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The value is at least this.
    pub lower: i32,
    /// The value is at most this.
    pub upper: i32,
}
