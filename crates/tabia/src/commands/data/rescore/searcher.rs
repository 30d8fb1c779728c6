//! Searches positions, always with the same outcome.

use chess::Game;
use data::position::Position;
use data::relabel::Unit;
use data::score;
use engines::recipe::{Pace, Recipe};
use engines::score::Score;
use engines::{Limits, Player, StopSignal};
use std::sync::{Mutex, PoisonError};

/// One engine for each thread that asks.
pub(super) struct Searchers<'a> {
    recipe: &'a Recipe,
    limits: Limits,
    stop: StopSignal,
    /// Those that nobody uses.
    idle: Mutex<Vec<Box<dyn Player>>>,
}

impl<'a> Searchers<'a> {
    pub(super) fn new(recipe: &'a Recipe, limits: Limits, stop: StopSignal) -> Self {
        Self {
            recipe,
            limits,
            stop,
            idle: Mutex::default(),
        }
    }

    /// The positions of a unit with new scores.
    pub(super) fn rescored(&self, unit: &Unit, only_marked: bool) -> Vec<Position> {
        let Some(mut engine) = self.take() else {
            return Vec::new();
        };
        let mut game = None;
        let mut positions = Vec::with_capacity(unit.positions.len());
        for &(position, begins_chain) in &unit.positions {
            if begins_chain {
                // What was searched before depends on how units are given out.
                let _ = engine.new_game(0);
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

    fn score(&self, engine: &mut dyn Player, game: &Game) -> i16 {
        let answer = engine.choose(game, &self.limits, &self.stop, &mut |_| {});
        match answer.map(|answer| answer.score) {
            Ok(Score::Centipawns(value)) => score::from_centipawns(value),
            Ok(Score::Mate(moves)) => score::from_mate(moves),
            Err(_) => score::MARK,
        }
    }

    fn take(&self) -> Option<Box<dyn Player>> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.pop()
            .or_else(|| self.recipe.player(Pace::MARGIN.0).ok())
    }
}
