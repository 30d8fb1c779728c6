//! Gumbel root: some moves are drawn by their priors, sequential halving spends the simulations on
//! them, and the resulting policy improves on the priors however few simulations there are
//! (Danihelka and others, Policy improvement by planning with Gumbel, 2022).
//!
//! Here values range from 0 to 1, as in the paper.

use super::arena::{PRIOR_UNIT, Slot, Stats};
use super::options::Options;
use crate::random::Random;

/// The state of one search.
#[derive(Clone)]
pub(super) struct Gumbel {
    considered: usize,
    budget: u64,
    visit_offset: f32,
    scale: f32,
    noise_scale: f32,
    random: Random,
    /// Noise for each edge; empty until the root has edges.
    noise: Vec<f32>,
    /// The edges that remain after the halvings so far.
    candidates: Vec<usize>,
    /// The visits that each candidate has at the end of the phase.
    target: u32,
    phases: u32,
    phases_left: u32,
}

impl Gumbel {
    pub(super) fn new(options: &Options, budget: u64, random: Random) -> Gumbel {
        Gumbel {
            considered: options.gumbel_moves,
            budget,
            visit_offset: options.gumbel_visits,
            scale: options.gumbel_scale,
            noise_scale: options.gumbel_noise,
            random,
            noise: Vec::new(),
            candidates: Vec::new(),
            target: 0,
            phases: 1,
            phases_left: 0,
        }
    }

    /// The index of the next edge to follow; `None` if all candidates are lost.
    pub(super) fn choose(&mut self, edges: &[Slot], node: Stats) -> Option<usize> {
        if self.noise.len() != edges.len() {
            self.draw(edges);
        }
        let is_lost = |number: &usize| edges[*number].link().is_lost();
        self.candidates.retain(|number| !is_lost(number));
        let visits = |number: usize| edges[number].stats().visits;
        let least = |candidates: &[usize]| {
            let all = candidates.iter().copied();
            all.min_by_key(|&number| visits(number))
        };
        let mut next = least(&self.candidates)?;
        while visits(next) >= self.target && self.phases_left > 0 {
            self.halve(edges, node);
            next = least(&self.candidates)?;
        }
        Some(next)
    }

    /// Draws the moves to consider without replacement: those with the highest sums of noise and
    /// log prior.
    fn draw(&mut self, edges: &[Slot]) {
        let random = &mut self.random;
        let noise = edges
            .iter()
            .map(|_| self.noise_scale * random.gumbel() as f32);
        self.noise = noise.collect();
        let first = |number: usize| self.noise[number] + log_prior(&edges[number]);
        let mut numbers: Vec<usize> = (0..edges.len()).collect();
        numbers.sort_by(|&a, &b| first(b).total_cmp(&first(a)));
        numbers.truncate(self.considered.max(1));
        self.phases = numbers.len().next_power_of_two().trailing_zeros().max(1);
        self.phases_left = self.phases;
        self.candidates = numbers;
        self.begin_phase(0);
    }

    /// Begins a phase. The simulations are divided equally among all phases, and within a phase
    /// among its candidates.
    fn begin_phase(&mut self, visits: u32) {
        let share = self.budget / u64::from(self.phases) / self.candidates.len().max(1) as u64;
        self.target = visits + share.clamp(1, u64::from(u32::MAX / 2)) as u32;
        self.phases_left -= 1;
    }

    /// Keeps the better half of the candidates.
    fn halve(&mut self, edges: &[Slot], node: Stats) {
        let scores = self.scores(edges, node);
        self.candidates
            .sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        self.candidates.truncate(self.candidates.len().div_ceil(2));
        self.begin_phase(self.target);
    }

    /// The sum of noise, log prior and scaled value of each edge.
    fn scores(&self, edges: &[Slot], node: Stats) -> Vec<f32> {
        let completed = self.improved_logits(edges, node);
        let with_noise = completed.iter().zip(&self.noise);
        with_noise.map(|(logit, noise)| logit + noise).collect()
    }

    /// The index of the edge to play: the best of the remaining candidates. One of them may have a
    /// visit more than the others; that does not matter.
    pub(super) fn best(&self, edges: &[Slot], node: Stats) -> Option<usize> {
        if self.noise.len() != edges.len() {
            return None;
        }
        let scores = self.scores(edges, node);
        let is_known = |number: &usize| edges[*number].stats().visits > 0;
        let known = self.candidates.iter().copied().filter(is_known);
        known.max_by(|&a, &b| scores[a].total_cmp(&scores[b]))
    }

    /// The logits of the improved policy, which is a training target.
    fn improved_logits(&self, edges: &[Slot], node: Stats) -> Vec<f32> {
        let mixed = mixed_value(edges, node);
        let most = edges.iter().map(|edge| edge.stats().visits).max();
        let factor = (self.visit_offset + most.unwrap_or(0) as f32) * self.scale;
        let of = |edge: &Slot| {
            let Stats { visits, value } = edge.stats();
            let value = if visits == 0 { mixed } else { value };
            log_prior(edge) + factor * on_unit_scale(value)
        };
        edges.iter().map(of).collect()
    }

    /// The improved policy with completed values: the softmax of log priors and values, where
    /// unvisited moves get a value estimated from the others.
    pub(super) fn improved_policy(&self, edges: &[Slot], node: Stats) -> Vec<f32> {
        let logits = self.improved_logits(edges, node);
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let shares: Vec<f32> = logits
            .iter()
            .map(|logit| libm::expf(logit - most))
            .collect();
        let sum: f32 = shares.iter().sum();
        shares.into_iter().map(|share| share / sum).collect()
    }
}

fn log_prior(edge: &Slot) -> f32 {
    libm::logf(edge.prior().max(1) as f32 / PRIOR_UNIT)
}

fn on_unit_scale(value: f32) -> f32 {
    (value + 1.0) / 2.0
}

/// The value of the root, mixed from its own evaluation and the values of visited edges, weighted
/// by their priors.
fn mixed_value(edges: &[Slot], node: Stats) -> f32 {
    let (mut visits, mut priors, mut weighted, mut sum) = (0, 0.0, 0.0, 0.0);
    for edge in edges {
        let stats = edge.stats();
        if stats.visits > 0 {
            let prior = edge.prior() as f32;
            visits += stats.visits;
            priors += prior;
            weighted += prior * stats.value;
            sum += stats.visits as f32 * stats.value;
        }
    }
    if visits == 0 {
        return node.value;
    }
    // The mean of the node includes its own evaluation besides all visits of edges.
    let all = node.visits as f32;
    let own = (node.value * all - sum) / (all - visits as f32).max(1.0);
    let visits = visits as f32;
    (own.clamp(-1.0, 1.0) + visits * weighted / priors) / (1.0 + visits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Move, squares};

    fn edges(priors: &[f32]) -> Vec<Slot> {
        priors
            .iter()
            .map(|prior| {
                let slot = Slot::default();
                let prior = (prior * PRIOR_UNIT) as u16;
                slot.set_label(Move::normal(squares::E2, squares::E4), prior);
                slot
            })
            .collect()
    }

    fn gumbel(considered: usize, budget: u64, seed: u64) -> Gumbel {
        let options = Options {
            gumbel_moves: considered,
            ..Options::default()
        };
        Gumbel::new(&options, budget, Random::new(seed, 0))
    }

    /// Runs a bandit whose arms have these values.
    fn race(considered: usize, budget: u64, seed: u64, values: &[f32]) -> (Vec<u32>, usize) {
        let edges = edges(&vec![1.0 / values.len() as f32; values.len()]);
        let mut gumbel = gumbel(considered, budget, seed);
        let root = Slot::default();
        root.add(0.0, false);
        for _ in 0..budget {
            let number = gumbel.choose(&edges, root.stats()).expect("an edge");
            edges[number].add(values[number], false);
            root.add(values[number], false);
        }
        let best = gumbel.best(&edges, root.stats()).expect("a move");
        let visits = edges.iter().map(|edge| edge.stats().visits).collect();
        (visits, best)
    }

    #[test]
    fn halving_spends_the_budget_in_equal_phases() {
        let (mut visits, _) = race(4, 16, 1, &[0.0; 20]);
        visits.sort_unstable();
        assert_eq!(visits.iter().sum::<u32>(), 16);
        // Four with two visits each, then two with four more each.
        assert_eq!(visits[15..], [0, 2, 2, 6, 6]);
        let (visits, _) = race(16, 64, 3, &[0.0; 16]);
        let mut counts = visits.clone();
        counts.sort_unstable();
        assert_eq!(counts, [1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 7, 7, 15, 15]);
    }

    #[test]
    fn the_best_move_wins_the_race() {
        for seed in 0..50 {
            let mut values = [-0.5; 16];
            values[seed % 16] = 0.9;
            let (_, best) = race(16, 200, seed as u64, &values);
            assert_eq!(best, seed % 16);
        }
    }

    #[test]
    fn the_last_round_decides() {
        // The second move is ahead only because of the last round, in which the first has the odd
        // visit.
        let list = edges(&[0.5, 0.5]);
        let mut state = gumbel(2, 9, 5);
        state.noise_scale = 0.0;
        let root = Slot::default();
        root.add(0.0, false);
        for _ in 0..9 {
            let number = state.choose(&list, root.stats()).expect("an edge");
            let value = if number == 1 { 0.4 } else { -0.4 };
            list[number].add(value, false);
            root.add(value, false);
        }
        assert_eq!(list[0].stats().visits, 5);
        assert_eq!(state.best(&list, root.stats()), Some(1));
    }

    #[test]
    fn moves_without_visits_get_the_value_of_the_others() {
        let list = edges(&[0.5, 0.3, 0.2]);
        let root = Stats {
            visits: 1,
            value: 0.2,
        };
        let state = gumbel(3, 8, 1);
        let found = state.improved_policy(&list, root);
        for (share, prior) in found.iter().zip([0.5, 0.3, 0.2]) {
            assert!((share - prior).abs() < 1e-3, "without visits: the priors");
        }
        list[0].add(1.0, false);
        let root = Stats {
            visits: 2,
            value: 0.6,
        };
        // (0.2 + 1 * 1.0) / 2: the root's own value, and the prior-weighted mean.
        assert!((mixed_value(&list, root) - 0.6).abs() < 1e-3);
        let found = state.improved_policy(&list, root);
        assert!(found[0] > 0.5 && (found[1] / found[2] - 1.5).abs() < 1e-2);
        assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn the_prior_decides_how_often_a_move_is_drawn() {
        let mut first = 0;
        for seed in 0..2_000 {
            let list = edges(&[0.75, 0.25]);
            let mut state = gumbel(1, 1, seed);
            let root = Stats {
                visits: 1,
                value: 0.0,
            };
            first += usize::from(state.choose(&list, root) == Some(0));
        }
        assert!((1_430..1_570).contains(&first), "{first}");
    }
}
