//! What can be set of a tree search.

use std::time::Duration;

/// What can be set. Numbers that count visits or shares are as in the formulas.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The size of the tree in mebibytes.
    pub hash: usize,
    /// How many threads search; one where the root has a rule of its own (Gumbel, penalty).
    pub threads: usize,
    /// How many best lines are told.
    pub lines: usize,
    /// Time that passes outside of the search with each move.
    pub move_overhead: Duration,
    /// The weight of priors against values in PUCT.
    pub cpuct: f32,
    /// Visits over which that weight grows.
    pub cpuct_base: f32,
    /// How much it grows.
    pub cpuct_factor: f32,
    /// What a move without visits is thought worse than its node, if all others had some.
    pub fpu: f32,
    /// The temperature of the softmax of the priors.
    pub policy_temperature: f32,
    /// The share of Dirichlet noise in the priors of the root; 0 for none.
    pub noise_epsilon: f32,
    /// The concentration of that noise; 0 for ten divided by the number of moves.
    pub noise_alpha: f32,
    /// The temperature with which a move is drawn from the visits; 0 for the most visits.
    pub temperature: f32,
    /// Moves of the game over which the temperature falls to nothing; 0 for never.
    pub temperature_decay_moves: u32,
    /// The move of the game from which on it is `temperature_endgame`; 0 for never.
    pub temperature_cutoff_move: u32,
    /// See there.
    pub temperature_endgame: f32,
    /// Number of moves that a Gumbel root considers; 0 for PUCT at the root. It needs a limit of
    /// nodes.
    pub gumbel_moves: usize,
    /// The size of the noise by which a Gumbel root draws moves; 0 to play its best.
    pub gumbel_noise: f32,
    /// How much values count at a Gumbel root before there are visits.
    pub gumbel_visits: f32,
    /// How much values count there in all.
    pub gumbel_scale: f32,
    /// The factor of progressive widening; 0 for none.
    pub widening: f32,
    /// Its exponent.
    pub widening_exponent: f32,
    /// Moves of a node that are looked at; 0 for all.
    pub top_k: usize,
    /// The share of the priors, from the least on, that is not looked at.
    pub tail: f32,
    /// What a move of the root that repeats a position is thought worse than it is.
    pub repetition_penalty: f32,
    /// Whether the tree of the last move is used again.
    pub reuses_tree: bool,
    /// A search ends when the best move has this share of all visits; 0 for never.
    pub early_stop_share: f32,
    /// But not before so many simulations.
    pub early_stop_visits: u32,
    /// A timed search ends when no other move can catch up, at so many times its speed;
    /// 0 for never.
    pub smart_pruning_factor: f32,
    /// Whether narrow positions get more simulations than wide ones.
    pub dynamic_budget: bool,
    /// Simulations for a whole game, from which each move takes its share; 0 for no bank.
    pub simulation_bank: u64,
    /// The most positions of a batch, for models that gain from company.
    pub batch: usize,
    /// How many evaluations of such models are remembered.
    pub cache: usize,
    /// Whether the statistics of all moves are told.
    pub verbose: bool,
    /// The published mistakes, to see what they cost.
    pub flaws: Flaws,
}

/// Mistakes of a published program, all off unless somebody asks for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flaws {
    /// What the model says of a leaf is taken for the view of the side that moves at the
    /// root, whoever moves at the leaf.
    pub leaf_for_root: bool,
    /// What it says of positions in which Black moves is turned about.
    pub turned_for_black: bool,
    /// Noise comes upon a tree that was searched without it.
    pub noisy_reuse: bool,
    /// Remembered evaluations do not know repetitions and the fifty-move count.
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
    /// Whether visits of the last move would hide what the root wants to try: noise and
    /// Gumbel roots begin with none.
    pub(super) fn wants_fresh_root(&self) -> bool {
        let is_noisy = self.noise_epsilon > 0.0 && !self.flaws.noisy_reuse;
        is_noisy || self.gumbel_moves > 0
    }

    /// The temperature at this move of the game, from 1.
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
