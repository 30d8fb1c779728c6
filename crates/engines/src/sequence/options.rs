//! The settings of these players.

use std::time::Duration;

/// How a move is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// The most probable move.
    Greedy,
    /// A move sampled from the policy.
    Sampled,
    /// The likeliest moves, judged by the value of the positions they lead to.
    Rerank,
    /// The likeliest moves and the likeliest replies, by minimax.
    DepthTwo,
    /// The likeliest lines, by minimax: sequential halving with a single round.
    Beam,
    /// Sequential halving: moves that look bad are dropped after each round, and the others are
    /// searched more deeply.
    #[default]
    Halving,
}

/// How prior and value are combined when moves are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scoring {
    /// The log prior, plus some of the value, as published for re-ranking.
    #[default]
    Policy,
    /// The value, plus a little of the log prior: this keeps a search from moves that look good
    /// only because their value has an error.
    Value,
}

/// The settings of the search.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// How a move is chosen.
    pub mode: Mode,
    /// Evaluations of a beam or halving search, whatever the limits of a move; 0 to follow those.
    pub evaluations: u64,
    /// Sampling is restricted to this many of the likeliest moves; 0 for all.
    pub top_k: usize,
    /// Sampling is restricted to the likeliest moves whose probabilities sum to this.
    pub top_p: f32,
    /// The temperature of the softmax from which a move is sampled.
    pub temperature: f32,
    /// The number of moves that re-ranking and depth 2 evaluate.
    pub candidates: usize,
    /// The number of replies to each of them that depth 2 evaluates.
    pub replies: usize,
    /// How prior and value are combined in re-ranking.
    pub scoring: Scoring,
    /// The weight of the value in [`Scoring::Policy`].
    pub value_weight: f32,
    /// The weight of the log prior in [`Scoring::Value`], which is used everywhere but in
    /// re-ranking. Published with 0 for depth 2.
    pub prior_weight: f32,
    /// The number of moves with which a halving search begins, besides all forcing ones.
    pub arms: usize,
    /// The number of the player's own moves that such a search follows in each position.
    pub own_moves: usize,
    /// The number of replies that it follows, besides all forcing ones.
    pub opponent_moves: usize,
    /// How many plies it searches after a root move; 0 for a depth that grows with the evaluations.
    pub depth: u32,
    /// Rounds of halving; 0 for as many as leave one or two moves.
    pub rounds: u32,
    /// How many best lines are reported.
    pub lines: usize,
    /// Time reserved for what happens outside of the search with each move.
    pub move_overhead: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            mode: Mode::default(),
            evaluations: 0,
            top_k: 0,
            top_p: 1.0,
            temperature: 1.0,
            candidates: 8,
            replies: 8,
            scoring: Scoring::default(),
            value_weight: 0.35,
            prior_weight: 0.05,
            arms: 16,
            own_moves: 3,
            opponent_moves: 2,
            depth: 0,
            rounds: 0,
            lines: 1,
            move_overhead: Duration::from_millis(10),
        }
    }
}

impl Options {
    /// The score of a move with this log prior and this value for the side that makes it.
    pub(super) fn score(&self, log_prior: f32, value: f32) -> f32 {
        let decides = match self.mode {
            Mode::Rerank => self.scoring,
            _ => Scoring::Value,
        };
        match decides {
            Scoring::Value => value + self.prior_weight * log_prior,
            Scoring::Policy => log_prior + self.value_weight * value,
        }
    }

    /// The plies after a root move that a search with this many evaluations follows: an even
    /// number, so that each line ends with a reply of the opponent.
    pub(super) fn depth_for(&self, evaluations: u64) -> u32 {
        match (self.depth, evaluations) {
            (0, ..=512) => 4,
            (0, 513..=1_536) => 6,
            (0, _) => 8,
            (depth, _) => depth,
        }
    }
}
