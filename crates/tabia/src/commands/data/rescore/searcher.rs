//! Searches positions, always with the same outcome.

use chess::Game;
use data::position::Position;
use data::relabel::Unit;
use data::score;
use engines::alphabeta::{self, Evaluation, Searcher, StabilityOptions};
use engines::score::Score;
use engines::{Limits, StopSignal};
use std::sync::{Mutex, PoisonError};

/// One engine for each thread that asks.
pub(super) struct Searchers {
    evaluation: Evaluation,
    limits: Limits,
    hash: usize,
    stop: StopSignal,
    /// Those that nobody uses.
    idle: Mutex<Vec<Box<dyn Searcher>>>,
}

impl Searchers {
    pub(super) fn new(
        evaluation: Evaluation,
        limits: Limits,
        hash: usize,
        stop: StopSignal,
    ) -> Self {
        Self {
            evaluation,
            limits,
            hash,
            stop,
            idle: Mutex::default(),
        }
    }

    /// The positions of a unit with new scores.
    pub(super) fn rescored(&self, unit: &Unit, only_marked: bool) -> Vec<Position> {
        let mut engine = self.take();
        let mut game = None;
        let mut positions = Vec::with_capacity(unit.positions.len());
        for &(position, begins_chain) in &unit.positions {
            if begins_chain {
                // What was searched before depends on how units are given out.
                engine.forget();
                game = None;
            }
            let mut current = game.unwrap_or_else(|| Game::new(position.board));
            if *current.board() != position.board {
                current = Game::new(position.board);
            }
            let is_wanted = !only_marked || position.is_marked();
            let score = match is_wanted && !self.stop.is_stopped() {
                true => self.score(engine.as_mut(), &current),
                false => position.score,
            };
            positions.push(Position { score, ..position });
            // A game that ended by the rules cannot go on; the next position
            // then begins without history.
            let is_played = position.mv.is_some_and(|mv| current.play(mv).is_ok());
            game = is_played.then_some(current);
        }
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(engine);
        positions
    }

    fn score(&self, engine: &mut dyn Searcher, game: &Game) -> i16 {
        let answer = engine.think(game, &self.limits, &self.stop, &mut |_| {});
        match answer.score {
            Score::Centipawns(value) => score::from_centipawns(value),
            Score::Mate(moves) => score::from_mate(moves),
        }
    }

    fn take(&self) -> Box<dyn Searcher> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.pop().unwrap_or_else(|| {
            let options = alphabeta::Options {
                hash: self.hash,
                stability: StabilityOptions::OFF,
                ..alphabeta::Options::default()
            };
            self.evaluation.player(options)
        })
    }
}
