//! The interface between players and those who arrange games.

use crate::Limits;
use crate::score::Score;
use chess::{Game, Move};
use nets::Chances;
use std::time::Duration;
use work::StopSignal;

/// The stack that a thread needs to run a player: the longest lines of a search need more than the
/// usual size.
pub const STACK_BYTES: usize = 32 << 20;

/// Whatever can play: given a game and limits, it answers with a move.
pub trait Player: Send {
    /// Begins a new game: nothing learned in the last one may have an effect. All randomness in the
    /// game, noise or sampling, is determined by the seed.
    fn new_game(&mut self, seed: u64) -> Result<(), Failure>;

    /// Chooses a move. Reports go to `report` during the search; `stop` ends it early. The game
    /// must not have ended.
    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &StopSignal,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Answer, Failure>;
}

/// Why a player returned no move. Players inside this process never fail; another program may.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// The program ended, or its pipes broke; with a message.
    #[error("crashed: {0}")]
    Crashed(String),
    /// The program still runs but did not answer in this time.
    #[error("did not answer within {0:.1?}")]
    Stalled(Duration),
    /// The answer is not a legal move.
    #[error("played the illegal move {0}")]
    IllegalMove(String),
    /// The answer contains no move.
    #[error("answered without a move: {0}")]
    NoMove(String),
}

/// The answer of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The move; `None` only if there is no legal one.
    pub best: Option<Move>,
    /// The reply that the player expects.
    pub ponder: Option<Move>,
    /// The value for the side to move.
    pub score: Score,
    /// Iterations completed.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// The win, draw and loss probabilities for the side to move, if the player knows them.
    pub chances: Option<Chances>,
    /// The statistics of single moves, if the player has them.
    pub moves: Vec<MoveStatistics>,
}

impl Answer {
    /// A move with its value and nothing else.
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

/// What a tree search found out about one move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveStatistics {
    /// The move.
    pub mv: Move,
    /// How often it was visited.
    pub visits: u32,
    /// Its probability before the search.
    pub prior: f32,
    /// Its probability after the search, a training target for a policy.
    pub policy: f32,
    /// Its value for the side to move, from -1 to 1.
    pub value: f32,
}

/// The state of a search that is running.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Iterations begun.
    pub depth: u32,
    /// The length of the longest line searched.
    pub selective_depth: u32,
    /// The rank of this line in MultiPV, from 1.
    pub rank: usize,
    /// Its score.
    pub score: Score,
    /// Whether the score is only a bound.
    pub bound: ScoreBound,
    /// The win, draw and loss probabilities in thousandths.
    pub wdl: [u32; 3],
    /// Nodes searched.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub table_fill: u32,
    /// Tablebase look-ups.
    pub tablebase_hits: u64,
    /// The principal variation; all of its moves are legal.
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
