//! The search that some trainings need. Whoever runs them hands it in: this crate knows
//! no engine.

use crate::float::softmax;
use chess::{Board, Game, Move};
use nets::ntuple::NTuple;
use nets::policy::{PolicyValue, Wanted};
use std::sync::Arc;

/// Makes searches for the threads of a training.
pub trait Search: Send + Sync {
    /// A search that values positions by this network. It is dropped before the network
    /// is changed.
    fn searcher(&self, network: &Arc<NTuple>) -> Box<dyn Searcher>;

    /// What short searches with a policy and a value find in games: for each, moves with the
    /// shares that they should have. What comes of a game does not depend on the others. Who
    /// cannot search gives what the policy says itself.
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

/// A plain alpha-beta search of exact depth with quiescence behind it, for one thread.
/// What it finds depends on its arguments and the network alone.
pub trait Searcher {
    /// Compares the moves of a board with a legal one of them. Each is looked at to so
    /// many plies, at least 1, of which it is the first.
    fn compare(&mut self, board: &Board, desired: Move, depth: u32) -> Compared;

    /// Searches a board to a depth of at least 1, and tells of every board whose moves
    /// were looked at.
    fn tree(&mut self, board: &Board, depth: u32, visit: &mut dyn FnMut(&Board, Bounds));
}

/// Where a principal variation ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// The value of its first move for the side that makes it.
    pub value: i32,
    /// The board from which the value comes.
    pub board: Board,
}

/// How the other moves of a position compare with the desired one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compared {
    /// The leaf of the desired move.
    pub desired: Leaf,
    /// Those of all moves with a higher value.
    pub better: Vec<Leaf>,
    /// How many others have the same value.
    pub equal: usize,
}

/// What a search has proved of a board: its value for the side to move lies between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// It is at least this.
    pub lower: i32,
    /// It is at most this.
    pub upper: i32,
}
