//! The seam between those who play and those who arrange games.

use crate::Limits;
use crate::score::Score;
use chess::{Game, Move};
use nets::Chances;
use std::time::Duration;
use work::StopSignal;

/// The stack that a thread needs in which a player chooses a move: the longest
/// lines of a search need more than a thread usually has.
pub const STACK_BYTES: usize = 32 << 20;

/// Whoever can play: given a game and limits, it answers with a move.
pub trait Player: Send {
    /// A new game begins: nothing learned in the last one may matter. Whatever is
    /// random in the game, noise or sampling, follows from the seed alone.
    fn new_game(&mut self, seed: u64) -> Result<(), Failure>;

    /// Chooses a move. Reports go to `report` while it thinks; `stop` ends the
    /// thinking early. The game has not ended.
    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &StopSignal,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Answer, Failure>;
}

/// Why a player owes a move. Players inside this process have no such excuse;
/// another program may.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// The program ended, or its pipes broke; in words.
    #[error("crashed: {0}")]
    Crashed(String),
    /// The program still runs but did not answer in this time.
    #[error("did not answer within {0:.1?}")]
    Stalled(Duration),
    /// The answer is not a legal move.
    #[error("played the illegal move {0}")]
    IllegalMove(String),
    /// The answer has no move in it.
    #[error("answered without a move: {0}")]
    NoMove(String),
}

/// What a player answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The move; none only if there is no legal one.
    pub best: Option<Move>,
    /// The reply that the player expects.
    pub ponder: Option<Move>,
    /// The value for the side to move.
    pub score: Score,
    /// Iterations completed.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// The chances of the side to move, if the player knows them.
    pub chances: Option<Chances>,
    /// What was found of single moves, if the player spreads its work over them.
    pub moves: Vec<MoveStatistics>,
}

impl Answer {
    /// A move with its value, and nothing more to tell.
    pub fn new(best: Option<Move>, score: Score) -> Answer {
        Answer {
            best,
            ponder: None,
            score,
            depth: 0,
            nodes: 0,
            chances: None,
            moves: Vec::new(),
        }
    }
}

/// What a player that spreads its work over moves found of one of them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveStatistics {
    /// The move.
    pub mv: Move,
    /// How often it was tried.
    pub visits: u32,
    /// Its share before the search.
    pub prior: f32,
    /// The share that the search gives it, which a policy can learn.
    pub policy: f32,
    /// Its value for the side to move, from -1 to 1.
    pub value: f32,
}

/// What a player thinks while it thinks.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Iterations begun.
    pub depth: u32,
    /// The deepest line looked at.
    pub selective_depth: u32,
    /// The rank of this line among the best, from 1.
    pub rank: usize,
    /// Its score.
    pub score: Score,
    /// Whether the score is only a bound.
    pub bound: ScoreBound,
    /// Chances of win, draw and loss in thousandths.
    pub wdl: [u32; 3],
    /// Positions visited.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
    /// Thousandths of the table in use.
    pub table_fill: u32,
    /// Tablebase look-ups.
    pub tablebase_hits: u64,
    /// The line, legal to its end.
    pub line: Vec<Move>,
}

/// Whether a reported score is exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreBound {
    /// The score is the value.
    Exact,
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
}
