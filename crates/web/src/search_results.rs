//! Results of searches: values, lines, statistics of single moves.

use crate::rules::uci;
use crate::summaries::finite;
use chess::Board;
use engines::MoveStatistics;
use engines::score::Score;
use serde::Serialize;

/// A value for the side to move.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Value {
    pub(crate) centipawns: Option<i32>,
    /// Moves to mate; negative if the side to move is mated.
    pub(crate) mate: Option<i32>,
}

impl From<Score> for Value {
    fn from(score: Score) -> Value {
        match score {
            Score::Centipawns(value) => Value {
                centipawns: Some(value),
                mate: None,
            },
            Score::Mate(moves) => Value {
                centipawns: None,
                mate: Some(moves),
            },
        }
    }
}

/// What a search found of a move.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TriedMove {
    pub(crate) uci: String,
    pub(crate) san: String,
    pub(crate) visits: u32,
    /// Its share before the search.
    pub(crate) prior: Option<f64>,
    /// The share that the search gives it.
    pub(crate) policy: Option<f64>,
    /// Its value for the side to move, from -1 to 1.
    pub(crate) value: Option<f64>,
}

/// A line of an analysis.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Variation {
    pub(crate) rank: usize,
    pub(crate) value: Value,
    /// Chances of win, draw and loss in thousandths.
    pub(crate) wdl: [u32; 3],
    pub(crate) sans: Vec<String>,
    /// The first move in coordinates.
    pub(crate) first: Option<String>,
}

/// The current result of an analysis.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SearchUpdate {
    pub(crate) job: String,
    pub(crate) fen: String,
    pub(crate) done: bool,
    pub(crate) problem: Option<String>,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) milliseconds: u64,
    pub(crate) variations: Vec<Variation>,
    /// What a tree search found of single moves.
    pub(crate) tried: Vec<TriedMove>,
}

/// What a search found of moves, the most visited first.
pub(crate) fn tried(board: &Board, moves: &[MoveStatistics]) -> Vec<TriedMove> {
    let mut tried: Vec<TriedMove> = moves
        .iter()
        .map(|found| TriedMove {
            uci: uci(board, found.mv),
            san: board.san(found.mv).to_string(),
            visits: found.visits,
            prior: finite(f64::from(found.prior)),
            policy: finite(f64::from(found.policy)),
            value: finite(f64::from(found.value)),
        })
        .collect();
    tried.sort_by_key(|tried| std::cmp::Reverse(tried.visits));
    tried
}
