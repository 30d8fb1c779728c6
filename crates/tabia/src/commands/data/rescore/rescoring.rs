//! Units of positions as pieces of work: their positions go to a worker, and
//! chains with new scores come back, always the same.

use chess::Game;
use data::binpack::Encoder;
use data::position::Position;
use data::relabel::Unit;
use data::score;
use engines::alphabeta::{self, Evaluation, STACK_BYTES, Searcher, StabilityOptions};
use engines::score::Score;
use engines::{Limits, StopSignal};
use work::{Job, Outcome, Piece, Worker};

/// How positions are searched.
pub(super) struct Rescoring {
    pub(super) evaluation: Evaluation,
    pub(super) limits: Limits,
    /// Mebibytes of the table of each worker.
    pub(super) hash: usize,
    /// Whether only positions without a score are searched.
    pub(super) only_marked: bool,
}

impl Job for Rescoring {
    fn piece_name(&self) -> &'static str {
        "unit"
    }

    fn stack_bytes(&self) -> usize {
        STACK_BYTES
    }

    fn worker(&self, _: usize) -> Box<dyn Worker + '_> {
        let options = alphabeta::Options {
            hash: self.hash,
            stability: StabilityOptions::OFF,
            ..alphabeta::Options::default()
        };
        Box::new(Engine {
            rescoring: self,
            searcher: self.evaluation.player(options),
        })
    }
}

/// A worker with its search.
struct Engine<'a> {
    rescoring: &'a Rescoring,
    searcher: Box<dyn Searcher>,
}

impl Worker for Engine<'_> {
    fn work(&mut self, piece: &Piece, halt: &StopSignal) -> Outcome {
        let Some(unit) = Unit::from_bytes(&piece.payload) else {
            return Outcome::Failed(b"its positions cannot be read".to_vec());
        };
        let mut encoder = Encoder::new();
        for position in self.rescored(&unit, halt) {
            if let Err(error) = encoder.push(&position) {
                return Outcome::Failed(error.to_string().into_bytes());
            }
        }
        // What was searched last may have been cut short.
        match halt.is_stopped() {
            true => Outcome::GivenUp,
            false => Outcome::Done(encoder.finish().bytes().to_vec()),
        }
    }
}

impl Engine<'_> {
    /// The positions of a unit with new scores.
    fn rescored(&mut self, unit: &Unit, halt: &StopSignal) -> Vec<Position> {
        let mut game = None;
        let mut positions = Vec::with_capacity(unit.positions.len());
        for &(position, begins_chain) in &unit.positions {
            if begins_chain {
                // What was searched before depends on how units are given out.
                self.searcher.forget();
                game = None;
            }
            let mut current = game.unwrap_or_else(|| Game::new(position.board));
            if *current.board() != position.board {
                current = Game::new(position.board);
            }
            let is_wanted = !self.rescoring.only_marked || position.is_marked();
            let score = match is_wanted && !halt.is_stopped() {
                true => self.score(&current, halt),
                false => position.score,
            };
            positions.push(Position { score, ..position });
            // A game that ended by the rules cannot go on; the next position
            // then begins without history.
            let is_played = position.mv.is_some_and(|mv| current.play(mv).is_ok());
            game = is_played.then_some(current);
        }
        positions
    }

    fn score(&mut self, game: &Game, halt: &StopSignal) -> i16 {
        let limits = &self.rescoring.limits;
        let answer = self.searcher.think(game, limits, halt, &mut |_| {});
        match answer.score {
            Score::Centipawns(value) => score::from_centipawns(value),
            Score::Mate(moves) => score::from_mate(moves),
        }
    }
}
