//! The settings of a tree search.

use std::time::Duration;

/// The settings of a tree search.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The size of the tree in mebibytes.
    pub hash: usize,
    /// How many threads search; one where the root has a rule of its own (Gumbel, repetition
    /// penalty).
    pub threads: usize,
    /// How many best lines are reported.
    pub lines: usize,
    /// Time reserved for what happens outside of the search with each move.
    pub move_overhead: Duration,
    /// The weight of priors against values in PUCT (c_puct).
    pub cpuct: f32,
    /// The number of visits on which the growth of that weight is based.
    pub cpuct_base: f32,
    /// The factor of that growth.
    pub cpuct_factor: f32,
    /// First-play urgency: how much worse than its node an unvisited move is assumed to be when all
    /// other moves have been visited.
    pub fpu: f32,
    /// The temperature of the softmax of the priors.
    pub policy_temperature: f32,
    /// The share of Dirichlet noise in the priors of the root; 0 for none.
    pub noise_epsilon: f32,
    /// The concentration of that noise; 0 for ten divided by the number of moves.
    pub noise_alpha: f32,
    /// The temperature with which a move is sampled from the visits; 0 plays the move with the most
    /// visits.
    pub temperature: f32,
    /// The number of moves over which the temperature falls to 0; 0 for never.
    pub temperature_decay_moves: u32,
    /// The move number from which `temperature_endgame` applies; 0 for never.
    pub temperature_cutoff_move: u32,
    /// The temperature from `temperature_cutoff_move` on.
    pub temperature_endgame: f32,
    /// The number of moves that a Gumbel root considers; 0 for PUCT at the root. Needs a node
    /// limit.
    pub gumbel_moves: usize,
    /// The scale of the noise by which a Gumbel root draws moves; 0 to always play the best.
    pub gumbel_noise: f32,
    /// How strongly values count at a Gumbel root before there are visits (c_visit in the paper).
    pub gumbel_visits: f32,
    /// The scale of all values there (c_scale in the paper).
    pub gumbel_scale: f32,
    /// The factor of progressive widening; 0 for none.
    pub widening: f32,
    /// The exponent of progressive widening.
    pub widening_exponent: f32,
    /// How many moves of a node are searched at most; 0 for all.
    pub top_k: usize,
    /// The share of the prior mass, from the lowest priors up, whose moves are not searched.
    pub tail: f32,
    /// What is subtracted from the value of a root move that repeats a position.
    pub repetition_penalty: f32,
    /// Whether the tree of the last move is reused.
    pub reuses_tree: bool,
    /// The search ends when the best move has this share of all visits; 0 for never.
    pub early_stop_share: f32,
    /// The least number of simulations before it may end so.
    pub early_stop_visits: u32,
    /// A timed search ends when no other move can catch up within the simulations that remain,
    /// divided by this factor; 0 for never.
    pub smart_pruning_factor: f32,
    /// Whether narrow positions get more simulations than wide ones.
    pub dynamic_budget: bool,
    /// A bank of simulations for a whole game, from which each move takes its share; 0 for no bank.
    pub simulation_bank: u64,
    /// The largest batch, for models that are faster in batches.
    pub batch: usize,
    /// How many evaluations of such models are cached.
    pub cache: usize,
    /// Whether the statistics of all moves are reported.
    pub verbose: bool,
    /// Flaws of a published program, to measure what they cost.
    pub flaws: Flaws,
}

/// Flaws of a published program, all off by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flaws {
    /// The model's value of a leaf is taken to be for the side to move at the root, whichever side
    /// moves at the leaf.
    pub leaf_for_root: bool,
    /// The model's value is negated in positions with Black to move.
    pub turned_for_black: bool,
    /// Noise is added to a reused tree that was searched without it.
    pub noisy_reuse: bool,
    /// The cache ignores repetitions and the fifty-move count.
    pub blind_cache: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 64,
            threads: 1,
            lines: 1,
            move_overhead: Duration::from_millis(10),
            cpuct: 1.6,
            cpuct_base: 20_000.0,
            cpuct_factor: 1.6,
            fpu: 0.25,
            policy_temperature: 1.3,
            noise_epsilon: 0.0,
            noise_alpha: 0.3,
            temperature: 0.0,
            temperature_decay_moves: 0,
            temperature_cutoff_move: 0,
            temperature_endgame: 0.0,
            gumbel_moves: 0,
            gumbel_noise: 1.0,
            gumbel_visits: 50.0,
            gumbel_scale: 1.0,
            widening: 0.0,
            widening_exponent: 0.5,
            top_k: 0,
            tail: 0.0,
            repetition_penalty: 0.0,
            reuses_tree: true,
            early_stop_share: 0.0,
            early_stop_visits: 80,
            smart_pruning_factor: 1.33,
            dynamic_budget: false,
            simulation_bank: 0,
            batch: 16,
            cache: 20_000,
            verbose: false,
            flaws: Flaws::default(),
        }
    }
}

impl Options {
    /// Whether the root must start without the visits of the last search, as with noise or a Gumbel
    /// root: they would outweigh what the root is to try.
    pub(super) fn wants_fresh_root(&self) -> bool {
        let is_noisy = self.noise_epsilon > 0.0 && !self.flaws.noisy_reuse;
        is_noisy || self.gumbel_moves > 0
    }

    /// The temperature at this move number, counted from 1.
    pub(super) fn temperature_at(&self, number: u32) -> f32 {
        let cutoff = self.temperature_cutoff_move;
        if cutoff > 0 && number >= cutoff {
            return self.temperature_endgame;
        }
        match self.temperature_decay_moves {
            0 => self.temperature,
            moves => {
                let left = moves.saturating_sub(number.saturating_sub(1));
                self.temperature * left as f32 / moves as f32
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_temperature_falls() {
        let mut options = Options {
            temperature: 1.0,
            ..Options::default()
        };
        assert_eq!(options.temperature_at(40), 1.0);
        options.temperature_decay_moves = 10;
        let at = |options: &Options, numbers: [u32; 3]| {
            numbers.map(|number| options.temperature_at(number))
        };
        assert_eq!(at(&options, [1, 6, 11]), [1.0, 0.5, 0.0]);
        options.temperature_cutoff_move = 5;
        options.temperature_endgame = 0.25;
        assert_eq!(at(&options, [1, 4, 5]), [1.0, 0.7, 0.25]);
    }
}
