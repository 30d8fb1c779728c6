//! What can be set of these players.

use std::time::Duration;

/// How a move is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// The likeliest move.
    Greedy,
    /// A move drawn from the policy.
    Sampled,
    /// The likeliest moves, judged by the value of what they lead to.
    Rerank,
    /// The likeliest moves and the likeliest replies, by minimax.
    DepthTwo,
    /// The likeliest lines, by minimax: the search by halving with a single round.
    Beam,
    /// Sequential halving: moves that look bad are dropped after each round, and the others
    /// are looked at more deeply.
    #[default]
    Halving,
}

/// What decides between moves that were judged by value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scoring {
    /// The logarithm of the policy, with some of the value, as published for re-ranking.
    #[default]
    Policy,
    /// The value, with a little of the policy: it keeps a search from moves that only look
    /// good because the value errs.
    Value,
}

/// What can be set.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// How a move is chosen.
    pub mode: Mode,
    /// Positions that a search by beam or halving may evaluate, whatever the limits of a
    /// move say; 0 to follow those.
    pub evaluations: u64,
    /// Sampling draws from so many of the likeliest moves; 0 for all.
    pub top_k: usize,
    /// Sampling draws from the likeliest moves that have this share together.
    pub top_p: f32,
    /// The temperature of the soft-max from which a move is drawn.
    pub temperature: f32,
    /// Moves that re-ranking and depth 2 look at.
    pub candidates: usize,
    /// Replies to each of them that depth 2 looks at.
    pub replies: usize,
    /// What decides in re-ranking.
    pub scoring: Scoring,
    /// The weight of the value beside the policy's logarithm, where the policy decides.
    pub value_weight: f32,
    /// The weight of the policy's logarithm beside the value, where the value decides: everywhere
    /// but in re-ranking. Published with 0 for depth 2.
    pub prior_weight: f32,
    /// Moves that a search by halving begins with, beside all that force matters.
    pub arms: usize,
    /// Moves of its own that such a search follows in each position.
    pub own_moves: usize,
    /// Replies that it follows, beside all that force matters.
    pub opponent_moves: usize,
    /// How many plies it looks ahead behind a move; 0 for more with more evaluations.
    pub depth: u32,
    /// Rounds of halving; 0 for as many as leave one or two moves.
    pub rounds: u32,
    /// How many best lines are told.
    pub lines: usize,
    /// Time that passes outside of the search with each move.
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
    /// How a move with this prior and this value, for who makes it, is ranked.
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

    /// Plies behind a move that a search with so many evaluations looks at: an even number,
    /// so that the opponent has the last word.
    pub(super) fn depth_for(&self, evaluations: u64) -> u32 {
        match (self.depth, evaluations) {
            (0, ..=512) => 4,
            (0, 513..=1_536) => 6,
            (0, _) => 8,
            (depth, _) => depth,
        }
    }
}
