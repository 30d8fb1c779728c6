//! Search by sequential halving: the moves of the root are arms that compete for a fixed number of
//! evaluations. After each round the worse half is dropped, so that obviously bad moves cost little
//! and the last candidates are searched deeply.
//!
//! Within an arm, lines are followed in the order of their likelihood, never of their value: values
//! have errors, and always following the highest of many values selects for the largest error.
//! Values count when arms are compared, by minimax over what was evaluated. Captures, checks and
//! promotions of the opponent are always included: without its refutation a bad line would look
//! good.

use super::options::Options;
use super::tree::{Prior, ROOT, Tree};

/// A search in progress.
#[derive(Clone, Debug)]
pub(super) struct Halving {
    evaluations: u64,
    depth: u32,
    rounds: u32,
    arms: Vec<Arm>,
    /// Evaluations used so far.
    spent: u64,
    /// Rounds begun; `share` is how many evaluations each arm may use in this round.
    begun: u32,
    share: u64,
}

/// A move of the root.
#[derive(Clone, Debug)]
struct Arm {
    child: usize,
    /// Positions that are not evaluated yet.
    open: Vec<usize>,
    /// Positions that are being evaluated, to be expanded afterwards.
    asked: Vec<usize>,
    /// Evaluations used in this round.
    used: u64,
}

impl Halving {
    /// A search with this many evaluations and rounds; 0 rounds for as many as leave one or two
    /// arms.
    pub(super) fn new(options: &Options, evaluations: u64, rounds: u32) -> Halving {
        Halving {
            evaluations,
            depth: options.depth_for(evaluations),
            rounds,
            arms: Vec::new(),
            spent: 0,
            begun: 0,
            share: 0,
        }
    }

    /// The next positions to evaluate.
    pub(super) fn next(&mut self, tree: &mut Tree, options: &Options) -> Vec<usize> {
        match self.begun {
            0 => self.begin(tree, options),
            _ => self.expand(tree, options),
        }
        loop {
            let wave = self.wave(tree);
            if !wave.is_empty() {
                return wave;
            }
            if self.begun >= self.rounds || self.spent >= self.evaluations {
                return Vec::new();
            }
            self.halve(tree, options);
        }
    }

    /// The children of the root that remain.
    pub(super) fn survivors(&self) -> impl Iterator<Item = usize> {
        self.arms.iter().map(|arm| arm.child)
    }

    /// Makes arms of the likeliest moves and of all forcing moves.
    fn begin(&mut self, tree: &mut Tree, options: &Options) {
        let root = tree.root().clone();
        let priors = tree.moves(ROOT).to_vec();
        for (number, prior) in priors.into_iter().enumerate() {
            if number < options.arms || root.is_forcing(prior.mv) {
                let child = tree.add(ROOT, prior);
                let is_open = tree.position(child).end.is_none();
                self.arms.push(Arm {
                    child,
                    open: is_open.then_some(child).into_iter().collect(),
                    asked: Vec::new(),
                    used: 0,
                });
            }
        }
        if self.rounds == 0 {
            self.rounds = self.arms.len().next_power_of_two().trailing_zeros().max(1);
        }
        self.begin_round();
    }

    /// Divides the remaining evaluations equally among rounds and arms; if there are too few, the
    /// likeliest arms get one each.
    fn begin_round(&mut self) {
        let rounds = u64::from(self.rounds - self.begun);
        let share = (self.evaluations - self.spent) / rounds / self.arms.len().max(1) as u64;
        self.share = share.max(1);
        self.begun += 1;
        self.arms.iter_mut().for_each(|arm| arm.used = 0);
    }

    /// Keeps the better half of the arms.
    fn halve(&mut self, tree: &Tree, options: &Options) {
        let score = |arm: &Arm| score(tree, arm.child, options);
        self.arms.sort_by(|a, b| score(b).total_cmp(&score(a)));
        self.arms.truncate(self.arms.len().div_ceil(2));
        self.begin_round();
    }

    /// Takes the likeliest open positions of each arm, within its share.
    fn wave(&mut self, tree: &Tree) -> Vec<usize> {
        let mut wave = Vec::new();
        let path = |number: usize| tree.position(number).path;
        for arm in &mut self.arms {
            // The likeliest last; among equal ones the one that was found first.
            arm.open
                .sort_by(|&a, &b| path(a).total_cmp(&path(b)).then(b.cmp(&a)));
            let may = (self.share - arm.used).min(self.evaluations - self.spent);
            let count = (may as usize).min(arm.open.len());
            arm.asked = arm.open.split_off(arm.open.len() - count);
            arm.asked.reverse();
            arm.used += count as u64;
            self.spent += count as u64;
            wave.extend(&arm.asked);
        }
        wave
    }

    /// Adds the children of the positions that were just evaluated.
    fn expand(&mut self, tree: &mut Tree, options: &Options) {
        for arm in &mut self.arms {
            for number in std::mem::take(&mut arm.asked) {
                arm.expand(number, tree, options, self.depth);
            }
        }
    }
}

impl Arm {
    /// Adds children of a position that was evaluated: the likeliest moves, and all forcing moves
    /// of the opponent.
    fn expand(&mut self, number: usize, tree: &mut Tree, options: &Options, depth: u32) {
        let position = tree.position(number).clone();
        let own_side = tree.root().board.side_to_move();
        // The root move does not count towards the depth.
        if position.depth > depth {
            return;
        }
        let is_own = position.board.side_to_move() == own_side;
        let is_followed = |at: usize, prior: &Prior| match is_own {
            true => at < options.own_moves,
            false => at < options.opponent_moves || position.is_forcing(prior.mv),
        };
        let priors = tree.moves(number).to_vec();
        for (at, prior) in priors.into_iter().enumerate() {
            if is_followed(at, &prior) {
                let child = tree.add(number, prior);
                if tree.position(child).end.is_none() {
                    self.open.push(child);
                }
            }
        }
    }
}

/// The score of a root move, by the values below it.
pub(super) fn score(tree: &Tree, child: usize, options: &Options) -> f32 {
    let position = tree.position(child);
    match tree.value(child) {
        Some(value) => options.score(position.log_prior, -value),
        // Not evaluated: worse than all that were.
        None => f32::MIN,
    }
}
